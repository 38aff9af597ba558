//! Work wiped, or nearly.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::danger::Danger;
use crate::trace::event::MarkKind;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    let tasks: Vec<String> = trace.marks.iter().filter(|m| m.kind == MarkKind::Person).map(|m| m.text.to_lowercase()).collect();
    let asked = |words: &[&str]| tasks.iter().any(|t| words.iter().any(|w| t.contains(w)));
    let mut found: Vec<_> = trace.actions.iter().filter_map(|a| a.danger.map(|d| (a, d))).filter(|(_, d)| !asked(d.asked_by())).collect();
    found.dedup_by_key(|(_, d)| *d);
    // What surely is work comes first.
    found.sort_by_key(|(_, d)| *d == Danger::Clear);
    let Some((first, danger)) = found.first() else { return Vec::new() };
    let summary = format!("{}; nobody had asked for it", danger.words());
    let more = found.iter().skip(1).take(2).map(|(a, d)| Evidence::new(trace.place(a.step), d.words(), ""));
    let evidence = Evidence::new(trace.place(first.step), danger.words(), "");
    let confidence = if *danger == Danger::Clear { Confidence::Low } else { Confidence::High };
    vec![Finding::new(Kind::DestructiveAction, None, confidence, summary, evidence).and(more)]
}
