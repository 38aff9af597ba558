//! Which checks a command line runs, and what its answer says of them.

use super::part::Scene;
use crate::trace::judge::{self, CheckKind, Judge};
use crate::trace::rows::Colour;
use crate::trace::signature::Reading;
use crate::trace::tool;

/// Exit code of `timeout`.
const TIMED_OUT: i32 = 124;
/// The shell's "command not found".
const NOT_FOUND: i32 = 127;

/// The checks that a call runs, the weightiest first where a command line holds several: a test before a build before types
/// before style, and of equals the later one.
pub(super) fn judged_by(args: &str, scene: &mut Scene) -> Vec<Judge> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(args) else { return Vec::new() };
    let weight = |j: &Judge| match j.kind {
        CheckKind::Test => 4,
        CheckKind::Build => 3,
        CheckKind::Types => 2,
        CheckKind::Lint => 1,
        CheckKind::Format => 0,
    };
    let Some(command) = tool::command(&value) else { return Vec::new() };
    // A call may say itself where it runs, as seen from the session's directory.
    let own = ["workdir", "cwd", "working_directory"].iter().find_map(|key| value.get(*key)?.as_str()).filter(|dir| !dir.is_empty());
    let cwd = match own {
        Some(dir) if judge::is_absolute(dir) || scene.cwd.is_empty() => dir.to_owned(),
        Some(dir) => format!("{}/{dir}", scene.cwd),
        None => scene.cwd.clone(),
    };
    if judge::is_absolute(&cwd) {
        scene.know(&cwd);
    }
    let mut judges = judge::judges_at(&command, &scene.own, &scene.workspace, &cwd);
    judges.reverse();
    judges.sort_by_key(|j| std::cmp::Reverse(weight(j)));
    judges
}

/// What a check said; `None` where it was not run at all. A pipe hides the exit code, the runner's own summary does not.
pub(super) fn colour(judge: &Judge, ok: Option<bool>, exit_code: Option<i32>, text: &str, reading: &Reading) -> Option<Colour> {
    let exit = exit_code.or(ok.map(|ok| i32::from(!ok)));
    if not_run(text) {
        return None;
    }
    if exit == Some(NOT_FOUND)
        || (exit != Some(0) || judge.hides_exit) && never_began(text)
        || reading.infrastructure.is_some() && reading.verdict != Some(true) && exit != Some(0)
    {
        return Some(Colour::NoVerdict);
    }
    let says = if judge.hides_exit {
        let named = !reading.failures.is_empty() && !reading.guessed && reading.infrastructure.is_none();
        let told = judge.told_by(text);
        // A command line that prints the code prints the judge's own; a failure that a runner names weighs more.
        let red = reading.verdict == Some(false) || told == Some(false);
        let built = reading.built.filter(|_| judge.kind != CheckKind::Test);
        let said = red.then_some(false).or(told).or(reading.verdict).or(named.then_some(false)).or(built);
        said.or_else(|| exit.filter(|c| *c != 0 && !judge.shares_failure()).map(|_| false))
    } else {
        match exit {
            // The harness's patience ended, not the check's.
            Some(TIMED_OUT) => reading.verdict.filter(|green| !green),
            Some(0) => Some(reading.verdict != Some(false)),
            // What runs only after the check's success has failed instead.
            Some(_) if judge.shares_failure() && reading.verdict == Some(true) => Some(true),
            Some(_) if judge.shares_failure() && judge.is_quiet() && silent(reading) => None,
            Some(_) => Some(false),
            None => reading.verdict,
        }
    };
    Some(match says {
        Some(true) => Colour::Green,
        Some(false) => Colour::Red,
        None if exit == Some(TIMED_OUT) => Colour::NoVerdict,
        None => Colour::Unknown,
    })
}

/// Of a check that prints its complaints none is to be seen.
fn silent(reading: &Reading) -> bool {
    reading.verdict != Some(false) && (reading.failures.is_empty() || reading.guessed)
}

/// Answers of harnesses to calls that were never carried out.
fn not_run(text: &str) -> bool {
    const REFUSALS: &[&str] = &[
        "The user doesn't want",
        "Permission to use",
        "This command requires approval",
        "Sibling tool call errored",
        "[Request interrupted",
        "<tool_use_error>",
        "aborted by user",
        "execution error:",
        "exec_command failed",
        "exec command rejected",
        "command declined",
        "rejected by user",
        "unsupported call",
    ];
    let text = text.trim_start().trim_start_matches("Error: ");
    REFUSALS.iter().any(|r| text.starts_with(r))
}

/// Answers of shells and task runners that could not begin what they were told: the check itself has said nothing.
fn never_began(text: &str) -> bool {
    let said: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("Exit code ")).take(3).collect();
    said.iter().any(|line| {
        let shell_died = line.contains("bash.exe: *** fatal error");
        // Where more is said, the line went on in the folder where it stood.
        let no_folder = said.len() == 1 && line.contains("cd:") && line.to_ascii_lowercase().contains("no such file or directory");
        let no_task = line.starts_with("mise ERROR no task ") && line.ends_with(" found")
            || ["npm error Missing script:", "npm ERR! Missing script:", "error: Script not found \""].iter().any(|s| line.starts_with(s))
            || line.starts_with("make: *** No rule to make target '") && !line.contains(", needed by")
            || ["ERR_PNPM_NO_SCRIPT", "ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT", "npm error No workspaces found", "npm ERR! No workspaces found"]
                .iter()
                .any(|s| line.starts_with(s))
            || line.starts_with("error: Justfile does not contain recipe")
            || line.starts_with("task: Task \"") && line.ends_with("\" does not exist");
        // `/usr/bin/python3: No module named pytest`, before anything else is said; the module that a test imports is named by
        // an exception instead.
        let no_runner = said.first() == Some(line)
            && line.split_once(": No module named ").is_some_and(|(by, _)| {
                let by = by.rsplit(['/', '\\']).next().unwrap_or(by).trim_end_matches(".exe");
                by.strip_prefix("python").is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
            });
        let no_engine = line.starts_with("ERR_PNPM_UNSUPPORTED_ENGINE")
            || line.starts_with("error: toolchain '") && line.ends_with("' is not installed");
        shell_died || no_folder || no_task || no_runner || no_engine
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_that_never_began() {
        for text in [
            "mise ERROR no task lint:full found\nmise ERROR Run with --verbose",
            "Exit code 1\n(eval):cd:1: no such file or directory: a/b",
            "bash: line 1: cd: a/b: No such file or directory",
            "npm error Missing script: \"lint\"",
            "make: *** No rule to make target 'lint'.  Stop.",
            "error: Script not found \"lint\"",
            "task: Task \"lint\" does not exist",
            "/usr/local/bin/python: No module named pytest",
            "Exit code 1\n/w/p/.venv/bin/python3.12: No module named mypy",
            "C:\\Python\\python.exe: No module named pytest",
            " ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)",
            "ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT  None of the selected packages has a \"typecheck\" script",
            "npm error No workspaces found:\nnpm error   --workspace=packages/api",
            "Exit code 1\n/usr/local/bin/python: No module named pytest",
            "0 [main] bash 17 C:\\Git\\usr\\bin\\bash.exe: *** fatal error - error while loading shared libraries: C:",
        ] {
            assert!(never_began(text), "{text}");
        }
        for text in [
            "",
            "bash: line 1: cd: a/b: No such file or directory\nFAILED tests/test_a.py::test_b\n1 failed in 0.1s",
            "make: *** No rule to make target 'a.h', needed by 'a.o'.  Stop.",
            "FAIL src/a.test.ts\n  expected 'mise ERROR no task x found'",
            "[lint] ERROR task failed",
            "Traceback (most recent call last):\nModuleNotFoundError: No module named 'rates'",
            "E   ModuleNotFoundError: No module named 'rates'",
            "ImportError while loading conftest\n/usr/bin/python3: No module named pytest_cov",
            "ModuleNotFoundError: No module named 'depth'",
        ] {
            assert!(!never_began(text), "{text}");
        }
    }
}
