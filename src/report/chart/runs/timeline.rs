//! A run over time: what its iterations became, whether its heart beat, where it fell silent, what happened beside.

use crate::analysis::Examined;
use crate::report::chart::runs::{counted, name};
use crate::report::chart::spec::{Body, Cell, Chart, Timeline};
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::rows::Colour;
use crate::trace::{Time, span};
use std::collections::HashMap;

/// The timeline. `None` where no record has a time.
#[must_use]
pub fn timeline(run: &Examined) -> Option<Chart> {
    let trace = &run.trace;
    let beats: Vec<Time> = trace.beats.iter().filter_map(|b| b.at).collect();
    let events: Vec<Time> = trace.steps.iter().filter_map(|s| s.at).collect();
    let all = || beats.iter().chain(&events).copied();
    let (from, last) = (all().min()?, all().max()?);
    let iterations = iterations(run);
    let gaps = gaps(run, &beats, &events);
    let marks = marks(run);
    // A silence of days would press the night flat: it reaches beyond the picture and says its length.
    let length = last.0.saturating_sub(from.0).max(60_000);
    let silent = gaps.iter().map(|g| g.2).max().filter(|end| *end > last);
    let to = silent.map_or(last, |end| Time(end.0.min(last.0.saturating_add(length / 2))));
    let count = |wanted: fn(&Cell) -> bool| iterations.iter().filter(|i| wanted(&i.3)).count();
    let mut words = format!(
        "{} from {from} to {last}, {}: {}, of them {} green, {} red, {} without verdict, {} not judged.",
        name(run),
        span(last.seconds_since(from)),
        counted(iterations.len(), "iteration"),
        count(|c| *c == Cell::Green),
        count(|c| matches!(c, Cell::Red(_))),
        count(|c| *c == Cell::NoVerdict),
        count(|c| *c == Cell::Unknown),
    );
    if let (Some(first), Some(end)) = (beats.iter().min(), beats.iter().max()) {
        words.push_str(&format!(" {}, the first at {first}, the last at {end}.", counted(beats.len(), "heartbeat")));
    }
    match gaps.iter().max_by(|a, b| a.2.seconds_since(a.1).total_cmp(&b.2.seconds_since(b.1))) {
        Some((stream, a, b)) => words.push_str(&format!(
            " {} beyond {}; the longest is {} of the {stream}, from {a}.",
            counted(gaps.len(), "silence"),
            span(run.diagnosis.horizon_s),
            span(b.seconds_since(*a))
        )),
        None => words.push_str(&format!(" No silence beyond {}.", span(run.diagnosis.horizon_s))),
    }
    if let Some((mark, at)) = marks.iter().rfind(|m| m.0.starts_with("end: ")) {
        words.push_str(&format!(" It ended at {at} ({}).", mark.trim_start_matches("end: ")));
    }
    Some(Chart {
        id: "timeline".to_owned(),
        title: format!("Timeline: {}", name(run)),
        description: words,
        body: Body::Timeline(Timeline { from, to, iterations, beats, gaps, marks }),
    })
}

/// Iterations that have a time. Equal failures have equal numbers, in the order of their first.
fn iterations(run: &Examined) -> Vec<(u32, Time, Time, Cell)> {
    let mut known: HashMap<u64, u32> = HashMap::new();
    let rows = &run.trace.iterations;
    let mut out = Vec::with_capacity(rows.len());
    for (k, row) in rows.iter().enumerate() {
        let cell = match row.colour {
            Colour::Green => Cell::Green,
            Colour::NoVerdict => Cell::NoVerdict,
            Colour::Unknown => Cell::Unknown,
            Colour::Red => {
                let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                Cell::Red(*known.entry(row.coarse).or_insert(next))
            }
        };
        if let Some(start) = row.start.or(row.end) {
            // It lasts until the next one begins: what lies between is its work too.
            let own = row.end.unwrap_or(start);
            let next = rows.get(k + 1).and_then(|r| r.start).filter(|next| *next >= own);
            let silent = next.is_some_and(|next| next.seconds_since(own) > run.diagnosis.horizon_s);
            out.push((row.number, start, next.filter(|_| !silent).unwrap_or(own), cell));
        }
    }
    out
}

/// Silences beyond the horizon, of the heart and of the log, and the one after the end of a run that died.
fn gaps(run: &Examined, beats: &[Time], events: &[Time]) -> Vec<(String, Time, Time)> {
    let horizon = run.diagnosis.horizon_s;
    let mut gaps = Vec::new();
    for (stream, times) in [("heartbeat", beats), ("log", events)] {
        let mut times = times.to_vec();
        times.sort_unstable();
        for pair in times.windows(2) {
            if let [a, b] = *pair
                && b.seconds_since(a) > horizon
            {
                gaps.push((stream.to_owned(), a, b));
            }
        }
    }
    if let (Some(dead), Some(last)) = (run.report.waste.dead_s.filter(|s| s.is_finite()), events.iter().chain(beats).max()) {
        #[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
        let end = Time(last.0.saturating_add((dead * 1e3) as i64));
        if end > *last {
            gaps.push(("run, until noticed".to_owned(), *last, end));
        }
    }
    gaps
}

/// What stands beside the iterations, by time.
fn marks(run: &Examined) -> Vec<(String, Time)> {
    let trace = &run.trace;
    let at = |step: u32| trace.step(step).and_then(|s| s.at);
    let mut marks: Vec<(String, Time)> = trace.marks.iter().filter_map(|m| Some((mark(m.kind)?.to_owned(), at(m.step)?))).collect();
    if let Some(found) = run.diagnosis.verdict.primary()
        && let Some(onset) = found.episode.and_then(|e| at(e.first))
    {
        marks.push((format!("{} begins", found.kind.id()), onset));
    }
    let died = run.report.waste.dead_s.is_some();
    if let Some(end) = trace.ends.last().filter(|_| !died)
        && let Some(time) = at(end.step)
    {
        marks.push((format!("end: {}", how(end.how)), time));
    }
    marks.sort_by_key(|m| m.1);
    marks
}

fn mark(kind: MarkKind) -> Option<&'static str> {
    Some(match kind {
        MarkKind::Retry => "retry",
        MarkKind::Compact => "compaction",
        MarkKind::SubagentStart => "sub-agent starts",
        MarkKind::SubagentStop => "sub-agent stops",
        MarkKind::Permission => "permission",
        MarkKind::Gate => "gate",
        MarkKind::Review => "review",
        MarkKind::Resume => "resumed",
        MarkKind::Hypothesis => "hypothesis",
        MarkKind::Revision => "budget revised",
        MarkKind::Person => "a person speaks",
        MarkKind::Interrupt => "interrupted",
        MarkKind::ApiError => "API error",
        MarkKind::Fed | MarkKind::Other => return None,
    })
}

fn how(end: EndKind) -> &'static str {
    match end {
        EndKind::Green => "green",
        EndKind::IterLimit => "iteration limit",
        EndKind::Stuck => "stuck",
        EndKind::RewardHack => "reward hack",
        EndKind::Abort => "aborted",
        EndKind::Handoff => "handed over",
        EndKind::Claim => "said to be done",
        EndKind::Exit => "exit",
    }
}
