//! What a runner says at its end: how many failed, how many passed, green or red.

use super::runners::Family;
use super::text::{byte, digits_end, find, first_token, has, letters_end, number, skip_blanks, starts_ci, tail};

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
}

#[derive(Default, Clone, Copy, Debug)]
struct Tally {
    failed: u32,
    passed: u32,
    /// Anything at all was counted.
    any: bool,
}

impl Summary {
    /// Reads one trimmed line that stood `indent` columns in.
    pub(super) fn line(&mut self, t: &[u8], indent: usize) {
        if let Some(sum) = t.strip_prefix(b"# ").or_else(|| t.strip_prefix("ℹ ".as_bytes())) {
            self.tap_sum(sum);
            return;
        }
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

    /// Lines that begin with a number: `3 failed, 9 passed in 1.2s`, `5 examples, 1 failure`, `3 passing`.
    fn counted(&mut self, t: &[u8]) {
        let Some((n, end)) = number(t, 0) else { return };
        let rest = tail(t, end).trim_ascii_start();
        if byte(t, end) == b'%' {
            self.ctest(t);
            return;
        }
        let (word, after) = first_token(rest);
        let word = word.strip_suffix(b",").unwrap_or(word);
        match word {
            b"passing" | b"failing" if after.is_empty() || byte(after, 0) == b'(' => {
                let t = if word == b"passing" { Tally { passed: n, failed: 0, any: true } } else { Tally { failed: n, passed: 0, any: true } };
                self.add(Family::Script, t);
            }
            b"pass" | b"fail" if after.is_empty() => {
                let t = if word == b"pass" { Tally { passed: n, failed: 0, any: true } } else { Tally { failed: n, passed: 0, any: true } };
                self.add(Family::Script, t);
            }
            b"examples" | b"example" | b"specs" | b"spec" | b"runs" | b"tests" | b"test" | b"scenarios" => self.total_first(t, n, word, after),
            b"error" | b"errors" if has(after, b"informations") || has(after, b"information") => self.faults(Family::Lint, n),
            b"problems" | b"problem" if byte(after, 0) == b'(' => {
                if let Some((errors, _)) = number(after, 1) {
                    self.faults(Family::Lint, errors);
                }
            }
            b"failed" if after.is_empty() => self.lone_failed = self.lone_failed.saturating_add(n),
            b"passed" if byte(after, 0) == b'(' && after.ends_with(b"s)") => {
                let failed = std::mem::take(&mut self.lone_failed);
                self.add(Family::Script, Tally { failed, passed: n, any: true });
            }
            _ => {
                if let Some(tally) = tally(t)
                    && is_pytest_sum(t)
                {
                    let family = if has(t, b" | ") { Family::Script } else { Family::Pytest };
                    self.add(family, tally);
                }
            }
        }
    }

    /// `5 examples, 1 failure, 2 pending`, `5 runs, 9 assertions, 1 failures, 0 errors, 0 skips`, `5 tests completed, 2 failed`.
    fn total_first(&mut self, t: &[u8], total: u32, word: &[u8], after: &[u8]) {
        let rest = after.strip_prefix(b"completed, ").unwrap_or(after);
        let mut failed = None;
        let mut out = 0u32;
        for item in rest.split(|&b| b == b',') {
            let item = item.trim_ascii();
            let Some((n, end)) = number(item, 0) else { continue };
            let what = tail(item, end).trim_ascii_start();
            if starts_ci(what, b"fail") || starts_ci(what, b"error") {
                failed = Some(failed.unwrap_or(0u32).saturating_add(n));
            } else if starts_ci(what, b"pending") || starts_ci(what, b"skip") {
                out = out.saturating_add(n);
            }
        }
        let family = match word {
            b"examples" | b"example" | b"runs" => Family::Ruby,
            b"tests" | b"test" if has(t, b"completed") => Family::Jvm,
            b"tests" | b"test" => Family::Tap,
            _ => Family::Script,
        };
        if let Some(failed) = failed {
            let passed = total.saturating_sub(failed).saturating_sub(out);
            self.add(family, Tally { failed, passed, any: true });
        }
    }

    /// `80% tests passed, 1 tests failed out of 5`
    fn ctest(&mut self, t: &[u8]) {
        let Some(failed) = find(t, b"tests passed, ").and_then(|at| number(t, at + 14)) else { return };
        let Some(total) = find(t, b" out of ").and_then(|at| number(t, at + 8)) else { return };
        self.add(Family::Native, Tally { failed: failed.0, passed: total.0.saturating_sub(failed.0), any: true });
    }

    /// Lines that begin with a label: `Tests: 3 failed, 12 passed, 15 total`, `Tests run: 5, Failures: 2`, `Tests: 5, …`.
    fn labelled(&mut self, t: &[u8]) {
        if let Some(rest) = t.strip_prefix(b"Tests run:") {
            let failed = after_label(t, b"Failures:").unwrap_or(0) + after_label(t, b"Errors:").unwrap_or(0);
            let Some((total, _)) = number(rest, skip_blanks(rest, 0)) else { return };
            let skipped = after_label(t, b"Skipped:").unwrap_or(0);
            let sum = Tally { failed, passed: total.saturating_sub(failed).saturating_sub(skipped), any: true };
            if has(t, b"Time elapsed") {
                self.classes.failed = self.classes.failed.saturating_add(sum.failed);
                self.classes.passed = self.classes.passed.saturating_add(sum.passed);
                self.saw_classes = true;
            } else {
                self.classes = Tally::default();
                self.saw_classes = false;
                self.add(Family::Jvm, sum);
            }
            return;
        }
        if let Some(rest) = t.strip_prefix(b"Total tests:") {
            self.dotnet = number(rest, skip_blanks(rest, 0)).is_some();
            return;
        }
        let Some(rest) = t.strip_prefix(b"Tests").map(|r| r.strip_prefix(b":").unwrap_or(r)) else { return };
        if !matches!(byte(rest, 0), b' ' | b'\t') {
            return;
        }
        let rest = rest.trim_ascii_start();
        if has(rest, b"Assertions:") {
            let Some((total, _)) = number(rest, 0) else { return };
            let failed = after_label(rest, b"Failures:").unwrap_or(0) + after_label(rest, b"Errors:").unwrap_or(0);
            let out = after_label(rest, b"Skipped:").unwrap_or(0) + after_label(rest, b"Incomplete:").unwrap_or(0);
            self.add(Family::Php, Tally { failed, passed: total.saturating_sub(failed).saturating_sub(out), any: true });
        } else if let Some(tally) = tally(rest) {
            self.add(Family::Script, tally);
        }
    }

    /// `test result: FAILED. 10 passed; 2 failed; 0 ignored`
    fn cargo(&mut self, t: &[u8]) {
        let Some(rest) = t.strip_prefix(b"test result: ") else { return };
        let numbers = tail(rest, find(rest, b". ").map_or(0, |at| at + 2));
        if let Some(tally) = tally(numbers) {
            self.add(Family::Cargo, tally);
            self.mark(Family::Cargo, rest.starts_with(b"ok"));
        }
    }

    /// `Summary [   0.005s] 5 tests run: 4 passed, 1 failed, 0 skipped`
    fn nextest(&mut self, t: &[u8]) {
        if let Some(tally) = find(t, b"run: ").and_then(|at| tally(tail(t, at + 5))) {
            self.add(Family::Cargo, tally);
        }
    }

    /// `Ran 5 tests in 0.001s`
    fn ran_line(&mut self, t: &[u8]) {
        if has(t, b" in ")
            && let Some(rest) = t.strip_prefix(b"Ran ")
        {
            self.ran = number(rest, 0).map(|(n, _)| n);
        }
    }

    /// unittest's `OK (skipped=1)`, phpunit's `OK (5 tests, 9 assertions)`.
    fn ok_line(&mut self, t: &[u8]) {
        let rest = t.strip_prefix(b"OK").unwrap_or(b"x").trim_ascii();
        if let Some(ran) = self.ran.take_if(|_| rest.is_empty() || byte(rest, 0) == b'(') {
            let passed = ran.saturating_sub(after_label(rest, b"skipped=").unwrap_or(0));
            self.add(Family::Unittest, Tally { failed: 0, passed, any: true });
        } else if has(rest, b" assertion")
            && let Some((n, _)) = number(rest, 1)
        {
            self.add(Family::Php, Tally { failed: 0, passed: n, any: true });
        }
    }

    fn verdict_line(&mut self, t: &[u8], indent: usize) {
        if let Some(rest) = t.strip_prefix(b"FAILED (") {
            let n = |label| after_label(rest, label).unwrap_or(0);
            let failed = n(b"failures=") + n(b"errors=") + n(b"unexpected successes=");
            let Some(ran) = self.ran.take() else { return };
            let passed = ran.saturating_sub(failed).saturating_sub(n(b"skipped=") + n(b"expected failures="));
            self.add(Family::Unittest, Tally { failed, passed, any: true });
        } else if t.starts_with(b"Failed!") || t.starts_with(b"Passed!") {
            // `Failed!  - Failed:     1, Passed:     4, Skipped: …`
            if let (Some(failed), Some(passed)) = (after_label(t, b"Failed:"), after_label(t, b"Passed:")) {
                self.add(Family::Dotnet, Tally { failed, passed, any: true });
            }
        } else if self.dotnet && (t.starts_with(b"Failed: ") || t.starts_with(b"Passed: ")) {
            let n = number(t, skip_blanks(t, 7)).map_or(0, |(n, _)| n);
            let failed = byte(t, 0) == b'F';
            self.add(Family::Dotnet, Tally { failed: if failed { n } else { 0 }, passed: if failed { 0 } else { n }, any: true });
        } else if let Some(rest) = t.strip_prefix(b"FAILED | ") {
            if let Some(tally) = tally(rest) {
                self.add(Family::Script, tally);
            }
        } else if let Some(rest) = t.strip_prefix(b"Found ") {
            self.found(rest);
        } else if indent == 0 && (t == b"FAIL" || t.starts_with(b"FAIL\t")) {
            self.mark(Family::Go, false);
        }
    }

    /// `Found 3 errors in 2 files.` by tsc, mypy and ruff.
    fn found(&mut self, rest: &[u8]) {
        let Some((n, end)) = number(rest, 0) else { return };
        if starts_ci(tail(rest, end).trim_ascii_start(), b"error") {
            self.faults(Family::Tsc, n);
            if n == 0 {
                self.mark(Family::Lint, true);
            }
        }
    }

    /// Go's `ok  \tpkg\t0.1s`, deno's `ok | 3 passed`, TAP's `ok 3 - name`.
    fn lower_ok(&mut self, t: &[u8]) {
        let Some(rest) = t.strip_prefix(b"ok") else { return };
        if let Some(counts) = rest.strip_prefix(b" | ") {
            if let Some(tally) = tally(counts) {
                self.add(Family::Script, tally);
            }
        } else if rest.starts_with(b"  \t") || byte(rest, 0) == b'\t' {
            self.mark(Family::Go, true);
        } else if byte(rest, 0) == b' ' && digits_end(rest, 1) > 1 {
            self.tap_line(t, true);
        }
    }

    /// `pass 4`, `fail 1`, behind the comment sign.
    fn tap_sum(&mut self, sum: &[u8]) {
        let (word, rest) = first_token(sum.trim_ascii());
        let Some((n, _)) = number(rest, 0) else { return };
        match word {
            b"pass" => self.tap_sums.passed = self.tap_sums.passed.saturating_add(n),
            b"fail" | b"cancelled" => self.tap_sums.failed = self.tap_sums.failed.saturating_add(n),
            _ => return,
        }
        self.tap_sums.any = true;
    }

    fn tap_line(&mut self, t: &[u8], ok: bool) {
        let aside = find(t, b" # ").map(|at| tail(t, at + 3)).is_some_and(|d| starts_ci(d, b"skip") || starts_ci(d, b"todo"));
        self.tap.any = true;
        if !aside && ok {
            self.tap.passed += 1;
        } else if !aside {
            self.tap.failed += 1;
        }
    }

    /// `error: could not compile `x` (lib) due to 3 previous errors`
    fn compile_errors(&mut self, t: &[u8]) {
        match find(t, b" due to ").and_then(|at| number(t, at + 8)) {
            Some((n, _)) => self.faults(Family::Rustc, n),
            // A compiler that was killed has found nothing.
            None => self.mark(Family::Error, false),
        }
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

/// `3 failed, 9 passed, 1 skipped`, `10 passed; 2 failed`, `3 failed | 12 passed (15)`: stops at what is no count.
fn tally(t: &[u8]) -> Option<Tally> {
    let mut sum = Tally::default();
    let mut at = 0;
    loop {
        at = super::text::run(t, at, |b| matches!(b, b' ' | b',' | b';' | b'|'));
        let Some((n, end)) = number(t, at) else { break };
        let from = skip_blanks(t, end);
        let stop = letters_end(t, from);
        let word = t.get(from..stop).unwrap_or_default();
        match word {
            b"failed" | b"error" | b"errors" | b"failure" | b"failures" => sum.failed = sum.failed.saturating_add(n),
            b"passed" => sum.passed = sum.passed.saturating_add(n),
            b"skipped" | b"xfailed" | b"xpassed" | b"warning" | b"warnings" | b"deselected" | b"ignored" | b"todo" | b"pending" | b"rerun"
            | b"measured" | b"total" | b"subtests" | b"steps" => {}
            _ => break,
        }
        sum.any = true;
        at = stop;
    }
    sum.any.then_some(sum)
}

/// pytest's own sum ends in its time; a lone `3 failed` in running text is no sum.
fn is_pytest_sum(t: &[u8]) -> bool {
    let timed = find(t, b" in ").is_some_and(|at| byte(t, at + 4).is_ascii_digit() && has(tail(t, at), b"s"));
    let several = t.contains(&b',') && (has(t, b"passed") && has(t, b"failed"));
    timed || several
}

/// The number behind a label: `Failures: 2`, `failures=3`.
fn after_label(t: &[u8], label: &[u8]) -> Option<u32> {
    let at = find(t, label)? + label.len();
    number(t, skip_blanks(t, at)).map(|(n, _)| n)
}
