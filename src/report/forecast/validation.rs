//! How well the form describes recorded runs, for people.

use super::words::table;
use crate::cost::growth::validate::{self, Validation};
use crate::report::table::Look;
use serde::Serialize;
use std::fmt::Write as _;

/// Renders a validation.
#[must_use]
pub fn render(v: &Validation, look: Look) -> String {
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    let mut out = format!("{} runs, {} calls; a line was fitted to {} runs", v.runs, v.calls, v.fitted);
    if v.cut > 0 {
        let _ = write!(out, ", {} of them with a compaction", v.cut);
    }
    out.push('\n');
    let _ = writeln!(out, "context against call: median R² {}", v.r2.map_or_else(|| "unknown".to_owned(), |r| format!("{r:.3}")));
    if let Some([low, middle, high]) = v.ratio {
        let _ = writeln!(out, "closed form / recorded input tokens: {low:.3} to {high:.3} (5th to 95th percentile), median {middle:.3}");
    }
    if v.in_flight.is_empty() {
        return out;
    }
    out.push_str("\nin flight, the final number of calls known: median error of the run's input tokens\n");
    let rows = v.in_flight.iter().map(|f| vec![f.seen.to_string(), f.runs.to_string(), percent(f.quadratic), percent(f.linear)]).collect();
    out.push_str(&table(&["calls seen", "runs", "quadratic form", "linear pace"], rows, 0, look));
    out.push('\n');
    out
}

/// A validation as JSON.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    schema_version: &'static str,
    runs: usize,
    calls: usize,
    fitted: usize,
    compacted: usize,
    median_r2: Option<f64>,
    form_over_recorded: Option<[f64; 3]>,
    in_flight: Vec<InFlight>,
}

#[derive(Serialize)]
struct InFlight {
    calls_seen: usize,
    runs: usize,
    quadratic_error: f64,
    linear_error: f64,
}

impl Document {
    /// Of a validation.
    #[must_use]
    pub fn of(v: &Validation) -> Self {
        let row =
            |f: &validate::InFlight| InFlight { calls_seen: f.seen, runs: f.runs, quadratic_error: f.quadratic, linear_error: f.linear };
        Self {
            schema: "loopmortem/forecast-validation",
            schema_version: super::json::SCHEMA_VERSION,
            runs: v.runs,
            calls: v.calls,
            fitted: v.fitted,
            compacted: v.cut,
            median_r2: v.r2,
            form_over_recorded: v.ratio,
            in_flight: v.in_flight.iter().map(row).collect(),
        }
    }
}
