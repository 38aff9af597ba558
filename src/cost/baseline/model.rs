//! The file `baseline/1`. Every figure may be unknown; unknown is `null`, never 0.

use crate::diagnose::Ending;
use crate::trace::{Money, Tokens};
use serde::{Serialize, Serializer};

/// The file's `schema`.
pub const SCHEMA: &str = "baseline/1";

/// A recorded baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// What was done.
    pub task: String,
    /// The commit that it was done on.
    pub repo_sha: Option<String>,
    /// Who steered.
    pub who: Option<String>,
    /// The day of the first run, `2026-11-28`.
    pub date: Option<String>,
    /// The agent, by the name of its format.
    pub harness: Option<String>,
    /// Models that were used.
    pub models: Vec<String>,
    /// The runs, at least one.
    pub runs: Vec<Run>,
}

/// One run, by hand or by a loop: both sides of a comparison are measured alike.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Run {
    /// Its task, where the file holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Its id where it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Model calls.
    pub calls: Option<u64>,
    /// Tokens.
    pub tokens: Option<RunTokens>,
    /// Money.
    pub cost: Option<RunCost>,
    /// Seconds from the first record to the last.
    pub wall_s: Option<f64>,
    /// The same without pauses.
    pub active_s: Option<f64>,
    /// Seconds that a person spent on it.
    pub human_s: Option<f64>,
    /// How it ended.
    pub outcome: Option<Ending>,
    /// Passes.
    pub iterations: Option<u64>,
    /// Tool calls.
    pub tool_calls: Option<u64>,
    /// Kinds of failures that its check showed, the most frequent first; empty where it showed none.
    pub errors: Option<Vec<ErrorKind>>,
    /// What repeating the check showed.
    pub check: Option<CheckRuns>,
}

/// Tokens by class, or their sum alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RunTokens {
    /// By class.
    Classes(Tokens),
    /// The sum, as a person may note it.
    Total(u64),
}

impl RunTokens {
    /// Input and output together.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        match self {
            Self::Classes(tokens) => tokens.total(),
            Self::Total(n) => Some(*n),
        }
    }
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunCost {
    /// The sum.
    pub usd: Money,
    /// Where it comes from: `computed`, `reported`, `mixed`, `free`, or words of a person.
    pub source: Option<String>,
    /// The price list that it was computed with.
    pub snapshot: Option<String>,
}

/// A kind of failure, and how often it stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorKind {
    /// The failure, normalised.
    pub signature: String,
    /// How often.
    pub count: u64,
}

/// What repeating a check on one state showed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckRuns {
    /// The command.
    pub cmd: String,
    /// How often it ran.
    pub repeats: u32,
    /// How often it passed.
    pub passes: u32,
    /// How long each execution took, in seconds.
    pub durations_s: Vec<f64>,
    /// The different failures that it showed.
    pub flake_signatures: Vec<String>,
}

impl Serialize for Baseline {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct File<'a> {
            schema: &'static str,
            task: &'a str,
            repo_sha: &'a Option<String>,
            who: &'a Option<String>,
            date: &'a Option<String>,
            harness: &'a Option<String>,
            models: &'a [String],
            runs: &'a [Run],
        }
        let Self { task, repo_sha, who, date, harness, models, runs } = self;
        File { schema: SCHEMA, task, repo_sha, who, date, harness, models, runs }.serialize(s)
    }
}

impl Baseline {
    /// The file's text. [`Baseline::read`] gives the same baseline back, and that one the same text.
    #[must_use]
    pub fn text(&self) -> String {
        // Strings, numbers and lists cannot fail to be written.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The task of a run.
    #[must_use]
    pub fn task_of<'a>(&'a self, run: &'a Run) -> &'a str {
        run.task.as_deref().unwrap_or(&self.task)
    }

    /// What one iteration costs by hand: the runs whose cost and iterations are both known, taken together. `None`
    /// where there is no such run. A forecast's hard ceiling is the iteration cap times
    /// this, so it is rounded up, to a pico-dollar.
    #[must_use]
    pub fn cost_per_iteration(&self) -> Option<Money> {
        let known = self.runs.iter().filter_map(|r| Some((r.cost.as_ref()?.usd, r.iterations.filter(|n| *n > 0)?)));
        let (usd, n) = known.fold((Money::ZERO, 0_u64), |(usd, n), (u, k)| (usd + u, n.saturating_add(k)));
        (n > 0).then(|| Money(usd.0 / i128::from(n) + i128::from(usd.0 % i128::from(n) > 0)))
    }
}

impl CheckRuns {
    /// How often it did not do what it did most: 0 is a check that can be trusted so far. Executions that failed in
    /// different ways agree no more than a pass and a failure.
    #[must_use]
    pub fn odd(&self) -> u32 {
        let failures = self.repeats.saturating_sub(self.passes);
        let kinds = u32::try_from(self.flake_signatures.len()).unwrap_or(u32::MAX);
        // How often each failure stood is not recorded; all but one kind are odd at least once.
        let among = if self.passes == 0 { kinds.saturating_sub(1) } else { 0 };
        self.passes.min(failures).max(among)
    }

    /// The verdict in words, with what so few executions cannot exclude.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { repeats, passes, .. } = self;
        let odd = self.odd();
        let said = match odd {
            0 if *passes == *repeats => format!("{passes} of {repeats} passed"),
            0 => format!("0 of {repeats} passed, all failed alike: the state that was checked is red"),
            _ if *passes == 0 => format!("0 of {repeats} passed, with {} different failures: flaky", self.flake_signatures.len()),
            _ => format!("{passes} of {repeats} passed on one state: flaky, the stop condition itself is broken"),
        };
        match crate::cost::proportion::upper_bound(odd, *repeats, 0.95) {
            Some(bound) => format!(
                "{said}; {odd} of {repeats} {} still allow a true flake rate of {:.1} % (exact one-sided 95 % bound)",
                if *passes == *repeats { "failures" } else { "deviations" },
                bound * 100.0
            ),
            None => said,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(repeats: u32, passes: u32, kinds: &[&str]) -> CheckRuns {
        CheckRuns {
            cmd: "make test".into(),
            repeats,
            passes,
            durations_s: vec![1.0; repeats as usize],
            flake_signatures: kinds.iter().map(|k| (*k).to_owned()).collect(),
        }
    }

    #[test]
    fn a_check_is_told_in_words() {
        let words = check(10, 10, &[]).words();
        assert_eq!(words, "10 of 10 passed; 0 of 10 failures still allow a true flake rate of 25.9 % (exact one-sided 95 % bound)");
        // One odd execution of ten: the published bound is 39.4 %.
        assert!(
            check(10, 9, &["a"])
                .words()
                .ends_with("1 of 10 deviations still allow a true flake rate of 39.4 % (exact one-sided 95 % bound)")
        );
        assert!(check(10, 0, &["a"]).words().starts_with("0 of 10 passed, all failed alike"));
        assert_eq!([check(10, 0, &["a", "b", "c"]).odd(), check(10, 8, &["a"]).odd(), check(10, 1, &["a"]).odd()], [2, 2, 1]);
    }

    #[test]
    fn cost_per_iteration_takes_known_runs_together() {
        let run = |usd: Option<i128>, iterations| Run {
            cost: usd.map(|u| RunCost { usd: Money(u), source: None, snapshot: None }),
            iterations,
            ..Run::default()
        };
        let of = |runs: Vec<Run>| {
            Baseline { task: "t".into(), repo_sha: None, who: None, date: None, harness: None, models: vec![], runs }.cost_per_iteration()
        };
        // (10 + 20) / (2 + 3) = 6; the runs with an unknown part do not count
        assert_eq!(of(vec![run(Some(10), Some(2)), run(Some(20), Some(3)), run(None, Some(9)), run(Some(9), None)]), Some(Money(6)));
        assert_eq!(of(vec![run(None, Some(9))]), None);
    }
}
