//! Calls of sub-agents. They are kept apart from the run's own: its checks, sums and modes are about what it did itself, but
//! a sub-agent that ran in circles held it up.

use super::tools::{BLANK, call_key, has_failed};
use super::{Builder, index};
use crate::format::json::hash;
use crate::trace::rows::{Action, SideCall};
use crate::trace::{Place, signature, tool};

impl Builder {
    /// A sub-agent calls a tool.
    pub fn side_call(&mut self, agent: u64, id: &str, tool: &str, args: &str, place: Place) {
        let part = &mut self.parts[self.current];
        let trace = &mut part.trace;
        let action = Action {
            tool: trace.names.intern(tool),
            class: tool::classify(tool, args),
            call_key: call_key(tool, args),
            step: index(trace.steps.len().saturating_sub(1)),
            id: hash(id.as_bytes()),
            ..BLANK
        };
        part.side_pending.insert(action.id, index(trace.side_calls.len()));
        trace.side_calls.push(SideCall { agent, action, place });
    }

    /// A sub-agent's call is answered. An answer to no call says nothing.
    pub fn side_result(&mut self, id: &str, ok: Option<bool>, exit_code: Option<i32>, text: &str) {
        let part = &mut self.parts[self.current];
        let step = index(part.trace.steps.len().saturating_sub(1));
        let Some(row) = part.side_pending.remove(&hash(id.as_bytes())) else { return };
        let Some(SideCall { action, .. }) = part.trace.side_calls.get_mut(row as usize) else { return };
        let failed = has_failed(ok, exit_code, text);
        action.result_step = Some(step);
        action.result_len = index(text.len());
        action.result_key = signature::result_key(text.as_bytes(), &[]);
        action.error_key = if failed { signature::read(text.as_bytes(), &[]).coarse() } else { 0 };
        action.ok = Some(!failed);
        action.exit_code = exit_code;
        // It was never carried out: a neighbour's failure cancelled it.
        if text.contains("Sibling tool call errored") {
            action.call_key = 0;
        }
    }
}
