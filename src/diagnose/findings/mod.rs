//! Findings that are no modes, one file each.

mod baseline_anomaly;
mod budget;
mod cost_mismatch;
mod destructive;
mod false_done;
mod ledger_gap;
mod no_external_check;
mod parse_loss;
mod snapshot;
mod witnesses;

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Context, Finding};

/// Looks at a run whose ending is decided.
pub(super) type Examiner = fn(&Context<'_>, &Terminal) -> Vec<Finding>;

/// All of them.
pub(super) static EXAMINERS: &[Examiner] = &[
    false_done::examine,
    budget::examine,
    cost_mismatch::examine,
    baseline_anomaly::examine,
    witnesses::examine,
    ledger_gap::examine,
    no_external_check::examine,
    destructive::examine,
    snapshot::examine,
    parse_loss::examine,
];
