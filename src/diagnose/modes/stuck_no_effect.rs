//! Stuck without effect: calls that should change files, empty answers, nothing changed.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::Action;
use crate::trace::tool::ToolClass;

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let edits: Vec<&Action> = trace.actions.iter().filter(|a| a.class == ToolClass::Edit && a.result_step.is_some()).collect();
    // Only a recorded zero is "nothing changed"; where nobody counted, nothing can be said.
    let idle = edits.chunk_by(|a, b| a.files_changed == Some(0) && b.files_changed == Some(0)).max_by_key(|s| s.len());
    let Some([first, .., last]) = idle else { return Vec::new() };
    let Some(stretch) = idle.filter(|_| first.files_changed == Some(0)) else { return Vec::new() };
    let empty = stretch.iter().filter(|a| a.result_len == 0).count();
    #[expect(clippy::cast_precision_loss, reason = "a count of calls")]
    let share = empty as f64 / stretch.len() as f64;
    if stretch.len() < ctx.limits.no_effect_calls as usize || share < ctx.limits.no_effect_share {
        return Vec::new();
    }
    let end = last.result_step.unwrap_or(last.step);
    let after = trace.actions.iter().filter(|a| a.step > end).count();
    let overcome = after >= stretch.len() || ctx.green_after(end);
    let summary = format!("{} calls that should change files changed nothing, {empty} of them without an answer", stretch.len());
    let evidence =
        Evidence::new(trace.place(last.step), format!("{} calls without effect", stretch.len()), ctx.limits.no_effect_calls.to_string());
    let begin = Evidence::new(trace.place(first.step), "first of them", "");
    vec![
        Finding::new(Kind::Stuck, Some("no_effect"), Confidence::Medium, summary, evidence)
            .by("no_effect_calls")
            .by("no_effect_share")
            .over(Episode { first: first.step, last: end, overcome })
            .and([begin]),
    ]
}
