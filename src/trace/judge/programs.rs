//! Programs from the tables: runners of their own, and those that run targets by name.

use super::CheckKind::{Build, Test};
use super::args::Args;
use super::command::{Call, Found, Reading, Step, assignment};
use super::names;
use super::scope::{Scope, Words, is_source};
use super::table::{Lang, Program, Row, TASKS, Tasks, find};

/// Nobody names more targets in one command; each has a scope of its own.
const MAX_TARGETS: usize = 32;

/// A known program with its arguments; `None`: it is not known.
pub(super) fn read<'w>(call: &mut Call<'_>, name: &'w str, args: &'w [&'w str]) -> Option<Step<'w>> {
    if let Some(step) = (name == "cargo").then(|| cargo(args)).flatten() {
        return Some(step);
    }
    TASKS
        .iter()
        .filter(|tasks| tasks.name == name)
        .find_map(|tasks| targets(call, tasks, args))
        .or_else(|| find(name).map(|program| runner(call, program, args)))
}

fn runner<'w>(call: &mut Call<'_>, program: &Program, args: &'w [&'w str]) -> Step<'w> {
    let Some(mut read) = program.style.read(args) else { return Step::NOTHING };
    // `cargo +nightly`, `dotnet build /p:Name=value`
    let option = |word: &str| word.starts_with('+') || program.lang == Lang::DotNet && word.starts_with('/') && word.contains(':');
    read.words.retain(|word| !option(word));
    let Some(row) = program.rows.iter().find(|row| fits(row, &read)) else { return Step::NOTHING };
    let Some(kind) = row.kind else { return Step::NOTHING };
    read.words.drain(..row.sub.split_whitespace().count());
    let given = !read.words.is_empty() || !read.paths.is_empty() || call.fed;
    let missing = match row.words {
        Words::Files => !given,
        Words::Sources => !read.words.iter().any(|word| is_source(word)),
        _ => false,
    };
    if missing {
        return Step::NOTHING;
    }
    enter(call, &read);
    let mut scope = Scope::default();
    scope.read(&read, row.words, program.style, &call.dir);
    if read.build_only && kind == Test {
        let build = program.rows.iter().find(|row| row.sub == "build").map_or(row.runner, |row| row.runner);
        return call.judge(Build, build, scope);
    }
    Step::Done(Reading::Judges(vec![Found { silent: row.silent, ..call.found(kind, row.runner, scope) }]))
}

fn fits(row: &Row, args: &Args<'_>) -> bool {
    let mut words = args.words.iter();
    let sub = row.sub.split_whitespace().all(|part| words.next() == Some(&part));
    sub && (row.needs.is_empty() || args.has_any(row.needs)) && !args.has_any(row.unless)
}

fn enter(call: &mut Call<'_>, args: &Args<'_>) {
    if let Some(dir) = args.dir {
        call.enter(dir);
    }
}

/// Commands of Cargo that run others.
fn cargo<'w>(args: &'w [&'w str]) -> Option<Step<'w>> {
    let at = args.iter().position(|word| !word.starts_with(['-', '+']))?;
    let rest = args.get(at + 1..)?;
    match *args.get(at)? {
        "make" | "xtask" => {
            let name = if args.get(at) == Some(&"make") { "cargo-make" } else { "cargo-xtask" };
            Some(Step::Named(name, rest))
        }
        "watch" => {
            let flag = rest.iter().position(|word| matches!(*word, "-x" | "--exec" | "-s" | "--shell"))?;
            let text = rest.get(flag + 1)?;
            let own = matches!(rest.get(flag), Some(&"-x" | &"--exec"));
            Some(Step::Done(Reading::script(&if own { format!("cargo {text}") } else { (*text).to_owned() })))
        }
        _ => None,
    }
}

/// A program that runs targets; `None`: its arguments do not name one where it has other commands too.
fn targets<'w>(call: &mut Call<'_>, tasks: &Tasks, args: &'w [&'w str]) -> Option<Step<'w>> {
    let Some(mut read) = tasks.style.read(args) else { return Some(Step::NOTHING) };
    let verb = read.words.first().copied().filter(|first| tasks.verbs.contains(first));
    if verb.is_none() && tasks.must {
        return None;
    }
    if let Some(verb) = verb {
        read.words.remove(0);
        read.before = read.before.saturating_sub(1);
        let behind = args.iter().position(|word| *word == verb).and_then(|at| args.get(at + 1..)).unwrap_or(&[]);
        // `hatch run pytest`: any program may stand where a target's name does.
        if tasks.must && behind.first().is_some_and(|word| find(word).is_some() || *word == "python") {
            return Some(Step::Next(behind));
        }
    }
    if tasks.name == "cmake" && read.dir.is_none() {
        // Without `--build` it only configures.
        return Some(Step::NOTHING);
    }
    if tasks.rooted {
        call.dir = call.dir.root();
    }
    enter(call, &read);
    let mut common = Scope::default();
    read.words.retain(|word| !word.starts_with('$') && !variable(word, &mut common));
    let by_flag = !read.targets.is_empty();
    let mut named = std::mem::take(&mut read.targets);
    let taken = match (by_flag, tasks.many) {
        (true, false) => 0,
        (_, true) => read.before.min(read.words.len()),
        (false, false) => usize::from(!read.words.is_empty() && read.before > 0),
    };
    named.extend(read.words.drain(..taken));
    common.read(&read, Words::Patterns, tasks.style, &call.dir);
    let found = match tasks.default.filter(|_| named.is_empty()) {
        Some(kind) => vec![call.found(kind, tasks.runner, common)],
        None => {
            let mut found: Vec<Found> = Vec::new();
            for target in named.iter().take(MAX_TARGETS) {
                let one = target_of(call, tasks, target, common.clone(), read.build_only);
                // Two names of one thing (`coverage test`) are one check.
                found.extend(one.filter(|one| !found.iter().any(|other| (other.kind, &other.scope) == (one.kind, &one.scope))));
            }
            found
        }
    };
    Some(Step::Done(Reading::Judges(found)))
}

fn target_of(call: &Call<'_>, tasks: &Tasks, target: &str, mut scope: Scope, build_only: bool) -> Option<Found> {
    // sbt: `"testOnly *Login*"`
    let (target, rest) = target.split_once(char::is_whitespace).unwrap_or((target, ""));
    // Gradle: `:app:test`
    let (project, name) = target.rsplit_once(':').filter(|_| tasks.runner == "gradle").unwrap_or(("", target));
    let also = tasks.also.iter().find(|(known, _)| *known == name);
    let kind = also.map(|(_, kind)| *kind).or_else(|| names::kind(name, tasks.weak)).or(tasks.unknown)?;
    let kind = if build_only && kind == Test { Build } else { kind };
    let project = project.trim_matches(':').replace(':', "/");
    if !project.is_empty() {
        scope.path(&project, &[], &call.dir);
    }
    if also.is_none() && names::is_part(name) {
        scope.name(name);
    }
    if !rest.trim().is_empty() {
        scope.name(rest);
    }
    Some(call.found(kind, tasks.runner, scope))
}

/// `TEST=login` behind `make test`: is it a variable? One that picks tests goes into the scope.
fn variable(word: &str, scope: &mut Scope) -> bool {
    let Some((name, value)) = assignment(word) else { return false };
    const PICKS: &[&str] = &["ARG", "FILE", "FILTER", "GREP", "PATTERN", "PKG", "RUN", "SPEC", "SUITE", "TEST"];
    let name = name.to_ascii_uppercase();
    if !value.is_empty() && PICKS.iter().any(|part| name.contains(part)) {
        scope.name(word);
    }
    true
}
