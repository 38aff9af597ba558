//! One session: its context, what the cache holds of it, and its compactions.

use super::meter::{Meter, Ramp};
use super::shape::Compaction;

/// A session between two calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session {
    /// Context of the next call.
    pub(super) next: u64,
    /// What the cache holds of it.
    pub(super) cached: u64,
    /// What a call appends.
    pub(super) appended: u64,
    /// Output of a call.
    pub(super) output: u64,
    /// Fixed prefix: a summary does not repeat it.
    pub(super) prefix: u64,
    /// When it is compacted.
    pub(super) compaction: Option<Compaction>,
}

impl Session {
    /// Makes `calls` calls. A call that would have more context than the limit is preceded by a compaction: one more call,
    /// which reads the session and writes its summary, after which the shortened session is new to the cache.
    pub(super) fn calls(&mut self, calls: u64, meter: &mut Meter<'_>) {
        let mut left = calls;
        while left > 0 {
            let n = left.min(self.room());
            if n == 0 {
                self.compact(meter);
                continue;
            }
            meter.ramp(self.ramp(n, self.appended, self.output));
            self.cached = self.next.saturating_add(self.appended.saturating_mul(n - 1));
            self.next = self.next.saturating_add(self.appended.saturating_mul(n));
            left -= n;
        }
    }

    /// How many calls go before the next compaction.
    fn room(&self) -> u64 {
        let Some(c) = self.compaction else { return u64::MAX };
        match c.at.checked_sub(self.next) {
            None => 0,
            Some(left) => left.checked_div(self.appended).map_or(u64::MAX, |n| n.saturating_add(1)),
        }
    }

    fn compact(&mut self, meter: &mut Meter<'_>) {
        let Some(c) = self.compaction else { return };
        meter.ramp(self.ramp(1, 0, c.to.saturating_sub(self.prefix)));
        meter.compactions = meter.compactions.saturating_add(1);
        // Below the limit, so that there is room again.
        self.next = c.to.min(c.at);
        self.cached = 0;
    }

    fn ramp(&self, calls: u64, step: u64, output: u64) -> Ramp {
        Ramp { first: self.next, step, calls, cached: self.cached.min(self.next), output, times: 1, side: false }
    }
}
