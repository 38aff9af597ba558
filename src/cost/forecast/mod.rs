//! What a launch will cost: from its plan alone ([`estimate()`]), from runs of its kind ([`history`]), and of a run that is
//! under way ([`running`]).

mod baseline;
mod estimate;
mod gate;
pub mod history;
mod model;
mod plan;
pub mod running;

pub use baseline::{Baseline, BaselineError};
pub use estimate::{Basis, Case, Ceiling, Estimate, estimate};
pub use gate::{Gate, Verdict};
pub use model::{ModelPrice, Unlisted};
pub use plan::Plan;
