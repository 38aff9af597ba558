//! How an agent's session ended, and what its iterations are, where the log writes down neither.

use crate::trace::Trace;
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::rows::{Colour, End, Iteration, Step, StepKind};

pub(super) fn settle(trace: &mut Trace) {
    if !trace.derived {
        return;
    }
    end(trace);
    stretches(trace);
}

/// Session transcripts have no end record: a last assistant turn that ended, with no call pending, is the end.
fn end(trace: &mut Trace) {
    let telling = |kind: StepKind, trace: &Trace| match kind {
        StepKind::Mark(m) => matches!(
            trace.marks[m as usize].kind,
            MarkKind::Interrupt | MarkKind::ApiError | MarkKind::Person | MarkKind::Retry | MarkKind::Fed
        ),
        // The booking of the message that says it.
        StepKind::ModelCall(_) | StepKind::CallSeenTwice(_) => false,
        _ => true,
    };
    let Some(last) = trace.steps.iter().rev().find(|s| telling(s.kind, trace)).copied() else { return };
    let (how, text, by) = match last.kind {
        StepKind::Said(k) if trace.said[k as usize].ends && !trace.headless => (EndKind::Exit, String::new(), None),
        StepKind::Mark(m) => {
            let mark = &trace.marks[m as usize];
            match mark.kind {
                MarkKind::Interrupt => (EndKind::Abort, "interrupted by the user".to_owned(), Some("person".into())),
                MarkKind::ApiError if is_usage_limit(&mark.text) => (EndKind::Abort, format!("usage limit: {}", mark.text), None),
                MarkKind::ApiError if is_locked_out(&mark.text) => (EndKind::Abort, format!("credential missing: {}", mark.text), None),
                _ => return,
            }
        }
        _ => return,
    };
    let step = u32::try_from(trace.steps.len()).unwrap_or(u32::MAX);
    trace.steps.push(Step { kind: StepKind::End(u32::try_from(trace.ends.len()).unwrap_or(u32::MAX)), ..last });
    trace.ends.push(End { how, step, text: text.into(), by });
}

/// The provider's usage limit in the words of its clients.
#[must_use]
pub fn is_usage_limit(text: &str) -> bool {
    let text = text.to_lowercase();
    ["hit your limit", "usage limit", "limit reached", "out of credits", "quota exceeded", "credit balance is too low"]
        .iter()
        .any(|w| text.contains(w))
}

/// The provider knows nobody by this key or login, in the words of its clients. None of them tries again by itself.
#[must_use]
pub fn is_locked_out(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "invalid api key",
        "invalid x-api-key",
        "incorrect api key",
        "please run /login",
        "not logged in",
        "oauth token has expired",
        "oauth token revoked",
        "authentication_error",
        "authentication_failed",
        "401 unauthorized",
    ]
    .iter()
    .any(|w| text.contains(w))
}

/// Several stretches of a headless agent are the iterations of a loop: the checks within one decide its colour.
fn stretches(trace: &mut Trace) {
    let starts: Vec<usize> = trace.steps.iter().enumerate().filter(|(_, s)| s.kind == StepKind::IterStart).map(|(k, _)| k).collect();
    if starts.len() < 2 {
        return;
    }
    let mut rows: Vec<Iteration> = Vec::with_capacity(starts.len());
    let mut judged = trace.iterations.iter().filter_map(|i| i.verdict_step.map(|v| (v as usize, i))).peekable();
    for (n, first) in starts.iter().enumerate() {
        let from = if n == 0 { 0 } else { *first };
        let to = starts.get(n + 1).copied().unwrap_or(trace.steps.len());
        while judged.next_if(|(v, _)| *v < from).is_some() {}
        let mut inside: Vec<&Iteration> = Vec::new();
        while let Some((_, row)) = judged.next_if(|(v, _)| *v < to) {
            inside.push(row);
        }
        let telling = inside.iter().rev().find(|i| i.colour != Colour::Unknown).or(inside.last());
        let mut row = telling.map_or_else(|| Iteration::unjudged(0, 0), |i| (*i).clone());
        row.number = u32::try_from(n + 1).unwrap_or(u32::MAX);
        row.first_step = u32::try_from(from).unwrap_or(u32::MAX);
        if row.verdict_step.is_none() {
            row.work_from = row.first_step;
        }
        let times = || trace.steps[from..to].iter().filter_map(|s| s.at);
        (row.start, row.end) = (times().min(), times().max());
        rows.push(row);
        for step in &mut trace.steps[from..to] {
            step.iteration = u32::try_from(n).unwrap_or(u32::MAX);
        }
    }
    trace.iterations = rows;
}
