//! What can go wrong, a type a stage. A fault in one input costs at most its own run, so these are kept and
//! reported beside the other runs; only [`SettingsError`] and an analysis without any run end the program.

use std::path::PathBuf;

/// A file that could not be read, or not to its end.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadError {
    /// The operating system said no.
    #[error("{path}: cannot be read: {reason}")]
    Io {
        /// The file, as it was given or found.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// The path that was given does not exist.
    #[error("{path}: no such file or directory")]
    Missing {
        /// The path as given.
        path: String,
    },
    /// Nothing in the file looks like any known log.
    #[error("{path}: not a log that loopmortem reads ({hint}); `loopmortem formats` lists what it reads")]
    UnknownFormat {
        /// The file.
        path: String,
        /// What was seen instead.
        hint: &'static str,
    },
    /// The content contradicts the format that its name or the user chose.
    #[error("{path}:{line}: not valid {format}: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// Line, from 1.
        line: u32,
        /// The format's name.
        format: &'static str,
        /// What is wrong.
        reason: String,
    },
}

/// Flags, environment or configuration that cannot be used. Exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The configuration file cannot be read or parsed.
    #[error("{path}: {reason}")]
    File {
        /// The configuration file.
        path: PathBuf,
        /// The parser's words, with line and column.
        reason: String,
    },
    /// A key that no setting has.
    #[error("{place}: unknown setting `{key}`{}", suggestion.as_ref().map_or_else(String::new, |s| format!("; did you mean `{s}`?")))]
    UnknownKey {
        /// Where it stands: a file, a flag.
        place: String,
        /// The key.
        key: String,
        /// The nearest known name, if any is near.
        suggestion: Option<String>,
    },
    /// A value that the setting cannot take.
    #[error("{place}: `{key}` cannot be {}: {reason}", if value.trim().is_empty() { "empty" } else { value })]
    BadValue {
        /// Where it stands.
        place: String,
        /// The setting.
        key: String,
        /// The value as written.
        value: String,
        /// What it takes.
        reason: String,
    },
}

/// A question in SQL that cannot be answered. Exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// It does not ask.
    #[error("the SQL comes first and begins with SELECT or WITH: loopmortem query \"SELECT run, ending FROM runs\" runs/")]
    NoQuestion,
    /// There is no such table.
    #[error("no table is called `{table}`{}; `loopmortem query --tables` lists them", meant(suggestion.as_ref()))]
    UnknownTable {
        /// The table.
        table: String,
        /// The nearest known name, if any is near.
        suggestion: Option<String>,
    },
    /// There is no such column.
    #[error("no column is called `{column}` in {tables}{}; `loopmortem query --tables` lists them", meant(suggestion.as_ref()))]
    UnknownColumn {
        /// The column.
        column: String,
        /// The tables that were looked at.
        tables: String,
        /// The nearest known name, if any is near.
        suggestion: Option<String>,
    },
    /// Anything else, in the engine's words.
    #[error("SQL: {0}")]
    Failed(String),
}

fn meant(suggestion: Option<&String>) -> String {
    suggestion.map_or_else(String::new, |s| format!("; did you mean `{s}`?"))
}
