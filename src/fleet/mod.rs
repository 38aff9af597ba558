//! Questions over many runs. The sums are taken run by run, so that no report has to be kept for them.
//!
//! [`tables`] is the one table of columns; [`text`] writes rows as CSV and JSON, and with the feature `fleet` `frames`,
//! `parquet` and `sql` hand them to polars, which is named nowhere else.

pub mod cell;
mod common_cause;
pub mod debt;
pub mod export;
#[cfg(feature = "fleet")]
pub mod frames;
pub mod groups;
mod loops;
pub mod names;
#[cfg(feature = "fleet")]
pub mod parquet;
mod peers;
pub mod policy;
mod restarts;
mod signatures;
#[cfg(feature = "fleet")]
pub mod sql;
pub mod tables;
pub mod text;
mod totals;
pub mod week;

use crate::input::Group;
use crate::report::model::{CommonCause, RestartedAfterDone, RunReport, TopSignature, Totals};
use crate::settings::Thresholds;
use common_cause::Causes;
pub use loops::loop_of;
pub(crate) use loops::may_be_of_one;
pub(crate) use peers::PeerBook;
use restarts::Restarts;
use signatures::Signatures;
use totals::Sums;

/// What is said of all runs together.
pub struct Over {
    /// Sums.
    pub totals: Totals,
    /// Runs that ended alike at the same time.
    pub common_causes: Vec<CommonCause>,
    /// Loops that were started again after their work was done.
    pub restarted_after_done: Vec<RestartedAfterDone>,
    /// The most frequent failures.
    pub top_signatures: Vec<TopSignature>,
}

/// What is gathered while runs go by. The result depends on their order, which is that of ids.
pub struct Fleet {
    sums: Sums,
    causes: Causes,
    signatures: Signatures,
    restarts: Restarts,
}

impl Fleet {
    /// Nothing gathered yet.
    #[must_use]
    pub fn new(files_passed_over: u64, paths_unread: u64) -> Self {
        Self {
            sums: Sums::new(files_passed_over, paths_unread),
            causes: Causes::default(),
            signatures: Signatures::default(),
            restarts: Restarts::default(),
        }
    }

    /// Takes a run in. `group` is the index of its files' group.
    pub fn add(&mut self, run: &RunReport, group: usize) {
        self.sums.add(run);
        self.causes.add(run);
        self.signatures.add(run, group);
        self.restarts.add(run);
    }

    /// What was gathered.
    #[must_use]
    pub fn finish(self, groups: &[Group], limits: &Thresholds) -> Over {
        Over {
            totals: self.sums.finish(),
            common_causes: self.causes.finish(limits),
            restarted_after_done: self.restarts.finish(limits),
            top_signatures: self.signatures.finish(groups),
        }
    }
}
