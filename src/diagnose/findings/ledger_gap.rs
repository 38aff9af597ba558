//! Calls and answers that do not pair.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::rows::StepKind;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    // What follows the last answer or word is still open, not lost.
    let open_from = trace.steps.iter().rposition(|s| matches!(s.kind, StepKind::ToolResult(_) | StepKind::Said(_))).unwrap_or(0);
    let mut findings = Vec::new();
    let unanswered: Vec<_> = trace.actions.iter().filter(|a| a.result_step.is_none() && (a.step as usize) < open_from).collect();
    if let Some(first) = unanswered.first() {
        let tool = trace.names.text(first.tool);
        // A process of a headless loop that was killed leaves its last call open.
        let begun = |s: &&crate::trace::rows::Step| matches!(s.kind, StepKind::IterStart | StepKind::End(_) | StepKind::Said(_));
        let killed = trace.headless && {
            let after = trace.steps.get(first.step as usize + 1..).unwrap_or(&[]);
            after.iter().find(begun).is_some_and(|s| s.kind == StepKind::IterStart)
        };
        let what = if killed { "its process ended with it, and the loop went on" } else { "the work went on" };
        let summary = match unanswered.len() {
            1 => format!("a call of {tool} was never answered; {what}"),
            n => format!("{n} calls were never answered, first one of {tool}; {what}"),
        };
        findings.push(Finding::new(
            Kind::LedgerGap,
            Some("no_result"),
            Confidence::High,
            summary,
            Evidence::new(trace.place(first.step), "no result", ""),
        ));
    }
    let orphans: Vec<_> = trace.actions.iter().filter(|a| a.call_key == 0 && a.result_step == Some(a.step)).collect();
    if let Some(first) = orphans.first() {
        let summary = match orphans.len() {
            1 => "a result answers a call that is not in the log".to_owned(),
            n => format!("{n} results answer calls that are not in the log"),
        };
        findings.push(Finding::new(
            Kind::LedgerGap,
            Some("no_call"),
            Confidence::High,
            summary,
            Evidence::new(trace.place(first.step), "no call", ""),
        ));
    }
    let starts: Vec<_> = trace.marks.iter().filter(|m| m.kind == MarkKind::SubagentStart).collect();
    let stops = trace.marks.iter().filter(|m| m.kind == MarkKind::SubagentStop).count();
    if starts.len() > stops
        && let Some(last) = starts.last()
    {
        let summary = format!("{} sub-agents were started, {stops} stopped", starts.len());
        findings.push(Finding::new(
            Kind::LedgerGap,
            Some("subagent"),
            Confidence::Medium,
            summary,
            Evidence::new(trace.place(last.step), "started", "no end"),
        ));
    }
    if let Some((count, place)) = trace.turns_back {
        let summary = format!("{count} records name an iteration that was left before");
        findings.push(Finding::new(
            Kind::LedgerGap,
            Some("turn_back"),
            Confidence::Medium,
            summary,
            Evidence::new(place, "its turn goes back", ""),
        ));
    }
    findings.extend(after_abort(ctx));
    findings
}

/// Work that goes on after its parent aborted, with no new start.
fn after_abort(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let end = trace.ends.iter().filter(|e| e.how == EndKind::Abort).max_by_key(|e| e.step)?;
    let rest = trace.steps.get(end.step as usize + 1..)?;
    let begun = rest.iter().position(|s| matches!(s.kind, StepKind::IterStart | StepKind::AgentCall)).unwrap_or(rest.len());
    let spoken = |s: &crate::trace::rows::Step| matches!(s.kind, StepKind::Mark(m) if matches!(trace.marks[m as usize].kind, MarkKind::Person | MarkKind::Resume));
    let until = rest.iter().position(spoken).unwrap_or(rest.len()).min(begun);
    let acts: Vec<usize> = (0..until).filter(|k| matches!(rest[*k].kind, StepKind::ToolCall(_) | StepKind::ModelCall(_))).collect();
    let first = acts.first()?;
    // A session that a person interrupts goes on when they speak again; what follows there is theirs.
    if trace.derived {
        return None;
    }
    let summary = format!("{} calls came after the run was aborted, with no new start", acts.len());
    let evidence = Evidence::new(rest[*first].place, "work goes on", "aborted before");
    let aborted = Evidence::new(trace.place(end.step), "aborted here", "");
    Some(Finding::new(Kind::LedgerGap, Some("after_abort"), Confidence::High, summary, evidence).and([aborted]))
}
