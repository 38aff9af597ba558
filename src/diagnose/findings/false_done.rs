//! Success claimed, not evidenced.

use crate::diagnose::ending::{Ending, Terminal, edited_after, red_gate, uncovered, work_changed_after};
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
        let edits = trace.actions.iter().rev().find(|a| trace.changed_work(a));
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
        Some(row) if row.verdict_step.is_some_and(|v| edited_after(ctx, v) && !work_changed_after(ctx, v)) => return None,
        Some(row) if row.verdict_step.is_some_and(|v| edited_after(ctx, v)) => {
            let place = trace.verdict_place(row);
            let summary = format!("done was said, and files changed after the last green check in iteration {}", row.number);
            ("stale", Confidence::Medium, summary, Some(Evidence::new(place, "the last green check", "")))
        }
        // Green for another scope than the one that failed.
        Some(_) => {
            let red = uncovered(ctx).or_else(|| {
                let red = ctx.judged.iter().rev().map(|k| ctx.iteration(*k)).find(|r| r.colour == Colour::Red)?;
                red.verdict_step
            })?;
            let number = trace.iteration_number(red)?;
            let summary = format!("done was said, and what failed in iteration {number} was not checked again");
            let more = Evidence::new(trace.place(red), "red, and not covered by a later green", "");
            ("red", Confidence::Medium, summary, Some(more))
        }
        None if !left_work(ctx) => return None,
        None => ("unchecked", Confidence::Medium, "done was said, and no check was ever run".to_owned(), None),
    };
    Some(Finding::new(Kind::FalseDone, Some(variant), confidence, summary, claim).and(more).and(edit()))
}

/// Whether the run did anything that a check could have judged: prose alone, or looking alone, is nothing of the kind. What a
/// run executed tells only where it wrote nothing.
fn left_work(ctx: &Context<'_>) -> bool {
    let trace = ctx.trace;
    let mut done = trace.actions.iter().filter(|a| a.ok != Some(false));
    let wrote = || trace.actions.iter().any(|a| a.class == ToolClass::Edit && a.ok != Some(false));
    // Without a call in the log nothing can be said of its work.
    trace.actions.is_empty()
        || trace.actions.iter().any(|a| trace.changed_work(a))
        || !wrote() && done.any(|a| a.shell && a.class == ToolClass::Other)
}

/// A claim in the course of the run while the newest check was red; what came after corrected it.
fn on_the_way(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let mut verdicts = ctx.judged.iter().filter_map(|k| ctx.iteration(*k).verdict_step.map(|v| (v, *k))).peekable();
    let mut newest = None;
    // In the middle of an agent's turn it says what a step did, and goes on.
    for said in trace.said.iter().filter(|s| s.claims && (s.ends || !trace.derived)) {
        while let Some(verdict) = verdicts.next_if(|(v, _)| *v < said.step) {
            newest = Some(verdict.1);
        }
        let next = verdicts.peek().map(|(v, k)| (*v, ctx.iteration(*k).colour));
        let corrected = next.map(|(v, _)| Evidence::new(trace.place(v), "what came next", ""));
        let claim = Evidence::new(trace.place(said.step), "success claimed", "");
        let episode = Episode { first: said.step, last: said.step, overcome: false };
        let found =
            |variant, summary| Finding::new(Kind::FalseDone, Some(variant), Confidence::Medium, summary, claim.clone()).over(episode);
        // The next check, of the same files, bears the claim out.
        let edited = |to: u32| trace.actions.iter().any(|a| said.step < a.step && a.step < to && trace.changed_work(a));
        if next.is_some_and(|(v, colour)| colour == Colour::Green && !edited(v)) {
            continue;
        }
        match newest.map(|k| ctx.iteration(k)) {
            Some(row) if row.colour == Colour::Red => {
                let summary = format!("done was said on the way, while the newest check, in iteration {}, was red", row.number);
                let red = Evidence::new(trace.verdict_place(row), "the newest check is red", "");
                return Some(found("red", summary).and([red]).and(corrected));
            }
            // The check came only after the claim, and says otherwise.
            None if trace.derived && next.is_some_and(|(_, colour)| colour == Colour::Red) => {
                return Some(found("unchecked", "done was said on the way, before any check had run".to_owned()).and(corrected));
            }
            _ => {}
        }
    }
    None
}
