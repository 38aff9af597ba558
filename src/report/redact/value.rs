//! Finds the value that is assigned after `password=`, `"api_key": `, `--token ` and the like.
//!
//! This is code and no pattern because where a value ends depends on how it is quoted, and logs quote in layers: JSON in
//! JSON writes `\"`, a shell in JSON writes `\\\"`.

/// A value and where it stands in the text after the name.
pub(super) struct Value<'t> {
    /// Bytes before the value: the opening quote.
    pub start: usize,
    /// The value without its quotes and, if it has none, without closing punctuation.
    pub text: &'t str,
    /// Whether it was quoted. An unquoted value may be code or prose.
    pub quoted: bool,
}

/// The value at the very start of `rest`. Empty when there is none. A value that is cut off runs to the end.
pub(super) fn assigned(rest: &str) -> Value<'_> {
    if let Some(start) = opening(rest) {
        let body = rest.get(start..).unwrap_or_default();
        let quote = rest.get(..start).and_then(|o| o.chars().next_back()).unwrap_or('"');
        let depth = rest.get(..start).map_or(0, |o| o.matches('\\').count());
        let text = body.get(..closing(body, quote, depth)).unwrap_or(body);
        return Value { start, text, quoted: true };
    }
    let text = rest.get(..unquoted(rest)).unwrap_or(rest);
    Value { start: 0, text: without_closers(text), quoted: false }
}

/// Whether a name of a setting may end before `rest`, by its first bytes. Cheap: it is asked for every `token` and `key`.
pub(super) fn may_follow_name(rest: &[u8]) -> bool {
    match rest {
        // The sign itself, the quote or bracket around the name, the number behind it.
        [b'=' | b':' | b'"' | b'\'' | b'`' | b'\\' | b']' | b')' | b'?' | b'_' | b'-' | b'0'..=b'9', ..] => true,
        [b'%', b'3', ..] => true,
        // A blank, and a sign or a type.
        [b' ' | b'\t', b'=' | b':' | b'%' | b' ' | b'\t' | b'&' | b's' | b'S' | b'b' | b'a', ..] => true,
        _ => false,
    }
}

/// Length of markers at the start of `text`: places where a secret was removed before.
pub(super) fn markers(text: &str) -> usize {
    let mut rest = text;
    loop {
        let after = rest.strip_prefix("[email]").or_else(|| {
            let (name, after) = rest.strip_prefix("[redacted:")?.split_once(']')?;
            name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-').then_some(after)
        });
        match after {
            Some(after) => rest = after,
            None => return text.len() - rest.len(),
        }
    }
}

/// Length of the opening quote: `"`, `b'`, `\"`, `\\\"`, `"""` …
fn opening(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    // A prefix letter as in Python's b"…" or f'…', only directly before the quote.
    let prefix = usize::from(matches!(bytes, [b'b' | b'r' | b'f' | b'u', b'"' | b'\'', ..]));
    let slashes = bytes.iter().skip(prefix).take(8).take_while(|b| **b == b'\\').count();
    let quote = *bytes.get(prefix + slashes)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let one = prefix + slashes + 1;
    let tripled = slashes == 0 && bytes.get(one..one + 2).is_some_and(|two| two.iter().all(|b| *b == quote));
    Some(if tripled { one + 2 } else { one })
}

/// Where a quoted value ends. `depth` is the number of backslashes before its opening quote.
fn closing(body: &str, quote: char, depth: usize) -> usize {
    let mut slashes = 0;
    for (at, c) in body.char_indices() {
        if c == '\\' {
            slashes += 1;
            continue;
        }
        // The same number of backslashes closes the value and more of them escape a quote within it. Without any, an
        // even number is a backslash that is itself escaped.
        let closes = if depth == 0 { slashes % 2 == 0 } else { slashes <= depth };
        if c == quote && closes {
            return if depth == 0 { at } else { at - slashes };
        }
        if matches!(c, '\n' | '\r' | '⏎') && quote != '`' {
            return at;
        }
        slashes = 0;
    }
    body.len()
}

/// Where an unquoted value ends.
fn unquoted(rest: &str) -> usize {
    for (at, c) in rest.char_indices() {
        let after = rest.get(at + c.len_utf8()..).unwrap_or_default();
        let ends = match c {
            '"' | '\'' | '`' | '⏎' => true,
            '\\' => after.starts_with(['n', 'r', 't', '"', '\'']), // a line end or a quote inside JSON text
            '<' => after.starts_with('/'),
            '|' | '&' if after.starts_with(c) => true,
            '&' | ';' | ',' => starts_pair(after),
            _ => c.is_whitespace(),
        };
        if ends {
            return at;
        }
    }
    rest.len()
}

/// Whether `text` starts with the next `name=` or `name:`. Passwords may hold commas and ampersands; this does not end them
/// unless another pair follows.
fn starts_pair(text: &str) -> bool {
    let name = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')).count();
    let named = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    named && matches!(text.as_bytes().get(name), Some(b'=' | b':'))
}

/// Takes off punctuation that closes what the value stands in. The bracket of a marker belongs to the marker.
fn without_closers(text: &str) -> &str {
    let marked = markers(text);
    let (head, tail) = text.split_at_checked(marked).unwrap_or((text, ""));
    let kept = tail.trim_end_matches(['.', ',', ';', ':', ')', ']', '}', '>', '\\', '…']);
    text.get(..head.len() + kept.len()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rest: &str) -> &str {
        assigned(rest).text
    }

    #[test]
    fn unquoted_values_end_where_the_surroundings_go_on() {
        assert_eq!(text("hunter2 and more"), "hunter2");
        assert_eq!(text("hunter2\nNEXT=1"), "hunter2");
        assert_eq!(text(r"hunter2\nNEXT=1"), "hunter2");
        assert_eq!(text("hunter2⏎NEXT=1"), "hunter2");
        assert_eq!(text("hunter2&user=dev"), "hunter2");
        assert_eq!(text("hunter2;Encrypt=True"), "hunter2");
        assert_eq!(text("hunter2,user:dev}"), "hunter2");
        assert_eq!(text("hunter2</password>"), "hunter2");
        assert_eq!(text("hunter2&&make"), "hunter2");
        assert_eq!(text("hunter2), 3"), "hunter2");
        assert_eq!(text("hunter2"), "hunter2");
        assert_eq!(text(""), "");
        assert_eq!(text(" hunter2"), "");
    }

    #[test]
    fn punctuation_inside_an_unquoted_value_belongs_to_it() {
        assert_eq!(text("a,b&c;d e"), "a,b&c;d");
        assert_eq!(text(r"dom\user:x y"), r"dom\user:x");
        assert_eq!(text("Zm9v/YmFy+==;EndpointSuffix=core"), "Zm9v/YmFy+==");
    }

    #[test]
    fn quoted_values_end_at_their_own_quote() {
        assert_eq!(text(r#""a b" c"#), "a b");
        assert_eq!(text(r#""a\"b" c"#), r#"a\"b"#);
        assert_eq!(text(r#""a\\" c"#), r"a\\");
        assert_eq!(text("'a \" b' c"), "a \" b");
        assert_eq!(text(r#"b"bytes" x"#), "bytes");
        assert_eq!(text(r#""""triple""" x"#), "triple");
        assert_eq!(text("\"cut off"), "cut off");
        assert_eq!(text("\"line\nnext\""), "line");
        assert_eq!(text("`tick` x"), "tick");
    }

    #[test]
    fn quotes_inside_json_text_are_escaped() {
        assert_eq!(text(r#"\"pa ss\", \"user\": \"x\""#), "pa ss");
        assert_eq!(text(r#"\\\"pass\\\" \"more"#), "pass");
        assert_eq!(text(r#"\"pa\\\"ss\" more"#), r#"pa\\\"ss"#);
        assert_eq!(text(r#"\"cut by the outer" more"#), "cut by the outer");
    }

    #[test]
    fn markers_are_measured() {
        assert_eq!(markers("[redacted:jwt]"), 14);
        assert_eq!(markers("[redacted:jwt][email]x"), 21);
        assert_eq!(markers("[redacted:no such]"), 0);
        assert_eq!(markers("[redacted:jwt"), 0);
        assert_eq!(text("[redacted:jwt]),"), "[redacted:jwt]");
        assert_eq!(text("[redacted:jwt]x)"), "[redacted:jwt]x");
    }
}
