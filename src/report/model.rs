//! What every renderer sees: one report for each run, and the sums over all of them. The field names of the
//! serialised form are a published contract.

use crate::cost::Prices;
use crate::diagnose::{Action, Confidence, Ending, Health, Kind, NextAction, WasteState};
use crate::report::escape::visible;
use crate::settings::Thresholds;
use crate::trace::{Money, Place, Time, Tokens};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A name from outside, or words that hold one: files and folders can be called anything.
fn name<S: Serializer>(text: &impl AsRef<str>, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(&visible(text.as_ref()))
}

fn optional_name<S: Serializer>(text: &Option<Box<str>>, s: S) -> Result<S::Ok, S::Error> {
    text.as_deref().map(visible).serialize(s)
}

fn names<S: Serializer>(texts: &[Box<str>], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(texts.iter().map(|t| visible(t)))
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct RunReport {
    /// Its id.
    #[serde(serialize_with = "name")]
    pub run: Box<str>,
    /// The name of the format that tells the run's course.
    pub agent: &'static str,
    /// Models that were billed.
    pub models: Vec<Box<str>>,
    /// Its inputs, with what became of their lines.
    pub sources: Vec<SourceReport>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Which cap, which boundary, in a few words.
    pub ending_detail: Option<Box<str>>,
    /// The primary mode.
    pub mode: Option<Kind>,
    /// How sure the mode is.
    pub confidence: Option<Confidence>,
    /// Whether it is something to look at.
    pub health: Health,
    /// In a few words, for tables.
    pub why: Box<str>,
    /// All findings, the primary one first.
    pub findings: Vec<FindingReport>,
    /// Passes of the loop.
    pub iterations: u32,
    /// Model calls, else the loop's calls to its agent.
    pub calls: u32,
    /// Tool calls.
    pub tool_calls: u32,
    /// What each iteration gained, a letter each (see [`GainKind::letter`](crate::trace::GainKind::letter)); left out where
    /// gain could not have been seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Box<str>>,
    /// Iterations by colour.
    pub checks: Checks,
    /// Tokens.
    pub tokens: TokenReport,
    /// Money.
    pub cost: Cost,
    /// What was spent for nothing.
    pub waste: WasteReport,
    /// First record.
    pub started: Option<Time>,
    /// Last record.
    pub ended: Option<Time>,
    /// Seconds between the two.
    pub wall_s: Option<f64>,
    /// The last green check.
    pub last_green: Option<LastGreen>,
    /// What to do next.
    pub next_action: NextAction,
    /// Against the manual baseline, where one was given.
    pub baseline: Option<Box<BaselineReport>>,
    /// The most frequent failures, for sums over runs.
    #[serde(skip)]
    pub signatures: Vec<SignatureCount>,
    /// Which execution it is, from 1, where one log holds several.
    #[serde(skip)]
    pub execution: Option<u32>,
    /// The project's folder, as its records name it; empty without one.
    #[serde(skip)]
    pub workspace: Box<str>,
    /// Hash of the first thing that a person asked for, to know the same task again.
    #[serde(skip)]
    pub task: Option<u64>,
    /// A call changed something.
    #[serde(skip)]
    pub changed: bool,
    /// What failed at the end, where that was infrastructure.
    #[serde(skip)]
    pub outage: Option<&'static str>,
}

/// One run against the manual runs of its task.
#[derive(Debug, Clone, Serialize)]
pub struct BaselineReport {
    /// Money.
    pub usd: RatioReport,
    /// Tokens.
    pub tokens: RatioReport,
    /// Model calls.
    pub calls: RatioReport,
    /// Iterations.
    pub iterations: RatioReport,
    /// Time, without pauses where both sides know it so.
    pub time: RatioReport,
    /// `baseline_anomaly` is among the findings.
    pub anomaly: bool,
    /// The task.
    #[serde(serialize_with = "name")]
    pub task: Box<str>,
    /// Manual runs behind it.
    pub runs: usize,
    /// In what else the two differ: model, prices.
    #[serde(serialize_with = "names")]
    pub differs: Vec<Box<str>>,
}

/// A ratio to the baseline. All of it is unknown where a side does not know the figure, the interval where there is one
/// run a side.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct RatioReport {
    /// The run over the mean of the manual runs.
    pub ratio: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// An input of a run.
#[derive(Debug, Clone, Serialize)]
pub struct SourceReport {
    /// Relative to its argument, or as given.
    #[serde(serialize_with = "name")]
    pub path: Arc<str>,
    /// Its format's name.
    pub format: &'static str,
    /// Bytes read.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Lines that were recovered.
    pub salvaged: u64,
    /// Lines whose content is not in the report.
    pub lost: u64,
    /// Lines that repeat the one before.
    pub duplicates: u64,
    /// The last line has no end.
    pub torn_tail: bool,
    /// Lines without content.
    pub blank: u64,
    /// Records of a kind that is not known.
    pub unknown: u64,
    /// Bytes of the lost lines.
    pub lost_bytes: u64,
    /// What of it counts, where another source tells the same in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<&'static str>,
    /// Why it could not be read, or not to its end.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_name")]
    pub error: Option<Box<str>>,
}

/// A finding.
#[derive(Debug, Clone)]
pub struct FindingReport {
    /// What.
    pub kind: Kind,
    /// Which kind of it.
    pub variant: Option<&'static str>,
    /// How sure.
    pub confidence: Confidence,
    /// In a sentence.
    pub summary: Box<str>,
    /// Where it began: number of the iteration, and calls up to there.
    pub onset: Option<(u32, u32)>,
    /// What to look up.
    pub evidence: Vec<EvidenceReport>,
    /// The threshold that decided, with its value.
    pub threshold: Option<(&'static str, f64)>,
}

/// A piece of evidence.
#[derive(Debug, Clone, Serialize)]
pub struct EvidenceReport {
    /// The source.
    #[serde(serialize_with = "name")]
    pub path: Arc<str>,
    /// Line, from 1; 0 for the file as a whole.
    pub line: u32,
    /// The head of that line, redacted and harmless.
    pub excerpt: Box<str>,
    /// What was measured.
    pub measured: Box<str>,
    /// What it was held against.
    pub threshold: Box<str>,
}

impl Serialize for FindingReport {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Onset {
            iteration: u32,
            call: u32,
        }
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("variant", &self.variant)?;
        map.serialize_entry("confidence", &self.confidence)?;
        map.serialize_entry("summary", &self.summary)?;
        map.serialize_entry("remedy", self.kind.spec().remedy)?;
        map.serialize_entry("onset", &self.onset.map(|(iteration, call)| Onset { iteration, call }))?;
        map.serialize_entry("evidence", &self.evidence)?;
        map.serialize_entry("thresholds", &self.threshold.into_iter().collect::<BTreeMap<_, _>>())?;
        map.end()
    }
}

/// Iterations by colour.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Checks {
    /// The check passed.
    pub green: u32,
    /// It failed.
    pub red: u32,
    /// It could not judge.
    pub no_verdict: u32,
}

/// Tokens, with whether the log is known to under-report them.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct TokenReport {
    /// By class.
    #[serde(flatten)]
    pub tokens: Tokens,
    /// The writer is known to log too few output tokens.
    pub under_reported: bool,
}

/// Whether a sum of money is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CostStatus {
    /// All of it.
    Known,
    /// Part of it; the rest has no price.
    AtLeast,
    /// Nothing is known.
    #[default]
    Unknown,
}

/// Money spent.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cost {
    /// Whether it is all of it.
    pub status: CostStatus,
    /// The sum, as far as it is known.
    pub usd: Option<Money>,
    /// The log's own sum.
    pub reported_usd: Option<Money>,
    /// The part of `usd` that sub-agents spent.
    pub subagents_usd: Option<Money>,
    /// Where `usd` comes from.
    pub source: Option<&'static str>,
    /// Tokens without a price.
    pub unpriced_tokens: u64,
    /// Their models.
    pub unpriced_models: Vec<Box<str>>,
}

/// What was spent for nothing.
#[derive(Debug, Clone, Serialize)]
pub struct WasteReport {
    /// How it is known.
    pub state: WasteState,
    /// Money.
    pub usd: Option<Money>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Seconds, dead time included.
    pub seconds: Option<f64>,
    /// The dead time of a run that died.
    pub dead_s: Option<f64>,
    /// The last iteration that was worth something.
    pub after: Option<At>,
}

/// An iteration and where it is written.
#[derive(Debug, Clone, Serialize)]
pub struct At {
    /// Its number.
    pub iteration: u32,
    /// The source.
    #[serde(serialize_with = "name")]
    pub path: Arc<str>,
    /// The line.
    pub line: u32,
}

/// The last green check.
#[derive(Debug, Clone, Serialize)]
pub struct LastGreen {
    /// Its iteration.
    pub iteration: u32,
    /// The commit that was checked, where the log names it.
    pub commit: Option<Box<str>>,
    /// The source.
    #[serde(serialize_with = "name")]
    pub path: Arc<str>,
    /// The line.
    pub line: u32,
}

/// A failure and how often it stood in a run.
#[derive(Debug, Clone, Copy)]
pub struct SignatureCount {
    /// Coarse signature.
    pub signature: u64,
    /// Red iterations with it.
    pub count: u32,
    /// One of them.
    pub place: Place,
}

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

impl RunReport {
    /// The order of a table: failing first, then by money and time wasted, then by id.
    #[must_use]
    pub fn badness(&self) -> impl Ord + use<> {
        let seconds = self.waste.seconds.map_or(0, |s| {
            #[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
            let whole = s as i64;
            whole
        });
        let waiting = self.next_action.kind == Action::Wait;
        (
            self.health,
            waiting,
            std::cmp::Reverse(self.waste.usd),
            self.mode.is_none(),
            self.mode,
            std::cmp::Reverse(seconds),
            self.run.clone(),
        )
    }
}
