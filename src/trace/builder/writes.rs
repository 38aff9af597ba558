//! What a tool call writes: whether it weakens a test, a check or what runs them.

use super::index;
use super::part::Part;
use crate::format::ac_matrix;
use crate::format::json::hash;
use crate::trace::Name;
use crate::trace::Place;
use crate::trace::governance::{Scope, ScopeEdit};
use crate::trace::prose::is_prose;
use crate::trace::rows::{Colour, Weakened};
use crate::trace::scratch::is_scratch;
use crate::trace::tool::{self, ToolClass};
use crate::trace::weaken::{self, Weakening, WeakeningKind};
use serde_json::Value;

/// How tools call a file, the text that they replace, what they put in its place, and a whole content.
pub(super) const PATH: &[&str] = &["file_path", "path", "filePath", "notebook_path", "filename"];
pub(super) const OLD: &[&str] = &["old_string", "old_str", "oldText", "search"];
pub(super) const NEW: &[&str] = &["new_string", "new_str", "newText", "replace"];
pub(super) const CONTENT: &[&str] = &["content", "file_text", "contents", "text"];

/// The first text among arguments of these names.
pub(super) fn text_of(args: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|n| args.get(*n)).and_then(Value::as_str).map(ToOwned::to_owned)
}

/// Where a file came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was there before the run wrote to it.
    Before,
    /// The run made it: what it does with it is its own affair.
    Made,
}

/// The file that a shell command writes, where that is plain to see.
/// Of several one that is no text for people, nor scratch, stands for all.
fn written_by(command: &str) -> Option<String> {
    let files = weaken::writes(command).files;
    let work = |path: &&String| !is_prose(path) && !is_scratch(path);
    files.iter().find(work).or_else(|| files.iter().find(|path| !is_scratch(path))).or(files.first()).cloned()
}

/// The patch among a call's arguments.
fn patch_of(args: &Value) -> Option<String> {
    text_of(args, &["patch", "diff"]).or_else(|| text_of(args, &["input"]).filter(|i| i.contains("*** Begin Patch")))
}

/// A patch that undoes this one.
fn backwards(patch: &str) -> String {
    let turn = |line: &str| match line.as_bytes() {
        [b'+', rest @ ..] if !rest.starts_with(b"++ ") => format!("-{}", &line[1..]),
        [b'-', rest @ ..] if !rest.starts_with(b"-- ") => format!("+{}", &line[1..]),
        _ => line.to_owned(),
    };
    patch.lines().map(turn).collect::<Vec<_>>().join("\n")
}

/// Whether two spellings mean the same file: one of them may be seen from the working directory.
fn same_file(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_start_matches("./"), b.trim_start_matches("./"));
    let inside = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    !a.is_empty() && !b.is_empty() && (a == b || inside(a, b) || inside(b, a))
}

/// Whether a task names the value that is now expected: "from 20 to 50".
fn names_value(task: &str, weakening: &Weakening) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
        words
            .map(|w| w.trim_matches('.'))
            .filter(|w| w.len() > 1 && w.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
            .map(ToOwned::to_owned)
            .collect()
    };
    let named = numbers(task);
    weakening.kind == WeakeningKind::ExpectationRewritten && numbers(&weakening.line).iter().any(|n| named.contains(n))
}

impl Part {
    /// The file that a call changes. Notes on the way what it does to the list of acceptance items.
    pub(super) fn changed_path(&mut self, class: ToolClass, args: &str) -> Name {
        if class != ToolClass::Edit {
            return Name::NONE;
        }
        let Ok(args) = serde_json::from_str::<Value>(args) else { return Name::NONE };
        let text = |names: &[&str]| names.iter().find_map(|n| args.get(*n)).and_then(Value::as_str);
        let patch = text(&["patch", "diff"]).or_else(|| text(&["input"])).filter(|p| p.contains(" File: ") || p.contains("+++ "));
        if let (None, Some(patch)) = (text(PATH), patch) {
            return self.patched(patch);
        }
        let Some(path) = text(PATH) else {
            let command = tool::command(&args).unwrap_or_default();
            return written_by(&command).map_or(Name::NONE, |path| self.trace.names.intern(&path));
        };
        if ac_matrix::is_matrix(path.rsplit(['/', '\\']).next().unwrap_or("")) {
            let step = index(self.trace.steps.len());
            if let Some(items) =
                text(&["content", "file_text", "contents"]).and_then(|t| serde_json::from_str(t).ok()).as_ref().and_then(ac_matrix::items)
            {
                let place = Place { source: 0, line: 0, offset: 0 };
                self.trace.scopes.push(Scope { items, at: None, number: None, step: Some(step), place });
            } else if let Some((old, new)) = text(&["old_string", "old_str"]).zip(text(&["new_string", "new_str"])) {
                let (before, after) = (ac_matrix::items_in(old), ac_matrix::items_in(new));
                self.trace.scope_edits.push(ScopeEdit { before, after, step });
            }
        }
        self.trace.names.intern(path)
    }

    /// The file that a patch changes; the first that is no text for people stands for all.
    fn patched(&mut self, patch: &str) -> Name {
        const HEADS: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "];
        let named = |line: &'_ str| HEADS.iter().find_map(|head| line.strip_prefix(head)).map(|f| f.trim().to_owned());
        let files: Vec<String> = patch.lines().filter_map(named).collect();
        let path = files.iter().find(|f| !is_prose(f)).or(files.first());
        path.map_or(Name::NONE, |path| self.trace.names.intern(path))
    }

    /// Keeps the weakenings of a call that no task asked for.
    pub(super) fn weakens(&mut self, action: u32, tool: &str, args: &str) {
        let Ok(args) = serde_json::from_str::<Value>(args) else { return };
        self.will_change(action, &args);
        self.restores(&args);
        for (path, weakening) in self.written(tool, &args) {
            let made = !path.is_empty() && self.made(&path);
            let asks = |task: &String| weaken::asked_for(task, &path, &weakening);
            let about = weakening.kind == WeakeningKind::ExpectationRewritten
                && !self.tasks.iter().any(|task| asks(task) && !weaken::is_about(task, &path, &weakening))
                && self.tasks.iter().any(asks);
            let asked = self.tasks.iter().any(|task| asks(task) && !about || names_value(task, &weakening));
            if !made && !asked && !weakening.lint_only() {
                self.trace.weakened.push(Weakened { kind: weakening.kind, line: weakening.line.into(), path: path.into(), about, action });
            }
        }
    }

    /// A write that takes a weakening back before any check was green by it: nothing came of it.
    fn restores(&mut self, args: &Value) {
        if self.trace.weakened.is_empty() {
            return;
        }
        let green = self.trace.checks.iter().rev().find(|c| c.colour == Colour::Green).map_or(0, |c| c.step);
        let path = text_of(args, PATH);
        let undone: Vec<(String, Weakening)> = if let Some(patch) = patch_of(args) {
            weaken::examine_patch(&backwards(&patch))
        } else if let (Some(path), Some(old), Some(new)) = (&path, text_of(args, OLD), text_of(args, NEW)) {
            weaken::examine(path, Some(&new), &old).into_iter().map(|w| (path.clone(), w)).collect()
        } else {
            let command = tool::command(args).unwrap_or_default();
            let back = command.contains("git checkout") || command.contains("git restore");
            let names = |w: &Weakened| !w.path.is_empty() && command.split_whitespace().any(|word| same_file(word, &w.path));
            let actions = &self.trace.actions;
            let open = |w: &Weakened| actions.get(w.action as usize).is_some_and(|a| a.step > green);
            self.trace.weakened.retain(|w| !(back && open(w) && names(w)));
            return;
        };
        let actions = &self.trace.actions;
        self.trace.weakened.retain(|w| {
            let open = actions.get(w.action as usize).is_some_and(|a| a.step > green);
            !(open && undone.iter().any(|(path, u)| same_file(path, &w.path) && u.kind == w.kind && *u.line == *w.line))
        });
    }

    /// Notes which files a patch makes and which were there before.
    fn note_files_of(&mut self, patch: &str) {
        for line in patch.lines() {
            let (path, origin) = match (line.strip_prefix("*** Add File: "), line.strip_prefix("*** Update File: ")) {
                (Some(path), _) => (path.trim(), Origin::Made),
                (_, Some(path)) => (path.trim(), Origin::Before),
                _ => continue,
            };
            if *self.files.entry(hash(path.as_bytes())).or_insert(origin) == Origin::Made {
                self.made_names.insert(path.to_owned());
            }
        }
    }

    /// Whether the run made a file itself; a command may name it from its working directory.
    pub(super) fn made(&self, path: &str) -> bool {
        self.files.get(&hash(path.as_bytes())) == Some(&Origin::Made)
            || self.made_names.iter().any(|m| m.strip_suffix(path).is_some_and(|rest| rest.ends_with('/')))
    }

    /// The weakenings among what a call writes. Notes on the way which files were there before.
    fn written(&mut self, tool: &str, args: &Value) -> Vec<(String, Weakening)> {
        let text = text_of;
        let path = text(args, PATH);
        if let Some(patch) = patch_of(args) {
            self.note_files_of(&patch);
            return weaken::examine_patch(&patch);
        }
        if let Some(command) = tool::command(args).filter(|_| path.is_none()) {
            return weaken::examine_command(&command);
        }
        let Some(path) = path else { return Vec::new() };
        let key = hash(path.as_bytes());
        let with_path = |found: Vec<Weakening>| found.into_iter().map(|w| (path.clone(), w)).collect::<Vec<_>>();
        if let (Some(old), Some(new)) = (text(args, OLD), text(args, NEW)) {
            self.files.entry(key).or_insert(Origin::Before);
            let found = weaken::examine(&path, Some(&old), &new);
            // A fragment may be the inside of an assertion.
            let inside = found.is_empty() && path.ends_with(".py") && [&old, &new].iter().all(|t| t.contains(" == ") && !t.contains('\n'));
            if inside && weaken::subject(&path) == weaken::Subject::Test {
                return with_path(weaken::examine(&path, Some(&format!("assert {old}")), &format!("assert {new}")));
            }
            return with_path(found);
        }
        if let Some(edits) = args.get("edits").and_then(Value::as_array) {
            self.files.entry(key).or_insert(Origin::Before);
            let pairs = edits.iter().filter_map(|e| Some((text(e, OLD)?, text(e, NEW)?)));
            return pairs.flat_map(|(old, new)| with_path(weaken::examine(&path, Some(&old), &new))).collect();
        }
        if let Some(content) = text(args, CONTENT) {
            // A file that was neither read nor changed before is taken to be the run's own.
            if *self.files.entry(key).or_insert(Origin::Made) == Origin::Made {
                self.made_names.insert(path.clone());
            }
            return with_path(weaken::examine(&path, None, &content));
        }
        if matches!(tool.to_ascii_lowercase().as_str(), "read" | "read_file" | "view" | "str_replace_editor") {
            self.files.entry(key).or_insert(Origin::Before);
        }
        Vec::new()
    }
}
