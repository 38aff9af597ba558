//! `[[judge]]`: commands that are checks because the user says so.

use crate::error::SettingsError;
use crate::settings::suggest;
use crate::trace::judge::{CheckKind, OwnJudge};
use std::path::Path;

/// The kinds by their names in the file.
const KINDS: &[(&str, CheckKind)] = &[
    ("test", CheckKind::Test),
    ("build", CheckKind::Build),
    ("types", CheckKind::Types),
    ("lint", CheckKind::Lint),
    ("format", CheckKind::Format),
];
const KEYS: &[&str] = &["command", "kind"];

/// Reads the tables. `text` is the whole file: it says on which line each table begins.
///
/// # Errors
/// A table that is not as documented, with its line.
pub(super) fn read(value: &toml::Value, path: &Path, text: &str) -> Result<Vec<OwnJudge>, SettingsError> {
    let headers: Vec<usize> = (1..).zip(text.lines()).filter(|(_, l)| is_header(l)).map(|(n, _)| n).collect();
    let place = |k: usize| headers.get(k).map_or_else(|| path.display().to_string(), |n| format!("{}:{n}", path.display()));
    let bad = |k: usize, key: &str, value: String, reason: String| SettingsError::BadValue {
        place: place(k),
        key: key.to_owned(),
        value,
        reason,
    };
    let form = || "it takes tables: [[judge]] with command = \"…\" and kind = \"test\"".to_owned();
    let tables = value.as_array().ok_or_else(|| bad(0, "judge", value.to_string(), form()))?;
    let mut found: Vec<OwnJudge> = Vec::new();
    for (k, table) in tables.iter().enumerate() {
        let table = table.as_table().ok_or_else(|| bad(k, "judge", table.to_string(), form()))?;
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let suggestion = suggest(key, KEYS.iter().copied());
            return Err(SettingsError::UnknownKey { place: place(k), key: format!("judge.{key}"), suggestion });
        }
        let text = |key: &str| {
            let value =
                table.get(key).ok_or_else(|| bad(k, &format!("judge.{key}"), "absent".to_owned(), "every judge needs it".to_owned()))?;
            value.as_str().ok_or_else(|| bad(k, &format!("judge.{key}"), value.to_string(), "it takes text in quotes".to_owned()))
        };
        let (command, kind) = (text("command")?, text("kind")?);
        let words: Vec<&str> = command.split_whitespace().collect();
        let refused = |reason: &str| bad(k, "judge.command", format!("{command:?}"), reason.to_owned());
        if words.is_empty() {
            return Err(refused("it takes the words that the command begins with"));
        }
        if words.iter().any(|w| w.contains(['|', ';', '&', '<', '>', '`']) || w.starts_with("$(")) {
            return Err(refused("it takes the first words of one command, without what the shell joins to it"));
        }
        if words.iter().any(|w| w.contains(['"', '\''])) {
            return Err(refused("it takes words without quotes"));
        }
        let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let near = suggest(kind, names.iter().copied()).map_or_else(String::new, |n| format!("; did you mean {n}?"));
            return Err(bad(k, "judge.kind", format!("{kind:?}"), format!("it takes one of {}{near}", names.join(", "))));
        };
        let pattern = words.join(" ");
        if let Some(other) = found.iter().find(|j| j.pattern == pattern && j.kind != *kind) {
            return Err(refused(&format!("a judge above has the same command with kind {}", name_of(other.kind))));
        }
        found.push(OwnJudge { pattern, kind: *kind });
    }
    // Of two that fit a command the longer one says more.
    found.sort_by_key(|j| std::cmp::Reverse(j.pattern.split(' ').count()));
    Ok(found)
}

fn is_header(line: &str) -> bool {
    let line: String = line.split('#').next().unwrap_or("").split_whitespace().collect();
    line == "[[judge]]"
}

fn name_of(kind: CheckKind) -> &'static str {
    KINDS.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<(String, CheckKind)>, String> {
        let root: toml::Table = text.parse().unwrap();
        let found = read(&root["judge"], Path::new("x.toml"), text).map_err(|e| e.to_string())?;
        Ok(found.into_iter().map(|j| (j.pattern, j.kind)).collect())
    }

    #[test]
    fn the_longer_command_is_asked_first() {
        let text =
            "[[judge]]\ncommand = \"acme\"\nkind = \"build\"\n\n[[ judge ]] # ours\ncommand = \"  acme   verify \"\nkind = \"test\"\n";
        assert_eq!(of(text), Ok(vec![("acme verify".to_owned(), CheckKind::Test), ("acme".to_owned(), CheckKind::Build)]));
        assert_eq!(of("judge = []"), Ok(vec![]));
    }

    #[test]
    fn faults_say_where_and_what() {
        let second = |body: &str| of(&format!("tz = \"UTC\"\n[[judge]]\ncommand = \"a\"\nkind = \"lint\"\n[[judge]]\n{body}")).unwrap_err();
        assert_eq!(second("command = \"b\""), "x.toml:5: `judge.kind` cannot be absent: every judge needs it");
        assert_eq!(
            second("command = \"b\"\nkind = \"tests\""),
            "x.toml:5: `judge.kind` cannot be \"tests\": it takes one of test, build, types, lint, format; did you mean test?"
        );
        assert_eq!(second("comand = \"b\""), "x.toml:5: unknown setting `judge.comand`; did you mean `command`?");
        assert!(second("command = 3\nkind = \"test\"").contains("it takes text in quotes"));
        assert!(second("command = \"  \"\nkind = \"test\"").contains("the words that the command begins with"));
        assert!(second("command = \"cd x && b\"\nkind = \"test\"").contains("without what the shell joins"));
        assert!(second("command = \"b 'c d'\"\nkind = \"test\"").contains("without quotes"));
        assert!(second("command = \"a\"\nkind = \"test\"").contains("the same command with kind lint"));
        assert!(of("judge = \"acme\"").unwrap_err().starts_with("x.toml: `judge` cannot be \"acme\": it takes tables"));
        assert!(of("judge = [3]").unwrap_err().contains("it takes tables"));
    }
}
