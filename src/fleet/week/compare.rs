//! Week over week. A figure that is not known on both sides has no change.

use crate::fleet::week::cause::cause_of;
use crate::fleet::week::{Earlier, Headline, Window};
use crate::report::model::{CostStatus, RunReport, Summary};
use crate::report::section::Section;
use crate::trace::{Money, Time};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A figure of one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A number of runs.
    Count(u64),
    /// US dollars.
    Usd(Money),
    /// Seconds.
    Seconds(f64),
}

/// Whether a change is good news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Less waste, more greens.
    Better,
    /// The other way round.
    Worse,
    /// No change.
    Same,
    /// Neither: more runs are neither good nor bad.
    Neutral,
}

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// After minus before, in the figure's unit.
    pub by: f64,
    /// That as a share of before; `None` where that was nothing.
    pub share: Option<f64>,
    /// Whether it is good news.
    pub direction: Direction,
}

/// A figure of both weeks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Then; `None` is unknown.
    pub before: Option<Value>,
    /// Now.
    pub after: Option<Value>,
    /// Whether each side is all of it.
    pub complete: (bool, bool),
    /// `None` where a side is not known, or not all of it.
    pub change: Option<Change>,
}

/// A run that stands in both reports and came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Its id.
    pub run: Box<str>,
    /// Its ending and mode then.
    pub before: String,
    /// And now.
    pub after: String,
}

/// This week against an older report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The file that is compared with.
    pub file: String,
    /// Its observation time.
    pub as_of: Option<Time>,
    /// The figures.
    pub figures: Vec<Row>,
    /// Runs by mode: then and now.
    pub by_mode: BTreeMap<String, (u64, u64)>,
    /// Causes that failed a run now and none then.
    pub new_causes: Vec<String>,
    /// Causes that failed a run then and none now.
    pub vanished_causes: Vec<String>,
    /// Runs with the same id that came out otherwise.
    pub moved: Vec<Moved>,
    /// Runs that only this report holds.
    pub new_runs: u64,
    /// Runs that only the older one holds.
    pub gone_runs: u64,
    /// Runs that both hold.
    pub common_runs: u64,
    /// Of these, the ones that are the same execution: they count in both weeks.
    pub same_runs: u64,
    /// What limits the comparison.
    pub notes: Vec<String>,
}

/// How many runs that came out otherwise are listed.
const MOVED: usize = 50;

impl Comparison {
    pub(super) fn of(
        old: &Earlier,
        runs: &[(RunReport, Section)],
        summary: &Summary,
        headline: &Headline,
        window: Option<&Window>,
    ) -> Self {
        let t = &summary.totals;
        let known = t.cost.status == CostStatus::Known;
        let per_green =
            |greens: u64, spent: Option<Money>| (greens > 0).then(|| spent.map(|m| Value::Usd(Money(m.0 / i128::from(greens))))).flatten();
        let usd = |m: Option<Money>| m.map(Value::Usd);
        let less = Direction::Better;
        let waste = (old.waste_complete, t.waste.runs_unavailable == 0);
        let mut figures = vec![
            row("runs", Some(Value::Count(old.runs.len() as u64)), Some(Value::Count(t.runs)), (true, true), Direction::Neutral),
            row("spent", usd(old.spent.1), usd(t.cost.usd), (old.spent.0, known), Direction::Neutral),
            row("wasted", usd(old.wasted), usd(t.waste.usd), waste, less),
            row("time wasted", old.wasted_s.map(Value::Seconds), t.waste.seconds.map(Value::Seconds), waste, less),
            row("greens", Some(Value::Count(old.greens())), Some(Value::Count(headline.greens)), (true, true), Direction::Worse),
            row(
                "cost per green",
                per_green(old.greens(), old.spent.1),
                headline.per_green.and_then(|g| usd(g.usd)),
                (old.spent.0, known),
                less,
            ),
        ];
        // Without runs there is nothing to be better or worse: fewer greens than then may be a wrong span.
        let empty = runs.is_empty();
        if empty {
            figures.iter_mut().for_each(|f| f.change = None);
        }
        let mut by_mode: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for run in old.runs.values() {
            by_mode.entry(run.mode.clone().unwrap_or_else(|| "none".to_owned())).or_default().0 += 1;
        }
        for (mode, n) in &t.by_mode {
            by_mode.entry((*mode).to_owned()).or_default().1 += n;
        }
        let then: BTreeSet<&str> = old.runs.values().filter_map(|r| r.cause.as_deref()).collect();
        let now: BTreeSet<&str> = runs.iter().filter_map(|(r, _)| cause_of(r)).collect();
        let list = |causes: Vec<&&str>| causes.into_iter().map(|c| (*c).to_owned()).collect();
        let both: Vec<_> = runs.iter().filter_map(|(r, _)| Some((r, old.runs.get(&*crate::report::escape::visible(&r.run))?))).collect();
        let words = |ending: Option<&str>, mode: Option<&str>| match mode {
            Some(mode) => format!("{}, {mode}", ending.unwrap_or("no ending")),
            None => ending.unwrap_or("no ending").to_owned(),
        };
        let mut moved: Vec<Moved> = both
            .iter()
            .map(|(r, o)| Moved {
                run: r.run.clone(),
                before: words(o.ending.as_deref(), o.mode.as_deref()),
                after: words(r.ending.map(crate::diagnose::Ending::id), r.mode.map(crate::diagnose::Kind::id)),
            })
            .filter(|m| m.before != m.after)
            .collect();
        let same_runs = both.iter().filter(|(r, o)| r.started.is_some_and(|t| o.started.as_deref() == Some(&t.rfc3339()))).count() as u64;
        let mut notes = notes(old, summary, window);
        if empty {
            notes.push("this report holds no runs: nothing is compared".to_owned());
        }
        if same_runs > 0 {
            notes.push(format!("{same_runs} runs are the same in both reports and count in both"));
        }
        if moved.len() > MOVED {
            notes.push(format!("{} runs came out otherwise; {MOVED} are listed", moved.len()));
            moved.truncate(MOVED);
        }
        let common_runs = both.len() as u64;
        Self {
            file: old.file.clone(),
            as_of: old.as_of,
            figures,
            by_mode,
            new_causes: list(now.difference(&then).collect()),
            vanished_causes: if empty { Vec::new() } else { list(then.difference(&now).collect()) },
            moved,
            new_runs: t.runs.saturating_sub(common_runs),
            gone_runs: (old.runs.len() as u64).saturating_sub(common_runs),
            common_runs,
            same_runs,
            notes,
        }
    }

    /// The row of a figure.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Row> {
        self.figures.iter().find(|r| r.name == name)
    }
}

fn notes(old: &Earlier, summary: &Summary, window: Option<&Window>) -> Vec<String> {
    let mut notes = Vec::new();
    let prices = &summary.prices.snapshot;
    if old.prices.as_ref().is_some_and(|p| p != prices) {
        let then = crate::report::escape::visible(old.prices.as_deref().unwrap_or_default());
        notes.push(format!("prices of {then} then, of {prices} now: part of a change in money may be the prices'"));
    }
    if old.as_of.is_some_and(|t| t >= summary.as_of) {
        notes.push("the report that is compared with is not older than this one".to_owned());
    }
    match (old.window, window) {
        (Some(_), None) => notes.push("the older report is of a stretch of time, this one is of all runs".to_owned()),
        (None, Some(_)) => notes.push("the older report is of all runs, this one is of a stretch of time".to_owned()),
        (Some((a, b)), Some(w)) => {
            let (then, now) = (b.seconds_since(a), w.to.seconds_since(w.from));
            if (then - now).abs() > 3_600.0 {
                notes.push(format!("{} then against {} now", crate::trace::span(then), crate::trace::span(now)));
            }
            if b > w.from && a < w.to && b.seconds_since(w.from) > 3_600.0 {
                notes.push("the two stretches of time overlap".to_owned());
            }
        }
        (None, None) => {}
    }
    notes
}

/// `less` is the news that a smaller figure is.
fn row(name: &'static str, before: Option<Value>, after: Option<Value>, complete: (bool, bool), less: Direction) -> Row {
    let number = |v: Value| match v {
        #[expect(clippy::cast_precision_loss, reason = "a number of runs")]
        Value::Count(n) => n as f64,
        Value::Usd(m) => m.to_f64(),
        Value::Seconds(s) => s,
    };
    let change = match (before, after, complete) {
        (Some(b), Some(a), (true, true)) => {
            let exact = match (b, a) {
                (Value::Usd(b), Value::Usd(a)) => (a - b).to_f64(),
                _ => number(a) - number(b),
            };
            let direction = match (exact.total_cmp(&0.0), less) {
                (std::cmp::Ordering::Equal, _) => Direction::Same,
                (_, Direction::Neutral) => Direction::Neutral,
                (std::cmp::Ordering::Less, Direction::Better) | (std::cmp::Ordering::Greater, Direction::Worse) => Direction::Better,
                _ => Direction::Worse,
            };
            Some(Change { by: exact, share: (number(b) > 0.0).then(|| exact / number(b)), direction })
        }
        _ => None,
    };
    Row { name, before, after, complete, change }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_needs_both_sides_and_all_of_them() {
        let usd = |n: &str| Some(Value::Usd(n.parse().unwrap()));
        let change = |b, a, complete, less| row("x", b, a, complete, less).change;
        let c = change(usd("4"), usd("3"), (true, true), Direction::Better).unwrap();
        assert_eq!((c.by, c.share, c.direction), (-1.0, Some(-0.25), Direction::Better));
        assert_eq!(change(usd("4"), usd("3"), (false, true), Direction::Better), None);
        assert_eq!(change(None, usd("3"), (true, true), Direction::Better), None);
        let c = change(Some(Value::Count(0)), Some(Value::Count(2)), (true, true), Direction::Worse).unwrap();
        assert_eq!((c.by, c.share, c.direction), (2.0, None, Direction::Better));
    }
}
