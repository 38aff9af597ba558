//! A check that is green and red on an identical tree.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::Colour;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    let (pairs, _) = crate::trace::flaky(trace);
    let of = |colour: bool| {
        let all: Vec<_> = pairs.iter().filter(|p| p.colour == colour).collect();
        let first = all.iter().find(|p| p.named_tree).or(all.first())?;
        let (a, b) = (trace.checks.get(first.before)?, trace.checks.get(first.after)?);
        let word = |c: Colour| if c == Colour::Green { "green" } else { "red" };
        let tree = match b.commit.filter(|_| first.named_tree) {
            Some(commit) => format!("on the same tree {}", trace.names.text(commit)),
            None => "with nothing changed between".to_owned(),
        };
        let name = b.name.map(|n| format!(" {}", trace.names.text(n))).unwrap_or_default();
        let more = if all.len() > 1 { format!(" ({} times in all)", all.len()) } else { String::new() };
        let (variant, summary) = if colour {
            ("colour", format!("the check{name} was {} and then {} {tree}{more}", word(a.colour), word(b.colour)))
        } else {
            ("failures", format!("the check{name} failed in other places {tree}{more}"))
        };
        let confidence = match (first.named_tree, colour) {
            (_, true) => Confidence::High,
            _ => Confidence::Medium,
        };
        let evidence =
            Evidence::new(trace.place(b.step), format!("{} here", word(b.colour)), format!("{} before, on the same tree", word(a.colour)));
        let before = Evidence::new(trace.place(a.step), format!("{} here", word(a.colour)), "");
        Some(Finding::new(Kind::FlakyCheck, Some(variant), confidence, summary, evidence).and([before]))
    };
    of(true).or_else(|| of(false)).into_iter().collect()
}
