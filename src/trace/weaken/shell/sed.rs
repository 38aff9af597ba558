//! `sed -i` and `perl -pi`, read as edits.

use super::edits;
use crate::trace::weaken::util::evidence;
use crate::trace::weaken::{Subject, Weakening, WeakeningKind, subject};

/// The arguments of a `sed` command.
pub(super) fn examine(arguments: &[String], text: &str) -> Vec<(String, Weakening)> {
    if !arguments.iter().any(|a| {
        a.starts_with("-i")
            || a == "--in-place"
            || a.starts_with("--in-place=")
            || a.starts_with('-') && !a.starts_with("--") && a.ends_with('i') && a.len() <= 4
    }) {
        return Vec::new();
    }
    let mut scripts = Vec::new();
    let mut paths = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-e" | "--expression" => scripts.extend(words.next()),
            // BSD's `-i ''`; quotes are gone by now.
            "" => {}
            w if w.starts_with('-') => {}
            _ if scripts.is_empty() => scripts.push(word),
            _ => paths.push(word),
        }
    }
    let extended = arguments.iter().any(|a| {
        matches!(a.as_str(), "-E" | "-r" | "--regexp-extended")
            || a.starts_with('-') && !a.starts_with("--") && a.len() <= 4 && a.contains(['E', 'r'])
    });
    apply(&scripts, &paths, extended, text)
}

/// The arguments of a `perl` command.
pub(super) fn perl(arguments: &[String], text: &str) -> Vec<(String, Weakening)> {
    let flags = |w: &&String| w.starts_with('-') && !w.starts_with("--");
    let in_place = arguments.iter().any(|a| flags(&a) && a.contains('i')) && arguments.iter().any(|a| flags(&a) && a.ends_with('e'));
    if !in_place {
        return Vec::new();
    }
    let rest: Vec<&String> = arguments.iter().filter(|a| !flags(a)).collect();
    let Some((script, paths)) = rest.split_first() else { return Vec::new() };
    apply(&[script], paths, true, text)
}

/// `extended` says that a bare bracket groups and an escaped one is itself; otherwise it is the other way round.
fn apply(scripts: &[&String], paths: &[&String], extended: bool, text: &str) -> Vec<(String, Weakening)> {
    let mut found = Vec::new();
    for path in paths.iter().filter(|p| subject(p) != Subject::Source) {
        for script in scripts {
            for command in parts(script) {
                found.extend(one(path, command, extended, text).into_iter().map(|w| ((*path).clone(), w)));
            }
        }
    }
    found
}

/// The commands of a script. A `;` or a newline inside of a substitution is part of it.
fn parts(script: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = script;
    while !rest.trim().is_empty() && found.len() < 50 {
        rest = rest.trim_start_matches([';', '\n', ' ', '}', '{']);
        let end = command_end(rest);
        found.push(rest.get(..end).unwrap_or(rest));
        rest = rest.get(end..).unwrap_or("");
    }
    found
}

/// The offset behind the first command.
fn command_end(script: &str) -> usize {
    if let Some((_, _, end)) = substitution(script) {
        return end;
    }
    let verb = script.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '$'));
    if verb.starts_with(['i', 'a', 'c']) {
        return script.len();
    }
    let from = if script.starts_with('/') { script.get(1..).and_then(|s| s.find('/')).map_or(0, |i| i + 2) } else { 0 };
    script.get(from..).and_then(|s| s.find([';', '\n'])).map_or(script.len(), |i| from + i)
}

/// The two sides of `s/a/b/flags`, with whatever address stands before it, and the offset behind it.
fn substitution(script: &str) -> Option<(String, String, usize)> {
    let bytes = script.as_bytes();
    let address = script.find(['s'])?;
    let before = script.get(..address)?;
    let addressed = before.is_empty()
        || before.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'$' | b' ' | b'~'))
        || before.starts_with('/') && before.trim_end().ends_with('/');
    let (address, addressed) = if addressed {
        (address, true)
    } else {
        script.get(1..).and_then(|r| r.find("/s").or_else(|| r.find("/ s"))).map_or((address, false), |i| {
            (script.get(i + 1..).and_then(|r| r.find('s')).map_or(address, |j| i + 1 + j), script.starts_with('/'))
        })
    };
    let delimiter = *bytes.get(address + 1)?;
    if !addressed || delimiter.is_ascii_alphanumeric() || delimiter.is_ascii_whitespace() || !delimiter.is_ascii() {
        return None;
    }
    let mut sides = [String::new(), String::new()];
    let mut at = address + 2;
    for side in &mut sides {
        loop {
            let c = script.get(at..)?.chars().next()?;
            at += c.len_utf8();
            if c == char::from(delimiter) {
                break;
            }
            if c == '\\' {
                let next = script.get(at..)?.chars().next()?;
                at += next.len_utf8();
                if next != char::from(delimiter) {
                    side.push('\\');
                }
                side.push(next);
            } else {
                side.push(c);
            }
        }
    }
    let [old, new] = sides;
    let flags = script.get(at..).map_or(0, |r| r.bytes().take_while(|b| b.is_ascii_alphanumeric()).count());
    Some((old, new, at + flags))
}

fn one(path: &str, command: &str, extended: bool, text: &str) -> Vec<Weakening> {
    let test = subject(path) == Subject::Test;
    let evident = |kind| vec![Weakening { kind, line: evidence(text), tests: Vec::new() }];
    if let Some((pattern, replacement, _)) = substitution(command) {
        // Comment signs put before lines take them out of the program.
        let comments = matches!(pattern.trim_start_matches('('), "^" | "^ *" | r"^\s*" | r"^\(.*\)" | "^.*)" | ".*")
            && matches!(replacement.trim().trim_end_matches(['&', '1', '\\', ' ']), "#" | "//");
        if comments {
            return if test { evident(WeakeningKind::AssertionRemoved) } else { Vec::new() };
        }
        return edits::replaced(path, &plain(&pattern, extended), &filled(&replacement, &pattern, extended), text);
    }
    // `/assert x/d`
    if let Some(pattern) =
        command.strip_prefix('/').and_then(|r| r.rsplit_once('/')).filter(|(_, verb)| verb.trim().trim_end_matches('}').trim() == "d")
    {
        return edits::replaced(path, &plain(pattern.0, extended), "", text);
    }
    // `5i\ text`, `/x/a text`
    let at = command.find(['i', 'a', 'c']).filter(|at| {
        let address = command.get(..*at).unwrap_or("").trim();
        address.is_empty() || address.ends_with('/') || address.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'$'))
    });
    if let Some(inserted) = at.and_then(|at| command.get(at + 1..)) {
        let inserted = inserted.trim_start_matches(['\\', '\n', ' ']).replace("\\n", "\n");
        return edits::inserted(path, &inserted);
    }
    Vec::new()
}

/// The text that a simple pattern stands for.
fn plain(pattern: &str, extended: bool) -> String {
    let mut out = String::with_capacity(pattern.len());
    let body = pattern.trim_start_matches('^').trim_end_matches('$').replace(".*", " ").replace("[[:space:]]*", " ");
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        match c {
            '(' | ')' if extended => {}
            '\\' => match chars.next() {
                Some('(' | ')') if !extended => {}
                // A word's edge stands for no text.
                Some('b' | '<' | '>') => {}
                Some('s') => out.push(' '),
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// The replacement with its references filled in from the pattern.
fn filled(replacement: &str, pattern: &str, extended: bool) -> String {
    let whole = plain(pattern, extended);
    let (open, close) = if extended { ("(", ")") } else { ("\\(", "\\)") };
    let group = pattern.split_once(open).and_then(|(_, r)| r.split_once(close)).map(|(g, _)| plain(g, extended)).unwrap_or_default();
    let mut out = String::new();
    let mut chars = replacement.chars();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str(&whole),
            '$' if chars.as_str().starts_with('1') => {
                chars.next();
                out.push_str(&group);
            }
            '\\' => match chars.next() {
                Some('1') => out.push_str(&group),
                Some('n') => out.push('\n'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}
