//! What kind of thing a tool call is: polling is not looping, and an edit between two equal checks is work.

use super::scratch::without_documents;
use super::weaken;
use serde_json::Value;
use std::borrow::Cow;

/// The kinds of tool use that diagnosis tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolClass {
    /// Waiting for something else: a background shell's output, `sleep`, a status.
    Poll,
    /// Changes files.
    Edit,
    /// Keeps the agent's own notes: plans and to-do lists.
    Plan,
    /// Only looks: it changes nothing.
    Look,
    /// Anything else.
    Other,
}

/// Tools that only wait or look at something running; `_` and `-` left out.
const POLL_TOOLS: &[&str] = &[
    "bashoutput",
    "taskoutput",
    "monitor",
    "wait",
    "waitagent",
    "waitfor",
    "sleep",
    "poll",
    "commandstatus",
    "readoutput",
    "processstatus",
    "getstatus",
    "joboutput",
    "shelloutput",
    "killshell",
];
/// Tools that keep notes.
const PLAN_TOOLS: &[&str] = &["todowrite", "todoread", "taskupdate", "taskcreate", "tasklist", "updateplan"];
/// Tools that only look.
const LOOK_TOOLS: &[&str] = &[
    "read",
    "grep",
    "glob",
    "ls",
    "view",
    "readfile",
    "listdir",
    "listdirectory",
    "searchfiles",
    "search",
    "webfetch",
    "websearch",
    "viewimage",
    "cat",
];
/// Shell commands that only look.
const LOOK_COMMANDS: &[&str] = &[
    "cat", "ls", "grep", "rg", "egrep", "head", "wc", "pwd", "echo", "printf", "cd", "which", "type", "stat", "file", "tree", "sort",
    "uniq", "cut", "tr", "awk", "true", "date", "diff", "cmp", "jq", "basename", "dirname", "realpath", "du", "df", "nl", "less", "more",
    "test", "[", "whoami", "uname",
];
/// Words of a shell command that make it a poll.
const POLL_WORDS: &[&str] = &["sleep", "tail", "watch", "wait", "status", "poll"];
/// Tools that write files.
const EDIT_TOOLS: &[&str] = &[
    "edit",
    "write",
    "multiedit",
    "notebookedit",
    "apply_patch",
    "edit_file",
    "write_file",
    "create_file",
    "write_to_file",
    "replace",
    "replace_in_file",
    "str_replace",
    "insert",
    "edit_file_by_replace",
    "write_fix",
    "patch",
    "apply_diff",
    "search_replace",
];
/// Tools whose `command` argument says what they do.
const EDITORS: &[&str] = &["str_replace_editor", "str_replace_based_edit_tool", "text_editor"];

/// Classifies a call. `args` is its arguments' JSON text.
#[must_use]
pub fn classify(tool: &str, args: &str) -> ToolClass {
    let tool = tool.to_ascii_lowercase();
    if POLL_TOOLS.contains(&tool.replace(['_', '-'], "").as_str()) {
        return ToolClass::Poll;
    }
    if PLAN_TOOLS.contains(&tool.replace(['_', '-'], "").as_str()) {
        return ToolClass::Plan;
    }
    if EDIT_TOOLS.contains(&tool.as_str()) {
        return ToolClass::Edit;
    }
    if LOOK_TOOLS.contains(&tool.replace(['_', '-'], "").as_str()) {
        return ToolClass::Look;
    }
    let value: Value = serde_json::from_str(args).unwrap_or(Value::Null);
    if tool == "write_stdin" {
        let empty = value.get("chars").and_then(Value::as_str).is_none_or(str::is_empty);
        return if empty { ToolClass::Poll } else { ToolClass::Other };
    }
    let command = command(&value);
    if EDITORS.contains(&tool.as_str()) {
        return if matches!(command.as_deref(), None | Some("view" | "undo_edit")) { ToolClass::Other } else { ToolClass::Edit };
    }
    command.map_or(ToolClass::Other, |c| classify_command(&c))
}

/// The shell command among a call's arguments.
#[must_use]
pub fn command(args: &Value) -> Option<String> {
    let found = ["command", "cmd", "script", "full_command"].iter().find_map(|key| args.get(*key))?;
    match found {
        Value::String(s) => Some(s.clone()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

fn classify_command(command: &str) -> ToolClass {
    // An empty command is how some harnesses say "go on waiting".
    if command.trim().is_empty() {
        return ToolClass::Poll;
    }
    let written = weaken::writes(command);
    if written.tree || !written.files.is_empty() || writes_by_program(command) {
        return ToolClass::Edit;
    }
    let mut polls = false;
    let mut looks = true;
    let command = unquoted(command);
    for part in command.split(['|', ';', '&', '\n']) {
        let mut words = part.split_whitespace().skip_while(|w| w.contains('=') || matches!(*w, "sudo" | "env" | "time" | "nohup"));
        let Some(first) = words.next() else { continue };
        let rest: Vec<_> = words.collect();
        // Only the verb counts: a file called status.py is no poll.
        looks &= LOOK_COMMANDS.contains(&first)
            || first == "sed"
            || first == "find" && !rest.iter().any(|w| w.starts_with("-exec") || *w == "-delete" || *w == "-ok")
            || first == "git"
                && matches!(rest.iter().find(|w| !w.starts_with('-')), Some(&("status" | "diff" | "log" | "show" | "blame" | "ls-files")));
        polls |= asks_after(first, &rest) || POLL_WORDS.contains(&first) || rest.iter().take(2).any(|w| POLL_WORDS.contains(w));
    }
    match (polls, looks) {
        (true, _) => ToolClass::Poll,
        (_, true) => ToolClass::Look,
        _ => ToolClass::Other,
    }
}

/// The command line with other letters in the place of what stands in quotes and is punctuation to a shell: an arrow in a
/// pattern writes no file. What a shell gets to run (`bash -c '…'`) stays.
fn unquoted(command: &str) -> Cow<'_, str> {
    let command = without_documents(command);
    let first = command.split_whitespace().next().unwrap_or("");
    if !command.contains(['\'', '"'])
        || matches!(first.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "eval" | "ssh" | "wsl" | "wsl.exe"))
    {
        return command;
    }
    let mut quote = None;
    let masked = command.chars().map(|c| match (quote, c) {
        (Some(open), c) if c == open => {
            quote = None;
            c
        }
        (Some(_), '|' | ';' | '&' | '\n' | '>') => '_',
        (None, '\'' | '"') => {
            quote = Some(c);
            c
        }
        _ => c,
    });
    let masked: String = masked.collect();
    // A quote that never ends is none.
    if quote.is_some() { command } else { Cow::Owned(masked) }
}

/// Whether a line of a script language that stands in the command itself writes files.
pub(super) fn writes_by_program(command: &str) -> bool {
    const PROGRAMS: &[&str] = &["python", "python3", "node", "ruby", "bun", "deno"];
    const WRITES: &[&str] = &["write_text(", "write_bytes(", "writeFileSync(", "writeFile(", "appendFileSync(", "File.write("];
    let mut words = command.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|'));
    let script = ["<<", " -c ", " -e "].iter().any(|w| command.contains(w)) && words.any(|w| PROGRAMS.contains(&w));
    let opened = || ["'w'", "\"w\"", "'a'", "\"a\"", "'wb'", "\"wb\"", "'r+'", "\"r+\""].iter().any(|mode| command.contains(mode));
    let scratch = command.contains("/tmp/") || command.contains("$TMP");
    script && !scratch && (WRITES.iter().any(|w| command.contains(w)) || command.contains("open(") && opened())
}

/// Whether a command asks a service or a scheduler how something that it runs is getting on.
fn asks_after(first: &str, rest: &[&str]) -> bool {
    let mut verbs = rest.iter().copied().filter(|w| !w.starts_with('-'));
    let verb = (verbs.next().unwrap_or(""), verbs.next().unwrap_or(""));
    match first {
        "gh" => matches!(verb, ("run", "view" | "list") | ("pr", "checks") | ("workflow", "view")),
        "glab" => matches!(verb, ("ci" | "pipeline", "view" | "get" | "list")),
        "kubectl" | "oc" => matches!(verb.0, "get" | "logs" | "top") || verb == ("rollout", "history"),
        "docker" | "podman" => matches!(verb.0, "ps" | "logs" | "stats") || verb.0 == "compose" && matches!(verb.1, "ps" | "logs"),
        "aws" => verb.1.starts_with("describe-") || verb.1.starts_with("get-") || verb.1.starts_with("list-"),
        "systemctl" => verb.0 == "is-active",
        "squeue" | "sacct" | "qstat" | "bjobs" | "pgrep" | "ps" | "jobs" | "nvidia-smi" | "journalctl" => true,
        "curl" | "wget" | "http" => rest.iter().any(|w| {
            let path = w.trim_matches(['"', '\'']).split('?').next().unwrap_or("").trim_end_matches('/');
            w.contains("://")
                && path.rsplit('/').next().is_some_and(|p| matches!(p, "status" | "health" | "healthz" | "ready" | "readyz" | "progress"))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_after_a_job_is_polling_and_a_script_that_writes_an_edit() {
        let shell = |c: &str| classify("Bash", &serde_json::json!({ "command": c }).to_string());
        for c in ["gh run view 42 --json status", "gh pr checks 7", "kubectl get pods -n a", "docker compose logs web", "squeue -u me"] {
            assert_eq!(shell(c), ToolClass::Poll, "{c}");
        }
        for c in ["curl -s http://localhost:80/jobs/7/status", "aws batch describe-jobs --jobs 7", "ps aux | grep train"] {
            assert_eq!(shell(c), ToolClass::Poll, "{c}");
        }
        for c in ["gh pr create -t x", "kubectl apply -f a", "docker build .", "curl -sf https://api.example.com/v1/users"] {
            assert_eq!(shell(c), ToolClass::Other, "{c}");
        }
        for c in ["python3 - <<'EOF'\nopen('a.py', 'w').write(x)\nEOF", "node -e 'fs.writeFileSync(\"a\", b)'"] {
            assert_eq!(shell(c), ToolClass::Edit, "{c}");
        }
        for c in ["python -c \"print('a > b')\"", "python - <<'EOF'\nopen('/tmp/a', 'w')\nEOF", "git commit -m \"x\n\nrm the old > one\""] {
            assert_eq!(shell(c), ToolClass::Other, "{c}");
        }
    }

    #[test]
    fn kinds_of_calls() {
        let shell = |c: &str| classify("Bash", &serde_json::json!({ "command": c }).to_string());
        for c in ["sleep 30", "tail -n 20 build.log", "gh run watch 42", "kubectl rollout status deploy/api", "cd x && git status", ""] {
            assert_eq!(shell(c), ToolClass::Poll, "{c}");
        }
        for c in [
            "sed -i s/a/b/ x.py",
            "perl -pi -e s/a/b/ x.py",
            "perl -i.bak -ne print x.py",
            "cat > a.txt <<EOF",
            "cd a && mv b c",
            "echo x >> notes.md",
            "git checkout -- src",
        ] {
            assert_eq!(shell(c), ToolClass::Edit, "{c}");
        }
        for c in ["rg 'a > b' src", "awk '$1 > 5' a.txt | sed -E 's/=.*/=<x>/'", "cat <<'EOF'\nx > y\nrm z\nEOF"] {
            assert_eq!(shell(c), ToolClass::Look, "{c}");
        }
        for c in ["bash -c 'echo x > a'", "echo \"it's\" > a.txt", "cat > a.py <<'EOF'\nprint('x')\nEOF"] {
            assert_eq!(shell(c), ToolClass::Edit, "{c}");
        }
        for c in ["pytest -q 2>&1", "python status.py --now", "cargo test > /dev/null", "make x"] {
            assert_eq!(shell(c), ToolClass::Other, "{c}");
        }
        for c in ["test a -ge 3", "grep '=>' x", "cat a | head -5", "git diff --stat", "sed -n 1,5p a", "cd x && ls", "find . -name a"] {
            assert_eq!(shell(c), ToolClass::Look, "{c}");
        }
        assert_eq!(classify("Read", "{}"), ToolClass::Look);
        assert_eq!(classify("write_stdin", r#"{"session_id":3,"chars":""}"#), ToolClass::Poll);
        assert_eq!(classify("str_replace_editor", r#"{"command":"view","path":"a"}"#), ToolClass::Other);
        assert_eq!(classify("str_replace_editor", r#"{"command":"create","path":"a"}"#), ToolClass::Edit);
        assert_eq!(classify("Edit", "{}"), ToolClass::Edit);
        assert_eq!([classify("bash_output", "{}"), classify("BashOutput", "{}")], [ToolClass::Poll; 2]);
        assert_eq!(classify("shell", r#"{"command":["bash","-lc"]}"#), ToolClass::Other);
    }
}
