//! Lines that speak of an error without a runner's form: the last resort, and what must never count as one.

use super::super::Stage;
use super::super::text::{byte, cut, find, first_token, has, is_diff_or_code, starts_ci, tail};
use super::{Family, Hit, Tier, is_identifier, is_syntax};

/// Lines that say only that something inside failed.
const WRAPPERS: [&[u8]; 26] = [
    b"error: could not compile",
    b"error: aborting due to",
    b"error: test failed",
    b"error: doctest failed",
    b"error: process didn't exit",
    b"error: recipe `",
    b"error: script ",
    b"error: command failed",
    b"error command failed",
    b"error: process completed with",
    b"error: build failed",
    b"error: no test files found",
    b"error: unit tests failed",
    b"error: there were failing tests",
    b"error: tests failed",
    b"error: there are test failures",
    b"error: failed to execute goal",
    b"error: test run failed",
    b"error: some tests failed",
    b"error: target ",
    b"error: for more information",
    b"error: linting failed",
    b"error: the following warnings",
    b"error: -> [help",
    b"error: errors occurred",
    b"errors were found",
];

/// What may follow `error`, `errors`, `is_error` when there was none.
const NOTHING: [&[u8]; 9] = [b"null", b"false", b"none", b"nil", b"undefined", b"[]", b"\"\"", b"''", b"{}"];

pub(super) fn is_wrapper(t: &[u8]) -> bool {
    WRAPPERS.iter().any(|w| starts_ci(t, w))
}

/// `npm ERR! code ELIFECYCLE`, `npm error …`.
pub(super) fn npm(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"npm ERR!").or_else(|| t.strip_prefix(b"npm error"))?.trim_ascii();
    // These point to a log file or repeat the command.
    let says = [&b"code "[..], b"network ", b"errno ", b"syscall ", b"missing", b"notarget", b"404 "];
    let lifecycle = has(rest, b"ELIFECYCLE") || !says.iter().any(|s| starts_ci(rest, s));
    let tier = if lifecycle { Tier::Wrapper } else { Tier::Loose };
    Some(Hit::loose(Family::Error, tier, t))
}

/// `make: *** [Makefile:3: test] Error 2`, `gmake[1]: *** …`. A missing rule is make's own error.
pub(super) fn make(t: &[u8]) -> bool {
    let t = t.strip_prefix(b"g").unwrap_or(t);
    t.starts_with(b"make") && find(t, b": *** ").is_some_and(|at| at < 12) && !has(t, b"No rule to make")
}

/// JSON fields, `error: null`, `0 errors`, `no errors found`: the word is there, an error is not.
pub(in super::super) fn never(t: &[u8]) -> bool {
    let t = t.strip_suffix(b",").unwrap_or(t).trim_ascii();
    if matches!(byte(t, 0), b'"' | b'{') && quiet_field(t) {
        return true;
    }
    let (word, rest) = first_token(t);
    if matches!(word, b"0" | b"no" | b"No") && rest.len() < 48 {
        return ["error", "fail", "problem", "issue", "warning"].iter().any(|w| starts_ci(rest, w.as_bytes()));
    }
    let name = word.strip_suffix(b":").or_else(|| word.strip_suffix(b"=")).unwrap_or(word);
    let value = rest.strip_prefix(b": ").or_else(|| rest.strip_prefix(b"= ")).unwrap_or(rest).trim_ascii();
    let counts = ["error", "errors", "failed", "failures", "failure", "is_error", "fatal"];
    counts.iter().any(|c| name.eq_ignore_ascii_case(c.as_bytes()))
        && (value == b"0" || NOTHING.iter().any(|n| value.eq_ignore_ascii_case(n)))
}

/// A JSON text in which every error field is empty: `{"is_error": false}`.
fn quiet_field(t: &[u8]) -> bool {
    let mut at = 0;
    let mut quiet = false;
    while let Some(n) = find(tail(t, at), b"error") {
        let end = at + n + 5;
        let value = tail(t, end);
        let value = value.strip_prefix(b"s").unwrap_or(value);
        let Some(value) = value.strip_prefix(b"\"").map(<[u8]>::trim_ascii_start).and_then(|v| v.strip_prefix(b":")) else {
            return false;
        };
        let value = value.trim_ascii_start();
        quiet = byte(value, 0) == b'0' || NOTHING.iter().any(|w| value.starts_with(w));
        if !quiet {
            return false;
        }
        at = end;
    }
    quiet
}

/// `KeyError: 'x'`, `java.lang.IllegalStateException: …`, `AssertionError`: the last line of a traceback.
pub(in super::super) fn is_exception(t: &[u8]) -> bool {
    let (token, rest) = first_token(t);
    let name = token.strip_suffix(b":").unwrap_or(token);
    let ends = [&b"Error"[..], b"Exception", b"Failure", b"Interrupt", b"Exit", b"Warning"].iter().any(|e| name.ends_with(e));
    let kind = name.len() > 5 && ends && is_identifier(name) && byte(name, 0).is_ascii_alphabetic();
    kind && (token.ends_with(b":") || rest.is_empty() || byte(rest, 0) == b'[')
}

/// A line that begins with error, fatal or exception, or with the name of one.
pub(super) fn error_line(t: &[u8]) -> Option<Hit> {
    if is_wrapper(t) || t.starts_with(b"BUILD FAILED") || t.starts_with(b"##[error]Process completed") {
        return Some(Hit::loose(Family::Error, Tier::Wrapper, t));
    }
    let t_rest =
        ["Uncaught ", "Unhandled ", "Caused by: ", "Error: Uncaught "].iter().find_map(|p| t.strip_prefix(p.as_bytes())).unwrap_or(t);
    if is_exception(t_rest) {
        let hit = Hit::loose(Family::Exception, Tier::Loose, t);
        return Some(if is_syntax(t) {
            hit.stage(Stage::Parse)
        } else if t_rest.starts_with(b"ModuleNotFoundError") || t_rest.starts_with(b"ImportError") {
            hit.stage(Stage::Compile)
        } else {
            hit
        });
    }
    if begins_with_error(t) || t.starts_with(b"panic: ") || t.starts_with(b"Segmentation fault") || t.starts_with(b"Exception in thread ") {
        let family = if byte(t, 0) == b'p' || starts_ci(t, b"exception") { Family::Exception } else { Family::Error };
        return (!never(t)).then(|| Hit::loose(family, Tier::Loose, t));
    }
    // `tool: error: …`, `[build]: error …`, `12:00 ERROR …`: the word stands after a short prefix.
    let head = cut(t, 0, t.len().min(80));
    let tagged = [
        &b": error: "[..],
        b"]: error",
        b": fatal error: ",
        b": fatal: ",
        b" ERROR ",
        b" FATAL ",
        b"[ERROR] ",
        b"PHP Parse error",
        b"PHP Fatal error",
        b"failed with error",
    ]
    .iter()
    .any(|m| has(head, m));
    (tagged && !is_diff_or_code(t) && !never(t)).then(|| {
        let hit = Hit::loose(Family::Error, Tier::Loose, t);
        if is_syntax(t) { hit.stage(Stage::Parse) } else { hit }
    })
}

/// `error: x`, `Error x`, `FATAL …`, `Exception: …`, but not `error = f()`, `errors.push(x)`, `error(...)`.
fn begins_with_error(t: &[u8]) -> bool {
    const WORDS: [&[u8]; 3] = [b"error", b"fatal", b"exception"];
    let Some(word) = WORDS.iter().find(|w| starts_ci(t, w)) else {
        return false;
    };
    let rest = tail(t, word.len());
    let says = match byte(rest, 0) {
        b':' => byte(rest, 1) != b':',
        b'[' | b'!' => true,
        b' ' => !matches!(byte(rest, 1), b'=' | b'(' | b'.' | b'{' | b'|' | b'?' | b'&' | b'<' | b'-' | b':'),
        _ => false,
    };
    says && !is_diff_or_code(t)
}
