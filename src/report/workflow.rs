//! Workflow commands of CI systems: writing them, and making text that looks like one harmless. A runner reads every line
//! that a step prints; GitHub's takes `::error::…` at the start of a line (blanks before it do not count) and the older
//! `##[error]…` anywhere in it, Azure's and TeamCity's are alike. A log that prints such a line must not be obeyed when it is quoted.

use std::borrow::Cow;
use std::fmt::Write as _;

/// How grave an annotation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Shown in red.
    Error,
    /// Shown in yellow.
    Warning,
}

/// A command, with its line end. Properties and message are escaped as the runner reads them back.
#[must_use]
pub fn command(level: Level, properties: &[(&str, &str)], message: &str) -> String {
    let mut out = String::from(match level {
        Level::Error => "::error",
        Level::Warning => "::warning",
    });
    for (k, (name, value)) in properties.iter().enumerate() {
        let _ = write!(out, "{}{name}={}", if k == 0 { ' ' } else { ',' }, escaped(value, true));
    }
    let _ = writeln!(out, "::{}", escaped(message, false));
    out
}

fn escaped(text: &str, property: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            ':' if property => out.push_str("%3A"),
            ',' if property => out.push_str("%2C"),
            c => out.push(c),
        }
    }
    out
}

/// The commands that GitHub's runner knows; what follows `::` and is none of these is text to it.
const COMMANDS: &[&str] = &[
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "internal-set-repo-path",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
];

/// Where the first command stands in a text, as a byte index: `##[`, `##vso[` and `##teamcity[` anywhere, `::name` where a
/// line or a word begins. A path like `std::error::Error` is none.
#[must_use]
pub fn find(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr::memchr2(b':', b'#', rest)).map(|at| from + at) {
        if is_command(bytes, at) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

fn is_command(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(rest) = rest.strip_prefix(b"##") {
        return rest.starts_with(b"[") || rest.starts_with(b"vso[") || rest.starts_with(b"teamcity[");
    }
    let Some(rest) = rest.strip_prefix(b"::") else { return false };
    // Inside a word it can only come to stand at the start of a line where a table breaks the word: see `lines`.
    let before = at.checked_sub(1).and_then(|k| bytes.get(k));
    if before.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'>' | b':')) {
        return false;
    }
    let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let (name, rest) = rest.split_at(name);
    let known = COMMANDS.iter().any(|c| c.as_bytes().eq_ignore_ascii_case(name));
    known && (rest.starts_with(b"::") || rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// Printed text of which no line can be taken for a command: for what is laid out in columns, where a word may be broken
/// so that its rest begins a line.
#[must_use]
pub fn lines(text: &str) -> String {
    let begins = |line: &str| line.trim_start().starts_with("::");
    if !text.lines().any(begins) {
        return text.to_owned();
    }
    let inert = |line: &str| if begins(line) { line.replacen("::", "\\x3a:", 1) } else { line.to_owned() };
    text.split_inclusive('\n').map(inert).collect()
}

/// Text without commands: their first sign becomes visible as what it is, `\x3a:error` and `\x23#[error]`.
#[must_use]
pub fn inert(text: &str) -> Cow<'_, str> {
    if find(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = find(rest) {
        let (before, command) = rest.split_at(at);
        out.push_str(before);
        out.push_str(if command.starts_with(':') { "\\x3a" } else { "\\x23" });
        // The sign behind the first cannot begin a command: `:error` or `#[` alone is text.
        out.push_str(command.get(1..2).unwrap_or_default());
        rest = command.get(2..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped_as_the_runner_reads_them_back() {
        assert_eq!(
            command(Level::Error, &[("file", "a:b,c%.rs"), ("line", "3")], "100 %: one\ntwo::three"),
            "::error file=a%3Ab%2Cc%25.rs,line=3::100 %25: one%0Atwo::three\n"
        );
        assert_eq!(command(Level::Warning, &[], "x"), "::warning::x\n");
    }

    #[test]
    fn what_looks_like_a_command_is_made_visible() {
        for (text, shown) in [
            ("::error::no", "\\x3a:error::no"),
            ("  ::SET-OUTPUT name=x::y", "  \\x3a:SET-OUTPUT name=x::y"),
            ("a ::stop-commands::t ::add-mask::x", "a \\x3a:stop-commands::t \\x3a:add-mask::x"),
            ("x ##[error]y", "x \\x23#[error]y"),
            ("##vso[task.setvariable]##teamcity[x]", "\\x23#vso[task.setvariable]\\x23#teamcity[x]"),
            ("###[group]", "#\\x23#[group]"),
        ] {
            assert_eq!(inert(text), shown);
            assert_eq!(inert(shown), shown);
        }
        for text in ["std::error::Error", "use ::std::io", "a::b", "::errors::x", "## [x]", "C::debug ", "", ":::", "x::error"] {
            assert_eq!(inert(text), text);
        }
    }

    #[test]
    fn no_line_begins_with_a_command() {
        assert_eq!(lines("a\n  ::error::x\n::y\n"), "a\n  \\x3a:error::x\n\\x3a:y\n");
        assert_eq!(lines("a::b\n"), "a::b\n");
    }
}
