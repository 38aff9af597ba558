//! Success claimed, not evidenced.

use crate::diagnose::ending::{Ending, Terminal, edited_after};
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::Colour;

pub(super) fn examine(ctx: &Context<'_>, terminal: &Terminal) -> Vec<Finding> {
    if !ctx.claims_done() || terminal.ending == Some(Ending::Succeeded) {
        return Vec::new();
    }
    let Some(end) = ctx.finished else { return Vec::new() };
    let trace = ctx.trace;
    let last = ctx.judged.last().map(|k| ctx.iteration(*k));
    let claim = Evidence::new(trace.place(end.step), "success claimed", "");
    let (variant, confidence, summary, more) = match last {
        Some(row) if row.colour == Colour::Red => {
            let place = trace.verdict_place(row);
            (
                "red",
                Confidence::High,
                format!("done was said, and the last check, in iteration {}, is red", row.number),
                Some(Evidence::new(place, "the last check is red", "")),
            )
        }
        Some(row) if row.verdict_step.is_some_and(|v| edited_after(ctx, v)) => {
            let place = trace.verdict_place(row);
            (
                "stale",
                Confidence::Medium,
                format!("done was said, and files changed after the last green check in iteration {}", row.number),
                Some(Evidence::new(place, "the last green check", "")),
            )
        }
        Some(_) => return Vec::new(),
        None => ("unchecked", Confidence::Medium, "done was said, and no check was ever run".to_owned(), None),
    };
    vec![Finding::new(Kind::FalseDone, Some(variant), confidence, summary, claim).and(more)]
}
