//! Sums over runs. Unknown stays unknown.

use crate::report::model::{CostStatus, RunReport, Totals};
use std::collections::BTreeSet;

/// The sums.
#[must_use]
pub fn totals(runs: &[RunReport], files_passed_over: u64) -> Totals {
    let mut t = Totals { runs: runs.len() as u64, files_passed_over, ..Totals::default() };
    let mut models: BTreeSet<&str> = BTreeSet::new();
    let mut unknown_cost = false;
    for run in runs {
        *t.by_ending.entry(run.ending.map_or("none", crate::diagnose::Ending::id)).or_default() += 1;
        *t.by_mode.entry(run.mode.map_or("none", crate::diagnose::Kind::id)).or_default() += 1;
        *t.by_health.entry(run.health.word()).or_default() += 1;
        t.tokens.add(&run.tokens.tokens);
        let c = &run.cost;
        t.cost.usd = sum(t.cost.usd, c.usd, |a, b| a + b);
        t.cost.reported_usd = sum(t.cost.reported_usd, c.reported_usd, |a, b| a + b);
        t.cost.unpriced_tokens = t.cost.unpriced_tokens.saturating_add(c.unpriced_tokens);
        models.extend(c.unpriced_models.iter().map(AsRef::as_ref));
        unknown_cost |= c.status != CostStatus::Known;
        let w = &run.waste;
        t.waste.usd = sum(t.waste.usd, w.usd, |a, b| a + b);
        t.waste.tokens = sum(t.waste.tokens, w.tokens, u64::saturating_add);
        t.waste.seconds = sum(t.waste.seconds, w.seconds, |a, b| a + b);
        t.waste.dead_s += w.dead_s.unwrap_or(0.0);
        t.waste.runs_unavailable += u64::from(w.state == crate::diagnose::WasteState::Unavailable);
        for s in &run.sources {
            t.lost_lines += s.lost;
            t.lines += s.lines;
            t.salvaged_lines += s.salvaged;
            t.duplicate_lines += s.duplicates;
            t.unknown_records += s.unknown;
            t.bytes += s.bytes;
        }
    }
    t.cost.source = t.cost.usd.map(|_| "reported");
    t.cost.status = match t.cost.usd {
        None => CostStatus::Unknown,
        Some(_) if unknown_cost => CostStatus::AtLeast,
        Some(_) => CostStatus::Known,
    };
    t.cost.unpriced_models = models.into_iter().map(Into::into).collect();
    t
}

fn sum<T>(a: Option<T>, b: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}
