//! Shells and interpreters: what they are given to run decides.

use super::CheckKind::{self, Build, Test};
use super::command::{Call, Reading, Step, base, program_name};
use super::names;
use super::scope::{Scope, Words};
use super::table::{FILES, GENERIC, JS_TEST, SCRIPT, TASKS, WRAPPERS, find};

/// A shell or an interpreter with its arguments; `None`: it is neither.
pub(super) fn read<'w>(call: &mut Call<'_>, name: &'w str, word: &'w str, args: &'w [&'w str]) -> Option<Step<'w>> {
    match name {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish" => Some(shell(call, args)),
        "pwsh" | "powershell" => Some(powershell(call, args)),
        "source" | "." if word == name => Some(args.split_first().map_or(Step::NOTHING, |(file, rest)| script(call, "", file, rest))),
        "python" => Some(python(call, args)),
        "node" | "tsx" | "ts-node" => Some(node(call, name, args)),
        "ruby" => Some(plain(call, name, args, &["-I", "-r", "-C"], Some(("-c", "ruby -c")))),
        "perl" => Some(plain(call, name, args, &["-I"], Some(("-c", "perl -c")))),
        "php" => Some(plain(call, name, args, &["-d", "-c"], Some(("-l", "php -l")))),
        "lua" => Some(plain(call, name, args, &["-l"], None)),
        "Rscript" | "R" | "julia" => expression(call, name, args),
        _ => None,
    }
}

/// A program named by its path: `./run_tests.sh`, `build/unit_tests`.
pub(super) fn by_path<'w>(call: &mut Call<'_>, word: &'w str, args: &'w [&'w str]) -> Option<Step<'w>> {
    word.contains(['/', '\\']).then(|| script(call, "", word, args))
}

fn shell<'w>(call: &mut Call<'_>, args: &'w [&'w str]) -> Step<'w> {
    let (mut errexit, mut pipefail, mut syntax) = (false, false, false);
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            return if syntax { file(call, Build, "bash -n", word) } else { script(call, "sh", word, after) };
        };
        if letters.starts_with('-') {
            if matches!(letters, "-rcfile" | "-init-file") {
                rest = after.get(1..).unwrap_or(&[]);
            }
            continue;
        }
        errexit |= letters.contains('e');
        syntax |= letters.contains('n');
        if letters.ends_with(['o', 'O']) {
            pipefail |= after.first() == Some(&"pipefail");
            errexit |= after.first() == Some(&"errexit");
            rest = after.get(1..).unwrap_or(&[]);
        }
        if letters.contains('c') {
            // Options may still stand before the text.
            while let Some((option, behind)) = rest.split_first().filter(|(option, _)| option.starts_with('-')) {
                pipefail |= *option == "-o" && behind.first() == Some(&"pipefail");
                rest = behind.get(usize::from(*option == "-o")..).unwrap_or(&[]);
            }
            let text = rest.first().copied().unwrap_or("").to_owned();
            return Step::Done(Reading::Script { text, errexit, pipefail });
        }
    }
    match call.stdin {
        Some(text) if !syntax => Step::Done(Reading::Script { text: text.to_owned(), errexit, pipefail }),
        _ => Step::NOTHING,
    }
}

fn powershell<'w>(call: &mut Call<'_>, args: &'w [&'w str]) -> Step<'w> {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        match word.to_ascii_lowercase().as_str() {
            "-c" | "-command" => return Step::Done(Reading::script(&after.join(" "))),
            "-f" | "-file" => return after.split_first().map_or(Step::NOTHING, |(file, rest)| script(call, "pwsh", file, rest)),
            "-executionpolicy" | "-ep" | "-workingdirectory" => rest = after.get(1..).unwrap_or(&[]),
            flag if flag.starts_with('-') => rest = after,
            _ => return Step::Done(Reading::script(&rest.join(" "))),
        }
    }
    Step::NOTHING
}

fn python<'w>(call: &mut Call<'_>, args: &'w [&'w str]) -> Step<'w> {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        match word.strip_prefix('-') {
            None => return script(call, "python", word, after),
            Some("W" | "X" | "-check-hash-based-pycs") => rest = after.get(1..).unwrap_or(&[]),
            Some(flags) if flags.starts_with('-') => {}
            Some(flags) if flags.starts_with('m') && flags.len() > 1 => return module(call, flags.get(1..).unwrap_or(""), after),
            Some(flags) if flags.ends_with('m') => {
                return after.split_first().map_or(Step::NOTHING, |(name, rest)| module(call, name, rest));
            }
            Some("") => return Step::NOTHING,
            Some(flags) if flags.ends_with('c') => return Step::NOTHING,
            Some(_) => {}
        }
    }
    Step::NOTHING
}

/// `python -m name`: a runner, or a module whose own name says that it tests.
fn module<'w>(call: &mut Call<'_>, name: &'w str, args: &'w [&'w str]) -> Step<'w> {
    let program = program_name(name);
    let is_known = find(program).is_some() || TASKS.iter().any(|tasks| tasks.name == program) || program == "coverage";
    if is_known && !name.contains('/') {
        return Step::Named(name, args);
    }
    // Without a dot it is a package with an entry of its own.
    let path = if name.contains('.') { format!("{}.py", name.replace('.', "/")) } else { name.to_owned() };
    let Some(kind) = names::script(&path, false) else { return Step::NOTHING };
    let mut scope = Scope::default();
    scope.file(&path, names::is_runner(base(&path)), &call.dir);
    call.judge(kind, "python file", scope)
}

fn node<'w>(call: &mut Call<'_>, name: &'w str, args: &'w [&'w str]) -> Step<'w> {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        match *word {
            "--test" => {
                let Some(read) = JS_TEST.read(args) else { return Step::NOTHING };
                let mut scope = Scope::default();
                scope.read(&read, Words::Patterns, &JS_TEST, &call.dir);
                return call.judge(Test, "node test", scope);
            }
            "--check" | "-c" => return after.first().map_or(Step::NOTHING, |path| file(call, Build, "node --check", path)),
            "-e" | "-p" | "-pe" | "--eval" | "--print" | "-" => return Step::NOTHING,
            "-r" | "--require" | "--import" | "--loader" | "--experimental-loader" | "--env-file" | "--tsconfig" | "-P" | "-O" => {
                rest = after.get(1..).unwrap_or(&[]);
            }
            flag if flag.starts_with('-') => {}
            _ => return script(call, name, word, after),
        }
    }
    Step::NOTHING
}

/// An interpreter whose flags `valued` take a value, and which checks a file's syntax with `syntax`.
fn plain<'w>(call: &mut Call<'_>, name: &str, args: &'w [&'w str], valued: &[&str], syntax: Option<(&str, &'static str)>) -> Step<'w> {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if let Some((_, runner)) = syntax.filter(|(flag, _)| flag == word) {
            return after.first().map_or(Step::NOTHING, |path| file(call, Build, runner, path));
        } else if valued.contains(word) {
            rest = after.get(1..).unwrap_or(&[]);
        } else if matches!(*word, "-e" | "-E" | "-r" | "-n" | "-ne" | "-pe" | "-") {
            return Step::NOTHING;
        } else if !word.starts_with('-') {
            return script(call, name, word, after);
        }
    }
    Step::NOTHING
}

/// R and Julia start their tests by an expression. `None`: it is a command of R's own.
fn expression<'w>(call: &mut Call<'_>, name: &str, args: &'w [&'w str]) -> Option<Step<'w>> {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let (flag, glued) = word.split_once('=').map_or((*word, None), |(flag, value)| (flag, Some(value)));
        match flag {
            "CMD" => return None,
            "-e" | "-E" | "--eval" => {
                let code = glued.or_else(|| after.first().copied()).unwrap_or("");
                let calls: &[&str] = if name == "julia" {
                    &["Pkg.test(", "runtests.jl"]
                } else {
                    &["test(", "test_dir(", "test_file(", "test_local(", "test_check(", "rcmdcheck("]
                };
                if !calls.iter().any(|call| code.contains(call)) {
                    return Some(Step::NOTHING);
                }
                return Some(call.judge(Test, if name == "julia" { "julia tests" } else { "R tests" }, Scope::default()));
            }
            _ if flag.starts_with('-') => {}
            _ => return Some(script(call, name, word, after)),
        }
    }
    Some(Step::NOTHING)
}

/// A file that is only looked at.
fn file<'w>(call: &Call<'_>, kind: CheckKind, runner: &'static str, path: &str) -> Step<'w> {
    let mut scope = Scope::default();
    scope.path(path, &[], &call.dir);
    call.judge(kind, runner, scope)
}

/// A script file that is run: a known runner's own entry (`manage.py`, `node_modules/.bin/jest`), or one whose name
/// says what it does. `interpreter` is empty where the file is run by itself.
pub(super) fn script<'w>(call: &Call<'_>, interpreter: &str, path: &'w str, args: &'w [&'w str]) -> Step<'w> {
    let name = base(path);
    let stem = [".js", ".mjs", ".cjs"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    if !matches!(interpreter, "" | "sh" | "pwsh")
        && (find(stem).is_some() || TASKS.iter().any(|t| t.name == stem) || WRAPPERS.iter().any(|w| w.name == stem))
    {
        return Step::Named(stem, args);
    }
    let shell = matches!(interpreter, "sh" | "pwsh") || [".sh", ".bash", ".ps1"].iter().any(|end| name.ends_with(end));
    let Some(kind) = names::script(path, shell) else { return Step::NOTHING };
    let Some(read) = GENERIC.read(args) else { return Step::NOTHING };
    if let Some(command) = read.words.first().filter(|word| !word.contains(['/', '.'])) {
        // A compiled program with commands of its own is no test for being called one.
        let program = interpreter.is_empty() && !name.contains('.') && !names::is_runner(name);
        // What a harness is told decides, not its own name.
        let tool = names::is_tool(name) && names::kind(command, Test).is_none();
        if program || tool || names::sets_up(command) {
            return Step::NOTHING;
        }
    }
    let mut scope = Scope::default();
    scope.read(&read, Words::Patterns, &GENERIC, &call.dir);
    scope.file(path, names::is_runner(name), &call.dir);
    let runner = FILES.iter().find(|(name, _, _)| *name == interpreter).map_or(SCRIPT, |(_, _, runner)| runner);
    call.judge(kind, runner, scope)
}
