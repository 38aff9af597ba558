//! Detectors of modes, one file each. All are linear in the length of the trace.

mod oscillation;
mod random_walk;
mod reward_hack;
mod runaway;
mod silent_death;
mod stuck_call;
mod stuck_check;
mod stuck_no_effect;
mod stuck_text;

pub(super) use runaway::{crossing, nth_call, token_crossing};
pub(crate) use silent_death::silence;

use crate::diagnose::{Context, Finding};

/// A detector looks at a run and says what it sees; which of it becomes primary is decided afterwards.
pub(super) type Detector = fn(&Context<'_>) -> Vec<Finding>;

/// All detectors of modes.
pub(super) static DETECTORS: &[Detector] = &[
    reward_hack::examine,
    silent_death::examine,
    stuck_check::examine,
    stuck_call::examine,
    stuck_no_effect::examine,
    stuck_text::examine,
    oscillation::examine,
    random_walk::examine,
    runaway::examine,
];
