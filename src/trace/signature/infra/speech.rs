//! Tells an outage's own report from a sentence about one. `FAIL: connection refused` is what a call answered;
//! `FAIL: returns 429 Too Many Requests when over quota` is the title of a test, and red.

use super::super::text::{byte, cut, is_word, tail};

/// Words of a report before the outage's name. Any other word makes it a sentence.
const BEFORE: [&[u8]; 22] = [
    b"error",
    b"err",
    b"fatal",
    b"http",
    b"https",
    b"request",
    b"failed",
    b"with",
    b"status",
    b"code",
    b"api",
    b"npm",
    b"network",
    b"fetch",
    b"download",
    b"to",
    b"connect",
    b"due",
    b"because",
    b"of",
    b"the",
    b"response",
];

/// Words of a report behind it: where, by whom, what more.
const AFTER: [&[u8]; 19] = [
    b"to",
    b"by",
    b"from",
    b"on",
    b"at",
    b"in",
    b"after",
    b"while",
    b"during",
    b"for",
    b"with",
    b"via",
    b"error",
    b"errors",
    b"exceeded",
    b"reached",
    b"connecting",
    b"try",
    b"host",
];

/// The names at which a finding may begin, longest first, so that what follows is told from what belongs to them.
const NAMES: [&[u8]; 6] =
    [b"too many requests", b"internal server error", b"service unavailable", b"bad gateway", b"gateway timeout", b"overloaded"];

/// Does a text that names an outage at `at` only speak of it?
pub(super) fn is_sentence(low: &[u8], at: usize) -> bool {
    let before = cut(low, 0, at);
    // `npm install: connection refused`: the report begins behind the last colon.
    let own = before.iter().rposition(|b| matches!(b, b':' | b'(' | b'"')).map_or(before, |p| tail(before, p + 1));
    let spoken = own.split(|b| !is_word(*b)).filter(|w| byte(w, 0).is_ascii_alphabetic()).any(|w| !BEFORE.contains(&w));
    spoken || goes_on(behind(low, at))
}

/// What follows the outage's name.
fn behind(low: &[u8], at: usize) -> &[u8] {
    let mut rest = tail(low, at);
    if byte(rest, 0).is_ascii_digit() {
        rest = tail(rest, super::super::text::digits_end(rest, 0)).trim_ascii_start();
    } else if let Some((phrase, _)) = super::phrases::PHRASES.iter().filter(|(p, _)| rest.starts_with(p)).max_by_key(|(p, _)| p.len()) {
        return tail(rest, phrase.len());
    } else if let Some(name) = super::RATE_LIMITS.iter().find(|p| rest.starts_with(p)) {
        return tail(rest, name.len());
    } else if !NAMES.iter().any(|n| rest.starts_with(n)) {
        // A name that is known by its company says the rest itself.
        return &[];
    }
    NAMES.iter().find_map(|n| rest.strip_prefix(*n)).unwrap_or(rest)
}

/// Does a plain word go on where the report should end? A host, a number or a quote may follow it.
fn goes_on(rest: &[u8]) -> bool {
    if byte(rest, 0) != b' ' {
        return false;
    }
    let rest = rest.trim_ascii_start();
    let end = rest.iter().position(|b| matches!(b, b' ' | b',' | b';' | b')')).unwrap_or(rest.len());
    let word = cut(rest, 0, end);
    let word = word.strip_suffix(b":").or_else(|| word.strip_suffix(b".")).unwrap_or(word);
    !word.is_empty() && word.iter().all(u8::is_ascii_lowercase) && !AFTER.contains(&word)
}
