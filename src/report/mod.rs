//! Renderers. All of them see one [`model`]; every text of a log passes [`escape`] and [`redact`] before.

pub mod baseline;
pub mod build;
pub mod chart;
pub mod escape;
pub mod explain;
pub mod forecast;
pub mod gate;
pub mod grid;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod model;
pub mod redact;
pub mod schema;
pub mod section;
pub mod strip;
pub mod style;
pub mod table;
pub mod weekly;
pub mod words;
pub mod workflow;
