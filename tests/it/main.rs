//! One integration binary: each would link everything again.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot set up its case shall fail")]

mod baseline;
mod charts;
mod cli;
mod fixtures;
mod forecast;
mod generate;
mod generated;
mod hostile;
mod nights;
#[cfg(feature = "fleet")]
mod queries;
mod readme;
mod settings;
mod support;
mod tables;
