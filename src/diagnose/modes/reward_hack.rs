//! The check was weakened: in a loop log, the loop's own gate says so.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::EndKind;

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    trace
        .ends
        .iter()
        .filter(|end| end.how == EndKind::RewardHack)
        .map(|end| {
            let number = trace.iteration_number(end.step).unwrap_or(0);
            let evidence = Evidence::new(trace.place(end.step), "the test tree changed", "the loop's own gate");
            let summary = format!("the loop's own gate stopped iteration {number}: the tests were changed instead of the code");
            Finding::new(Kind::RewardHack, Some("own_gate"), Confidence::High, summary, evidence).over(Episode {
                first: end.step,
                last: end.step,
                overcome: false,
            })
        })
        .take(1)
        .collect()
}
