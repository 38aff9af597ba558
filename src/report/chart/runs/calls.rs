//! A run's calls in their order, as all charts over calls count them.

use crate::report::chart::spec::Event;
use crate::trace::event::MarkKind;
use crate::trace::rows::{Booking, StepKind};
use crate::trace::{Money, Trace};

/// What one call booked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    /// Which call of the run, from 1, as reports count them.
    pub(super) number: u32,
    /// What the model had to read.
    pub(super) context: Option<u64>,
    /// All its tokens.
    pub(super) tokens: Option<u64>,
    /// What it cost.
    pub(super) spent: Option<Money>,
    /// A sub-agent's.
    pub(super) side: bool,
    /// Whether it is a call, not a record that only books, as a closing balance does.
    pub(super) is_call: bool,
}

/// How many calls there were up to each step, that step included.
fn numbers(trace: &Trace) -> Vec<u32> {
    let mut n: u32 = 0;
    trace
        .steps
        .iter()
        .map(|s| {
            n = n.saturating_add(u32::from(trace.is_call(s.kind)));
            n
        })
        .collect()
}

/// The bookings of a run in their order.
pub(super) fn calls(trace: &Trace) -> Vec<Call> {
    let numbers = numbers(trace);
    let mut order: Vec<&Booking> = trace.bookings.iter().collect();
    order.sort_by_key(|b| b.step);
    order
        .into_iter()
        .map(|b| {
            let kind = trace.step(b.step).map(|s| s.kind);
            Call {
                number: numbers.get(b.step as usize).copied().unwrap_or(0).max(1),
                context: b.tokens.context(),
                tokens: b.tokens.total(),
                spent: b.spent,
                side: b.side,
                is_call: kind.is_some_and(|k| matches!(k, StepKind::ModelCall(_) | StepKind::AgentCall)),
            }
        })
        .collect()
}

/// Compactions, between the call before and the call after.
pub(super) fn compactions(trace: &Trace) -> Vec<Event> {
    let numbers = numbers(trace);
    trace
        .marks
        .iter()
        .filter(|m| m.kind == MarkKind::Compact)
        .map(|m| f64::from(numbers.get(m.step as usize).copied().unwrap_or(0)) + 0.5)
        .map(|x| Event { name: "compaction".to_owned(), x })
        .collect()
}
