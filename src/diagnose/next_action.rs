//! One thing to do next, from a fixed set, with its reason.

use crate::diagnose::ending::{Ending, Terminal};
use crate::diagnose::{Context, Kind, Verdict};
use crate::trace::rows::Colour;
use serde::Serialize;

/// What can be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing to repair: review and keep the result.
    Keep,
    /// It is still at work.
    Wait,
    /// Go on from where it stopped.
    Resume,
    /// Start over from the last green state.
    Restart,
    /// Repair the check before anything else.
    FixCheck,
    /// Allow more.
    RaiseCap,
    /// Allow less.
    LowerCap,
    /// Make the task smaller.
    Split,
    /// Decide what is open.
    Answer,
    /// Throw the result away.
    Discard,
}

impl Action {
    /// The name in JSON and tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Wait => "wait",
            Self::Resume => "resume",
            Self::Restart => "restart",
            Self::FixCheck => "fix_check",
            Self::RaiseCap => "raise_cap",
            Self::LowerCap => "lower_cap",
            Self::Split => "split",
            Self::Answer => "answer",
            Self::Discard => "discard",
        }
    }
}

/// The action with its reason.
#[derive(Debug, Clone, Serialize)]
pub struct NextAction {
    /// What.
    pub kind: Action,
    /// Why, and from where.
    pub reason: String,
}

/// Chooses the next action.
#[must_use]
pub(super) fn of(ctx: &Context<'_>, terminal: &Terminal, verdict: &Verdict) -> NextAction {
    let act = |kind, reason: String| NextAction { kind, reason };
    let green = ctx.judged.iter().rev().copied().find(|k| ctx.iteration(*k).colour == Colour::Green).map(|k| ctx.iteration(k).number);
    let last = ctx.trace.iterations.last().map_or(0, |i| i.number);
    let from_green = |why: &str| match green {
        Some(n) => act(Action::Restart, format!("from the green of iteration {n}: {why}")),
        None => act(Action::Split, format!("no green to go back to: {why}")),
    };
    let variant = verdict.primary().and_then(|f| f.variant);
    match (verdict.mode, terminal.ending) {
        (Some(Kind::RewardHack), _) => match green {
            Some(n) => act(Action::Restart, format!("from the green of iteration {n}, with the tests read-only")),
            None => act(Action::Discard, "the tests were changed; start again with the tests read-only".to_owned()),
        },
        (Some(Kind::Runaway), _) if variant == Some("after_done") => {
            act(Action::LowerCap, "stop at the first lasting green; the result itself is done".to_owned())
        }
        (_, Some(Ending::Blocked)) => {
            act(Action::Answer, terminal.detail.clone().unwrap_or_else(|| "something is missing that more code cannot supply".to_owned()))
        }
        (_, Some(Ending::RiskBoundary)) => act(
            Action::Answer,
            format!("it stopped at a boundary ({}); decide whether it may cross", terminal.detail.as_deref().unwrap_or("unknown")),
        ),
        (Some(Kind::Stuck), _) if variant == Some("poll") => {
            act(Action::Restart, "what it waited for never changed; look there first".to_owned())
        }
        (Some(Kind::Stuck), _) => act(Action::Split, "the same failure came back each time; give it a smaller task or a hint".to_owned()),
        (Some(Kind::Oscillation), _) => from_green("one fix undoes the other"),
        (Some(Kind::RandomWalk), _) => from_green("it changed things and came no closer"),
        (Some(Kind::Runaway), _) => act(Action::LowerCap, "cap cost and iterations below what it took here".to_owned()),
        (_, Some(Ending::Died)) => act(Action::Resume, format!("from iteration {last}, under a supervisor")),
        (_, Some(Ending::Running)) => act(Action::Wait, "it is within its horizon".to_owned()),
        (_, Some(Ending::Succeeded)) => act(Action::Keep, "green on the current tree; review and merge".to_owned()),
        (_, Some(Ending::LimitHit)) => limit(ctx, terminal),
        (_, Some(Ending::NonConvergent)) => act(Action::Split, "it gave up without gain".to_owned()),
        (_, Some(Ending::Unverified)) if ctx.judged.last().is_some_and(|k| ctx.iteration(*k).colour == Colour::Red) => {
            act(Action::FixCheck, "it ended as done with the check red".to_owned())
        }
        (_, Some(Ending::Unverified)) => act(Action::FixCheck, "nothing judged the result: run the check".to_owned()),
        (_, Some(Ending::Aborted)) => act(Action::Resume, format!("from iteration {last}, if the reason is gone")),
        (_, None) if ctx.copied_at().is_some() => act(Action::Wait, "the log is a copy of one that goes on: look at the newest".to_owned()),
        (_, None) => act(Action::FixCheck, "the log holds no run: look at how the loop writes it".to_owned()),
    }
}

/// At a cap, gain decides: a run that still gained wants more room, one that did not wants a smaller task.
fn limit(ctx: &Context<'_>, terminal: &Terminal) -> NextAction {
    let which = terminal.detail.clone().unwrap_or_else(|| "the cap".to_owned());
    let window = ctx.limits.walk_window as usize;
    let recent = ctx.judged.iter().rev().take(window).any(|k| ctx.gain.by_iteration[*k].is_some());
    if recent {
        NextAction { kind: Action::RaiseCap, reason: format!("{which}: it still gained in its last {window} iterations") }
    } else if ctx.gain.measurable {
        NextAction { kind: Action::Split, reason: format!("{which} reached with no gain in the last {window} iterations") }
    } else {
        NextAction { kind: Action::Split, reason: format!("{which} reached, and no gain can be read from this log") }
    }
}
