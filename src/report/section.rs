//! What a weekly report shows of one run beyond its row: the course of its iterations, its failures, its charts. Taken
//! from the rows while they are there, so that no trace has to be kept.

use crate::analysis::Examined;
use crate::diagnose::Health;
use crate::fleet::week::{Saving, Stop, Trials};
use crate::report::build::gist;
use crate::report::chart;
use crate::report::chart::spec::{Cell, Chart};
use crate::trace::rows::{Booking, Colour, StepKind};
use crate::trace::{Money, Place, Time, Trace};
use std::collections::HashMap;

/// What is shown of a run.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Its iterations.
    pub passes: Vec<Pass>,
    /// Its failures, in the order in which they first came.
    pub failures: Vec<Failure>,
    /// The longest silences between beats: from when, how many seconds.
    pub gaps: Vec<(Time, f64)>,
    /// How long it may be silent, in words.
    pub horizon: Box<str>,
    /// Charts.
    pub charts: Vec<Chart>,
    /// Its row in the barcode of all runs.
    pub cells: chart::runs::Cells,
    /// Where guards would have stopped it.
    pub trials: Trials,
}

/// An iteration.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Its number.
    pub number: u32,
    /// First record.
    pub start: Option<Time>,
    /// Last record.
    pub end: Option<Time>,
    /// What the check said; equal numbers are equal failures, by index into [`Section::failures`].
    pub cell: Cell,
    /// It gained something.
    pub gain: bool,
    /// What it cost, as far as that is known.
    pub usd: Option<Money>,
    /// Tokens, as far as they are known.
    pub tokens: Option<u64>,
    /// Line of its verdict, in the source of this index.
    pub place: Place,
}

/// A failure.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Coarse signature: the same in all runs.
    pub signature: u64,
    /// What it says, redacted and harmless; empty where it is not among the most frequent.
    pub text: Box<str>,
    /// In how many iterations.
    pub count: u32,
    /// Where it first stood.
    pub place: Place,
}

/// Failures whose text is fetched.
const TOLD: usize = 8;
/// Characters of it.
const GIST: usize = 160;
/// Silences that are listed.
const GAPS: usize = 3;

impl Section {
    /// Of a run. Healthy runs get a short section: texts and charts are only made for the others.
    #[must_use]
    pub fn of(run: &Examined) -> Self {
        let trace = &run.trace;
        let (passes, mut failures) = passes(run);
        let brief = run.report.health == Health::Healthy;
        if !brief {
            tell(trace, &mut failures);
        }
        Self {
            passes,
            failures,
            gaps: gaps(trace),
            horizon: run.diagnosis.horizon.as_str().into(),
            charts: if brief { Vec::new() } else { chart::runs::of_run(run) },
            cells: chart::runs::Cells::of(run),
            trials: trials(run),
        }
    }
}

fn passes(run: &Examined) -> (Vec<Pass>, Vec<Failure>) {
    let trace = &run.trace;
    let mut spent: Vec<(Option<Money>, Option<u64>)> = vec![(None, None); trace.iterations.len()];
    for booking in &trace.bookings {
        let Some(sum) = trace.step(booking.step).and_then(|s| spent.get_mut(s.iteration as usize)) else { continue };
        sum.0 = sum.0.into_iter().chain(booking.spent).reduce(|a, b| a + b);
        sum.1 = sum.1.into_iter().chain(booking.tokens.total()).reduce(u64::saturating_add);
    }
    let mut known: HashMap<u64, u32> = HashMap::new();
    let mut failures: Vec<Failure> = Vec::new();
    let passes = trace.iterations.iter().zip(spent).enumerate();
    let passes = passes.map(|(k, (row, (usd, tokens)))| {
        let place = trace.verdict_place(row);
        let cell = match row.colour {
            Colour::Green => Cell::Green,
            Colour::NoVerdict => Cell::NoVerdict,
            Colour::Unknown => Cell::Unknown,
            Colour::Red => {
                let next = u32::try_from(failures.len()).unwrap_or(u32::MAX);
                let index = *known.entry(row.coarse).or_insert(next);
                match failures.get_mut(index as usize) {
                    Some(failure) => failure.count += 1,
                    None => failures.push(Failure { signature: row.coarse, text: "".into(), count: 1, place }),
                }
                Cell::Red(index)
            }
        };
        let gain = run.diagnosis.gain.by_iteration.get(k).is_some_and(Option::is_some);
        Pass { number: row.number, start: row.start, end: row.end, cell, gain, usd, tokens, place }
    });
    (passes.collect(), failures)
}

/// Fetches what the most frequent failures say.
fn tell(trace: &Trace, failures: &mut [Failure]) {
    let mut order: Vec<usize> = (0..failures.len()).collect();
    order.sort_by_key(|k| failures.get(*k).map(|f| (std::cmp::Reverse(f.count), *k)));
    for k in order.into_iter().take(TOLD) {
        if let Some(failure) = failures.get_mut(k) {
            failure.text = gist(trace, failure.place, GIST).into();
        }
    }
}

fn gaps(trace: &Trace) -> Vec<(Time, f64)> {
    let beats: Vec<Time> = trace.beats.iter().filter_map(|b| b.at).collect();
    let mut gaps: Vec<(Time, f64)> = beats.iter().zip(beats.iter().skip(1)).map(|(a, b)| (*a, b.seconds_since(*a))).collect();
    gaps.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    gaps.truncate(GAPS);
    gaps
}

/// Where each guard would have stopped the run. One that ends there anyway is not stopped by it.
fn trials(run: &Examined) -> Trials {
    use crate::fleet::week::{CAPS, EQUAL, NO_GAIN};
    let trace = &run.trace;
    let mut trials = Trials::default();
    let (mut last, mut equal, mut dry) = (0_u64, 0_u32, 0_u32);
    for (k, row) in trace.judged() {
        if row.colour == Colour::Green {
            (last, equal, dry) = (0, 0, 0);
            continue;
        }
        equal = if row.coarse == last && row.coarse != 0 { equal + 1 } else { 1 };
        last = row.coarse;
        let gained = run.diagnosis.gain.by_iteration.get(k).is_some_and(Option::is_some);
        dry = if gained { 0 } else { dry + 1 };
        for (limit, stop) in EQUAL.iter().zip(&mut trials.equal) {
            if equal >= *limit && stop.is_none() {
                *stop = after(trace, k);
            }
        }
        for (limit, stop) in NO_GAIN.iter().zip(&mut trials.no_gain) {
            if dry >= *limit && stop.is_none() {
                *stop = after(trace, k);
            }
        }
    }
    trials.cost = CAPS.map(|cap| cost_stop(trace, Money::dollars(cap)));
    trials
}

/// What came after an iteration's verdict; `None` where nothing did.
fn after(trace: &Trace, iteration: usize) -> Option<Stop> {
    let row = trace.iterations.get(iteration)?;
    let verdict = row.verdict_step?;
    let more = trace.steps.get(row.work_from as usize..)?.iter().any(|s| !matches!(s.kind, StepKind::End(_)));
    more.then(|| Stop { iteration: row.number, after: saving(trace, row.work_from, trace.step(verdict).and_then(|s| s.at)) })
}

fn saving(trace: &Trace, from: u32, at: Option<Time>) -> Saving {
    let known_money = trace.spent_from(0).is_some();
    let known_tokens = trace.tokens_from(0).total().is_some();
    Saving {
        usd: known_money.then(|| trace.spent_from(from).unwrap_or_default()),
        tokens: known_tokens.then(|| trace.tokens_from(from).total().unwrap_or(0)),
        seconds: at.zip(trace.last_event()).map(|(a, b)| b.seconds_since(a).max(0.0)),
    }
}

/// Where a cap on money would have stopped the run: at the call that crosses it, which is still paid.
fn cost_stop(trace: &Trace, cap: Money) -> Option<Stop> {
    let mut bookings: Vec<&Booking> = trace.bookings.iter().collect();
    bookings.sort_by_key(|b| b.step);
    let mut sum = Money::ZERO;
    for booking in bookings {
        sum += booking.spent.unwrap_or_default();
        if sum >= cap {
            let next = booking.step.saturating_add(1);
            let rest = saving(trace, next, trace.step(booking.step).and_then(|s| s.at));
            let iteration = trace.iteration_number(booking.step)?;
            return rest.usd.is_some_and(|m| m > Money::ZERO).then_some(Stop { iteration, after: rest });
        }
    }
    None
}
