//! A run as a baseline's figures, by hand or in a loop.

use crate::cost::Prices;
use crate::cost::baseline::repeat::shown;
use crate::cost::baseline::{ErrorKind, Run, RunCost, RunTokens};
use crate::format;
use crate::report::model::{CostStatus, RunReport};
use crate::settings::Thresholds;
use crate::trace::rows::Colour;
use crate::trace::{Place, Trace, signature};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Kinds of failures that are kept of one run.
const KINDS: usize = 100;

/// The price list, as a baseline names it: its date, and a fingerprint of each file laid over it.
#[must_use]
pub fn price_list(prices: &Prices) -> String {
    let mut name = prices.snapshot().date.clone();
    for over in prices.overlaid() {
        name.push('+');
        name.push_str(over.sha256.get(..12).unwrap_or(&over.sha256));
    }
    name
}

/// Measures a run. What the log does not tell stays unknown; a cost of which only a part has a price is not known either:
/// as a baseline it would make every loop look dear. The kinds of failures are left to [`errors`], which reads the log
/// again.
#[must_use]
pub fn measure(trace: &Trace, report: &RunReport, limits: &Thresholds, price_list: &str) -> Run {
    let some = |n: u32| (n > 0).then(|| u64::from(n));
    let known = |s: Option<f64>| s.filter(|s| *s > 0.0);
    // Without checks a session has no iterations, only turns.
    let checked = report.checks.green + report.checks.red + report.checks.no_verdict > 0;
    let cost = report.cost.usd.filter(|m| report.cost.status == CostStatus::Known && m.0 > 0);
    let computed = matches!(report.cost.source, Some("computed" | "mixed"));
    Run {
        task: None,
        run: Some(report.run.to_string()),
        calls: some(report.calls),
        tokens: Some(report.tokens.tokens).filter(|t| t.total().is_some_and(|n| n > 0)).map(RunTokens::Classes),
        cost: cost.map(|usd| RunCost {
            usd,
            source: report.cost.source.map(ToOwned::to_owned),
            snapshot: computed.then(|| price_list.to_owned()),
        }),
        wall_s: known(report.wall_s),
        active_s: known(active(trace, limits.baseline_pause_s)),
        human_s: None,
        outcome: report.ending,
        iterations: some(report.iterations).filter(|_| checked || !trace.derived),
        tool_calls: some(report.tool_calls),
        errors: None,
        check: None,
    }
}

/// Seconds between records, pauses left out.
fn active(trace: &Trace, pause_s: f64) -> Option<f64> {
    let mut times: Vec<_> = trace.steps.iter().filter_map(|s| s.at).collect();
    times.sort_unstable();
    let gaps = times.iter().zip(times.iter().skip(1)).map(|(a, b)| (b.0 - a.0, b.seconds_since(*a)));
    let ms: i64 = gaps.filter(|(_, s)| *s <= pause_s).map(|(ms, _)| ms).sum();
    #[expect(clippy::cast_precision_loss, reason = "a span of logs is far below 2^52 ms")]
    (times.len() > 1).then_some(ms as f64 / 1e3)
}

/// The kinds of failures that a run's check showed, the most frequent first: in how many red iterations each stood.
#[must_use]
pub fn errors(trace: &Trace) -> Vec<ErrorKind> {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut known: HashMap<u64, Vec<String>> = HashMap::new();
    for row in trace.iterations.iter().filter(|i| matches!(i.colour, Colour::Red | Colour::NoVerdict) && i.coarse != 0) {
        // Equal signatures are equal failures: each is read once.
        for text in known.entry(row.coarse).or_insert_with(|| failures(trace, trace.verdict_place(row), row.coarse)) {
            *kinds.entry(text.clone()).or_default() += 1;
        }
    }
    let mut kinds: Vec<ErrorKind> = kinds.into_iter().map(|(signature, count)| ErrorKind { signature, count }).collect();
    kinds.sort_by_key(|k| std::cmp::Reverse(k.count));
    kinds.truncate(KINDS);
    kinds
}

/// What failed, as the record at a place says: each failure in its normalised form, or the signature of all where its
/// words cannot be had any more.
fn failures(trace: &Trace, place: Place, coarse: u64) -> Vec<String> {
    let mut texts = Vec::new();
    if let Some(source) = trace.sources.get(place.source as usize) {
        texts.extend(format::gist_at(source, place));
        // A transcript's record holds the check's whole output somewhere among its texts.
        let record = serde_json::from_slice::<Value>(&source.record(place).0);
        record.iter().for_each(|value| collect(value, &mut texts));
    }
    let readings = texts.iter().map(|(text, was_cut)| (signature::read(text.as_bytes(), &[]), text.as_bytes(), *was_cut));
    let best = readings.max_by_key(|(reading, ..)| (reading.coarse() == coarse, reading.failures.len()));
    let mut found: Vec<String> = Vec::new();
    if let Some((reading, text, was_cut)) = best {
        let line = |span: (u32, u32)| text.get(span.0 as usize..span.1 as usize).unwrap_or_default();
        let lines = reading.failures.iter().map(|f| shown(line(f.span), was_cut && f.span.1 as usize >= text.trim_ascii_end().len()));
        found.extend(lines.filter(|text| !text.is_empty()));
    }
    found.sort();
    found.dedup();
    if found.is_empty() { vec![format!("signature {coarse:016x}")] } else { found }
}

fn collect(value: &Value, texts: &mut Vec<(String, bool)>) {
    match value {
        Value::String(text) => texts.push((text.clone(), false)),
        Value::Array(list) => list.iter().for_each(|v| collect(v, texts)),
        Value::Object(map) => map.values().for_each(|v| collect(v, texts)),
        _ => {}
    }
}
