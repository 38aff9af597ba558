//! What a command line's output tells of a judge whose exit code it hides: the code that it prints itself
//! (`pytest; echo "exit: $?"`), the words for either outcome (`… && echo ok || echo failed`), and the silence of a
//! runner that has nothing to say when all is well.

use super::Judge;
use super::shell::{Item, Joint, Stage, Word};
use super::walk::{FIRST_STATUS, status_kept};

/// Runners that print nothing when all is well, and something when it is not.
const QUIET: &[&str] = &[
    "actionlint",
    "cc",
    "eslint",
    "flake8",
    "gfortran",
    "go build",
    "go test",
    "go vet",
    "gofmt",
    "golangci-lint",
    "hadolint",
    "javac",
    "kotlinc",
    "markdownlint",
    "py_compile",
    "pycodestyle",
    "pyflakes",
    "revive",
    "ruff",
    "rustc",
    "scalac",
    "shellcheck",
    "shfmt",
    "standard",
    "staticcheck",
    "stylelint",
    "swiftc",
    "tsc",
    "xo",
    "yamllint",
];

/// What harnesses put in the place of an empty output.
const PLACEHOLDERS: &[&str] =
    &["(Bash completed with no output)", "<system>Tool ran without output</system>", "(no output)", "Tool ran without output"];

/// How a command line prints what became of a judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Its exit code, between these words.
    Code { before: String, after: String },
    /// A line for either outcome; an empty one for the outcome that has none.
    Words { green: String, red: String },
}

/// How an outcome is told, and whether it is that of the first command of the pipeline.
pub(super) struct Teller {
    pub(super) told: Told,
    pub(super) first: bool,
}

impl Judge {
    /// A failure of the command line need not be its own: what comes after it may fail too, or a filter that finds nothing.
    #[must_use]
    pub fn shares_failure(&self) -> bool {
        self.followed || self.filtered
    }

    /// It prints its complaints, and nothing where it has none.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        QUIET.contains(&self.runner)
    }

    /// What the output says of the outcome where the exit code does not: `Some(true)` is green.
    #[must_use]
    pub fn told_by(&self, output: &str) -> Option<bool> {
        match &self.told {
            Some(Told::Code { before, after }) => {
                let code = |line: &str| line.trim().strip_prefix(before.trim_start())?.strip_suffix(after.trim_end())?.trim().parse().ok();
                output.lines().rev().find_map(code).map(|code: i32| code == 0)
            }
            Some(Told::Words { green, red }) => {
                let said = |words: &str| !words.is_empty() && output.lines().any(|line| line.trim() == words);
                match (said(green), said(red)) {
                    (true, false) => Some(true),
                    (false, true) => Some(false),
                    _ => None,
                }
            }
            None => self.told_by_silence(output),
        }
    }

    /// Nothing was printed by a runner that would have printed its complaints; `gofmt -l` lists the files that it
    /// complains of.
    fn told_by_silence(&self, output: &str) -> Option<bool> {
        if !self.heard || !self.is_quiet() {
            return None;
        }
        let mut rest = output.lines().map(str::trim).filter(|line| {
            // A filter that lets nothing through ends with 1.
            let nothing = PLACEHOLDERS.contains(line) || self.filtered && *line == "Exit code 1";
            !line.is_empty() && !nothing && !self.printed.iter().any(|words| prints(words, line))
        });
        if self.runner == "gofmt" {
            let is_file = |line: &str| line.ends_with(".go") && !line.contains(' ');
            return Some(!rest.any(is_file));
        }
        rest.next().is_none().then_some(true)
    }
}

/// Whether an `echo` of these words prints this line. Of variables only an exit code is taken for what it is.
fn prints(words: &str, line: &str) -> bool {
    match words.split_once("$?") {
        Some((before, after)) => {
            let code = line.strip_prefix(before.trim_start()).and_then(|rest| rest.strip_suffix(after.trim_end()));
            code.is_some_and(|code| !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit()))
        }
        None => words.trim() == line,
    }
}

/// What is piped on shows every failure still: it only cuts, copies, or leaves out what is no failure.
pub(super) fn keeps_failures(stage: &Stage<'_, '_>) -> bool {
    let Stage::Simple { words, .. } = stage else { return false };
    let Some((name, args)) = words.split_first() else { return false };
    match super::command::base(&name.text) {
        "tail" | "head" | "cat" | "tee" | "sort" | "uniq" => true,
        "grep" | "egrep" | "rg" => {
            let (mut inverse, mut pattern) = (false, None);
            for word in args {
                let text = word.text.as_ref();
                match text.strip_prefix('-').filter(|_| !word.quoted) {
                    Some(flags) => inverse |= !flags.starts_with('-') && flags.contains('v') || flags == "-invert-match",
                    None if pattern.is_none() => pattern = Some(text.to_ascii_lowercase()),
                    None => {}
                }
            }
            let names_failure =
                pattern.is_some_and(|p| p.contains("fail") && (inverse || p.contains("error")) || inverse && p.contains("error"));
            inverse != names_failure
        }
        _ => false,
    }
}

/// The pipeline's status is that of a filter: 1 where it lets nothing through.
pub(super) fn is_filtered(item: &Item<'_, '_>) -> bool {
    let [_, .., Stage::Simple { words, .. }] = item.stages.as_slice() else { return false };
    words.first().is_some_and(|word| matches!(super::command::base(&word.text), "grep" | "egrep" | "rg"))
}

/// A command of a list that does nothing but speak, or move to another folder.
pub(super) fn cannot_fail(item: &Item<'_, '_>) -> bool {
    let [Stage::Simple { words, .. }] = item.stages.as_slice() else { return false };
    words.first().is_none_or(|word| matches!(word.text.as_ref(), "echo" | "printf" | "true" | ":" | "cd" | "date" | "pwd"))
}

/// The line that `echo` prints, where the item is nothing but an `echo`.
pub(super) fn echoed(item: &Item<'_, '_>) -> Option<String> {
    match item.stages.as_slice() {
        [Stage::Simple { words, .. }] => echo(words),
        [Stage::Group { list, conditional: false, .. }] => list.first().and_then(echoed),
        _ => None,
    }
}

/// The line that an `echo` prints.
pub(super) fn echo(words: &[&Word<'_>]) -> Option<String> {
    let (name, args) = words.split_first()?;
    if name.text.as_ref() != "echo" {
        return None;
    }
    let args = args.iter().skip_while(|word| !word.quoted && matches!(word.text.as_ref(), "-e" | "-n" | "-ne" | "-en"));
    let line = args.map(|word| word.text.as_ref()).collect::<Vec<_>>().join(" ");
    Some(line.trim_start_matches("\\n").trim_end_matches("\\n").to_owned())
}

/// For the pipeline at `at`: how the list tells its outcome.
pub(super) fn teller(items: &[Item<'_, '_>], at: usize) -> Option<Teller> {
    // What `&&` joins to it has its failure too.
    let mut next = at + 1;
    let mut green = None;
    while items.get(next).is_some_and(|item| item.joint == Joint::And) {
        green = green.or_else(|| items.get(next).and_then(echoed));
        next += 1;
    }
    let after = items.get(next)?;
    let told = |told, first| Some(Teller { told, first });
    match (after.joint, green) {
        (Joint::Or, green) => {
            let red = echoed(after).filter(|line| !line.contains('$'));
            let green = green.filter(|line| !line.contains('$'));
            (green.is_some() && red.is_some() && green != red)
                .then(|| Teller { told: Told::Words { green: green.unwrap_or_default(), red: red.unwrap_or_default() }, first: false })
        }
        (Joint::Seq, Some(green)) if !green.contains('$') && !green.is_empty() => told(Told::Words { green, red: String::new() }, false),
        (Joint::Seq, None) => {
            if let Some((name, first)) = status_kept(after) {
                // `rc=$?; …; echo "exit $rc"`
                let line = items
                    .iter()
                    .skip(next + 1)
                    .take(16)
                    .filter_map(echoed)
                    .find_map(|line| around(&line, &[&format!("${{{name}}}"), &format!("${name}")]));

                return line.and_then(|code| told(code, first));
            }
            let line = echoed(after)?;
            around(&line, &["$?"])
                .and_then(|code| told(code, false))
                .or_else(|| around(&line, FIRST_STATUS).and_then(|code| told(code, true)))
        }
        _ => None,
    }
}

/// A line that holds one of these variables and no other.
fn around(line: &str, variables: &[&str]) -> Option<Told> {
    let (before, after) = variables.iter().find_map(|v| line.split_once(*v))?;
    (!before.contains('$') && !after.contains('$')).then(|| Told::Code { before: before.to_owned(), after: after.to_owned() })
}
