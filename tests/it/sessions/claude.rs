//! A Claude Code session.

use super::Plan;
use super::act::{Act, Call, Tool};
use crate::generate::Dice;
use serde_json::{Value, json};

/// The name and the input of a tool.
pub(super) fn tool(tool: &Tool) -> (&'static str, Value) {
    match tool {
        Tool::Bash(command) => ("Bash", json!({"command": command, "description": "Run it"})),
        Tool::Read(path) => ("Read", json!({"file_path": format!("/w/p/{path}")})),
        Tool::Grep(pattern, path) => ("Grep", json!({"pattern": pattern, "path": path})),
        Tool::Edit { path, old, new } => ("Edit", json!({"file_path": format!("/w/p/{path}"), "old_string": old, "new_string": new})),
        Tool::Write { path, content } => ("Write", json!({"file_path": format!("/w/p/{path}"), "content": content})),
        Tool::Poll(id) => ("BashOutput", json!({"bash_id": id})),
        Tool::Plan(n) => ("TodoWrite", json!({"todos": [{"content": format!("step {n}"), "status": "in_progress"}]})),
    }
}

pub(super) fn result(call: &Call, id: &str) -> Value {
    let failed = call.code != 0;
    let text = if failed { format!("Exit code {}\n{}", call.code, call.out) } else { call.out.clone() };
    json!({"tool_use_id": id, "type": "tool_result", "content": text, "is_error": failed})
}

pub(super) fn uuid(dice: &mut Dice) -> String {
    format!("{}-{}-4{}-a{}-{}", dice.hex(8), dice.hex(4), dice.hex(3), dice.hex(3), dice.hex(12))
}

struct Session<'d> {
    id: String,
    rows: Vec<String>,
    at: i64,
    parent: Option<String>,
    context: u64,
    dice: &'d mut Dice,
}

impl Session<'_> {
    fn row(&mut self, kind: &str, more: Value) {
        self.at += self.dice.span(1, 40) * 1_000 + self.dice.span(0, 999);
        // Tools that run side by side answer out of turn.
        let shown = if self.dice.chance(0.02) { self.at - 3_000 } else { self.at };
        let stamp = chrono::DateTime::from_timestamp_millis(shown).unwrap().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        let uuid = self.dice.hex(8);
        let mut row = json!({"parentUuid": self.parent, "isSidechain": false, "cwd": "/w/p", "sessionId": self.id, "version": "2.1.120", "type": kind, "uuid": uuid, "timestamp": stamp});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.rows.push(row.to_string());
        self.parent = Some(uuid);
        match self.dice.between(0, 39) {
            0 => self.rows.push(json!({"type": "file-history-snapshot", "messageId": self.dice.hex(8), "snapshot": {"trackedFileBackups": {}}, "isSnapshotUpdate": false}).to_string()),
            1 => self.rows.push(json!({"type": "summary", "summary": "Error in the tests: stuck?", "leafUuid": self.dice.hex(8)}).to_string()),
            2 => self.rows.push("{\"type\":\"progress\",\"data\":{\"type\":\"bash_progress\",\"outp".to_owned()),
            3 => self.rows.push(json!({"type": "something-new", "payload": {"is_error": false}}).to_string()),
            _ => {}
        }
    }

    fn assistant(&mut self, blocks: Vec<Value>, stop: &str) {
        self.context += self.dice.between(50, 400) as u64;
        let id = format!("msg_{}", self.dice.hex(12));
        let request = format!("req_{}", self.dice.hex(10));
        let usage = json!({"input_tokens": 4, "cache_creation_input_tokens": self.context / 10, "cache_read_input_tokens": self.context, "output_tokens": self.dice.between(40, 700)});
        // One record a block, all with the message's id.
        for block in blocks {
            let message = json!({"model": "claude-sonnet-4-5", "id": id, "role": "assistant", "content": [block], "stop_reason": stop, "usage": usage});
            self.row("assistant", json!({"message": message, "requestId": request}));
        }
    }

    fn call(&mut self, tool_used: &Tool) -> String {
        let id = format!("toolu_{}", self.dice.hex(10));
        let (name, input) = tool(tool_used);
        let mut blocks = Vec::new();
        if self.dice.chance(0.2) {
            blocks.push(json!({"type": "thinking", "thinking": "hm", "signature": ""}));
        }
        blocks.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        self.assistant(blocks, "tool_use");
        id
    }
}

pub(super) fn write(plan: &Plan, dice: &mut Dice) -> Vec<(String, Vec<u8>)> {
    let at = 1_795_827_600_000 + dice.span(0, 9_000_000);
    let mut s = Session { id: uuid(dice), rows: Vec::new(), at, parent: None, context: plan.context, dice };
    let mut retries = 0;
    for act in &plan.acts {
        retries = if matches!(act, Act::Retry) { retries + 1 } else { 0 };
        match act {
            Act::Person(text) => s.row("user", json!({"message": {"role": "user", "content": text}})),
            Act::Fed(text) => {
                s.row("system", json!({"subtype": "stop_hook_summary", "hookCount": 1, "hookErrors": [], "preventedContinuation": true, "stopReason": "", "hasOutput": true}));
                s.row("user", json!({"isMeta": true, "message": {"role": "user", "content": text}}));
            }
            Act::Say(text, ends) => {
                if *ends {
                    s.assistant(vec![json!({"type": "text", "text": text})], "end_turn");
                } else {
                    s.assistant(vec![json!({"type": "text", "text": text})], "tool_use");
                }
            }
            Act::Call(call) => {
                let id = s.call(&call.tool);
                s.row("user", json!({"message": {"role": "user", "content": [result(call, &id)]}}));
            }
            Act::Open(tool) => {
                s.call(tool);
            }
            Act::Retry => s.row("system", json!({"subtype": "api_error", "level": "error", "error": {"status": 529, "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}}, "retryInMs": 500.0, "retryAttempt": retries, "maxRetries": 10})),
            Act::Compact => {
                s.row("system", json!({"subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "preTokens": 150_000}}));
                s.row("user", json!({"isCompactSummary": true, "message": {"role": "user", "content": "This session is being continued from a previous conversation."}}));
            }
            Act::Interrupt => s.row("user", json!({"message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]}})),
        }
    }
    let mut text = s.rows.join("\n") + "\n";
    if plan.torn {
        text += "{\"parentUuid\":\"1f\",\"isSidechain\":false,\"cwd\":\"/w/p\",\"sessionId\":\"";
    }
    vec![(format!(".claude/projects/-w-p/{}.jsonl", s.id), text.into_bytes())]
}
