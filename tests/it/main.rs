//! One integration binary: each would link everything again.

mod cli;
mod fixtures;
mod generate;
mod generated;
mod hostile;
mod readme;
mod settings;
mod support;
