//! Success claimed, not evidenced.

use crate::diagnose::ending::{Ending, Terminal, edited_after, open_red, red_gate};
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::judge::{self, CheckKind, Judge};
use crate::trace::rows::{Action, Check, Colour};
use crate::trace::tool::ToolClass;
use crate::trace::weaken::{self, Subject};

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
    if let Some((variant, confidence, summary, more)) = by_an_agent(ctx) {
        return Some(Finding::new(Kind::FalseDone, Some(variant), confidence, summary, claim).and([more]).and(edit()));
    }
    let (variant, confidence, summary, more) = match last {
        Some(row) if row.colour == Colour::Red => {
            let place = trace.verdict_place(row);
            let summary = format!("done was said, and the last check, in iteration {}, is red", row.number);
            ("red", Confidence::High, summary, Some(Evidence::new(place, "the last check is red", "")))
        }
        Some(row) if row.verdict_step.is_some_and(|v| edited_after(ctx, v)) => {
            let place = trace.verdict_place(row);
            let summary = format!("done was said, and files changed after the last green check in iteration {}", row.number);
            let confidence = if row.verdict_step.is_some_and(|v| only_tests_after(ctx, v)) { Confidence::Low } else { Confidence::Medium };
            ("stale", confidence, summary, Some(Evidence::new(place, "the last green check", "")))
        }
        // Green for another scope than the one that failed.
        Some(_) => {
            let (red, confidence) = left_red(ctx)?;
            let number = ctx.iteration(trace.steps.get(red as usize)?.iteration as usize).number;
            let summary = format!("done was said, and what failed in iteration {number} was not checked again");
            let more = Evidence::new(trace.place(red), "red, and not covered by a later green", "");
            ("red", confidence, summary, Some(more))
        }
        None if !left_work(ctx) || ran_out_of_time(ctx) => return None,
        // Nothing speaks for the claim and nothing against it: by itself that is no failure.
        None => ("unchecked", Confidence::Low, "done was said, and no check was ever run".to_owned(), None),
    };
    // What a person saw and let pass is not what the claim after it is about.
    let confidence = if idle_since_asked(ctx) { Confidence::Low } else { confidence };
    Some(Finding::new(Kind::FalseDone, Some(variant), confidence, summary, claim).and(more).and(edit()))
}

/// What changed after the check was tests alone: what it judged is as it was.
fn only_tests_after(ctx: &Context<'_>, step: u32) -> bool {
    let trace = ctx.trace;
    let edits = trace.actions.iter().rev().take_while(|a| a.step > step).filter(|a| a.class == ToolClass::Edit && a.ok != Some(false));
    edits.filter(|a| !a.aside).all(|a| weaken::subject(trace.names.text(a.path)) == Subject::Test)
}

/// What failed and was not checked again, and how much that weighs: a later green of the same runner may have judged the
/// same in another way, and what a person went on from was known to them.
fn left_red(ctx: &Context<'_>) -> Option<(u32, Confidence)> {
    let trace = ctx.trace;
    if !trace.checks.iter().any(|c| c.judge.is_some()) {
        let red = ctx.judged.iter().rev().map(|k| ctx.iteration(*k)).find(|r| r.colour == Colour::Red)?;
        return Some((red.verdict_step.unwrap_or(red.first_step), Confidence::Medium));
    }
    let (red, failed) = open_red(ctx)?;
    let later = trace.checks.iter().filter(|c| c.step > red.step && c.colour == Colour::Green);
    let mut judges = later.filter_map(|c| trace.judges.get(c.judge? as usize));
    // A part of the tests that failed settles nothing of the others.
    let part = |j: &Judge| j.kind == CheckKind::Test && judge::covers(failed, j);
    let alike = judges.any(|j| j.kind == failed.kind && j.runner == failed.runner && !part(j));
    let style = matches!(failed.kind, CheckKind::Lint | CheckKind::Format);
    let known = trace.marks.iter().any(|m| m.kind == MarkKind::Person && m.step > red.step);
    Some((red.step, if alike || style || known { Confidence::Low } else { Confidence::Medium }))
}

/// A person spoke, and nothing was worked on since: the claim answers their question.
fn idle_since_asked(ctx: &Context<'_>) -> bool {
    let trace = ctx.trace;
    let Some(asked) = trace.marks.iter().filter(|m| m.kind == MarkKind::Person).map(|m| m.step).max() else { return false };
    let worked = |a: &Action| a.class == ToolClass::Edit && !a.aside && a.ok != Some(false);
    let before = trace.actions.iter().any(|a| a.step < asked && worked(a));
    let judged = trace.checks.iter().any(|c| c.step > asked);
    before && !judged && !trace.actions.iter().any(|a| a.step > asked && worked(a))
}

/// The newest verdict is one that a sub-agent got, and it does not carry the claim.
fn by_an_agent(ctx: &Context<'_>) -> Option<(&'static str, Confidence, String, Evidence)> {
    let trace = ctx.trace;
    let told = |c: &&Check| matches!(c.colour, Colour::Green | Colour::Red);
    let check = trace.side_checks.iter().filter(told).max_by_key(|c| c.step)?;
    if trace.checks.iter().filter(told).any(|c| c.step > check.step) {
        return None;
    }
    let place = trace.place(check.step);
    match check.colour {
        Colour::Red => {
            let summary = "done was said, and the last check, run by a sub-agent, is red".to_owned();
            Some(("red", Confidence::High, summary, Evidence::new(place, "the last check is red", "")))
        }
        _ if edited_after(ctx, check.step) => {
            let summary = "done was said, and files changed after the last green check, run by a sub-agent".to_owned();
            Some(("stale", Confidence::Medium, summary, Evidence::new(place, "the last green check", "")))
        }
        _ => None,
    }
}

/// The last check was broken off by the harness's patience, with nothing edited since: it was run, and what it would have
/// said is not known.
fn ran_out_of_time(ctx: &Context<'_>) -> bool {
    const TIMED_OUT: i32 = 124;
    ctx.trace.checks.last().is_some_and(|c| c.exit_code == Some(TIMED_OUT) && !edited_after(ctx, c.step))
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
    let worked = |from: u32, to: u32| {
        trace.actions.iter().any(|a| (from..to).contains(&a.step) && a.class == ToolClass::Edit && !a.aside && a.ok != Some(false))
    };
    // What a person asked for since is another task.
    let asked_between = |red: Option<u32>, said: u32| {
        trace.marks.iter().any(|m| m.kind == MarkKind::Person && red.is_some_and(|red| red < m.step) && m.step < said)
    };
    // The next check of the same work.
    let refuted = |step: u32| {
        let next = ctx.judged.iter().map(|k| ctx.iteration(*k)).find(|r| r.verdict_step.is_some_and(|v| v > step));
        next.is_some_and(|r| r.colour == Colour::Red && r.verdict_step.is_some_and(|v| !worked(step, v)))
    };
    for said in trace.said.iter().filter(|s| s.claims && s.ends) {
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
            Some(row) if row.colour == Colour::Red && !asked_between(row.verdict_step, said.step) => {
                let summary = format!("done was said on the way, while the newest check, in iteration {}, was red", row.number);
                let red = Evidence::new(trace.verdict_place(row), "the newest check is red", "");
                return Some(found("red", summary).and([red]).and(corrected));
            }
            // The check came only after the claim, and says that it was wrong.
            None if trace.derived && worked(0, said.step) && refuted(said.step) => {
                let summary = "done was said on the way, before any check had run; the next one was red".to_owned();
                return Some(found("unchecked", summary).and(corrected));
            }
            _ => {}
        }
    }
    None
}
