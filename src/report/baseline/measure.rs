//! A run as a baseline's figures, by hand or in a loop.

use crate::cost::Prices;
use crate::cost::baseline::repeat::shown;
use crate::cost::baseline::{ErrorKind, Run, RunCost, RunTokens};
use crate::report::build::gist;
use crate::report::model::{CostStatus, RunReport};
use crate::settings::Thresholds;
use crate::trace::rows::Colour;
use crate::trace::{Place, Trace};
use std::collections::{BTreeMap, HashMap};

/// Kinds of failures that are kept of one run.
const KINDS: usize = 100;
/// Bytes of a failure that are looked at.
const LINE: usize = 240;

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

/// The kinds of failures that a run's check showed, the most frequent first.
#[must_use]
pub fn errors(trace: &Trace) -> Vec<ErrorKind> {
    let mut seen: HashMap<u64, (u64, Place)> = HashMap::new();
    for row in trace.iterations.iter().filter(|i| matches!(i.colour, Colour::Red | Colour::NoVerdict) && i.coarse != 0) {
        seen.entry(row.coarse).or_insert((0, trace.verdict_place(row))).0 += 1;
    }
    // Different readings may come out as the same words.
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for (signature, (count, place)) in seen {
        let text = shown(gist(trace, place, LINE).as_bytes());
        let text = if text.is_empty() { format!("signature {signature:016x}") } else { text };
        *kinds.entry(text).or_default() += count;
    }
    let mut kinds: Vec<ErrorKind> = kinds.into_iter().map(|(signature, count)| ErrorKind { signature, count }).collect();
    kinds.sort_by_key(|k| std::cmp::Reverse(k.count));
    kinds.truncate(KINDS);
    kinds
}
