//! `cargo test`, nextest and `go test`.

use super::super::Stage;
use super::super::text::{byte, cut, digits_end, find, first_token, has, quoted, tail};
use super::{Family, Follow, Hit, Tier, after_id, before, is_identifier};

/// `test a::b ... FAILED`, `test src/lib.rs - f (line 12) ... FAILED`.
pub(super) fn test_line(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"test ")?;
    let name = before(rest, b" ... FAILED")?;
    Some(Hit::test(Family::Cargo, 1, t, name_of(name)))
}

/// A test's name without what moves or only describes: ` (line 12)`, ` - should panic`.
fn name_of(name: &[u8]) -> &[u8] {
    let name = name.strip_suffix(b" - should panic").unwrap_or(name);
    before(name, b" (line ").unwrap_or(name).trim_ascii()
}

/// `thread 'a::b' panicked at src/x.rs:1:2:`, also with the thread's number and in the form before 1.73.
pub(super) fn panic(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"thread ")?;
    let at = find(rest, b" panicked at ")?;
    let name = quoted(cut(rest, 0, at)).map(|r| cut(rest, r.start, r.end)).unwrap_or_default();
    let what = tail(rest, at + 13);
    let old_message = what.strip_prefix(b"'").and_then(|w| before(w, b"', ")).or_else(|| same_line(what));
    let follow = if old_message.is_some() { Follow::Nothing } else { Follow::NextLine };
    // A test at the root of its crate runs in a thread that has its name and no more; a name with joints is a function's.
    let function = has(name, b"_") && name.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_');
    let runs_a_test = has(name, b"::") || name.starts_with(b"test") || function;
    if runs_a_test {
        return Some(Hit::test(Family::Cargo, 1, t, name).message(t, old_message.unwrap_or_default()).follow(follow));
    }
    // Where it panicked is all that an unnamed thread has for a name; the message follows.
    let text = old_message.unwrap_or(what);
    Some(Hit::loose(Family::Exception, Tier::Loose, t).message(t, text).follow(follow))
}

/// What a panic's line says: Go's `panic: message`, Rust's with its message on the same line.
pub(in super::super) fn panicked(t: &[u8]) -> Option<&[u8]> {
    if let Some(message) = t.strip_prefix(b"panic: ") {
        return Some(message);
    }
    let what = tail(t, find(t, b" panicked at ").filter(|_| t.starts_with(b"thread "))? + 13);
    // `called unwrap on an Err value: Os { … }` holds the report itself.
    if has(what, b"on an `Err` value: ") {
        return None;
    }
    Some(what.strip_prefix(b"'").and_then(|w| before(w, b"', ")).or_else(|| same_line(what)).unwrap_or(what))
}

/// The message of `src/x.rs:1:2: message`, as logs that join the lines have it.
fn same_line(what: &[u8]) -> Option<&[u8]> {
    let place = super::place(what)?;
    let message = place.rest.trim_ascii();
    (!message.is_empty()).then_some(message)
}

/// `--- FAIL: TestX/case (0.00s)`, `---- a::b stdout ----`, `--- FAILED` of a quiet `cargo test`.
pub(super) fn dashes(t: &[u8], _indent: usize) -> Option<Hit> {
    if let Some(rest) = t.strip_prefix(b"--- FAIL: ") {
        let id = before(rest, b" (").unwrap_or(rest).trim_ascii();
        return Some(Hit::test(Family::Go, 2, t, id).follow(Follow::GoLog));
    }
    let rest = t.strip_prefix(b"---- ")?;
    let name = before(rest, b" stdout ----").or_else(|| before(rest, b" ----"))?;
    let id = name_of(name);
    (!id.is_empty()).then(|| Hit::test(Family::Cargo, 1, t, id))
}

/// `FAIL\tpkg\t0.01s`, `FAIL pkg [build failed]`, nextest's `FAIL [   0.005s] (1/5) crate tests::x`.
pub(super) fn fail(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"FAIL")?;
    let body = rest.trim_ascii_start();
    if let Some(tag) = body.strip_prefix(b"[") {
        let close = find(tag, b"]")?;
        let mut id = tail(tag, close + 1).trim_ascii();
        if byte(id, 0) == b'(' {
            id = tail(id, find(id, b")")? + 1).trim_ascii();
        }
        let timed = cut(tag, 0, close).trim_ascii().ends_with(b"s") && has(id, b" ");
        return timed.then(|| Hit::test(Family::Cargo, 1, t, id));
    }
    let (package, after) = first_token(body);
    let timed = digits_end(after, 0) > 0 && after.ends_with(b"s") && !after.contains(&b' ');
    let of_go = rest.starts_with(b"\t") || after.starts_with(b"[") || (timed && package.contains(&b'/'));
    if !is_identifier(package) || !of_go {
        return None;
    }
    if after.starts_with(b"[setup failed]") {
        // A package that could not be fetched is no fault of the code; the lines before say which it was.
        return Some(Hit::loose(Family::Error, Tier::Loose, t).stage(Stage::Compile));
    }
    if after.starts_with(b"[build failed]") {
        return Some(Hit::test(Family::Go, 2, t, package).stage(Stage::Compile).message(t, after));
    }
    timed.then(|| Hit::test(Family::Go, 1, t, package).message(t, after_id(after)))
}
