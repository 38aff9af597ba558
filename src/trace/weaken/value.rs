//! Expected values in canonical spelling: are they written out, and did they really change?

use super::util::is_word;

/// Words that stand in values without making them the result of anything.
const VALUE_WORDS: &[&str] = &[
    "vec!",
    "vec",
    "some",
    "ok",
    "err",
    "none",
    "string",
    "from",
    "to_string",
    "to_owned",
    "into",
    "new",
    "list",
    "of",
    "arrays",
    "aslist",
    "listof",
    "mapof",
    "map",
    "set",
    "decimal",
    "approx",
    "pytest",
    "f",
    "b",
    "r",
    "u",
    "i32",
    "u8",
    "i64",
    "u64",
    "f64",
    "usize",
    "date",
    "datetime",
    "bigint",
    "array",
    "int",
    "byte",
    "equalto",
    "is",
    "object",
    "len",
    "infinity",
    "math",
    "inf",
];

/// A value with placeholders for what is written out in it.
struct Shape {
    /// `§` for every text, number and constant.
    skeleton: String,
    /// Something is written out.
    literal: bool,
    /// Nothing else is in it: no names, no calls but constructors.
    pure: bool,
}

fn shape(value: &str) -> Shape {
    let mut shape = Shape { skeleton: String::with_capacity(value.len()), literal: false, pure: true };
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        let taken = if c == '"' {
            shape.skeleton.push('§');
            shape.literal = true;
            rest.char_indices().skip(1).find(|(_, c)| *c == '"').map_or(rest.len(), |(i, _)| i + 1)
        } else if c.is_alphanumeric() || c == '_' || c == '$' {
            let number = c.is_ascii_digit();
            let end = rest
                .char_indices()
                .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '!') || number && *c == '.'))
                .map_or(rest.len(), |(i, _)| i);
            let word = rest.get(..end).unwrap_or(rest);
            if number || is_constant(word) {
                shape.skeleton.push('§');
                shape.literal = true;
            } else {
                shape.skeleton.push_str(word);
                // A key of a mapping names a place in the value.
                let key = rest
                    .get(end..)
                    .is_some_and(|r| r.starts_with(':') && !r.starts_with("::") || r.starts_with('=') && !r.starts_with("=="));
                shape.pure &= key || VALUE_WORDS.contains(&word.to_ascii_lowercase().as_str());
            }
            end
        } else {
            // The sign belongs to the number.
            if !(c == '-' && rest.get(1..).is_some_and(|r| r.starts_with(|d: char| d.is_ascii_digit()))) {
                shape.skeleton.push(c);
            }
            c.len_utf8()
        };
        rest = rest.get(taken..).unwrap_or("");
    }
    shape
}

fn is_constant(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "True"
            | "False"
            | "TRUE"
            | "FALSE"
            | "null"
            | "nil"
            | "None"
            | "NULL"
            | "nullptr"
            | "undefined"
            | "NaN"
            | "Infinity"
    )
}

/// Nothing but written-out values and constructors.
pub(super) fn is_written_out(value: &str) -> bool {
    let shape = shape(value);
    shape.literal && shape.pure
}

/// Written out, with no name in it at all: `1 == 1`, `True`.
pub(super) fn is_bare_literal(value: &str) -> bool {
    let shape = shape(value);
    shape.literal && !shape.skeleton.chars().any(|c| c.is_alphabetic() || c == '_')
}

/// `Status.ACTIVE`, `http.StatusOK`, `Color::Red`: what stands before the last part, and that part.
fn constant_path(value: &str) -> Option<(&str, &str)> {
    let plain = value.bytes().all(|b| is_word(b) || matches!(b, b'.' | b':'));
    let at = value.rfind(['.', ':']).filter(|_| plain)?;
    let (owner, name) = (value.get(..at)?, value.get(at + 1..)?);
    name.starts_with(|c: char| c.is_ascii_uppercase()).then_some((owner, name))
}

/// `ValueError`, `IllegalStateException.class`: a type by its spelling.
fn is_type(value: &str) -> bool {
    let value = value.trim_end_matches(".class").trim_end_matches("::class");
    let name = value.rsplit(['.', ':']).next().unwrap_or(value);
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(is_word) && name.bytes().any(|b| b.is_ascii_lowercase())
}

/// Whether an expected value became another one. A value that gave way to a name, or one name to another, is how
/// constants are pulled out and variables renamed: no.
pub(super) fn changed(old: &str, new: &str) -> bool {
    if old == new {
        return false;
    }
    let (a, b) = (shape(old), shape(new));
    if a.literal && b.literal && (a.skeleton == b.skeleton || a.pure && b.pure) {
        return true;
    }
    matches!((constant_path(old), constant_path(new)), (Some((p, _)), Some((q, _))) if p == q)
}

/// Whether an expected error became another one.
pub(super) fn error_changed(old: &str, new: &str) -> bool {
    changed(old, new)
        || old != new
            && old.split(',').next().is_some_and(is_type)
            && new.split(',').next().is_some_and(is_type)
            && old.split(',').next() != new.split(',').next()
}

/// Whether a bound admits more than before. `None` where the values are no numbers.
pub(super) fn looser_bound(matcher: &str, old: &str, new: &str) -> Option<bool> {
    let upper = matcher.contains('<')
        || matcher.contains("less")
        || matcher.contains("atmost")
        || matcher.ends_with("lt")
        || matcher.ends_with("le");
    let lower = matcher.contains('>')
        || matcher.contains("greater")
        || matcher.contains("atleast")
        || matcher.ends_with("gt")
        || matcher.ends_with("ge");
    if upper == lower {
        return None;
    }
    let number = |v: &str| v.replace('_', "").parse::<f64>().ok();
    let (old, new) = (number(old)?, number(new)?);
    Some(if upper { new > old } else { new < old })
}

/// Whether the new value lets anything pass in places where the old one did not.
pub(super) fn lets_more_pass(old: &str, new: &str) -> bool {
    [
        "expect.any(",
        "expect.anything(",
        "objectContaining(",
        "arrayContaining(",
        "stringContaining(",
        "mock.ANY",
        "ArgumentMatchers.any",
        "anything",
    ]
    .iter()
    .any(|w| new.contains(w) && !old.contains(w))
}
