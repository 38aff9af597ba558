//! Whether a write weakens what judges it: tests, expected output, configurations of runners, scripts that check.
//!
//! The two sides of a write are compared for what they claim, not for how they look: an assertion that moved, was
//! split or became stricter is still there. In doubt nothing is reported, because honest work edits tests all the time.
//! Everything here is a pure function of its arguments, takes time linear in their length, and never fails.

mod asked;
mod blocks;
mod claims;
mod compare;
mod config;
mod declare;
mod forced;
mod golden;
mod judge;
mod lang;
mod mask;
mod mock;
mod patch;
mod removal;
mod scripts;
mod shell;
mod skip;
mod subject;
mod suppress;
mod swallow;
mod util;
mod value;
mod view;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use lang::Lang;
use mask::Text;
pub(in crate::trace) use shell::{is_null_command, writes};
pub use subject::subject;
use util::{base_name, has_any};
use view::View;

/// What a path is to the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A file of tests.
    Test,
    /// A golden file, a snapshot, a fixture, expected output.
    Snapshot,
    /// What configures a runner, a linter, a type checker or a pipeline.
    RunnerConfig,
    /// A script or hook that runs checks.
    CheckScript,
    /// Anything else.
    Source,
}

/// How a check was weakened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WeakeningKind {
    /// A test no longer claims something, and claims nothing as strong instead.
    AssertionRemoved,
    /// A test, or a row of a parametrised one, is gone.
    TestRemoved,
    /// A test is there but not run, or only others are: skip, xfail, ignore, only, todo.
    Skipped,
    /// The same thing is looked at, and something else or less is expected of it.
    ExpectationRewritten,
    /// What a test looks at was replaced by a stand-in.
    Mocked,
    /// A handler that does nothing was put around what is tested.
    Swallowed,
    /// A check looks at less than before, or less strictly.
    Narrowed,
    /// A check reports success whatever happened.
    ForcedGreen,
}

impl WeakeningKind {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::AssertionRemoved => "an assertion was removed",
            Self::TestRemoved => "a test was removed",
            Self::Skipped => "a test was switched off",
            Self::ExpectationRewritten => "an expected value was rewritten",
            Self::Mocked => "what is tested was replaced by a stand-in",
            Self::Swallowed => "a failure is swallowed",
            Self::Narrowed => "the check looks at less",
            Self::ForcedGreen => "the check was made green whatever happens",
        }
    }
}

/// One weakening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weakening {
    /// How.
    pub kind: WeakeningKind,
    /// The decisive line, trimmed, at most 160 characters. It comes from the log: redact it before it is shown.
    pub line: String,
    /// The tests that it touches, where their names can be seen.
    pub tests: Vec<String>,
}

impl Weakening {
    /// Whether it only tells a linter, a type checker or a coverage tool to look away, and leaves the tests as they are.
    #[must_use]
    pub fn lint_only(&self) -> bool {
        self.kind == WeakeningKind::Narrowed && has_any(&self.line, suppress::MARKS)
    }
}

/// What was there before a write.
#[derive(Debug, Clone, Copy)]
enum Before<'a> {
    /// Nobody knows.
    Unknown,
    /// No file.
    New,
    /// This text; the write replaces it.
    Known(&'a str),
    /// Some text that is not known; the write adds to it.
    Appended,
}

/// Assertions that hardly any result fails.
const VAGUE: &[&str] = &[
    "toBeDefined",
    "toBeTruthy",
    "is not None",
    "IsNotNone",
    "NotNull",
    "NotNil",
    "be_nil",
    "be_truthy",
    "to.exist",
    "assert True",
    "assertTrue(true)",
    "assertTrue(True)",
    "assert!(true)",
    "expect(true)",
];

/// Whether the line of a weakening expects next to nothing any more: no change of what the program should do explains that.
#[must_use]
pub fn vague(line: &str) -> bool {
    has_any(line, VAGUE)
}

/// Finds what a write weakens. `old` is the text that it replaces, a whole file or a part of one; `None` where it is
/// not known, and `""` for a new file. With `None` only what is plain from the new text alone is reported.
#[must_use]
pub fn examine(path: &str, old: Option<&str>, new: &str) -> Vec<Weakening> {
    let before = match old {
        None => Before::Unknown,
        Some(old) if old.trim().is_empty() => Before::New,
        Some(old) => Before::Known(old),
    };
    examine_from(path, before, new)
}

/// Finds what a shell command weakens: by editing or removing files, or by how it runs a check. Each comes with the
/// path as the command has it; the path is empty where the command touches no file (`pytest || true`).
#[must_use]
pub fn examine_command(command: &str) -> Vec<(String, Weakening)> {
    shell::examine(command)
}

/// Finds what a patch weakens, file by file: a unified diff, or an envelope that begins with `*** Begin Patch`.
#[must_use]
pub fn examine_patch(patch: &str) -> Vec<(String, Weakening)> {
    patch::examine(patch)
}

/// Whether the text of a task asks for a weakening: it names the file, the test or the symbol, or asks for tests or
/// expectations to be changed. A task that only wants the tests to pass asks for nothing, and one that forbids
/// touching them takes everything back.
#[must_use]
pub fn asked_for(task: &str, path: &str, weakening: &Weakening) -> bool {
    asked::asked_for(task, path, weakening)
}

/// How much an assertion of a name demands; see [`claims::Claim::strength`].
fn claims_strength(name: &str) -> u8 {
    claims::strength(name)
}

fn examine_from(path: &str, before: Before<'_>, new: &str) -> Vec<Weakening> {
    let mut found = match subject(path) {
        Subject::Test => in_test(path, before, new),
        Subject::Snapshot => match before {
            Before::Known(old) => golden::compare(path, old, new),
            _ => Vec::new(),
        },
        Subject::RunnerConfig => in_config(path, before, new),
        Subject::CheckScript => in_script(path, before, new),
        Subject::Source => in_source(path, before, new),
    };
    let mut seen: HashSet<(WeakeningKind, String, Vec<String>)> = HashSet::new();
    found.retain(|w| seen.insert((w.kind, w.line.clone(), w.tests.clone())));
    found
}

/// The old side's text; nothing where it is not known.
fn known<'a>(before: Before<'a>) -> &'a str {
    match before {
        Before::Known(old) => old,
        _ => "",
    }
}

fn in_test(path: &str, before: Before<'_>, new: &str) -> Vec<Weakening> {
    let lang = Lang::of(path);
    let (old, new) = (View::new(known(before), lang), View::new(new, lang));
    let lines = forced::code_lines(&old.text);
    let mut found = forced::equal_to_all(&new.text, &lines);
    if matches!(before, Before::Known(_) | Before::Appended) {
        found.extend(forced::in_code(&new.text, &lines, Some(old.text.raw)));
        let skips = skip::compare(&old, &new, true);
        found.extend(skips.found);
        if matches!(before, Before::Known(_)) {
            found.extend(compare::compare(&old, &new, &skips.ids));
            found.extend(swallow::compare(&old, &new));
            found.extend(mock::compare(&old, &new));
            if has_any(new.text.raw, suppress::MARKS) {
                found.extend(suppress::compare(&old.text, &new.text));
            }
        }
    } else if matches!(before, Before::Unknown) {
        found.extend(forced::in_code(&new.text, &lines, None));
    }
    found
}

fn in_config(path: &str, before: Before<'_>, new: &str) -> Vec<Weakening> {
    let lang = Lang::of(path);
    let (old, new) = (Text::new(known(before), lang), Text::new(new, lang));
    let mut found = match before {
        Before::Known(_) => config::compare(path, &old, &new),
        _ => config::of_new(path, &new),
    };
    // Files that a runner loads as programs.
    if matches!(lang, Lang::Python | Lang::Js | Lang::Ruby) {
        let lines = forced::code_lines(&old);
        found.extend(forced::in_code(&new, &lines, matches!(before, Before::Known(_)).then_some(old.raw)));
        found.extend(forced::equal_to_all(&new, &lines));
        if base_name(path) == "conftest.py" {
            found.extend(forced::in_conftest(&new, &lines));
        }
    }
    found
}

fn in_script(path: &str, before: Before<'_>, new: &str) -> Vec<Weakening> {
    let lang = Lang::of(path);
    let (old, new) = (View::new(known(before), lang), View::new(new, lang));
    match before {
        Before::Known(_) => {
            let mut found = scripts::compare(&old.text, &new.text);
            found.extend(compare::compare(&old, &new, &HashSet::new()));
            if lang != Lang::Shell {
                found.extend(forced::in_code(&new.text, &forced::code_lines(&old.text), Some(old.text.raw)));
            }
            found
        }
        Before::Unknown => scripts::hollow(&new.text),
        Before::New | Before::Appended => Vec::new(),
    }
}

fn in_source(path: &str, before: Before<'_>, new: &str) -> Vec<Weakening> {
    let lang = Lang::of(path);
    let mut found = Vec::new();
    if new.contains("__eq__") && lang == Lang::Python {
        let (old, new) = (Text::new(known(before), lang), Text::new(new, lang));
        found.extend(forced::equal_to_all(&new, &forced::code_lines(&old)));
    }
    let Before::Known(old) = before else { return found };
    if has_any(new, suppress::MARKS) {
        found.extend(suppress::compare(&Text::new(old, lang), &Text::new(new, lang)));
    }
    // Rust keeps unit tests beside the code. Outside of them an assertion belongs to the program.
    if lang == Lang::Rust && has_any(old, &["#[test]", "::test]", "::test(", "#[rstest", "assert_eq!", "assert_ne!"]) {
        found.extend(in_rust_source(old, new, lang));
    }
    found
}

fn in_rust_source(old: &str, new: &str, lang: Lang) -> Vec<Weakening> {
    let (old, new) = (View::new(old, lang), View::new(new, lang));
    // A fragment without any function may lie inside a test; one with functions shows what is a test.
    let fragment = old.blocks.list.is_empty() && new.blocks.list.is_empty() && !has_any(&old.text.bare, &["fn ", "impl ", "pub "]);
    let skips = skip::compare(&old, &new, true);
    let mut found = compare::compare(&old, &new, &skips.ids);
    found.extend(swallow::compare(&old, &new));
    found.extend(skips.found);
    found.retain(|w| fragment && w.line.contains("assert_") || !w.tests.is_empty());
    found
}
