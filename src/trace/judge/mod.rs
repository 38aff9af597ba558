//! Which shell commands are checks: something outside the model that judges the work.
//!
//! A transcript has only command lines. This module finds the judges in them (tests, builds, type checkers, linters,
//! formatters in their checking mode), says what of the project each one looks at, and whether the command's exit code
//! is the judge's own. Nothing is run or looked up; any text is taken, and the time is linear in its length.
//!
//! The steps: `hint` passes over most commands, `shell` takes the line apart, `walk` follows its execution,
//! `command` takes off what only wraps a program, `programs`, `packages` and `interpret` read the program's arguments by
//! the rules in `table`, and `scope` brings the target into one spelling. [`covers`] compares two judges.

mod args;
mod command;
mod cover;
mod dir;
mod hint;
mod interpret;
mod names;
mod output;
mod packages;
mod programs;
mod scope;
mod shell;
mod table;
mod walk;

#[cfg(test)]
mod tests;

use dir::Dir;
use output::Told;
use walk::{Shell, Walk};

pub use cover::covers;
pub use dir::is_absolute;

/// What a check looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Does it do what it should?
    Test,
    /// Does it compile, or parse?
    Build,
    /// Do the types fit?
    Types,
    /// Does it keep the rules of style and care?
    Lint,
    /// Is it laid out as the formatter would do it?
    Format,
}

/// A check in a command line.
///
/// Two judges of the same kind, runner and scope are the same check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// What it looks for.
    pub kind: CheckKind,
    /// Who looks: `pytest`, `cargo test`, `package script`; one name for all the ways to start it.
    pub runner: &'static str,
    /// What of the project it looks at, in one spelling; `""` is everything. Paths come first, then what picks among
    /// them: `web/tests -k=login`, `~name` for a name that is matched, `+variant` for another variant of the same.
    pub scope: String,
    /// The command line's exit code does not tell this judge's verdict: a pipe, `|| true` or a later command replaces
    /// it, or it is not certain that the judge ran. Its output may still tell.
    pub hides_exit: bool,
    /// A subset: a file, a test's name, or a flag that picks. A folder is not one by itself.
    pub narrowed: bool,
    /// How the command line prints the outcome: see [`Judge::told_by`].
    told: Option<Told>,
    /// All that it says of failures comes through: nothing is piped into what could leave it out, nor into a file.
    heard: bool,
    /// It is piped into a filter, which ends with 1 where nothing comes through.
    filtered: bool,
    /// Something that may fail itself runs only after it has succeeded: `go build && ./deploy`.
    followed: bool,
    /// The lines that the command line prints by itself.
    printed: Vec<String>,
}

/// A judge from the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnJudge {
    /// The words that its command begins with.
    pub pattern: String,
    /// What it looks for.
    pub kind: CheckKind,
}

/// All judges of a command line, in the order of execution; most have none.
#[must_use]
pub fn judges(command: &str, own: &[OwnJudge]) -> Vec<Judge> {
    judges_at(command, own, "", "")
}

/// The same, where the project's absolute path or the directory of the command is known; either may be empty. Then
/// `cd /home/me/project/web` is `web`, and a start in a folder of the project counts into the scope.
#[must_use]
pub fn judges_at(command: &str, own: &[OwnJudge], workspace: &str, cwd: &str) -> Vec<Judge> {
    if !hint::may_judge(command, own) {
        return Vec::new();
    }
    let mut walk = Walk::new(own);
    walk.text(command, &mut Shell::new(Dir::start(workspace, cwd)), false);
    let mut found = walk.finish();
    // What goes into a file is not heard; a file that is shown afterwards says what it says.
    if command.replace("2>&1", "").contains('>') {
        found.iter_mut().for_each(|judge| judge.heard = false);
    }
    found
}
