//! pytest and unittest.

use super::super::Stage;
use super::super::text::{byte, cut, find, first_token, has, is_word, tail};
use super::{Family, Follow, Hit, Tier, after_id, is_identifier, is_syntax};

/// `FAILED tests/test_a.py::test_x[a - b] - AssertionError: …`, `FAIL: test_x (mod.Class)`.
pub(super) fn failed(t: &[u8]) -> Option<Hit> {
    if let Some(rest) = t.strip_prefix(b"FAILED ") {
        return summary(t, rest.trim_ascii_start());
    }
    unittest(t, t.strip_prefix(b"FAIL: ")?)
}

/// `ERROR tests/test_a.py - ImportError`, `ERROR: test_x (mod.Class)`, `E   assert 1 == 2`.
pub(super) fn error(t: &[u8], indent: usize) -> Option<Hit> {
    if let Some(rest) = t.strip_prefix(b"ERROR ") {
        return summary(t, rest.trim_ascii_start());
    }
    if let Some(rest) = t.strip_prefix(b"ERROR: ") {
        return unittest(t, rest);
    }
    let rest = t.strip_prefix(b"E  ")?;
    let message = rest.trim_ascii_start();
    (indent == 0 && !message.is_empty()).then(|| Hit { rank: 0, ..Hit::loose(Family::Pytest, Tier::Loose, t) }.message(t, message))
}

fn summary(line: &[u8], rest: &[u8]) -> Option<Hit> {
    let (file, _) = first_token(rest);
    let marker = find(file, b"::");
    if marker.is_none() && !file.ends_with(b".py") {
        return None;
    }
    let id = match marker {
        Some(at) => cut(rest, 0, id_end(rest, at + 2)),
        None => file,
    };
    let message = unfinished(after_id(tail(rest, id.len())));
    let hit = Hit::test(Family::Pytest, 3, line, id).message(line, message);
    Some(if is_syntax(message) {
        hit.stage(Stage::Parse)
    } else if marker.is_none() {
        hit.stage(Stage::Compile)
    } else {
        hit
    })
}

/// End of a pytest id whose name begins at `from`. Parameters may hold blanks and ` - `, so brackets are matched; where
/// they do not match, the first ` - ` ends it.
fn id_end(s: &[u8], from: usize) -> usize {
    let mut depth = 0i32;
    let mut first = None;
    let mut i = from;
    while i < s.len() {
        match byte(s, i) {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b' ' if s.get(i..i + 3) == Some(b" - ") => {
                if depth <= 0 {
                    return i;
                }
                first = first.or(Some(i));
            }
            // After the name only ` - message` or a bracket may follow.
            b' ' if depth == 0 => return i,
            _ => {}
        }
        i += 1;
    }
    if depth > 0 { first.unwrap_or(s.len()) } else { s.len() }
}

/// pytest cuts a message to the terminal's width and ends it in `...`, in the middle of a word: the half word goes,
/// since where it is cut hangs on the numbers before it.
fn unfinished(message: &[u8]) -> &[u8] {
    let Some(body) = message.strip_suffix(b"...") else {
        return message;
    };
    match body.iter().rposition(|&b| b == b' ') {
        Some(at) => cut(body, 0, at),
        None => message,
    }
}

/// `test_x (mod.Class)`, with subtests behind it: `test_x (mod.Class) (i=3)`.
fn unittest(line: &[u8], rest: &[u8]) -> Option<Hit> {
    let (name, more) = first_token(rest);
    let class = more.strip_prefix(b"(")?;
    let close = find(class, b")")?;
    let named = !name.is_empty() && name.iter().all(|&b| is_word(b)) && is_identifier(cut(class, 0, close));
    named.then(|| Hit::test(Family::Unittest, 2, line, rest.trim_ascii_end()).follow(Follow::Traceback))
}

/// `______ test_x[3] ______`, `____ ERROR at setup of test_x ____`, `____ ERROR collecting tests/test_a.py ____`.
pub(super) fn header(t: &[u8]) -> Option<Hit> {
    let name = t.strip_prefix(b"___").or_else(|| t.strip_prefix(b"_ "))?;
    let trim = |b: &u8| *b == b'_' || *b == b' ';
    let start = name.iter().position(|b| !trim(b))?;
    // A name may begin and end in `_`: the rule is set off by a blank.
    let name = tail(name, start);
    let name = name.strip_suffix(b"_").map_or(name, |n| n.get(..find(n, b" _").unwrap_or(n.len())).unwrap_or(n)).trim_ascii();
    let collecting = name.strip_prefix(b"ERROR collecting ");
    let id = collecting
        .or_else(|| name.strip_prefix(b"ERROR at setup of "))
        .or_else(|| name.strip_prefix(b"ERROR at teardown of "))
        .unwrap_or(name);
    if id.is_empty() || !(has(id, b"test") || has(id, b"Test")) {
        return None;
    }
    let hit = Hit::test(Family::Pytest, 2, t, id).follow(Follow::MarkedE);
    Some(if collecting.is_some() { hit.stage(Stage::Compile) } else { hit })
}
