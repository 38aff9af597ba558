//! One integration binary: each would link everything again.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot set up its case shall fail")]

mod baseline;
mod browser;
mod charts;
mod check;
mod cli;
mod debt;
mod fixtures;
mod forecast;
mod generate;
mod generated;
mod hostile;
mod inert;
mod inputs;
mod nights;
#[cfg(feature = "fleet")]
mod queries;
mod readme;
mod report;
mod schemas;
mod sessions;
mod settings;
mod support;
mod tables;
