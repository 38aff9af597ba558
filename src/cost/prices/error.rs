//! Why a price file cannot be used.

/// A price file that cannot be used. A file that is half right is refused whole: a skipped row would price a run by the
/// row that it was to replace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PricesError {
    /// The operating system said no, or the file is not UTF-8.
    #[error("{path}: cannot be read: {reason}")]
    Io {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// Its content is wrong.
    #[error("{path}:{line}:{column}: {reason}")]
    At {
        /// The file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong, with the model's name.
        reason: String,
    },
}
