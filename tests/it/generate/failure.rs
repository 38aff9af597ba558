//! Failures of a check: what stays the same in one, and what changes each time
//! that it is printed.

use std::collections::HashSet;

use super::dice::Dice;
use super::runners;
use super::volatile;
use super::words::{MODULES, NOUNS, OUTAGE_LIKE, VERBS};

/// One failure. Two are the same failure exactly when their keys are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// Test id, or error code with file or symbol: all that a signature keeps.
    pub key: String,
    /// The text as the runner prints it, with `«…»` where it changes.
    pub template: String,
    /// Only a number in its name tells it from others of its run.
    pub twin: bool,
}

impl Failure {
    /// The text of one printing.
    pub(super) fn print(&self, dice: &mut Dice) -> String {
        volatile::fill(&self.template, dice)
    }

    /// The first line of one printing.
    pub(super) fn print_first_line(&self, dice: &mut Dice) -> String {
        let text = self.print(dice);
        text.lines().next().unwrap_or_default().to_owned()
    }
}

/// The names that one failure is made of.
pub(super) struct Names {
    pub module: String,
    pub test: String,
    pub number: usize,
    /// True where only a number tells this failure from the others.
    pub twin: bool,
}

/// Failures of one run: one runner, one way of printing, never the same twice.
pub(super) struct Pool {
    dialect: runners::Dialect,
    twins: Option<(String, String)>,
    next_twin: usize,
    used: HashSet<String>,
}

impl Pool {
    /// Draws the runner and the way it prints.
    pub(super) fn new(dice: &mut Dice) -> Self {
        let dialect = runners::Dialect::draw(dice);
        let twins = (dialect.allows_twins() && dice.chance(0.25)).then(|| {
            let module = dice.pick(MODULES).to_owned();
            let test = format!("{}_{}", dice.pick(VERBS), dice.pick(NOUNS));
            (module, test)
        });
        Self { dialect, twins, next_twin: dice.between(1, 40), used: HashSet::new() }
    }

    /// A failure that this run has not had.
    pub(super) fn fresh(&mut self, dice: &mut Dice) -> Failure {
        loop {
            let names = self.names(dice);
            let failure = self.dialect.failure(&names, dice);
            if self.used.insert(failure.key.clone()) {
                return failure;
            }
        }
    }

    /// `n` failures, all different.
    pub(super) fn several(&mut self, n: usize, dice: &mut Dice) -> Vec<Failure> {
        (0..n).map(|_| self.fresh(dice)).collect()
    }

    fn names(&mut self, dice: &mut Dice) -> Names {
        // Twins come one after the other, as the cases of a table do.
        self.next_twin += 1;
        let number = self.next_twin;
        if let Some((module, test)) = &self.twins {
            return Names { module: module.clone(), test: test.clone(), number, twin: true };
        }
        let test = if dice.chance(0.08) { dice.pick(OUTAGE_LIKE).to_owned() } else { format!("{}_{}", dice.pick(VERBS), dice.pick(NOUNS)) };
        Names { module: dice.pick(MODULES).to_owned(), test, number, twin: false }
    }
}
