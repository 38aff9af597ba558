//! Loops against the baseline: what they spend a run, an iteration, a call and a green, and what fails that did not fail
//! by hand.

use super::model::{Baseline, ErrorKind, Run};
use super::ratio::{Estimate, Part, Sides, ratio};
use crate::cost::prices::plain_name;
use crate::diagnose::Ending;
use crate::trace::signature::coarse_text;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is compared. Less is better in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// US dollars.
    Usd,
    /// Tokens, input and output.
    Tokens,
    /// Model calls.
    Calls,
    /// Iterations.
    Iterations,
    /// Seconds.
    Time,
}

impl Measure {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 5] = [Self::Usd, Self::Tokens, Self::Calls, Self::Iterations, Self::Time];

    /// Its name in JSON and flags.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Usd => "usd",
            Self::Tokens => "tokens",
            Self::Calls => "calls",
            Self::Iterations => "iterations",
            Self::Time => "time",
        }
    }
}

/// What it is shared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// Runs, whatever became of them.
    Run,
    /// Iterations.
    Iteration,
    /// Model calls.
    Call,
    /// Runs that ended green: what failed is paid for by what did not.
    Green,
}

impl Per {
    /// Its name in JSON and tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Iteration => "iteration",
            Self::Call => "call",
            Self::Green => "green",
        }
    }
}

/// The rows of a comparison.
const ROWS: &[(Measure, Per)] = &[
    (Measure::Usd, Per::Run),
    (Measure::Tokens, Per::Run),
    (Measure::Calls, Per::Run),
    (Measure::Iterations, Per::Run),
    (Measure::Time, Per::Run),
    (Measure::Usd, Per::Iteration),
    (Measure::Tokens, Per::Iteration),
    (Measure::Calls, Per::Iteration),
    (Measure::Time, Per::Iteration),
    (Measure::Usd, Per::Call),
    (Measure::Tokens, Per::Call),
    (Measure::Time, Per::Call),
    (Measure::Usd, Per::Green),
    (Measure::Tokens, Per::Green),
    (Measure::Calls, Per::Green),
    (Measure::Time, Per::Green),
];

/// One side of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// Task and run; the order decides what a bootstrap draws, so it must not depend on threads.
    pub runs: Vec<(String, Run)>,
    /// Models, each by its [`plain_name`].
    pub models: BTreeSet<String>,
}

impl Side {
    /// A baseline's.
    #[must_use]
    pub fn of(baseline: &Baseline) -> Self {
        let runs = baseline.runs.iter().map(|r| (baseline.task_of(r).to_owned(), r.clone())).collect();
        Self { runs, models: baseline.models.iter().map(|m| plain_name(m)).collect() }
    }

    fn tasks(&self) -> BTreeSet<&str> {
        self.runs.iter().map(|(task, _)| task.as_str()).collect()
    }

    /// The price lists behind computed costs.
    fn snapshots(&self) -> BTreeSet<&str> {
        self.runs.iter().filter_map(|(_, r)| r.cost.as_ref()?.snapshot.as_deref()).collect()
    }
}

/// Why two sides say nothing about each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Difference {
    /// Other models.
    Model {
        /// The baseline's.
        baseline: Vec<String>,
        /// The loops'.
        loops: Vec<String>,
    },
    /// Other price lists: money is not comparable, the rest is.
    Prices {
        /// The baseline's.
        baseline: Vec<String>,
        /// The loops'.
        loops: Vec<String>,
    },
    /// No task in common.
    Tasks {
        /// The baseline's.
        baseline: Vec<String>,
        /// The loops'.
        loops: Vec<String>,
    },
}

impl Difference {
    fn concerns(&self, measure: Measure) -> bool {
        !matches!(self, Self::Prices { .. }) || measure == Measure::Usd
    }

    /// The same with its names changed: made harmless, say.
    #[must_use]
    pub fn map(self, change: impl Fn(Vec<String>) -> Vec<String>) -> Self {
        match self {
            Self::Model { baseline, loops } => Self::Model { baseline: change(baseline), loops: change(loops) },
            Self::Prices { baseline, loops } => Self::Prices { baseline: change(baseline), loops: change(loops) },
            Self::Tasks { baseline, loops } => Self::Tasks { baseline: change(baseline), loops: change(loops) },
        }
    }

    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        let (what, baseline, loops) = match self {
            Self::Model { baseline, loops } => ("other model", baseline, loops),
            Self::Prices { baseline, loops } => ("other prices", baseline, loops),
            Self::Tasks { baseline, loops } => ("other task set", baseline, loops),
        };
        let list = |names: &[String]| {
            let shown = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
            if names.len() > 3 { format!("{shown} and {} more", names.len() - 3) } else { shown }
        };
        format!("{what}: {} by hand, {} in the loops", list(baseline), list(loops))
    }
}

/// What a comparison says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The whole interval lies below 1.
    Better,
    /// The whole interval lies above 1.
    Worse,
    /// It holds 1, or there is none.
    NoClearChange,
    /// The sides differ in more than who steered.
    NotComparable,
    /// A side does not know the figure.
    Unknown,
}

impl Word {
    /// As it is printed.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::NoClearChange => "no clear change",
            Self::NotComparable => "not comparable",
            Self::Unknown => "not known",
        }
    }
}

/// A figure on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What.
    pub measure: Measure,
    /// Shared by what.
    pub per: Per,
    /// The baseline's value.
    pub before: Option<f64>,
    /// The loops' value.
    pub after: Option<f64>,
    /// Runs behind the two.
    pub runs: (usize, usize),
    /// Tasks that stand on both sides, where they were compared one by one.
    pub pairs: Option<usize>,
    /// The ratio.
    pub estimate: Option<Estimate>,
    /// What it says.
    pub word: Word,
}

impl Row {
    /// Whether the loops certainly take more than `most` times the baseline: a gate fires on the interval's lower bound,
    /// never on a ratio alone, and never on what cannot be compared.
    #[must_use]
    pub fn exceeds(&self, most: f64) -> bool {
        self.word != Word::NotComparable && self.estimate.and_then(|e| e.interval).is_some_and(|(low, _)| low > most)
    }
}

/// What fails on one side only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Errors {
    /// In the loops and not by hand.
    pub new: Vec<ErrorKind>,
    /// By hand and not in the loops.
    pub gone: Vec<ErrorKind>,
    /// On both sides.
    pub common: usize,
}

/// Loops against a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The figures.
    pub rows: Vec<Row>,
    /// Why not all of them are comparable.
    pub differences: Vec<Difference>,
    /// The tasks on both sides.
    pub tasks: Vec<String>,
    /// Tasks of one side only; their runs are left out.
    pub left_out: Vec<String>,
    /// Time without pauses, not from the first record to the last.
    pub active: bool,
    /// What fails on one side only; `None` where a side does not tell.
    pub errors: Option<Errors>,
}

/// Compares.
#[must_use]
pub fn compare(before: &Side, after: &Side) -> Comparison {
    let common: BTreeSet<&str> = before.tasks().intersection(&after.tasks()).copied().collect();
    let left_out: Vec<String> = before.tasks().symmetric_difference(&after.tasks()).map(|t| (*t).to_owned()).collect();
    let differences = differences(before, after, &common);
    // Without a task in common all is shown, and called what it is.
    let kept = |side: &Side| -> Vec<(String, Run)> {
        side.runs.iter().filter(|(task, _)| common.is_empty() || common.contains(task.as_str())).cloned().collect()
    };
    let (b, a) = (kept(before), kept(after));
    let active = b.iter().chain(&a).all(|(_, r)| r.active_s.is_some() || r.wall_s.is_none());
    let rows = ROWS.iter().map(|(measure, per)| row(&b, &a, (*measure, *per), active, &differences)).collect();
    Comparison {
        rows,
        errors: errors(&b, &a),
        differences,
        tasks: common.iter().map(|t| (*t).to_owned()).collect(),
        left_out: if common.is_empty() { Vec::new() } else { left_out },
        active,
    }
}

fn owned(names: &BTreeSet<&str>) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn differences(before: &Side, after: &Side, common: &BTreeSet<&str>) -> Vec<Difference> {
    let tasks = || Difference::Tasks { baseline: owned(&before.tasks()), loops: owned(&after.tasks()) };
    let tasks = (common.is_empty() && !before.runs.is_empty() && !after.runs.is_empty()).then(tasks);
    tasks.into_iter().chain(differ(before, after)).collect()
}

/// In which models and price lists two sides differ.
#[must_use]
pub fn differ(before: &Side, after: &Side) -> Vec<Difference> {
    let mut found = Vec::new();
    if !before.models.is_empty() && !after.models.is_empty() && before.models != after.models {
        let list = |side: &Side| side.models.iter().cloned().collect();
        found.push(Difference::Model { baseline: list(before), loops: list(after) });
    }
    let (b, a) = (before.snapshots(), after.snapshots());
    if !b.is_empty() && !a.is_empty() && a != b {
        found.push(Difference::Prices { baseline: owned(&b), loops: owned(&a) });
    }
    found
}

fn row(b: &[(String, Run)], a: &[(String, Run)], (measure, per): (Measure, Per), active: bool, differences: &[Difference]) -> Row {
    let parts = |side: &[(String, Run)]| -> Vec<(String, Part)> {
        side.iter().filter_map(|(task, run)| Some((task.clone(), part(run, measure, per, active)?))).collect()
    };
    let (b, a) = (parts(b), parts(a));
    let runs = (b.len(), a.len());
    let (means_b, means_a) = (by_task(&b), by_task(&a));
    let pairs: Vec<(Part, Part)> = means_b.iter().filter_map(|(task, part)| Some((*part, *means_a.get(task)?))).collect();
    let paired = pairs.len() > 1;
    let plain = |side: &[(String, Part)]| side.iter().map(|(_, p)| *p).collect::<Vec<_>>();
    let (b, a) = (plain(&b), plain(&a));
    let value = |parts: &mut dyn Iterator<Item = Part>| {
        let (num, den) = parts.fold((0.0, 0.0), |(n, d), p| (n + p.num, d + p.den));
        (den > 0.0).then(|| num / den)
    };
    let (before, after, estimate) = if paired {
        (value(&mut pairs.iter().map(|p| p.0)), value(&mut pairs.iter().map(|p| p.1)), ratio(Sides::Paired(&pairs)))
    } else {
        (value(&mut b.iter().copied()), value(&mut a.iter().copied()), ratio(Sides::Apart(&b, &a)))
    };
    let word = match estimate {
        None => Word::Unknown,
        Some(_) if differences.iter().any(|d| d.concerns(measure)) => Word::NotComparable,
        Some(Estimate { interval: Some((low, _)), .. }) if low > 1.0 => Word::Worse,
        Some(Estimate { interval: Some((_, high)), .. }) if high < 1.0 => Word::Better,
        Some(_) => Word::NoClearChange,
    };
    Row { measure, per, before, after, runs, pairs: paired.then_some(pairs.len()), estimate, word }
}

/// A task's runs stand for it together, by their mean.
fn by_task(parts: &[(String, Part)]) -> BTreeMap<&str, Part> {
    let mut sums: BTreeMap<&str, (Part, f64)> = BTreeMap::new();
    for (task, part) in parts {
        let (sum, n) = sums.entry(task).or_insert((Part { num: 0.0, den: 0.0 }, 0.0));
        sum.num += part.num;
        sum.den += part.den;
        *n += 1.0;
    }
    sums.into_iter().map(|(task, (sum, n))| (task, Part { num: sum.num / n, den: sum.den / n })).collect()
}

/// What a run adds to a row; nothing where it does not know it.
fn part(run: &Run, measure: Measure, per: Per, active: bool) -> Option<Part> {
    let den = match per {
        Per::Run => 1.0,
        Per::Iteration => as_f64(run.iterations?),
        Per::Call => as_f64(run.calls?),
        Per::Green => f64::from(u8::from(run.outcome? == Ending::Succeeded)),
    };
    Some(Part { num: value(run, measure, active)?, den })
}

/// A run's figure.
#[must_use]
pub fn value(run: &Run, measure: Measure, active: bool) -> Option<f64> {
    match measure {
        Measure::Usd => run.cost.as_ref().map(|c| c.usd.to_f64()),
        Measure::Tokens => run.tokens.and_then(|t| t.total()).map(as_f64),
        Measure::Calls => run.calls.map(as_f64),
        Measure::Iterations => run.iterations.map(as_f64),
        Measure::Time if active => run.active_s,
        Measure::Time => run.wall_s,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio needs no more than 52 bits")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

/// Failures of both sides in the one form that signatures take, so that a hand-written one can match.
fn errors(b: &[(String, Run)], a: &[(String, Run)]) -> Option<Errors> {
    let kinds = |side: &[(String, Run)]| -> Option<BTreeMap<String, u64>> {
        let mut sums = BTreeMap::new();
        let mut told = false;
        for kind in side.iter().filter_map(|(_, r)| r.errors.as_ref()).inspect(|_| told = true).flatten() {
            let sum: &mut u64 = sums.entry(coarse_text(kind.signature.as_bytes(), &[])).or_default();
            *sum = sum.saturating_add(kind.count);
        }
        told.then_some(sums)
    };
    let (b, a) = (kinds(b)?, kinds(a)?);
    let only = |these: &BTreeMap<String, u64>, those: &BTreeMap<String, u64>| {
        let mut list: Vec<ErrorKind> = these
            .iter()
            .filter(|(signature, _)| !those.contains_key(*signature))
            .map(|(signature, count)| ErrorKind { signature: signature.clone(), count: *count })
            .collect();
        list.sort_by_key(|k| std::cmp::Reverse(k.count));
        list
    };
    Some(Errors { new: only(&a, &b), gone: only(&b, &a), common: a.keys().filter(|k| b.contains_key(*k)).count() })
}

/// One run against the baseline's runs of its task.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    /// The ratios, in the order of [`Measure::ALL`].
    pub ratios: [Option<Estimate>; 5],
    /// Runs by hand behind them.
    pub runs: usize,
}

/// Holds one run against the baseline's runs of `task`.
#[must_use]
pub fn against(baseline: &Baseline, task: &str, run: &Run) -> Against {
    let by_hand: Vec<&Run> = baseline.runs.iter().filter(|r| baseline.task_of(r) == task).collect();
    let active = by_hand.iter().copied().chain([run]).all(|r| r.active_s.is_some() || r.wall_s.is_none());
    let one = |measure: Measure| {
        let before: Vec<Part> = by_hand.iter().filter_map(|r| part(r, measure, Per::Run, active)).collect();
        ratio(Sides::Apart(&before, &[part(run, measure, Per::Run, active)?]))
    };
    Against { ratios: Measure::ALL.map(one), runs: by_hand.len() }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
