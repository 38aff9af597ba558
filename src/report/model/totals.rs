//! What is said of all runs together.

use super::{Cost, RunReport, is_none, name, names};
use crate::cost::Prices;
use crate::diagnose::Ending;
use crate::report::escape::visible;
use crate::settings::Thresholds;
use crate::trace::{Money, Time, Tokens};
use serde::Serialize;
use std::collections::BTreeMap;

/// Sums over all runs.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Totals {
    /// Runs.
    pub runs: u64,
    /// Runs by primary mode.
    pub by_mode: BTreeMap<&'static str, u64>,
    /// Runs by ending.
    pub by_ending: BTreeMap<&'static str, u64>,
    /// Runs by health.
    pub by_health: BTreeMap<&'static str, u64>,
    /// Tokens.
    pub tokens: Tokens,
    /// Money.
    pub cost: Cost,
    /// Waste.
    pub waste: WasteTotals,
    /// Lines that were lost.
    pub lost_lines: u64,
    /// Lines read in all.
    pub lines: u64,
    /// Lines that were recovered.
    pub salvaged_lines: u64,
    /// Lines that were repeats.
    pub duplicate_lines: u64,
    /// Records of unknown kinds.
    pub unknown_records: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Files in the tree that are no logs.
    pub files_passed_over: u64,
    /// Paths that were named and are not there or cannot be read; left out where there are none.
    #[serde(skip_serializing_if = "is_none")]
    pub paths_unread: u64,
    /// What a repository's history shows of it, where one was given; no log shows any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub understanding_debt: Option<UnderstandingDebt>,
}

/// Lines that loops added to a repository, against lines of commits that a person reviewed. A proxy: it says what was
/// looked at, not what was understood.
#[derive(Debug, Clone, Default, Serialize)]
pub struct UnderstandingDebt {
    /// The repository, as given.
    #[serde(serialize_with = "name")]
    pub repo: Box<str>,
    /// Week by week, those with commits.
    pub weeks: Vec<DebtWeek>,
}

/// A week of a repository's history, in lines added.
#[derive(Debug, Clone, Default, Serialize)]
pub struct DebtWeek {
    /// Its Monday.
    pub week: Box<str>,
    /// In commits that name an agent.
    pub by_loops: u64,
    /// In commits that a person reviewed or merged, whoever wrote them.
    pub reviewed: u64,
    /// In both.
    pub by_loops_reviewed: u64,
}

/// Sums of waste; runs whose waste is unknown are counted, not taken as zero.
#[derive(Debug, Clone, Default, Serialize)]
pub struct WasteTotals {
    /// Money.
    pub usd: Option<Money>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Seconds, dead time included.
    pub seconds: Option<f64>,
    /// Seconds in which dead runs lay unnoticed.
    pub dead_s: f64,
    /// Runs whose waste cannot be said.
    pub runs_unavailable: u64,
}

/// Several runs that ended alike at the same time.
#[derive(Debug, Clone, Serialize)]
pub struct CommonCause {
    /// How they ended.
    pub ending: Ending,
    /// What they have in common.
    pub cause: Box<str>,
    /// The first of them.
    pub from: Time,
    /// The last.
    pub to: Time,
    /// Their ids.
    #[serde(serialize_with = "names")]
    pub runs: Vec<Box<str>>,
}

/// A loop that was started again and again after its work was done.
#[derive(Debug, Clone, Serialize)]
pub struct RestartedAfterDone {
    /// The run that had it done.
    #[serde(serialize_with = "name")]
    pub done: Box<str>,
    /// When the first of the others began.
    pub from: Option<Time>,
    /// When the last of them began.
    pub to: Option<Time>,
    /// What they cost.
    pub usd: Option<Money>,
    /// Their ids.
    #[serde(serialize_with = "names")]
    pub runs: Vec<Box<str>>,
}

/// Runs that were expected and of which nothing is there.
#[derive(Debug, Clone, Serialize)]
pub struct NeverStarted {
    /// How many were expected.
    pub expected: u64,
    /// How many there are.
    pub found: u64,
    /// Those that are missing by name, where names were given; otherwise how many.
    #[serde(serialize_with = "names")]
    pub missing: Vec<Box<str>>,
}

/// A failure that many runs saw.
#[derive(Debug, Clone, Serialize)]
pub struct TopSignature {
    /// The failure, normalised.
    pub failure: Box<str>,
    /// Runs that saw it.
    pub runs: u32,
    /// Red iterations with it, over all runs.
    pub iterations: u32,
}

/// A whole triage.
pub struct Triage {
    /// The runs, by id; all of them, or the worst where only those are shown.
    pub runs: Vec<RunReport>,
    /// What is said of all of them together.
    pub summary: Summary,
}

/// What is said of all runs together.
pub struct Summary {
    /// What they have in common.
    pub common_causes: Vec<CommonCause>,
    /// Loops that were started again after their work was done.
    pub restarted_after_done: Vec<RestartedAfterDone>,
    /// Runs that were expected and are not there.
    pub never_started: Option<NeverStarted>,
    /// The most frequent failures.
    pub top_signatures: Vec<TopSignature>,
    /// Sums.
    pub totals: Totals,
    /// What could not be read.
    pub errors: Vec<String>,
    /// The observation time.
    pub as_of: Time,
    /// The thresholds in force.
    pub thresholds: Thresholds,
    /// The price list that was used.
    pub prices: PriceList,
}

/// Which price list was used.
#[derive(Debug, Clone, Serialize)]
pub struct PriceList {
    /// Date of the embedded snapshot.
    pub snapshot: String,
    /// Its fingerprint.
    pub sha256: String,
    /// Files laid over it, with their fingerprints.
    pub overlaid: BTreeMap<String, String>,
}

impl PriceList {
    /// Of these prices.
    #[must_use]
    pub fn of(prices: &Prices) -> Self {
        let snapshot = prices.snapshot();
        let overlaid = prices.overlaid().iter().map(|o| (visible(&o.path).into_owned(), o.sha256.clone())).collect();
        Self { snapshot: snapshot.date.clone(), sha256: snapshot.sha256.clone(), overlaid }
    }
}
