//! Counts as they stand in one line.

use super::super::text::{byte, find, has, letters_end, number, run, skip_blanks, tail};

#[derive(Default, Clone, Copy, Debug)]
pub(super) struct Tally {
    pub failed: u32,
    pub passed: u32,
    /// Anything at all was counted.
    pub any: bool,
}

/// `3 failed, 9 passed, 1 skipped`, `10 passed; 2 failed`, `3 failed | 12 passed (15)`: stops at what is no count.
pub(super) fn tally(t: &[u8]) -> Option<Tally> {
    let mut sum = Tally::default();
    let mut at = 0;
    loop {
        at = run(t, at, |b| matches!(b, b' ' | b',' | b';' | b'|'));
        let Some((n, end)) = number(t, at) else { break };
        let from = skip_blanks(t, end);
        let stop = letters_end(t, from);
        let word = t.get(from..stop).unwrap_or_default();
        match word {
            b"failed" | b"error" | b"errors" | b"failure" | b"failures" => sum.failed = sum.failed.saturating_add(n),
            b"passed" => sum.passed = sum.passed.saturating_add(n),
            b"skipped" | b"xfailed" | b"xpassed" | b"warning" | b"warnings" | b"deselected" | b"ignored" | b"todo" | b"pending"
            | b"rerun" | b"measured" | b"total" | b"subtests" | b"steps" => {}
            _ => break,
        }
        sum.any = true;
        at = stop;
    }
    sum.any.then_some(sum)
}

/// pytest's own sum ends in its time; a lone `3 failed` in running text is no sum.
pub(super) fn is_pytest_sum(t: &[u8]) -> bool {
    let timed = find(t, b" in ").is_some_and(|at| byte(t, at + 4).is_ascii_digit() && has(tail(t, at), b"s"));
    let several = t.contains(&b',') && (has(t, b"passed") && has(t, b"failed"));
    timed || several
}

/// The number behind a label: `Failures: 2`, `failures=3`.
pub(super) fn after_label(t: &[u8], label: &[u8]) -> Option<u32> {
    let at = find(t, label)? + label.len();
    number(t, skip_blanks(t, at)).map(|(n, _)| n)
}
