//! The terminal state of a run: the first that holds.

use crate::diagnose::modes::silence;
use crate::diagnose::reason::{self, Reason};
use crate::diagnose::{Confidence, Context, Finding, Kind};
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::governance::Gate;
use crate::trace::judge::{self, Judge};
use crate::trace::rows::{Action, Check, Colour, StepKind};
use crate::trace::tool::ToolClass;
use serde::Serialize;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Stopped before, or caught at, something it must not touch.
    RiskBoundary,
    /// A person stopped it.
    Aborted,
    /// Finished, and the check is green on the current tree.
    Succeeded,
    /// An explicit cap ended it.
    LimitHit,
    /// Something is missing that more code cannot supply.
    Blocked,
    /// A guard or the loop gave up without gain.
    NonConvergent,
    /// Not finished, and silent beyond the horizon.
    Died,
    /// Not finished, and within the horizon.
    Running,
    /// Finished by itself, without a green check that is current.
    Unverified,
}

impl Ending {
    /// Every ending with what it means, in the order in which the first that holds is taken.
    pub const ALL: [(Self, &'static str, &'static str); 9] = [
        (
            Self::RiskBoundary,
            "risk_boundary",
            "stopped before, or caught at, secrets, external writes, a deployment, wider rights, or changed tests",
        ),
        (Self::Aborted, "aborted", "a person stopped it"),
        (Self::Succeeded, "succeeded", "finished, and the check is green on the current tree"),
        (Self::LimitHit, "limit_hit", "an explicit cap ended it"),
        (Self::Blocked, "blocked", "a permission, a credential, a back-end or a decision is missing"),
        (Self::NonConvergent, "non_convergent", "a guard or the loop itself gave up without gain"),
        (Self::Died, "died", "not finished, and silent beyond the horizon"),
        (Self::Running, "running", "not finished, and still within the horizon"),
        (Self::Unverified, "unverified", "finished by itself, but the last check is red, stale or was never run"),
    ];

    /// Its name in JSON and tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        Self::ALL.iter().find(|(e, ..)| *e == self).map_or("", |(_, id, _)| id)
    }
}

/// The ending, with a word on which cap, which boundary or who.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// The ending; `None` where there is nothing to judge.
    pub ending: Option<Ending>,
    /// The detail in a few words.
    pub detail: Option<String>,
}

impl Terminal {
    fn of(ending: Ending, detail: impl Into<Option<String>>) -> Self {
        Self { ending: Some(ending), detail: detail.into() }
    }
}

/// Decides the ending. `findings` are the detectors'.
#[must_use]
pub fn decide(ctx: &Context<'_>, findings: &[Finding]) -> Terminal {
    let trace = ctx.trace;
    if trace.steps.is_empty() && trace.beats.is_empty() {
        return Terminal { ending: None, detail: None };
    }
    if findings.iter().any(|f| f.kind == Kind::RewardHack && f.is_verdict()) {
        return Terminal::of(Ending::RiskBoundary, "tests changed".to_owned());
    }
    if let Some(risk) = risk(ctx) {
        return Terminal::of(Ending::RiskBoundary, risk);
    }
    let Some(end) = ctx.finished else { return unfinished(ctx, findings) };
    // Only an abort has a reason that its text must tell.
    let told = if end.how == EndKind::Abort { reason::of(&end.text, end.by.as_deref()) } else { None };
    if end.how == EndKind::Abort && matches!(told, Some(Reason::Person) | None) {
        return Terminal::of(Ending::Aborted, None);
    }
    if green_is_current(ctx) {
        return Terminal::of(Ending::Succeeded, None);
    }
    if matches!(end.how, EndKind::Stuck | EndKind::IterLimit | EndKind::Abort) && ctx.blocked_by_infrastructure(end.step) {
        return Terminal::of(Ending::Blocked, "no iteration could work".to_owned());
    }
    match (end.how, told) {
        (EndKind::IterLimit, _) => Terminal::of(Ending::LimitHit, "iterations".to_owned()),
        (EndKind::Abort, Some(Reason::Limit(which))) => Terminal::of(Ending::LimitHit, which.to_owned()),
        (EndKind::Handoff, _) => Terminal::of(
            Ending::Blocked,
            if end.text.trim().is_empty() { "a decision is open".to_owned() } else { end.text.trim().to_owned() },
        ),
        (EndKind::Abort, Some(Reason::Blocked)) => Terminal::of(Ending::Blocked, end.text.trim().to_owned()),
        (EndKind::Stuck, _) | (EndKind::Abort, Some(Reason::NoProgress)) => Terminal::of(Ending::NonConvergent, None),
        _ => Terminal::of(Ending::Unverified, None),
    }
}

fn unfinished(ctx: &Context<'_>, findings: &[Finding]) -> Terminal {
    let trace = ctx.trace;
    if ctx.copied_at().is_some() {
        return Terminal { ending: None, detail: Some("the log was copied while it was written".to_owned()) };
    }
    if ctx.cut_off() {
        return Terminal { ending: None, detail: Some("the log could not be read to its end".to_owned()) };
    }
    if let (Some(at), Some(last)) = (trace.restarted_at, trace.last_event())
        && (0.0..=ctx.limits.restart_s).contains(&at.seconds_since(last))
    {
        return Terminal::of(Ending::Aborted, "started again within minutes".to_owned());
    }
    let death = findings.iter().find(|f| f.kind == Kind::SilentDeath);
    match death {
        Some(f) if f.confidence > Confidence::Low => Terminal::of(Ending::Died, f.variant.map(ToOwned::to_owned)),
        Some(_) => Terminal::of(Ending::Running, None),
        None if silence(ctx).is_some() => Terminal::of(Ending::Running, None),
        // No witness has a time: whether it died cannot be known.
        None => Terminal { ending: None, detail: Some("no record has a time".to_owned()) },
    }
}

/// A hard gate whose newest result is red. The design gate is a soft one: at its cap the run may go on.
pub(crate) fn red_gate<'t>(ctx: &Context<'t>) -> Option<&'t Gate> {
    let trace = ctx.trace;
    let mut seen: Vec<crate::trace::Name> = Vec::new();
    for gate in trace.gates.iter().rev().filter(|g| g.passed.is_some()) {
        if !seen.contains(&gate.name) {
            if gate.passed == Some(false) && !trace.names.text(gate.name).to_ascii_lowercase().contains("design") {
                return Some(gate);
            }
            seen.push(gate.name);
        }
    }
    None
}

/// The newest verdict is green, and nothing was edited since.
fn green_is_current(ctx: &Context<'_>) -> bool {
    if red_gate(ctx).is_some() {
        return false;
    }
    if ctx.trace.derived && ctx.trace.checks.iter().chain(&ctx.trace.side_checks).any(|c| c.judge.is_some()) {
        return every_scope_is_green(ctx);
    }
    // A lint that passes last does not cover a test that failed before it. The loop's own `green` covers all.
    let covered = ctx.finished.is_some_and(|e| e.how == EndKind::Green);
    let mut seen: Vec<Option<crate::trace::Name>> = Vec::new();
    for check in ctx.trace.checks.iter().rev().filter(|_| !covered) {
        if !seen.contains(&check.name) {
            if check.colour == Colour::Red {
                return false;
            }
            seen.push(check.name);
        }
    }
    let Some(row) = ctx.judged.last().map(|k| ctx.iteration(*k)) else { return false };
    let Some(step) = row.verdict_step.filter(|_| row.colour == Colour::Green) else { return false };
    !edited_after(ctx, step)
}

/// Green is green for what was judged: every check that was red has to be covered by a later green, and the newest green has
/// to be newer than the last edit.
fn every_scope_is_green(ctx: &Context<'_>) -> bool {
    let newest = by_anyone(ctx).into_iter().rev().find(|c| c.judge.is_some() && c.colour == Colour::Green);
    open_red(ctx).is_none() && newest.is_some_and(|check| !edited_after(ctx, check.step))
}

/// The newest check of a command that was red and that no later green covers.
pub(crate) fn open_red<'t>(ctx: &Context<'t>) -> Option<(&'t Check, &'t Judge)> {
    let trace = ctx.trace;
    let mut greens: Vec<&Judge> = Vec::new();
    for check in by_anyone(ctx).into_iter().rev() {
        let Some(judge) = check.judge.and_then(|j| trace.judges.get(j as usize)) else { continue };
        match check.colour {
            // As many as there are different checks, however often they ran.
            Colour::Green if !greens.iter().any(|g| std::ptr::eq(*g, judge)) => greens.push(judge),
            Colour::Red if !greens.iter().any(|g| judge::covers(g, judge)) => return Some((check, judge)),
            _ => {}
        }
    }
    None
}

/// The checks of the run, those that ran along in them, and those of its sub-agents, in order: all of them judge the same tree.
pub(crate) fn by_anyone<'t>(ctx: &Context<'t>) -> Vec<&'t Check> {
    let trace = ctx.trace;
    let mut all: Vec<&Check> = trace.checks.iter().chain(&trace.along_checks).chain(&trace.side_checks).collect();
    all.sort_by_key(|c| c.step);
    all
}

/// Whether a file was changed after a step, by the run or by one of its sub-agents, so that what a check said then is old. A
/// line in the changelog, or a trial script cleared away, takes nothing back from a check of the work; where only prose is
/// written, the prose is the work.
pub(crate) fn edited_after(ctx: &Context<'_>, step: u32) -> bool {
    let edit = |a: &&Action| a.class == ToolClass::Edit && a.ok != Some(false);
    let edits = || ctx.trace.actions.iter().filter(edit);
    let by_agents = || ctx.trace.side_calls.iter().map(|c| &c.action).filter(edit);
    let before = |a: &Action| a.step < step && !a.aside;
    let worked_before = edits().take_while(|a| a.step < step).any(before) || by_agents().any(before);
    let after = |a: &Action| a.step > step && (!a.aside || !worked_before);
    edits().rev().take_while(|a| a.step > step).any(after) || by_agents().any(after)
}

/// The run ended at something that it must not touch: a denied permission, a handoff or an abort that says so.
fn risk(ctx: &Context<'_>) -> Option<String> {
    let trace = ctx.trace;
    let last_end = ctx.finished.filter(|e| matches!(e.how, EndKind::Abort | EndKind::Handoff));
    if let Some(boundary) = last_end.and_then(|e| reason::boundary(&e.text)) {
        return Some(boundary.to_owned());
    }
    // A denial is an end only if nothing was done after it.
    let denied = trace.marks.iter().rev().find(|m| m.kind == MarkKind::Permission)?;
    let refused = matches!(denied.decision.as_deref(), Some("deny" | "denied" | "reject" | "rejected" | "fail"));
    let worked_on = trace.steps[denied.step as usize..].iter().any(|s| !matches!(s.kind, StepKind::Mark(_) | StepKind::End(_)));
    if !refused || worked_on || ctx.finished.is_none() {
        return None;
    }
    reason::denied(&denied.text).map(ToOwned::to_owned)
}

impl Context<'_> {
    /// The open last call of a session that was archived while it committed.
    #[must_use]
    pub fn copied_at(&self) -> Option<u32> {
        let last =
            self.trace.actions.last().filter(|a| self.trace.derived && !self.trace.headless && a.commits && a.result_step.is_none())?;
        self.finished.is_none().then_some(last.step)
    }

    /// What followed is not known: reading broke off.
    #[must_use]
    pub fn cut_off(&self) -> bool {
        self.trace.sources.iter().any(|s| s.ledger.cut_off)
    }

    /// A guard stopped on iterations of a few seconds in which nothing could work: the last `blocked_iterations` up to
    /// that stop all failed by infrastructure.
    #[must_use]
    pub fn blocked_by_infrastructure(&self, stop: u32) -> bool {
        let Some(at) = self.trace.steps.get(stop as usize).map(|s| s.iteration as usize) else { return false };
        let failed: Vec<_> = (0..=at).rev().take_while(|k| self.iteration(*k).colour == Colour::NoVerdict).collect();
        // The stopping iteration itself may hold nothing but the stop.
        let before: Vec<_> = match failed.is_empty() {
            true if at > 0 => (0..at).rev().take_while(|k| self.iteration(*k).colour == Colour::NoVerdict).collect(),
            _ => failed,
        };
        if before.len() < self.limits.blocked_iterations as usize {
            return false;
        }
        let mut lengths: Vec<f64> =
            before.iter().map(|k| self.iteration(*k)).filter_map(|i| Some(i.end?.seconds_since(i.start?))).collect();
        lengths.sort_by(f64::total_cmp);
        lengths.get(lengths.len() / 2).is_none_or(|median| *median <= self.limits.blocked_iteration_s)
    }
}
