//! Makes text from logs harmless where it is shown.
//!
//! A log's text is hostile until proven otherwise: an escape sequence can repaint a terminal, set its title or hide
//! lines, and a bidirectional override can make a command read as another one.

use std::borrow::Cow;

use super::redact::redact;
use super::workflow;

const BEL: char = '\u{7}';
const ESC: char = '\u{1b}';
/// String terminator, as one character of the C1 set.
const ST: char = '\u{9c}';

/// Text on one line that a terminal shows and does not obey.
///
/// Escape sequences (ANSI CSI, OSC, DCS and the like, introduced by ESC or by their 8-bit C1 characters) are removed
/// whole. A newline becomes `⏎`, a carriage return `␍` (what it would overwrite stays readable), a tab a blank. Every
/// other control character, and every character that is invisible or changes the direction of text, becomes visible:
/// `\x07`, `\u{202e}`. So does the first sign of what a CI runner would take for a command (see [`workflow`]).
///
/// Text without any of these comes back borrowed. The result contains no control character, so that doing it twice
/// changes nothing.
#[must_use]
pub fn terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = first_to_change(text) else {
        return workflow::inert(text);
    };
    let (plain, mut rest) = text.split_at_checked(first).unwrap_or(("", text));
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(plain);
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match sequence(c, after) {
            Some(length) => after.get(length..).unwrap_or_default(),
            None => {
                push_visible(&mut out, c);
                after
            }
        };
    }
    without_commands(out)
}

fn without_commands(text: String) -> Cow<'static, str> {
    match workflow::inert(&text) {
        Cow::Borrowed(_) => Cow::Owned(text),
        Cow::Owned(inert) => Cow::Owned(inert),
    }
}

/// A name from outside, as a file's, for machines: every character that [`terminal`] would not keep becomes visible, and
/// none is removed, so that two names that differ stay different.
#[must_use]
pub fn visible(name: &str) -> Cow<'_, str> {
    let Some((plain, rest)) = first_to_change(name).and_then(|at| name.split_at_checked(at)) else {
        return workflow::inert(name);
    };
    let mut out = String::with_capacity(name.len() + 16);
    out.push_str(plain);
    rest.chars().for_each(|c| push_visible(&mut out, c));
    without_commands(out)
}

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

/// Whether a line is the body of a key, whose BEGIN and END stand on other lines: nothing but 40 or more characters of
/// base64, which change their class (capital, small, digit) as often as only random ones do.
///
/// A hash has letters of one case, a long identifier is small letters for the most part, a path has many slashes.
fn is_key_material(line: &str) -> bool {
    const LEAST: usize = 40;
    let line = line.trim_matches([' ', '"', '\'', '`', ',', '␍', '…']);
    let line = line.strip_suffix("\\n").unwrap_or(line);
    let body = line.trim_end_matches('=').as_bytes();
    if line.len() < LEAST || line.len() - body.len() > 2 || !body.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/')) {
        return false;
    }
    let has = |class: fn(&u8) -> bool| body.iter().any(class);
    let all_kinds = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(|b| !b.is_ascii_alphabetic());
    let slashes = body.iter().filter(|b| **b == b'/').count();
    let class = |b: u8| (b.is_ascii_uppercase(), b.is_ascii_lowercase(), b.is_ascii_digit());
    // Keys hold stretches of zeros (`AAAA`), which say nothing.
    let (mut pairs, mut changes) = (0, 0);
    for (a, b) in body.iter().zip(body.iter().skip(1)).filter(|(a, b)| a != b && **a != b'/' && **b != b'/') {
        pairs += 1;
        changes += usize::from(class(*a) != class(*b));
    }
    let small = body.iter().filter(|b| b.is_ascii_lowercase()).count();
    // Of random characters 64 in 100 pairs change and 41 in 100 are small letters; the bounds are three deviations off at 40.
    all_kinds && slashes * 10 <= body.len() && changes * 100 >= pairs * 38 && small * 100 <= body.len() * 65
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

/// Where the first character stands that [`terminal`] does not keep.
fn first_to_change(text: &str) -> Option<usize> {
    let ascii = text.bytes().position(|b| !(b' '..=b'~').contains(&b))?;
    let rest = text.get(ascii..)?;
    rest.char_indices().find(|(_, c)| !is_kept(*c)).map(|(at, _)| ascii + at)
}

/// Whether a character is shown as it is.
fn is_kept(c: char) -> bool {
    // Printable ASCII first: it is nearly everything.
    matches!(c, ' '..='~') || !(c.is_control() || is_deceptive(c))
}

/// Characters that hide text, break lines or change its direction. Joiners within emoji and scripts stay.
fn is_deceptive(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'                        // soft hyphen
        | '\u{61c}' | '\u{200e}' | '\u{200f}' // direction marks
        | '\u{180e}' | '\u{200b}'       // no width
        | '\u{2028}'..='\u{202e}'       // line and paragraph separators, bidirectional embeddings and overrides
        | '\u{2060}'..='\u{206f}'       // invisible operators, bidirectional isolates
        | '\u{feff}'                    // byte order mark
        | '\u{fff9}'..='\u{fffb}'       // annotations
        | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}' // no characters: XML cannot hold them
        | '\u{e0000}'..='\u{e007f}'     // tags: whole sentences can be written in them unseen
    )
}

fn push_visible(out: &mut String, c: char) {
    match c {
        '\n' => out.push('⏎'),
        '\r' => out.push('␍'),
        '\t' => out.push(' '),
        c if is_kept(c) => out.push(c),
        c if c.is_ascii() => {
            out.push_str("\\x");
            for shift in [4, 0] {
                out.extend(char::from_digit((u32::from(c) >> shift) & 0xf, 16));
            }
        }
        c => out.extend(c.escape_unicode()),
    }
}

/// Length, behind its first character `c`, of the escape sequence that `c` introduces. None if it introduces none.
fn sequence(c: char, after: &str) -> Option<usize> {
    let kind = match c {
        ESC => after.chars().next()?,
        // The C1 set is ESC and a character of `@` to `_` in one.
        '\u{80}'..='\u{9f}' => char::from_u32(u32::from(c) - 0x40)?,
        _ => return None,
    };
    let head = if c == ESC { 1 } else { 0 };
    match kind {
        '[' => Some(head + control_sequence(after.get(head..)?)),
        ']' => Some(head + string(after.get(head..)?, true)),
        'P' | 'X' | '^' | '_' => Some(head + string(after.get(head..)?, false)),
        'k' if c == ESC => Some(head + string(after.get(head..)?, false)), // the title of a screen's window
        _ if c != ESC => None,                                             // a C1 character that stands alone is shown
        // Intermediate bytes and a final one, as in `ESC ( B`.
        ' '..='/' => {
            let intermediate = after.bytes().take_while(|b| (b' '..=b'/').contains(b)).count();
            let complete = after.as_bytes().get(intermediate).is_some_and(|b| (b'0'..=b'~').contains(b));
            Some(intermediate + usize::from(complete))
        }
        '0'..='~' => Some(head),
        _ => None,
    }
}

/// Length of the rest of a control sequence: parameters, intermediates, a final byte. A sequence that is cut off or broken
/// ends before what does not belong to it.
fn control_sequence(text: &str) -> usize {
    let parameters = text.bytes().take_while(|b| (b'0'..=b'?').contains(b)).count();
    let rest = text.get(parameters..).unwrap_or_default();
    let intermediates = rest.bytes().take_while(|b| (b' '..=b'/').contains(b)).count();
    let end = parameters + intermediates;
    end + usize::from(text.as_bytes().get(end).is_some_and(|b| (b'@'..=b'~').contains(b)))
}

/// Length of a string that a terminator ends (BEL too, in some). One without a terminator would swallow all that follows,
/// and a log could hide its lines by that: then only the introducer is removed. Line ends and other sequences end the
/// search, which also keeps it linear.
fn string(text: &str, bell: bool) -> usize {
    for (at, c) in text.char_indices() {
        match c {
            BEL if bell => return at + 1,
            ST => return at + ST.len_utf8(),
            ESC if text.as_bytes().get(at + 1) == Some(&b'\\') => return at + 2,
            ESC | '\n' | '\r' | '\u{80}'..='\u{9f}' => return 0,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "cargo test", "grün 日本語 👩\u{200d}💻 e\u{301}", "C:\\x \\x1b ~"] {
            assert!(matches!(terminal(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn control_sequences_are_removed_whole() {
        assert_eq!(terminal("\x1b[1;31merror\x1b[0m: no"), "error: no");
        assert_eq!(terminal("a\x1b[2J\x1b[Hb"), "ab");
        assert_eq!(terminal("\x1b[?25lx\x1b[0 qy\x1b[>4;2mz"), "xyz");
        assert_eq!(terminal("\u{9b}31mred\u{9b}m"), "red");
        assert_eq!(terminal("\x1b(Bx\x1b7y\x1bcz\x1b=w"), "xyzw");
    }

    #[test]
    fn control_strings_are_removed_whole() {
        assert_eq!(terminal("\x1b]0;title\x07x"), "x");
        assert_eq!(terminal("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\"), "link");
        assert_eq!(terminal("\u{9d}52;c;eA==\u{9c}x"), "x");
        assert_eq!(terminal("\x1bPq#0;2;0~-\x1b\\x\u{90}1$r\u{9c}y"), "xy");
        assert_eq!(terminal("\x1b_apc\x1b\\x\x1b^pm\x1b\\y\x1bXsos\x1b\\z\x1bktitle\x1b\\w"), "xyzw");
    }

    #[test]
    fn a_string_without_its_end_hides_nothing() {
        assert_eq!(terminal("\x1b]0;all that follows"), "0;all that follows");
        assert_eq!(terminal("\x1b]0;one\ntwo\x07"), "0;one⏎two\\x07");
        assert_eq!(terminal("\x1bPone\x1b[31mtwo"), "onetwo");
    }

    #[test]
    fn a_broken_sequence_ends_before_what_does_not_belong_to_it() {
        assert_eq!(terminal("a\x1b"), "a\\x1b");
        assert_eq!(terminal("a\x1b[31"), "a");
        assert_eq!(terminal("a\x1b[3é"), "aé");
        assert_eq!(terminal("a\x1bé"), "a\\x1bé");
        assert_eq!(terminal("\x1b\x1b[mx"), "\\x1bx");
    }

    #[test]
    fn other_control_characters_become_visible() {
        assert_eq!(terminal("a\nb\rc\td"), "a⏎b␍c d");
        assert_eq!(terminal("\0\x07\x08\x7f"), "\\x00\\x07\\x08\\x7f");
        assert_eq!(terminal("\u{85}\u{9c}"), "\\u{85}\\u{9c}");
        assert_eq!(terminal("a\u{202e}b\u{2066}c\u{2069}"), "a\\u{202e}b\\u{2066}c\\u{2069}");
        assert_eq!(terminal("\u{feff}a\u{2028}b\u{200b}"), "\\u{feff}a\\u{2028}b\\u{200b}");
        assert_eq!(terminal("\u{e0041}"), "\\u{e0041}");
    }

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

    /// Base64 of bytes from a multiplicative generator, in a line of that length.
    fn base64(seed: u64, length: usize) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(DIGITS[usize::try_from(state >> 58).unwrap()])
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn lines_of_a_key_are_removed() {
        for seed in 1..200 {
            for line in [base64(seed, 64), base64(seed, 76), format!("{}==", base64(seed, 70))] {
                assert_eq!(excerpt(line.as_bytes(), 200), "[redacted:private-key]", "{line}");
                assert_eq!(excerpt(format!("  \"{line}\",\r\n").as_bytes(), 200), "[redacted:private-key]", "{line}");
            }
        }
        let lines = format!("see\n{}\n{}\nend", base64(3, 64), base64(5, 64));
        assert_eq!(excerpt(lines.as_bytes(), 200), "see⏎[redacted:private-key]⏎[redacted:private-key]⏎end");
        // The head of a key in OpenSSH's form: `openssh-key-v1`, the ciphers' names and lengths, of which most bytes are zero.
        let head = ["b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9u", "ZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"].concat();
        assert_eq!(excerpt(head.as_bytes(), 200), "[redacted:private-key]");
        assert_eq!(excerpt(base64(7, 100_000).as_bytes(), 200), "[redacted:private-key]");
    }

    #[test]
    fn hashes_names_and_paths_are_no_keys() {
        for line in [
            "3f2a9bc4d5e6f708192a3b4c5d6e7f8091a2b3c4",
            "3F2A9BC4D5E6F708192A3B4C5D6E7F8091A2B3C4",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "testParserHandlesUtf8InputWhenTheBufferIsTooSmall2",
            "TestReconcilerRetriesHTTP503ResponsesFromUpstreamServers",
            "com/example/billing/InvoiceServiceIntegrationTest2/shouldRoundHalfEven",
            "Projects/App2/Src/Views/Main/List/Item/Cell/Base",
            "src/report/redact/tests/properties/generated/module42",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "1234567890123456789012345678901234567890",
            "thirtytwoandmorelettersthatareallsmallandnothingelse",
            "========================================================",
        ] {
            assert_eq!(excerpt(line.as_bytes(), 200), line);
        }
    }

    #[test]
    fn names_for_machines_stay_different() {
        assert!(matches!(visible("runs/grün 日本"), Cow::Borrowed(_)));
        assert_eq!(visible("a\x1b[31mb\u{9b}m"), "a\\x1b[31mb\\u{9b}m");
        assert_eq!(visible("a\nb\u{202e}c\x7f"), "a⏎b\\u{202e}c\\x7f");
    }

    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            3 => proptest::sample::select(vec![
                "\x1b", "[", "]", "P", "\\", "\x07", "\u{9b}", "\u{9d}", "\u{9c}", "31m", ";", "\n", "\r", "\t", "\u{202e}", "\u{feff}",
            ]).prop_map(str::to_owned),
            1 => any::<String>(),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_that_controls_is_left(text in hostile()) {
            let once = terminal(&text);
            prop_assert!(once.chars().all(is_kept), "{once:?}");
            prop_assert!(matches!(terminal(&once), Cow::Borrowed(_)));
            prop_assert!(visible(&text).chars().all(is_kept));
        }

        #[test]
        fn printable_text_is_borrowed(text in "[ -~äß日]{0,80}") {
            prop_assert!(matches!(terminal(&text), Cow::Borrowed(_)));
        }

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
