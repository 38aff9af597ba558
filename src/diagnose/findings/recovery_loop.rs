//! Recoveries that bite themselves.

use crate::diagnose::ending::Terminal;
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::rows::{CallFault, Mark, StepKind};

/// A stretch of one kind of recovery, as steps.
#[derive(Clone, Copy)]
struct Stretch {
    first: u32,
    last: u32,
    hits: u32,
}

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let limits = ctx.limits;
    let mut found = Vec::new();
    let failed = |m: &Mark| m.kind == MarkKind::Compact && has_failed(m);
    // A person's words between two compactions make no room.
    if let Some(s) =
        longest(ctx, failed, |k| matches!(k, StepKind::Mark(_) | StepKind::ModelCall(_) | StepKind::CallSeenTwice(_) | StepKind::Said(_)))
            .filter(|s| s.hits >= limits.recovery_failed)
    {
        found.push(finding(ctx, s, "compaction", Confidence::High, "failed compactions", "recovery_failed", limits.recovery_failed));
    } else if let Some(s) =
        longest(ctx, |m| m.kind == MarkKind::Compact, |k| matches!(k, StepKind::Mark(_))).filter(|s| s.hits >= limits.recovery_suspect)
    {
        let sure = s.hits >= limits.recovery_verdict;
        let (confidence, name, limit) = if sure {
            (Confidence::High, "recovery_verdict", limits.recovery_verdict)
        } else {
            (Confidence::Low, "recovery_suspect", limits.recovery_suspect)
        };
        found.push(finding(ctx, s, "compaction", confidence, "compactions", name, limit));
    }
    if let Some(s) =
        longest(ctx, |m| m.kind == MarkKind::Retry, |k| matches!(k, StepKind::Mark(_))).filter(|s| s.hits >= limits.recovery_retries)
    {
        found.push(finding(ctx, s, "retry", Confidence::High, "retries", "recovery_retries", limits.recovery_retries));
    }
    let speech = |k| matches!(k, StepKind::Mark(_) | StepKind::Said(_) | StepKind::ModelCall(_) | StepKind::CallSeenTwice(_));
    if let Some(s) = longest(ctx, |m| m.kind == MarkKind::Fed, speech).filter(|s| s.hits >= limits.recovery_hooks) {
        found.push(finding(ctx, s, "stop_hook", Confidence::High, "prompts fed back", "recovery_hooks", limits.recovery_hooks));
    }
    found.extend(cut_answers(ctx));
    found
}

fn has_failed(mark: &Mark) -> bool {
    let text = mark.text.to_lowercase();
    mark.exit_code.is_some_and(|c| c != 0)
        || mark.decision.as_deref().is_some_and(|d| matches!(d, "fail" | "failed" | "deny"))
        || ["failed", "error", "too long", "could not"].iter().any(|w| text.contains(w))
}

/// The longest stretch of marks with nothing between them but what `passes`; a person's word never interrupts.
fn longest(ctx: &Context<'_>, hit: impl Fn(&Mark) -> bool, passes: impl Fn(StepKind) -> bool) -> Option<Stretch> {
    let mut best: Option<Stretch> = None;
    let mut open: Option<Stretch> = None;
    for (k, step) in (0_u32..).zip(&ctx.trace.steps) {
        match step.kind {
            StepKind::Mark(m) if ctx.trace.marks.get(m as usize).is_some_and(&hit) => {
                let now = open.map_or(Stretch { first: k, last: k, hits: 1 }, |s| Stretch { last: k, hits: s.hits + 1, ..s });
                open = Some(now);
                if best.is_none_or(|b| now.hits > b.hits) {
                    best = Some(now);
                }
            }
            kind if passes(kind) => {}
            _ => open = None,
        }
    }
    best
}

/// Answers that were cut at their longest, with no whole one between.
fn cut_answers(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let mut best: Option<Stretch> = None;
    let mut open: Option<Stretch> = None;
    for (k, step) in (0_u32..).zip(&trace.steps) {
        let cut = match step.kind {
            StepKind::ModelCall(b) => Some(trace.bookings.get(b as usize).is_some_and(|b| b.fault == Some(CallFault::OutputFull))),
            StepKind::Mark(m) => {
                let mark = &trace.marks[m as usize];
                let text = mark.text.to_lowercase();
                (mark.kind == MarkKind::ApiError && (text.contains("output token") || text.contains("max_output_tokens"))).then_some(true)
            }
            StepKind::ToolCall(_) => Some(false),
            _ => None,
        };
        match cut {
            Some(true) => {
                let now = open.map_or(Stretch { first: k, last: k, hits: 1 }, |s| Stretch { last: k, hits: s.hits + 1, ..s });
                open = Some(now);
                if best.is_none_or(|b| now.hits > b.hits) {
                    best = Some(now);
                }
            }
            // In a session the call that the client then reports as cut is booked too.
            Some(false) if matches!(step.kind, StepKind::ModelCall(_)) && trace.derived => {}
            Some(false) => open = None,
            None => {}
        }
    }
    let s = best.filter(|s| s.hits >= ctx.limits.recovery_output)?;
    Some(finding(ctx, s, "output_limit", Confidence::High, "answers cut at their longest", "recovery_output", ctx.limits.recovery_output))
}

fn finding(
    ctx: &Context<'_>,
    s: Stretch,
    variant: &'static str,
    confidence: Confidence,
    what: &str,
    threshold: &'static str,
    limit: u32,
) -> Finding {
    let trace = ctx.trace;
    let cost = trace.bookings.iter().filter(|b| b.step >= s.first && b.step <= s.last).filter_map(|b| b.spent).reduce(|a, b| a + b);
    let cost = cost.map(|m| format!(", {} spent on it", m.short())).unwrap_or_default();
    let summary = format!("{} {what} in a row with no work between{cost}", s.hits);
    let evidence = Evidence::new(trace.place(s.last), format!("{} in a row", s.hits), limit.to_string());
    let begin = Evidence::new(trace.place(s.first), "the first of them", "");
    Finding::new(Kind::RecoveryLoop, Some(variant), confidence, summary, evidence)
        .by(threshold)
        .over(Episode { first: s.first, last: s.last, overcome: false })
        .and([begin])
}
