//! What a launch will cost: from its plan alone ([`estimate()`]), from runs of its kind ([`history`]), and of a run that is
//! under way ([`running`]).

mod estimate;
mod gate;
pub mod history;
mod manual;
mod model;
mod plan;
pub mod running;

pub use estimate::{Basis, Case, Ceiling, Estimate, estimate};
pub use gate::{Gate, Verdict};
pub use manual::Manual;
pub use model::{ModelPrice, Unlisted};
pub use plan::Plan;
