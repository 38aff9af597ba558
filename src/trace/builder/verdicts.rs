//! What a check said: the colour of an iteration and the failure behind it.

use super::index;
use super::part::Part;
use crate::format::json::hash;
use crate::trace::Name;
use crate::trace::event::{Counts, EndKind};
use crate::trace::rows::Colour;
use crate::trace::signature::{self, Reading};
use std::borrow::Cow;
use std::collections::HashMap;

/// The newest colour of each named check of an iteration, with how many there are of each: an iteration may run thousands.
#[derive(Debug, Default)]
pub(super) struct Newest {
    of: HashMap<Option<Name>, Colour>,
    red: u32,
    unjudged: u32,
    green: u32,
}

impl Newest {
    /// Takes a check's colour and returns that of the iteration: red before unjudged before green.
    fn take(&mut self, name: Option<Name>, colour: Colour) -> Colour {
        if let Some(before) = self.of.insert(name, colour)
            && let Some(count) = self.count(before)
        {
            *count -= 1;
        }
        if let Some(count) = self.count(colour) {
            *count += 1;
        }
        match self {
            Newest { red: 1.., .. } => Colour::Red,
            Newest { unjudged: 1.., .. } => Colour::NoVerdict,
            Newest { green: 1.., .. } => Colour::Green,
            _ => Colour::Unknown,
        }
    }

    fn count(&mut self, colour: Colour) -> Option<&mut u32> {
        match colour {
            Colour::Red => Some(&mut self.red),
            Colour::NoVerdict => Some(&mut self.unjudged),
            Colour::Green => Some(&mut self.green),
            Colour::Unknown => None,
        }
    }
}

impl Part {
    /// What a check's text says. A loop that does not get on writes the same failure again and again: it is read once.
    fn reading(&mut self, text: &str) -> Reading {
        if let Some((known, reading)) = &self.last_reading
            && **known == *text
        {
            return reading.clone();
        }
        let reading = signature::read(text.as_bytes(), &[]);
        self.last_reading = Some((text.into(), reading.clone()));
        reading
    }

    /// `agent_call` alone means that the check before it was red; a `check` record decides over it.
    pub(super) fn judge_by_call(&mut self, step: u32, iteration: usize, failure: &str, own: Option<&str>, counts: Counts) {
        let judged = self.trace.iterations[iteration].verdict_step.is_some();
        if judged && self.trace.iterations[iteration].coarse != 0 {
            return;
        }
        let reading = self.reading(failure);
        let colour = if reading.infrastructure.is_some() { Colour::NoVerdict } else { Colour::Red };
        let row = &mut self.trace.iterations[iteration];
        if !judged {
            row.verdict_step = Some(step);
            row.work_from = step;
            row.colour = colour;
        } else if row.colour == Colour::Green {
            return;
        }
        self.describe(iteration, failure, &reading, own, counts);
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one record")]
    pub(super) fn judge_by_check(
        &mut self,
        step: u32,
        iteration: usize,
        green: Option<bool>,
        exit_code: Option<i32>,
        text: &str,
        own: Option<&str>,
        mut counts: Counts,
        named: bool,
    ) -> Colour {
        let reading = self.reading(text);
        counts.exit_code = counts.exit_code.or(exit_code);
        // A pipe hides the exit code; what the record or the runner counts does not.
        let counted =
            counts.failures.filter(|n| *n > 0).map(|_| false).or(reading.verdict.filter(|green| !green && reading.failed.is_some()));
        let says = counted
            .or(exit_code.map(|code| code == 0))
            .or(green)
            .or_else(|| counts.failures.map(|n| n == 0))
            .or(reading.verdict)
            .or_else(|| word_of_colour(text));
        let colour = match says {
            Some(true) => Colour::Green,
            Some(false) if reading.infrastructure.is_some() => Colour::NoVerdict,
            Some(false) => Colour::Red,
            None if reading.infrastructure.is_some() => Colour::NoVerdict,
            None => Colour::Unknown,
        };
        let row = &mut self.trace.iterations[iteration];
        if !named {
            row.colour = colour;
        }
        row.verdict_step = Some(step);
        row.work_from = step + 1;
        if colour != Colour::Unknown {
            self.describe(iteration, text, &reading, own, counts);
        }
        colour
    }

    /// With several named checks an iteration is green when the newest of each is.
    pub(super) fn recolour(&mut self, iteration: usize, name: Option<Name>, colour: Colour) {
        let colour = self.newest.take(name, colour);
        self.trace.iterations[iteration].colour = colour;
    }

    /// `green` passes its iteration; `stuck` carries the failure that fired it.
    pub(super) fn judge_by_end(&mut self, step: u32, iteration: usize, how: EndKind, text: &str) {
        let row = &self.trace.iterations[iteration];
        match how {
            EndKind::Green if row.verdict_step.is_none() => {
                let row = &mut self.trace.iterations[iteration];
                row.colour = Colour::Green;
                row.verdict_step = Some(step);
                row.work_from = step + 1;
            }
            // a retry in the same iteration: the call was red, the check after it is green
            EndKind::Green if row.colour != Colour::Green && !self.trace.checks.iter().any(|c| c.step >= row.first_step) => {
                let row = &mut self.trace.iterations[iteration];
                row.colour = Colour::Green;
                row.verdict_step = Some(step);
                row.work_from = step + 1;
            }
            EndKind::Stuck if row.verdict_step.is_none() && !text.trim().is_empty() => {
                self.judge_by_call(step, iteration, text, None, Counts::default());
            }
            _ => {}
        }
    }

    /// Puts what a failing check said into its iteration.
    pub(super) fn describe(&mut self, iteration: usize, text: &str, reading: &Reading, own: Option<&str>, counts: Counts) {
        let first = index(self.trace.failure_keys.len());
        if counts.failing.is_empty() {
            self.trace.failure_keys.extend(reading.failures.iter().map(|f| f.key));
        } else {
            self.trace.failure_keys.extend(counts.failing.iter().map(|name| hash(name.as_bytes())));
        }
        let keys = &mut self.trace.failure_keys[first as usize..];
        keys.sort_unstable();
        let known = index(keys.len());
        let commit = counts.commit.map(|c| self.trace.names.intern(&c));
        let row = &mut self.trace.iterations[iteration];
        row.failures = (first, first + known);
        // A text that names one failure shows the first of nobody knows how many: its count is no count.
        let first_only = reading.passed.is_none() && reading.failed == Some(1) && reading.failures.len() == 1;
        let read = reading.failed.filter(|_| !first_only);
        row.failed = counts.failures.or(read).or((!counts.failing.is_empty()).then_some(known));
        row.passed = reading.passed.or(row.passed);
        row.set_known =
            !counts.failing.is_empty() || known > 1 && row.failed.is_none_or(|n| n == known) || known == 1 && row.failed == Some(1);
        row.stage = reading.stage;
        row.infra = reading.infrastructure;
        row.commit = commit.or(row.commit);
        let silent = text.trim().is_empty();
        (row.coarse, row.fine) = match own {
            Some(own) if silent => (hash(own.as_bytes()), hash(own.as_bytes())),
            _ if !counts.failing.is_empty() && silent => {
                let all = hash(counts.failing.join("\n").as_bytes());
                (all, all)
            }
            // Red with an empty set: the exit code stands for the failure.
            _ if silent => counts.exit_code.map_or((0, 0), |code| (hash(&code.to_le_bytes()), hash(&code.to_le_bytes()))),
            _ => (reading.coarse(), reading.fine()),
        };
    }
}

/// A check record that says its colour in a word.
fn word_of_colour(text: &str) -> Option<bool> {
    let word: Cow<'_, str> = text.split(|c: char| !c.is_ascii_alphabetic()).find(|w| !w.is_empty())?.to_ascii_lowercase().into();
    match word.as_ref() {
        "green" | "pass" | "passed" | "ok" | "success" => Some(true),
        "red" | "fail" | "failed" | "failing" | "error" => Some(false),
        _ => None,
    }
}
