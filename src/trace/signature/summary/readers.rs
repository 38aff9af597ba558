//! The forms in which each runner sums up.

use super::super::runners::Family;
use super::super::text::{byte, digits_end, find, first_token, has, number, skip_blanks, starts_ci, tail};
use super::Summary;
use super::tally::{Tally, after_label, is_pytest_sum, tally};

impl Summary {
    /// Lines that begin with a number: `3 failed, 9 passed in 1.2s`, `5 examples, 1 failure`, `3 passing`.
    pub(super) fn counted(&mut self, t: &[u8]) {
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
                let t =
                    if word == b"passing" { Tally { passed: n, failed: 0, any: true } } else { Tally { failed: n, passed: 0, any: true } };
                self.add(Family::Script, t);
            }
            b"pass" | b"fail" if after.is_empty() => {
                let t = if word == b"pass" { Tally { passed: n, failed: 0, any: true } } else { Tally { failed: n, passed: 0, any: true } };
                self.add(Family::Script, t);
            }
            b"examples" | b"example" | b"specs" | b"spec" | b"runs" | b"tests" | b"test" | b"scenarios" => {
                self.total_first(t, n, word, after)
            }
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
    pub(super) fn total_first(&mut self, t: &[u8], total: u32, word: &[u8], after: &[u8]) {
        let rest = after.strip_prefix(b"completed, ").unwrap_or(after);
        let mut failed = None;
        let mut out = 0u32;
        for item in rest.split(|&b| b == b',') {
            let item = item.trim_ascii();
            let Some((n, end)) = number(item, 0) else {
                continue;
            };
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
    pub(super) fn ctest(&mut self, t: &[u8]) {
        let Some(failed) = find(t, b"tests passed, ").and_then(|at| number(t, at + 14)) else {
            return;
        };
        let Some(total) = find(t, b" out of ").and_then(|at| number(t, at + 8)) else {
            return;
        };
        self.add(Family::Native, Tally { failed: failed.0, passed: total.0.saturating_sub(failed.0), any: true });
    }

    /// Lines that begin with a label: `Tests: 3 failed, 12 passed, 15 total`, `Tests run: 5, Failures: 2`, `Tests: 5, …`.
    pub(super) fn labelled(&mut self, t: &[u8]) {
        if let Some(rest) = t.strip_prefix(b"Tests run:") {
            let failed = after_label(t, b"Failures:").unwrap_or(0) + after_label(t, b"Errors:").unwrap_or(0);
            let Some((total, _)) = number(rest, skip_blanks(rest, 0)) else {
                return;
            };
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
        let Some(rest) = t.strip_prefix(b"Tests").map(|r| r.strip_prefix(b":").unwrap_or(r)) else {
            return;
        };
        if !matches!(byte(rest, 0), b' ' | b'\t') {
            return;
        }
        let rest = rest.trim_ascii_start();
        if has(rest, b"Assertions:") {
            let Some((total, _)) = number(rest, 0) else {
                return;
            };
            let failed = after_label(rest, b"Failures:").unwrap_or(0) + after_label(rest, b"Errors:").unwrap_or(0);
            let out = after_label(rest, b"Skipped:").unwrap_or(0) + after_label(rest, b"Incomplete:").unwrap_or(0);
            self.add(Family::Php, Tally { failed, passed: total.saturating_sub(failed).saturating_sub(out), any: true });
        } else if let Some(tally) = tally(rest) {
            self.add(Family::Script, tally);
        }
    }

    /// `test result: FAILED. 10 passed; 2 failed; 0 ignored`
    pub(super) fn cargo(&mut self, t: &[u8]) {
        let Some(rest) = t.strip_prefix(b"test result: ") else {
            return;
        };
        let numbers = tail(rest, find(rest, b". ").map_or(0, |at| at + 2));
        if let Some(tally) = tally(numbers) {
            self.add(Family::Cargo, tally);
            self.mark(Family::Cargo, rest.starts_with(b"ok"));
        }
    }

    /// `Summary [   0.005s] 5 tests run: 4 passed, 1 failed, 0 skipped`
    pub(super) fn nextest(&mut self, t: &[u8]) {
        if let Some(tally) = find(t, b"run: ").and_then(|at| tally(tail(t, at + 5))) {
            self.add(Family::Cargo, tally);
        }
    }

    /// `Ran 5 tests in 0.001s`
    pub(super) fn ran_line(&mut self, t: &[u8]) {
        if has(t, b" in ")
            && let Some(rest) = t.strip_prefix(b"Ran ")
        {
            self.ran = number(rest, 0).map(|(n, _)| n);
        }
    }

    /// unittest's `OK (skipped=1)`, phpunit's `OK (5 tests, 9 assertions)`.
    pub(super) fn ok_line(&mut self, t: &[u8]) {
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

    pub(super) fn verdict_line(&mut self, t: &[u8], indent: usize) {
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
    pub(super) fn found(&mut self, rest: &[u8]) {
        let Some((n, end)) = number(rest, 0) else {
            return;
        };
        if starts_ci(tail(rest, end).trim_ascii_start(), b"error") {
            self.faults(Family::Tsc, n);
            if n == 0 {
                self.mark(Family::Lint, true);
            }
        }
    }

    /// Go's `ok  \tpkg\t0.1s`, deno's `ok | 3 passed`, TAP's `ok 3 - name`.
    pub(super) fn lower_ok(&mut self, t: &[u8]) {
        let Some(rest) = t.strip_prefix(b"ok") else {
            return;
        };
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
    pub(super) fn tap_sum(&mut self, sum: &[u8]) {
        let (word, rest) = first_token(sum.trim_ascii());
        let Some((n, _)) = number(rest, 0) else {
            return;
        };
        match word {
            b"pass" => self.tap_sums.passed = self.tap_sums.passed.saturating_add(n),
            b"fail" | b"cancelled" => self.tap_sums.failed = self.tap_sums.failed.saturating_add(n),
            _ => return,
        }
        self.tap_sums.any = true;
    }

    pub(super) fn tap_line(&mut self, t: &[u8], ok: bool) {
        let aside = find(t, b" # ").map(|at| tail(t, at + 3)).is_some_and(|d| starts_ci(d, b"skip") || starts_ci(d, b"todo"));
        self.tap.any = true;
        if !aside && ok {
            self.tap.passed += 1;
        } else if !aside {
            self.tap.failed += 1;
        }
    }

    /// `error: could not compile `x` (lib) due to 3 previous errors`
    pub(super) fn compile_errors(&mut self, t: &[u8]) {
        match find(t, b" due to ").and_then(|at| number(t, at + 8)) {
            Some((n, _)) => self.faults(Family::Rustc, n),
            // A compiler that was killed has found nothing.
            None => self.mark(Family::Error, false),
        }
    }
}
