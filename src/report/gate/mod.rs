//! What a gate says: a table, a document, a job summary, JUnit, annotations.

pub mod annotations;
pub mod json;
pub mod junit;
pub mod summary;
pub mod table;
