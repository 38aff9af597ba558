//! Small programs that edit files: `s = s.replace("old", "new")`, as agents write them for `python -c`.

use std::collections::HashMap;

use super::edits;
use crate::trace::weaken::util::cut;
use crate::trace::weaken::{Subject, Weakening, subject};

/// A literal of the program, with where it begins and ends.
struct Literal {
    from: usize,
    to: usize,
    text: String,
}

/// What the replacements of a program do to the files that it names.
pub(super) fn examine(program: &str) -> Vec<(String, Weakening)> {
    let literals = literals(program);
    // Only what is plainly a path: no blanks, and known to be of interest.
    let is_path = |l: &Literal| l.text.contains('.') && !l.text.contains([' ', '\n', '(', '=']) && subject(&l.text) != Subject::Source;
    let paths: Vec<&Literal> = literals.iter().filter(|l| is_path(l)).collect();
    if paths.is_empty() || !program.contains("write") {
        return Vec::new();
    }
    let variables = variables(program, &literals);
    let mut found = Vec::new();
    for (at, _) in program.match_indices(".replace(") {
        let open = at + ".replace(".len();
        let Some((old, next)) = argument(program, open, &literals, &variables) else { continue };
        let comma = cut(program, next, program.len());
        let Some(skip) = comma.find(',').filter(|i| comma.get(..*i).is_some_and(|b| b.trim().is_empty())) else { continue };
        let Some((new, _)) = argument(program, next + skip + 1, &literals, &variables) else { continue };
        // The path that was named last before the replacement.
        let Some(path) = paths.iter().rev().find(|p| p.from < at).or(paths.first()) else { continue };
        found.extend(edits::replaced(&path.text, &old, &new, &old).into_iter().map(|w| (path.text.clone(), w)));
    }
    found
}

/// A literal, or a variable that holds one, at an offset.
fn argument(program: &str, from: usize, literals: &[Literal], variables: &HashMap<String, String>) -> Option<(String, usize)> {
    let rest = cut(program, from, program.len());
    let at = from + (rest.len() - rest.trim_start().len());
    let near = literals.partition_point(|l| l.from < at);
    if let Some(l) = literals.get(near).filter(|l| l.from <= at + 1) {
        return Some((l.text.clone(), l.to));
    }
    let name: String = cut(program, at, program.len()).chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    variables.get(&name).map(|v| (v.clone(), at + name.len()))
}

fn variables(program: &str, literals: &[Literal]) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for l in literals {
        let line_start = cut(program, 0, l.from).rfind('\n').map_or(0, |i| i + 1);
        let before = cut(program, line_start, l.from).trim_end_matches(['r', 'f', 'b', '(', ' ']).trim();
        if let Some(name) = before.strip_suffix('=').map(str::trim).filter(|n| n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')) {
            found.insert(name.to_owned(), l.text.clone());
        }
    }
    found
}

/// The texts in quotes, with escapes resolved as Python and JavaScript do.
fn literals(program: &str) -> Vec<Literal> {
    let bytes = program.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        if b == b'#' {
            at += memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()).unwrap_or(bytes.len() - at);
            continue;
        }
        if !matches!(b, b'"' | b'\'' | b'`') {
            at += 1;
            continue;
        }
        let triple = b != b'`' && bytes.get(at + 1) == Some(&b) && bytes.get(at + 2) == Some(&b);
        let quotes = if triple { 3 } else { 1 };
        let raw = at.checked_sub(1).and_then(|i| bytes.get(i)) == Some(&b'r');
        let from = at;
        let mut text = Vec::new();
        at += quotes;
        while let Some(&c) = bytes.get(at) {
            let ends = c == b && (!triple || bytes.get(at + 1) == Some(&b) && bytes.get(at + 2) == Some(&b));
            if ends || c == b'\n' && !triple && b != b'`' {
                break;
            }
            if c == b'\\' && !raw {
                match bytes.get(at + 1) {
                    Some(b'n') => text.push(b'\n'),
                    Some(b't') => text.push(b'\t'),
                    Some(b'\n') | None => {}
                    Some(other) => text.push(*other),
                }
                at += 2;
                continue;
            }
            text.push(c);
            at += 1;
        }
        let closed = bytes.get(at) == Some(&b);
        at = (at + if closed { quotes } else { 0 }).min(bytes.len());
        if at == from {
            at += 1;
        }
        if closed {
            found.push(Literal { from, to: at, text: String::from_utf8_lossy(&text).into_owned() });
        }
    }
    found
}
