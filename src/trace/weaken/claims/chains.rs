//! Chains of matchers: `.not.toBe(3)`, `.to eq(3)`, `.Should().Be(3)`.

use super::{Claimed, rate};
use crate::trace::weaken::mask::Text;
use crate::trace::weaken::util::{balance, closing, cut, is_word, split_top};

/// Follows `.not.toBe(3)` from an offset on.
pub(super) fn chain(text: &Text<'_>, opener: &str, subject: String, from: usize) -> (Option<Claimed>, usize) {
    let (mut at, mut negated) = (from, false);
    let (mut names, mut arguments): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for _ in 0..24 {
        let rest = cut(&text.bare, at, text.bare.len().min(at + 512));
        let trimmed = rest.trim_start();
        let dots = [".", "?.", "->", "!."].iter().find(|d| trimmed.starts_with(**d)).map_or(0, |d| d.len());
        let word_at = at + (rest.len() - trimmed.len()) + dots;
        let word_len = cut(&text.bare, word_at, text.bare.len()).bytes().take(80).take_while(|b| is_word(*b)).count();
        if dots == 0 || word_len == 0 {
            break;
        }
        let name = cut(&text.bare, word_at, word_at + word_len);
        at = word_at + word_len;
        let generic = cut(&text.bare, at, at + 1) == "<";
        if generic {
            let inner = cut(&text.bare, at, text.bare.len().min(at + 200));
            let Some(end) = inner.find(">(") else { break };
            arguments.push(text.canon(at + 1, at + end));
            at += end + 1;
        }
        match name {
            "not" | "isNot" | "doesNot" => negated = !negated,
            "resolves" | "rejects" | "to" | "be" | "been" | "is" | "that" | "which" | "and" | "has" | "have" | "with" | "at" | "of"
            | "same" | "deep" | "And" | "Which" | "soft"
                if cut(&text.bare, at, at + 1) != "(" =>
            {
                if name == "rejects" {
                    names.push("reject".to_owned());
                }
            }
            "as" | "because" | "withFailMessage" | "describedAs" if cut(&text.bare, at, at + 1) == "(" => {
                let Some(close) = closing(&text.bare, at) else { break };
                at = close + 1;
            }
            _ => {
                names.push(name.to_ascii_lowercase());
                if cut(&text.bare, at, at + 1) == "(" {
                    let Some(close) = closing(&text.bare, at) else { break };
                    // FluentAssertions' reason is the second argument.
                    let parts = split_top(cut(&text.bare, at + 1, close), b',');
                    let keep = if opener == "Should" { parts.first().map_or(close, |p| at + 1 + p.1) } else { close };
                    arguments.push(text.canon(at + 1, keep));
                    at = close + 1;
                }
            }
        }
    }
    if names.is_empty() {
        return (None, from);
    }
    if opener == "verify" {
        let subject = format!("{subject}.{}", names.join("."));
        return (
            Some(Claimed { subject, matcher: "verify".to_owned(), expected: arguments.join("|"), strength: 3, ..Claimed::default() }),
            at,
        );
    }
    let strength = names.iter().map(|n| rate::strength(n)).max().unwrap_or(2);
    (Some(Claimed { subject, matcher: names.join("."), expected: arguments.join("|"), negated, strength, ..Claimed::default() }), at)
}

/// Follows `.not_to eq(3)`: the matcher runs to the end of the line.
pub(super) fn ruby_chain(text: &Text<'_>, subject: String, from: usize) -> (Option<Claimed>, usize) {
    let line = text.line_of(from);
    let (_, end) = super::lines::statement_end(text, line);
    let rest = cut(&text.bare, from, end);
    let Some((link, negated)) =
        [(".not_to", true), (".to_not", true), (".to", false)].into_iter().find(|(l, _)| rest.trim_start().starts_with(l))
    else {
        return (None, from);
    };
    let at = from + (rest.len() - rest.trim_start().len()) + link.len();
    let mut matcher = cut(&text.bare, at, end);
    // `it { expect(x).to be(1) }` ends with the block's brace.
    if balance(matcher) < 0 {
        matcher = matcher.trim_end().trim_end_matches('}');
    }
    let lead = matcher.len() - matcher.trim_start_matches([' ', '(']).len();
    let name_at = at + lead;
    let name_len = cut(matcher, lead, matcher.len()).bytes().take_while(|b| is_word(*b)).count();
    let name = cut(&text.bare, name_at, name_at + name_len).to_ascii_lowercase().replace('_', "");
    if name.is_empty() {
        return (None, from);
    }
    let expected = text.canon(name_at + name_len, at + matcher.len());
    let expected = expected.strip_prefix('(').map_or(expected.as_str(), |e| e.strip_suffix(')').unwrap_or(e)).to_owned();
    (Some(Claimed { subject, strength: rate::strength(&name), matcher: name, expected, negated, ..Claimed::default() }), end)
}
