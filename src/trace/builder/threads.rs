//! Threads that two sources tell of: one in full, with times and calls, the other in outline, as a process's output. What is
//! told in full is kept; the outline adds what only it knows.

use super::Builder;
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
