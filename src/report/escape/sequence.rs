//! What a terminal obeys: escape sequences, and how far each of them goes.

const BEL: char = '\u{7}';
const ESC: char = '\u{1b}';
/// String terminator, as one character of the C1 set.
const ST: char = '\u{9c}';

/// Length, behind its first character `c`, of the escape sequence that `c` introduces. None if it introduces none.
pub(super) fn sequence(c: char, after: &str) -> Option<usize> {
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
    use super::super::terminal;

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
}
