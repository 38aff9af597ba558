//! Questions over many runs.

mod common_cause;
#[cfg(feature = "fleet")]
pub mod frames;
mod signatures;
mod totals;

pub use common_cause::common_causes;
pub use signatures::top_signatures;
pub use totals::totals;
