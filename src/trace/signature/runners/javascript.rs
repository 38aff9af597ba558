//! jest, vitest, mocha, playwright, bun and others that print titles of many words.

use super::super::text::{byte, cut, find, first_token, has, range_of, starts_ci, tail, wide_len};
use super::{Family, Follow, Hit, Kind, is_identifier, without_duration};

/// Ends of a file's name that only test files of this world have.
const EXTENSIONS: [&[u8]; 10] = [b".ts", b".tsx", b".js", b".jsx", b".mjs", b".cjs", b".mts", b".cts", b".vue", b".svelte"];

fn is_script(file: &[u8]) -> bool {
    EXTENSIONS.iter().any(|e| file.ends_with(e))
}

/// `FAIL src/a.test.ts`, `FAIL src/a.test.ts > suite > title`, `FAIL |unit| src/…`.
pub(super) fn fail(t: &[u8]) -> Option<Hit> {
    let mut rest = t.strip_prefix(b"FAIL ")?.trim_ascii_start();
    if byte(rest, 0) == b'|' {
        rest = tail(rest, 1 + find(tail(rest, 1), b"|")? + 1).trim_ascii_start();
    }
    let (file, after) = first_token(rest);
    if !is_script(file) || !file.iter().all(|&b| b > b' ') {
        return None;
    }
    if after.starts_with(b"> ") || after.starts_with("› ".as_bytes()) {
        let whole = find(rest, b" [ ").map_or(rest, |at| cut(rest, 0, at));
        let end = title_end(whole);
        let (id, message) = (without_duration(cut(whole, 0, end)), tail(whole, end));
        let hit = Hit::test(Family::Script, 3, t, id).message(t, super::after_id(message));
        return Some(if message.is_empty() { hit.follow(Follow::NextLine) } else { hit });
    }
    if after.starts_with(b"[ ") {
        // vitest: the file itself could not be run.
        return Some(Hit::test(Family::Script, 3, t, file).follow(Follow::NextLine));
    }
    // The file alone: what failed in it comes below.
    let hit = Hit::test(Family::Script, 1, t, file);
    Some(if after.is_empty() || super::is_duration_tag(after) { hit } else { hit.message(t, super::after_id(after)) })
}

/// Lines that begin with a mark: `● suite › title`, `✕ title (5 ms)`, `× title 12ms`, `✗ name`, `❌ name`.
pub(super) fn tick(t: &[u8], alone: bool) -> Option<Hit> {
    let lead = byte(t, 0);
    let width = if lead == 0xC3 { 2 } else { wide_len(lead) };
    let (mark, rest) = (cut(t, 0, width), tail(t, width));
    // ❌ and ✖ may carry a variation selector.
    let title = rest.strip_prefix(&[0xEF, 0xB8, 0x8F]).unwrap_or(rest).trim_ascii();
    if title.is_empty() {
        return None;
    }
    let rank = match std::str::from_utf8(mark).unwrap_or("") {
        "●" => 3,
        "✕" | "×" => 2,
        "✗" | "✖" | "✘" | "❌" => 1,
        _ => return None,
    };
    if rank == 3 && (starts_ci(title, b"console") || !alone && title.starts_with(b"Deprecation")) {
        return None;
    }
    // `✖ 5 problems` is eslint's summary; `✘ [ERROR]` is an error line.
    if rank == 1 && (byte(title, 0).is_ascii_digit() || byte(title, 0) == b'[') {
        return None;
    }
    let timed = without_duration(title).len() < title.len();
    // jest marks with ✕; the other marks stand before all sorts of messages, unless a time or a suite shows a test.
    let titled = rank == 3 || mark == "✕".as_bytes() || timed || (rank == 2 && has(title, b" > "));
    if !titled || (rank == 1 && alone) {
        // Installers draw × before what they report on the way.
        return super::bare::title(t, title, Family::Script).filter(|hit| alone || rank == 1 || hit.kind == Kind::Test);
    }
    let end = title_end(title);
    let id = without_duration(cut(title, 0, end));
    let message = super::after_id(tail(title, end));
    let hit = Hit::test(Family::Script, rank, t, id).message(t, message);
    Some(if rank == 3 && message.is_empty() { hit.follow(Follow::NextLine) } else { hit })
}

/// Where a title ends and a message begins on the same line. A title may hold a colon (`GET /users: returns 200`), so a
/// message is one only where it begins the way assertions and errors begin.
pub(in super::super) fn title_end(s: &[u8]) -> usize {
    let mut from = 0;
    while let Some(at) = [&b": "[..], b" - ", "— ".as_bytes()].iter().filter_map(|m| find(tail(s, from), m)).min() {
        let at = from + at;
        let next = tail(s, at + 1).trim_ascii_start();
        let next = next.strip_prefix(b"- ").unwrap_or(next);
        let (word, _) = first_token(next);
        let word = word.strip_suffix(b":").unwrap_or(word);
        let begins = ["expected", "expect", "received", "got", "assert", "assertion", "error", "timed", "timeout", "thrown"];
        if begins.iter().any(|b| word.eq_ignore_ascii_case(b.as_bytes())) || is_error_name(word) {
            return at;
        }
        from = at + 2;
    }
    s.len()
}

fn is_error_name(word: &[u8]) -> bool {
    word.len() > 5 && is_identifier(word) && (word.ends_with(b"Error") || word.ends_with(b"Exception"))
}

/// bun's `(fail) suite > title [0.5ms]`.
pub(super) fn bun(t: &[u8]) -> Option<Hit> {
    let title = without_duration(t.strip_prefix(b"(fail) ")?);
    (!title.is_empty()).then(|| Hit::test(Family::Script, 2, t, title))
}

/// playwright's list of what failed: `[chromium] › login.spec.ts:3:5 › login › returns 200 ────`.
pub(super) fn playwright(t: &[u8]) -> Option<Hit> {
    let close = find(t, b"]")?;
    if !tail(t, close + 1).trim_ascii_start().starts_with("›".as_bytes()) {
        return None;
    }
    let mut id = t;
    while let Some(shorter) = id.strip_suffix("─".as_bytes()) {
        id = shorter;
    }
    let id = id.trim_ascii();
    let range = range_of(t, id);
    Some(Hit::test(Family::Script, 3, t, cut(t, range.start, range.end)).stage(super::Stage::Integration))
}
