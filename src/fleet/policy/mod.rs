//! A policy: what a gate forbids and which limits it sets, and what many runs are under it.

mod file;
mod judge;
mod limits;

pub use file::read;
pub use judge::{Judged, Offender, Outcome, State, judge};
pub use limits::{Bound, LIMITS, Limit, Measure};

use crate::diagnose::{Confidence, Kind};
use crate::trace::Money;

/// What a run must not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forbidden {
    /// A primary mode, all variants or one.
    Mode(Kind, Option<&'static str>),
    /// A finding, all variants or one; a mode that stands second counts.
    Finding(Kind, Option<&'static str>),
    /// An ending.
    Ending(&'static str),
    /// A health.
    Health(&'static str),
}

/// The value of a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// US dollars.
    Usd(Money),
    /// Seconds.
    Seconds(f64),
    /// Things.
    Count(u64),
    /// A share or a ratio.
    Ratio(f64),
}

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// No run may be that.
    Forbid(Forbidden),
    /// A figure is held against a value.
    Limit(&'static Limit, Amount),
}

/// A policy file.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// The file, as it was given.
    pub path: String,
    /// From which confidence on modes and findings count.
    pub min_confidence: Confidence,
    /// Its rules, in the order of the file's parts.
    pub rules: Vec<Rule>,
}
