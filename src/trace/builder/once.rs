//! A loop's log may book the tokens that its agent's own session books call by call. The session's are exact and count; the
//! log's are what the loop says, and are kept to be held against them.

use crate::trace::rows::{Booking, Logged, StepKind};
use crate::trace::{Time, Tokens, Trace};
use std::collections::BTreeSet;

/// A session that begins this much before its loop, in milliseconds, runs by another clock.
const CLOCK_MS: i64 = 120_000;

/// Takes the log's bookings out of the iterations that sessions tell of. Where the sessions' times do not fit the log's
/// nobody knows which those are: then out of all.
pub(super) fn count(trace: &mut Trace) {
    let by_log: Vec<bool> = trace.sources.iter().map(|s| s.format == "loop-log").collect();
    let of_log = |step: u32| by_log.get(trace.place(step).source as usize).copied().unwrap_or(false);
    let logged: Vec<bool> = trace.bookings.iter().map(|b| of_log(b.step)).collect();
    if logged.iter().all(|l| *l) || !logged.iter().any(|l| *l) {
        return;
    }
    let iteration = |step: u32| trace.step(step).map_or(0, |s| s.iteration);
    let told: BTreeSet<u32> = trace.bookings.iter().zip(&logged).filter(|(_, l)| !**l).map(|(b, _)| iteration(b.step)).collect();
    let fits = fits(trace, &by_log);
    let mut dropped = Vec::new();
    for (k, booking) in trace.bookings.iter().enumerate().filter(|(k, _)| logged[*k]) {
        let iteration = iteration(booking.step);
        if !fits || told.contains(&iteration) {
            dropped.push((k, Logged { iteration, tokens: booking.tokens, reported: booking.reported, step: booking.step }));
        }
    }
    let mut said = None;
    let mut gone = vec![false; trace.bookings.len()];
    for (k, row) in dropped {
        gone[k] = true;
        let reported = trace.bookings[k].reported;
        said = reported.map(|b| said.map_or(b, |a| a + b)).or(said);
        if !row.tokens.is_unknown() || row.reported.is_some() {
            trace.logged.push(row);
        }
    }
    trace.stated = trace.stated.or(said);
    take_out(trace, &gone);
}

/// Takes bookings out of the trace, and their steps out of the model calls: whatever counts calls or sums them up later cannot
/// see them.
fn take_out(trace: &mut Trace, gone: &[bool]) {
    let mut kept = Vec::with_capacity(trace.bookings.len());
    // Where each booking stands now, by where it stood.
    let mut moved = Vec::with_capacity(trace.bookings.len());
    for (booking, gone) in std::mem::take(&mut trace.bookings).into_iter().zip(gone) {
        let rows = if *gone { &mut trace.twice } else { &mut kept };
        moved.push((*gone, u32::try_from(rows.len()).unwrap_or(u32::MAX)));
        rows.push(if *gone { Booking { tokens: Tokens::default(), reported: None, spent: None, ..booking } } else { booking });
    }
    trace.bookings = kept;
    for step in &mut trace.steps {
        let StepKind::ModelCall(row) = step.kind else { continue };
        match moved.get(row as usize) {
            Some((true, now)) => {
                step.kind = StepKind::CallSeenTwice(*now);
                trace.model_calls = trace.model_calls.saturating_sub(1);
            }
            Some((false, now)) => step.kind = StepKind::ModelCall(*now),
            None => {}
        }
    }
}

/// Whether the sessions' bookings have times that lie in the log's.
fn fits(trace: &Trace, by_log: &[bool]) -> bool {
    let is_log = |source: u16| by_log.get(source as usize).copied().unwrap_or(false);
    let begins = trace.steps.iter().filter(|s| is_log(s.place.source)).filter_map(|s| s.at).min();
    let Some(begins) = begins else { return false };
    let mut of_sessions = trace.bookings.iter().filter_map(|b| trace.step(b.step)).filter(|s| !is_log(s.place.source)).map(|s| s.at);
    of_sessions.all(|at| at.is_some_and(|at| at >= Time(begins.0 - CLOCK_MS)))
}
