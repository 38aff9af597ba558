//! What happened to a run, and how we know: a pure function of its trace.

mod chain;
mod context;
pub mod ending;
mod facts;
pub mod finding;
mod findings;
mod horizon;
mod kind;
mod modes;
mod next_action;
pub mod norms;
mod reason;
mod resolve;
mod scope;
mod waste;

pub use chain::{Considered, Standing, chain};
pub use context::Context;
pub use ending::{Ending, Terminal};
pub use facts::{Fact, Facts, Standout, facts};
pub use finding::{Confidence, Evidence, Finding};
pub use findings::context_growth;
pub use kind::{KINDS, Kind, KindSpec};
pub use next_action::{Action, NextAction};
pub use norms::{Norm, Norms, Peers};
pub use resolve::Verdict;
pub use waste::{Waste, WasteState};

use crate::settings::Thresholds;
use crate::trace::{Gain, Time, Trace};
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether a run is something to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// A mode, or an ending that is a failure.
    Failing,
    /// The evidence does not decide.
    Inconclusive,
    /// Succeeded, without a mode.
    Healthy,
}

impl Health {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Failing => "failing",
            Self::Inconclusive => "inconclusive",
            Self::Healthy => "healthy",
        }
    }
}

/// A run's diagnosis.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// How it ended.
    pub terminal: Terminal,
    /// The primary mode, if any, and all findings.
    pub verdict: Verdict,
    /// Whether it is something to look at.
    pub health: Health,
    /// The gain series.
    pub gain: Gain,
    /// What was spent for nothing.
    pub waste: Waste,
    /// What to do next.
    pub next: NextAction,
    /// The last green iteration, as an index.
    pub last_green: Option<usize>,
    /// How long the run may be silent, in words.
    pub horizon: String,
    /// The same in seconds.
    pub horizon_s: f64,
    /// Detectors that failed; their findings are missing.
    pub failed_detectors: u32,
}

/// Diagnoses a run by itself.
#[must_use]
pub fn diagnose(trace: &Trace, limits: &Thresholds, as_of: Time) -> Diagnosis {
    diagnose_against(trace, limits, as_of, Norms::default())
}

/// Diagnoses a run, held against what is known beside it.
#[must_use]
pub fn diagnose_against(trace: &Trace, limits: &Thresholds, as_of: Time, norms: Norms) -> Diagnosis {
    let ctx = Context { norms, ..Context::new(trace, limits, as_of) };
    let mut failed_detectors = 0;
    let mut guarded = |examine: &dyn Fn() -> Vec<Finding>| {
        // A detector with a fault loses its own finding, not the report.
        catch_unwind(AssertUnwindSafe(examine)).unwrap_or_else(|_| {
            failed_detectors += 1;
            Vec::new()
        })
    };
    let mut found: Vec<Finding> = modes::DETECTORS.iter().flat_map(|detect| guarded(&|| detect(&ctx))).collect();
    let terminal = ending::decide(&ctx, &found);
    for examine in findings::EXAMINERS {
        found.extend(guarded(&|| examine(&ctx, &terminal)));
    }
    let verdict = resolve::resolve(&ctx, &terminal, found);
    let health = health(&terminal, &verdict);
    let waste = waste::of(&ctx, &terminal, &verdict);
    let next = next_action::of(&ctx, &terminal, &verdict);
    let last_green = ctx.judged.iter().rev().copied().find(|k| ctx.iteration(*k).colour == crate::trace::rows::Colour::Green);
    let horizon = format!("{} ({})", crate::trace::span(ctx.horizon.verdict_s), ctx.horizon.basis);
    Diagnosis {
        terminal,
        verdict,
        health,
        waste,
        next,
        last_green,
        horizon,
        horizon_s: ctx.horizon.verdict_s,
        failed_detectors,
        gain: ctx.gain,
    }
}

fn health(terminal: &Terminal, verdict: &Verdict) -> Health {
    // On the way it was corrected; at the end it is a failure.
    let false_done = verdict.findings.iter().any(|f| f.kind == Kind::FalseDone && f.episode.is_none() && f.is_verdict());
    let fails =
        matches!(terminal.ending, Some(Ending::Died | Ending::NonConvergent | Ending::RiskBoundary | Ending::Blocked | Ending::LimitHit));
    match terminal.ending {
        _ if verdict.mode.is_some() || false_done || fails => Health::Failing,
        Some(Ending::Succeeded) => Health::Healthy,
        _ => Health::Inconclusive,
    }
}
