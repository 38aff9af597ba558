//! A run as its tables need it: what several columns share is worked out once.

use crate::analysis::Examined;
use crate::fleet::names;
use crate::report::build;
use crate::trace::rows::{Action, Booking, Check, Iteration, Step};
use crate::trace::{Money, Place, Time, Tokens};

/// Characters of a failure's text.
const FAILURE: usize = 160;

/// What an iteration's records add up to.
#[derive(Default, Clone)]
pub(super) struct Sums {
    pub(super) calls: u32,
    pub(super) tool_calls: u32,
    pub(super) tokens: Tokens,
    pub(super) spent: Option<Money>,
}

/// A row of `calls`.
pub(super) struct Call<'a> {
    pub(super) step: u32,
    pub(super) booking: Option<&'a Booking>,
    pub(super) counts: bool,
}

/// One run, ready to be read into tables.
pub struct View<'a> {
    pub(super) of: &'a Examined,
    pub(super) id: String,
    paths: Vec<String>,
    sums: Vec<Sums>,
    calls: Vec<Call<'a>>,
}

impl<'a> View<'a> {
    /// Of a run.
    #[must_use]
    pub fn new(of: &'a Examined) -> Self {
        let trace = &of.trace;
        let paths = trace.sources.iter().map(|s| names::path(&s.shown)).collect();
        let mut view = Self { of, id: names::id(&of.report.run), paths, sums: Vec::new(), calls: Vec::new() };
        view.calls = calls(of);
        view.sums = vec![Sums::default(); trace.iterations.len()];
        for call in &view.calls {
            let Some(sum) = view.of.trace.step(call.step).and_then(|s| view.sums.get_mut(s.iteration as usize)) else { continue };
            sum.calls += u32::from(call.counts);
            if let Some(b) = call.booking {
                sum.tokens.add(&b.tokens);
                sum.spent = [sum.spent, b.spent].into_iter().flatten().reduce(|a, b| a + b);
            }
        }
        for action in &trace.actions {
            if let Some(sum) = trace.step(action.step).and_then(|s| view.sums.get_mut(s.iteration as usize)) {
                sum.tool_calls += 1;
            }
        }
        view
    }

    pub(super) fn iterations(&self) -> usize {
        self.of.trace.iterations.len()
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn actions(&self) -> usize {
        self.of.trace.actions.len()
    }

    pub(super) fn checks(&self) -> usize {
        self.of.trace.checks.len()
    }

    pub(super) fn findings(&self) -> usize {
        self.of.report.findings.len()
    }

    /// How a place's source is named.
    pub(super) fn path(&self, place: Place) -> Option<&str> {
        self.paths.get(place.source as usize).map(String::as_str)
    }

    /// The failure that a record tells of.
    pub(super) fn failure(&self, place: Place) -> Option<String> {
        Some(build::gist(&self.of.trace, place, FAILURE)).filter(|g| !g.is_empty())
    }
}

/// The calls that a run's figure counts, and the records beside them that book something, by step.
fn calls(of: &Examined) -> Vec<Call<'_>> {
    let trace = &of.trace;
    let mut bookings = trace.bookings.iter().collect::<Vec<_>>();
    bookings.sort_by_key(|b| b.step);
    let mut bookings = bookings.into_iter().peekable();
    let mut rows = Vec::new();
    for (step, row) in (0_u32..).zip(&trace.steps) {
        let mut counts = trace.is_call(row.kind);
        while let Some(booking) = bookings.next_if(|b| b.step <= step) {
            rows.push(Call { step, booking: Some(booking), counts });
            counts = false;
        }
        if counts {
            rows.push(Call { step, booking: None, counts });
        }
    }
    rows
}

/// A row of a table: the run and the row's number within it. Tables ask only for rows that they counted.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) run: &'a View<'a>,
    pub(super) row: usize,
}

impl<'a> At<'a> {
    /// From 1.
    pub(super) fn number(self) -> Option<usize> {
        Some(self.row + 1)
    }

    pub(super) fn iteration(self) -> Option<&'a Iteration> {
        self.run.of.trace.iterations.get(self.row)
    }

    pub(super) fn sums(self) -> Option<&'a Sums> {
        self.run.sums.get(self.row)
    }

    pub(super) fn call(self) -> Option<&'a Call<'a>> {
        self.run.calls.get(self.row)
    }

    pub(super) fn booking(self) -> Option<&'a Booking> {
        self.call()?.booking
    }

    pub(super) fn action(self) -> Option<&'a Action> {
        self.run.of.trace.actions.get(self.row)
    }

    pub(super) fn check(self) -> Option<&'a Check> {
        self.run.of.trace.checks.get(self.row)
    }

    pub(super) fn step(self, step: Option<u32>) -> Option<&'a Step> {
        self.run.of.trace.step(step?)
    }

    pub(super) fn at(self, step: Option<u32>) -> Option<Time> {
        self.step(step)?.at
    }

    /// The number of the iteration that a step belongs to.
    pub(super) fn in_iteration(self, step: Option<u32>) -> Option<u32> {
        self.run.of.trace.iteration_number(step?)
    }
}
