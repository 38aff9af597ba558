//! What a circuit breaker writes when it aborts: `agent_failure_*.json`.

use crate::format::json::Loose;
use crate::format::{Format, Role, Sniff, has_ending, whole};
use crate::input::Lines;
use crate::trace::Builder;
use crate::trace::event::{EndKind, Event, What};
use serde_json::Value;
use std::io;

pub(super) struct FailureReport;

impl Format for FailureReport {
    fn id(&self) -> &'static str {
        "failure-report"
    }

    fn about(&self) -> &'static str {
        "agent_failure_*.json: timestamp, workspace, reason, historyLength, history; written by a guard that aborts"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        let lower = name.to_ascii_lowercase();
        let named = lower.starts_with("agent_failure") || lower.starts_with("agent-failure");
        if named && has_ending(name, &["json"]) { Sniff::Yes } else { Sniff::No }
    }

    fn name_word(&self) -> Option<&'static str> {
        None
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        let has = |key: &[u8]| memchr::memmem::find(head, key).is_some();
        let object = head.trim_ascii_start().first() == Some(&b'{');
        if object && has(b"\"historyLength\"") && has(b"\"reason\"") { Sniff::Yes } else { Sniff::No }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let Some((value, bytes, place)) = whole::object(lines, out)? else { return Ok(()) };
        let at = value.get("timestamp").map(Loose::from).and_then(|t| t.time());
        let reason = value.get("reason").and_then(Value::as_str).unwrap_or("").to_owned();
        let line = super::loop_state::line_of(&bytes, "reason");
        let offset = super::loop_state::offset_of(&bytes, line);
        let what = What::End { how: EndKind::Abort, text: reason.into(), by: Some("guard".into()) };
        out.event(Event { at, iter: None, line, offset, run: None, revision: None, files_changed: None, usage: None, what });
        let _ = place;
        Ok(())
    }
}
