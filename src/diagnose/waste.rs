//! What was spent for nothing: the figure that a lead reads first.

use crate::diagnose::ending::{Ending, Terminal};
use crate::diagnose::modes::silence;
use crate::diagnose::{Context, Kind, Verdict};
use crate::trace::{Money, Place};
use serde::Serialize;

/// How a figure of waste is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WasteState {
    /// Cannot be said.
    Unavailable,
    /// Bounded by a mode's episode, because no gain could be measured.
    Estimated,
    /// Read off the records.
    Measured,
}

impl WasteState {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Estimated => "estimated",
            Self::Measured => "measured",
        }
    }
}

/// What was spent after the point of no return. A part that is unknown is `None`, never zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waste {
    /// How it is known: the weakest state of the parts that are known.
    pub state: WasteState,
    /// Money.
    pub usd: Option<Money>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Seconds, dead time included.
    pub seconds: Option<f64>,
    /// The part of the seconds that a dead run lay unnoticed.
    pub dead_s: Option<f64>,
    /// The last iteration that was worth something, as its number, with its place.
    pub after: Option<(u32, Place)>,
}

const UNKNOWN: Waste = Waste { state: WasteState::Unavailable, usd: None, tokens: None, seconds: None, dead_s: None, after: None };

/// Works out a run's waste.
#[must_use]
pub(super) fn of(ctx: &Context<'_>, terminal: &Terminal, verdict: &Verdict) -> Waste {
    let trace = ctx.trace;
    if trace.steps.is_empty() {
        return UNKNOWN;
    }
    let mut waste = match point_of_no_return(ctx, verdict) {
        Some((index, from, state)) => {
            let row = ctx.iteration(index);
            let seconds = match (trace.step(row.verdict_step.unwrap_or(row.first_step)).and_then(|s| s.at), trace.last_event()) {
                (Some(a), Some(b)) => Some(b.seconds_since(a).max(0.0)),
                _ => None,
            };
            let known_tokens = trace.tokens_from(0).total().is_some();
            let known_money = trace.spent_from(0).is_some();
            Waste {
                state,
                usd: known_money.then(|| trace.spent_from(from).unwrap_or_default()),
                tokens: known_tokens.then(|| trace.tokens_from(from).total().unwrap_or(0)),
                seconds,
                dead_s: None,
                after: Some((row.number, trace.verdict_place(row))),
            }
        }
        None => UNKNOWN,
    };
    add_recovered(ctx, verdict, &mut waste);
    if terminal.ending == Some(Ending::Died)
        && let Some(silence) = silence(ctx)
    {
        let dead = silence.seconds.max(0.0);
        waste.dead_s = Some(dead);
        waste.seconds = Some(waste.seconds.unwrap_or(0.0) + dead);
        if waste.state == WasteState::Unavailable {
            waste.state = if silence.by_file { WasteState::Estimated } else { WasteState::Measured };
            waste.after = trace.iterations.last().map(|i| (i.number, silence.place));
        }
    }
    waste
}

/// The last iteration that was worth something, the step from which all is waste, and how that is known.
fn point_of_no_return(ctx: &Context<'_>, verdict: &Verdict) -> Option<(usize, u32, WasteState)> {
    let after = |index: usize| (index, ctx.iteration(index).work_from);
    if let Some(green) = ctx.lasting_green {
        let (index, from) = after(green);
        return Some((index, from, WasteState::Measured));
    }
    if ctx.gain.measurable && !ctx.judged.is_empty() {
        // Without any gain the first measurement is the point.
        let (index, from) = after(ctx.gain.last().or(ctx.judged.first().copied())?);
        return Some((index, from, WasteState::Measured));
    }
    // No gain could be seen: the episode of the primary mode bounds the waste. Its first failure was news.
    let primary = verdict.primary().filter(|f| matches!(f.kind, Kind::Stuck | Kind::Oscillation | Kind::RandomWalk | Kind::Runaway))?;
    let first = primary.episode?.first;
    let index = ctx.trace.step(first)?.iteration as usize;
    let from = ctx.iteration(index).work_from.max(first);
    Some((index, from, WasteState::Estimated))
}

/// An episode that was overcome cost what it cost.
fn add_recovered(ctx: &Context<'_>, verdict: &Verdict, waste: &mut Waste) {
    let trace = ctx.trace;
    for episode in verdict.findings.iter().filter(|f| f.kind == Kind::Recovered).filter_map(|f| f.episode) {
        // What lies behind the point of no return is counted already.
        let counted = waste.after.is_some_and(|(_, place)| trace.place(episode.first) >= place);
        if counted {
            continue;
        }
        let inside = || trace.bookings.iter().filter(|b| b.step >= episode.first && b.step <= episode.last);
        if let Some(money) = inside().filter_map(|b| b.spent).reduce(|a, b| a + b) {
            waste.usd = Some(waste.usd.unwrap_or_default() + money);
        }
        let tokens: Option<u64> = inside().filter_map(|b| b.tokens.total()).reduce(u64::saturating_add);
        if let Some(tokens) = tokens {
            waste.tokens = Some(waste.tokens.unwrap_or(0).saturating_add(tokens));
        }
        if let (Some(a), Some(b)) = (trace.step(episode.first).and_then(|s| s.at), trace.step(episode.last).and_then(|s| s.at)) {
            waste.seconds = Some(waste.seconds.unwrap_or(0.0) + b.seconds_since(a).max(0.0));
        }
        waste.state = if waste.state == WasteState::Unavailable { WasteState::Estimated } else { waste.state.min(WasteState::Estimated) };
    }
}
