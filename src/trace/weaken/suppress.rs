//! Marks that tell a linter or a type checker to look away, put on code that was there before.

use std::collections::{HashMap, HashSet};

use super::mask::Text;
use super::util::evidence;
use super::{Weakening, WeakeningKind};

/// The marks, as they stand in the raw text.
pub(super) const MARKS: &[&str] = &[
    "# noqa",
    "# type: ignore",
    "# pyright: ignore",
    "# pylint: disable",
    "# pragma: no cover",
    "# mypy: ignore",
    "# ruff: noqa",
    "# flake8: noqa",
    "# nosec",
    "eslint-disable",
    "@ts-ignore",
    "@ts-nocheck",
    "@ts-expect-error",
    "biome-ignore",
    "oxlint-disable",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "#[allow(",
    "#![allow(",
    "#[expect(",
    "//nolint",
    "// nolint",
    "@SuppressWarnings(",
    "@Suppress(",
    "rubocop:disable",
    "phpcs:ignore",
    "@phpstan-ignore",
    "#pragma warning disable",
    "[SuppressMessage(",
    "// NOLINT",
    "shellcheck disable",
    "// NOSONAR",
    "@file:Suppress",
];

/// New marks on old code.
pub(super) fn compare(old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    let marked = |text: &Text<'_>, line: usize| MARKS.iter().find(|m| text.raw(line).contains(**m)).copied();
    let mut before: HashMap<String, usize> = HashMap::new();
    let mut old_code: HashSet<String> = HashSet::new();
    for line in 0..old.lines.len() {
        let code = without_mark(old, line);
        if marked(old, line).is_some() {
            *before.entry(place(old, line, &code)).or_default() += 1;
        }
        if !code.is_empty() {
            old_code.insert(code);
        }
    }
    let mut found = Vec::new();
    for line in 0..new.lines.len() {
        let Some(mark) = marked(new, line) else { continue };
        // Tests of types use it on purpose: it fails where there is no error.
        if mark == "@ts-expect-error" && has_claims(new) {
            continue;
        }
        let code = without_mark(new, line);
        let place = place(new, line, &code);
        if let Some(n) = before.get_mut(&place).filter(|n| **n > 0) {
            *n -= 1;
            continue;
        }
        // What it covers: its own line, or the next one that is no mark itself.
        let covered = if code.is_empty() {
            (line + 1..new.lines.len().min(line + 8))
                .filter(|l| marked(new, *l).is_none())
                .map(|l| without_mark(new, l))
                .find(|c| !c.is_empty())
        } else {
            Some(code)
        };
        if covered.is_some_and(|c| old_code.contains(&c)) {
            found.push(Weakening { kind: WeakeningKind::Narrowed, line: evidence(new.raw(line)), tests: Vec::new() });
        }
    }
    found
}

fn has_claims(text: &Text<'_>) -> bool {
    text.raw.contains("expect(") || text.raw.contains("expectType") || text.raw.contains("assertType")
}

/// A line's code; marks that are attributes count as no code.
fn without_mark(text: &Text<'_>, line: usize) -> String {
    let code = text.code(line).trim();
    let attribute = [
        "#[allow(",
        "#![allow(",
        "#[expect(",
        "@SuppressWarnings(",
        "@Suppress(",
        "[SuppressMessage(",
        "#pragma warning",
        "@file:Suppress",
    ]
    .iter()
    .any(|a| code.starts_with(a));
    if attribute { String::new() } else { text.canon_line(line) }
}

/// What identifies a mark: the code that it covers, or its own text.
fn place(text: &Text<'_>, line: usize, code: &str) -> String {
    if code.is_empty() { text.raw(line).split_whitespace().collect::<String>() } else { code.to_owned() }
}
