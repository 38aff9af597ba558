//! What `claude -p --output-format stream-json` prints; a prompt that is fed again is a further stretch.

use super::Plan;
use super::act::Act;
use super::claude::{result, tool, uuid};
use crate::generate::Dice;
use serde_json::{Value, json};

struct Stream<'d> {
    id: String,
    rows: Vec<String>,
    at: i64,
    context: u64,
    sums: [u64; 4],
    turns: u32,
    last: String,
    open: bool,
    dice: &'d mut Dice,
}

impl Stream<'_> {
    fn stamp(&mut self) -> String {
        self.at += self.dice.span(1, 40) * 1_000;
        chrono::DateTime::from_timestamp_millis(self.at).unwrap().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
    }

    fn init(&mut self) {
        self.id = uuid(self.dice);
        self.sums = [0; 4];
        self.turns = 0;
        self.open = true;
        let row = json!({"type": "system", "subtype": "init", "cwd": "/w/p", "tools": ["Bash", "Edit", "Read"], "mcp_servers": [], "model": "claude-sonnet-4-5-20250929", "permissionMode": "acceptEdits", "apiKeySource": "none", "claude_code_version": "2.1.120", "session_id": self.id, "uuid": uuid(self.dice)});
        self.rows.push(row.to_string());
    }

    fn assistant(&mut self, block: Value) {
        if !self.open {
            self.init();
        }
        self.context += self.dice.between(50, 400) as u64;
        let out = self.dice.between(40, 700) as u64;
        for (sum, n) in self.sums.iter_mut().zip([4, self.context / 10, self.context, out]) {
            *sum += n;
        }
        self.turns += 1;
        let message = json!({"model": "claude-sonnet-4-5-20250929", "id": format!("msg_{}", self.dice.hex(12)), "type": "message", "role": "assistant", "content": [block], "stop_reason": null, "usage": {"input_tokens": 4, "cache_creation_input_tokens": self.context / 10, "cache_read_input_tokens": self.context, "output_tokens": 2}});
        let stamp = self.stamp();
        let row = json!({"type": "assistant", "message": message, "parent_tool_use_id": null, "session_id": self.id, "uuid": uuid(self.dice), "timestamp": stamp});
        self.rows.push(row.to_string());
    }

    fn user(&mut self, block: Value) {
        let stamp = self.stamp();
        let row = json!({"type": "user", "message": {"role": "user", "content": [block]}, "parent_tool_use_id": null, "session_id": self.id, "uuid": uuid(self.dice), "timestamp": stamp});
        self.rows.push(row.to_string());
    }

    fn end(&mut self) {
        if !self.open {
            return;
        }
        self.open = false;
        let [i, w, r, o] = self.sums;
        let usd = (i * 3 + o * 15) as f64 / 1e6 + w as f64 * 3.75 / 1e6 + r as f64 * 0.3 / 1e6;
        let row = json!({"type": "result", "subtype": "success", "is_error": false, "duration_ms": 30_000, "duration_api_ms": 28_000, "num_turns": self.turns, "result": self.last, "stop_reason": "end_turn", "total_cost_usd": usd, "usage": {"input_tokens": i, "cache_creation_input_tokens": w, "cache_read_input_tokens": r, "output_tokens": o}, "permission_denials": [], "session_id": self.id, "uuid": uuid(self.dice)});
        self.rows.push(row.to_string());
    }
}

pub(super) fn write(plan: &Plan, dice: &mut Dice) -> Vec<(String, Vec<u8>)> {
    let at = 1_795_827_600_000 + dice.span(0, 9_000_000);
    let mut s = Stream {
        id: String::new(),
        rows: Vec::new(),
        at,
        context: plan.context,
        sums: [0; 4],
        turns: 0,
        last: String::new(),
        open: false,
        dice,
    };
    s.init();
    let mut retries = 0;
    let mut killed = false;
    for (k, act) in plan.acts.iter().enumerate() {
        retries = if matches!(act, Act::Retry) { retries + 1 } else { 0 };
        match act {
            // The first prompt stands on the command line.
            Act::Person(text) if k > 0 => s.user(json!({"type": "text", "text": text})),
            Act::Person(_) | Act::Compact => {}
            Act::Fed(_) => s.end(),
            Act::Say(text, _) => {
                s.last.clone_from(text);
                s.assistant(json!({"type": "text", "text": text}));
            }
            Act::Call(call) => {
                let id = format!("toolu_{}", s.dice.hex(10));
                let (name, input) = tool(&call.tool);
                s.assistant(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
                s.user(result(call, &id));
            }
            Act::Open(open) => {
                let (name, input) = tool(open);
                let id = format!("toolu_{}", s.dice.hex(10));
                s.assistant(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
            }
            Act::Retry => {
                let stamp = s.stamp();
                let row = json!({"type": "system", "subtype": "api_retry", "attempt": retries, "max_retries": 10, "retry_delay_ms": 500.0, "error_status": 529, "error": "server_error", "session_id": s.id, "uuid": uuid(s.dice), "timestamp": stamp});
                s.rows.push(row.to_string());
            }
            Act::Interrupt => killed = true,
        }
    }
    let ended = matches!(plan.acts.last(), Some(Act::Say(_, true)));
    if ended && !killed {
        s.end();
    }
    let mut text = s.rows.join("\n") + "\n";
    if plan.torn {
        text += "{\"type\":\"assistant\",\"message\":{\"model\":\"claude-son";
    }
    vec![("run.jsonl".to_owned(), text.into_bytes())]
}
