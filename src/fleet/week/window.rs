//! Which runs belong to a report: `--since 7d`, counted back from the observation time.

use crate::report::model::RunReport;
use crate::trace::Time;

/// The stretch of time of a report, and what lies outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Runs whose last record is older are left out.
    pub from: Time,
    /// The observation time: runs that began later are left out.
    pub to: Time,
    /// The ids of the runs that were left out.
    pub left_out: Vec<Box<str>>,
    /// Runs without any time: they are in, because unknown is not old.
    pub undated: u64,
}

impl Window {
    /// Nothing left out yet.
    #[must_use]
    pub fn new(from: Time, as_of: Time) -> Self {
        Self { from, to: as_of, left_out: Vec::new(), undated: 0 }
    }

    /// Whether a run belongs to it: it ended (or, without an end, began) after the window's start, and began before its end.
    #[must_use]
    pub fn holds(&self, run: &RunReport) -> bool {
        let (first, last) = (run.started.or(run.ended), run.ended.or(run.started));
        first.is_none_or(|t| t <= self.to) && last.is_none_or(|t| t >= self.from)
    }
}
