//! Tool calls and their answers.

use super::index;
use super::outcome::{colour, judged_by};
use super::part::Part;
use super::writes::{PATH, text_of};
use crate::format::json::{canonical_hash, hash};
use crate::trace::aside;
use crate::trace::danger;
use crate::trace::event::Counts;
use crate::trace::external;
use crate::trace::judge::Judge;
use crate::trace::prose;
use crate::trace::rows::{Action, CallFault, Check, Colour};
use crate::trace::scratch;
use crate::trace::signature;
use crate::trace::tool::{self, ToolClass};
use crate::trace::weaken;
use serde_json::Value;

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
pub(in crate::trace) const BLANK: Action = Action {
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
}
