//! Stuck in words: the same text again and again with no result between.

use super::runaway;
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::rows::{Said, StepKind};

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let mut best: Option<(usize, Said, Said)> = None;
    let mut run: Option<(usize, Said)> = None;
    for step in &trace.steps {
        match step.kind {
            StepKind::Said(k) => {
                let now = trace.said[k as usize];
                run = match run {
                    Some((n, first)) if first.key == now.key => Some((n + 1, first)),
                    _ => Some((1, now)),
                };
                if let Some((n, first)) = run.filter(|(n, _)| best.is_none_or(|(b, ..)| *n > b)) {
                    best = Some((n, first, now));
                }
            }
            StepKind::ToolResult(_) => run = None,
            StepKind::Mark(m) if trace.marks[m as usize].kind == MarkKind::Person => run = None,
            _ => {}
        }
    }
    let Some((count, first, last)) = best.filter(|(n, ..)| *n >= ctx.limits.text_repeat as usize) else { return Vec::new() };
    // Done, said again to each prompt that is fed again: it is the loop that does not hear it.
    if first.claims && runaway::after_done(ctx).is_some() {
        return Vec::new();
    }
    let after = trace.said.iter().filter(|s| s.step > last.step && s.key != last.key).count();
    let overcome = after >= count || ctx.green_after(last.step);
    let summary = format!("the same words {count} times in a row with no result between");
    let evidence = Evidence::new(trace.place(last.step), format!("{count} equal messages"), ctx.limits.text_repeat.to_string());
    let begin = Evidence::new(trace.place(first.step), "first of them", "");
    vec![
        Finding::new(Kind::Stuck, Some("text"), Confidence::High, summary, evidence)
            .by("text_repeat")
            .over(Episode { first: first.step, last: last.step, overcome })
            .and([begin]),
    ]
}
