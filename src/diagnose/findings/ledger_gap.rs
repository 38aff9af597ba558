//! Calls and answers that do not pair.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::rows::StepKind;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    // What follows the last answer or word is still open, not lost.
    let open_from = trace.steps.iter().rposition(|s| matches!(s.kind, StepKind::ToolResult(_) | StepKind::Said(_))).unwrap_or(0);
    let mut findings = Vec::new();
    let unanswered: Vec<_> = trace.actions.iter().filter(|a| a.result_step.is_none() && (a.step as usize) < open_from).collect();
    if let Some(first) = unanswered.first() {
        let tool = trace.names.text(first.tool);
        let summary = format!("{} calls were never answered and the work went on; the first is of {tool}", unanswered.len());
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
        let summary = format!("{} results answer calls that are not in the log", orphans.len());
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
    findings
}
