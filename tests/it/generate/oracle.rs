//! The rules, applied to a plan: no logger, no noise, no text.
//!
//! Outages can be read in two ways (they break a row of reds, or they are
//! passed over), and a class must hold in both.

use super::failure::Failure;
use super::plan::{Colour, Plan, Step};

/// One red iteration as the rules see it.
#[derive(Clone)]
pub(super) struct Red {
    pub signature: String,
    pub count: Option<usize>,
    /// Keys of the whole failing set, if it is known.
    set: Vec<String>,
}

impl Red {
    fn of(step: &Step, failure: &Failure) -> Self {
        let set: Vec<String> = step.set.iter().map(|failure| failure.key.clone()).collect();
        let signature = if set.is_empty() { failure.key.clone() } else { set.join("\n") };
        Self { signature, count: step.count, set }
    }
}

/// The reds of a plan with its outages passed over.
pub(super) fn passed_over(plan: &Plan) -> Vec<Red> {
    plan.steps.iter().filter_map(|step| step.failure().map(|failure| Red::of(step, failure))).collect()
}

/// The last row of reds that no outage breaks.
pub(super) fn last_row(plan: &Plan) -> Vec<Red> {
    let from = plan.steps.iter().rposition(|step| matches!(step.colour, Colour::Outage(..))).map_or(0, |at| at + 1);
    plan.steps[from..].iter().filter_map(|step| step.failure().map(|failure| Red::of(step, failure))).collect()
}

/// Length of the row of equal failures that ends at `end` (exclusive) and in
/// which no number falls.
pub(super) fn equal_row(reds: &[Red], end: usize) -> usize {
    let mut length = usize::from(end > 0);
    while length > 0 && length < end {
        let (later, earlier) = (&reds[end - length], &reds[end - length - 1]);
        if later.signature != earlier.signature || later.count < earlier.count {
            break;
        }
        length += 1;
    }
    length
}

/// The longest row of equal failures anywhere.
pub(super) fn longest_equal(reds: &[Red]) -> usize {
    (0..=reds.len()).map(|end| equal_row(reds, end)).max().unwrap_or(0)
}

/// True if the reds before `end` close with two full returns of some period.
pub(super) fn cycles_at(reds: &[Red], end: usize) -> bool {
    (2..=4).any(|period| {
        let needed = 2 * period + 1;
        if end < needed {
            return false;
        }
        let part = &reds[end - needed..end];
        let repeats = (period..needed).all(|at| part[at].signature == part[at - period].signature);
        let constant = part.iter().all(|red| red.signature == part[0].signature);
        repeats && !constant
    })
}

/// True if there are such returns anywhere.
pub(super) fn cycles(reds: &[Red]) -> bool {
    (0..=reds.len()).any(|end| cycles_at(reds, end))
}

/// Which of the reds gain: a new best, or a failure of a known set that is gone
/// for good.
fn gains(reds: &[Red]) -> Vec<bool> {
    let mut best = usize::MAX;
    reds.iter()
        .enumerate()
        .map(|(at, red)| {
            let fewer = red.count.is_some_and(|count| count < best);
            best = best.min(red.count.unwrap_or(best));
            let fixed = at > 0 && reds[at - 1].set.iter().any(|key| reds[at..].iter().all(|later| !later.set.contains(key)));
            at > 0 && (fewer || fixed)
        })
        .collect()
}

/// True if the reds, taken as one row, walk at random by their end.
pub(super) fn walks(reds: &[Red]) -> bool {
    let known = reds.iter().all(|red| red.count.is_some());
    let needed = if known { 5 } else { 10 };
    if reds.len() < needed {
        return false;
    }
    let mut distinct: Vec<&str> = reds.iter().map(|red| red.signature.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let gains = gains(reds);
    let window = reds.len().min(6);
    distinct.len() * 5 >= reds.len() * 4 && !gains[gains.len() - window..].contains(&true)
}

/// True if they do so by any iteration.
pub(super) fn ever_walks(reds: &[Red]) -> bool {
    (1..=reds.len()).any(|end| walks(&reds[..end]))
}

/// Mann–Kendall S of the counts: positive when they rise on the whole.
pub(super) fn trend(reds: &[Red]) -> i64 {
    let counts: Vec<usize> = reds.iter().filter_map(|red| red.count).collect();
    let mut sum = 0;
    for (at, early) in counts.iter().enumerate() {
        for late in &counts[at + 1..] {
            sum += i64::from(late > early) - i64::from(late < early);
        }
    }
    sum
}
