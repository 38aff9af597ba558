//! A Codex rollout.

use super::Plan;
use super::act::{Act, Call, Tool};
use super::claude::uuid;
use crate::generate::Dice;
use serde_json::{Value, json};

struct Rollout<'d> {
    rows: Vec<String>,
    at: i64,
    turn: String,
    total: [u64; 3],
    context: u64,
    open: bool,
    dice: &'d mut Dice,
}

impl Rollout<'_> {
    fn row(&mut self, kind: &str, payload: Value) {
        self.at += self.dice.span(1, 20) * 1_000 + self.dice.span(0, 999);
        let stamp = chrono::DateTime::from_timestamp_millis(self.at).unwrap().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        self.rows.push(json!({"timestamp": stamp, "type": kind, "payload": payload}).to_string());
    }

    fn begin(&mut self) {
        if !self.open {
            self.open = true;
            self.turn = uuid(self.dice);
            let turn = self.turn.clone();
            self.row("event_msg", json!({"type": "task_started", "turn_id": turn, "model_context_window": 272_000}));
            self.row("turn_context", json!({"turn_id": turn, "cwd": "/w/p", "approval_policy": "never", "sandbox_policy": {"type": "workspace-write"}, "model": "gpt-5.1-codex", "effort": "medium"}));
        }
    }

    fn user(&mut self, text: &str) {
        self.begin();
        self.row("response_item", json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}));
        self.row("event_msg", json!({"type": "user_message", "message": text, "images": []}));
    }

    fn tokens(&mut self) {
        self.context += self.dice.between(50, 400) as u64;
        let (input, output) = (self.context, self.dice.between(40, 500) as u64);
        let cached = input / 10;
        for (sum, n) in self.total.iter_mut().zip([input, cached, output]) {
            *sum += n;
        }
        let usage = |[i, c, o]: [u64; 3]| json!({"input_tokens": i, "cached_input_tokens": c, "output_tokens": o, "reasoning_output_tokens": 0, "total_tokens": i + o});
        let info = json!({"total_token_usage": usage(self.total), "last_token_usage": usage([input, cached, output]), "model_context_window": 272_000});
        self.row("event_msg", json!({"type": "token_count", "info": info}));
        if self.dice.chance(0.1) {
            // The same count once more.
            self.row("event_msg", json!({"type": "token_count", "info": info}));
        }
    }

    fn call(&mut self, tool: &Tool) -> String {
        self.begin();
        let id = format!("call_{}", self.dice.hex(10));
        let exec = |cmd: String| json!({"type": "function_call", "name": "exec_command", "arguments": json!({"cmd": cmd, "workdir": "/w/p", "yield_time_ms": 10_000}).to_string(), "call_id": id});
        let prefixed = |text: &str, sign: char| text.lines().map(|l| format!("{sign}{l}\n")).collect::<String>();
        let patch = |body: String| json!({"type": "custom_tool_call", "status": "completed", "call_id": id, "name": "apply_patch", "input": format!("*** Begin Patch\n{body}*** End Patch")});
        let payload = match tool {
            Tool::Bash(command) => exec(command.clone()),
            Tool::Read(path) => exec(format!("sed -n '1,200p' {path}")),
            Tool::Grep(pattern, path) => exec(format!("rg -n {pattern} {path}")),
            Tool::Edit { path, old, new } => patch(format!("*** Update File: {path}\n@@\n{}{}", prefixed(old, '-'), prefixed(new, '+'))),
            Tool::Write { path, content } => patch(format!("*** Add File: {path}\n{}", prefixed(content, '+'))),
            Tool::Poll(_) => {
                json!({"type": "function_call", "name": "write_stdin", "arguments": json!({"session_id": 4_711, "chars": ""}).to_string(), "call_id": id})
            }
            Tool::Plan(n) => {
                json!({"type": "function_call", "name": "update_plan", "arguments": json!({"plan": [{"step": format!("step {n}"), "status": "in_progress"}]}).to_string(), "call_id": id})
            }
        };
        self.row("response_item", payload);
        id
    }

    fn answer(&mut self, call: &Call, id: &str) {
        let payload = match &call.tool {
            Tool::Edit { path, .. } | Tool::Write { path, .. } => {
                let out = json!({"output": format!("Success. Updated the following files:\nM {path}\n"), "metadata": {"exit_code": 0, "duration_seconds": 0.0}}).to_string();
                json!({"type": "custom_tool_call_output", "call_id": id, "output": out})
            }
            Tool::Plan(_) => json!({"type": "function_call_output", "call_id": id, "output": "Plan updated"}),
            Tool::Poll(_) => {
                let out = format!(
                    "Chunk ID: {}\nWall time: {:.4} seconds\nProcess running with session ID 4711\nOriginal token count: 6\nOutput:\n{}",
                    self.dice.hex(6),
                    self.dice.real(1.0, 9.0),
                    call.out
                );
                json!({"type": "function_call_output", "call_id": id, "output": out})
            }
            _ => {
                let out = format!(
                    "Chunk ID: {}\nWall time: {:.4} seconds\nProcess exited with code {}\nOriginal token count: 6\nOutput:\n{}",
                    self.dice.hex(6),
                    self.dice.real(0.1, 9.0),
                    call.code,
                    call.out
                );
                json!({"type": "function_call_output", "call_id": id, "output": out})
            }
        };
        self.row("response_item", payload);
        self.tokens();
    }
}

pub(super) fn write(plan: &Plan, dice: &mut Dice) -> Vec<(String, Vec<u8>)> {
    let at = 1_795_827_600_000 + dice.span(0, 9_000_000);
    let id = uuid(dice);
    let mut r = Rollout { rows: Vec::new(), at, turn: String::new(), total: [0; 3], context: plan.context, open: false, dice };
    r.row("session_meta", json!({"id": id, "timestamp": "2026-11-28T01:00:00.000Z", "cwd": "/w/p", "originator": "codex_cli_rs", "cli_version": "0.131.0", "source": "cli", "model_provider": "openai"}));
    let prompt = plan.acts.iter().find_map(|a| if let Act::Person(text) = a { Some(text.clone()) } else { None }).unwrap_or_default();
    for act in &plan.acts {
        match act {
            Act::Person(text) => r.user(text),
            // A loop around it feeds the same prompt again.
            Act::Fed(_) => r.user(&prompt),
            Act::Say(text, ends) => {
                r.begin();
                r.row("event_msg", json!({"type": "agent_message", "message": text}));
                r.row("response_item", json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}));
                r.tokens();
                if *ends {
                    r.open = false;
                    let turn = r.turn.clone();
                    r.row("event_msg", json!({"type": "task_complete", "turn_id": turn, "last_agent_message": text}));
                }
            }
            Act::Call(call) => {
                let id = r.call(&call.tool);
                r.answer(call, &id);
            }
            Act::Open(tool) => {
                r.call(tool);
            }
            Act::Retry => r.row(
                "event_msg",
                json!({"type": "stream_error", "message": "stream disconnected before completion; retrying 1/5 in 200ms"}),
            ),
            Act::Compact => {
                r.row("compacted", json!({"message": ""}));
                r.row("event_msg", json!({"type": "context_compacted"}));
            }
            Act::Interrupt => {
                let turn = r.turn.clone();
                r.row("event_msg", json!({"type": "turn_aborted", "turn_id": turn, "reason": "interrupted"}));
            }
        }
    }
    let mut text = r.rows.join("\n") + "\n";
    if plan.torn {
        text += "{\"timestamp\":\"2026-11-28T02:00:00.000Z\",\"type\":\"respon";
    }
    vec![(format!(".codex/sessions/2026/11/28/rollout-2026-11-28T01-00-00-{id}.jsonl"), text.into_bytes())]
}
