//! Configurations of runners, linters, type checkers and pipelines.

mod lists;
mod settings;

use std::collections::{HashMap, HashSet};

use super::judge::{Class, Forced, Judged, is_usual, judged};
use super::lang::Lang;
use super::mask::Text;
use super::shell::words::commands;
use super::util::{base_name, evidence};
use super::{Weakening, WeakeningKind};

/// A command that stands in a configuration.
struct Entry {
    /// The script or target that it belongs to; empty where there is none.
    key: String,
    line: usize,
    judged: Judged,
}

/// All commands of a configuration.
struct Entries {
    judges: Vec<Entry>,
    /// Scripts and targets with their first command, judge or not.
    keys: HashMap<String, (usize, bool)>,
}

/// Compares two sides of a configuration that was there before.
pub(super) fn compare(path: &str, old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    let mut found = commands_compared(path, old, new);
    found.extend(settings::compare(path, old, new));
    found.extend(lists::compare(path, old, new, false));
    // One line may break several rules.
    let mut seen: HashSet<(WeakeningKind, String)> = HashSet::new();
    found.retain(|w| seen.insert((w.kind, w.line.clone())));
    found
}

/// What a new configuration does to tests that were there before: only what leaves them out by name.
pub(super) fn of_new(path: &str, new: &Text<'_>) -> Vec<Weakening> {
    let nothing = Text::new("", new.lang);
    let mut found = lists::compare(path, &nothing, new, true);
    if matches!(base_name(path), "pytest.ini" | "conftest.py") {
        found.extend(settings::flags(&nothing, new));
    }
    found
}

fn is_make(path: &str) -> bool {
    let base = base_name(path).to_ascii_lowercase();
    matches!(base.as_str(), "makefile" | "gnumakefile" | "justfile") || base.ends_with(".mk")
}

fn entries(path: &str, text: &Text<'_>) -> Entries {
    let mut found = Entries { judges: Vec::new(), keys: HashMap::new() };
    if !matches!(text.lang, Lang::Keyed | Lang::Json) {
        return found;
    }
    let make = is_make(path);
    let mut target = String::new();
    for line in (0..text.lines.len()).filter(|l| !text.idle(*l)) {
        let code = text.code(line);
        let trimmed = code.trim();
        if make && !code.starts_with([' ', '\t']) {
            if let Some((name, _)) = trimmed.split_once(':').filter(|(_, rest)| !rest.starts_with('=')) {
                name.trim().clone_into(&mut target);
            }
            continue;
        }
        let (key, command) = if make {
            let recipe = trimmed.trim_start_matches(['@', '-', '+']);
            (target.clone(), recipe.to_owned())
        } else {
            split_entry(text.lang, trimmed)
        };
        let ignores = make && trimmed.trim_start_matches('@').starts_with('-');
        let mut all = judged(&command);
        if all.is_empty() && !make && text.lang == Lang::Keyed {
            all = judged(trimmed.trim_start_matches("- "));
        }
        if !key.is_empty() {
            let slot = found.keys.entry(key.clone()).or_insert((line, false));
            slot.1 |= !is_trivial(&command);
        }
        for mut judged in all {
            if ignores {
                judged.forced = Some(Forced::OrTrue);
                judged.text = trimmed.to_owned();
            }
            found.judges.push(Entry { key: key.clone(), line, judged });
        }
    }
    found
}

/// A script's name and its command.
fn split_entry(lang: Lang, trimmed: &str) -> (String, String) {
    if lang == Lang::Json {
        let mut parts = trimmed.splitn(2, "\":");
        let key = parts.next().unwrap_or("").trim().trim_matches('"');
        let value = parts.next().unwrap_or("").trim().trim_end_matches(',');
        let inner = value.strip_prefix('"').map_or("", |v| v.strip_suffix('"').unwrap_or(v));
        return (if inner.is_empty() { String::new() } else { key.to_owned() }, inner.replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    let item = trimmed.trim_start_matches("- ");
    let cut = item.find(": ").or_else(|| item.find(" = ")).or_else(|| item.find('='));
    let Some(at) = cut else { return (String::new(), item.to_owned()) };
    let key = item.get(..at).unwrap_or("").trim();
    let value = item.get(at..).unwrap_or("").trim_start_matches([':', ' ', '=']);
    let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if !plain {
        return (String::new(), item.to_owned());
    }
    // `run:` and its like name no script: there are many of them in a file.
    let named = !matches!(key, "run" | "command" | "commands" | "entry" | "script" | "name" | "cmd");
    let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
    (if named { key.to_owned() } else { String::new() }, if key == "name" { String::new() } else { value.to_owned() })
}

/// A command that succeeds whatever the code is like.
fn is_trivial(command: &str) -> bool {
    let all = commands(command);
    all.iter().all(|c| {
        matches!(c.program().first().map(String::as_str), None | Some("echo" | "true" | ":" | "exit" | "printf"))
            && !c.text.contains("exit 1")
    })
}

fn commands_compared(path: &str, old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    let (before, after) = (entries(path, old), entries(path, new));
    let mut found = Vec::new();
    let mut report = |kind, text: &Text<'_>, line: usize| found.push(Weakening { kind, line: evidence(text.raw(line)), tests: Vec::new() });
    let mut forced_before: HashMap<&str, usize> = HashMap::new();
    let mut narrowed_before: HashSet<(&str, &str)> = HashSet::new();
    for e in &before.judges {
        *forced_before.entry(e.judged.tool.as_str()).or_default() += usize::from(e.judged.forced.is_some());
        narrowed_before.extend(e.judged.narrowing.iter().map(|n| (e.judged.tool.as_str(), n.as_str())));
    }
    for e in &after.judges {
        if e.judged.forced.is_some() {
            let n = forced_before.entry(e.judged.tool.as_str()).or_default();
            if *n > 0 {
                *n -= 1;
            } else if before.judges.iter().any(|b| b.judged.tool == e.judged.tool || b.judged.class == e.judged.class) {
                report(WeakeningKind::ForcedGreen, new, e.line);
            }
        }
        let known = before.judges.iter().any(|b| b.judged.tool == e.judged.tool);
        if known && e.judged.narrowing.iter().any(|n| !narrowed_before.contains(&(e.judged.tool.as_str(), n.as_str())) && !is_usual(n)) {
            report(WeakeningKind::Narrowed, new, e.line);
        }
        let same = before.judges.iter().find(|b| b.key == e.key && b.judged.tool == e.judged.tool && !e.key.is_empty());
        let alone = |all: &Entries, tool: &str| all.judges.iter().filter(|j| j.judged.tool == tool).count() == 1;
        let same = same.or_else(|| {
            before.judges.iter().find(|b| b.judged.tool == e.judged.tool && alone(&before, &e.judged.tool) && alone(&after, &e.judged.tool))
        });
        if same.is_some_and(|b| narrower(&b.judged.targets, &e.judged.targets)) {
            report(WeakeningKind::Narrowed, new, e.line);
        }
    }
    let mut emptied = HashSet::new();
    for e in before.judges.iter().filter(|e| !e.key.is_empty()) {
        if let Some((line, works)) = after.keys.get(&e.key)
            && !works
            && !after.judges.iter().any(|a| a.key == e.key)
            && emptied.insert(e.key.as_str())
        {
            report(WeakeningKind::ForcedGreen, new, *line);
        }
    }
    let count = |all: &Entries, class: Class| all.judges.iter().filter(|e| e.judged.class == class).count();
    let mut gone = HashSet::new();
    for e in &before.judges {
        let lost = e.judged.class != Class::Build
            && !after.judges.iter().any(|a| a.judged.tool == e.judged.tool)
            && count(&after, e.judged.class) < count(&before, e.judged.class);
        // A script that only named other scripts may go with them.
        if lost && !emptied.contains(e.key.as_str()) && gone.insert(e.judged.tool.as_str()) {
            report(WeakeningKind::Narrowed, old, e.line);
        }
    }
    found
}

/// Whether the new targets are only a part of the old ones.
fn narrower(old: &[String], new: &[String]) -> bool {
    if new.is_empty() || new == old {
        return false;
    }
    let tests = |p: &String| p.contains("test") || p.contains("spec") || p.contains("::");
    if old.is_empty() {
        return new.iter().all(|n| tests(n) && (n.contains('.') || n.contains("::")));
    }
    let under = |n: &String| {
        old.iter().any(|o| n == o || n.strip_prefix(o.as_str()).is_some_and(|r| r.starts_with('/') || r.starts_with("::")) || o == ".")
    };
    new.iter().all(under) && !(old.iter().all(|o| new.contains(o)))
}
