//! Tool calls, their answers, and the checks among them.

use super::index;
use super::part::{Part, Scene};
use super::writes::{PATH, text_of};
use crate::format::json::{canonical_hash, hash};
use crate::trace::aside;
use crate::trace::danger;
use crate::trace::event::Counts;
use crate::trace::external;
use crate::trace::judge::{self, CheckKind, Judge};
use crate::trace::prose;
use crate::trace::rows::{Action, CallFault, Check, Colour};
use crate::trace::scratch;
use crate::trace::signature::{self, Reading};
use crate::trace::tool::{self, ToolClass};
use crate::trace::weaken;
use serde_json::Value;

/// Exit code of `timeout`.
const TIMED_OUT: i32 = 124;
/// The shell's "command not found".
const NOT_FOUND: i32 = 127;

impl Part {
    pub(super) fn tool_call(&mut self, step: u32, id: Option<&str>, tool: &str, args: &str) -> u32 {
        let class = self.classify(tool, args);
        let command = serde_json::from_str(args).ok().and_then(|v| tool::command(&v)).unwrap_or_default();
        // What follows the shell's null command is a remark.
        let call_key = if weaken::is_null_command(&command) { call_key(tool, r#"{"command":":"}"#) } else { call_key(tool, args) };
        let row = index(self.trace.actions.len());
        if self.trace.derived {
            let judges = judged_by(args, &mut self.scene);
            if !judges.is_empty() {
                self.checking.insert(row, judges);
            }
        }
        let danger = danger::of_command(&command);
        let commits = command.contains("git ") && [" commit", " push", " add "].iter().any(|verb| command.contains(verb));
        let tool_name = tool;
        let tool = self.trace.names.intern(tool);
        let (external, target) = (external::of_command(&command), target(&command, args));
        let aside = class == ToolClass::Edit && self.is_aside(args);
        let path = self.changed_path(class, args);
        let shell = !command.is_empty();
        let id_hash = id.map_or(0, |id| hash(id.as_bytes()));
        self.trace.actions.push(Action {
            tool,
            class,
            call_key,
            step,
            danger,
            commits,
            external,
            target,
            path,
            shell,
            id: id_hash,
            aside,
            ..BLANK
        });
        self.weakens(row, tool_name, args);
        if asks_what_changed(&command) {
            self.asking.insert(row);
        }
        if let Some(id) = id {
            self.pending.insert(hash(id.as_bytes()), row);
        }
        self.last_call = Some(row);
        if let Some(timeout) = declared_timeout(args) {
            self.trace.tool_timeout_s = Some(self.trace.tool_timeout_s.map_or(timeout, |t| t.max(timeout)));
        }
        row
    }

    /// What kind of tool use it is. Scratch files beside the project are none of its files.
    pub(super) fn classify(&self, tool: &str, args: &str) -> ToolClass {
        let class = tool::classify(tool, args);
        let workspace = &self.scene.workspace;
        if class != ToolClass::Edit || workspace.is_empty() || scratch::is_scratch(workspace) {
            return class;
        }
        let args: Value = serde_json::from_str(args).unwrap_or(Value::Null);
        let aside = match (text_of(&args, PATH), tool::command(&args)) {
            (Some(path), _) => scratch::is_scratch(&path),
            (None, Some(command)) => scratch::only_scratch(&command),
            (None, None) => false,
        };
        if aside { ToolClass::Other } else { class }
    }

    /// Whether a call that changes files changes only such as no check judges.
    pub(super) fn is_aside(&self, args: &str) -> bool {
        let args: Value = serde_json::from_str(args).unwrap_or(Value::Null);
        if let Some(patch) = text_of(&args, &["patch", "diff"]).or_else(|| text_of(&args, &["input"])) {
            let mut files = patched_files(&patch).peekable();
            return files.peek().is_some() && files.all(prose::is_prose);
        }
        match (text_of(&args, PATH), tool::command(&args)) {
            (Some(path), _) => prose::is_prose(&path),
            (None, Some(command)) => aside::only_aside(&command, |path| self.made(path)),
            (None, None) => false,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one record")]
    pub(super) fn tool_result(
        &mut self,
        step: u32,
        iteration: usize,
        id: Option<&str>,
        ok: Option<bool>,
        exit_code: Option<i32>,
        text: &str,
        running: bool,
    ) -> u32 {
        let call = match id {
            Some(id) => self.pending.remove(&hash(id.as_bytes())),
            None => self.last_call.filter(|row| self.trace.actions[*row as usize].result_step.is_none()),
        };
        let row = call.unwrap_or_else(|| {
            let tool = self.trace.names.intern("");
            self.trace.actions.push(Action { tool, step, ..BLANK });
            index(self.trace.actions.len() - 1)
        });
        let failed = has_failed(ok, exit_code, text);
        let error_key = if failed { error_key(text, exit_code) } else { 0 };
        let action = &mut self.trace.actions[row as usize];
        action.result_step = Some(step);
        action.result_len = index(text.len());
        action.result_key = signature::result_key(text.as_bytes(), &[]);
        action.error_key = error_key;
        action.ok = ok.or(exit_code.map(|c| c == 0));
        action.exit_code = exit_code;
        // It was never carried out: a neighbour's failure cancelled it.
        if text.contains("Sibling tool call errored") {
            action.call_key = 0;
        }
        self.changes(row, step, !failed);
        if self.asking.remove(&row) && text.trim().is_empty() && !failed {
            self.nothing_changed(row);
        }
        if running {
            if let Some(id) = id {
                self.running.insert(hash(id.as_bytes()), row);
            }
        } else if let Some(judges) = self.checking.remove(&row) {
            let command = self.trace.actions[row as usize].call_key;
            self.checked(step, iteration, judges, ok, exit_code, text, command);
        }
        row
    }

    /// Git says that nothing differs from the last commit: the shell commands since then that should have changed files did
    /// not. Editors' tools say themselves whether they worked.
    fn nothing_changed(&mut self, asked: u32) {
        for action in self.trace.actions[..asked as usize].iter_mut().rev() {
            if action.commits || action.files_changed.is_some() {
                break;
            }
            if action.class == ToolClass::Edit && action.shell {
                action.files_changed = Some(0);
            }
        }
    }

    /// A command that went on in the background has ended.
    pub(super) fn outcome(&mut self, step: u32, iteration: usize, id: &str, exit_code: Option<i32>, text: &str) {
        let Some(row) = self.running.remove(&hash(id.as_bytes())) else { return };
        if let Some(judges) = self.checking.remove(&row) {
            let command = self.trace.actions[row as usize].call_key;
            self.checked(step, iteration, judges, None, exit_code, text, command);
        }
    }

    /// The row of a check's kind, runner and scope.
    pub(super) fn known_judge(&mut self, judge: Judge) -> u32 {
        let known = self.trace.judges.iter().rposition(|j| j.kind == judge.kind && j.runner == judge.runner && j.scope == judge.scope);
        index(known.unwrap_or_else(|| {
            self.trace.judges.push(judge);
            self.trace.judges.len() - 1
        }))
    }

    /// A check that the agent itself ran: the first of a command line's judges. It ends its iteration. Where the line
    /// succeeded, those that ran along in it did too.
    #[expect(clippy::too_many_arguments, reason = "the fields of one record")]
    fn checked(
        &mut self,
        step: u32,
        iteration: usize,
        judges: Vec<Judge>,
        ok: Option<bool>,
        exit_code: Option<i32>,
        text: &str,
        command: u64,
    ) {
        let reading = signature::read(text.as_bytes(), &[]);
        let mut judges = judges.into_iter();
        let Some(judge) = judges.next() else { return };
        let Some(colour) = colour(&judge, ok, exit_code, text, &reading) else { return };
        let judge = self.known_judge(judge);
        if colour == Colour::Green && exit_code.or(ok.map(|ok| i32::from(!ok))) == Some(0) {
            for along in judges.filter(|j| !j.hides_exit) {
                let judge = Some(self.known_judge(along));
                let of = Check { name: None, colour, exit_code, judge, commit: None, failures: (0, 0), command, step };
                self.trace.along_checks.push(of);
            }
        }
        let of = &self.trace.judges[judge as usize];
        let name = self.trace.names.intern(&format!("{} {}", of.runner, of.scope));
        let at = self.trace.checks.len();
        let blank = Check { name: Some(name), colour, exit_code, judge: Some(judge), commit: None, failures: (0, 0), command, step };
        self.trace.checks.push(blank);
        let row = &mut self.trace.iterations[iteration];
        row.colour = colour;
        row.verdict_step = Some(step);
        row.work_from = step + 1;
        if colour != Colour::Unknown {
            let counts = Counts { exit_code: exit_code.or(ok.map(|ok| i32::from(!ok))), ..Counts::default() };
            self.describe(iteration, text, &reading, None, counts);
            self.trace.checks[at].failures = self.trace.iterations[iteration].failures;
        }
        self.closed = true;
    }
}

/// The files that a patch names.
fn patched_files(patch: &str) -> impl Iterator<Item = &str> {
    const HEADS: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "+++ "];
    patch.lines().filter_map(|line| HEADS.iter().find_map(|head| line.strip_prefix(head))).map(str::trim)
}

/// A question to git that is answered with nothing where nothing was changed.
fn asks_what_changed(command: &str) -> bool {
    let last = command.rsplit(['&', ';']).next().unwrap_or("").trim();
    let short = ["git status --porcelain", "git status -s", "git status --short"].iter().any(|c| last.starts_with(c));
    let diff = last.strip_prefix("git diff").is_some_and(|rest| rest.split_whitespace().all(|w| w.starts_with('-') || w == "HEAD"));
    (short || diff) && !last.contains('|') && !last.contains("--cached") && !last.contains("--staged")
}

/// What a call would do, whatever the tool is called: its command without the shells around it, else its arguments.
pub(super) fn target(command: &str, args: &str) -> u64 {
    let mut inner = command.trim();
    // `bash -lc 'git push'` is `git push`.
    while let Some((_, rest)) = inner.split_once(' ').filter(|(shell, rest)| {
        matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "env" | "sudo" | "command")) && !rest.trim().is_empty()
    }) {
        inner = rest.trim_start().trim_start_matches("-lc").trim_start_matches("-c").trim().trim_matches(['\'', '"']);
    }
    match inner {
        "" if args.trim().is_empty() => 0,
        "" => canonical_hash(args),
        command => hash(command.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes()),
    }
}

/// What makes two calls the same: the tool and its canonical arguments.
pub(super) fn call_key(tool: &str, args: &str) -> u64 {
    hash(format!("{tool}\0{:016x}", canonical_hash(args)).as_bytes())
}

/// Whether an answer tells of a failure.
pub(super) fn has_failed(ok: Option<bool>, exit_code: Option<i32>, text: &str) -> bool {
    ok == Some(false) || exit_code.is_some_and(|c| c != 0) || ok.is_none() && exit_code.is_none() && looks_like_error(text)
}

/// What tells a failed call's error from another: the failures that it names, else its last line. An error without a word
/// is like no other.
pub(super) fn error_key(text: &str, exit_code: Option<i32>) -> u64 {
    // The harness's own line above the answer.
    let said = text.trim_start().trim_start_matches("Error: ");
    let said = if said.starts_with("Exit code ") { said.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    let reading = signature::read(said.as_bytes(), &[]);
    if !reading.failures.is_empty() {
        return reading.coarse();
    }
    let last = signature::last_line(said.as_bytes(), &[], exit_code).filter(|_| !said.trim().is_empty());
    last.map_or(0, |failure| failure.coarse)
}

/// A call of which nothing is known yet.
pub(super) const BLANK: Action = Action {
    tool: crate::trace::Name::NONE,
    class: ToolClass::Other,
    call_key: 0,
    result_key: 0,
    error_key: 0,
    ok: None,
    exit_code: None,
    step: 0,
    result_step: None,
    result_len: 0,
    files_changed: None,
    target: 0,
    id: 0,
    path: crate::trace::Name::NONE,
    external: None,
    shell: false,
    danger: None,
    commits: false,
    aside: false,
};

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

/// Why a model call failed, by its record's text; `None` where it did not.
pub(super) fn call_fault(ok: Option<bool>, exit_code: Option<i32>, text: &str) -> Option<CallFault> {
    let failed = ok == Some(false) || exit_code.is_some_and(|c| c != 0);
    if !failed {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    const FULL: &[&str] =
        &["prompt is too long", "context_length_exceeded", "context length", "context window", "input is too long", "too many tokens in"];
    if FULL.iter().any(|words| lower.contains(words)) {
        return Some(CallFault::ContextFull);
    }
    const CUT: &[&str] =
        &["max_tokens", "max_output_tokens", "output token maximum", "maximum output", "finish_reason=length", "output limit"];
    if CUT.iter().any(|words| lower.contains(words)) {
        return Some(CallFault::OutputFull);
    }
    Some(signature::read(text.as_bytes(), &[]).infrastructure.map_or(CallFault::Other, CallFault::Infrastructure))
}

/// A tool's answer that begins as an error does, where nobody recorded whether it worked.
fn looks_like_error(text: &str) -> bool {
    let text = text.trim_start();
    ["error", "Error", "ERROR", "Traceback (most recent call last)", "fatal:", "Exception"].iter().any(|e| text.starts_with(e))
}

/// A timeout among a call's arguments, in seconds. By the field's usual unit: `timeout_ms` and large numbers are
/// milliseconds.
fn declared_timeout(args: &str) -> Option<f64> {
    if !args.contains("timeout") {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(args).ok()?;
    let number = |key: &str| value.get(key).and_then(serde_json::Value::as_f64);
    let seconds = number("timeout_ms")
        .map(|ms| ms / 1e3)
        .or_else(|| number("timeout_s").or_else(|| number("timeout_seconds")))
        .or_else(|| number("timeout").map(|t| if t >= 1_000.0 { t / 1e3 } else { t }))?;
    (seconds > 0.0 && seconds < 86_400.0).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart_by_what_they_say() {
        let key = |text: &str| error_key(text, Some(22));
        // Four refusals in other words, with the line that a harness puts above them.
        let four = ["curl: (22) error: 401", "curl: (6) Could not resolve host", "curl: (28) timed out", "no route\nto this host"];
        for (k, a) in four.iter().enumerate() {
            for b in &four[k + 1..] {
                assert_ne!(key(&format!("Exit code 22\n{a}")), key(&format!("Exit code 22\n{b}")), "{a} / {b}");
            }
        }
        assert_eq!(key("Exit code 22\nreading 3 rows\nbad thing at 0x7f3a"), key("Exit code 22\nreading 9 rows\nbad thing at 0x99bc"));
        // An error without a word is like no other.
        assert_eq!([key(""), key("Exit code 1"), key("Exit code 1\n"), key(" \n")], [0; 4]);
    }

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
