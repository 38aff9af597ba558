//! Calls of tools in one shape, whatever the release: a shell command is one command line, a patch is a patch.

use super::record::text;
use crate::format::json::Loose;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The tool that changes files.
pub(super) const PATCH: &str = "apply_patch";
/// Tools that run a command.
const SHELLS: &[&str] = &["shell", "shell_command", "exec_command", "container.exec", "local_shell", "unified_exec"];

/// The text of `arguments`: JSON as a string in most releases, an object in some.
pub(super) fn arguments(raw: Option<&RawValue>) -> Cow<'_, str> {
    let Some(raw) = raw else { return Cow::Borrowed("") };
    match serde_json::from_str::<Loose<'_>>(raw.get()) {
        Ok(Loose::Text(text)) => text,
        _ => Cow::Borrowed(raw.get()),
    }
}

/// Tool and arguments of a function call.
pub(super) fn function<'a>(name: &'a str, namespace: &str, args: Cow<'a, str>) -> (Cow<'a, str>, Cow<'a, str>) {
    if name == PATCH
        && let Ok(value) = serde_json::from_str::<Value>(&args)
        && let Some(patch) = value.get("input").and_then(Value::as_str)
    {
        return (PATCH.into(), json!({ "patch": patch }).to_string().into());
    }
    if SHELLS.contains(&name) {
        return shell(name, args);
    }
    let tool = if namespace.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{namespace}{name}")) };
    (tool, args)
}

/// A tool whose input is free text.
pub(super) fn custom<'a>(name: &'a str, input: Option<&RawValue>) -> (Cow<'a, str>, Cow<'a, str>) {
    let input = arguments(input);
    let key = if name == PATCH { "patch" } else { "input" };
    (name.into(), json!({ key: input }).to_string().into())
}

fn shell<'a>(name: &'a str, args: Cow<'a, str>) -> (Cow<'a, str>, Cow<'a, str>) {
    // Most calls need no other shape, and parsing them is not free.
    let in_words = memchr::memmem::find(args.as_bytes(), b"\"command\"").is_some() && args.contains('[');
    let patches = args.contains(PATCH);
    if !in_words && !patches {
        return (name.into(), args);
    }
    let Ok(Value::Object(mut map)) = serde_json::from_str::<Value>(&args) else { return (name.into(), args) };
    let key = if map.contains_key("cmd") { "cmd" } else { "command" };
    let script = match map.get(key) {
        Some(Value::String(line)) => line.clone(),
        Some(Value::Array(words)) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            if let [PATCH, patch] = words[..] {
                return (PATCH.into(), json!({ "patch": patch }).to_string().into());
            }
            line(&words)
        }
        _ => return (name.into(), args),
    };
    if let Some(patch) = patch_in(&script) {
        return (PATCH.into(), json!({ "patch": patch }).to_string().into());
    }
    if matches!(map.get(key), Some(Value::Array(_))) {
        map.insert(key.to_owned(), Value::String(script));
        return (name.into(), Value::Object(map).to_string().into());
    }
    (name.into(), args)
}

/// Words as one command line. The shell around a script is Codex's own.
fn line(words: &[&str]) -> String {
    if let [shell, "-lc" | "-c", script] = words
        && matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh"))
    {
        return (*script).to_owned();
    }
    let plain = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-./=:,@%+".contains(&b));
    let quoted = words.iter().map(|w| if plain(w) { (*w).to_owned() } else { format!("'{}'", w.replace('\'', r"'\''")) });
    quoted.collect::<Vec<_>>().join(" ")
}

/// The patch of a script that does nothing but apply one.
fn patch_in(script: &str) -> Option<&str> {
    const END: &str = "*** End Patch";
    let begin = script.find("*** Begin Patch")?;
    let end = script.rfind(END)? + END.len();
    let before = script.get(..begin)?;
    let called = before.trim_start().starts_with(PATCH) || before.trim_start().starts_with("cd ") && before.contains(PATCH);
    // What may follow is the mark at the heredoc's end, or the closing quote.
    let rest = script.get(end..)?.split_whitespace().count();
    (called && rest <= 1).then(|| script.get(begin..end)).flatten()
}

/// The action of a `local_shell_call` as arguments.
pub(super) fn action(raw: Option<&RawValue>) -> Cow<'_, str> {
    shell("shell", Cow::Borrowed(raw.map_or("{}", RawValue::get))).1
}

/// The process that a `write_stdin` talks to.
pub(super) fn process(args: &str) -> Option<String> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default, bound(deserialize = "'de: 'a"))]
    struct Args<'a> {
        session_id: Loose<'a>,
    }
    serde_json::from_str::<Args<'_>>(args).ok()?.session_id.into_text().map(Cow::into_owned)
}

/// Whether a server's search was a search; opening a page is not billed as one.
pub(super) fn is_search(action: Option<&RawValue>) -> bool {
    #[derive(Default, serde::Deserialize)]
    #[serde(default, bound(deserialize = "'de: 'a"))]
    struct Action<'a> {
        #[serde(rename = "type")]
        kind: Loose<'a>,
    }
    text(&super::record::part::<Action<'_>>(action).kind) == "search"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, args: &str) -> (String, String) {
        let (tool, args) = function(name, "", args.into());
        (tool.into_owned(), args.into_owned())
    }

    #[test]
    fn command_lines() {
        assert_eq!(of("shell", r#"{"command":["bash","-lc","pytest -q tests"]}"#).1, r#"{"command":"pytest -q tests"}"#);
        assert_eq!(of("shell", r#"{"command":["rg","a b","it's"]}"#).1, r#"{"command":"rg 'a b' 'it'\\''s'"}"#);
        assert_eq!(of("exec_command", r#"{"cmd":"ls [a-z]*"}"#).1, r#"{"cmd":"ls [a-z]*"}"#);
        assert_eq!(of("shell", "not json").1, "not json");
        assert_eq!(of("shell", r#"{"command":[]}"#).1, r#"{"command":""}"#);
    }

    #[test]
    fn patches_by_any_way() {
        let patch = (PATCH.to_owned(), "{\"patch\":\"*** Begin Patch\\n*** End Patch\"}".to_owned());
        assert_eq!(of("shell", r#"{"command":["apply_patch","*** Begin Patch\n*** End Patch"]}"#), patch);
        assert_eq!(of("shell", r#"{"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF"]}"#), patch);
        assert_eq!(of("exec_command", r#"{"cmd":"cd a && apply_patch <<'P'\n*** Begin Patch\n*** End Patch\nP\n"}"#), patch);
        assert_eq!(of(PATCH, r#"{"input":"*** Begin Patch\n*** End Patch"}"#), patch);
        let both = r#"{"cmd":"apply_patch <<'P'\n*** Begin Patch\n*** End Patch\nP\nmake test"}"#;
        assert_eq!(of("exec_command", both), ("exec_command".to_owned(), both.to_owned()));
    }

    #[test]
    fn processes_by_number_or_text() {
        assert_eq!(process(r#"{"session_id":7,"chars":""}"#).as_deref(), Some("7"));
        assert_eq!(process(r#"{"session_id":"7"}"#).as_deref(), Some("7"));
        assert_eq!(process("{}"), None);
    }
}
