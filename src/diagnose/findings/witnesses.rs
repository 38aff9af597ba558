//! Log, heartbeat and state file against each other.

use crate::diagnose::ending::{Ending, Terminal};
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::Booking;
use crate::trace::{Money, Place, Tokens};
use std::collections::BTreeSet;

pub(super) fn examine(ctx: &Context<'_>, terminal: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    let mut findings = Vec::new();
    let last = trace.iterations.last();
    let end_place = trace.steps.last().map(|s| s.place);
    if let (Some(row), Some(log_place)) = (last, end_place) {
        let log_says = |n: u32| format!("the log ends in iteration {n}");
        // One write apart is normal: the beat is written just before the iteration's first record.
        if let Some((beat, n)) = trace.last_beat().and_then(|b| b.iter.map(|n| (b, n))).filter(|(_, n)| n.abs_diff(row.number) > 1) {
            let summary = format!("the heartbeat says iteration {n}, the log ends in {}", row.number);
            let evidence = Evidence::new(beat.place, format!("the heartbeat says iteration {n}"), log_says(row.number));
            findings.push(finding("iteration", summary, evidence, Evidence::new(log_place, log_says(row.number), "")));
        }
        for state in &trace.states {
            if let Some((n, line)) = state.iteration.filter(|(n, _)| n.abs_diff(row.number) > 1) {
                let summary = format!("the state file says iteration {n}, the log ends in {}", row.number);
                let evidence = Evidence::new(at(state.source, line), format!("the state says iteration {n}"), log_says(row.number));
                findings.push(finding("iteration", summary, evidence, Evidence::new(log_place, log_says(row.number), "")));
            }
            if let Some((phase, line)) = &state.phase
                && let Some(summary) = done_or_not(phase, terminal)
            {
                let evidence = Evidence::new(at(state.source, *line), format!("phase is {phase}"), terminal.ending.map_or("", Ending::id));
                findings.push(finding("done", summary, evidence, Evidence::new(log_place, "the log's last record", "")));
            }
        }
    }
    for state in &trace.states {
        if let (Some((spent, line)), Some(logged)) = (state.spent, trace.reported().or_else(|| trace.spent_from(0)))
            && differs(spent, logged, ctx.limits.cost_mismatch)
        {
            let booked = trace.bookings.iter().rev().find(|b| b.spent.is_some()).map(|b| trace.place(b.step));
            let summary = format!("the state file says {} spent, the log's records sum to {}", spent.short(), logged.short());
            let evidence = Evidence::new(at(state.source, line), spent.short(), logged.short());
            findings.push(
                finding(
                    "spent",
                    summary,
                    evidence,
                    Evidence::new(booked.unwrap_or(at(state.source, line)), format!("{} up to here", logged.short()), ""),
                )
                .by("cost_mismatch"),
            );
        }
    }
    findings.extend(sessions(ctx));
    if let Some((count, place)) = trace.strays {
        let summary = format!("{count} records name another run");
        findings.push(Finding::new(
            Kind::WitnessesDisagree,
            Some("stray"),
            Confidence::High,
            summary,
            Evidence::new(place, "names another run", ""),
        ));
    }
    findings
}

/// What the log books against what its sessions book. A log may book each iteration, or once for all of them.
fn sessions(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let Some(last) = trace.logged.last() else { return Vec::new() };
    let of_log = |b: &&Booking| trace.sources.get(trace.place(b.step).source as usize).is_some_and(|s| s.format == "loop-log");
    let all: Vec<&Booking> = trace.bookings.iter().filter(|b| !of_log(b)).collect();
    let told: BTreeSet<u32> = trace.logged.iter().map(|l| l.iteration).collect();
    let same: Vec<&Booking> = all.iter().copied().filter(|b| trace.step(b.step).is_some_and(|s| told.contains(&s.iteration))).collect();
    let Some(newest) = same.last().or(all.last()) else { return Vec::new() };
    let (log_place, session_place) = (trace.place(last.step), trace.place(newest.step));
    let limit = ctx.limits.cost_mismatch;
    let mut findings = Vec::new();
    let mut tell = |variant, what: &str, log: String, session: String| {
        let summary = format!("the log's records sum to {log}{what}, the sessions' to {session}");
        let one = Evidence::new(log_place, format!("{log}{what} logged up to here"), session.clone());
        findings.push(
            finding(variant, summary, one, Evidence::new(session_place, format!("{session}{what} up to here"), "")).by("cost_mismatch"),
        );
    };
    let mut logged = Tokens::default();
    trace.logged.iter().for_each(|l| logged.add(&l.tokens));
    let sum = |rows: &[&Booking]| {
        let mut sum = Tokens::default();
        rows.iter().for_each(|b| sum.add(&b.tokens));
        sum
    };
    // A writer of sessions that is known to leave out tokens proves nothing.
    if let (Some(log), false) = (logged.total().filter(|t| *t > 0), trace.under_reported) {
        let sums = [sum(&same), sum(&all)];
        let near = |n: u64| n.abs_diff(log) < FEW || share(n.abs_diff(log), n.max(log)) <= limit;
        if !sums.iter().flat_map(|s| readings(s, &logged)).any(near) {
            let session = sums[0].total().or(sums[1].total()).unwrap_or(0);
            tell("tokens", " tokens", log.to_string(), session.to_string());
        }
    }
    let spent = |rows: &[&Booking]| {
        rows.iter().map(|b| b.spent).collect::<Option<Vec<Money>>>().map(|m| m.into_iter().fold(Money::ZERO, |a, b| a + b))
    };
    let said = trace.logged.iter().filter_map(|l| l.reported).filter(|m| m.0 > 0).reduce(|a, b| a + b);
    // A call without a price leaves nothing to compare with.
    if let (Some(log), Some(session)) = (said, spent(&same).filter(|_| !same.is_empty()).or_else(|| spent(&all)))
        && ![Some(session), spent(&all)].into_iter().flatten().any(|s| !differs(log, s, limit))
    {
        tell("cost", "", log.short(), session.short());
    }
    findings
}

/// So few tokens are no difference.
const FEW: u64 = 100;

/// The ways in which a log may count what a session counts: with the cache, without what was read from it, without all of
/// it; or only one side of it.
fn readings(session: &Tokens, log: &Tokens) -> Vec<u64> {
    let n = Option::unwrap_or_default;
    let written = n(session.cache_write_5m) + n(session.cache_write_1h);
    let (input, output) = (n(session.input_uncached), n(session.output));
    match (log.context(), log.output) {
        (None, _) => vec![output],
        (_, None) => vec![input, input + written, input + written + n(session.cache_read)],
        _ => vec![input + output, input + written + output, input + written + n(session.cache_read) + output],
    }
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn finding(variant: &'static str, summary: String, one: Evidence, other: Evidence) -> Finding {
    Finding::new(Kind::WitnessesDisagree, Some(variant), Confidence::High, summary, one).and([other])
}

fn at(source: u16, line: u32) -> Place {
    Place { source, line, offset: 0 }
}

fn differs(a: Money, b: Money, share: f64) -> bool {
    let (a, b) = (a.to_f64(), b.to_f64());
    (a - b).abs() > share * a.max(b) && (a - b).abs() >= 0.01
}

fn done_or_not(phase: &str, terminal: &Terminal) -> Option<String> {
    let lower = phase.to_ascii_lowercase();
    let says_done = ["done", "complete", "completed", "succeeded", "success", "green", "finished"].contains(&lower.as_str());
    let says_failed = ["failed", "error", "aborted", "stuck", "red"].contains(&lower.as_str());
    let succeeded = terminal.ending == Some(Ending::Succeeded);
    if says_done && !succeeded && terminal.ending.is_some() {
        Some(format!("the state file says {phase}, the log says {}", terminal.ending.map_or("nothing", Ending::id)))
    } else if says_failed && succeeded {
        Some(format!("the state file says {phase}, the log ends green"))
    } else {
        None
    }
}
