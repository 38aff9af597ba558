//! The log's own cost against ours.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::{Booking, StepKind};
use crate::trace::{Money, Trace};
use std::collections::{HashMap, HashSet};

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    // A log that stands beside its sessions is held against them as another witness.
    if ctx.trace.logged.iter().any(|l| l.reported.is_some()) {
        return Vec::new();
    }
    // Only calls that have both figures can be compared; where ours is the log's own the two are equal.
    let both = ctx.trace.bookings.iter().filter_map(|b| Some((b, b.reported.filter(|m| m.0 > 0)?, b.spent?)));
    let (mut logged, mut computed) = (Money::ZERO, Money::ZERO);
    let mut widest = None;
    for (booking, reported, spent) in both {
        logged += reported;
        computed += spent;
        let gap = (reported.0 - spent.0).abs();
        if widest.is_none_or(|(g, _)| gap > g) {
            widest = Some((gap, booking));
        }
    }
    // A runner's own total stands against all calls together that it is a total of.
    let total = ctx.trace.stated.zip(spent_where_stated(ctx.trace)).filter(|_| widest.is_none());
    if let Some((stated, spent)) = total {
        (logged, computed) = (stated, spent);
    }
    let booking = widest.map(|(_, b)| b).or(ctx.trace.bookings.last().filter(|_| total.is_some()));
    let Some(booking) = booking else { return Vec::new() };
    let (a, b) = (logged.to_f64(), computed.to_f64());
    if (a - b).abs() <= ctx.limits.cost_mismatch * a.max(b) {
        return Vec::new();
    }
    let summary = format!("the log says {}, its tokens at list prices make {}", logged.short(), computed.short());
    let evidence =
        Evidence::new(ctx.trace.place(booking.step), format!("{} logged", logged.short()), format!("{} computed", computed.short()));
    vec![Finding::new(Kind::CostMismatch, None, Confidence::Medium, summary, evidence).by("cost_mismatch")]
}

/// What the processes cost that came to their end: a headless process states its cost there, and one that was killed states
/// none.
fn spent_where_stated(trace: &Trace) -> Option<Money> {
    if !trace.headless {
        return trace.spent_from(0);
    }
    let mut begun: HashMap<u16, u32> = HashMap::new();
    let mut process: Vec<(u16, u32)> = Vec::with_capacity(trace.steps.len());
    let mut ended: HashSet<(u16, u32)> = HashSet::new();
    for step in &trace.steps {
        let n = begun.entry(step.place.source).or_default();
        *n += u32::from(step.kind == StepKind::IterStart);
        process.push((step.place.source, *n));
        if matches!(step.kind, StepKind::End(_)) {
            ended.insert((step.place.source, *n));
        }
    }
    let stated = |b: &&Booking| process.get(b.step as usize).is_some_and(|p| ended.contains(p));
    trace.bookings.iter().filter(stated).filter_map(|b| b.spent).reduce(|a, b| a + b)
}
