//! Why runs failed, and which reasons weigh most.

use crate::diagnose::{Ending, Health, KINDS, Kind};
use crate::report::model::{CommonCause, RunReport};
use crate::trace::Money;
use serde::Serialize;
use std::collections::BTreeMap;

/// What puts a cause where it stands in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Of the money that failing runs spent.
    Money,
    /// Of the time that failing runs wasted, dead time included.
    Time,
    /// Of the failing runs.
    Runs,
}

impl Reason {
    /// What the share is of, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Money => "of the money that failing runs spent",
            Self::Time => "of the time that failing runs wasted",
            Self::Runs => "of the failing runs",
        }
    }
}

/// A reason why runs failed: a mode, else a claim of success without evidence, else an ending.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cause {
    /// The name of the mode, finding or ending.
    pub cause: &'static str,
    /// What that is.
    pub what: &'static str,
    /// The runs, the worst first.
    pub runs: Vec<Box<str>>,
    /// What they spent, as far as it is known.
    pub spent_usd: Option<Money>,
    /// What they wasted, as far as it is known.
    pub waste_usd: Option<Money>,
    /// Seconds that they wasted, dead time included, as far as they are known.
    pub waste_s: Option<f64>,
    /// The largest of its three shares.
    pub share: f64,
    /// What that is a share of.
    pub of: Reason,
    /// What several of the runs have in common.
    pub common: Vec<Box<str>>,
}

/// The name of why a run failed; `None` for a run that did not.
#[must_use]
pub fn cause_of(run: &RunReport) -> Option<&'static str> {
    let false_done = || run.findings.iter().any(|f| f.kind == Kind::FalseDone).then(|| Kind::FalseDone.id());
    match (run.health, run.mode, run.ending) {
        (Health::Failing, Some(mode), _) => Some(mode.id()),
        (Health::Failing, None, Some(Ending::Unverified) | None) => false_done().or(run.ending.map(Ending::id)),
        (Health::Failing, None, Some(ending)) => Some(ending.id()),
        _ => None,
    }
}

/// What a cause is, from the tables.
pub(super) fn what(cause: &str) -> &'static str {
    let kind = KINDS.iter().find(|k| k.id == cause).map(|k| k.what);
    let ending = || Ending::ALL.iter().find(|(_, id, _)| *id == cause).map(|(.., what)| *what);
    kind.or_else(ending).unwrap_or("")
}

/// All causes, the heaviest first: each is ranked by the largest share that it has of the failing runs, of the money that
/// they spent and of the time that they wasted, so that one dear run and many short ones both come to the top.
pub(super) fn rank<'a>(runs: impl Iterator<Item = &'a RunReport>, common: &[CommonCause]) -> Vec<Cause> {
    let mut causes: BTreeMap<&'static str, Cause> = BTreeMap::new();
    let new = |cause| Cause {
        cause,
        what: what(cause),
        runs: Vec::new(),
        spent_usd: None,
        waste_usd: None,
        waste_s: None,
        share: 0.0,
        of: Reason::Runs,
        common: Vec::new(),
    };
    for run in runs {
        let Some(name) = cause_of(run) else { continue };
        let cause = causes.entry(name).or_insert_with(|| new(name));
        cause.runs.push(run.run.clone());
        cause.spent_usd = plus(cause.spent_usd, run.cost.usd, |a, b| a + b);
        cause.waste_usd = plus(cause.waste_usd, run.waste.usd, |a, b| a + b);
        cause.waste_s = plus(cause.waste_s, run.waste.seconds, |a, b| a + b);
    }
    let mut causes: Vec<Cause> = causes.into_values().collect();
    let money: Money = causes.iter().filter_map(|c| c.spent_usd).sum();
    let time: f64 = causes.iter().filter_map(|c| c.waste_s).sum();
    let failing: usize = causes.iter().map(|c| c.runs.len()).sum();
    for cause in &mut causes {
        let shares = [
            (ratio(cause.spent_usd.unwrap_or_default().to_f64(), money.to_f64()), Reason::Money),
            (ratio(cause.waste_s.unwrap_or(0.0), time), Reason::Time),
            (ratio(count(cause.runs.len()), count(failing)), Reason::Runs),
        ];
        for (share, of) in shares {
            if share > cause.share {
                (cause.share, cause.of) = (share, of);
            }
        }
        let told = common.iter().filter(|c| c.runs.iter().any(|r| cause.runs.contains(r)));
        cause.common = told.map(|c| format!("{} of them together: {}", c.runs.len(), c.cause).into()).collect();
    }
    causes.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| b.runs.len().cmp(&a.runs.len())).then_with(|| a.cause.cmp(b.cause)));
    causes
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "a share of runs")]
fn count(n: usize) -> f64 {
    n as f64
}

/// The sum of what is known; unknown only where both are.
pub(super) fn plus<T>(a: Option<T>, b: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}
