//! What the files of a run held, one state after the other: a file that comes back to an earlier one goes in circles. Where a
//! file's whole text is known its state is that text; else it is the pieces that were replaced in it.

use super::part::Part;
use super::writes::{CONTENT, NEW, OLD, PATH, text_of};
use crate::format::json::hash;
use crate::trace::rows::Content;
use crate::trace::tool;
use serde_json::Value;
use std::collections::HashMap;

/// Longer texts are only known by their hash, and so are all beyond what a run may keep.
const LONGEST: usize = 256 << 10;
const KEPT: usize = 32 << 20;

/// One change of a file.
enum Change {
    /// It is this from now on.
    Whole(String),
    /// It is gone.
    Gone,
    /// One text in it became another. `unique`: the first stood in it only once.
    Piece { old: String, new: String, unique: bool },
}

/// A file as far as it is known.
#[derive(Default)]
struct File {
    whole: Option<String>,
    /// The hash of the last whole text, or nothing: how the run found it.
    base: u64,
    /// Pieces of it, as they were and as they are.
    pieces: Vec<(u64, u64)>,
    /// The newest state.
    state: Option<u64>,
}

/// The files of a run.
#[derive(Default)]
pub(super) struct Files {
    files: HashMap<String, File>,
    /// Changes of calls that have no answer yet.
    open: HashMap<u32, Vec<(String, Vec<Change>)>>,
    kept: usize,
}

impl File {
    fn now(&self) -> u64 {
        if self.pieces.is_empty() {
            return self.base;
        }
        let mut pieces = self.pieces.clone();
        pieces.sort_unstable();
        let text: String = pieces.iter().map(|(old, new)| format!("{old:x} {new:x}\n")).collect();
        hash(format!("{:x}\n{text}", self.base).as_bytes())
    }

    fn becomes(&mut self, whole: Option<String>, base: u64) {
        (self.whole, self.base) = (whole, base);
        self.pieces.clear();
    }

    /// Replaces a piece. Returns the state in between, where the file must have been put back by other means.
    fn replace(&mut self, old: &str, new: &str, unique: bool) -> Option<u64> {
        if let Some(whole) = self.whole.take() {
            if whole.contains(old) {
                let text = if unique { whole.replacen(old, new, 1) } else { whole.replace(old, new) };
                let base = hash(text.as_bytes());
                self.becomes(Some(text), base);
                return None;
            }
            // Something else has changed it.
            self.base = hash(format!("changed\0{:x}", self.base).as_bytes());
        }
        let (was, is) = (hash(old.as_bytes()), hash(new.as_bytes()));
        if let Some(at) = self.pieces.iter().position(|(_, now)| *now == was) {
            if self.pieces[at].0 == is {
                self.pieces.remove(at);
            } else {
                self.pieces[at].1 = is;
            }
            return None;
        }
        let back = self.pieces.iter().position(|(before, _)| unique && *before == was);
        let between = back.map(|at| {
            self.pieces.remove(at);
            self.now()
        });
        self.pieces.push((was, is));
        between
    }
}

impl Part {
    /// Notes what a call would change; it counts once the call has worked.
    pub(super) fn will_change(&mut self, action: u32, args: &Value) {
        let changes = changes(args);
        if !changes.is_empty() {
            self.contents.open.insert(action, changes);
        }
    }

    /// The call has been answered.
    pub(super) fn changes(&mut self, action: u32, step: u32, worked: bool) {
        let Some(changes) = self.contents.open.remove(&action).filter(|_| worked) else { return };
        for (path, changes) in changes {
            self.change(path, changes, step);
        }
    }

    fn change(&mut self, path: String, changes: Vec<Change>, step: u32) {
        let name = self.trace.names.intern(&path);
        let mut states = Vec::new();
        let file = self.contents.files.entry(path).or_default();
        // How the run found it; a file that is written whole was not seen before.
        if file.state.is_none() && matches!(changes.first(), Some(Change::Piece { .. })) {
            states.push(file.now());
        }
        for change in changes {
            match change {
                Change::Whole(text) => {
                    let base = hash(text.as_bytes());
                    let keep = text.len() <= LONGEST && self.contents.kept + text.len() <= KEPT;
                    self.contents.kept += if keep { text.len() } else { 0 };
                    file.becomes(keep.then_some(text), base);
                }
                Change::Gone => file.becomes(None, hash(b"gone")),
                Change::Piece { old, new, unique } => states.extend(file.replace(&old, &new, unique)),
            }
        }
        states.push(file.now());
        for state in states {
            if file.state.replace(state) != Some(state) {
                self.trace.contents.push(Content { path: name, state, step });
            }
        }
    }
}

/// What a call changes, by file.
fn changes(args: &Value) -> Vec<(String, Vec<Change>)> {
    if let Some(patch) = text_of(args, &["patch", "diff"]).or_else(|| text_of(args, &["input"]).filter(|i| i.contains("*** Begin Patch"))) {
        return of_patch(&patch);
    }
    let Some(path) = text_of(args, PATH) else { return Vec::new() };
    // An editor's `command` says what it does; a shell's has no file beside it.
    if matches!(tool::command(args).as_deref(), Some("view" | "undo_edit" | "insert")) {
        return Vec::new();
    }
    let every = args.get("replace_all").and_then(Value::as_bool).unwrap_or(false);
    let piece = |value: &Value| {
        let every = value.get("replace_all").and_then(Value::as_bool).unwrap_or(every);
        let (old, new) = (text_of(value, OLD)?, text_of(value, NEW)?);
        // Without an old text it is a new file.
        Some(if old.is_empty() { Change::Whole(new) } else { Change::Piece { old, new, unique: !every } })
    };
    let found: Vec<Change> = match (args.get("edits").and_then(Value::as_array), piece(args)) {
        (Some(edits), _) => edits.iter().filter_map(piece).collect(),
        (None, Some(change)) => vec![change],
        (None, None) => text_of(args, CONTENT).map(Change::Whole).into_iter().collect(),
    };
    if found.is_empty() { Vec::new() } else { vec![(path, found)] }
}

/// The changes of a patch in Codex's form; other forms name lines and not texts.
fn of_patch(patch: &str) -> Vec<(String, Vec<Change>)> {
    let mut found: Vec<(String, Vec<Change>)> = Vec::new();
    let (mut old, mut new, mut whole) = (String::new(), String::new(), false);
    let close = |found: &mut Vec<(String, Vec<Change>)>, whole: bool, old: &mut String, new: &mut String| {
        let (old, new) = (std::mem::take(old), std::mem::take(new));
        if let Some((_, changes)) = found.last_mut() {
            if whole {
                changes.push(Change::Whole(new));
            } else if old != new && !old.is_empty() {
                // Its context is not promised to stand there only once.
                changes.push(Change::Piece { old, new, unique: false });
            }
        }
    };
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            close(&mut found, whole, &mut old, &mut new);
            found.push((path.trim().to_owned(), Vec::new()));
            whole = true;
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            close(&mut found, whole, &mut old, &mut new);
            found.push((path.trim().to_owned(), Vec::new()));
            whole = false;
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            close(&mut found, whole, &mut old, &mut new);
            found.push((path.trim().to_owned(), vec![Change::Gone]));
            whole = false;
        } else if line.starts_with("@@") || line.starts_with("*** ") {
            close(&mut found, whole, &mut old, &mut new);
            whole = false;
        } else {
            let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
            if matches!(sign, " " | "-") {
                old.push_str(text);
                old.push('\n');
            }
            if matches!(sign, " " | "+") {
                new.push_str(text);
                new.push('\n');
            }
        }
    }
    close(&mut found, whole, &mut old, &mut new);
    found.retain(|(_, changes)| !changes.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The states that calls lead through, as letters in the order of their first appearance.
    fn walk(calls: &[Value]) -> String {
        let mut part = Part::default();
        for (k, args) in (0..).zip(calls) {
            part.will_change(k, args);
            part.changes(k, k, args.get("fails").is_none());
        }
        let mut known: Vec<u64> = Vec::new();
        let letter = |c: &Content| {
            let at = known.iter().position(|s| *s == c.state).unwrap_or_else(|| {
                known.push(c.state);
                known.len() - 1
            });
            char::from(b'A' + u8::try_from(at).unwrap())
        };
        part.trace.contents.iter().map(letter).collect()
    }

    fn edit(old: &str, new: &str) -> Value {
        json!({"file_path": "a.py", "old_string": old, "new_string": new})
    }

    fn write(text: &str) -> Value {
        json!({"file_path": "a.py", "content": text})
    }

    fn patch(old: &str, new: &str) -> Value {
        json!({"patch": format!("*** Begin Patch\n*** Update File: a.py\n@@ def f():\n x\n-{old}\n+{new}\n*** End Patch")})
    }

    #[test]
    fn edits_that_undo_each_other_return() {
        assert_eq!(walk(&[edit("1", "2"), edit("2", "1"), edit("1", "2"), edit("2", "1")]), "ABABA");
        assert_eq!(walk(&[edit("1", "2"), edit("2", "3"), edit("3", "1"), edit("1", "2")]), "ABCAB");
        assert_eq!(walk(&[patch("1", "2"), patch("2", "1"), patch("1", "2")]), "ABAB");
        // What stands elsewhere in the file keeps it from being the same file.
        assert_eq!(walk(&[edit("1", "2"), edit("x", "y"), edit("2", "1"), edit("y", "x")]), "ABCDA");
    }

    #[test]
    fn whole_texts_and_edits_of_them_are_compared_by_content() {
        assert_eq!(walk(&[write("a = 1"), write("a = 2"), write("a = 1")]), "ABA");
        assert_eq!(walk(&[write("a = 1"), edit("1", "2"), write("a = 1"), write("a = 2")]), "ABAB");
        assert_eq!(walk(&[write("a = 1"), write("a = 1")]), "A");
        assert_eq!(
            walk(&[write("a a"), json!({"file_path": "a.py", "old_string": "a", "new_string": "b", "replace_all": true}), write("b b")]),
            "AB"
        );
    }

    #[test]
    fn a_file_that_was_put_back_by_other_means_has_returned() {
        assert_eq!(walk(&[edit("1", "2"), edit("1", "2"), edit("1", "2")]), "ABABAB");
        // A patch's context may stand twice.
        assert_eq!(walk(&[patch("1", "2"), patch("1", "2")]), "ABC");
    }

    #[test]
    fn what_failed_or_only_looked_changes_nothing() {
        let failed = json!({"file_path": "a.py", "old_string": "1", "new_string": "2", "fails": true});
        assert_eq!(walk(&[failed, json!({"path": "a.py", "command": "view"}), json!({"command": "ls"})]), "");
    }

    #[test]
    fn added_and_deleted_files() {
        let add = json!({"input": "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch"});
        let delete = json!({"input": "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"});
        assert_eq!(walk(&[add.clone(), delete.clone(), add.clone(), delete, add]), "ABABA");
        let several =
            json!({"file_path": "a.py", "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "4"}]});
        assert_eq!(walk(&[several, edit("4", "3"), edit("2", "1")]), "ABCA");
    }
}
