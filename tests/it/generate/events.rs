//! A plan laid out in time: the events that a faultless logger would write.

use super::AS_OF;
use super::dice::Dice;
use super::infra::Outage;
use super::knobs::Knobs;
use super::plan::{Colour, End, Plan, Silence, Step};
use super::steps::{Draft, Scribe};

/// A field's value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Int(i64),
    Flag(bool),
    Text(String),
    /// Written as it is.
    Json(String),
}

/// One record.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Unix milliseconds.
    pub at: i64,
    pub iter: usize,
    pub name: &'static str,
    pub fields: Vec<(&'static str, Value)>,
    pub detail: Option<String>,
}

impl Event {
    pub(super) fn new(name: &'static str, detail: Option<String>) -> Self {
        Self { at: 0, iter: 0, name, fields: Vec::new(), detail }
    }

    pub(super) fn with(mut self, key: &'static str, value: Value) -> Self {
        self.fields.push((key, value));
        self
    }
}

/// The events of a run, and when its iterations began.
pub(super) struct Log {
    pub events: Vec<Event>,
    /// Iteration and Unix milliseconds.
    pub starts: Vec<(usize, i64)>,
}

impl Log {
    /// Unix milliseconds of the newest event.
    pub(super) fn last_at(&self) -> i64 {
        self.events.last().map_or(0, |event| event.at)
    }

    /// The sum of `cost_usd`, if there is one.
    pub(super) fn spent(&self) -> Option<f64> {
        let costs: Vec<f64> = self
            .events
            .iter()
            .flat_map(|event| &event.fields)
            .filter(|(key, _)| *key == "cost_usd")
            .filter_map(|(_, value)| match value {
                Value::Json(text) => text.parse().ok(),
                _ => None,
            })
            .collect();
        (!costs.is_empty()).then(|| costs.iter().sum())
    }
}

/// Lays the plan out so that it ends where its class says, before [`AS_OF`].
pub(super) fn lay_out(plan: &Plan, knobs: &Knobs, dice: &mut Dice) -> Log {
    let mut scribe = Scribe::new(plan, knobs, dice);
    let base = dice.log_real(15.0, 500.0);
    let finished = matches!(plan.end, End::Stop(_));
    let mut clock = 0;
    let mut log = Log { events: Vec::new(), starts: Vec::new() };
    for index in 0..plan.steps.len() {
        let step = &plan.steps[index];
        if step.resumed {
            clock += dice.span(1_800_000, 28_800_000);
        }
        let seconds = length(step, base, finished, dice);
        let mut draft = scribe.draft(index, dice);
        if index + 1 == plan.steps.len() {
            cut(&mut draft, plan.end, dice);
        }
        log.starts.push((index + 1, clock));
        place(draft, index + 1, clock, seconds, &mut log.events);
        clock = (clock + (seconds * 1000.0) as i64).max(log.last_at() + 1);
    }
    shift(&mut log, plan.end, dice);
    log
}

/// Length of an iteration in seconds. Now and then one takes much longer: in a
/// finished run only, since the horizon of the others depends on them.
fn length(step: &Step, base: f64, finished: bool, dice: &mut Dice) -> f64 {
    if let Some(seconds) = step.seconds {
        return seconds;
    }
    if matches!(step.colour, Colour::Outage(Outage::Api, _)) {
        return dice.real(2.0, 30.0);
    }
    let slow = if finished && dice.chance(0.04) { dice.real(3.0, 6.0) } else { 1.0 };
    base * dice.log_real(0.5, 2.0) * slow
}

/// Spreads a draft's events over the iteration by their weights.
fn place(draft: Draft, iter: usize, start: i64, seconds: f64, out: &mut Vec<Event>) {
    // The last share is the time between the last event and the next iteration.
    let whole: f64 = draft.iter().map(|(weight, _)| weight).sum::<f64>() + 0.1;
    let mut passed = 0.0;
    for (weight, mut event) in draft {
        passed += weight;
        event.iter = iter;
        event.at = start + (passed / whole * seconds * 1000.0) as i64;
        out.push(event);
    }
}

/// Breaks the last iteration off where the end is not a record.
fn cut(draft: &mut Draft, end: End, dice: &mut Dice) {
    let position = |name: &str, draft: &Draft| draft.iter().rposition(|(_, event)| event.name == name);
    match end {
        End::Fresh | End::Silence(Silence::Anywhere | Silence::Zombie) => {
            let call = position("agent_call", draft).unwrap_or(0);
            let last = draft.len() - 1;
            let at = if dice.chance(0.15) {
                position("iter_start", draft).unwrap_or(0)
            } else if dice.chance(0.3) {
                call
            } else {
                dice.between(call, last)
            };
            draft.truncate(at + 1);
        }
        End::Silence(Silence::AfterCalls) => {
            if let Some(at) = position("tool_result", draft) {
                let answered = dice.chance(0.5);
                draft.truncate(if answered { at + 1 } else { at });
            }
        }
        End::Silence(Silence::Retries) => {
            if let Some(at) = position("retry", draft) {
                draft.truncate(at + 1);
            }
        }
        End::Silence(Silence::Killed) | End::Stop(_) => {}
    }
}

/// Moves the log so that its last event has the right age at [`AS_OF`].
fn shift(log: &mut Log, end: End, dice: &mut Dice) {
    let age = match end {
        End::Stop(_) => dice.log_real(60.0, 72_000.0),
        End::Silence(Silence::Zombie) => longest_horizon(log) * dice.real(2.6, 8.0),
        End::Silence(_) => longest_horizon(log) * dice.real(1.7, 9.0),
        End::Fresh => dice.real(1.0, freshest(log)),
    };
    let by = AS_OF * 1000 - (age * 1000.0) as i64 - log.last_at();
    for event in &mut log.events {
        event.at += by;
    }
    for (_, at) in &mut log.starts {
        *at += by;
    }
}

/// The longest horizon, in seconds, that the rules can give this log: three
/// median iterations, 900 s where they are few, 1.2 x a timeout of 600 s.
fn longest_horizon(log: &Log) -> f64 {
    median_interval(log).map_or(900.0, |median| (3.0 * median).max(900.0))
}

/// An age in seconds that is fresh by any of those horizons.
fn freshest(log: &Log) -> f64 {
    let by_median = median_interval(log).map_or(300.0, |median| (1.4 * median).max(50.0));
    match log.starts.len() {
        0..=3 => 300.0,
        4..=6 => by_median.min(300.0),
        _ => by_median,
    }
}

fn median_interval(log: &Log) -> Option<f64> {
    let mut gaps: Vec<i64> = log.starts.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    gaps.sort_unstable();
    gaps.get(gaps.len() / 2).map(|&gap| gap as f64 / 1000.0)
}
