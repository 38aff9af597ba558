//! Makes text from logs harmless where it is shown.
//!
//! A log's text is hostile until proven otherwise: an escape sequence can repaint a terminal, set its title or hide
//! lines, and a bidirectional override can make a command read as another one.
//!
//! This file makes one text harmless; `sequence` knows what a terminal obeys, `excerpt` what of a log may be shown at all.

mod excerpt;
mod key;
mod sequence;

pub use excerpt::{cut_excerpt, excerpt};

use super::workflow;
use sequence::sequence;
use std::borrow::Cow;

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "cargo test", "grün 日本語 👩\u{200d}💻 e\u{301}", "C:\\x \\x1b ~"] {
            assert!(matches!(terminal(text), Cow::Borrowed(same) if same == text), "{text}");
        }
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
    }
}
