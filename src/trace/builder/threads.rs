//! Threads that two sources tell of: one in full, with times and calls, the other in outline, as a process's output. What is
//! told in full is kept; the outline adds what only it knows.

use super::{Builder, index};
use crate::format::json::hash;
use crate::trace::Time;
use std::collections::{HashMap, VecDeque};

/// A turn that a source tells in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Its first time.
    pub from: Option<Time>,
    /// Its last one.
    pub to: Option<Time>,
    /// Its end is recorded.
    pub ended: bool,
    /// Its tokens are recorded.
    pub booked: bool,
}

/// Which sessions a trace's records belong to, and which iterations its loop gives them.
#[derive(Default, Clone)]
pub(super) struct Sessions {
    /// From which step on which session speaks; 0 for none.
    spans: Vec<(u32, u64)>,
    /// The first and the last iteration whose records name a session.
    named: HashMap<u64, (u32, u32)>,
}

impl Sessions {
    /// From the step `from` on this session speaks.
    pub(super) fn speaks(&mut self, from: usize, session: u64) {
        if self.spans.last().map_or(0, |(_, s)| *s) != session {
            self.spans.push((index(from), session));
        }
    }

    fn name(&mut self, session: u64, iteration: usize) {
        let iteration = index(iteration);
        self.named
            .entry(session)
            .and_modify(|(first, last)| (*first, *last) = ((*first).min(iteration), (*last).max(iteration)))
            .or_insert((iteration, iteration));
    }

    /// The iterations that a step belongs to by its session's name.
    pub(super) fn of_step(&self, step: usize) -> Option<(u32, u32)> {
        let at = self.spans.partition_point(|(from, _)| *from as usize <= step);
        let (_, session) = self.spans.get(at.checked_sub(1)?)?;
        self.named.get(session).copied()
    }
}

/// What is known of the group's threads.
#[derive(Default)]
pub(super) struct Threads {
    turns: HashMap<String, VecDeque<Turn>>,
    /// The newest cumulative count of each thread.
    totals: HashMap<String, [Option<u64>; 5]>,
}

impl Builder {
    /// A turn is told in full.
    pub fn turn_told(&mut self, thread: &str, turn: Turn) {
        self.threads.turns.entry(thread.to_owned()).or_default().push_back(turn);
    }

    /// The next turn of a thread, where another source tells it in full: a process that runs a thread runs one turn of it.
    pub fn take_turn(&mut self, thread: &str) -> Option<Turn> {
        self.threads.turns.get_mut(thread)?.pop_front()
    }

    /// The source's records are this session's from here on.
    pub fn session(&mut self, id: &str) {
        let part = &mut self.parts[self.current];
        let session = if id.is_empty() { 0 } else { hash(id.as_bytes()) };
        part.sessions.speaks(part.trace.steps.len(), session);
    }

    /// The newest record of a loop's log names a session: it belongs to that record's iteration.
    pub fn names_session(&mut self, id: &str) {
        let part = &mut self.parts[self.current];
        if let Some(iteration) = part.trace.iterations.len().checked_sub(1).filter(|_| !id.is_empty()) {
            part.sessions.name(hash(id.as_bytes()), iteration);
        }
    }

    /// Replaces a thread's cumulative count and returns the one before, over all files of the group.
    pub fn cumulated(&mut self, thread: &str, count: [Option<u64>; 5]) -> Option<[Option<u64>; 5]> {
        self.threads.totals.insert(thread.to_owned(), count)
    }

    /// Whether a cumulative count of the thread is known.
    #[must_use]
    pub fn has_run(&self, thread: &str) -> bool {
        self.threads.totals.contains_key(thread)
    }

    /// Says what of the current source counts where another source tells the same in full.
    pub fn kept_of_source(&mut self, what: &'static str) {
        if let Some(source) = self.source() {
            source.kept = Some(what);
        }
    }
}
