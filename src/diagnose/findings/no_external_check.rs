//! Nobody outside the model was asked.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Name;
use crate::trace::governance::Review;
use crate::trace::rows::{Action, Colour};

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    if let Some(found) = same_model(ctx) {
        return vec![found];
    }
    // A loop's own log is written by a loop that runs a check.
    if !trace.derived || !trace.checks.is_empty() || !trace.side_checks.is_empty() || ctx.finished.is_none() {
        return Vec::new();
    }
    // A shell command without a file that it names took another state of the tree: that was written elsewhere.
    let own = |a: &&Action| !a.shell || a.path != Name::NONE;
    let mut edits = trace.actions.iter().filter(|a| trace.changed_work(a) && a.result_step.is_some()).filter(own);
    let Some(first) = edits.next() else { return Vec::new() };
    let count = 1 + edits.count();
    let edits = if count == 1 { "an edit".to_owned() } else { format!("{count} edits") };
    let summary = format!("{edits}, and no test, build, type check or linter was run");
    vec![Finding::new(
        Kind::NoExternalCheck,
        None,
        Confidence::Medium,
        summary,
        Evidence::new(trace.place(first.step), "the first edit", "no check follows"),
    )]
}

/// Every review that passed was made by the model whose work it was, and no check says more.
fn same_model(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let used = || trace.bookings.iter().filter(|b| !b.side).filter_map(|b| b.model).next();
    let own = |r: &Review| r.model.is_some() && r.model == r.author.or_else(used);
    let passed: Vec<&Review> = trace.reviews.iter().filter(|r| r.passed != Some(false)).collect();
    let first = passed.first()?;
    if !passed.iter().all(|r| own(r)) {
        return None;
    }
    let judged = trace.checks.iter().any(|c| matches!(c.colour, Colour::Green | Colour::Red));
    let model = first.model.map(|m| trace.names.text(m)).unwrap_or_default();
    let alone = if judged { "" } else { ", and no check was run" };
    let summary = format!("{} reviews passed the work of {model}, all by {model} itself{alone}", passed.len());
    let evidence = Evidence::new(trace.place(first.step), format!("reviewed by {model}"), format!("written by {model}"));
    let confidence = if judged { Confidence::Low } else { Confidence::Medium };
    Some(Finding::new(Kind::NoExternalCheck, Some("same_model"), confidence, summary, evidence))
}
