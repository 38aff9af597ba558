//! What of a log may be shown: a cut of it, without secrets and without anything that a terminal obeys.

use super::key::is_key_material;
use super::terminal;
use crate::report::redact::redact;
use std::borrow::Cow;

/// At most `max_chars` characters of a log's bytes, ready to be printed on one line: secrets removed (see [`redact`]),
/// inert (see [`terminal`]), and cut with `…` where something is missing.
///
/// Bytes that are no UTF-8 become `\u{fffd}`; blanks and line ends at the end are dropped. The cut never exposes a part of
/// a secret: it is made in text that was cleaned beyond it. Only the bytes that are needed are looked at, however long
/// the line is. Lines that are nothing but base64 are taken for the body of a key.
#[must_use]
pub fn excerpt(bytes: &[u8], max_chars: usize) -> String {
    cut_excerpt(bytes, max_chars, false)
}

/// An [`excerpt`] of bytes that somebody may have cut at their end before (`was_cut`).
///
/// A secret that was cut there may be too short to be recognised, so the word that touches the cut is dropped.
#[must_use]
pub fn cut_excerpt(bytes: &[u8], max_chars: usize, was_cut: bool) -> String {
    let in_word = was_cut && !bytes.ends_with(b"\n") && !bytes.ends_with(b" ");
    let bytes = bytes.trim_ascii_end();
    let mut window = max_chars.saturating_add(SLACK);
    loop {
        let (seen, whole) = match bytes.get(..window) {
            Some(seen) if seen.len() < bytes.len() => (seen, false),
            _ => (bytes, true),
        };
        let clean = inert(&String::from_utf8_lossy(seen));
        if whole {
            return cut(if in_word { without_last_word(&clean) } else { &clean }, max_chars, was_cut);
        }
        let judged = judged(&clean);
        if judged >= max_chars || window >= MAX_WINDOW {
            return cut(&clean, max_chars.min(judged.saturating_add(1)), true);
        }
        // Markers, sequences and wide characters took more bytes than expected.
        window = window.saturating_mul(4);
    }
}

/// Bytes that are cleaned beyond those that are shown.
const SLACK: usize = 256;
/// Bytes that are cleaned at most for one excerpt, unless it is longer itself.
const MAX_WINDOW: usize = 64 * 1024;
/// Characters at the end of a window that are not shown: longer than the part of a token that goes unnoticed.
const UNJUDGED: usize = 64;

/// How many characters of a window's clean text can be shown. At its end may stand the head of a secret that is too short to
/// be recognised; what was recognised there is safe.
fn judged(clean: &str) -> usize {
    let certain = clean.chars().count().saturating_sub(UNJUDGED);
    let marked = marked(clean).and_then(|end| clean.get(..end)).map_or(0, |head| head.chars().count());
    certain.max(marked)
}

/// Where the last marker of a removed secret ends.
fn marked(clean: &str) -> Option<usize> {
    let open = clean.rfind("[redacted:").max(clean.rfind("[email]"))?;
    Some(open + clean.get(open..)?.find(']')? + 1)
}

/// Text that was cut in its last word, without that word. Of a very long one only as much goes as can be the head of a secret
/// that was not recognised; what was recognised stays as its marker.
fn without_last_word(clean: &str) -> &str {
    let ends_a_word = |c: char| c.is_whitespace() || matches!(c, '"' | ',' | '⏎' | '␍');
    let word = clean.char_indices().rev().take(UNJUDGED).take_while(|(_, c)| !ends_a_word(*c)).last().map_or(clean.len(), |(at, _)| at);
    clean.get(..word.max(marked(clean).unwrap_or(0))).unwrap_or_default()
}

/// Redacts and neutralises. Sequences may split a secret, so what only came together without them is redacted too.
fn inert(text: &str) -> String {
    let redacted = redact(text);
    let clean = match terminal(&redacted) {
        Cow::Borrowed(_) => redacted.into_owned(),
        Cow::Owned(joined) => match redact(&joined) {
            Cow::Borrowed(_) => joined,
            Cow::Owned(again) => again,
        },
    };
    if !clean.split('⏎').any(is_key_material) {
        return clean;
    }
    clean.split('⏎').map(|line| if is_key_material(line) { "[redacted:private-key]" } else { line }).collect::<Vec<_>>().join("⏎")
}

/// The first `max_chars` characters, with `…` as the last of them if something is missing.
fn cut(text: &str, max_chars: usize, more: bool) -> String {
    let fits = text.len() <= max_chars || text.char_indices().nth(max_chars).is_none();
    if fits && !more {
        return text.to_owned();
    }
    let Some(room) = max_chars.checked_sub(1) else {
        return String::new();
    };
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let mut kept = text.get(..end).unwrap_or(text);
    // Half a marker reads like part of the log.
    if let Some(open) = kept.rfind('[')
        && text.get(open..).is_some_and(|whole| whole.starts_with("[redacted:"))
        && kept.get(open..).is_some_and(|half| !half.contains(']'))
    {
        kept = kept.get(..open).unwrap_or(kept);
    }
    let mut out = String::with_capacity(kept.len() + '…'.len_utf8());
    out.push_str(kept);
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::super::is_kept;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_text_is_an_excerpt_as_it_is() {
        assert_eq!(excerpt(b"", 10), "");
        assert_eq!(excerpt(b"test failed\r\n", 20), "test failed");
        assert_eq!(excerpt(b"0123456789", 10), "0123456789");
        assert_eq!(excerpt(b"bad \xff byte", 20), "bad \u{fffd} byte");
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(excerpt(b"0123456789A", 10), "012345678…");
        assert_eq!(excerpt("äöüß".as_bytes(), 3), "äö…");
        assert_eq!(excerpt(b"abc", 1), "…");
        assert_eq!(excerpt(b"abc", 0), "");
        assert_eq!(excerpt(&[b'a'; 1_000_000], 4), "aaa…");
        assert_eq!(excerpt("日".repeat(100_000).as_bytes(), 400), format!("{}…", "日".repeat(399)));
    }

    #[test]
    fn a_secret_is_removed_before_the_cut_and_a_marker_is_not_halved() {
        let token = ["gh", "p_", &"A1b2".repeat(9)].concat();
        let text = format!("token {token} rejected");
        assert_eq!(excerpt(text.as_bytes(), 80), "token [redacted:github] rejected");
        assert_eq!(excerpt(text.as_bytes(), 12), "token …");
        assert_eq!(excerpt(text.as_bytes(), 24), "token [redacted:github]…");
        assert_eq!(excerpt(b"see [result] of run", 8), "see [re…");
    }

    #[test]
    fn colours_do_not_hide_a_secret() {
        let token = ["gh", "p_A1b2\x1b[31m", &"c3D4".repeat(8), "\x1b[m"].concat();
        assert_eq!(excerpt(token.as_bytes(), 80), "[redacted:github]");
        let setting = ["\x1b[1mpass", "word\x1b[0m=\x1b[32mhunter2\x1b[0m done"].concat();
        assert_eq!(excerpt(setting.as_bytes(), 80), "password=[redacted:password] done");
    }

    #[test]
    fn what_was_removed_makes_room_for_what_follows() {
        let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
        let end = begin.replace("BEGIN", "END");
        let key = format!("{begin}\n{}\n{end} and then the build failed", "MIIB".repeat(1000));
        assert_eq!(excerpt(key.as_bytes(), 80), "[redacted:private-key] and then the build failed");
        let endless = format!("{begin}\n{}", "MIIB".repeat(100_000));
        assert_eq!(excerpt(endless.as_bytes(), 80), "[redacted:private-key]…");
    }

    /// Texts that end in a secret, and how much of the end is the secret.
    fn secrets() -> Vec<(String, usize)> {
        let with = |before: &str, secret: String| (format!("{before}{secret}"), secret.len());
        vec![
            with("push with ", ["gh", "p_", &"A1b2C3d4".repeat(5)].concat()),
            with("key ", ["AK", "IA", "Q7WERTYUIOP2ASDF"].concat()),
            with("key ", ["sk", "-ant-", &"x9Y8z7W6".repeat(6)].concat()),
            with("{\"detail\":\"", ["sk", "-proj-", &"x9Y8z7W6".repeat(6)].concat()),
            with("Authorization: Bearer ", "x9Y8z7W6".repeat(4)),
            with("asked ", ["quentin.longname", "@", "example.com"].concat()),
            with("fetch https://", ["deploy:", "h7Gt5Rf4Ed3", "@example.com/x"].concat()),
        ]
    }

    #[test]
    fn a_secret_that_was_cut_before_is_not_shown() {
        for (text, length) in secrets() {
            let before = text.len() - length;
            for end in before + 1..=text.len() {
                let shown = cut_excerpt(&text.as_bytes()[..end], 200, true);
                for seen in (before + 6..=end).map(|to| &text[before..to]) {
                    assert!(!shown.contains(seen), "{shown:?} holds {seen:?}");
                }
            }
            let shown = cut_excerpt(text.as_bytes(), 200, false);
            assert!(!shown.contains(&text[before..before + 10]), "{shown:?}");
        }
    }

    #[test]
    fn only_the_word_at_the_cut_is_dropped() {
        assert_eq!(cut_excerpt(b"three tests failed in parser", 80, true), "three tests failed in …");
        assert_eq!(cut_excerpt(b"three tests failed in ", 80, true), "three tests failed in…");
        assert_eq!(cut_excerpt(b"three tests failed in parser", 80, false), "three tests failed in parser");
        assert_eq!(cut_excerpt(b"three tests failed", 8, true), "three t…");
        assert_eq!(cut_excerpt(b"{\"iter\":3,\"detail\":\"FAI", 80, true), "{\"iter\":3,\"detail\":\"…");
        assert_eq!(cut_excerpt("-".repeat(100).as_bytes(), 200, true), format!("{}…", "-".repeat(36)));
        assert_eq!(cut_excerpt(b"", 80, true), "…");
    }

    proptest! {
        #[test]
        fn an_excerpt_fits_and_is_inert(bytes in proptest::collection::vec(any::<u8>(), 0..600), max in 0_usize..300) {
            for text in [excerpt(&bytes, max), cut_excerpt(&bytes, max, true)] {
                prop_assert!(text.chars().count() <= max);
                prop_assert!(text.chars().all(is_kept));
            }
        }

        #[test]
        fn no_cut_exposes_a_secret(before in "[a-z ]{0,700}", after in "[a-z ]{0,700}", max in 0_usize..700) {
            let secret = "A1b2C3d4".repeat(5);
            let text = format!("{before} {}{secret} {after}", ["gh", "p_"].concat());
            prop_assert!(!excerpt(text.as_bytes(), max).contains("A1"));
        }
    }
}
