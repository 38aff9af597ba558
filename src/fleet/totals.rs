//! Sums over runs. Unknown stays unknown.

use crate::report::model::{CostStatus, RunReport, Totals};
use std::collections::BTreeSet;

/// The sums so far.
pub(super) struct Sums {
    totals: Totals,
    models: BTreeSet<Box<str>>,
    sources: BTreeSet<&'static str>,
    unknown_cost: bool,
}

impl Sums {
    pub(super) fn new(files_passed_over: u64, paths_unread: u64) -> Self {
        Self {
            totals: Totals { files_passed_over, paths_unread, ..Totals::default() },
            models: BTreeSet::new(),
            sources: BTreeSet::new(),
            unknown_cost: false,
        }
    }

    pub(super) fn add(&mut self, run: &RunReport) {
        let t = &mut self.totals;
        t.runs += 1;
        *t.by_ending.entry(run.ending.map_or("none", crate::diagnose::Ending::id)).or_default() += 1;
        *t.by_mode.entry(run.mode.map_or("none", crate::diagnose::Kind::id)).or_default() += 1;
        *t.by_health.entry(run.health.word()).or_default() += 1;
        t.tokens.add(&run.tokens.tokens);
        let c = &run.cost;
        t.cost.usd = sum(t.cost.usd, c.usd, |a, b| a + b);
        t.cost.reported_usd = sum(t.cost.reported_usd, c.reported_usd, |a, b| a + b);
        t.cost.subagents_usd = sum(t.cost.subagents_usd, c.subagents_usd, |a, b| a + b);
        t.cost.unpriced_tokens = t.cost.unpriced_tokens.saturating_add(c.unpriced_tokens);
        self.models.extend(c.unpriced_models.iter().cloned());
        self.sources.extend(c.source);
        self.unknown_cost |= c.status != CostStatus::Known;
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

    pub(super) fn finish(self) -> Totals {
        let mut t = self.totals;
        t.cost.source = if self.sources.len() > 1 { Some("mixed") } else { self.sources.first().copied() };
        t.cost.status = match t.cost.usd {
            None => CostStatus::Unknown,
            Some(_) if self.unknown_cost => CostStatus::AtLeast,
            Some(_) => CostStatus::Known,
        };
        t.cost.unpriced_models = self.models.into_iter().collect();
        t
    }
}

fn sum<T>(a: Option<T>, b: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}
