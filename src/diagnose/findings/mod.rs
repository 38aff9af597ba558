//! Findings that are no modes, one file each.

mod baseline_anomaly;
mod blast_radius;
mod budget;
pub mod context_growth;
mod cost_mismatch;
mod destructive;
mod false_done;
mod flaky_check;
mod ledger_gap;
mod no_external_check;
mod no_hypothesis_gain;
mod parse_loss;
mod permission_breach;
mod rebilled_resume;
mod recovery_loop;
mod scope_tamper;
mod snapshot;
mod witnesses;

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Context, Finding};

/// Looks at a run whose ending is decided.
pub(super) type Examiner = fn(&Context<'_>, &Terminal) -> Vec<Finding>;

/// All of them.
pub(super) static EXAMINERS: &[Examiner] = &[
    false_done::examine,
    flaky_check::examine,
    context_growth::examine,
    recovery_loop::examine,
    rebilled_resume::examine,
    permission_breach::examine,
    scope_tamper::examine,
    blast_radius::examine,
    no_hypothesis_gain::examine,
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
