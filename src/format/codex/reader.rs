//! The course of one rollout, record by record.

use super::counts::Counts;
use super::items::{Agent, Process};
use super::lines::Was;
use super::record::{Item, Line, Meta, event, mark, part, text};
use super::speech::Speech;
use crate::format::json::{Loose, hash};
use crate::trace::event::{EndKind, Event, MarkKind, Usage, What};
use crate::trace::{Builder, Place, Time, Tokens, Turn, is_locked_out, is_usage_limit};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;

/// Kinds of line that say nothing about the run's course.
const QUIET_LINES: &[&str] = &["world_state", "session_state", "git_info"];
/// Events that repeat what an item tells, or say nothing about the run's course.
const QUIET_EVENTS: &[&str] = &[
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "agent_message_delta",
    "mcp_tool_call_begin",
    "mcp_tool_call_end",
    "patch_apply_begin",
    "patch_apply_updated",
    "patch_apply_end",
    "web_search_begin",
    "web_search_end",
    "exec_command_begin",
    "exec_command_output_delta",
    "exec_command_end",
    "terminal_interaction",
    "view_image_tool_call",
    "image_generation_begin",
    "image_generation_end",
    "item_started",
    "item_completed",
    "thread_rolled_back",
    "thread_name_updated",
    "thread_goal_updated",
    "thread_settings_applied",
    "turn_diff",
    "plan_update",
    "warning",
    "deprecation_notice",
    "background_event",
    "session_configured",
    "entered_review_mode",
    "exited_review_mode",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "undo_started",
    "undo_completed",
    "shutdown_complete",
    "raw_response_item",
    "hook_started",
    "hook_completed",
    "model_reroute",
];

/// Where and when.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) place: Place,
    pub(super) at: Option<Time>,
}

/// Which of the two records of a compaction came first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compacted {
    Record,
    Event,
}

/// What is remembered within a file.
#[derive(Default)]
pub(super) struct Reader {
    /// The file's own session.
    session: String,
    /// The session at the beginning of its lineage: what copies and forks share.
    pub(super) root: String,
    /// A sub-agent's thread.
    pub(super) side: bool,
    model: String,
    /// Messages are taken from items; the events that repeat them are not.
    items: bool,
    counts: Counts,
    pub(super) speech: Speech,
    /// How often each record was met in this file.
    met: HashMap<u64, u32>,
    pub(super) processes: HashMap<String, Process>,
    /// Calls that write to a process, with its number.
    pub(super) writes: HashMap<String, String>,
    pub(super) agents: HashMap<String, Agent>,
    compacted: Option<Compacted>,
    /// The turn was ended by a limit; that it completes says nothing more.
    limited: bool,
    /// A turn has begun and not ended, where turns are recorded.
    pub(super) open: bool,
    /// The record at hand is a copy: it is remembered, and tells nothing.
    pub(super) quiet: bool,
    /// Something was done since the last header.
    worked: bool,
    /// The turn at hand, for a stream that tells of the same thread in outline.
    turn: Option<Turn>,
    /// Nothing was done in it yet.
    untouched: bool,
    /// Searches on the server since the last booking.
    pub(super) searches: u32,
}

impl Reader {
    /// `items` where the file holds the dialogue's items.
    pub(super) fn new(items: bool) -> Self {
        Self { items, ..Self::default() }
    }

    /// One record.
    pub(super) fn take(&mut self, record: &str, place: Place, out: &mut Builder) -> Was {
        if let Ok(line) = serde_json::from_str::<Line<'_>>(record) {
            return self.line(&line, record, place, out);
        }
        // Typed reading refuses a key that stands twice; the last value counts.
        let value = serde_json::from_str::<serde_json::Value>(record).map(|v| v.to_string()).unwrap_or_default();
        serde_json::from_str::<Line<'_>>(&value).map_or(Was::Unknown, |line| self.line(&line, &value, place, out))
    }

    fn line(&mut self, line: &Line<'_>, record: &str, place: Place, out: &mut Builder) -> Was {
        let spot = Spot { place, at: line.timestamp.time() };
        if let Some(turn) = &mut self.turn {
            turn.to = spot.at.or(turn.to);
        }
        match (text(&line.kind), line.payload) {
            ("session_meta", Some(_)) => {
                let meta: Meta<'_> = part(line.payload);
                if self.worked && text(&meta.id) == self.session {
                    self.worked = false;
                    self.emit(mark(MarkKind::Resume, "resumed"), spot, out);
                }
                self.header(&meta, out);
            }
            ("turn_context", Some(_)) => self.context(line.payload, out),
            ("response_item", Some(payload)) => return self.response_item(payload.get(), spot, out),
            ("event_msg", Some(payload)) => return self.event_msg(payload, spot, out),
            ("compacted", Some(payload)) => {
                self.quiet = self.copied(0, payload.get(), out);
                self.compact(Compacted::Record, spot, out);
                return self.told(Was::Known);
            }
            ("token_usage_record", Some(_)) => {
                if let Some(tokens) = self.counts.response(line.payload, &self.root, out) {
                    self.book(tokens, spot, out);
                }
            }
            ("", None) if line.items.is_some() => return self.document(line, spot, out),
            ("", None) if !text(&line.id).is_empty() => self.header(&Meta { id: line.id.clone(), ..Meta::default() }, out),
            ("", None) if line.record_type != Loose::Null => {}
            (kind, _) if QUIET_LINES.contains(&kind) => {}
            // Before there was an envelope the item was the line.
            (kind, None) if !kind.is_empty() => return self.response_item(record, spot, out),
            _ => return Was::Unknown,
        }
        Was::Known
    }

    /// The oldest form on one line.
    fn document(&mut self, line: &Line<'_>, spot: Spot, out: &mut Builder) -> Was {
        let session: Meta<'_> = part(line.session);
        self.header(&session, out);
        let items: Vec<&RawValue> = line.items.and_then(|i| serde_json::from_str(i.get()).ok()).unwrap_or_default();
        let mut was = Was::Known;
        for item in items {
            if self.response_item(item.get(), spot, out) == Was::Unknown {
                was = Was::Unknown;
            }
        }
        was
    }

    pub(super) fn header(&mut self, meta: &Meta<'_>, out: &mut Builder) {
        let id = text(&meta.id);
        if self.session.is_empty() || id == self.session {
            out.working_in(text(&meta.cwd));
        }
        if self.session.is_empty() {
            id.clone_into(&mut self.session);
            self.side = meta.side();
            out.session(id);
            let from = text(&meta.forked_from_id);
            if from.is_empty() { id } else { from }.clone_into(&mut self.root);
        } else if id != self.session && !id.is_empty() {
            // A copied history brings the header of its session along; the one behind it is the older.
            id.clone_into(&mut self.root);
        }
    }

    fn context(&mut self, payload: Option<&RawValue>, out: &mut Builder) {
        #[derive(Default, Deserialize)]
        #[serde(default, bound(deserialize = "'de: 'a"))]
        struct Context<'a> {
            model: Loose<'a>,
            cwd: Loose<'a>,
        }
        let context: Context<'_> = part(payload);
        out.working_in(text(&context.cwd));
        if !text(&context.model).is_empty() {
            text(&context.model).clone_into(&mut self.model);
        }
    }

    /// Whether another file of the lineage has told this record already. Forks copy with new times, so the time is no part
    /// of it; the same words can be said twice in one file, so it is counted which occurrence this is. A `call` tells
    /// which record of a call it is, over releases that write it differently.
    pub(super) fn copied(&mut self, call: u64, payload: &str, out: &mut Builder) -> bool {
        let key = if call == 0 { hash(payload.as_bytes()) } else { call };
        let occurrence = self.met.entry(key).or_insert(0);
        *occurrence += 1;
        let key = hash(format!("codex record\0{}\0{key:x}\0{occurrence}", self.root).as_bytes());
        !out.first_time(key)
    }

    /// A record is done with.
    pub(super) fn told(&mut self, was: Was) -> Was {
        if std::mem::take(&mut self.quiet) { Was::Copied } else { was }
    }

    pub(super) fn emit(&mut self, what: What<'_>, spot: Spot, out: &mut Builder) {
        if self.quiet {
            return;
        }
        if self.side {
            // What a sub-agent calls and checks is not the run's own.
            match what {
                What::ToolCall { id, tool, args } => {
                    let agent = hash(self.session.as_bytes());
                    return out.side_call(agent, id.as_deref().unwrap_or(""), &tool, &args, spot.place);
                }
                What::ToolResult { id, ok, exit_code, text, .. } => {
                    return out.side_result(id.as_deref().unwrap_or(""), ok, exit_code, &text);
                }
                What::Outcome { .. } => return,
                _ => {}
            }
        }
        self.speech.emit(event(spot.place, spot.at, what), out);
    }

    /// A turn begins, told by its own record or by the words that start it.
    pub(super) fn turn_begins(&mut self, spot: Spot, out: &mut Builder) {
        if self.turn.is_some() && self.untouched {
            return;
        }
        self.turn_ends(false, out);
        self.turn = Some(Turn { from: spot.at, to: spot.at, ended: false, booked: false });
        self.untouched = true;
    }

    fn turn_ends(&mut self, ended: bool, out: &mut Builder) {
        if let Some(turn) = self.turn.take()
            && !self.side
        {
            out.turn_told(&self.session, Turn { ended, ..turn });
        }
    }

    fn book(&mut self, tokens: Tokens, spot: Spot, out: &mut Builder) {
        self.untouched = false;
        if let Some(turn) = &mut self.turn {
            turn.booked = true;
        }
        let model = (!self.model.is_empty()).then(|| self.model.clone().into());
        let usage = Usage { model, tokens, web_searches: std::mem::take(&mut self.searches), ..Usage::default() };
        let what = What::ModelCall { ok: None, exit_code: None, text: "".into(), key: None, side: self.side };
        self.speech.emit(Event { usage: Some(usage), ..event(spot.place, spot.at, what) }, out);
    }

    fn event_msg(&mut self, payload: &RawValue, spot: Spot, out: &mut Builder) -> Was {
        let item: Item<'_> = part(Some(payload));
        let kind = text(&item.kind).to_owned();
        let kind = kind.as_str();
        if kind == "token_count" {
            if let Some(tokens) = self.counts.count(item.info, &self.root, out) {
                self.book(tokens, spot, out);
            }
            return Was::Known;
        }
        if QUIET_EVENTS.contains(&kind) || kind.starts_with("collab_") || self.items && matches!(kind, "user_message" | "agent_message") {
            return Was::Known;
        }
        self.quiet = self.copied(0, payload.get(), out);
        let was = self.event(kind, item, spot, out);
        self.told(was)
    }

    fn event(&mut self, kind: &str, item: Item<'_>, spot: Spot, out: &mut Builder) -> Was {
        match kind {
            "user_message" => self.heard(&[item.message.into_text().unwrap_or_default()], spot, out),
            "agent_message" => {
                let ends = super::items::ends(&item);
                let said = item.message.into_text().unwrap_or_default();
                self.said(said, ends, spot, out);
            }
            "task_started" | "turn_started" => {
                self.speech.settle(true, out);
                (self.open, self.limited, self.compacted) = (true, false, None);
                if !self.quiet {
                    self.turn_begins(spot, out);
                }
            }
            "task_complete" | "turn_complete" => self.complete(text(&item.last_agent_message), spot, out),
            "turn_aborted" => self.aborted(text(&item.reason), spot, out),
            "error" => self.failed(&item, spot, out),
            "stream_error" => self.emit(mark(MarkKind::Retry, text(&item.message)), spot, out),
            "context_compacted" => self.compact(Compacted::Event, spot, out),
            _ => return Was::Unknown,
        }
        Was::Known
    }

    fn complete(&mut self, last: &str, spot: Spot, out: &mut Builder) {
        self.speech.settle(true, out);
        self.open = false;
        self.turn_ends(true, out);
        if self.limited {
            return;
        }
        if self.side {
            // It ends a sub-agent and not the run.
            let session = self.session.clone();
            self.agent_stops(&session, spot, out);
        } else {
            self.emit(What::End { how: EndKind::Exit, text: last.into(), by: None }, spot, out);
        }
    }

    fn aborted(&mut self, reason: &str, spot: Spot, out: &mut Builder) {
        self.speech.settle(false, out);
        self.open = false;
        self.turn_ends(true, out);
        let what = match reason {
            "budget_limited" => {
                self.limited = true;
                What::End { how: EndKind::Abort, text: "budget_limited: usage limit".into(), by: None }
            }
            "interrupted" | "replaced" => mark(MarkKind::Interrupt, reason),
            _ => mark(MarkKind::Other, reason),
        };
        self.emit(what, spot, out);
    }

    fn failed(&mut self, item: &Item<'_>, spot: Spot, out: &mut Builder) {
        let message = text(&item.message);
        let info = item.codex_error_info.map_or("", RawValue::get);
        if info.contains("usage_limit_exceeded") || is_usage_limit(message) {
            if !self.limited {
                self.limited = true;
                self.emit(What::End { how: EndKind::Abort, text: format!("usage limit: {message}").into(), by: None }, spot, out);
            }
            return;
        }
        if is_locked_out(message) && !self.limited {
            self.limited = true;
            self.emit(What::End { how: EndKind::Abort, text: format!("credential missing: {message}").into(), by: None }, spot, out);
            return;
        }
        // The window is named in the code where the message leaves it out.
        let words = if info.contains("context_window_exceeded") { format!("context window: {message}") } else { message.to_owned() };
        self.emit(mark(MarkKind::ApiError, words), spot, out);
    }

    fn compact(&mut self, which: Compacted, spot: Spot, out: &mut Builder) {
        if self.compacted.is_some_and(|before| before != which) {
            self.compacted = None;
            return;
        }
        self.compacted = Some(which);
        self.emit(mark(MarkKind::Compact, "compacted"), spot, out);
    }

    /// Work goes on, told by items: a compaction that follows is another one.
    pub(super) fn works(&mut self) {
        (self.compacted, self.items, self.worked) = (None, true, true);
    }

    /// The turn at hand is more than its prompt.
    pub(super) fn acts(&mut self) {
        self.untouched = false;
    }

    /// The file ends.
    pub(super) fn close(&mut self, out: &mut Builder) {
        // Where turns are recorded and this one is open, more was to come.
        self.speech.settle(!self.open, out);
        self.turn_ends(false, out);
    }
}
