//! A run as it was meant, before any logger has touched it.

use std::ops::Range;

use super::Truth;
use super::calls::Call;
use super::dice::Dice;
use super::failure::Failure;
use super::infra::{self, Outage};

/// What the check said in one iteration.
#[derive(Clone, Debug)]
pub(super) enum Colour {
    Red(Failure),
    /// The surroundings failed: no verdict.
    Outage(Outage, &'static str),
    Green,
}

/// One iteration.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub colour: Colour,
    /// Number of failing tests, where the log is to know it.
    pub count: Option<usize>,
    /// The whole failing set, where the log is to know it.
    pub set: Vec<Failure>,
    /// Length in seconds; drawn like the others' where it is `None`.
    pub seconds: Option<f64>,
    /// Tool calls that the class is about; ordinary work is added as noise.
    pub calls: Vec<Call>,
    /// Retries of the agent's service that end the iteration.
    pub retries: usize,
    /// The loop lay still for hours before this iteration and was resumed.
    pub resumed: bool,
}

impl Step {
    fn of(colour: Colour) -> Self {
        Self { colour, count: None, set: Vec::new(), seconds: None, calls: Vec::new(), retries: 0, resumed: false }
    }

    pub(super) fn red(failure: &Failure) -> Self {
        Self::of(Colour::Red(failure.clone()))
    }

    pub(super) fn green() -> Self {
        Self::of(Colour::Green)
    }

    pub(super) fn outage(kind: Outage, template: &'static str) -> Self {
        Self::of(Colour::Outage(kind, template))
    }

    pub(super) fn counted(mut self, count: usize) -> Self {
        self.count = Some(count);
        self
    }

    /// The failure, if the iteration is red.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.colour {
            Colour::Red(failure) => Some(failure),
            _ => None,
        }
    }
}

/// The record that ends a finished run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Green,
    IterLimit,
    /// In place of the agent's call of the last iteration.
    Stuck,
    RewardHack,
    AbortedByPerson,
    AbortedByGuard,
}

/// How the log ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Stop(Stop),
    /// Nothing more, and long ago.
    Silence(Silence),
    /// Nothing more yet: the last event is fresh.
    Fresh,
}

/// What the last moments of a dead run look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The last iteration breaks off anywhere.
    Anywhere,
    /// The last iteration is whole, or lacks only its last call's result.
    AfterCalls,
    /// Exit code 124 or 137 is the last thing known.
    Killed,
    /// Nothing follows the last retry.
    Retries,
    /// As `Anywhere`, and the heartbeat goes on.
    Zombie,
}

/// What a class needs of the log, whatever the noise.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Fields beyond the minimal four.
    pub extended: bool,
    /// `check` events.
    pub checks: bool,
    pub money: Money,
    /// `costUsd` of a budget file.
    pub budget_usd: Option<f64>,
    /// Kept commits count as gain: only runs that gain may show them.
    pub commits: bool,
    /// The loop logs `green` and goes on.
    pub green_each_time: bool,
}

/// How much the run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Money {
    /// Little, and the log may know it or not.
    #[default]
    Little,
    /// About so many USD, and the log knows it.
    About(f64),
    /// The log knows neither cost nor tokens.
    Unknown,
}

/// A run as it was meant.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    pub end: End,
    /// Iterations that belong together: no hiccup may come between them.
    pub keep: Range<usize>,
    pub needs: Needs,
    pub truth: Truth,
}

impl Plan {
    pub(super) fn new(steps: Vec<Step>, end: End, truth: Truth) -> Self {
        Self { steps, end, keep: 0..0, needs: Needs::default(), truth }
    }

    /// Protects everything from iteration index `from` to the end.
    pub(super) fn keep_from(mut self, from: usize) -> Self {
        self.keep = from..self.steps.len();
        self
    }

    /// True if the whole failing set is on record somewhere.
    pub(super) fn has_sets(&self) -> bool {
        self.steps.iter().any(|step| !step.set.is_empty())
    }

    /// True if failures differ by nothing but a number somewhere.
    pub(super) fn has_twins(&self) -> bool {
        self.steps.iter().filter_map(Step::failure).any(|failure| failure.twin)
    }

    /// True if counts of failing tests are on record.
    pub(super) fn has_counts(&self) -> bool {
        self.steps.iter().any(|step| step.count.is_some())
    }

    /// True if the class itself is about tool calls.
    pub(super) fn has_calls(&self) -> bool {
        self.steps.iter().any(|step| !step.calls.is_empty())
    }

    /// Puts one or two outages of one or two iterations between others.
    ///
    /// Never inside what belongs together, never at the end.
    pub(super) fn add_hiccups(&mut self, dice: &mut Dice) {
        for _ in 0..dice.between(1, 2) {
            let places: Vec<usize> = (0..self.steps.len())
                .filter(|&at| at <= self.keep.start || at >= self.keep.end)
                .filter(|&at| !self.beside_outage(at))
                .collect();
            if places.is_empty() {
                return;
            }
            let at = dice.pick_copy(&places);
            let kind = dice.pick_copy(&[Outage::Api, Outage::Check]);
            let template = infra::draw(kind, dice);
            let length = dice.between(1, 2);
            for _ in 0..length {
                self.steps.insert(at, Step::outage(kind, template));
            }
            if at <= self.keep.start {
                self.keep = self.keep.start + length..self.keep.end + length;
            }
        }
    }

    /// Two short outages must not grow into a long one.
    fn beside_outage(&self, at: usize) -> bool {
        [at.checked_sub(1), Some(at)]
            .into_iter()
            .flatten()
            .any(|near| matches!(self.steps.get(near).map(|step| &step.colour), Some(Colour::Outage(..))))
    }
}
