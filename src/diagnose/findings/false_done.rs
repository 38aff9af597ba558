//! Success claimed, not evidenced.

use crate::diagnose::ending::{Ending, Terminal, edited_after, red_gate};
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::Colour;
use crate::trace::tool::ToolClass;

pub(super) fn examine(ctx: &Context<'_>, terminal: &Terminal) -> Vec<Finding> {
    if let Some(at_the_end) = at_the_end(ctx, terminal) {
        return vec![at_the_end];
    }
    on_the_way(ctx).into_iter().collect()
}

/// The run ends with a claim that nothing evidences.
fn at_the_end(ctx: &Context<'_>, terminal: &Terminal) -> Option<Finding> {
    if !ctx.claims_done() || matches!(terminal.ending, Some(Ending::Succeeded | Ending::RiskBoundary)) {
        return None;
    }
    let end = ctx.finished?;
    let trace = ctx.trace;
    let last = ctx.judged.last().map(|k| ctx.iteration(*k));
    let claim = Evidence::new(trace.place(end.step), "success claimed", "");
    let edit = || {
        let edits = trace.actions.iter().rev().find(|a| a.class == ToolClass::Edit && a.ok != Some(false));
        edits.map(|a| Evidence::new(trace.place(a.step), "the last edit", ""))
    };
    if let Some(gate) = red_gate(ctx) {
        let name = trace.names.text(gate.name);
        let summary = format!("done was said, and the {name} gate is red");
        let evidence = [Evidence::new(trace.place(gate.step), format!("the {name} gate's last result is red"), "")];
        return Some(Finding::new(Kind::FalseDone, Some("gates"), Confidence::High, summary, claim).and(evidence));
    }
    let (variant, confidence, summary, more) = match last {
        Some(row) if row.colour == Colour::Red => {
            let place = trace.verdict_place(row);
            let summary = format!("done was said, and the last check, in iteration {}, is red", row.number);
            ("red", Confidence::High, summary, Some(Evidence::new(place, "the last check is red", "")))
        }
        // What was written for people since, a changelog for one, leaves the ending open and breaks nothing.
        Some(row) if row.verdict_step.is_some_and(|v| edited_after(ctx, v) && !code_edited_after(ctx, v)) => return None,
        Some(row) if row.verdict_step.is_some_and(|v| edited_after(ctx, v)) => {
            let place = trace.verdict_place(row);
            let summary = format!("done was said, and files changed after the last green check in iteration {}", row.number);
            ("stale", Confidence::Medium, summary, Some(Evidence::new(place, "the last green check", "")))
        }
        // Green for another scope than the one that failed.
        Some(_) => {
            let red = ctx.judged.iter().rev().map(|k| ctx.iteration(*k)).find(|r| r.colour == Colour::Red)?;
            let summary = format!("done was said, and what failed in iteration {} was not checked again", red.number);
            let more = Evidence::new(trace.verdict_place(red), "red, and not covered by a later green", "");
            ("red", Confidence::Medium, summary, Some(more))
        }
        None if !left_work(ctx) => return None,
        None => ("unchecked", Confidence::Medium, "done was said, and no check was ever run".to_owned(), None),
    };
    Some(Finding::new(Kind::FalseDone, Some(variant), confidence, summary, claim).and(more).and(edit()))
}

/// Whether the run did anything that a check could have judged: prose alone, or looking alone, is nothing of the kind.
fn left_work(ctx: &Context<'_>) -> bool {
    let trace = ctx.trace;
    // Without a call in the log nothing can be said of its work.
    trace.actions.is_empty()
        || trace.actions.iter().filter(|a| a.ok != Some(false)).any(|a| match a.class {
            ToolClass::Edit => !prose(trace.names.text(a.path)),
            _ => a.shell && a.class == ToolClass::Other,
        })
}

/// Whether anything but prose was edited after `step`.
fn code_edited_after(ctx: &Context<'_>, step: u32) -> bool {
    let mut edits =
        ctx.trace.actions.iter().rev().take_while(|a| a.step > step).filter(|a| a.class == ToolClass::Edit && a.ok != Some(false));
    edits.any(|a| !prose(ctx.trace.names.text(a.path)))
}

/// Whether a file is written for people.
fn prose(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "md" | "mdx" | "txt" | "rst" | "adoc"))
}

/// A claim in the course of the run while the newest check was red; what came after corrected it.
fn on_the_way(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let mut verdicts = ctx.judged.iter().filter_map(|k| ctx.iteration(*k).verdict_step.map(|v| (v, *k))).peekable();
    let mut newest = None;
    for said in trace.said.iter().filter(|s| s.claims) {
        while let Some(verdict) = verdicts.next_if(|(v, _)| *v < said.step) {
            newest = Some(verdict.1);
        }
        let corrected = verdicts.peek().map(|(v, _)| Evidence::new(trace.place(*v), "what came next", ""));
        let claim = Evidence::new(trace.place(said.step), "success claimed", "");
        let episode = Episode { first: said.step, last: said.step, overcome: false };
        let found =
            |variant, summary| Finding::new(Kind::FalseDone, Some(variant), Confidence::Medium, summary, claim.clone()).over(episode);
        match newest.map(|k| ctx.iteration(k)) {
            Some(row) if row.colour == Colour::Red => {
                let summary = format!("done was said on the way, while the newest check, in iteration {}, was red", row.number);
                let red = Evidence::new(trace.verdict_place(row), "the newest check is red", "");
                return Some(found("red", summary).and([red]).and(corrected));
            }
            // The check came only after the claim.
            None if trace.derived && corrected.is_some() => {
                return Some(found("unchecked", "done was said on the way, before any check had run".to_owned()).and(corrected));
            }
            _ => {}
        }
    }
    None
}
