//! Several sources on one timeline.

use crate::trace::rows::StepKind;
use crate::trace::{Time, Trace};
use std::collections::HashMap;

/// Puts the steps of several sources in the order of time. Within a source the order of the file holds: times go back a
/// little where tools run in parallel.
pub(super) fn by_time(trace: &mut Trace) {
    let first = trace.steps.first().map(|s| s.place.source);
    if trace.steps.iter().all(|s| Some(s.place.source) == first) {
        return;
    }
    // What stands before a source's first time happened then; a source without any time comes last.
    let mut newest: HashMap<u16, Time> = HashMap::new();
    for step in trace.steps.iter().rev() {
        if let Some(at) = step.at {
            newest.insert(step.place.source, at);
        }
    }
    let mut order: Vec<(Time, usize)> = Vec::with_capacity(trace.steps.len());
    for (k, step) in trace.steps.iter().enumerate() {
        let at = newest.entry(step.place.source).or_insert(Time(i64::MAX));
        if let Some(now) = step.at
            && *at != Time(i64::MAX)
        {
            *at = now.max(*at);
        }
        order.push((*at, k));
    }
    order.sort();
    let mut to = vec![0_u32; order.len()];
    for (new, (_, old)) in order.iter().enumerate() {
        to[*old] = u32::try_from(new).unwrap_or(u32::MAX);
    }
    let moved = |step: u32| to.get(step as usize).copied().unwrap_or(step);
    trace.steps = order.iter().map(|(_, old)| trace.steps[*old]).collect();
    trace.checks.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.bookings.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.said.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.ends.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.marks.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.gates.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.permissions.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.reviews.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.hypotheses.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.scopes.iter_mut().for_each(|r| r.step = r.step.map(moved));
    trace.scope_edits.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.rebilled.iter_mut().for_each(|r| (r.first, r.again) = (moved(r.first), moved(r.again)));
    for action in &mut trace.actions {
        action.step = moved(action.step);
        action.result_step = action.result_step.map(moved);
    }
    for row in &mut trace.iterations {
        // What is done after a verdict begins behind it, wherever that is now.
        row.work_from = match row.verdict_step {
            Some(verdict) if row.work_from > verdict => moved(verdict) + 1,
            Some(verdict) => moved(verdict),
            None => moved(row.first_step),
        };
        row.verdict_step = row.verdict_step.map(moved);
        row.first_step = moved(row.first_step);
    }
    reassign(trace);
}

/// Iterations of a loop's log span what falls into their time; the steps of sessions belong to the one that is running.
fn reassign(trace: &mut Trace) {
    let mut current = 0;
    let mut starts: Vec<(u32, u32)> =
        trace.iterations.iter().enumerate().map(|(k, i)| (i.first_step, u32::try_from(k).unwrap_or(u32::MAX))).collect();
    starts.sort_unstable();
    let mut next = starts.into_iter().peekable();
    for (k, step) in trace.steps.iter_mut().enumerate() {
        while let Some((_, iteration)) = next.next_if(|(first, _)| *first as usize <= k) {
            current = iteration;
        }
        let own = matches!(step.kind, StepKind::IterStart | StepKind::AgentCall | StepKind::Check(_) | StepKind::End(_));
        if !own {
            step.iteration = current;
        }
    }
}
