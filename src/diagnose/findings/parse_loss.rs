//! What became of the log's lines, where not all could be read as they stand.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::{FaultKind, Place};

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let sources = &ctx.trace.sources;
    let sum = |count: fn(&crate::trace::Ledger) -> u64| sources.iter().map(|s| count(&s.ledger)).sum::<u64>();
    let parts: Vec<String> = [
        (sum(|l| l.lost), "lost"),
        (sum(|l| l.salvaged), "recovered"),
        (sum(|l| u64::from(l.torn_tail)), "torn at the end"),
        (sum(|l| u64::from(l.cut_off)), "sources broken off"),
        (sum(|l| l.clock_back), "with a time that goes back"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| format!("{n} {what}"))
    .collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let mut evidence = sources
        .iter()
        .flat_map(|s| &s.ledger.faults)
        .filter(|f| f.kind != FaultKind::NoRecord)
        .map(|f| Evidence::new(f.place, f.kind.words(), ""));
    let broken = sources.iter().position(|s| s.ledger.cut_off).and_then(|k| u16::try_from(k).ok());
    let broken = broken.map(|source| Evidence::new(Place { source, line: 0, offset: 0 }, "reading broke off", ""));
    let Some(first) = broken.or_else(|| evidence.next()) else { return Vec::new() };
    let summary = format!("of {} lines: {}", sum(|l| l.lines), parts.join(", "));
    vec![Finding::new(Kind::ParseLoss, None, Confidence::High, summary, first).and(evidence.take(3))]
}
