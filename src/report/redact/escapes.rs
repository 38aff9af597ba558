//! Text behind escapes: `user\u0040example.com` is an address to whatever reads the JSON, so it is one here.

/// The text with the escapes of plain characters undone: `\u0040`, `\u{40}`, `\x40`, behind any number of backslashes, as JSON in
/// JSON has them. None where there are none.
///
/// A quote and a backslash stay escaped (`\"`, `\\`), so that values end where they ended. What controls, is invisible or
/// changes direction stays as it is: nothing comes to life here.
pub(super) fn decoded(text: &str) -> Option<String> {
    if !text.contains("\\u") && !text.contains("\\x") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let slashes = from.bytes().take_while(|b| *b == b'\\').count();
        match escape(from.get(slashes..).unwrap_or_default()) {
            Some((c, length)) => {
                match c {
                    '"' | '\\' => out.extend(['\\', c]),
                    c => out.push(c),
                }
                changed = true;
                rest = from.get(slashes + length..).unwrap_or_default();
            }
            None => {
                out.push_str(from.get(..slashes).unwrap_or_default());
                rest = from.get(slashes..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The character that the text behind a backslash stands for, and how long its escape is.
fn escape(text: &str) -> Option<(char, usize)> {
    let hex = |from: usize, to: usize| {
        let digits = text.get(from..to).filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let (code, length) = match text.as_bytes() {
        [b'u', b'{', ..] => {
            let end = text.bytes().take(9).position(|b| b == b'}')?;
            (hex(2, end)?, end + 1)
        }
        [b'u', ..] => (hex(1, 5)?, 5),
        [b'x', ..] => (hex(1, 3)?, 3),
        _ => return None,
    };
    let c = char::from_u32(code)?;
    (matches!(c, ' '..='~') || !c.is_ascii() && c.is_alphanumeric()).then_some((c, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_characters_are_undone_and_others_stay() {
        for (text, plain) in [
            (r"user\u0040example.com", "user@example.com"),
            (r"\u0067\u0068p", "ghp"),
            (r"a\\u0040b \\\\u0040", "a@b @"),
            (r"\x41\u{42}\u{000043}", "ABC"),
            (r"/home/\u00e9mile", "/home/émile"),
            (r#""a\u0022b\u005cc""#, r#""a\"b\\c""#),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(plain), "{text}");
        }
        for text in [
            "",
            "plain",
            r"\u001b[31m",
            r"\u202e \u200b \u0085 \ud83d\ude00",
            r"\u00",
            r"\u{}",
            r"\u{110000000}",
            r"\xg1 \u004 \n C:\users\x",
            "\\",
            "\\u",
            "\\uzzäö",
        ] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
