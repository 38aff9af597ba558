//! What a manual run costs an iteration, from a baseline file.

use crate::trace::Money;
use serde::Deserialize;
use serde_json::Number;

/// What a baseline says about the cost of an iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// The file, as it was given.
    pub path: String,
    /// Runs that say both what they cost and how many iterations they took.
    pub runs: u64,
    /// What an iteration costs; `None` where no run says both.
    pub per_iteration: Option<Money>,
}

/// A baseline that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The operating system said no.
    #[error("{path}: cannot be read: {reason}")]
    Io {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// It is no baseline.
    #[error("{path}:{line}: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A number in it is none.
    #[error("{path}: runs[{run}].cost.usd is {value}: it takes an amount in US dollars that is not negative, or null")]
    Amount {
        /// The file.
        path: String,
        /// Which run, from 0.
        run: usize,
        /// The value.
        value: String,
    },
}

#[derive(Deserialize)]
struct File {
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    cost: Option<RunCost>,
    #[serde(default)]
    iterations: Option<u64>,
}

#[derive(Deserialize)]
struct RunCost {
    #[serde(default)]
    usd: Option<Usd>,
}

/// Written by the program as text, by hand as a number.
struct Usd(String);

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(d)? {
            serde_json::Value::String(text) => Ok(Self(text)),
            serde_json::Value::Number(number) => Ok(Self(Number::to_string(&number))),
            other => Err(serde::de::Error::custom(format!("cost.usd is {other}: it takes an amount in US dollars, or null"))),
        }
    }
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// It cannot be read, or is no baseline.
    pub fn read(path: &std::path::Path) -> Result<Self, BaselineError> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| BaselineError::Io { path: shown.clone(), reason: e.to_string() })?;
        Self::parse(&shown, &text)
    }

    /// The cost of an iteration, over all runs that say what they cost and how many iterations they took: all their money
    /// by all their iterations, rounded up to a pico-dollar.
    ///
    /// # Errors
    /// The text is no baseline.
    pub fn parse(shown: &str, text: &str) -> Result<Self, BaselineError> {
        let file: File = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| BaselineError::Malformed {
            path: shown.to_owned(),
            line: e.line(),
            reason: e.to_string(),
        })?;
        let (mut money, mut iterations, mut runs) = (Money::ZERO, 0u64, 0u64);
        for (k, run) in file.runs.iter().enumerate() {
            let Some(Usd(text)) = run.cost.as_ref().and_then(|c| c.usd.as_ref()) else { continue };
            let amount: Option<Money> = text.parse().ok().filter(|m| *m >= Money::ZERO);
            let amount = amount.ok_or_else(|| BaselineError::Amount { path: shown.to_owned(), run: k, value: text.clone() })?;
            if let Some(n) = run.iterations.filter(|n| *n > 0) {
                money += amount;
                iterations = iterations.saturating_add(n);
                runs += 1;
            }
        }
        let by = i128::from(iterations);
        let per_iteration = (by > 0).then(|| Money(money.0 / by + i128::from(money.0 % by > 0)));
        Ok(Self { path: shown.to_owned(), runs, per_iteration })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_by_iterations_of_the_runs_that_say_both() {
        let text = r#"{"schema": "baseline/1", "task": "fix", "runs": [
            {"calls": 9, "cost": {"usd": "1.20", "source": "computed"}, "iterations": 3},
            {"cost": {"usd": 0.3}, "iterations": 2, "outcome": "green"},
            {"cost": {"usd": 50}, "iterations": null}, {"cost": {"usd": null}, "iterations": 4}, {"cost": null}, {}]}"#;
        let b = Baseline::parse("b.json", text).unwrap();
        assert_eq!((b.runs, b.per_iteration.unwrap().exact().as_str()), (2, "0.3"));
        assert_eq!(Baseline::parse("b.json", r#"{"runs": []}"#).unwrap().per_iteration, None);
        let third = Baseline::parse("b.json", r#"{"runs": [{"cost": {"usd": "1"}, "iterations": 3}]}"#).unwrap();
        assert_eq!(third.per_iteration.unwrap().exact(), "0.333333333334");
    }

    #[test]
    fn faults_name_the_place() {
        let of = |text: &str| Baseline::parse("b.json", text).unwrap_err().to_string();
        assert!(of("{\n\"runs\": 3}").starts_with("b.json:2: "));
        assert!(of("").starts_with("b.json:1: "));
        for bad in ["-1", "\"many\"", "1e30", "\"NaN\""] {
            let text = format!(r#"{{"runs": [{{}}, {{"cost": {{"usd": {bad}}}, "iterations": 1}}]}}"#);
            assert!(of(&text).starts_with("b.json: runs[1].cost.usd is "), "{}", of(&text));
        }
    }
}
