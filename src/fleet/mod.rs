//! Questions over many runs. The sums are taken run by run, so that no report has to be kept for them.

mod common_cause;
#[cfg(feature = "fleet")]
pub mod frames;
mod peers;
pub mod policy;
mod signatures;
mod totals;
pub mod week;

use crate::input::Group;
use crate::report::model::{CommonCause, RunReport, TopSignature, Totals};
use crate::settings::Thresholds;
use common_cause::Causes;
pub(crate) use peers::{PeerBook, loop_of};
use signatures::Signatures;
use totals::Sums;

/// What is gathered while runs go by. The result depends on their order, which is that of ids.
pub struct Fleet {
    sums: Sums,
    causes: Causes,
    signatures: Signatures,
}

impl Fleet {
    /// Nothing gathered yet.
    #[must_use]
    pub fn new(files_passed_over: u64) -> Self {
        Self { sums: Sums::new(files_passed_over), causes: Causes::default(), signatures: Signatures::default() }
    }

    /// Takes a run in. `group` is the index of its files' group.
    pub fn add(&mut self, run: &RunReport, group: usize) {
        self.sums.add(run);
        self.causes.add(run);
        self.signatures.add(run, group);
    }

    /// What was gathered.
    #[must_use]
    pub fn finish(self, groups: &[Group], limits: &Thresholds) -> (Totals, Vec<CommonCause>, Vec<TopSignature>) {
        (self.sums.finish(), self.causes.finish(limits), self.signatures.finish(groups))
    }
}
