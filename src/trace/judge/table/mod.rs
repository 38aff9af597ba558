//! The runners that are known, as tables.

mod native;
mod rest;
mod script;
mod styles;
mod tasks;
mod wrappers;

use super::CheckKind;
use super::args::Style;
use super::scope::Words;

pub(super) use styles::{GENERIC, JS_TEST};
pub(super) use tasks::{TASKS, Tasks};
pub(super) use wrappers::{WRAPPERS, Wrapper};

/// Whose code a runner judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lang {
    /// A build tool for anything.
    Any,
    /// A project's own script: nobody knows what it looks at.
    Own,
    /// Something that no other runner here looks at.
    Other,
    Beam,
    C,
    DotNet,
    Go,
    Haskell,
    Jvm,
    Js,
    Php,
    Proof,
    Python,
    Ruby,
    Rust,
    Shell,
    Swift,
}

/// One program, and the commands of it that judge.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) lang: Lang,
    pub(super) style: &'static Style,
    /// The first row that fits counts; a row with an empty `sub` fits always.
    pub(super) rows: &'static [Row],
}

/// One command of a program.
#[derive(Debug)]
pub(super) struct Row {
    /// The command's words, as in `nextest run`.
    pub(super) sub: &'static str,
    /// `None`: this command judges nothing.
    pub(super) kind: Option<CheckKind>,
    /// The name under which its results are compared.
    pub(super) runner: &'static str,
    pub(super) words: Words,
    /// One of these flags must be there; none are listed: no matter.
    pub(super) needs: &'static [&'static str],
    /// None of these flags may be there.
    pub(super) unless: &'static [&'static str],
    /// It ends with 0 whatever it finds.
    pub(super) silent: bool,
}

const fn row(sub: &'static str, kind: CheckKind, runner: &'static str, words: Words) -> Row {
    Row { sub, kind: Some(kind), runner, words, needs: &[], unless: &[], silent: false }
}

const fn no(sub: &'static str) -> Row {
    Row { sub, kind: None, runner: "", words: Words::Ignore, needs: &[], unless: &[], silent: false }
}

impl Row {
    const fn needs(self, needs: &'static [&'static str]) -> Row {
        Row { needs, ..self }
    }

    const fn unless(self, unless: &'static [&'static str]) -> Row {
        Row { unless, ..self }
    }

    const fn silent(self) -> Row {
        Row { silent: true, ..self }
    }
}

const fn program(name: &'static str, lang: Lang, style: &'static Style, rows: &'static [Row]) -> Program {
    Program { name, lang, style, rows }
}

/// Each table is sorted by name.
const TABLES: &[&[Program]] = &[native::PROGRAMS, script::PROGRAMS, rest::PROGRAMS];

/// The program of that name.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    TABLES.iter().find_map(|table| table.binary_search_by(|program| program.name.cmp(name)).ok().and_then(|at| table.get(at)))
}

/// All programs.
pub(super) fn programs() -> impl Iterator<Item = &'static Program> {
    TABLES.iter().copied().flatten()
}

/// Runner of a script in a `package.json`, whichever package manager starts it.
pub(super) const PACKAGE_SCRIPT: &str = "package script";
/// Runner of a project's own script.
pub(super) const SCRIPT: &str = "script";
/// Runner of a judge from the configuration.
pub(super) const OWN: &str = "own";
/// Interpreters, whose code they run, and the runner that a test file of theirs is.
pub(super) const FILES: &[(&str, Lang, &str)] = &[
    ("python", Lang::Python, "python file"),
    ("node", Lang::Js, "node file"),
    ("tsx", Lang::Js, "node file"),
    ("ts-node", Lang::Js, "node file"),
    ("bun", Lang::Js, "node file"),
    ("deno", Lang::Js, "node file"),
    ("ruby", Lang::Ruby, "ruby file"),
    ("php", Lang::Php, "php file"),
    ("perl", Lang::Other, "perl file"),
    ("lua", Lang::Other, "lua file"),
    ("Rscript", Lang::Other, "R file"),
    ("julia", Lang::Other, "julia file"),
    ("pwsh", Lang::Own, SCRIPT),
    ("powershell", Lang::Own, SCRIPT),
];
/// What interpreters and package managers do besides running files.
const OTHERS: &[(&str, Lang)] = &[
    ("node test", Lang::Js),
    ("bun test", Lang::Js),
    ("bun build", Lang::Js),
    ("node --check", Lang::Js),
    ("php -l", Lang::Php),
    ("ruby -c", Lang::Ruby),
    ("perl -c", Lang::Other),
    ("bash -n", Lang::Shell),
    ("R tests", Lang::Other),
    ("julia tests", Lang::Other),
];

/// Whose code a runner judges, and whether it is a general one, which may start any other.
pub(super) fn origin(runner: &str) -> (Lang, bool) {
    if runner == PACKAGE_SCRIPT {
        return (Lang::Js, true);
    }
    if let Some(tasks) = TASKS.iter().find(|tasks| tasks.runner == runner) {
        return (tasks.lang, true);
    }
    if let Some(lang) = FILES.iter().find(|(_, _, label)| *label == runner).map(|(_, lang, _)| *lang) {
        return (lang, false);
    }
    if let Some((_, lang)) = OTHERS.iter().find(|(label, _)| *label == runner) {
        return (*lang, false);
    }
    let of_table = programs().find(|program| program.rows.iter().any(|row| row.runner == runner));
    (of_table.map_or(Lang::Own, |program| program.lang), runner == "pre-commit")
}
