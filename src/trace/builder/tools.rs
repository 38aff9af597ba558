//! Tool calls, their answers, and the checks among them.

use super::index;
use super::part::{Part, Scene};
use crate::format::json::{canonical_hash, hash};
use crate::trace::danger;
use crate::trace::event::Counts;
use crate::trace::judge::{self, CheckKind, Judge};
use crate::trace::rows::{Action, CallFault, Check, Colour};
use crate::trace::signature::{self, Reading};
use crate::trace::tool::{self, ToolClass};

/// Exit code of `timeout`.
const TIMED_OUT: i32 = 124;
/// The shell's "command not found".
const NOT_FOUND: i32 = 127;

impl Part {
    pub(super) fn tool_call(&mut self, step: u32, id: Option<&str>, tool: &str, args: &str) -> u32 {
        let class = tool::classify(tool, args);
        let call_key = hash(format!("{tool}\0{:016x}", canonical_hash(args)).as_bytes());
        let row = index(self.trace.actions.len());
        if self.trace.derived
            && let Some(judge) = judged_by(args, &mut self.scene)
        {
            self.checking.insert(row, judge);
        }
        let command = serde_json::from_str(args).ok().and_then(|v| tool::command(&v)).unwrap_or_default();
        let danger = danger::of_command(&command);
        let commits = command.contains("git ") && [" commit", " push", " add "].iter().any(|verb| command.contains(verb));
        let tool_name = tool;
        let tool = self.trace.names.intern(tool);
        self.trace.actions.push(Action { tool, class, call_key, step, danger, commits, ..BLANK });
        self.weakens(row, tool_name, args);
        if let Some(id) = id {
            self.pending.insert(hash(id.as_bytes()), row);
        }
        self.last_call = Some(row);
        if let Some(timeout) = declared_timeout(args) {
            self.trace.tool_timeout_s = Some(self.trace.tool_timeout_s.map_or(timeout, |t| t.max(timeout)));
        }
        row
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
        let failed =
            ok == Some(false) || exit_code.is_some_and(|c| c != 0) || ok.is_none() && exit_code.is_none() && looks_like_error(text);
        let error_key = if failed { signature::read(text.as_bytes(), &[]).coarse() } else { 0 };
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
        if running {
            if let Some(id) = id {
                self.running.insert(hash(id.as_bytes()), row);
            }
        } else if let Some(judge) = self.checking.remove(&row) {
            self.checked(step, iteration, judge, ok, exit_code, text);
        }
        row
    }

    /// A command that went on in the background has ended.
    pub(super) fn outcome(&mut self, step: u32, iteration: usize, id: &str, exit_code: Option<i32>, text: &str) {
        let Some(row) = self.running.remove(&hash(id.as_bytes())) else { return };
        if let Some(judge) = self.checking.remove(&row) {
            self.checked(step, iteration, judge, None, exit_code, text);
        }
    }

    /// A check that the agent itself ran. It ends its iteration.
    fn checked(&mut self, step: u32, iteration: usize, judge: Judge, ok: Option<bool>, exit_code: Option<i32>, text: &str) {
        let reading = signature::read(text.as_bytes(), &[]);
        let Some(colour) = colour(&judge, ok, exit_code, text, &reading) else { return };
        let known = self.trace.judges.iter().rposition(|j| j.kind == judge.kind && j.runner == judge.runner && j.scope == judge.scope);
        let judge = known.unwrap_or_else(|| {
            self.trace.judges.push(judge);
            self.trace.judges.len() - 1
        });
        let name = self.trace.names.intern(&format!("{} {}", self.trace.judges[judge].runner, self.trace.judges[judge].scope));
        self.trace.checks.push(Check { name: Some(name), colour, exit_code, judge: Some(index(judge)), step });
        let row = &mut self.trace.iterations[iteration];
        row.colour = colour;
        row.verdict_step = Some(step);
        row.work_from = step + 1;
        if colour != Colour::Unknown {
            let counts = Counts { exit_code: exit_code.or(ok.map(|ok| i32::from(!ok))), ..Counts::default() };
            self.describe(iteration, text, &reading, None, counts);
        }
        self.closed = true;
    }
}

/// A call of which nothing is known yet.
const BLANK: Action = Action {
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
    danger: None,
    commits: false,
};

/// The check that a call runs, the weightiest where a command line holds several: a test before a build before types
/// before style.
fn judged_by(args: &str, scene: &mut Scene) -> Option<Judge> {
    let value: serde_json::Value = serde_json::from_str(args).ok()?;
    let weight = |j: &Judge| match j.kind {
        CheckKind::Test => 4,
        CheckKind::Build => 3,
        CheckKind::Types => 2,
        CheckKind::Lint => 1,
        CheckKind::Format => 0,
    };
    let command = tool::command(&value)?;
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
    judge::judges_at(&command, &scene.own, &scene.workspace, &cwd).into_iter().max_by_key(weight)
}

/// What a check said; `None` where it was not run at all. A pipe hides the exit code, the runner's own summary does not.
fn colour(judge: &Judge, ok: Option<bool>, exit_code: Option<i32>, text: &str, reading: &Reading) -> Option<Colour> {
    let exit = exit_code.or(ok.map(|ok| i32::from(!ok)));
    if not_run(text) {
        return None;
    }
    if exit == Some(NOT_FOUND) || reading.infrastructure.is_some() && reading.verdict != Some(true) && exit != Some(0) {
        return Some(Colour::NoVerdict);
    }
    let says = if judge.hides_exit {
        let named = !reading.failures.is_empty() && !reading.guessed && reading.infrastructure.is_none();
        let told = judge.told_by(text);
        // A command line that prints the code prints the judge's own; a failure that a runner names weighs more.
        let red = reading.verdict == Some(false) || told == Some(false);
        let built = reading.built.filter(|_| judge.kind != CheckKind::Test);
        let said = red.then_some(false).or(told).or(reading.verdict).or(named.then_some(false)).or(built);
        said.or_else(|| exit.filter(|c| *c != 0).map(|_| false))
    } else {
        match exit {
            // The harness's patience ended, not the check's.
            Some(TIMED_OUT) => reading.verdict.filter(|green| !green),
            Some(code) => Some(code == 0 && reading.verdict != Some(false)),
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
