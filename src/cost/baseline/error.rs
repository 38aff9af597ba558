//! What can be wrong with a baseline file.

/// A baseline that cannot be used: where, what, and what to do. Exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {what}", line.map_or_else(String::new, |l| format!(":{l}")))]
pub struct BaselineError {
    /// The file.
    pub path: String,
    /// Line, from 1, where it is one line's fault.
    pub line: Option<u32>,
    /// What is wrong and what to do about it.
    pub what: String,
}
