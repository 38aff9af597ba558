//! Logs that are read long after they were written.

use crate::cli::message::say;
use crate::cli::setup::Setup;
use loopmortem::diagnose::Ending;
use loopmortem::report::model::RunReport;
use loopmortem::trace::{Time, span};

/// From this age of the newest record on the reader may have meant the logs' own time.
const OLD_S: f64 = 86_400.0;

/// The newest record, and whether the verdict on any run depends on how long ago it was.
#[derive(Default)]
pub(crate) struct Newest {
    at: Option<Time>,
    silent: bool,
}

impl Newest {
    /// Takes a run in.
    pub(crate) fn add(&mut self, run: &RunReport) {
        self.at = self.at.max(run.ended).max(run.started);
        self.silent |= matches!(run.ending, Some(Ending::Died | Ending::Running));
    }

    /// Says that silences were counted up to now, where now is just the clock and long after the last record.
    pub(crate) fn hint(&self, setup: &Setup) {
        let Some(at) = self.at.filter(|_| self.silent && !setup.pinned) else { return };
        let age = setup.options.as_of.seconds_since(at);
        if age > OLD_S {
            say(&format!(
                "the newest record is {} old, and silences are counted up to now; --as-of {at} reads the logs as of their own time",
                span(age)
            ));
        }
    }
}
