//! A log that was copied while it was written.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let Some(step) = ctx.copied_at() else { return Vec::new() };
    let evidence = Evidence::new(ctx.trace.place(step), "the last call commits and has no result", "");
    vec![Finding::new(
        Kind::Snapshot,
        None,
        Confidence::Medium,
        "the log ends in the middle of a commit: it is a copy".to_owned(),
        evidence,
    )]
}
