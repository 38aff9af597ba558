//! The acceptance matrix over time: what changed from one snapshot to the next.

use crate::trace::governance::{ItemStatus, Scope, ScopeItem};
use crate::trace::{Place, Trace};
use std::collections::{HashMap, HashSet};

/// A change of the frozen scope.
pub(super) struct Change<'t> {
    before_items: &'t [ScopeItem],
    after_items: &'t [ScopeItem],
    /// Where the scope stood before, where that is a file.
    pub(super) before: Option<Place>,
    /// Where it stands now.
    pub(super) place: Place,
    /// The step that changed it, where the run's records show that.
    pub(super) step: Option<u32>,
    /// The number of the snapshot, which loops take from the iteration.
    pub(super) number: Option<u64>,
}

/// All changes, in their order: between snapshots that lie beside the log, between the run's own writes, and its edits.
pub(super) fn changes(trace: &Trace) -> Vec<Change<'_>> {
    let mut files: Vec<&Scope> = trace.scopes.iter().filter(|s| s.step.is_none()).collect();
    // Numbered snapshots in their order, the current file last.
    files.sort_by_key(|s| (s.number.is_none(), s.number, s.place.source));
    let mut writes: Vec<&Scope> = trace.scopes.iter().filter(|s| s.step.is_some()).collect();
    writes.sort_by_key(|s| s.step);
    let place = |s: &Scope| s.step.map_or(s.place, |step| trace.place(step));
    let mut all: Vec<Change<'_>> = [files, writes]
        .iter()
        .flat_map(|list| list.windows(2))
        .map(|pair| Change {
            before_items: &pair[0].items,
            after_items: &pair[1].items,
            before: Some(place(pair[0])),
            place: place(pair[1]),
            step: pair[1].step,
            number: pair[1].number,
        })
        .collect();
    all.extend(trace.scope_edits.iter().map(|e| Change {
        before_items: &e.before,
        after_items: &e.after,
        before: None,
        place: trace.place(e.step),
        step: Some(e.step),
        number: None,
    }));
    all
}

impl<'t> Change<'t> {
    /// Items that are no longer there.
    pub(super) fn dropped(&self) -> Vec<&'t ScopeItem> {
        let kept: HashSet<&str> = self.after_items.iter().map(|i| &*i.id).collect();
        self.before_items.iter().filter(|i| !kept.contains(&*i.id)).collect()
    }

    /// Items whose description asks for less.
    pub(super) fn weakened(&self) -> Vec<(&'t ScopeItem, &'t ScopeItem)> {
        self.pairs().filter(|(was, now)| asks_for_less(&was.description, &now.description)).collect()
    }

    /// Items that were not done before and are now.
    pub(super) fn newly_done(&self) -> Vec<&'t ScopeItem> {
        self.pairs().filter(|(was, now)| was.status != ItemStatus::Done && now.status == ItemStatus::Done).map(|(_, now)| now).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (&'t ScopeItem, &'t ScopeItem)> {
        // Of several with one id the first counts.
        let after: HashMap<&str, &ScopeItem> = self.after_items.iter().rev().map(|i| (&*i.id, i)).collect();
        self.before_items.iter().filter_map(move |was| Some((was, *after.get(&*was.id)?)))
    }
}

/// Words that bind, and what they become where somebody wants to be bound less.
const SOFTER: &[(&str, &[&str])] = &[
    ("must", &["should", "may", "can", "could"]),
    ("shall", &["should", "may", "can", "could"]),
    ("all", &["some", "most", "many"]),
    ("every", &["some", "most", "many"]),
    ("always", &["usually", "often", "sometimes"]),
    ("never", &["rarely", "seldom"]),
];

/// Whether a new wording asks for less: a fifth of the words is gone and little is new, a figure moved, or what bound binds
/// no longer. A mere rewording does not.
fn asks_for_less(was: &str, now: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '%'))
            .map(|w| w.trim_matches('.').to_owned())
            .filter(|w| !w.is_empty())
            .collect()
    };
    let (a, b) = (words(was), words(now));
    if a == b {
        return false;
    }
    let number = |w: &&String| w.bytes().next().is_some_and(|c| c.is_ascii_digit());
    let figures = |list: &[String]| list.iter().filter(number).cloned().collect::<Vec<_>>();
    let has = |list: &[String], word: &str| list.iter().any(|w| w == word);
    let softer = SOFTER.iter().any(|(hard, soft)| has(&a, hard) && !has(&b, hard) && soft.iter().any(|s| has(&b, s) && !has(&a, s)));
    let (all_a, all_b): (HashSet<&String>, HashSet<&String>) = (a.iter().collect(), b.iter().collect());
    let gone = a.iter().filter(|w| !all_b.contains(w)).count();
    let new = b.iter().filter(|w| !all_a.contains(w)).count();
    softer || figures(&a) != figures(&b) && !figures(&a).is_empty() || gone * 5 >= a.len() && new * 2 <= gone
}

/// Whether a path is one that a pattern names: the file itself, what lies in the folder, or what a `*` stands for.
pub(super) fn lies_in(path: &str, pattern: &str) -> bool {
    let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
    let path = path.trim_start_matches("./");
    if path.is_empty() || pattern.is_empty() {
        return false;
    }
    if pattern.contains(['*', '?', '[']) {
        let fits = |p: &str| globset::Glob::new(p).is_ok_and(|g| g.compile_matcher().is_match(path));
        return fits(pattern) || fits(&format!("**/{pattern}"));
    }
    let starts = |p: &str| p == pattern || p.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('/'));
    // An absolute path names the same file below its workspace.
    starts(path) || path.starts_with('/') && path.match_indices('/').any(|(at, _)| starts(&path[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_and_only_other_words() {
        for (was, now) in [
            ("All 40 tests pass", "All 30 tests pass"),
            ("Login must lock after 5 failures", "Login should lock after 5 failures"),
            ("Export works for CSV, PDF and XLSX files", "Export works for CSV files"),
        ] {
            assert!(asks_for_less(was, now), "{was} -> {now}");
        }
        for (was, now) in [
            ("Login works", "Login works"),
            ("Users can log in with a password", "A user can log in using a password, and with a token"),
            ("Login works", "Login works for all 3 tenants"),
        ] {
            assert!(!asks_for_less(was, now), "{was} -> {now}");
        }
    }

    #[test]
    fn paths_in_folders_and_patterns() {
        for (path, pattern) in
            [("src/auth/key.rs", "src/auth"), ("/w/p/.env", ".env"), ("db/migrations/1.sql", "db/migrations/"), ("a/b.lock", "*.lock")]
        {
            assert!(lies_in(path, pattern), "{path} {pattern}");
        }
        for (path, pattern) in [("src/authority.rs", "src/auth"), ("env", ".env"), ("", "src"), ("a.rs", "*.lock")] {
            assert!(!lies_in(path, pattern), "{path} {pattern}");
        }
    }
}
