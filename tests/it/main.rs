//! One integration binary: each would link everything again.

mod fixtures;
mod support;
