//! The arguments of an assertion: which one is looked at, and which one is expected.

use super::{Claimed, expression, rate};
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::Text;
use crate::trace::weaken::util::{cut, split_top};
use crate::trace::weaken::value::is_written_out;

/// The claims of `name(arguments)`, with the arguments between two offsets.
pub(super) fn from_arguments(text: &Text<'_>, name: &str, generic: &str, from: usize, to: usize) -> Vec<Claimed> {
    let mut ranges: Vec<(usize, usize)> =
        split_top(cut(&text.bare, from, to), b',').into_iter().map(|(a, b)| (from + a, from + b)).collect();
    ranges.retain(|(a, b)| !cut(&text.bare, *a, *b).trim().is_empty());
    let value = |r: &(usize, usize)| text.canon(r.0, r.1);
    // testify's and Go's first argument is the test itself.
    if text.lang == Lang::Go && ranges.len() > 1 && ranges.first().map(value).is_some_and(|v| v == "t" || v.ends_with(".T()")) {
        ranges.remove(0);
    }
    let lower = name.trim_end_matches('!').to_ascii_lowercase().replace('_', "");
    let core = lower
        .trim_start_matches("debug")
        .trim_start_matches("prop")
        .trim_start_matches("test")
        .trim_start_matches("boost")
        .trim_start_matches("static");
    let core = ["assert", "expect", "require", "check"].iter().find_map(|p| core.strip_prefix(p)).unwrap_or(core);
    let truth = matches!(core, "" | "true" | "istrue" | "ok" | "that" | "false" | "isfalse" | "notok");
    let strength = rate::strength(&lower);
    let Some(first) = ranges.first() else {
        return vec![Claimed { subject: lower.clone(), expected: generic.to_owned(), matcher: lower, strength, ..Claimed::default() }];
    };
    if truth && !(core == "that" && ranges.len() > 1) {
        let mut found = expression::claims(text, first.0, first.1);
        if matches!(core, "false" | "isfalse" | "notok") {
            for c in &mut found {
                c.negated = !c.negated;
            }
        }
        return found.into_iter().map(pattern).collect();
    }
    let throws =
        core.contains("throw") || core.contains("raise") || core.contains("panic") || core.contains("reject") || core.contains("exception");
    if throws {
        let values: Vec<String> = ranges.iter().map(value).collect();
        let (head, tail) = (values.first().cloned().unwrap_or_default(), values.get(1..).unwrap_or_default().join(","));
        let (subject, expected) = if !generic.is_empty() {
            (values.join(","), generic.to_owned())
        } else if matches!(text.lang, Lang::Js | Lang::C) || core.contains("nothrow") {
            (head, tail)
        } else {
            (tail, head)
        };
        return vec![Claimed { subject, matcher: lower, expected, strength, ..Claimed::default() }];
    }
    let mut values: Vec<String> = ranges.iter().map(value).collect();
    let is_text = |v: Option<&String>| v.is_some_and(|v| v.starts_with('"') && v.ends_with('"'));
    // JUnit 4 puts the message first, everything else puts it last.
    if values.len() > 2 && text.lang == Lang::Jvm && is_text(values.first()) && !is_text(values.get(2)) {
        values.remove(0);
    }
    if values.len() > 2 && (matches!(text.lang, Lang::Rust | Lang::Go) || is_text(values.get(2))) {
        values.truncate(2);
    }
    let mut claim = Claimed { matcher: lower.clone(), strength, ..Claimed::default() };
    match values.as_slice() {
        [one] => claim.subject.clone_from(one),
        [a, b, rest @ ..] => {
            let unary = ["null", "nil", "none", "empty"].iter().any(|w| core.ends_with(w));
            let (subject, expected) = if unary { (a.clone(), String::new()) } else { sides(text.lang, a, b) };
            claim.subject = subject;
            claim.expected = std::iter::once(expected).chain(rest.iter().cloned()).collect::<Vec<_>>().join(",");
        }
        [] => {}
    }
    vec![claim]
}

/// `assert!(matches!(x, P))` compares x with P.
fn pattern(mut claim: Claimed) -> Claimed {
    if let Some(inner) = claim.subject.strip_prefix("matches!(").and_then(|s| s.strip_suffix(')')) {
        let parts = split_top(inner, b',');
        if let [(a, b), (c, d), ..] = parts.as_slice() {
            let (subject, expected) = (cut(inner, *a, *b).to_owned(), cut(inner, *c, *d).to_owned());
            (claim.subject, claim.expected, claim.matcher, claim.strength) = (subject, expected, "matches".to_owned(), 3);
        }
    }
    claim
}

/// Which of two arguments is looked at, and which is expected.
fn sides(lang: Lang, a: &str, b: &str) -> (String, String) {
    let first_is_expected = match (is_written_out(a), is_written_out(b)) {
        (true, false) => true,
        (false, true) => false,
        _ => match (a.contains('('), b.contains('(')) {
            (true, false) => false,
            (false, true) => true,
            _ => matches!(lang, Lang::Jvm | Lang::CSharp | Lang::Php | Lang::Ruby | Lang::Go),
        },
    };
    let (subject, expected) = if first_is_expected { (b, a) } else { (a, b) };
    (subject.to_owned(), expected.to_owned())
}
