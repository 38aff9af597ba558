//! A yes-or-no reader of JSON, so that the generator's tests need no library.

/// True if the text is exactly one JSON object.
pub(super) fn is_object(text: &str) -> bool {
    let mut rest = text.as_bytes();
    rest = skip_blanks(rest);
    rest.first() == Some(&b'{') && value(rest).is_some_and(|rest| skip_blanks(rest).is_empty())
}

fn skip_blanks(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\n' | b'\r', tail @ ..] = rest {
        rest = tail;
    }
    rest
}

fn value(rest: &[u8]) -> Option<&[u8]> {
    let rest = skip_blanks(rest);
    match rest.first()? {
        b'{' => sequence(&rest[1..], b'}', |rest| {
            let rest = skip_blanks(string(skip_blanks(rest))?);
            value(rest.strip_prefix(b":")?)
        }),
        b'[' => sequence(&rest[1..], b']', value),
        b'"' => string(rest),
        _ => [&b"true"[..], b"false", b"null"].iter().find_map(|word| rest.strip_prefix(*word)).or_else(|| number(rest)),
    }
}

fn sequence(rest: &[u8], close: u8, item: impl Fn(&[u8]) -> Option<&[u8]>) -> Option<&[u8]> {
    let mut rest = skip_blanks(rest);
    if rest.first() == Some(&close) {
        return Some(&rest[1..]);
    }
    loop {
        rest = skip_blanks(item(rest)?);
        let (&mark, tail) = rest.split_first()?;
        if mark == close {
            return Some(tail);
        }
        if mark != b',' {
            return None;
        }
        rest = tail;
    }
}

fn string(rest: &[u8]) -> Option<&[u8]> {
    let mut rest = rest.strip_prefix(b"\"")?;
    loop {
        let (&letter, tail) = rest.split_first()?;
        rest = match letter {
            b'"' => return Some(tail),
            b'\\' => escape(tail)?,
            0..0x20 => return None,
            _ => tail,
        };
    }
}

fn escape(rest: &[u8]) -> Option<&[u8]> {
    let (&kind, tail) = rest.split_first()?;
    match kind {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(tail),
        b'u' => {
            let digits = tail.get(..4)?;
            digits.iter().all(u8::is_ascii_hexdigit).then(|| &tail[4..])
        }
        _ => None,
    }
}

fn number(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let rest = digits(rest)?;
    match rest.strip_prefix(b".") {
        Some(fraction) => digits(fraction),
        None => Some(rest),
    }
}

fn digits(rest: &[u8]) -> Option<&[u8]> {
    let end = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then(|| &rest[end..])
}

#[test]
fn the_reader_tells_json_from_what_looks_like_it() {
    for good in [r#"{"a": [1, -2.5, null], "b": {"c": "d\"\u00e9"}}"#, " {} "] {
        assert!(is_object(good), "{good}");
    }
    for bad in ["", "[1]", r#"{"a": 1"#, r#"{"a": "b"c"}"#, r#"{"a": "\d"}"#, "{\"a\": \"\t\"}", "{} {}"] {
        assert!(!is_object(bad), "{bad}");
    }
}
