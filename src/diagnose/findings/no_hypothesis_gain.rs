//! Hypotheses that are tried and never decided.

use crate::diagnose::ending::Terminal;
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::governance::{Found, Hypothesis};

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    let tried: Vec<&Hypothesis> = trace.hypotheses.iter().filter(|h| h.found.is_some()).collect();
    let open = |h: &Hypothesis| h.found == Some(Found::Unknown);
    let Some(stretch) = tried.chunk_by(|a, b| open(a) && open(b)).filter(|s| s.first().is_some_and(|h| open(h))).max_by_key(|s| s.len())
    else {
        return Vec::new();
    };
    let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { return Vec::new() };
    // What was decided later, or brought green, was only slow.
    let decided = trace.hypotheses.iter().any(|h| h.step > last.step && matches!(h.found, Some(Found::Supported | Found::Refuted)));
    if stretch.len() < ctx.limits.hypothesis_unknown as usize || decided || ctx.green_after(last.step) {
        return Vec::new();
    }
    let what = if last.text.is_empty() { String::new() } else { format!("; the last: {}", last.text) };
    let summary = format!("{} hypotheses in a row stayed unknown{what}", stretch.len());
    let evidence = Evidence::new(trace.place(last.step), format!("{} undecided", stretch.len()), ctx.limits.hypothesis_unknown.to_string());
    let begin = Evidence::new(trace.place(first.step), "the first of them", "");
    vec![
        Finding::new(Kind::NoHypothesisGain, None, Confidence::Medium, summary, evidence)
            .by("hypothesis_unknown")
            .over(Episode { first: first.step, last: last.step, overcome: false })
            .and([begin]),
    ]
}
