//! The one table of limits that a policy can set. Reading, judging and the documentation use it.

/// Which side of the value is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// More fails.
    Max,
    /// Less fails.
    Min,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Money that a run cost.
    RunUsd,
    /// Iterations of a run.
    RunIterations,
    /// Seconds from the first to the last record of a run.
    RunWall,
    /// What a run cost against the manual baseline: the lower end of its interval.
    BaselineRatio,
    /// Money that all runs cost.
    TotalUsd,
    /// Money that all runs wasted.
    WasteUsd,
    /// Wasted money as a share of the money spent.
    WasteShare,
    /// Seconds that dead runs lay unnoticed.
    Dead,
    /// Lines whose content is lost.
    LostLines,
    /// Files that could not be read.
    Unreadable,
    /// Failing runs.
    Failing,
    /// Green runs.
    Greens,
    /// Green runs as a share of all.
    GreenShare,
    /// Runs.
    Runs,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A number of US dollars.
    Usd,
    /// A span: `"2h"`, `"90m"`, or a number of seconds.
    Span,
    /// A whole number.
    Count,
    /// A number between 0 and 1.
    Share,
    /// A number.
    Ratio,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The part of the policy: `max` or `min`.
    pub bound: Bound,
    /// Its key there.
    pub key: &'static str,
    /// What is measured.
    pub measure: Measure,
    /// How the value is written.
    pub unit: Unit,
    /// What it says.
    pub about: &'static str,
}

const fn max(key: &'static str, measure: Measure, unit: Unit, about: &'static str) -> Limit {
    Limit { bound: Bound::Max, key, measure, unit, about }
}

const fn min(key: &'static str, measure: Measure, unit: Unit, about: &'static str) -> Limit {
    Limit { bound: Bound::Min, key, measure, unit, about }
}

/// Every limit.
pub static LIMITS: &[Limit] = &[
    max("run_usd", Measure::RunUsd, Unit::Usd, "what a run may cost"),
    max("run_iterations", Measure::RunIterations, Unit::Count, "iterations of a run"),
    max("run_wall", Measure::RunWall, Unit::Span, "how long a run may take"),
    max("baseline_ratio", Measure::BaselineRatio, Unit::Ratio, "a run against the manual baseline, the lower end of the interval"),
    max("total_usd", Measure::TotalUsd, Unit::Usd, "what all runs may cost"),
    max("waste_usd", Measure::WasteUsd, Unit::Usd, "what all runs may waste"),
    max("waste_share", Measure::WasteShare, Unit::Share, "wasted money as a share of the money spent"),
    max("dead", Measure::Dead, Unit::Span, "how long dead runs may lie unnoticed, in all"),
    max("lost_lines", Measure::LostLines, Unit::Count, "lines that could not be read"),
    max("unreadable", Measure::Unreadable, Unit::Count, "files that could not be read"),
    max("failing", Measure::Failing, Unit::Count, "failing runs"),
    min("greens", Measure::Greens, Unit::Count, "green runs"),
    min("green_share", Measure::GreenShare, Unit::Share, "green runs as a share of all"),
    min("runs", Measure::Runs, Unit::Count, "runs"),
];

impl Limit {
    /// Its name in tables: `max.run_usd`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.bound.part(), self.key)
    }
}

impl Bound {
    /// The part of the policy.
    #[must_use]
    pub fn part(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
        }
    }
}
