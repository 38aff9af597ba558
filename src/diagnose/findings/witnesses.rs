//! Log, heartbeat and state file against each other.

use crate::diagnose::ending::{Ending, Terminal, edited_after};
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::EndKind;
use crate::trace::governance::Decision;
use crate::trace::rows::{Colour, StepKind};
use crate::trace::{Money, Place, signature};

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
    findings.extend(own_word(ctx));
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

/// The runner's own word for the end against what happened: a permission stop booked as complete, a success booked as an
/// error of the service.
fn own_word(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let end = ctx.finished?;
    let done = matches!(end.how, EndKind::Claim | EndKind::Green);
    if let Some(deny) =
        trace.permissions.iter().rev().find(|p| p.decision != Decision::Ask).filter(|p| done && p.decision == Decision::Deny)
    {
        let worked = trace
            .steps
            .get(deny.step as usize + 1..end.step as usize)
            .unwrap_or(&[])
            .iter()
            .any(|s| matches!(s.kind, StepKind::ToolCall(_) | StepKind::AgentCall | StepKind::Check(_)));
        if !worked {
            let summary = "the runner booked it as complete, and the last thing that happened was a denied permission".to_owned();
            let evidence = Evidence::new(trace.place(end.step), "booked as complete", "stopped at a permission");
            return Some(finding("status", summary, evidence, Evidence::new(trace.place(deny.step), "denied", "")));
        }
    }
    let green = ctx.judged.last().map(|k| ctx.iteration(*k)).filter(|r| r.colour == Colour::Green)?;
    let verdict = green.verdict_step.filter(|v| end.how == EndKind::Abort && !edited_after(ctx, *v))?;
    let service = signature::read(end.text.as_bytes(), &[]).infrastructure.is_some();
    let claimed =
        trace.said.iter().any(|s| s.claims && s.step > verdict) || trace.ends.iter().any(|e| e.how == EndKind::Claim && e.step > verdict);
    (service && claimed).then(|| {
        let summary = "the runner booked it as an error of the service, and the work was done and green".to_owned();
        let evidence = Evidence::new(trace.place(end.step), "booked as an error", "green and done");
        finding("status", summary, evidence, Evidence::new(trace.place(verdict), "green", ""))
    })
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
