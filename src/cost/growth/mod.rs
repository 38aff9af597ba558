//! How the cost of a loop grows with its calls.
//!
//! A *stateful* loop keeps one session: every call reads again all that was said before, so that the input grows with the
//! square of the calls. A *stateless* loop begins afresh in every iteration and reads its state from disk: its input grows
//! in line with the iterations.
//!
//! [`closed`] has the textbook sums, [`walk()`] goes through a launch iteration by iteration where tiers, compaction or
//! sub-agents leave no single sum, [`fit`](mod@fit) measures prefix and slope on recorded calls, and [`validate`] compares
//! the form with recorded runs.

pub mod closed;
pub mod fit;
pub mod line;
mod meter;
mod session;
mod shape;
mod tariff;
pub mod validate;
mod walk;

pub use fit::{Fit, fit};
pub use meter::{TierUse, Totals};
pub use shape::{Caching, Children, Compaction, MAX_CALLS, MAX_ITERATIONS, MAX_TOKENS, MAX_TOTAL, Regime, Shape, ShapeError};
pub use tariff::{CacheClass, Tariff};
pub use walk::{Walk, walk, walk_on};
