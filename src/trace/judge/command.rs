//! One simple command: takes off what only wraps a program, until the program itself is there.

use super::dir::Dir;
use super::scope::Scope;
use super::table::{GENERIC, OWN, WRAPPERS, Wrapper};
use super::{CheckKind, OwnJudge, interpret, packages, programs};

/// More programs in a row that only run another one are not written by anybody.
const MAX_STEPS: usize = 16;

/// A judge in a command, before it is known whether the exit code tells its verdict.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: CheckKind,
    pub(super) runner: &'static str,
    pub(super) scope: String,
    pub(super) narrowed: bool,
    /// It ends with 0 whatever it finds.
    pub(super) silent: bool,
}

/// What a simple command comes down to.
#[derive(Debug)]
pub(super) enum Reading {
    /// These judges; mostly none or one.
    Judges(Vec<Found>),
    /// A command line of its own, for another shell.
    Script { text: String, errexit: bool, pipefail: bool },
}

impl Reading {
    pub(super) const NOTHING: Reading = Reading::Judges(Vec::new());

    pub(super) fn script(text: &str) -> Reading {
        Reading::Script { text: text.to_owned(), errexit: false, pipefail: false }
    }
}

/// What one look at a command leads to.
pub(super) enum Step<'w> {
    Done(Reading),
    /// These words are the command in truth.
    Next(&'w [&'w str]),
    /// So are these, with a program that is called otherwise than it is written.
    Named(&'w str, &'w [&'w str]),
}

impl Step<'_> {
    pub(super) const NOTHING: Self = Step::Done(Reading::NOTHING);
}

/// A command while it is read.
pub(super) struct Call<'c> {
    /// Where it runs.
    pub(super) dir: Dir,
    /// What is fed to it from the text itself.
    pub(super) stdin: Option<&'c str>,
    /// Variants that its environment chooses.
    variants: Vec<String>,
    /// Its targets come from another program.
    pub(super) fed: bool,
}

impl Call<'_> {
    /// A flag's working directory, or the manifest that lies in it.
    pub(super) fn enter(&mut self, path: &str) {
        let (folder, base) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        let manifest = [".toml", ".xml", ".json", ".gradle", ".kts"].iter().any(|end| base.ends_with(end));
        self.dir.enter(if manifest { folder } else { path });
    }

    /// Finishes a scope with what the command's surroundings add to it.
    pub(super) fn scope(&self, mut scope: Scope) -> (String, bool) {
        for variant in &self.variants {
            scope.variant(variant);
        }
        if self.fed {
            scope.select("-xargs");
        }
        scope.finish(&self.dir)
    }

    pub(super) fn found(&self, kind: CheckKind, runner: &'static str, scope: Scope) -> Found {
        let (scope, narrowed) = self.scope(scope);
        Found { kind, runner, scope, narrowed, silent: false }
    }

    pub(super) fn judge<'w>(&self, kind: CheckKind, runner: &'static str, scope: Scope) -> Step<'w> {
        Step::Done(Reading::Judges(vec![self.found(kind, runner, scope)]))
    }
}

/// Reads a command. `dir`: where it runs.
pub(super) fn read(words: &[&str], stdin: Option<&str>, dir: &Dir, own: &[OwnJudge]) -> (Reading, Dir) {
    let mut call = Call { dir: dir.clone(), stdin, variants: Vec::new(), fed: false };
    let mut step = Step::Next(words);
    for _ in 0..MAX_STEPS {
        let (name, args) = match step {
            Step::Done(reading) => return (reading, call.dir),
            Step::Named(name, args) => (name, args),
            Step::Next(words) => match without_assignments(words, &mut call).split_first() {
                Some((first, rest)) => (*first, rest),
                None => break,
            },
        };
        step = match configured(&call, name, args, own) {
            Some(step) => step,
            None => known(&mut call, name, args),
        };
    }
    match step {
        Step::Done(reading) => (reading, call.dir),
        _ => (Reading::NOTHING, call.dir),
    }
}

fn known<'w>(call: &mut Call<'_>, word: &'w str, args: &'w [&'w str]) -> Step<'w> {
    let name = program_name(word);
    WRAPPERS
        .iter()
        .find(|wrapper| wrapper.name == name)
        .and_then(|wrapper| unwrap(wrapper, args, call))
        .or_else(|| interpret::read(call, name, word, args))
        .or_else(|| packages::read(call, name, args))
        .or_else(|| programs::read(call, name, args))
        .or_else(|| interpret::by_path(call, word, args))
        .unwrap_or(Step::NOTHING)
}

/// Judges from the configuration: their words begin the command.
fn configured<'w>(call: &Call<'_>, name: &str, args: &[&'w str], own: &[OwnJudge]) -> Option<Step<'w>> {
    let hit = own.iter().find_map(|judge| {
        let mut pattern = judge.pattern.split_whitespace();
        let first = pattern.next()?;
        if first != name && first != program_name(name) {
            return None;
        }
        let mut rest = args.iter();
        pattern.all(|word| rest.next() == Some(&word)).then_some(judge)?;
        Some((judge, rest.as_slice()))
    });
    let (judge, rest) = hit?;
    let Some(read) = GENERIC.read(rest) else { return Some(Step::NOTHING) };
    let mut scope = Scope::default();
    scope.read(&read, super::scope::Words::Patterns, &GENERIC, &call.dir);
    scope.title(&judge.pattern);
    Some(call.judge(judge.kind, OWN, scope))
}

/// Goes past what wraps a program; `None`: it is not used that way.
fn unwrap<'w>(wrapper: &Wrapper, args: &'w [&'w str], call: &mut Call<'_>) -> Option<Step<'w>> {
    let mut verb = wrapper.verbs.is_empty();
    let mut skip = wrapper.skip;
    let mut flags = true;
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        let (flag, glued) = match word.split_once('=') {
            Some((flag, value)) if word.starts_with("--") => (flag, Some(value)),
            _ => (*word, None),
        };
        if verb && wrapper.marked && (*word == "--" || wrapper.marks.contains(word)) {
            return Some(Step::Next(after));
        } else if *word == "--" {
            flags = false;
        } else if flags && wrapper.off.contains(word) {
            return Some(Step::NOTHING);
        } else if flags && wrapper.script.contains(&flag) {
            let text = match (glued, wrapper.joined) {
                (Some(text), _) => text.to_owned(),
                (None, true) => after.join(" "),
                (None, false) => after.first().copied().unwrap_or("").to_owned(),
            };
            return Some(Step::Done(Reading::script(&text)));
        } else if flags && wrapper.python && verb && *word == "-m" {
            return Some(Step::Named("python", rest));
        } else if flags && word.starts_with('-') {
            let value = glued.or_else(|| after.first().copied());
            let taken = wrapper.dir.contains(&flag) || wrapper.value.contains(&flag);
            if let Some(path) = value.filter(|_| wrapper.dir.contains(&flag)) {
                call.enter(path);
            }
            if taken && glued.is_none() {
                rest = after.get(1..).unwrap_or(&[]);
                continue;
            }
        } else if !verb {
            // `docker compose exec`, `uv tool run`
            if wrapper.verbs.contains(word) {
                verb = true;
            } else if !matches!(*word, "compose" | "container" | "tool") {
                return None;
            }
        } else if skip > 0 {
            skip -= 1;
            flags &= !wrapper.joined;
        } else if wrapper.joined {
            return Some(Step::Done(Reading::script(&rest.join(" "))));
        } else if !wrapper.marked {
            call.fed |= wrapper.fed;
            return Some(if wrapper.python && word.ends_with(".py") { Step::Named("python", rest) } else { Step::Next(rest) });
        }
        rest = after;
    }
    match call.stdin {
        // `ssh host <<EOF`
        Some(text) if wrapper.joined && verb => Some(Step::Done(Reading::script(text))),
        _ => verb.then_some(Step::NOTHING),
    }
}

/// Leaves out `A=b` before a program. What cross-compiles is another variant.
fn without_assignments<'w>(mut words: &'w [&'w str], call: &mut Call<'_>) -> &'w [&'w str] {
    while let Some((word, rest)) = words.split_first() {
        let Some((name, _)) = assignment(word) else { break };
        if matches!(name, "GOOS" | "GOARCH" | "CARGO_BUILD_TARGET") {
            call.variants.push((*word).to_owned());
        }
        words = rest;
    }
    words
}

/// `NAME=value`
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (plain && name.bytes().next().is_some_and(|b| !b.is_ascii_digit())).then_some((name, value))
}

/// The last part of a path, without what marks a Windows program.
pub(super) fn base(word: &str) -> &str {
    let base = word.rsplit(['/', '\\']).next().unwrap_or(word);
    [".exe", ".cmd", ".bat"].iter().find_map(|end| base.strip_suffix(end)).unwrap_or(base)
}

/// A program's name: no path, no version, no target it compiles for.
pub(super) fn program_name(word: &str) -> &str {
    let base = base(word);
    let base = base.split_once('@').map_or(base, |(name, _)| if name.is_empty() { base } else { name });
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if base.strip_prefix("python").or_else(|| base.strip_prefix("pypy")).is_some_and(number) {
        return "python";
    }
    let base = base
        .rsplit_once('-')
        .filter(|(name, version)| !version.is_empty() && !name.is_empty() && number(version))
        .map_or(base, |(name, _)| name);
    match base {
        "py" => "python",
        "nodejs" => "node",
        "pre_commit" => "pre-commit",
        "twisted.trial" => "trial",
        _ if base.ends_with("-gcc") || base.ends_with("-cc") => "gcc",
        _ if base.ends_with("-g++") || base.ends_with("-c++") => "g++",
        _ => base,
    }
}
