//! A record of a session in a few words: what a person would look for in it.

use crate::format::{Role, by_id};
use crate::trace::{Place, Source, signature, tool};
use serde_json::Value;

/// So many failing lines tell enough.
const LINES: usize = 6;

/// The record at a place in a few words, and whether they may have been cut; `None` where its format has none for it.
#[must_use]
pub fn gist_at(source: &Source, place: Place) -> Option<(String, bool)> {
    let format = by_id(source.format)?;
    let (line, was_cut) = source.line(place);
    if let Some(gist) = format.gist(&line) {
        return Some((gist, was_cut));
    }
    // Of a session that cannot be read again the gist itself is kept.
    if source.has_heads_only() && format.role() != Role::Log && !line.is_empty() && !line.starts_with(b"{") {
        return Some((String::from_utf8_lossy(&line).into_owned(), was_cut));
    }
    let (line, was_cut) = was_cut.then(|| source.record(place))?;
    Some((format.gist(&line)?, was_cut))
}

/// The lines of a tool's answer that say what failed; where none does, the last line of a failed answer and the first of
/// any other.
pub(super) fn answer(text: &str, failed: bool) -> Option<String> {
    let reading = signature::read(text.as_bytes(), &[]);
    // A text of one line that nobody claims is read as a failure: only of a failed call it is one.
    if failed || reading.verdict == Some(false) || text.trim().contains('\n') {
        let spans = reading.failures.iter().take(LINES).filter_map(|f| text.get(f.span.0 as usize..f.span.1 as usize));
        let lines: Vec<&str> = spans.map(str::trim).filter(|l| !l.is_empty()).collect();
        if !lines.is_empty() {
            return Some(lines.join("\n"));
        }
    }
    // The exit code alone is what the harness says, not the tool.
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let line = if failed { lines.rfind(|l| !is_exit_code(l)).or_else(|| text.lines().next()) } else { lines.next() };
    line.map(ToOwned::to_owned)
}

fn is_exit_code(line: &str) -> bool {
    line.trim_start_matches("Error: ").strip_prefix("Exit code ").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
}

/// A tool's call: the tool with its command, its file, or whatever it was given.
pub(super) fn call(tool: &str, args: &str) -> String {
    let value: Value = serde_json::from_str(args).unwrap_or_default();
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    let object = tool::command(&value)
        .or_else(|| ["file_path", "path", "notebook_path", "pattern", "url", "query", "description"].iter().find_map(|key| text(key)))
        .or_else(|| text("patch").and_then(|p| p.lines().find(|l| l.starts_with("*** ") && l.contains(" File: ")).map(ToOwned::to_owned)));
    match object {
        Some(object) => format!("{tool}: {object}"),
        None => format!("{tool} {args}"),
    }
}

/// A text, where there is one.
pub(super) fn said(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let pytest = "Exit code 1\ncollected 8 items\nFAILED tests/test_a.py::test_x - assert 1 == 2\nFAILED tests/test_b.py::test_y - KeyError: 'k'\n2 failed, 6 passed in 0.31s";
        assert_eq!(
            answer(pytest, true).as_deref(),
            Some("FAILED tests/test_a.py::test_x - assert 1 == 2\nFAILED tests/test_b.py::test_y - KeyError: 'k'")
        );
        assert_eq!(answer("Exit code 2\nusage: acme [-h]\nno such verb", true).as_deref(), Some("no such verb"));
        assert_eq!(answer("Exit code 2", true).as_deref(), Some("Exit code 2"));
        assert_eq!(answer("\n  12 files\nmore", false).as_deref(), Some("12 files"));
        assert_eq!(answer("updated", false).as_deref(), Some("updated"));
        assert_eq!(answer(" \n", false), None);
    }

    #[test]
    fn calls() {
        assert_eq!(call("Bash", r#"{"command":"cd a && make","description":"x"}"#), "Bash: cd a && make");
        assert_eq!(call("Edit", r#"{"file_path":"/w/a.py","old_string":"x"}"#), "Edit: /w/a.py");
        let patch = r#"{"patch":"*** Begin Patch\n*** Update File: a.py\n@@\n"}"#;
        assert_eq!(call("apply_patch", patch), "apply_patch: *** Update File: a.py");
        assert_eq!(call("mcp__x__y", r#"{"n":1}"#), r#"mcp__x__y {"n":1}"#);
        assert_eq!(call("f", "not json"), "f not json");
    }
}
