//! Calls of sub-agents. They are kept apart from the run's own: its iterations, sums and modes are about what it did itself.
//! But a sub-agent that ran in circles held it up, and what it edited and checked is the run's own tree.

use super::outcome::{colour, judged_by};
use super::tools::{BLANK, call_key, error_key, has_failed};
use super::writes::{PATH, text_of};
use super::{Builder, index};
use crate::format::json::hash;
use crate::trace::rows::{Action, Check, SideCall};
use crate::trace::tool::ToolClass;
use crate::trace::{Name, Place, signature};

impl Builder {
    /// A sub-agent calls a tool.
    pub fn side_call(&mut self, agent: u64, id: &str, tool: &str, args: &str, place: Place) {
        let part = &mut self.parts[self.current];
        let class = part.classify(tool, args);
        let aside = class == ToolClass::Edit && part.is_aside(args);
        if let Some(judge) = judged_by(args, &mut part.scene).into_iter().next() {
            part.side_checking.insert(index(part.trace.side_calls.len()), judge);
        }
        let trace = &mut part.trace;
        let path = serde_json::from_str(args).ok().and_then(|args| text_of(&args, PATH)).filter(|_| class == ToolClass::Edit);
        let action = Action {
            path: path.map_or(Name::NONE, |path| trace.names.intern(&path)),
            tool: trace.names.intern(tool),
            class,
            aside,
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
        action.error_key = if failed { error_key(text, exit_code) } else { 0 };
        action.ok = Some(!failed);
        action.exit_code = exit_code;
        // It was never carried out: a neighbour's failure cancelled it.
        if text.contains("Sibling tool call errored") {
            action.call_key = 0;
        }
        let command = action.call_key;
        if let Some(judge) = part.side_checking.remove(&row) {
            let reading = signature::read(text.as_bytes(), &[]);
            let Some(colour) = colour(&judge, ok, exit_code, text, &reading) else { return };
            let judge = Some(part.known_judge(judge));
            part.trace.side_checks.push(Check { name: None, colour, exit_code, judge, commit: None, failures: (0, 0), command, step });
        }
    }
}
