//! Claims that are expressions: `assert a == b and c`, `REQUIRE(a == b)`, `assertTrue(x > 3)`.

use super::Claimed;
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::{Text, canon};
use crate::trace::weaken::util::{closing, cut, find_top};
use crate::trace::weaken::value::is_written_out;

/// Operators with their strength, the longer ones first.
const OPERATORS: &[(&str, u8)] =
    &[("===", 3), ("!==", 2), ("==", 3), ("!=", 2), ("=~", 2), ("!~", 2), (" <= ", 2), (" >= ", 2), (" < ", 2), (" > ", 2)];
/// Python's operators that are words.
const WORD_OPERATORS: &[(&str, u8)] = &[(" not in ", 2), (" is not ", 1), (" in ", 2), (" is ", 3)];

/// The claims of an expression between two offsets of a text; each part of a conjunction is one.
pub(super) fn claims(text: &Text<'_>, from: usize, to: usize) -> Vec<Claimed> {
    let code = cut(&text.code, from, to);
    let bare = cut(&text.bare, from, to);
    let (code, bare) = strip(code, bare);
    let (and, or) = if text.lang == Lang::Python { (" and ", " or ") } else { (" && ", " || ") };
    let or_true = find_top(bare, or).is_some_and(|at| {
        let rest = cut(code, at + or.len(), code.len()).trim().trim_end_matches([')', ';']);
        matches!(rest, "True" | "true" | "1")
    });
    let mut found = Vec::new();
    let mut start = 0;
    loop {
        let rest = cut(bare, start, bare.len());
        let end = find_top(rest, and).map_or(bare.len(), |at| start + at);
        found.push(Claimed { or_true, ..comparison(text.lang, cut(code, start, end), cut(bare, start, end)) });
        if end >= bare.len() || found.len() > 20 {
            return found;
        }
        start = end + and.len();
    }
}

/// Without blanks and without brackets around all of it.
fn strip<'t>(code: &'t str, bare: &'t str) -> (&'t str, &'t str) {
    let (mut from, mut to) = (0, bare.len());
    loop {
        let part = cut(bare, from, to);
        from += part.len() - part.trim_start().len();
        to -= part.len() - part.trim_end().len();
        let part = cut(bare, from, to);
        if part.starts_with('(') && closing(part, 0) == Some(part.len() - 1) {
            from += 1;
            to -= 1;
        } else {
            return (cut(code, from, to), part);
        }
    }
}

/// One comparison, or one value that is to be true.
pub(super) fn comparison(lang: Lang, code: &str, bare: &str) -> Claimed {
    let (mut code, mut bare) = strip(code, bare);
    let mut negated = false;
    let not = if lang == Lang::Python { "not " } else { "!" };
    if let (Some(c), Some(b)) = (code.strip_prefix(not), bare.strip_prefix(not)) {
        (code, bare) = strip(c, b);
        negated = true;
    }
    let words: &[(&str, u8)] = if lang == Lang::Python { WORD_OPERATORS } else { &[] };
    let operator = words
        .iter()
        .chain(OPERATORS)
        .filter_map(|(token, strength)| find_top(bare, token).map(|at| (at, *token, *strength)))
        .min_by_key(|(at, token, _)| (*at, usize::MAX - token.len()));
    let Some((at, token, strength)) = operator else {
        return Claimed {
            subject: canon(code, bare),
            matcher: "true".to_owned(),
            expected: "true".to_owned(),
            negated,
            strength: 2,
            ..Claimed::default()
        };
    };
    let side = |from: usize, to: usize| canon(cut(code, from, to).trim(), cut(bare, from, to).trim());
    let (left, right) = (side(0, at), side(at + token.len(), bare.len()));
    let swap = is_written_out(&left) && !is_written_out(&right);
    let matcher = token.trim().replace(' ', "");
    let (subject, expected, matcher) = if swap { (right, left, mirrored(&matcher)) } else { (left, right, matcher) };
    Claimed { subject, matcher, expected, negated, strength, ..Claimed::default() }
}

/// The operator as read from the other side.
fn mirrored(operator: &str) -> String {
    operator
        .chars()
        .map(|c| match c {
            '<' => '>',
            '>' => '<',
            c => c,
        })
        .collect()
}
