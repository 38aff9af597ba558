//! `FAIL name`, as hand-written checks print it. What is the name and what is the message has to be told by its looks.

use super::super::infra;
use super::super::text::{byte, cut, digits_end, find, first_token, has, quoted, seek, tail};
use super::{Family, Hit, Tier, after_id, is_duration_tag, title_end, without_duration};

const MARKS: [&[u8]; 7] = [b"FAILED", b"FAILURE", b"FAIL", b"Failed:", b"Failure:", b"Fail:", b"FAILING"];
/// Signs that join a suite's name and a test's, each between blanks.
const JOINTS: [&str; 6] = ["› ", "> ", ">> ", "» ", "→ ", ":: "];

fn is_joined(s: &[u8]) -> bool {
    let mut at = 0;
    while let Some(n) = seek(b' ', tail(s, at)) {
        at += n + 1;
        let next = tail(s, at);
        if matches!(byte(next, 0), b'>' | b':' | 0xC2 | 0xE2) && JOINTS.iter().any(|j| next.starts_with(j.as_bytes())) {
            return true;
        }
    }
    false
}

/// `FAIL test_login`, `FAIL test "login › ok" in C:\a.ts`, `FAILED: step 7`.
pub(super) fn fail(t: &[u8]) -> Option<Hit> {
    let mark = MARKS.iter().find(|m| t.starts_with(m))?;
    let rest = tail(t, mark.len());
    let rest = rest.strip_prefix(b":").unwrap_or(rest);
    let spaced = rest.len() < t.len() - mark.len() || mark.ends_with(b":") || matches!(byte(rest, 0), b' ' | b'\t');
    let body = after_id(rest);
    // `FAILED (failures=3)`, `FAILED | 3 passed` are sums.
    if !spaced || body.is_empty() || byte(body, 0) == b'|' || (byte(body, 0) == b'(' && has(body, b"=")) {
        return None;
    }
    if body.starts_with(b"Build failed with an exception") {
        return Some(Hit::loose(Family::Error, Tier::Wrapper, t));
    }
    title(t, body, Family::Bare)
}

/// What a bare line says behind its mark: `FAIL: `, `not ok 3 - `.
pub(in super::super) fn unmarked(t: &[u8]) -> &[u8] {
    let rest = match t.strip_prefix(b"not ok") {
        Some(rest) => {
            let rest = rest.trim_ascii_start();
            tail(rest, digits_end(rest, 0))
        }
        None => MARKS.iter().find_map(|m| t.strip_prefix(*m)).unwrap_or(t),
    };
    after_id(rest)
}

/// What follows a bare mark: a quoted title, a joined title, an identifier with a message, or just words.
pub(super) fn title(line: &[u8], rest: &[u8], family: Family) -> Option<Hit> {
    let rest = rest.trim_ascii();
    let named = |id: &[u8], after: &[u8]| Some(Hit::test(family, 1, line, id).message(line, after_id(after)));
    if let Some(q) = quoted(rest)
        && is_lead(cut(rest, 0, q.start - 1))
    {
        return named(cut(rest, q.start, q.end), closed(tail(rest, q.end)));
    }
    let (token, _) = first_token(rest);
    if byte(token, 0).is_ascii_alphabetic() && is_joined(rest) {
        let end = title_end(rest);
        return named(without_duration(cut(rest, 0, end)), tail(rest, end));
    }
    let id = identifier(rest);
    let after = tail(rest, id.len());
    let whole = after.trim_ascii().is_empty() || is_duration_tag(after);
    let a_name = looks_like_id(id) || (whole && id.iter().any(u8::is_ascii_alphabetic) && infra::find(id).is_none());
    if a_name && !is_address(id) {
        return named(id, after);
    }
    Some(Hit { family, ..Hit::loose(family, Tier::Loose, line) })
}

/// At most two plain words before a quote: `test "…"`, `spec: '…'`.
fn is_lead(words: &[u8]) -> bool {
    words.len() <= 24
        && words.iter().all(|&b| b.is_ascii_alphabetic() || matches!(b, b' ' | b':' | 0x80..))
        && words.split(|&b| b == b' ').filter(|w| !w.is_empty()).count() <= 2
}

/// What follows a closing quote, the quote left out.
fn closed(s: &[u8]) -> &[u8] {
    match byte(s, 0) {
        b'"' | b'\'' | b'`' => tail(s, 1),
        0xE2 => tail(s, 3),
        _ => s,
    }
}

/// The first token without a closing colon or comma; brackets in it may hold blanks.
fn identifier(s: &[u8]) -> &[u8] {
    let (token, _) = first_token(s);
    if let Some(open) = find(token, b"[")
        && !has(token, b"]")
        && open > 0
        && let Some(close) = find(tail(s, open), b"]")
    {
        return cut(s, 0, open + close + 1);
    }
    token.strip_suffix(b":").or_else(|| token.strip_suffix(b",")).unwrap_or(token)
}

/// Does a token look made and not spoken: digits, joints or capitals inside?
fn looks_like_id(token: &[u8]) -> bool {
    let letters = token.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    let joint = |b: &u8| b.is_ascii_digit() || matches!(b, b'_' | b':' | b'/' | b'#' | b'[' | b'.' | b'\\');
    let inner = token.strip_suffix(b".").unwrap_or(token);
    let hump = token.windows(2).any(|w| byte(w, 0).is_ascii_lowercase() && byte(w, 1).is_ascii_uppercase());
    let hyphen = find(inner, b"-").is_some_and(|at| at > 0 && at + 1 < inner.len());
    letters && (inner.iter().any(joint) || hump || hyphen)
}

/// A URL or a host is where something was looked for, not what failed.
fn is_address(token: &[u8]) -> bool {
    has(token, b"://") || token.starts_with(b"localhost")
}
