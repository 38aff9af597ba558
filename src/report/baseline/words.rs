//! The baseline in sentences.

use crate::cost::baseline::{Baseline, Run};
use crate::report::escape::terminal;
use crate::report::model::{BaselineReport, RatioReport};
use crate::report::table::thousands;
use crate::trace::span;

/// One run against the baseline, in a line.
#[must_use]
pub fn about(b: &BaselineReport) -> String {
    let one = |name: &str, r: &RatioReport| {
        let ratio = r.ratio?;
        let interval = r.low.zip(r.high).map(|(low, high)| format!(" ({low:.2} to {high:.2})")).unwrap_or_default();
        Some(format!("{name} {ratio:.2}x{interval}"))
    };
    let parts: Vec<String> =
        [("money", &b.usd), ("tokens", &b.tokens), ("calls", &b.calls), ("iterations", &b.iterations), ("time", &b.time)]
            .into_iter()
            .filter_map(|(name, r)| one(name, r))
            .collect();
    let figures = if parts.is_empty() { "nothing that both sides know".to_owned() } else { parts.join(", ") };
    let runs = if b.runs == 1 { "1 run".to_owned() } else { format!("{} runs", b.runs) };
    let differs: String = b.differs.iter().map(|d| format!("; not comparable: {}", terminal(d))).collect();
    format!("against {runs} by hand of {}: {figures}{differs}", terminal(&b.task))
}

/// What was recorded, in a few lines.
#[must_use]
pub fn record(baseline: &Baseline, added: &[Run]) -> String {
    let mut out = String::new();
    for run in added {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(run.cost.as_ref().map(|c| c.usd.short()));
        parts.extend(run.tokens.and_then(|t| t.total()).map(|t| format!("{} tokens", thousands(t))));
        parts.extend(run.calls.map(|n| format!("{n} calls")));
        parts.extend(run.iterations.map(|n| format!("{n} iterations")));
        parts.extend(run.active_s.map(|s| format!("{} at work", span(s))));
        parts.extend(run.human_s.map(|s| format!("{} of a person's time", span(s))));
        parts.extend(run.outcome.map(|e| e.id().to_owned()));
        let name = run.run.as_deref().unwrap_or("run");
        out.push_str(&format!("{}: {}\n", terminal(name), parts.join(", ")));
        if run.cost.is_none() {
            out.push_str("  its cost is not known, or not all of it: money cannot be compared\n");
        }
        if run.outcome.is_some_and(|e| e != crate::diagnose::Ending::Succeeded) {
            out.push_str("  it did not end green: a baseline is what the task takes until its check passes\n");
        }
        if let Some(check) = &run.check {
            out.push_str(&format!("check `{}`: {}\n", terminal(&check.cmd), check.words()));
        }
    }
    if let Some(usd) = baseline.cost_per_iteration() {
        out.push_str(&format!("{} an iteration by hand\n", usd.short()));
    }
    out
}
