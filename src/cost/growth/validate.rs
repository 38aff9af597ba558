//! The form against recorded runs: how well a line describes the contexts of a run's calls, how near its sum comes to the
//! run's input, and what a run's first calls say about the whole.

use super::fit::{self, Fit, median};
use std::collections::BTreeMap;
use std::io::Read;

/// The status of a run that ended by itself; others say little about the calls that a task takes.
const ENDED: &str = "Submitted";
/// After how many calls the rest is projected.
pub const PREFIXES: [usize; 3] = [10, 20, 40];

/// The calls of one recorded run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recorded {
    /// It ended by itself.
    pub ended: bool,
    /// Context of each call, in order.
    pub contexts: Vec<u64>,
}

/// A table that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A column is missing.
    #[error("{path}:1: no column is called `{column}`; needed are run (and instance), turn, prompt_tokens")]
    Column {
        /// The file.
        path: String,
        /// The column.
        column: &'static str,
    },
    /// A row is no row, or a number no number.
    #[error("{path}:{line}: {reason}")]
    Row {
        /// The file.
        path: String,
        /// Line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
}

/// How the form does in flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InFlight {
    /// Calls that were seen.
    pub seen: usize,
    /// Runs with more calls than that.
    pub runs: usize,
    /// Median error of the quadratic form, as a share of the run's input tokens.
    pub quadratic: f64,
    /// Median error of the linear pace.
    pub linear: f64,
}

/// How the form does on recorded runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// Runs.
    pub runs: usize,
    /// Calls.
    pub calls: usize,
    /// Runs that a line was fitted to.
    pub fitted: usize,
    /// Runs whose context was cut.
    pub cut: usize,
    /// Median R² of the line.
    pub r2: Option<f64>,
    /// The form's input over the recorded input: 5th percentile, median, 95th percentile.
    pub ratio: Option<[f64; 3]>,
    /// In flight, runs that ended by themselves.
    pub in_flight: Vec<InFlight>,
}

/// The rows of one run: whether all say that it ended by itself, turn and context of its calls.
struct Rows {
    ended: bool,
    calls: Vec<(u64, u64)>,
}

/// Reads a table of calls: a row a call, columns `run` (and `instance`, where one run holds many), `turn`, `prompt_tokens` and
/// `exit_status` (where it is missing all runs count as ended). Other columns are passed over.
///
/// # Errors
/// The first row that is none, with its line.
pub fn read(shown: &str, table: impl Read) -> Result<Vec<Recorded>, TableError> {
    let mut rows = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(table);
    let at = |line: u64, reason: String| TableError::Row { path: shown.to_owned(), line, reason };
    let head = rows.headers().map_err(|e| at(1, e.to_string()))?.clone();
    let find = |name: &str| head.iter().position(|h| h.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name));
    let need = |column| find(column).ok_or_else(|| TableError::Column { path: shown.to_owned(), column });
    let (run, turn, tokens) = (need("run")?, need("turn")?, need("prompt_tokens")?);
    let (instance, status) = (find("instance"), find("exit_status"));
    // By run and instance.
    let mut runs: BTreeMap<(String, String), Rows> = BTreeMap::new();
    for row in rows.records() {
        let row = row.map_err(|e| at(e.position().map_or(0, csv::Position::line), e.to_string()))?;
        let line = row.position().map_or(0, csv::Position::line);
        let text = |column: usize| row.get(column).unwrap_or_default();
        let number = |column: usize, what: &str| {
            text(column).parse::<u64>().map_err(|_| at(line, format!("{what} is `{}`, which is no whole number", text(column))))
        };
        let key = (text(run).to_owned(), instance.map_or_else(String::new, |c| text(c).to_owned()));
        let known = runs.entry(key).or_insert_with(|| Rows { ended: true, calls: Vec::new() });
        known.ended &= status.is_none_or(|c| text(c) == ENDED);
        known.calls.push((number(turn, "turn")?, number(tokens, "prompt_tokens")?));
    }
    Ok(runs
        .into_values()
        .map(|Rows { ended, mut calls }| {
            calls.sort_by_key(|(turn, _)| *turn);
            Recorded { ended, contexts: calls.into_iter().map(|(_, tokens)| tokens).collect() }
        })
        .collect())
}

/// Measures the form on runs.
#[must_use]
pub fn validate(runs: &[Recorded]) -> Validation {
    let fits: Vec<(&Recorded, Fit)> = runs.iter().filter_map(|r| fit::fit(&r.contexts).map(|f| (r, f))).collect();
    // Runs that were cut are several ramps: their sum is not that of one.
    let whole = || fits.iter().filter(|(_, f)| f.segments == 1);
    let mut r2: Vec<f64> = fits.iter().filter_map(|(_, f)| f.r2).collect();
    let mut ratio: Vec<f64> = whole().map(|(r, f)| f.input(count(r.contexts.len())) / sum(&r.contexts)).filter(|x| x.is_finite()).collect();
    ratio.sort_unstable_by(f64::total_cmp);
    let rank = |percent: usize| ratio.get(ratio.len() * percent / 100).copied();
    Validation {
        runs: runs.len(),
        calls: runs.iter().map(|r| r.contexts.len()).sum(),
        fitted: fits.len(),
        cut: fits.iter().filter(|(_, f)| f.segments > 1).count(),
        r2: median(&mut r2),
        ratio: rank(5).zip(rank(50)).zip(rank(95)).map(|((a, b), c)| [a, b, c]),
        in_flight: PREFIXES.iter().filter_map(|&seen| in_flight(runs, seen)).collect(),
    }
}

/// The final number of calls is known, prefix and slope come from the first `seen` calls.
fn in_flight(runs: &[Recorded], seen: usize) -> Option<InFlight> {
    let (mut quadratic, mut linear) = (Vec::new(), Vec::new());
    for run in runs.iter().filter(|r| r.ended && r.contexts.len() > seen) {
        let head = run.contexts.get(..seen)?;
        let (Some(fit), all) = (fit::fit(head), sum(&run.contexts)) else { continue };
        let calls = count(run.contexts.len());
        if all > 0.0 {
            quadratic.push((fit.input(calls) - all).abs() / all);
            linear.push((sum(head) / count(seen) * calls - all).abs() / all);
        }
    }
    Some(InFlight { seen, runs: quadratic.len(), quadratic: median(&mut quadratic)?, linear: median(&mut linear)? })
}

#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
fn sum(contexts: &[u64]) -> f64 {
    contexts.iter().map(|c| u128::from(*c)).sum::<u128>() as f64
}

#[expect(clippy::cast_precision_loss, reason = "a number of calls")]
fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Vec<Recorded>, TableError> {
        read("calls.csv", text.as_bytes())
    }

    #[test]
    fn rows_are_gathered_by_run_and_ordered_by_turn() {
        let runs = table(
            "run,instance,exit_status,turn,cost,prompt_tokens\na,x,Submitted,2,0.1,30\na,x,Submitted,1,,10\n\"a\",\"y,z\",Killed,1,,7\n",
        )
        .unwrap();
        assert_eq!(runs, [Recorded { ended: true, contexts: vec![10, 30] }, Recorded { ended: false, contexts: vec![7] }]);
    }

    #[test]
    fn faults_name_the_line() {
        let of = |text| table(text).unwrap_err().to_string();
        assert_eq!(
            of("run,turn\n"),
            "calls.csv:1: no column is called `prompt_tokens`; needed are run (and instance), turn, prompt_tokens"
        );
        assert_eq!(of("run,turn,prompt_tokens\na,1,5\na,2,-3\n"), "calls.csv:3: prompt_tokens is `-3`, which is no whole number");
        assert!(of("run,turn,prompt_tokens\na,1\n").starts_with("calls.csv:2: "));
        assert!(table("").is_err());
    }

    #[test]
    fn a_straight_run_has_no_error() {
        let run = Recorded { ended: true, contexts: (0..30).map(|i| 1_000 + 100 * i).collect() };
        let v = validate(&[run]);
        assert_eq!((v.r2, v.ratio), (Some(1.0), Some([1.0; 3])));
        let ten = v.in_flight[0];
        // 30 calls at the pace of the first ten: 30 * 1450 of 73500.
        assert_eq!((ten.seen, ten.runs, ten.quadratic), (10, 1, 0.0));
        assert!((ten.linear - 30_000.0 / 73_500.0).abs() < 1e-12);
        assert_eq!((v.in_flight.len(), validate(&[]).ratio), (2, None));
    }
}
