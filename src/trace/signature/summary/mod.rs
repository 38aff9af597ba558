//! What a runner says at its end: how many failed, how many passed, green or red.

mod built;
mod readers;
mod tally;

use super::runners::Family;
use super::text::byte;
use tally::Tally;

/// Sums over all summaries of an output: several `test result:` lines add up.
#[derive(Default, Debug)]
pub(super) struct Summary {
    pub failed: Option<u32>,
    pub passed: Option<u32>,
    /// Families that said they are red, and green, as bits.
    pub red: u32,
    pub green: u32,
    /// Maven sums per class, then over all: the classes count only where no total follows.
    classes: Tally,
    saw_classes: bool,
    /// unittest says how many ran, and what failed on a later line.
    ran: Option<u32>,
    /// What TAP and Go say test by test, for want of a sum.
    tap: Tally,
    /// `# pass 4` and `# fail 1`, which sum TAP up.
    tap_sums: Tally,
    /// playwright says `1 failed` on a line of its own, before `3 passed (2.1s)`.
    lone_failed: u32,
    go_failed: u32,
    go_passed: u32,
    /// dotnet's sum over several lines.
    dotnet: bool,
    /// The last word of a builder or a linter, as green.
    pub built: Option<bool>,
}

impl Summary {
    /// Reads one trimmed line that stood `indent` columns in.
    pub(super) fn line(&mut self, t: &[u8], indent: usize) {
        if let Some(sum) = t.strip_prefix(b"# ").or_else(|| t.strip_prefix("ℹ ".as_bytes())) {
            self.tap_sum(sum);
            return;
        }
        self.built_line(t);
        let body = unmarked(t);
        match byte(body, 0) {
            b'0'..=b'9' => self.counted(body),
            b'T' => self.labelled(body),
            b't' => self.cargo(body),
            b'S' if body.starts_with(b"Summary [") => self.nextest(body),
            b'S' if body.starts_with(b"Success: no issues") => self.mark(Family::Lint, true),
            b'A' if body.starts_with(b"All checks passed!") => self.mark(Family::Lint, true),
            b'R' => self.ran_line(body),
            b'O' => self.ok_line(body),
            b'F' | b'P' => self.verdict_line(body, indent),
            b'o' => self.lower_ok(body),
            b'n' if body.starts_with(b"not ok") => self.tap_line(body, false),
            b'B' if body.starts_with(b"BUILD SUCCESS") => self.mark(Family::Jvm, true),
            b'B' if body.starts_with(b"BUILD FAIL") => self.mark(Family::Error, false),
            b'e' if body.starts_with(b"error: could not compile") => self.compile_errors(body),
            b'-' if body.starts_with(b"--- FAIL: ") && indent == 0 => self.go_failed += 1,
            b'-' if body.starts_with(b"--- PASS: ") && indent == 0 => self.go_passed += 1,
            _ => {}
        }
    }

    /// Closes the sums that only stand once the output is over.
    pub(super) fn finish(&mut self) {
        if self.saw_classes {
            let t = self.classes;
            self.add(Family::Jvm, t);
        }
        if self.failed.is_none() && self.passed.is_none() {
            if self.tap.any || self.tap_sums.any {
                let t = if self.tap_sums.any { self.tap_sums } else { self.tap };
                self.add(Family::Tap, t);
            } else if self.go_failed + self.go_passed > 0 {
                self.failed = Some(self.go_failed);
                // Without -v only failures are listed, and nothing is known of the others.
                self.passed = (self.go_passed > 0).then_some(self.go_passed);
            }
        }
        if self.go_failed > 0 {
            self.mark(Family::Go, false);
        }
    }

    fn mark(&mut self, family: Family, green: bool) {
        if green {
            self.green |= family.bit();
        } else {
            self.red |= family.bit();
        }
    }

    fn add(&mut self, family: Family, t: Tally) {
        self.failed = Some(self.failed.unwrap_or(0).saturating_add(t.failed));
        self.passed = Some(self.passed.unwrap_or(0).saturating_add(t.passed));
        if t.failed > 0 {
            self.mark(family, false);
        } else if t.passed > 0 {
            self.mark(family, true);
        }
    }

    /// Only failures are counted: compilers and linters.
    fn faults(&mut self, family: Family, failed: u32) {
        self.failed = Some(self.failed.unwrap_or(0).saturating_add(failed));
        self.mark(family, failed == 0);
    }
}

/// The line without rules of `=`, a log level, a comment sign or a tick before its sum.
fn unmarked(t: &[u8]) -> &[u8] {
    match byte(t, 0) {
        b'=' => t.trim_ascii_start().trim_ascii_end().strip_prefix(b"=").map_or(t, |_| {
            let start = t.iter().position(|b| !matches!(b, b'=' | b' ')).unwrap_or(t.len());
            let end = t.iter().rposition(|b| !matches!(b, b'=' | b' ')).map_or(start, |p| p + 1);
            t.get(start..end).unwrap_or_default()
        }),
        b'[' => ["[ERROR] ", "[INFO] ", "[WARNING] "].iter().find_map(|p| t.strip_prefix(p.as_bytes())).unwrap_or(t).trim_ascii_start(),
        0xE2 => t.strip_prefix("✖ ".as_bytes()).map_or(t, <[u8]>::trim_ascii_start),
        _ => t,
    }
}
