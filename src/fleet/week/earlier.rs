//! An older report to compare with: the `report.json` of last week, or what `triage --json` printed.

use crate::input::read_whole;
use crate::report::escape;
use crate::trace::{Money, Time};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Why an older report cannot be used. Exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum EarlierError {
    /// The file cannot be read.
    #[error("{path}: cannot be read: {reason}")]
    Io {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// It is no JSON, or has fields of other types.
    #[error("{path}: not a report: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// The parser's words, with line and column.
        reason: String,
    },
    /// It is JSON of another kind, or of another major version.
    #[error("{path}: holds `{schema}` {version}; --compare takes the report.json of `report`, or the output of `triage --json`, version 1")]
    Schema {
        /// The file.
        path: String,
        /// What it says that it is.
        schema: String,
        /// In which version.
        version: String,
    },
}

/// An older report.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    /// The file, as it was given.
    pub file: String,
    /// Its observation time.
    pub as_of: Option<Time>,
    /// Its window, where it had one.
    pub window: Option<(Time, Time)>,
    /// The date of its price list.
    pub prices: Option<String>,
    /// Its runs, by id.
    pub runs: BTreeMap<String, EarlierRun>,
    /// What was spent, and whether that is all.
    pub spent: (bool, Option<Money>),
    /// What was wasted.
    pub wasted: Option<Money>,
    /// Whether that is known of every run.
    pub waste_complete: bool,
    /// Seconds that were wasted, dead time included.
    pub wasted_s: Option<f64>,
}

/// A run of an older report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EarlierRun {
    /// Its mode.
    pub mode: Option<String>,
    /// Its ending.
    pub ending: Option<String>,
    /// Its health.
    pub health: String,
    /// Why it failed, if it did.
    pub cause: Option<String>,
    /// When it began: a run that both reports hold has the same.
    pub started: Option<String>,
    /// What it cost, where all of that is known.
    pub usd: Option<Money>,
}

#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    schema: String,
    #[serde(default)]
    schema_version: String,
}

#[derive(Deserialize)]
struct Document {
    as_of: Option<String>,
    since: Option<Stretch>,
    #[serde(default)]
    runs: Vec<Run>,
    totals: Totals,
    prices: Option<Prices>,
}

#[derive(Deserialize)]
struct Stretch {
    from: String,
    to: String,
}

#[derive(Deserialize)]
struct Prices {
    snapshot: Option<String>,
}

#[derive(Deserialize)]
struct Run {
    run: String,
    mode: Option<String>,
    ending: Option<String>,
    #[serde(default)]
    health: String,
    #[serde(default)]
    findings: Vec<Finding>,
    started: Option<String>,
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Finding {
    kind: String,
}

#[derive(Deserialize, Default)]
struct Cost {
    #[serde(default)]
    status: String,
    usd: Option<String>,
}

#[derive(Deserialize)]
struct Waste {
    usd: Option<String>,
    seconds: Option<f64>,
    #[serde(default)]
    runs_unavailable: u64,
}

#[derive(Deserialize)]
struct Totals {
    cost: Cost,
    waste: Waste,
}

/// The size of a report of some hundred thousand runs; what is larger is something else.
const MOST: u64 = 1 << 30;

impl Earlier {
    /// Reads an older report.
    ///
    /// # Errors
    /// It cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, EarlierError> {
        let shown = path.display().to_string();
        let io = |reason: String| EarlierError::Io { path: shown.clone(), reason };
        let size = std::fs::metadata(path).map_err(|e| io(e.to_string()))?.len();
        if size > MOST {
            return Err(io(format!("{size} bytes are no report")));
        }
        let bytes = read_whole(path).map_err(|e| io(e.to_string()))?;
        Self::parse(&shown, &bytes)
    }

    fn parse(file: &str, bytes: &[u8]) -> Result<Self, EarlierError> {
        let malformed = |e: serde_json::Error| EarlierError::Malformed { path: file.to_owned(), reason: e.to_string() };
        let head: Head = serde_json::from_slice(bytes).map_err(malformed)?;
        let known = matches!(&*head.schema, "loopmortem/report" | "loopmortem/triage");
        if !known || head.schema_version.split('.').next() != Some("1") {
            let or = |text: String| if text.is_empty() { "nothing that says what it is".to_owned() } else { text };
            return Err(EarlierError::Schema { path: file.to_owned(), schema: or(head.schema), version: head.schema_version });
        }
        let d: Document = serde_json::from_slice(bytes).map_err(malformed)?;
        let money = |text: Option<String>| text.and_then(|t| t.parse().ok());
        Ok(Self {
            file: file.to_owned(),
            as_of: d.as_of.as_deref().and_then(Time::parse),
            window: d.since.and_then(|s| Some((Time::parse(&s.from)?, Time::parse(&s.to)?))),
            prices: d.prices.and_then(|p| p.snapshot),
            spent: (d.totals.cost.status == "known", money(d.totals.cost.usd)),
            wasted: money(d.totals.waste.usd),
            waste_complete: d.totals.waste.runs_unavailable == 0,
            wasted_s: d.totals.waste.seconds,
            runs: d.runs.into_iter().map(|r| (clean(&r.run), EarlierRun::of(r))).collect(),
        })
    }

    /// Its green runs.
    #[must_use]
    pub fn greens(&self) -> u64 {
        self.runs.values().filter(|r| r.ending.as_deref() == Some("succeeded")).count() as u64
    }
}

/// The file may have been changed by anyone: its words are as hostile as a log's.
fn clean(text: &str) -> String {
    escape::visible(text).into_owned()
}

impl EarlierRun {
    fn of(run: Run) -> Self {
        let failing = run.health == "failing";
        let false_done = run.findings.iter().any(|f| f.kind == "false_done");
        let unverified = matches!(run.ending.as_deref(), Some("unverified") | None);
        let cause = match (&run.mode, unverified && false_done) {
            _ if !failing => None,
            (Some(mode), _) => Some(clean(mode)),
            (None, true) => Some("false_done".to_owned()),
            (None, false) => run.ending.as_deref().map(clean),
        };
        let cost = run.cost.unwrap_or_default();
        Self {
            mode: run.mode.as_deref().map(clean),
            ending: run.ending.as_deref().map(clean),
            health: clean(&run.health),
            cause,
            started: run.started,
            usd: (cost.status == "known").then_some(cost.usd).flatten().and_then(|t| t.parse().ok()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Earlier, EarlierError> {
        Earlier::parse("old.json", text.as_bytes())
    }

    #[test]
    fn what_is_no_report_is_refused_with_a_reason() {
        let refused = |text: &str| parse(text).unwrap_err().to_string();
        assert!(refused("[1]").starts_with("old.json: not a report:"));
        assert!(refused("{}").contains("nothing that says what it is"));
        assert!(refused(r#"{"schema":"loopmortem/check","schema_version":"1.0"}"#).contains("`loopmortem/check` 1.0"));
        assert!(refused(r#"{"schema":"loopmortem/triage","schema_version":"2.0"}"#).contains("version 1"));
        assert!(refused(r#"{"schema":"loopmortem/triage","schema_version":"1.0","runs":3}"#).contains("line 1 column"));
    }

    #[test]
    fn reads_the_fields_of_both_documents() {
        let old = parse(
            r#"{"schema":"loopmortem/triage","schema_version":"1.7","new_field":[],"as_of":"2026-11-22T08:00:00Z",
            "runs":[{"run":"a","mode":"stuck","ending":"died","health":"failing","cost":{"status":"at_least","usd":"2"}},
                    {"run":"b","mode":null,"ending":"succeeded","health":"healthy","cost":{"status":"known","usd":"0.5"}},
                    {"run":"c\u001b[31m","mode":null,"ending":"unverified","health":"failing","findings":[{"kind":"false_done"}]}],
            "totals":{"cost":{"status":"at_least","usd":"2.5"},"waste":{"usd":null,"seconds":60.0}},"prices":{"snapshot":"2026-11-20"}}"#,
        )
        .unwrap();
        assert_eq!((old.greens(), old.spent, old.wasted, old.wasted_s), (1, (false, "2.5".parse().ok()), None, Some(60.0)));
        let causes: Vec<Option<&str>> = old.runs.values().map(|r| r.cause.as_deref()).collect();
        assert_eq!(causes, [Some("stuck"), None, Some("false_done")]);
        assert_eq!(old.runs.keys().last().unwrap(), "c\\x1b[31m");
        assert_eq!((old.runs["a"].usd, old.runs["b"].usd), (None, "0.5".parse().ok()));
    }
}
