//! Model calls that were paid for twice.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    let [first, ..] = trace.rebilled.as_slice() else { return Vec::new() };
    let resumed = trace.marks.iter().find(|m| m.kind == MarkKind::Resume && m.step > first.first && m.step < first.again);
    // A writer that logs the beginning and the end of each call is no second payment.
    if resumed.is_none() && trace.rebilled.len() < 2 {
        return Vec::new();
    }
    let far = |r: &&crate::trace::governance::Rebilled| r.again > r.first + 2 || resumed.is_some();
    let all: Vec<_> = trace.rebilled.iter().filter(far).collect();
    let Some(first) = all.first() else { return Vec::new() };
    let again = |step: u32| trace.bookings.iter().find(|b| b.step == step).and_then(|b| b.spent);
    let cost = all.iter().filter_map(|r| again(r.again).or(r.reported)).reduce(|a, b| a + b);
    let cost = cost.map(|m| format!(", {} paid again", m.short())).unwrap_or_default();
    let how = if resumed.is_some() { "after a resume" } else { "in another pass" };
    let summary = format!("{} model calls were billed again {how}{cost}", all.len());
    let evidence = Evidence::new(trace.place(first.again), "the same call's id, billed again", "");
    let mut more = vec![Evidence::new(trace.place(first.first), "billed the first time", "")];
    more.extend(resumed.map(|m| Evidence::new(trace.place(m.step), "the resume", "")));
    let confidence = if resumed.is_some() { Confidence::High } else { Confidence::Medium };
    vec![Finding::new(Kind::RebilledResume, None, confidence, summary, evidence).and(more)]
}
