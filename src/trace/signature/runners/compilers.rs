//! Faults at a place in a file: compilers, type checkers, linters.

use super::super::Stage;
use super::super::text::{byte, cut, digits_end, find, first_token, has, is_word, run, skip_blanks, starts_ci, tail};
use super::{Family, Follow, Hit, Tier, before, is_syntax};

/// What rustc says when it could not parse.
const RUST_PARSE: [&[u8]; 6] =
    [b"expected ", b"unexpected ", b"mismatched closing", b"unknown start of token", b"this file contains an unclosed", b"unterminated"];

/// `error[E0308]: mismatched types`; a bare `error: …` turns into a fault when its place follows.
pub(super) fn rustc(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"error")?;
    if let Some(coded) = rest.strip_prefix(b"[") {
        let code = before(coded, b"]: ")?;
        let message = tail(coded, code.len() + 3);
        return (!code.is_empty()).then(|| Hit::fault(Family::Rustc, Stage::Compile, t, &[], code, message).follow(Follow::Location));
    }
    let message = rest.strip_prefix(b": ")?;
    if super::errors::is_wrapper(t) || super::errors::never(t) {
        return None;
    }
    let stage = if RUST_PARSE.iter().any(|w| message.starts_with(w)) { Stage::Parse } else { Stage::Compile };
    Some(Hit::loose(Family::Error, Tier::Loose, t).stage(stage).follow(Follow::Location))
}

/// `error TS18003: No inputs were found`: a code and no file. Also Kotlin's `e: file:///p/A.kt:12:5 …`.
pub(super) fn tagged(t: &[u8]) -> Option<Hit> {
    if let Some(rest) = t.strip_prefix(b"e: ") {
        let rest = rest.strip_prefix(b"file://").unwrap_or(rest);
        let place = place(rest)?;
        return Some(Hit::fault(Family::Jvm, Stage::Compile, t, place.file, &[], place.rest));
    }
    let rest = t.strip_prefix(b"error ")?;
    let code = code_at(rest)?;
    let message = tail(rest, code.len()).strip_prefix(b":")?.trim_ascii();
    Some(fault_of(t, &[], code, message))
}

/// A place at the start of a line, and what is said about it.
pub(in super::super) struct Place<'a> {
    pub file: &'a [u8],
    pub column: bool,
    pub rest: &'a [u8],
}

/// `file.py:12:5: …`, `file.ts(12,5): …`, `file.ts:12:5 - …`, `A.java:[12,5] …`.
pub(in super::super) fn place(t: &[u8]) -> Option<Place<'_>> {
    let (token, _) = first_token(t);
    let token = cut(token, 0, token.len().min(1024));
    let mut at = 0;
    let open = loop {
        at += token.get(at..)?.iter().position(|&b| b == b':' || b == b'(')?;
        let next = if byte(token, at + 1) == b'[' { at + 2 } else { at + 1 };
        if byte(token, next).is_ascii_digit() {
            break at;
        }
        at += 1;
    };
    let file = cut(token, 0, open);
    let plausible = (has(file, b".") || has(file, b"/"))
        && !has(file, b"://")
        && !file.iter().any(|b| matches!(b, b'"' | b'\'' | b'=' | b'<' | b'{' | b','));
    if !plausible || !file.iter().any(u8::is_ascii_alphabetic) {
        return None;
    }
    let (column, end) = place_end(t, open)?;
    let rest = tail(t, end);
    let rest = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii_start();
    Some(Place { file, column, rest: rest.strip_prefix(b"- ").unwrap_or(rest) })
}

/// Whether a column is given, and where the place that begins at `open` ends.
fn place_end(t: &[u8], open: usize) -> Option<(bool, usize)> {
    let closing = match (byte(t, open), byte(t, open + 1)) {
        (b'(', _) => Some((open + 1, b')')),
        (b':', b'[') => Some((open + 2, b']')),
        _ => None,
    };
    if let Some((from, close)) = closing {
        let end = run(t, from, |b| b.is_ascii_digit() || matches!(b, b',' | b':' | b'-'));
        return (byte(t, end) == close).then(|| (has(cut(t, from, end), b","), end + 1));
    }
    let line = digits_end(t, open + 1);
    let column = digits_end(t, line + 1);
    let paired = byte(t, line) == b':' && column > line + 1;
    let end = if paired { column } else { line };
    // `12:5-12:9`, `12.3-8`
    let end = run(t, end, |b| b.is_ascii_digit() || matches!(b, b'-' | b'.'));
    matches!(byte(t, end), 0 | b':' | b' ' | b',').then_some((paired, end))
}

/// A line that begins with a place and says that it is an error.
pub(super) fn placed(t: &[u8]) -> Option<Hit> {
    let Place { file, column, rest } = place(t)?;
    if let Some(after) = error_word(rest) {
        let after = after.trim_ascii_start();
        if let Some(code) = code_at(after) {
            return Some(fault_of(
                t,
                file,
                code,
                tail(after, code.len()).trim_ascii_start().strip_prefix(b":").unwrap_or(after).trim_ascii(),
            ));
        }
        let bracketed = after.strip_prefix(b"[").and_then(|a| before(a, b"]"));
        let message = match bracketed {
            Some(code) => tail(after, code.len() + 2),
            None => after,
        };
        let message = message.strip_prefix(b":").unwrap_or(message).trim_ascii();
        let code = bracketed.unwrap_or_else(|| trailing_code(message));
        return Some(fault_of(t, file, code, message));
    }
    if let Some(code) = code_at(rest)
        && matches!(byte(rest, code.len()), b':' | b' ')
    {
        let message = tail(rest, code.len() + 1).trim_ascii();
        let stage = if is_syntax(message) { Stage::Parse } else { Stage::Types };
        return Some(Hit::fault(Family::Lint, stage, t, file, code, message));
    }
    if file.ends_with(b".go") && column && !rest.is_empty() {
        let linter = trailing_code(rest);
        let stage = if has(rest, b"syntax error") || rest.starts_with(b"expected ") {
            Stage::Parse
        } else if linter.is_empty() {
            Stage::Compile
        } else {
            Stage::Types
        };
        return Some(Hit::fault(Family::Compiler, stage, t, file, linter, rest));
    }
    if rest.starts_with(b"syntax error") || rest.starts_with(b"Syntax error") {
        return Some(Hit::fault(Family::Compiler, Stage::Parse, t, file, &[], rest));
    }
    let unix = find(rest, b"[Error/")?;
    let code = tail(rest, unix + 7);
    Some(Hit::fault(Family::Lint, Stage::Types, t, file, code.strip_suffix(b"]").unwrap_or(code), rest))
}

/// What follows `error` or `fatal error` as a word.
fn error_word(rest: &[u8]) -> Option<&[u8]> {
    let rest = if starts_ci(rest, b"fatal ") { tail(rest, 6) } else { rest };
    let after = starts_ci(rest, b"error").then(|| tail(rest, 5))?;
    // `Error return value is not checked` is a linter's message.
    let coded = byte(after, 0) == b' ' && code_at(after.trim_ascii_start()).is_some();
    (coded || matches!(byte(after, 0), b':' | b'[')).then_some(after)
}

fn fault_of(line: &[u8], file: &[u8], code: &[u8], message: &[u8]) -> Hit {
    // C#, and msbuild behind tsc, add the project: ` [/p/a.csproj]`.
    let message = match find(message, b"proj]") {
        Some(_) => before(message, b" [").unwrap_or(message),
        None => message,
    };
    let tsc = code.strip_prefix(b"TS").filter(|n| byte(n, 0).is_ascii_digit());
    let checked = [&b".py"[..], b".pyi", b".ts", b".tsx", b".md", b".mdx", b".yml", b".yaml", b".json", b".css", b".scss", b".html"];
    let (family, stage) = match tsc {
        // TypeScript's 1000s are syntax.
        Some(n) if byte(n, 0) == b'1' && n.len() == 4 => (Family::Tsc, Stage::Parse),
        Some(_) => (Family::Tsc, Stage::Types),
        None if is_syntax(message) => (Family::Compiler, Stage::Parse),
        None if checked.iter().any(|e| file.ends_with(e)) => (Family::Lint, Stage::Types),
        None => (Family::Compiler, Stage::Compile),
    };
    Hit::fault(family, stage, line, file, code, message)
}

/// A code such as `TS2345`, `E501`, `CS0103`, `C2065` at the start of `s`.
fn code_at(s: &[u8]) -> Option<&[u8]> {
    let letters = run(s, 0, |b| b.is_ascii_uppercase());
    let end = digits_end(s, letters);
    let right = (1..=6).contains(&letters) && (2..=6).contains(&(end - letters)) && !is_word(byte(s, end));
    right.then(|| cut(s, 0, end))
}

/// A rule in brackets at the end: `[arg-type]`, `(reportGeneralTypeIssues)`, `[-Wunused]`, `(errcheck)`.
fn trailing_code(message: &[u8]) -> &[u8] {
    let (open, close) = match message.last() {
        Some(b']') => (b'[', b"]"),
        Some(b')') => (b'(', b")"),
        _ => return &[],
    };
    let Some(at) = message.iter().rposition(|&b| b == open) else {
        return &[];
    };
    let code = tail(message, at + 1).strip_suffix(close).unwrap_or_default();
    let plain = code.len() >= 3 && code.iter().all(|&b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'/' | b'_'));
    if plain && at > 0 && byte(message, at - 1) == b' ' { code } else { &[] }
}

/// A line that is a file's path and nothing else, as eslint prints it above its rows.
pub(in super::super) fn file_header(t: &[u8]) -> bool {
    let root = byte(t, 0) == b'/' || byte(t, 1) == b':' || (has(t, b"/") && !has(t, b"://"));
    let dot = t.iter().rposition(|&b| b == b'.');
    let ext = dot.map(|d| tail(t, d + 1)).unwrap_or_default();
    root && t.len() < 1024
        && (1..=6).contains(&ext.len())
        && ext.iter().all(u8::is_ascii_alphanumeric)
        && !t.iter().any(|b| matches!(b, b'"' | b'\'' | b'(' | b'=' | b'<' | b'>' | b',' | b'|' | b' ' | b'\t'))
}

/// eslint's row: `12:5  error  'x' is not defined  no-undef`. Its file stands above.
pub(super) fn row(t: &[u8]) -> Option<Hit> {
    let line = digits_end(t, 0);
    let column = digits_end(t, line + 1);
    if byte(t, line) != b':' || column == line + 1 {
        return None;
    }
    let at = skip_blanks(t, column);
    let rest = tail(t, at).strip_prefix(b"error").filter(|r| byte(r, 0) == b' ' && at > column)?.trim_ascii();
    let (message, rule) = match rest.windows(2).rposition(|w| w == b"  ") {
        Some(at) => (cut(rest, 0, at).trim_ascii(), tail(rest, at + 2).trim_ascii()),
        None => (rest, &[][..]),
    };
    let stage = if is_syntax(message) { Stage::Parse } else { Stage::Types };
    Some(Hit::fault(Family::Lint, stage, t, &[], rule, message))
}
