//! Renderers. All of them see one [`model`]; every text of a log passes [`escape`] and [`redact`] before.

pub mod baseline;
pub mod build;
pub mod chart;
pub mod escape;
pub mod explain;
pub mod forecast;
pub mod grid;
pub mod json;
pub mod model;
pub mod redact;
pub mod style;
pub mod table;
