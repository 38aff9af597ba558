//! Text from outside as Markdown that is nothing but text. In a code span no mark-up, link, mention or entity is read, so
//! that is where it goes; only backticks and the bars of a table need care.

use crate::report::escape::terminal;

/// Text as a code span, outside of tables.
#[must_use]
pub fn code(text: &str) -> String {
    let text = terminal(text);
    let text = text.trim();
    if text.is_empty() {
        return "–".to_owned();
    }
    // A fence longer than any run of backticks in it.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text as a code span in a table's cell. A bar ends a cell even inside a span, unless a backslash stands before it; and a
/// backslash before that one would undo it, so these are doubled.
#[must_use]
pub fn cell(text: &str) -> String {
    let span = code(text);
    let mut out = String::with_capacity(span.len() + 8);
    let mut backslashes = 0;
    for c in span.chars() {
        if c == '|' {
            out.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

/// Text as a code span inside a block of HTML, where Markdown is not read.
#[must_use]
pub fn html(text: &str) -> String {
    let mut out = String::from("<code>");
    for c in terminal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out.push_str("</code>");
    out
}

/// Words of a person, in a heading: every sign that can mean something is escaped, and a mention reaches nobody.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let text = terminal(text);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let harmless = match c {
            ',' | ';' | '-' | '\'' | '(' | ')' => true,
            // No address and no emoji begins with a colon before a blank.
            ':' => chars.peek().is_none_or(|next| *next == ' '),
            _ => false,
        };
        if c.is_ascii_punctuation() && !harmless {
            out.push('\\');
        }
        out.push(c);
        if c == '@' {
            out.push_str("&#8203;");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spans_hold_what_they_are_given() {
        assert_eq!(code("a|b <b> @x"), "`a|b <b> @x`");
        assert_eq!(code("`rm -rf` ```x"), "```` `rm -rf` ```x ````");
        assert_eq!(code(" \n"), "`⏎`");
        assert_eq!(code("  "), "–");
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(cell("a\\|b\\\\|c"), "`a\\\\\\|b\\\\\\\\\\|c`");
        assert_eq!(html("</code><script>\"&"), "<code>&lt;/code&gt;&lt;script&gt;&quot;&amp;</code>");
        assert_eq!(plain("# a [b](c) @d"), "\\# a \\[b\\](c) \\@&#8203;d");
        assert_eq!(plain("now: www.x https://y :z:"), "now: www\\.x https\\:\\/\\/y \\:z:");
    }

    /// The cells of a row as GFM splits it: a backslash takes the sign behind it with it.
    fn cells(row: &str) -> usize {
        let (mut n, mut escaped) = (1, false);
        for c in row.chars() {
            match c {
                '|' if !escaped => n += 1,
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                _ => {}
            }
            escaped = false;
        }
        n
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_cell_or_span(text in "[ `|\\\\a<@\u{7}\n]{0,24}") {
            let cell = cell(&text);
            prop_assert_eq!(cells(&cell), 1, "{}", cell);
            prop_assert!(!cell.contains('\n'));
            let span = code(&text);
            if span != "–" {
                let fence = span.chars().take_while(|c| *c == '`').count();
                let inner = &span[fence..span.len() - fence];
                prop_assert!(inner.split(|c| c != '`').all(|run| run.len() != fence), "{}", span);
                prop_assert!(!inner.starts_with('`') && !inner.ends_with('`'));
            }
        }
    }
}
