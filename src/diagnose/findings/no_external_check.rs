//! Nobody outside the model was asked.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::tool::ToolClass;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    // A loop's own log is written by a loop that runs a check.
    if !trace.derived || !trace.checks.is_empty() || ctx.finished.is_none() {
        return Vec::new();
    }
    let mut edits = trace.actions.iter().filter(|a| a.class == ToolClass::Edit && a.ok != Some(false) && a.result_step.is_some());
    let Some(first) = edits.next() else { return Vec::new() };
    let count = 1 + edits.count();
    let summary = format!("{count} edits, and no test, build, type check or linter was run");
    vec![Finding::new(
        Kind::NoExternalCheck,
        None,
        Confidence::Medium,
        summary,
        Evidence::new(trace.place(first.step), "the first edit", "no check follows"),
    )]
}
