//! Package managers of JavaScript: they run scripts by name, and programs.

use super::CheckKind::{Build, Lint, Test};
use super::command::{Call, Step, base, program_name};
use super::interpret;
use super::names;
use super::scope::{Scope, Words};
use super::table::{GENERIC, JS_TEST, PACKAGE_SCRIPT, find};

/// Their commands that run neither a script nor a judge, as far as a script could be called the same.
const OWN_COMMANDS: &[&str] = &[
    "add", "audit", "ci", "config", "create", "dedupe", "deploy", "i", "info", "init", "install", "link", "list", "ls", "outdated", "pack",
    "publish", "remove", "store", "up", "update", "upgrade", "version", "view", "why",
];

/// npm, pnpm, yarn or bun; `None`: it is none of them.
pub(super) fn read<'w>(call: &mut Call<'_>, name: &str, args: &'w [&'w str]) -> Option<Step<'w>> {
    if !matches!(name, "npm" | "pnpm" | "yarn" | "bun") {
        return None;
    }
    let mut selects: Vec<String> = Vec::new();
    let mut rest = flags(call, name, args, &mut selects);
    while let Some((word, after)) = rest.split_first() {
        match (name, *word) {
            ("yarn", "workspace") => {
                let (package, behind) = after.split_first()?;
                selects.push(format!("-w={package}"));
                rest = flags(call, name, behind, &mut selects);
            }
            ("yarn", "workspaces" | "foreach") => rest = flags(call, name, after, &mut selects),
            _ => return Some(command(call, name, word, after, selects)),
        }
    }
    Some(Step::NOTHING)
}

/// Goes past a manager's own flags: the directory it works in, and the packages it picks.
fn flags<'w>(call: &mut Call<'_>, manager: &str, args: &'w [&'w str], selects: &mut Vec<String>) -> &'w [&'w str] {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first().filter(|(word, _)| word.starts_with('-')) {
        let (flag, glued) = word.split_once('=').map_or((*word, None), |(flag, value)| (flag, Some(value)));
        let value = glued.or_else(|| after.first().copied());
        rest = after;
        match flag {
            // They only ask, whatever follows.
            "--help" | "-h" | "--version" | "-v" => return &[],
            // pnpm's own `-w` is a switch: the workspace's root.
            "-w" if manager == "pnpm" => continue,
            "--prefix" | "--cwd" | "--dir" | "-C" => value.into_iter().for_each(|path| call.enter(path)),
            "-w" | "--filter" | "-F" | "--workspace" => selects.extend(value.map(|package| format!("-w={package}"))),
            _ => continue,
        }
        if glued.is_none() {
            rest = after.get(1..).unwrap_or(&[]);
        }
    }
    rest
}

fn command<'w>(call: &mut Call<'_>, manager: &str, word: &'w str, args: &'w [&'w str], mut selects: Vec<String>) -> Step<'w> {
    match (manager, word) {
        ("bun", "test") => script(call, "test", args, &selects, true),
        ("bun", "build") => call.judge(Build, "bun build", Scope::default()),
        (_, "test" | "t" | "tst") => script(call, "test", args, &selects, false),
        ("npm", "rum" | "urn") | (_, "run" | "run-script") => {
            let rest = flags(call, manager, args, &mut selects);
            match rest.split_first() {
                Some((file, after)) if is_file(file) => interpret::script(call, "node", file, after),
                // Yarn and Bun run programs this way as well.
                Some((program, _)) if manager != "npm" && is_program(program) => Step::Next(rest),
                Some((name, after)) => script(call, name, after, &selects, false),
                None => Step::NOTHING,
            }
        }
        ("npm", "exec" | "x") | ("pnpm" | "yarn", "exec" | "dlx") | ("bun", "x") => Step::Named("npx", args),
        _ if OWN_COMMANDS.contains(&word) || manager == "npm" => Step::NOTHING,
        _ if is_file(word) => interpret::script(call, "node", word, args),
        _ if is_program(word) => Step::Named(word, args),
        _ => script(call, word, args, &selects, false),
    }
}

fn is_file(word: &str) -> bool {
    [".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".jsx"].iter().any(|end| base(word).ends_with(end))
}

fn is_program(word: &str) -> bool {
    let name = program_name(word);
    find(name).is_some() || matches!(name, "turbo" | "nx" | "lerna")
}

/// A script of the package, or with `bun` Bun's own test runner.
fn script<'w>(call: &Call<'_>, name: &str, args: &'w [&'w str], selects: &[String], bun: bool) -> Step<'w> {
    let Some(kind) = names::kind(name, Lint) else { return Step::NOTHING };
    let style = if kind == Test { &JS_TEST } else { &GENERIC };
    let Some(mut read) = style.read(args) else { return Step::NOTHING };
    if kind != Test {
        // What a build or a linter is given is a target only if it looks like a path.
        read.words.retain(|word| word.contains(['/', '.']));
    }
    let mut scope = Scope::default();
    scope.read(&read, Words::Patterns, style, &call.dir);
    for select in selects {
        scope.select(select);
    }
    if names::is_part(name) {
        scope.name(name);
    }
    if bun { call.judge(kind, "bun test", scope) } else { call.judge(kind, PACKAGE_SCRIPT, scope) }
}
