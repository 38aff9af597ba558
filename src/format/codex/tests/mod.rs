//! Both formats from bytes to rows. What is expected was worked out by hand.

mod exec;
mod rollout;

use super::{Exec, Rollout};
use crate::format::{Format, Sniff};
use crate::input::Lines;
use crate::trace::event::MarkKind;
use crate::trace::{Builder, Ledger, Source, SourceText, Trace};
use serde_json::{Value, json};

fn source(format: &'static str) -> Source {
    Source {
        shown: "x".into(),
        format,
        ledger: Ledger::default(),
        text: SourceText::Heads(std::sync::Arc::default()),
        modified: None,
        kept: None,
    }
}

/// Reads files one after another into one group.
fn read(format: &dyn Format, files: &[String]) -> Trace {
    let mut out = Builder::new();
    for file in files {
        out.open_source(source("codex"));
        let mut buffer = file.clone().into_bytes();
        format.decode(&mut Lines::in_memory(&mut buffer), &mut out).unwrap();
        let ledger = out.ledger().clone();
        assert_eq!(ledger.lines, ledger.read + ledger.blank + ledger.salvaged + ledger.lost);
    }
    let mut traces = out.finish();
    assert_eq!(traces.len(), 1);
    traces.remove(0)
}

/// A rollout of these records, a second apart.
fn rollout(records: &[(&str, Value)]) -> String {
    let line = |(k, (kind, payload)): (usize, &(&str, Value))| {
        json!({"timestamp": format!("2026-03-01T10:00:{k:02}.000Z"), "type": kind, "payload": payload}).to_string() + "\n"
    };
    records.iter().enumerate().map(line).collect()
}

fn meta(id: &str) -> (&'static str, Value) {
    ("session_meta", json!({"id": id, "cwd": "/w", "source": "cli"}))
}

fn item(value: Value) -> (&'static str, Value) {
    ("response_item", value)
}

fn event(value: Value) -> (&'static str, Value) {
    ("event_msg", value)
}

fn user(text: &str) -> (&'static str, Value) {
    item(json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}))
}

fn agent(text: &str) -> (&'static str, Value) {
    item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}))
}

fn call(id: &str, name: &str, args: &Value) -> (&'static str, Value) {
    item(json!({"type": "function_call", "name": name, "arguments": args.to_string(), "call_id": id}))
}

fn answer(id: &str, output: &str) -> (&'static str, Value) {
    item(json!({"type": "function_call_output", "call_id": id, "output": output}))
}

fn marks(trace: &Trace) -> Vec<MarkKind> {
    trace.marks.iter().map(|m| m.kind).collect()
}

#[test]
fn other_files_are_no_rollouts() {
    for text in [
        r#"{"session_id":"a","ts":1757998091,"text":"hello"}"#,
        r#"{"id":"a","thread_name":"x","updated_at":"2026-11-28T01:00:10Z"}"#,
        r#"{"type":"thread.started","thread_id":"a"}"#,
        r#"{"ts":"2026-11-28T01:00:10Z","iter":1,"event":"check","detail":"x"}"#,
        "",
    ] {
        assert_eq!(Rollout.sniff(text.as_bytes()), Sniff::No, "{text}");
    }
    assert_eq!(Exec.sniff(rollout(&[meta("a")]).as_bytes()), Sniff::No);
    assert_eq!(Exec.sniff(b"warning: x\n{\"type\":\"thread.started\",\"thread_id\":\"a\"}"), Sniff::Yes);
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_accounted_for(parts in proptest::collection::vec(proptest::sample::select(vec![
        "{\"timestamp\":\"2026-03-01T10:00:00Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":{\"total_token_usage\":{\"input_tokens\":5,\"cached_input_tokens\":9,\"output_tokens\":1}}}}",
        "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{\\\"command\\\":[7]}\",\"call_id\":3}}",
        "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call_output\",\"output\":{\"content\":[]}}}",
        "{\"type\":\"item.completed\",\"item\":{\"id\":7,\"type\":\"file_change\"}}", "{\"type\":\"turn.completed\",\"usage\":[1]}",
        "{\"type\":\"session_meta\",\"payload\":{\"id\":[]}}", "\n", "\n", "{", "}", "[1]", "\"\\ud800\"", "null", "\u{1b}[0m", "{\"type\":\"message\"",
    ]), 0..30)) {
        let text = parts.concat();
        read(&Rollout, &[text.clone(), text.clone()]);
        read(&Exec, &[text]);
    }
}
