//! The manual baseline: what one run costs that a person steers by hand until its check is green, and how far loops are
//! from it.
//!
//! [`model`] is the file `baseline/1`, [`read`](Baseline::read) checks one that may be written by hand, [`ratio`] holds
//! the arithmetic of comparing, [`mod@compare`] the comparison, and [`repeat`] runs a check again and again to see whether it
//! can be trusted.

pub mod compare;
mod error;
mod fields;
pub mod model;
pub mod ratio;
mod read;
#[cfg(test)]
mod read_tests;
pub mod repeat;
mod tasks;

pub use compare::{Comparison, Side, compare};
pub use error::BaselineError;
pub use model::{Baseline, CheckRuns, ErrorKind, Run, RunCost, RunTokens, SCHEMA};
pub use tasks::Assignment;
