//! Runs by what they have in common: what a group cost, what it wasted, and what a green cost it. Sums are taken from
//! integers, run by run, so that no run has to be kept.

use crate::diagnose::{Confidence, Ending, Health, Kind, WasteState};
use crate::fleet::names;
use crate::report::model::{Cost, CostStatus, RunReport};
use crate::trace::Money;
use chrono::{Datelike as _, TimeZone as _};
use chrono_tz::Tz;
use serde::Serialize;
use std::collections::BTreeMap;

/// Something that runs can be grouped by.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    of: fn(&RunReport, Tz) -> Option<String>,
}

/// Everything that runs can be grouped by.
pub static KEYS: &[Key] = &[
    Key { name: "agent", about: "the format that tells the run's course", of: |r, _| Some(r.agent.to_owned()) },
    Key { name: "model", about: "the run's models, joined", of: |r, _| (!r.models.is_empty()).then(|| r.models.join(", ")) },
    Key { name: "ending", about: "how it ended", of: |r, _| r.ending.map(|e| Ending::id(e).to_owned()) },
    Key { name: "mode", about: "the primary mode", of: |r, _| r.mode.map(|m| Kind::id(m).to_owned()) },
    Key { name: "health", about: "healthy, failing or inconclusive", of: |r, _| Some(Health::word(r.health).to_owned()) },
    Key { name: "confidence", about: "how sure the mode is", of: |r, _| r.confidence.map(|c| Confidence::word(c).to_owned()) },
    Key { name: "next", about: "what to do next", of: |r, _| Some(r.next_action.kind.id().to_owned()) },
    Key { name: "loop", about: "the loop that it is an execution of", of: |r, _| names::loop_of(r) },
    Key { name: "folder", about: "the first folder below the argument", of: |r, _| names::folder(r) },
    Key { name: "project", about: "the folder in which the agent keeps the project's sessions", of: |r, _| names::project(r) },
    Key { name: "day", about: "the day of its start, in the zone of --tz", of: |r, zone| date(r, zone, "%Y-%m-%d") },
    Key { name: "week", about: "the ISO week of its start, in the zone of --tz", of: |r, zone| date(r, zone, "%G-W%V") },
];

fn date(run: &RunReport, zone: Tz, form: &str) -> Option<String> {
    let at = chrono::Utc.timestamp_millis_opt(run.started?.0).single()?.with_timezone(&zone);
    (at.year() > 0).then(|| at.format(form).to_string())
}

/// The key of a name.
#[must_use]
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|k| k.name == name)
}

/// From this many values on the middle is worth saying.
const ENOUGH_FOR_P50: usize = 5;
/// From this many values on one in ten is.
const ENOUGH_FOR_P90: usize = 20;

/// Quantiles of a group's runs: the smallest value that at least this part of the values does not exceed (nearest rank), so
/// it is always a value that occurred. Null where there are too few: 5 for the median, 20 for P90.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Quantiles<T> {
    /// How many values there are.
    pub n: usize,
    /// The median.
    pub p50: Option<T>,
    /// Nine of ten are no larger.
    pub p90: Option<T>,
}

impl<T: Ord + Copy> Quantiles<T> {
    fn of(values: &mut [T]) -> Self {
        values.sort_unstable();
        let n = values.len();
        let rank = |percent: usize, enough: usize| {
            let at = (n * percent).div_ceil(100).saturating_sub(1);
            values.get(at).copied().filter(|_| n >= enough)
        };
        Self { n, p50: rank(50, ENOUGH_FOR_P50), p90: rank(90, ENOUGH_FOR_P90) }
    }
}

/// What a group of runs wasted.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GroupWaste {
    /// Money.
    pub usd: Option<Money>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Seconds, dead time included.
    pub seconds: Option<f64>,
    /// Runs whose waste cannot be said.
    pub runs_unavailable: u64,
}

/// What a group of runs cost.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GroupCost {
    /// `known` only if every run's cost is.
    pub status: CostStatus,
    /// The sum, as far as it is known.
    pub usd: Option<Money>,
    /// Runs whose cost is not, or not wholly, known.
    pub runs_not_known: u64,
}

/// A group of runs.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// What its runs have in common, by key; null where a run has no such thing.
    pub key: BTreeMap<&'static str, Option<String>>,
    /// Runs.
    pub runs: u64,
    /// Runs that succeeded.
    pub green: u64,
    /// Runs that failed.
    pub failing: u64,
    /// Iterations.
    pub iterations: u64,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: GroupCost,
    /// Waste.
    pub waste: GroupWaste,
    /// All that the group cost, for each of its greens, cut to the pico-dollar; null without a green or a cost.
    pub usd_per_green: Option<Money>,
    /// Cost of its runs, of those whose cost is known.
    pub cost_quantiles: Quantiles<Money>,
    /// Iterations of its runs.
    pub iteration_quantiles: Quantiles<u32>,
}

#[derive(Default)]
struct Sum {
    runs: u64,
    green: u64,
    failing: u64,
    iterations: u64,
    tokens: Option<u64>,
    usd: Option<Money>,
    not_known: u64,
    waste: GroupWaste,
    costs: Vec<Money>,
    lengths: Vec<u32>,
}

/// Groups while runs go by.
pub struct Groups {
    keys: Vec<&'static Key>,
    zone: Tz,
    sums: BTreeMap<Vec<Option<String>>, Sum>,
}

impl Groups {
    /// By these keys; days are cut in `zone`.
    #[must_use]
    pub fn new(keys: Vec<&'static Key>, zone: Tz) -> Self {
        Self { keys, zone, sums: BTreeMap::new() }
    }

    /// The names of the keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|k| k.name)
    }

    /// Takes a run in.
    pub fn add(&mut self, run: &RunReport) {
        let key: Vec<Option<String>> = self.keys.iter().map(|k| (k.of)(run, self.zone)).collect();
        let s = self.sums.entry(key).or_default();
        s.runs += 1;
        s.green += u64::from(run.ending == Some(Ending::Succeeded));
        s.failing += u64::from(run.health == Health::Failing);
        s.iterations += u64::from(run.iterations);
        s.lengths.push(run.iterations);
        s.tokens = plus(s.tokens, run.tokens.tokens.total(), u64::saturating_add);
        s.usd = plus(s.usd, run.cost.usd, |a, b| a + b);
        s.not_known += u64::from(run.cost.status != CostStatus::Known);
        if let Cost { status: CostStatus::Known, usd: Some(usd), .. } = run.cost {
            s.costs.push(usd);
        }
        s.waste.usd = plus(s.waste.usd, run.waste.usd, |a, b| a + b);
        s.waste.tokens = plus(s.waste.tokens, run.waste.tokens, u64::saturating_add);
        s.waste.seconds = plus(s.waste.seconds, run.waste.seconds, |a, b| a + b);
        s.waste.runs_unavailable += u64::from(run.waste.state == WasteState::Unavailable);
    }

    /// The groups, the most expensive first; of equal ones by key.
    #[must_use]
    pub fn finish(self) -> Vec<Group> {
        let names: Vec<&'static str> = self.keys.iter().map(|k| k.name).collect();
        let mut groups: Vec<Group> = self.sums.into_iter().map(|(key, sum)| group(names.iter().copied().zip(key).collect(), sum)).collect();
        groups.sort_by_key(|g| std::cmp::Reverse(g.cost.usd));
        groups
    }
}

fn group(key: BTreeMap<&'static str, Option<String>>, mut s: Sum) -> Group {
    let status = match s.usd {
        None => CostStatus::Unknown,
        Some(_) if s.not_known > 0 => CostStatus::AtLeast,
        Some(_) => CostStatus::Known,
    };
    Group {
        key,
        runs: s.runs,
        green: s.green,
        failing: s.failing,
        iterations: s.iterations,
        tokens: s.tokens,
        cost: GroupCost { status, usd: s.usd, runs_not_known: s.not_known },
        waste: s.waste,
        usd_per_green: s.usd.filter(|_| s.green > 0).map(|usd| Money(usd.0 / i128::from(s.green))),
        cost_quantiles: Quantiles::of(&mut s.costs),
        iteration_quantiles: Quantiles::of(&mut s.lengths),
    }
}

fn plus<T>(a: Option<T>, b: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occurred_and_want_enough_of_them() {
        let of = |n: u32| Quantiles::of(&mut (1..=n).rev().collect::<Vec<_>>());
        assert_eq!(of(0), Quantiles { n: 0, p50: None, p90: None });
        assert_eq!(of(4), Quantiles { n: 4, p50: None, p90: None });
        // nearest rank: ceil(0.5 * 5) = 3rd
        assert_eq!(of(5), Quantiles { n: 5, p50: Some(3), p90: None });
        assert_eq!(of(19), Quantiles { n: 19, p50: Some(10), p90: None });
        // ceil(0.9 * 20) = 18th, ceil(0.9 * 21) = 19th
        assert_eq!(of(20), Quantiles { n: 20, p50: Some(10), p90: Some(18) });
        assert_eq!(of(21), Quantiles { n: 21, p50: Some(11), p90: Some(19) });
    }

    #[test]
    fn keys_have_names_of_their_own() {
        let mut names: Vec<_> = KEYS.iter().map(|k| k.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KEYS.len());
    }
}
