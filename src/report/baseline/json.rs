//! The comparison as data.

use super::ratio;
use super::text::Compared;
use crate::cost::baseline::ErrorKind;
use crate::cost::baseline::compare::{Difference, Errors, Measure, Per, Row, Word};
use crate::cost::baseline::ratio::{Method, RESAMPLES, SEED};
use crate::diagnose::norms::rounded;
use crate::report::escape::visible;
use crate::report::model::RatioReport;
use serde::Serialize;

/// The document's name.
pub const SCHEMA: &str = "loopmortem/baseline-compare";
/// Its version. Within a major version fields are only added.
pub const SCHEMA_VERSION: &str = "1.0";

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    schema_version: &'static str,
    baseline: String,
    runs_baseline: usize,
    runs_loops: usize,
    runs_left_out: usize,
    task_assumed: bool,
    tasks: Vec<String>,
    tasks_left_out: Vec<String>,
    comparable: bool,
    differences: Vec<Difference>,
    time: &'static str,
    resamples: usize,
    seed: u64,
    rows: Vec<RowReport>,
    anomalies: Vec<Measure>,
    errors: Option<Errors>,
    gate: Option<Gate>,
}

#[derive(Serialize)]
struct RowReport {
    measure: Measure,
    per: Per,
    baseline: Option<f64>,
    loops: Option<f64>,
    runs_baseline: usize,
    runs_loops: usize,
    pairs: Option<usize>,
    #[serde(flatten)]
    ratio: RatioReport,
    method: Option<Method>,
    word: Word,
}

#[derive(Serialize)]
struct Gate {
    max_ratio: f64,
    fired: Vec<Measure>,
    not_judged: Vec<Measure>,
}

/// Writes it.
#[must_use]
pub fn json(c: &Compared<'_>) -> String {
    let document = Document {
        schema: SCHEMA,
        schema_version: SCHEMA_VERSION,
        baseline: visible(c.file).into_owned(),
        runs_baseline: c.runs.0,
        runs_loops: c.runs.1,
        runs_left_out: c.left_out,
        task_assumed: c.assumed,
        tasks: names(c.comparison.tasks.clone()),
        tasks_left_out: names(c.comparison.left_out.clone()),
        comparable: c.comparison.differences.is_empty(),
        differences: c.comparison.differences.iter().map(|d| d.clone().map(names)).collect(),
        time: if c.comparison.active { "active" } else { "wall" },
        resamples: RESAMPLES,
        seed: SEED,
        rows: c.comparison.rows.iter().map(row).collect(),
        anomalies: c.anomalies().map(|r| r.measure).collect(),
        errors: c.comparison.errors.as_ref().map(|e| Errors { new: kinds(&e.new), gone: kinds(&e.gone), common: e.common }),
        gate: c.gate.map(|(max_ratio, _)| Gate {
            max_ratio,
            fired: c.fired().map(|r| r.measure).collect(),
            not_judged: c.unjudged().map(|r| r.measure).collect(),
        }),
    };
    // Names, numbers and lists cannot fail to be written.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn names(list: Vec<String>) -> Vec<String> {
    list.iter().map(|t| visible(t).into_owned()).collect()
}

fn kinds(list: &[ErrorKind]) -> Vec<ErrorKind> {
    list.iter().map(|k| ErrorKind { signature: visible(&k.signature).into_owned(), count: k.count }).collect()
}

fn row(row: &Row) -> RowReport {
    RowReport {
        measure: row.measure,
        per: row.per,
        baseline: row.before.map(rounded),
        loops: row.after.map(rounded),
        runs_baseline: row.runs.0,
        runs_loops: row.runs.1,
        pairs: row.pairs,
        ratio: ratio(row.estimate),
        method: row.estimate.map(|e| e.method),
        word: row.word,
    }
}
