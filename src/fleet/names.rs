//! Names for tables: a run's id, its loop, the paths of its files, and what of them groups runs.

use crate::format::json::hash;
use crate::report::escape::visible;
use crate::report::model::RunReport;
use crate::report::redact::redact;

/// A path as tables show it: harmless and without secrets.
#[must_use]
pub fn path(raw: &str) -> String {
    visible(&redact(raw)).into_owned()
}

/// A run's id as tables show it. Tables are joined by it, so that two ids that differ must not become one: an id that held
/// a secret ends in `~` and eight digits of its hash.
#[must_use]
pub fn id(raw: &str) -> String {
    let clean = redact(raw);
    if *clean == *raw {
        return visible(raw).into_owned();
    }
    format!("{}~{:08x}", visible(&clean), hash(raw.as_bytes()) >> 32)
}

/// The run's loop as tables show it.
#[must_use]
pub fn loop_of(run: &RunReport) -> Option<String> {
    super::loops::loop_of(run).map(|name| id(&name))
}

/// The first folder below the argument; null for files that were named themselves.
#[must_use]
pub fn folder(run: &RunReport) -> Option<String> {
    let (first, _) = run.sources.first()?.path.split_once('/')?;
    (!first.is_empty()).then(|| path(first))
}

/// The agent's own name for the project: the folder below `projects/` in which it keeps the session.
#[must_use]
pub fn project(run: &RunReport) -> Option<String> {
    let mut parts = run.sources.first()?.path.rsplit('/').skip(1);
    let mut below = parts.next()?;
    for part in parts {
        if part == "projects" {
            return Some(path(below));
        }
        below = part;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_different_and_harmless() {
        assert_eq!(id("billing-fix"), "billing-fix");
        assert_eq!(id("a\u{1b}[31mb\nc"), "a\\x1b[31mb⏎c");
        let secret = |tail: &str| id(&["run-gh", "p_", "0123456789abcdefghijABCDEFGHIJ", tail].concat());
        let (one, two) = (secret("012345"), secret("012346"));
        assert!(one != two && !one.contains("abcdefghij") && one.contains("[redacted:"), "{one} {two}");
    }
}
