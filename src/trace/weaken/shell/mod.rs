//! Shell commands that weaken a check: by writing files, by taking them away, or by how they run a check.

mod edits;
mod files;
mod program;
mod sed;
pub(super) mod words;
mod writes;

use super::judge::{Forced, is_usual, judged};
use super::patch;
use super::util::{base_name, evidence};
use super::{Before, Weakening, WeakeningKind, examine_from};
use words::{Simple, commands};
pub(in crate::trace) use writes::{is_null_command, writes};

/// How deep `bash -c "bash -c …"` is followed.
const DEPTH: usize = 3;

/// See [`super::examine_command`].
pub(super) fn examine(command: &str) -> Vec<(String, Weakening)> {
    let mut found = Vec::new();
    read(command, DEPTH, &mut found);
    found
}

fn read(text: &str, depth: usize, found: &mut Vec<(String, Weakening)>) {
    let all = commands(text);
    for (i, simple) in all.iter().enumerate() {
        one(simple, i.checked_sub(1).and_then(|i| all.get(i)), depth, found);
    }
    runs(text, found);
}

fn one(simple: &Simple, before: Option<&Simple>, depth: usize, found: &mut Vec<(String, Weakening)>) {
    let words = simple.program();
    let Some(program) = words.first() else {
        // `> file` alone empties it.
        found.extend(simple.redirects.iter().filter(|r| !r.append).flat_map(|r| files::emptied(&r.path, &simple.text)));
        return;
    };
    let name = base_name(program);
    let arguments = words.get(1..).unwrap_or_default();
    match name {
        "bash" | "sh" | "zsh" | "dash" => {
            let script = arguments.iter().position(|w| w.starts_with('-') && w.ends_with('c')).and_then(|i| arguments.get(i + 1));
            if let Some(script) = script.filter(|_| depth > 0) {
                read(script, depth - 1, found);
            } else if let Some(document) = simple.document.as_ref().filter(|_| depth > 0 && arguments.iter().all(|w| w.starts_with('-'))) {
                read(document, depth - 1, found);
            }
        }
        "sed" | "gsed" => found.extend(sed::examine(arguments, &simple.text)),
        "perl" => found.extend(sed::perl(arguments, &simple.text)),
        "rm" | "unlink" | "trash" | "rimraf" => found.extend(files::removed(arguments, &simple.text)),
        "git" => match arguments.first().map(String::as_str) {
            Some("rm") => found.extend(files::removed(arguments.get(1..).unwrap_or_default(), &simple.text)),
            Some("mv") => found.extend(files::moved(arguments.get(1..).unwrap_or_default(), &simple.text)),
            Some("apply") => found.extend(simple.document.iter().flat_map(|d| patch::examine(d))),
            _ => {}
        },
        "mv" => found.extend(files::moved(arguments, &simple.text)),
        "cp" | "install" => found.extend(files::copied_over(arguments, &simple.text)),
        "find" => found.extend(files::found_and_deleted(arguments, &simple.text)),
        "chmod" => found.extend(files::locked(arguments, &simple.text)),
        "truncate" => found.extend(
            arguments
                .iter()
                .filter(|w| !w.starts_with('-') && !w.bytes().all(|b| b.is_ascii_digit()))
                .flat_map(|p| files::emptied(p, &simple.text)),
        ),
        "patch" | "apply_patch" | "applypatch" => {
            let inline = arguments.iter().find(|a| a.contains("*** Begin Patch"));
            found.extend(simple.document.iter().chain(inline).flat_map(|d| patch::examine(d)));
        }
        "python" | "python3" | "node" => {
            let script = arguments.iter().position(|w| w == "-c" || w == "-e").and_then(|i| arguments.get(i + 1));
            found.extend(script.or(simple.document.as_ref()).map(|s| program::examine(s)).unwrap_or_default());
        }
        "cat" | "echo" | "printf" | "tee" => written(name, arguments, simple, before, found),
        _ => {
            // A program's own output over a golden file.
            found.extend(simple.redirects.iter().filter(|r| !r.append).flat_map(|r| files::recorded(&r.path, &simple.text)));
        }
    }
}

/// `cat > p <<EOF`, `echo x >> p`, `echo x | tee p`.
fn written(name: &str, arguments: &[String], simple: &Simple, before: Option<&Simple>, found: &mut Vec<(String, Weakening)>) {
    let said = |name: &str, arguments: &[String]| -> Option<String> {
        match name {
            "echo" => Some(
                arguments
                    .iter()
                    .filter(|a| !matches!(a.as_str(), "-e" | "-n" | "-en" | "-ne"))
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .replace("\\n", "\n"),
            ),
            "printf" => Some(arguments.first()?.replace("\\n", "\n").replacen("%s", arguments.get(1).map_or("", String::as_str), 1)),
            _ => None,
        }
    };
    let text = simple.document.clone().or_else(|| said(name, arguments)).or_else(|| {
        before
            .filter(|b| b.after == words::Joint::Pipe && name == "tee")
            .and_then(|b| b.program().split_first().and_then(|(p, a)| b.document.clone().or_else(|| said(p, a))))
    });
    let mut targets: Vec<(bool, String)> = simple.redirects.iter().map(|r| (r.append, r.path.clone())).collect();
    if name == "tee" {
        let append = arguments.iter().any(|a| a == "-a" || a == "--append");
        targets.extend(arguments.iter().filter(|a| !a.starts_with('-')).map(|p| (append, p.clone())));
    }
    for (append, path) in targets {
        match &text {
            Some(text) if text.trim().is_empty() && !append => found.extend(files::emptied(&path, &simple.text)),
            Some(text) => {
                let before = if append { Before::Appended } else { Before::Unknown };
                found.extend(examine_from(&path, before, text).into_iter().map(|w| (path.clone(), w)));
                if !append {
                    found.extend(files::recorded(&path, &simple.text).filter(|_| simple.document.is_none() && name != "echo"));
                }
            }
            // `cat actual > expected`
            None if !append => found.extend(files::recorded(&path, &simple.text)),
            None => {}
        }
    }
}

/// Flags and variables by which a runner writes down what it sees as what it expects.
const RECORDING: &[&str] = &[
    "--updateSnapshot",
    "--update-snapshots",
    "--update-snapshot",
    "--snapshot-update",
    "--inline-snapshot=fix",
    "--inline-snapshot=update",
    "--force-regen",
    "--update-golden",
    "--update-goldens",
    "--update-expected",
    "--test-update-snapshots",
    "--regenerate-expected",
];
/// The same, as variables.
const RECORDING_VARIABLES: &[&str] = &[
    "UPDATE_GOLDEN=",
    "UPDATE_GOLDENS=",
    "UPDATE_EXPECT=",
    "UPDATE_SNAPSHOTS=",
    "UPDATE_SNAPSHOT=",
    "INSTA_UPDATE=always",
    "INSTA_FORCE_PASS=1",
    "UPDATE_FIXTURES=",
    "REGENERATE_GOLDEN=",
    "SNAPSHOT_UPDATE=",
    "TRYBUILD=overwrite",
    "BLESS=1",
    "UPDATE_BASELINE=",
];

/// How checks are run. The path is empty: no file is touched.
fn runs(text: &str, found: &mut Vec<(String, Weakening)>) {
    let mut push = |kind, line: &str| found.push((String::new(), Weakening { kind, line: evidence(line), tests: Vec::new() }));
    for j in judged(text) {
        // A word that a person reads after a failure is no disguise, and a run by hand is often a part of a whole.
        if matches!(j.forced, Some(Forced::OrTrue | Forced::Then)) && j.class == super::judge::Class::Test {
            push(WeakeningKind::ForcedGreen, &j.text);
        }
        if j.narrowing.iter().any(|n| !is_usual(n)) && j.class == super::judge::Class::Test {
            push(WeakeningKind::Narrowed, &j.text);
        }
    }
    for simple in commands(text) {
        let words = simple.program();
        let runs_tests = !judged(&simple.text).is_empty();
        let short = words.iter().any(|w| w == "-u") && words.iter().any(|w| matches!(base_name(w), "jest" | "vitest" | "test" | "ava"));
        let go = runs_tests
            && words.first().is_some_and(|w| w == "go")
            && words.iter().any(|w| matches!(w.as_str(), "-update" | "--update" | "-update=true" | "-golden.update"));
        let insta = matches!(words.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ["cargo", "insta", "accept" | "test", rest @ ..] if words.get(2).is_some_and(|w| w == "accept") || rest.contains(&"--accept"));
        let variable = simple
            .words
            .iter()
            .any(|w| RECORDING_VARIABLES.iter().any(|v| w.starts_with(v) && !w.ends_with("=0") && !w.ends_with('=') || w == v));
        if short
            || go
            || insta
            || variable && runs_tests
            || words.iter().any(|w| RECORDING.contains(&w.as_str()))
                && words.first().is_some_and(|w| !matches!(w.as_str(), "grep" | "rg" | "echo"))
        {
            push(WeakeningKind::ExpectationRewritten, &simple.text);
        }
    }
}
