//! Expected output: golden files, snapshots, fixtures.

use std::collections::HashMap;

use super::util::{base_name, evidence};
use super::{Weakening, WeakeningKind};

/// Keys that hold what is expected, in test data that holds inputs too.
const EXPECTED_KEYS: &[&str] = &[
    "expected",
    "expect",
    "expected_output",
    "expectedoutput",
    "output",
    "outputs",
    "result",
    "results",
    "want",
    "stdout",
    "stderr",
    "status",
    "answer",
    "answers",
    "exit_code",
    "exitcode",
    "response",
    "solution",
];

/// Compares two sides of a file of expected output.
pub(super) fn compare(path: &str, old: &str, new: &str) -> Vec<Weakening> {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for l in old.lines().map(str::trim).filter(|l| says_something(l)) {
        *counts.entry(l).or_default() += 1;
    }
    let mut added: Vec<&str> = Vec::new();
    for l in new.lines().map(str::trim).filter(|l| says_something(l)) {
        match counts.get_mut(l).filter(|n| **n > 0) {
            Some(n) => *n -= 1,
            None => added.push(l),
        }
    }
    let removed: Vec<&str> = old
        .lines()
        .map(str::trim)
        .filter(|l| {
            counts.get_mut(l).filter(|n| **n > 0).is_some_and(|n| {
                *n -= 1;
                true
            })
        })
        .collect();
    let Some(first_removed) = removed.first() else { return Vec::new() };
    let all_expected = is_expected_output(path);
    let weakening = |kind, line: &str| vec![Weakening { kind, line: evidence(line), tests: Vec::new() }];
    if added.is_empty() {
        // A file that is emptied expects nothing any more; single entries go with their tests.
        return if new.trim().is_empty() || all_expected && !is_snapshot(path) {
            weakening(WeakeningKind::AssertionRemoved, first_removed)
        } else {
            Vec::new()
        };
    }
    if all_expected {
        return weakening(WeakeningKind::ExpectationRewritten, added.first().unwrap_or(first_removed));
    }
    // In mixed data only the expected half counts, and only where its key stays.
    let mut keys: HashMap<String, &str> = HashMap::new();
    for l in &removed {
        if let Some(k) = expected_key(l) {
            keys.insert(k, l);
        }
    }
    added
        .iter()
        .find(|l| expected_key(l).is_some_and(|k| keys.contains_key(&k)))
        .map_or_else(Vec::new, |l| weakening(WeakeningKind::ExpectationRewritten, l))
}

fn says_something(line: &str) -> bool {
    line.bytes().any(|b| b.is_ascii_alphanumeric() || b >= 0x80)
}

fn is_snapshot(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.ends_with(".snap") || path.ends_with(".ambr") || path.contains("__snapshots__")
}

/// Whether all of a file is expected output.
fn is_expected_output(path: &str) -> bool {
    let lower = path.to_ascii_lowercase().replace('\\', "/");
    let base = base_name(&lower);
    is_snapshot(path)
        || ["golden", "expected", ".approved.", ".verified.", "approvals/"].iter().any(|w| base.contains(w))
        || ["/golden", "golden/", "goldens/", "/expected", "expected/", "snapshots/", "approvals/"].iter().any(|w| lower.contains(w))
}

fn expected_key(line: &str) -> Option<String> {
    let (key, _) = line.split_once([':', '='])?;
    let key = key.trim().trim_matches(['"', '\'', '-', ' ', '{']).to_ascii_lowercase();
    EXPECTED_KEYS.contains(&key.as_str()).then_some(key)
}
