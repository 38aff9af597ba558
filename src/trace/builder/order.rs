//! Several sources on one timeline.

use super::threads::Sessions;
use crate::trace::rows::StepKind;
use crate::trace::{Time, Trace};
use std::collections::HashMap;

/// Puts the steps of several sources in the order of time. Within a source the order of the file holds: times go back a
/// little where tools run in parallel. A session that the loop's log names in an iteration belongs there, whatever its clock
/// says.
pub(super) fn by_time(trace: &mut Trace, sessions: &Sessions) {
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
        let named = sessions.of_step(k).and_then(|n| window(trace, n));
        let within = named.map_or(*at, |(from, to)| if *at == Time(i64::MAX) { from } else { (*at).clamp(from, to) });
        order.push((within, k));
    }
    order.sort();
    let mut to = vec![0_u32; order.len()];
    for (new, (_, old)) in order.iter().enumerate() {
        to[*old] = u32::try_from(new).unwrap_or(u32::MAX);
    }
    let moved = |step: u32| to.get(step as usize).copied().unwrap_or(step);
    trace.steps = order.iter().map(|(_, old)| trace.steps[*old]).collect();
    trace.checks.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.contents.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.contents.sort_by_key(|r| r.step);
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
    trace.side_checks.iter_mut().for_each(|r| r.step = moved(r.step));
    trace.along_checks.iter_mut().for_each(|r| r.step = moved(r.step));
    for call in &mut trace.side_calls {
        call.action.step = moved(call.action.step);
        call.action.result_step = call.action.result_step.map(moved);
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

/// The time of some iterations, up to the record before the next one.
fn window(trace: &Trace, (first, last): (u32, u32)) -> Option<(Time, Time)> {
    let from = trace.iterations.get(first as usize)?.start?;
    let to = trace.iterations.get(last as usize + 1).and_then(|next| next.start).map_or(Time(i64::MAX - 1), |next| Time(next.0 - 1));
    Some((from, to.max(from)))
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

#[cfg(test)]
mod tests {
    use crate::trace::event::{Event, What};
    use crate::trace::{Builder, Ledger, Source, SourceText, Time, Trace};

    fn event(at: Option<i64>, iter: Option<u32>, what: What<'static>) -> Event<'static> {
        Event {
            at: at.map(|s| Time(s * 1000)),
            iter,
            line: 1,
            offset: 0,
            run: None,
            revision: None,
            files_changed: None,
            usage: None,
            what,
        }
    }

    fn source(out: &mut Builder, format: &'static str) {
        let text = SourceText::Heads(std::sync::Arc::default());
        out.open_source(Source { shown: format.into(), format, ledger: Ledger::default(), text, modified: None, kept: None });
    }

    fn call() -> What<'static> {
        What::ModelCall { ok: None, exit_code: None, text: "".into(), key: None, side: false }
    }

    /// A loop of three iterations at 1000, 2000 and 3000 s, whose log names these sessions; then the sessions' calls.
    fn of(named: &[(u32, &str)], calls: &[(&str, Option<i64>)]) -> Trace {
        let mut out = Builder::new();
        source(&mut out, "loop-log");
        for n in 1..=3 {
            out.event(event(Some(i64::from(n) * 1000), Some(n), What::IterStart));
            for (_, id) in named.iter().filter(|(k, _)| *k == n) {
                out.names_session(id);
            }
        }
        for (id, at) in calls {
            source(&mut out, "claude-code");
            out.derive_iterations();
            out.session(id);
            out.event(event(*at, None, call()));
        }
        out.finish().remove(0)
    }

    fn iterations(trace: &Trace) -> Vec<u32> {
        trace.bookings.iter().map(|b| trace.iteration_number(b.step).unwrap()).collect()
    }

    #[test]
    fn sessions_go_by_time_and_by_name_before_it() {
        assert_eq!(iterations(&of(&[], &[("a", Some(1500)), ("b", Some(2500))])), [1, 2]);
        // Without a time a session comes last, unless the log names it.
        assert_eq!(iterations(&of(&[], &[("a", None)])), [3]);
        assert_eq!(iterations(&of(&[(2, "a")], &[("a", None)])), [2]);
        // A clock that is an hour off.
        assert_eq!(iterations(&of(&[(1, "a"), (2, "b")], &[("a", Some(5100)), ("b", Some(6100))])), [1, 2]);
        // One session over several iterations goes by time within them.
        assert_eq!(iterations(&of(&[(1, "a"), (2, "a")], &[("a", Some(1500)), ("a", Some(2500)), ("a", Some(3500))])), [1, 2, 2]);
    }
}
