//! A past run, as far as a forecast needs it.

use crate::cost::Cost;
use crate::cost::growth::fit::{self, Fit, median};
use crate::trace::Trace;
use crate::trace::rows::{Booking, StepKind};

/// How a run ended, as seen from its iterations to green.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It got green.
    Green,
    /// It ended by itself without a green check, as with a claim of success that nothing shows: it will never get green.
    Unverified,
    /// A cap, a kill, a death, or still at work: it might have got green later.
    Censored,
}

/// Why no line was fitted to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unfitted {
    /// Its log has no tokens a call.
    NoCalls,
    /// It has too few calls, or none that grow.
    TooFew,
}

impl Unfitted {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::NoCalls => "no tokens a call in the log",
            Self::TooFew => "too few calls",
        }
    }
}

/// How a run's sessions grew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The line of its contexts.
    pub fit: Fit,
    /// Median output of a call; `None` where the log does not say.
    pub output: Option<f64>,
    /// Calls an iteration; `None` without iterations.
    pub calls_per_iteration: Option<f64>,
    /// It begins a session for (about) each iteration.
    pub stateless: bool,
    /// The largest context of a call.
    pub peak: u64,
}

/// A past run.
#[derive(Debug, Clone, PartialEq)]
pub struct PastRun {
    /// Its id.
    pub id: String,
    /// The model of most of its calls.
    pub model: Option<String>,
    /// Its iterations.
    pub iterations: u32,
    /// How it ended.
    pub fate: Fate,
    /// What it cost.
    pub cost: Cost,
    /// How its sessions grew.
    pub growth: Result<Growth, Unfitted>,
}

/// Calls of a line below which it is none.
const CALLS: usize = 3;

/// The model calls of a run's own sessions, in order, with context and output. Records that book a whole iteration are no
/// calls: their context is a sum.
pub(in crate::cost::forecast) fn own_calls(trace: &Trace) -> Vec<&Booking> {
    let mut calls: Vec<&Booking> = trace
        .bookings
        .iter()
        .filter(|b| !b.side && b.tokens.context().is_some_and(|c| c > 0))
        .filter(|b| trace.step(b.step).is_some_and(|s| matches!(s.kind, StepKind::ModelCall(_))))
        .collect();
    calls.sort_by_key(|b| b.step);
    calls
}

pub(in crate::cost::forecast) fn contexts(calls: &[&Booking]) -> Vec<u64> {
    calls.iter().filter_map(|b| b.tokens.context()).collect()
}

/// The model of most calls; of equals the first by name.
pub(in crate::cost::forecast) fn main_model(trace: &Trace, calls: &[&Booking]) -> Option<String> {
    let mut names: Vec<&str> = calls.iter().filter_map(|b| b.model).map(|m| trace.names.text(m)).collect();
    names.sort_unstable();
    let groups = names.chunk_by(|a, b| a == b);
    groups.rev().max_by_key(|g| g.len()).and_then(|g| g.first()).map(|m| (*m).to_owned())
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a call have at most ten digits")]
pub(in crate::cost::forecast) fn output(calls: &[&Booking]) -> Option<f64> {
    median(&mut calls.iter().filter_map(|b| b.tokens.output).map(|o| o as f64).collect::<Vec<_>>())
}

impl Growth {
    /// Of a run's calls.
    ///
    /// # Errors
    /// Why there is no line.
    pub(in crate::cost::forecast) fn of(calls: &[&Booking], iterations: u32) -> Result<Self, Unfitted> {
        match calls.len() {
            0 => return Err(Unfitted::NoCalls),
            1..CALLS => return Err(Unfitted::TooFew),
            _ => {}
        }
        let contexts = contexts(calls);
        let fit = fit::fit(&contexts).ok_or(Unfitted::TooFew)?;
        #[expect(clippy::cast_precision_loss, reason = "a number of calls")]
        let calls_per_iteration = (iterations > 0).then(|| fit.calls as f64 / f64::from(iterations));
        Ok(Self {
            output: output(calls),
            calls_per_iteration,
            stateless: iterations > 1 && fit.segments.saturating_mul(2) > iterations as usize,
            fit,
            peak: contexts.iter().copied().max().unwrap_or(0),
        })
    }
}

impl PastRun {
    /// Of a run's rows. `fate` and `cost` are the diagnosis' and the pricing's.
    #[must_use]
    pub fn of(trace: &Trace, fate: Fate, cost: Cost) -> Self {
        let calls = own_calls(trace);
        let iterations = u32::try_from(trace.iterations.len()).unwrap_or(u32::MAX);
        Self { id: trace.id.clone(), model: main_model(trace, &calls), iterations, fate, cost, growth: Growth::of(&calls, iterations) }
    }
}
