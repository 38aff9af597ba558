//! TAP, rspec, phpunit, dotnet, ctest, googletest, and `name … FAILED` lines.

use super::super::text::{byte, cut, digits_end, find, first_token, has, skip_blanks, starts_ci, tail};
use super::{Family, Follow, Hit, after_id, bare, before, compilers, is_identifier, jvm, token_before, without_duration};

/// `not ok 3 - name # time=5ms`. What is marked TODO or SKIP has not failed.
pub(super) fn tap(t: &[u8], alone: bool) -> Option<Hit> {
    let rest = t.strip_prefix(b"not ok")?;
    if !matches!(byte(rest, 0), b' ' | 0) {
        return None;
    }
    let rest = rest.trim_ascii_start();
    let number = digits_end(rest, 0);
    let name = tail(rest, number).trim_ascii_start();
    let name = name.strip_prefix(b"- ").unwrap_or(name).trim_ascii();
    let (name, directive) = match find(name, b" # ") {
        Some(at) => (cut(name, 0, at).trim_ascii(), tail(name, at + 3).trim_ascii()),
        None => (name, &[][..]),
    };
    if starts_ci(directive, b"todo") || starts_ci(directive, b"skip") {
        return None;
    }
    if name.is_empty() {
        return Some(Hit::test(Family::Tap, 1, t, cut(rest, 0, number)));
    }
    // Among other lines of TAP this is a title as a whole; a line by itself may carry a message.
    if alone {
        return bare::title(t, name, Family::Tap);
    }
    Some(Hit::test(Family::Tap, 1, t, without_duration(name)))
}

/// googletest's `[  FAILED  ] Suite.Test (0 ms)`, xunit's `[xUnit.net 00:00:01.2]  Ns.Test [FAIL]`.
pub(super) fn bracketed(t: &[u8]) -> Option<Hit> {
    if let Some(rest) = t.strip_prefix(b"[  FAILED  ]") {
        let (id, after) = first_token(rest.trim_ascii());
        let id = id.strip_suffix(b",").unwrap_or(id);
        return (!id.is_empty() && !byte(id, 0).is_ascii_digit()).then(|| Hit::test(Family::Native, 2, t, id).message(t, after_id(after)));
    }
    let body = t.strip_suffix(b"[FAIL]").filter(|_| t.starts_with(b"[xUnit.net"))?;
    let id = tail(body, find(body, b"]")? + 1).trim_ascii();
    Some(Hit::test(Family::Dotnet, 2, t, id))
}

/// `rspec ./spec/a_spec.rb:12 # Login returns 200`
pub(super) fn rspec(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"rspec ")?;
    let at = find(rest, b" # ")?;
    Some(Hit::test(Family::Ruby, 3, t, tail(rest, at + 3).trim_ascii()))
}

/// Lines that begin with a number: eslint's rows, ctest's progress and its list, `1) title`.
pub(super) fn digits(t: &[u8], alone: bool) -> Option<Hit> {
    if let Some(hit) = compilers::row(t) {
        return Some(hit);
    }
    let number = digits_end(t, 0);
    if let Some(rest) = tail(t, number).strip_prefix(b" - ") {
        // `3 - name (Failed)`
        let open = rest.iter().rposition(|&b| b == b'(')?;
        let (name, why) = (cut(rest, 0, open).trim_ascii(), tail(rest, open + 1));
        let failed = [&b"Failed)"[..], b"Timeout)", b"SEGFAULT)", b"Not Run)", b"Subprocess aborted)"].contains(&why.trim_ascii());
        return (failed && !name.is_empty())
            .then(|| Hit::test(Family::Native, 2, t, name).message(t, after_id(cut(why, 0, why.len() - 1))));
    }
    if let Some(failed) = ctest(t) {
        return Some(failed);
    }
    let title = if alone { numbered(t)? } else { return None };
    let end = super::title_end(title);
    Some(Hit::test(Family::Script, 3, t, without_duration(cut(title, 0, end))).message(t, after_id(tail(title, end))))
}

/// `3/5 Test  #3: name ........***Failed    0.01 sec`
fn ctest(t: &[u8]) -> Option<Hit> {
    let at = find(t, b"Test ").filter(|&at| at < 16)?;
    let stars = find(t, b"***")?;
    let colon = find(t, b": ")?;
    let name = cut(t, colon + 2, stars).trim_ascii();
    let end = name.iter().rposition(|&b| b != b'.').map_or(0, |p| p + 1);
    let id = cut(name, 0, end).trim_ascii();
    (at < colon && !id.is_empty()).then(|| Hit::test(Family::Native, 1, t, id))
}

/// The title of `1) title`.
pub(in super::super) fn numbered(t: &[u8]) -> Option<&[u8]> {
    let number = digits_end(t, 0);
    let title = tail(t, number).strip_prefix(b") ")?.trim_ascii();
    ((1..=5).contains(&number) && !title.is_empty()).then_some(title)
}

/// Lines known by how they end: pytest's progress, gradle, `name ... FAILED`, dotnet's `Failed Ns.Test [12 ms]`.
pub(super) fn suffixed(t: &[u8], indent: usize) -> Option<Hit> {
    match t.last()? {
        b'D' if t.ends_with(b"FAILED") => failed_at_end(t, t),
        b']' => {
            if let Some(rest) = t.strip_prefix(b"Failed ") {
                let id = without_duration(rest);
                let named = id.len() < rest.trim_ascii().len() && (has(id, b".") || is_identifier(id));
                return named.then(|| Hit::test(Family::Dotnet, 3, t, id).follow(Follow::NextLine));
            }
            // `tests/test_a.py::test_x FAILED   [ 33%]`
            let open = t.iter().rposition(|&b| b == b'[').filter(|_| t.ends_with(b"%]"))?;
            let body = cut(t, 0, open).trim_ascii();
            (body.ends_with(b"FAILED") || body.ends_with(b"ERROR")).then(|| failed_at_end(t, body))?
        }
        b')' => {
            // deno: `name ... FAILED (5ms)`
            let name = before(t, b" ... FAILED (")?;
            Some(Hit::test(Family::Script, 2, t, name.trim_ascii()))
        }
        b'*' => {
            // scalatest: `- should return 200 *** FAILED ***`
            let body = t.strip_suffix(b" *** FAILED ***")?;
            let at = body.windows(2).position(|w| w == b"- ").map_or(0, |p| p + 2);
            Some(Hit::test(Family::Jvm, 2, t, tail(body, at).trim_ascii()))
        }
        b'!' => jvm::surefire(t, t),
        b'L' if indent == 0 => token_before(t, b"FAIL")
            .filter(|_| t.ends_with(b" FAIL"))
            .filter(|id| has(id, b"_") || has(id, b"::"))
            .map(|id| Hit::test(Family::Bare, 1, t, id)),
        _ => None,
    }
}

/// `body` is the line up to and with `FAILED` or `ERROR`.
fn failed_at_end(line: &[u8], body: &[u8]) -> Option<Hit> {
    if let Some(hit) = jvm::gradle(body) {
        return Some(hit);
    }
    let name = body.strip_suffix(b" FAILED").or_else(|| body.strip_suffix(b" ERROR"))?.trim_ascii();
    if let Some(name) = name.strip_suffix(b" ...") {
        return Some(Hit::test(Family::Script, 2, line, name.trim_ascii()));
    }
    // pytest -v, with xdist's `[gw1] [ 33%] FAILED id` handled by its summary.
    has(name, b"::").then(|| Hit::test(Family::Pytest, 1, line, cut(name, skip_blanks(name, 0), name.len())))
}
