//! The last words of builders, linters and formatters. They tell nothing of tests: a test run prints them on its way.

use super::super::runners::Family;
use super::super::text::{has, number, skip_blanks, tail};
use super::Summary;

/// How a line begins, what it must hold besides, and whether it is good news.
const WORDS: &[(&[u8], &[u8], bool)] = &[
    (b"Finished ", b" target(s) in ", true), // cargo: `Finished `dev` profile [unoptimized] target(s) in 2.1s`
    (b"Build succeeded", b"", true),
    (b"Build FAILED", b"", false),
    (b"Build complete!", b"", true),
    (b"Build completed successfully", b"", true),
    (b"INFO: Build completed successfully", b"", true),
    (b"** BUILD SUCCEEDED **", b"", true),
    (b"** BUILD FAILED **", b"", false),
    ("✓ built in ".as_bytes(), b"", true),
    ("✓ Compiled successfully".as_bytes(), b"", true),
    (b"Compiled successfully", b"", true),
    (b"Failed to compile", b"", false),
    (b"webpack ", b"compiled successfully", true),
    (b"webpack ", b"compiled with 1 warning", true),
    (b"webpack ", b" error", false),
    (b"All matched files use Prettier code style!", b"", true),
    (b"[warn] Code style issues found", b"", false),
    (b"would reformat ", b"", false),
    ("✔ No ESLint warnings or errors".as_bytes(), b"", true),
    (b"Checked ", b"No fixes applied.", true),
    (b"[OK] No errors", b"", true),
    (b"No errors found!", b"", true),
    (b"Success! The configuration is valid", b"", true),
    (b"Successfully ran target", b"", true),
    (b"NX   Successfully ran target", b"", true),
    (b"No issues found!", b"", true),
];

impl Summary {
    /// Reads one trimmed line.
    pub(super) fn built_line(&mut self, t: &[u8]) {
        let said = WORDS.iter().find(|(start, inside, _)| t.starts_with(start) && (inside.is_empty() || has(t, inside)));
        if let Some(green) = said.map(|(_, _, green)| *green).or_else(|| counted(t)) {
            // One bad end among several is a bad end.
            self.built = Some(green && self.built != Some(false));
        }
        // Flutter sums up behind a clock: `00:03 +5: All tests passed!`
        if t.ends_with(b"All tests passed!") {
            self.mark(Family::Script, true);
        } else if t.ends_with(b"Some tests failed.") {
            self.mark(Family::Script, false);
        }
    }
}

/// Lines with a count: `0 issues.` (golangci-lint), `12 files inspected, no offenses detected`, `5 files would be left
/// unchanged.`, `Tasks:    5 successful, 5 total` (turbo).
fn counted(t: &[u8]) -> Option<bool> {
    if let Some(rest) = t.strip_prefix(b"Tasks:") {
        let (good, end) = number(rest, skip_blanks(rest, 0))?;
        let rest = tail(rest, end).strip_prefix(b" successful, ")?;
        let (all, end) = number(rest, 0)?;
        return (tail(rest, end).trim_ascii() == b"total").then_some(good == all);
    }
    let (n, end) = number(t, 0)?;
    match tail(t, end) {
        b" issues." | b" issues:" => Some(n == 0),
        b" files would be left unchanged." | b" file would be left unchanged." => Some(true),
        rest if rest.ends_with(b"no offenses detected") => Some(true),
        rest if rest.ends_with(b" offenses detected") || rest.ends_with(b" offense detected") => Some(false),
        rest if has(rest, b" would be reformatted") => Some(false),
        _ => None,
    }
}
