//! Post-mortems and pre-mortems for autonomous coding-agent loops.
//!
//! A run's raw logs are read once, as a stream, into a compact *trace*: rows of fixed size with the place (file, line,
//! byte) they came from. Every question after that is a pure function of the trace.
//!
//! ```text
//!  input        format         trace           diagnose                  fleet             report
//!  paths ──▶ runs, lines ──▶ events ──▶ rows of one run ──▶ verdict, waste ──▶ many runs ──▶ table, json, explain
//! ```
//!
//! Left of the trace everything is bounded by a buffer; the trace by the number of events, never by bytes of log;
//! right of it by the number of runs. [`analysis`] runs the pipeline.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod cost;
pub mod diagnose;
pub mod error;
pub mod fleet;
pub mod format;
pub mod input;
pub mod report;
pub mod settings;
pub mod trace;
