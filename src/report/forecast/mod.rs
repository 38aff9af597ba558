//! Forecasts: as tables for people, as JSON, as the specification of a chart.

pub mod chart;
pub mod estimate;
pub mod history;
pub mod json;
pub mod running;
pub mod validation;
mod words;
