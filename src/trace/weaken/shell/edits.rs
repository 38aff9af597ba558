//! Replacements of a few characters: less than a line, so that the assertion around them is not seen.

use crate::trace::weaken::util::{evidence, has_any};
use crate::trace::weaken::{Before, Subject, Weakening, WeakeningKind, examine_from, subject, value};

/// Words of assertions: a replacement that shows one of them is about an expectation.
const CLAIMING: &[&str] = &[
    "==",
    "assert",
    "expect",
    "toBe",
    "toEqual",
    "toHave",
    "toContain",
    "toThrow",
    "equal",
    "Equal",
    "should",
    "want",
    "EXPECT_",
    "ASSERT_",
    "REQUIRE",
    "isEqualTo",
    ".to eq",
    "raises",
    "-eq",
];

/// What replacing one text by another does to a file.
pub(super) fn replaced(path: &str, old: &str, new: &str, text: &str) -> Vec<Weakening> {
    let found = examine_from(path, Before::Known(old), new);
    if !found.is_empty() || !matches!(subject(path), Subject::Test | Subject::Snapshot) || old.trim().is_empty() {
        return found;
    }
    let weakening = |kind, line: &str| vec![Weakening { kind, line: evidence(line), tests: Vec::new() }];
    // A changed file of expected output needs no assertion around it.
    if subject(path) == Subject::Snapshot {
        return Vec::new();
    }
    if new.trim().is_empty() {
        let whole = has_any(old, &["assert", "expect(", "EXPECT_", "REQUIRE("]) && !old.contains("import");
        return if whole { weakening(WeakeningKind::AssertionRemoved, text) } else { Vec::new() };
    }
    let commented = [old, old.trim()].iter().any(|o| {
        new.trim() == format!("# {o}") || new.trim() == format!("#{o}") || new.trim() == format!("// {o}") || new.trim() == format!("//{o}")
    });
    if commented && has_any(old, &["assert", "expect", "def test", "it(", "test("]) {
        return weakening(WeakeningKind::AssertionRemoved, text);
    }
    // `assertEqual` → `assertIn`: the name of the assertion alone.
    let name = |t: &str| t.trim().trim_end_matches('(').trim_start_matches('.').to_owned();
    let (was, is) = (name(old), name(new));
    let names = |n: &str| {
        !n.is_empty()
            && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && has_any(n, &["assert", "expect", "toBe", "toEqual", "EXPECT", "ASSERT"])
    };
    if names(&was) && names(&is) {
        let strength = |n: &str| crate::trace::weaken::claims_strength(n);
        return if strength(&is) < strength(&was) { weakening(WeakeningKind::ExpectationRewritten, new) } else { Vec::new() };
    }
    // A bare number in a test: what surrounds it is not seen, and whether a red check turned green by it is judged later.
    let figure = |t: &str| {
        let t = t.trim().trim_start_matches('-');
        !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_')) && t.bytes().any(|b| b.is_ascii_digit())
    };
    if figure(old) && figure(new) && old.trim() != new.trim() {
        return weakening(WeakeningKind::ExpectationRewritten, text);
    }
    let claims = has_any(old, CLAIMING) && has_any(new, CLAIMING);
    if claims && value::changed(&old.replace('\'', "\""), &new.replace('\'', "\"")) {
        return weakening(WeakeningKind::ExpectationRewritten, new);
    }
    Vec::new()
}

/// What a line that was put into a file does.
pub(super) fn inserted(path: &str, new: &str) -> Vec<Weakening> {
    examine_from(path, Before::Appended, new)
}
