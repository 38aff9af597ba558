//! Bytes of a line: splitting, cleaning and the small readers that every other file here uses.
//!
//! All of it works on bytes, because outputs are large and mostly ASCII. Nothing here can panic: `byte` and `cut`
//! answer with nothing where an index would be out of range.

use std::ops::Range;

use memchr::{memchr, memchr2, memrchr};

/// The byte at `i`, or 0 beyond the end. A real NUL has no meaning in any rule here, so the two may look alike.
#[inline]
pub(super) fn byte(s: &[u8], i: usize) -> u8 {
    s.get(i).copied().unwrap_or(0)
}

/// The part `from..to`, empty where it does not exist.
#[inline]
pub(super) fn cut(s: &[u8], from: usize, to: usize) -> &[u8] {
    s.get(from..to).unwrap_or_default()
}

/// What follows `from`.
#[inline]
pub(super) fn tail(s: &[u8], from: usize) -> &[u8] {
    s.get(from..).unwrap_or_default()
}

/// A word is letters, digits, `_` and non-ASCII letters. Of the non-ASCII characters those that begin with 0xC2, 0xE2
/// or 0xF0 and above are punctuation (quotes, `›`, arrows, dashes, ticks, emoji), the rest count as letters.
#[inline]
pub(super) fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || (b >= 0x80 && !is_wide(b))
}

/// Lead byte of a non-ASCII character that counts as punctuation.
#[inline]
pub(super) fn is_wide(b: u8) -> bool {
    matches!(b, 0xC2 | 0xE2 | 0xF0..)
}

/// Bytes of the character that a wide lead byte begins.
pub(super) fn wide_len(b: u8) -> usize {
    match b {
        0xF0.. => 4,
        0xE2 => 3,
        _ => 2,
    }
}

/// End of the run of bytes from `i` for which `f` holds.
#[inline]
pub(super) fn run(s: &[u8], i: usize, f: impl Fn(u8) -> bool) -> usize {
    let rest = tail(s, i);
    i + rest.iter().position(|&b| !f(b)).unwrap_or(rest.len())
}

/// End of the word that begins at `i`.
#[inline]
pub(super) fn word_end(s: &[u8], i: usize) -> usize {
    run(s, i, is_word)
}

/// End of the run of decimal digits that begins at `i`.
#[inline]
pub(super) fn digits_end(s: &[u8], i: usize) -> usize {
    run(s, i, |b| b.is_ascii_digit())
}

/// End of the run of letters that begins at `i`.
pub(super) fn letters_end(s: &[u8], i: usize) -> usize {
    run(s, i, |b| b.is_ascii_alphabetic())
}

/// First position from `i` on that is no blank.
pub(super) fn skip_blanks(s: &[u8], i: usize) -> usize {
    run(s, i, |b| b == b' ' || b == b'\t')
}

/// Does `s` begin with `lower`, whatever its case?
#[inline]
pub(super) fn starts_ci(s: &[u8], lower: &[u8]) -> bool {
    s.len() >= lower.len() && cut(s, 0, lower.len()).eq_ignore_ascii_case(lower)
}

/// `memchr`, save that a short stretch is looked through faster than the call is made.
#[inline]
pub(super) fn seek(b: u8, s: &[u8]) -> Option<usize> {
    if s.len() <= 24 { s.iter().position(|&x| x == b) } else { memchr(b, s) }
}

/// Does `s` contain `needle`?
pub(super) fn has(s: &[u8], needle: &[u8]) -> bool {
    find(s, needle).is_some()
}

/// Position of `needle` in `s`. Needles here are short and lines too: to build a searcher for each would cost more than
/// the search.
pub(super) fn find(s: &[u8], needle: &[u8]) -> Option<usize> {
    // A blank stands everywhere; what follows it is rarer.
    let lead = usize::from(byte(needle, 0) == b' ' && needle.len() > 1);
    let anchor = *needle.get(lead)?;
    let mut at = lead;
    while let Some(n) = seek(anchor, tail(s, at)) {
        let start = at + n - lead;
        if tail(s, start).starts_with(needle) {
            return Some(start);
        }
        at += n + 1;
    }
    None
}

/// The first word and what follows it, split at blanks.
pub(super) fn first_token(s: &[u8]) -> (&[u8], &[u8]) {
    let blank = |b: &u8| matches!(b, b' ' | b'\t');
    let at = if s.len() <= 24 { s.iter().position(blank) } else { memchr2(b' ', b'\t', s) };
    match at {
        Some(i) => (cut(s, 0, i), tail(s, i).trim_ascii_start()),
        None => (s, &[]),
    }
}

/// The number that begins at `i`, and where it ends; thousands are not grouped. Too large is no number.
pub(super) fn number(s: &[u8], i: usize) -> Option<(u32, usize)> {
    let end = digits_end(s, i);
    let mut value = None;
    for &b in cut(s, i, end) {
        value = Some(value.unwrap_or(0u32).checked_mul(10)?.checked_add(u32::from(b - b'0'))?);
    }
    value.map(|v| (v, end))
}

/// `range` of `whole` that the sub-slice `part` covers. Both must come from the same line.
pub(super) fn range_of(whole: &[u8], part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize).min(whole.len());
    start..(start + part.len()).min(whole.len())
}

/// The first quoted stretch of `s` without its quotes: `'x'`, `"x"`, `` `x` ``, `‘x’`, `“x”`.
/// An apostrophe inside a word (`can't`) opens nothing.
pub(super) fn quoted(s: &[u8]) -> Option<Range<usize>> {
    let mut i = 0;
    loop {
        i += tail(s, i).iter().position(|b| matches!(b, b'"' | b'`' | b'\'' | 0xE2))?;
        let b = byte(s, i);
        let close = match b {
            0xE2 if matches!(cut(s, i, i + 3), [0xE2, 0x80, 0x98 | 0x9C]) => {
                let close = [0xE2, 0x80, byte(s, i + 2) + 1];
                return find(tail(s, i + 3), &close).map(|n| i + 3..i + 3 + n).filter(|r| !r.is_empty());
            }
            0xE2 => None,
            b'\'' if i > 0 && is_word(byte(s, i - 1)) => None,
            _ => Some(b),
        };
        i += 1;
        if let Some(close) = close {
            return memchr(close, tail(s, i)).map(|n| i..i + n).filter(|r| !r.is_empty());
        }
    }
}

/// One line of a text: where it stands, without its line feed.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let end = memchr(b'\n', tail(self.text, start)).map_or(self.text.len(), |n| start + n);
        self.at = end + 1;
        Some(start..end)
    }
}

/// A line as a person saw it: valid UTF-8, without terminal escapes, and only what follows the last carriage return,
/// which is what a progress bar left on the screen. Borrowed where nothing had to change.
pub(super) fn clean<'a>(raw: &'a [u8], buf: &'a mut Vec<u8>) -> &'a [u8] {
    let mut line = raw;
    while let Some(rest) = line.strip_suffix(b"\r") {
        line = rest;
    }
    if let Some(at) = memrchr(b'\r', line) {
        line = tail(line, at + 1);
    }
    let escapes = memchr(0x1B, line).is_some();
    let valid = std::str::from_utf8(line).is_ok();
    if valid && !escapes {
        return line;
    }
    buf.clear();
    if escapes {
        drop_escapes(line, buf);
    } else {
        buf.extend_from_slice(line);
    }
    if !valid && std::str::from_utf8(buf).is_err() {
        *buf = String::from_utf8_lossy(buf).into_owned().into_bytes();
    }
    buf
}

/// The line behind the stamp that a logger puts in front: `[12:03:04] `, `12:03:04.123 `, `2026-11-29T12:03:04Z `,
/// `[2026-11-29 12:03:04] `; and behind the worker that ran a test: `[gw3] [ 24%] `. A runner's line is the same with
/// and without them.
pub(super) fn undated(line: &[u8]) -> &[u8] {
    untagged(unassigned(unstamped(line)))
}

/// The line behind the name of the task whose output it is, as task runners write it that run several at once: `[lint:go] `,
/// `[test] `.
fn untagged(line: &[u8]) -> &[u8] {
    const TASKS: &[&[u8]] = &[b"build", b"check", b"fmt", b"format", b"lint", b"test", b"tests", b"typecheck", b"types"];
    let Some(rest) = line.strip_prefix(b"[") else { return line };
    let end = run(rest, 0, |b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b':' | b'_' | b'-'));
    let name = cut(rest, 0, end);
    let task = name.split(|b| *b == b':').next().is_some_and(|first| TASKS.contains(&first));
    tail(rest, end).strip_prefix(b"] ").filter(|_| task).unwrap_or(line)
}

/// The line behind pytest-xdist's worker and its progress, which change with every run: `[gw3] [ 24%] `, `[gw3] [ 3/40] `.
fn unassigned(line: &[u8]) -> &[u8] {
    let Some(rest) = line.strip_prefix(b"[gw") else { return line };
    let end = digits_end(rest, 0);
    let Some(rest) = tail(rest, end).strip_prefix(b"] ").filter(|_| end > 0) else { return line };
    let rest = rest.trim_ascii_start();
    let inner = rest.strip_prefix(b"[").unwrap_or_default();
    let end = run(inner, 0, |b| b.is_ascii_digit() || matches!(b, b' ' | b'%' | b'/'));
    match tail(inner, end).strip_prefix(b"] ") {
        Some(after) if end > 0 => after.trim_ascii_start(),
        _ => rest,
    }
}

fn unstamped(line: &[u8]) -> &[u8] {
    let (body, closed) = match line.strip_prefix(b"[") {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let stamp = |b: u8| b.is_ascii_digit() || matches!(b, b':' | b'-' | b'.' | b',' | b'T' | b'Z' | b'+' | b' ');
    let mut end = run(body, 0, stamp);
    if !closed {
        end = cut(body, 0, end).trim_ascii_end().len();
    }
    // A clock has two colons and begins with a digit; a date alone, a number or a list's mark does not.
    let clock = cut(body, 0, end);
    if !byte(clock, 0).is_ascii_digit() || clock.iter().filter(|b| **b == b':').count() < 2 || end < 7 {
        return line;
    }
    let rest = if closed {
        match tail(body, end).strip_prefix(b"]") {
            Some(rest) => rest,
            None => return line,
        }
    } else {
        tail(body, end)
    };
    match rest.strip_prefix(b" ") {
        Some(rest) if !rest.is_empty() => rest,
        _ => line,
    }
}

/// Copies `line` without CSI, OSC and two-byte escapes. An escape that never ends takes the rest of the line, as a
/// terminal would.
fn drop_escapes(line: &[u8], out: &mut Vec<u8>) {
    let mut i = 0;
    while let Some(n) = memchr(0x1B, tail(line, i)) {
        out.extend_from_slice(cut(line, i, i + n));
        let at = i + n + 1;
        i = match byte(line, at) {
            b'[' => run(line, at + 1, |b| (0x20..0x40).contains(&b)) + 1,
            b']' => osc_end(line, at + 1),
            b' '..=b'/' => run(line, at, |b| (0x20..0x30).contains(&b)) + 1,
            _ => at + 1,
        };
    }
    out.extend_from_slice(tail(line, i));
}

fn osc_end(line: &[u8], from: usize) -> usize {
    match memchr2(0x07, 0x1B, tail(line, from)) {
        Some(n) if byte(line, from + n) == 0x07 => from + n + 1,
        // Ended by ESC \, or broken off by another escape, which is then read on its own.
        Some(n) if byte(line, from + n + 1) == b'\\' => from + n + 2,
        Some(n) => from + n,
        None => line.len(),
    }
}

/// The line without a diff's or a log's prefix is not code: `+ error: x`, `- error`, `@@`, `12 | error`, `12: error`, `> x`.
pub(super) fn is_diff_or_code(t: &[u8]) -> bool {
    match byte(t, 0) {
        b'+' | b'>' | b'|' | b'@' => true,
        b'-' => byte(t, 1) != b'-',
        b'0'..=b'9' => {
            let after = skip_blanks(t, digits_end(t, 0));
            let listed = byte(t, after) == b':' && matches!(byte(t, after + 1), b' ' | b'\t');
            listed || byte(t, after) == b'|' || cut(t, after, after + 3) == "→".as_bytes()
        }
        b'}' | b'{' | b'"' | b'*' => true,
        b'/' => matches!(byte(t, 1), b'/' | b'*'),
        _ => matches!(t.last(), Some(b';' | b'{')),
    }
}
