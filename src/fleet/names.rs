//! Names for tables: a run's id, the paths of its files, and what of them groups runs.

use crate::format::json::hash;
use crate::report::escape::visible;
use crate::report::model::RunReport;
use crate::report::redact::redact;
use regex::Regex;
use std::sync::LazyLock;

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

/// What only tells executions of a loop apart, at the end of a name.
static COUNTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    let time = "[0-9]{2}[-:_.h]?[0-9]{2}(?:[-:_.]?[0-9]{2})?Z?";
    let date = "[0-9]{4}[-_.][0-9]{2}[-_.][0-9]{2}";
    let word = "(?:run|attempt|try|night|nightly|session)[-_. ]?[0-9]+";
    Regex::new(&format!("(?:^|[-_. :])(?:{uuid}|{date}(?:[T_ -]{time})?|[0-9]{{6,}}(?:[T_-][0-9]{{4,6}}Z?)?|{word})$")).ok()
});

/// The loop that a run is an execution of: its id without what only tells executions apart. That is a `#2` at the end, and
/// dates, times, long numbers, UUIDs and `run-3` at the end of a name or as whole folders at the end of the path. A short
/// number stays, since `issue-12` and `issue-13` are two tasks. Null where nothing is left.
#[must_use]
pub fn loop_of(id: &str) -> Option<&str> {
    let digits = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let mut rest = id.rsplit_once('#').filter(|(_, n)| digits(n)).map_or(id, |(stem, _)| stem);
    while !rest.is_empty() {
        let name = rest.rfind('/').map_or(0, |at| at + 1);
        match COUNTER.as_ref()?.find(rest.get(name..)?) {
            Some(counter) => rest = rest.get(..name + counter.start())?,
            None => return Some(rest),
        }
        rest = rest.trim_end_matches('/');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_of_one_loop_share_its_name() {
        for (id, is) in [
            ("billing-fix", Some("billing-fix")),
            ("billing-fix#12", Some("billing-fix")),
            ("billing-fix-2026-11-28", Some("billing-fix")),
            ("billing-fix_20261128_231500", Some("billing-fix")),
            ("billing-fix.2026-11-28T23:15:00Z", Some("billing-fix")),
            ("team/billing-fix/run-003", Some("team/billing-fix")),
            ("team/billing-fix/2026-11-28/attempt2", Some("team/billing-fix")),
            ("billing-fix/1795939200", Some("billing-fix")),
            ("issue-12", Some("issue-12")),
            ("v2", Some("v2")),
            ("run#a", Some("run#a")),
            ("prerun-3", Some("prerun-3")),
            ("api/7e80b23c-1e5e-577c-a4d6-5661fff7d885", Some("api")),
            ("7e80b23c-1e5e-577c-a4d6-5661fff7d885", None),
            ("2026-11-28", None),
            ("", None),
        ] {
            assert_eq!(loop_of(id), is, "{id}");
        }
    }

    #[test]
    fn ids_stay_different_and_harmless() {
        assert_eq!(id("billing-fix"), "billing-fix");
        assert_eq!(id("a\u{1b}[31mb\nc"), "a\\x1b[31mb⏎c");
        let secret = |tail: &str| id(&["run-gh", "p_", "0123456789abcdefghijABCDEFGHIJ", tail].concat());
        let (one, two) = (secret("012345"), secret("012346"));
        assert!(one != two && !one.contains("abcdefghij") && one.contains("[redacted:"), "{one} {two}");
    }
}
