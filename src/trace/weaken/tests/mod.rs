//! Weakenings, each beside its honest twin.

mod asked;
mod command;
mod compiled;
mod config;
mod golden;
mod jvm;
mod patch;
mod properties;
mod python;
mod python_runs;
mod scripting;
mod subject;
mod typescript;

use super::{Weakening, WeakeningKind, examine};

/// The write weakens, in this way and in no other.
#[track_caller]
fn weak(path: &str, old: &str, new: &str, kind: WeakeningKind) -> Vec<Weakening> {
    let found = examine(path, Some(old), new);
    assert!(!found.is_empty(), "nothing found, {kind:?} expected");
    assert!(found.iter().all(|w| w.kind == kind), "{kind:?} expected: {found:#?}");
    found
}

/// The same, and it is exactly one, with this line as evidence.
#[track_caller]
fn weak_at(path: &str, old: &str, new: &str, kind: WeakeningKind, line: &str) -> Weakening {
    let found = weak(path, old, new, kind);
    assert_eq!(found.len(), 1, "{found:#?}");
    let only = found.into_iter().next().unwrap();
    assert_eq!(only.line, line);
    only
}

/// The write weakens nothing.
#[track_caller]
fn honest(path: &str, old: &str, new: &str) {
    let found = examine(path, Some(old), new);
    assert!(found.is_empty(), "nothing expected: {found:#?}");
}
