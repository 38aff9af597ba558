//! What is said of one run.

use super::{name, names, optional_name};
use crate::diagnose::{Action, Confidence, Ending, Health, Kind, NextAction, WasteState};
use crate::trace::{Money, Place, Time, Tokens};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// The thresholds that it rests on, with their values; the one that decided comes first.
    pub thresholds: Vec<(&'static str, f64)>,
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
        map.serialize_entry("thresholds", &self.thresholds.iter().copied().collect::<BTreeMap<_, _>>())?;
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
