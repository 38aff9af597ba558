//! The course of one `codex exec` after another. One process prints one stretch, from `thread.started` to the end of its
//! turn; one that was killed has no end.

use super::call::PATCH;
use super::counts::Count;
use super::exec::{Record, words};
use super::lines::Was;
use super::record::{event, flat, mark, part, text};
use super::speech::Speech;
use crate::format::gist;
use crate::format::json::{self, Loose};
use crate::trace::event::{EndKind, Event, MarkKind, Usage, What};
use crate::trace::{Builder, Place, Turn, is_locked_out, is_usage_limit};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What is remembered within a file.
#[derive(Default)]
pub(super) struct Stretch {
    /// The thread that runs.
    thread: String,
    /// How many stretches began: item ids begin anew in each.
    number: u32,
    /// The stretch has not seen a turn yet.
    fresh: bool,
    /// The thread has run before in this file.
    resumed: bool,
    /// Items that began, and those that ended.
    begun: HashSet<String>,
    done: HashSet<String>,
    /// The turn, where the thread's rollout tells it in full.
    told: Option<Turn>,
    /// How many stretches a rollout tells.
    in_full: u32,
    /// The error that was told last, and whether it was a limit.
    failed: Option<String>,
    limited: bool,
    speech: Speech,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Item<'a> {
    id: Loose<'a>,
    #[serde(rename = "type", alias = "item_type")]
    kind: Loose<'a>,
    text: Loose<'a>,
    command: Loose<'a>,
    aggregated_output: Loose<'a>,
    exit_code: Loose<'a>,
    status: Loose<'a>,
    #[serde(borrow)]
    changes: Option<&'a RawValue>,
    server: Loose<'a>,
    tool: Loose<'a>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    query: Loose<'a>,
    #[serde(borrow)]
    receiver_thread_ids: Option<&'a RawValue>,
    #[serde(borrow)]
    agents_states: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Answer<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    message: Loose<'a>,
}

impl Stretch {
    pub(super) fn take(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) -> Was {
        match text(&record.kind) {
            "thread.started" => {
                text(&record.thread_id).clone_into(&mut self.thread);
                // What is still held back was said by the thread before.
                self.speech.settle(false, out);
                out.session(&self.thread);
                self.begin(place, out);
                self.fresh = true;
                self.resumed = out.has_run(&self.thread);
            }
            "turn.started" => {
                if !self.fresh {
                    self.begin(place, out);
                }
                self.fresh = false;
            }
            "item.started" | "item.updated" | "item.completed" => {
                if self.number == 0 {
                    self.begin(place, out);
                }
                return self.item(text(&record.kind), &part(record.item), place, out);
            }
            "turn.completed" => return self.completed(record, place, out),
            "turn.failed" | "error" => self.error(record, place, out),
            _ => return Was::Unknown,
        }
        Was::Known
    }

    fn emit(&mut self, what: What<'_>, place: Place, out: &mut Builder) {
        let at = match what {
            What::IterStart => self.told.and_then(|t| t.from),
            _ => self.told.and_then(|t| t.to),
        };
        self.speech.emit(event(place, at, what), out);
    }

    fn begin(&mut self, place: Place, out: &mut Builder) {
        self.speech.settle(false, out);
        self.number += 1;
        (self.failed, self.limited) = (None, false);
        self.begun.clear();
        self.done.clear();
        self.told = out.take_turn(&self.thread);
        self.in_full += u32::from(self.told.is_some());
        self.emit(What::IterStart, place, out);
    }

    fn completed(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) -> Was {
        if self.number == 0 {
            self.begin(place, out);
        }
        self.speech.settle(true, out);
        let count = Count::read(record.usage);
        let tokens = count.map(|count| {
            let before = out.cumulated(&self.thread, count.figures()).map(Count::of_figures);
            // Some releases go on counting from where a resumed thread stood, in this file or in an earlier one: then no
            // class is below its last figure.
            before.filter(|_| self.resumed).and_then(|b| count.since(&b)).unwrap_or(count).tokens()
        });
        let (booked, ended) = self.told.map_or((false, false), |t| (t.booked, t.ended));
        if booked && ended {
            // Keeps what follows without a time behind this turn.
            self.emit(mark(MarkKind::Other, "turn.completed"), place, out);
            return Was::Copied;
        }
        let what = What::ModelCall { ok: None, exit_code: None, text: "".into(), key: None, side: false };
        let usage = tokens.map(|tokens| Usage { tokens, ..Usage::default() });
        if !booked {
            let at = self.told.and_then(|t| t.to);
            self.speech.emit(Event { usage, ..event(place, at, what) }, out);
        }
        if !ended {
            self.emit(What::End { how: EndKind::Exit, text: "turn.completed".into(), by: None }, place, out);
        }
        Was::Known
    }

    fn error(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) {
        if self.number == 0 {
            self.begin(place, out);
        }
        self.speech.settle(false, out);
        let words = words(record);
        let told = self.failed.as_ref() == Some(&words);
        let limit = is_usage_limit(&words);
        if limit || is_locked_out(&words) && !words.starts_with("Re") {
            // The failed turn says again what the error said.
            if !self.limited {
                self.emit(mark(MarkKind::ApiError, words.clone()), place, out);
                self.emit(
                    What::End {
                        how: EndKind::Abort,
                        text: format!("{}: {words}", if limit { "usage limit" } else { "credential missing" }).into(),
                        by: None,
                    },
                    place,
                    out,
                );
            }
            self.limited = true;
        } else if words.starts_with("Reconnecting") || words.starts_with("Re-connecting") {
            self.emit(mark(MarkKind::Retry, words.clone()), place, out);
        } else if !told && !self.limited {
            self.emit(mark(MarkKind::ApiError, words.clone()), place, out);
        }
        self.failed = Some(words);
    }

    fn item(&mut self, step: &str, item: &Item<'_>, place: Place, out: &mut Builder) -> Was {
        if self.told.is_some() {
            return Was::Copied;
        }
        let kind = text(&item.kind);
        match kind {
            "agent_message" | "assistant_message" => {
                if step == "item.completed" {
                    self.speech.say(Cow::Borrowed(text(&item.text)), None, place, None, out);
                }
                return Was::Known;
            }
            // Notices, plans and thoughts are no acts.
            "reasoning" | "todo_list" | "error" => return Was::Known,
            "command_execution" | "file_change" | "mcp_tool_call" | "collab_tool_call" | "web_search" => {}
            _ => return Was::Unknown,
        }
        let id = format!("{}#{}/{}", self.thread, self.number, text(&item.id));
        // Updates repeat what the completed item holds.
        if step == "item.updated" && self.begun.contains(&id) || self.done.contains(&id) {
            return Was::Known;
        }
        if self.begun.insert(id.clone()) {
            let (tool, args) = called(kind, item);
            self.emit(What::ToolCall { id: Some(id.as_str().into()), tool, args }, place, out);
        }
        if step == "item.completed" {
            self.answered(kind, &id, item, place, out);
            self.done.insert(id);
        }
        Was::Known
    }

    fn answered(&mut self, kind: &str, id: &str, item: &Item<'_>, place: Place, out: &mut Builder) {
        let status = text(&item.status);
        let exit_code = item.exit_code.whole();
        let declined = status == "declined";
        let answer: Answer<'_> = part(item.result);
        let failure: Answer<'_> = part(item.error);
        let printed = match (kind, text(&item.aggregated_output)) {
            ("command_execution", "") if declined => Cow::Borrowed("command declined"),
            ("command_execution", printed) => Cow::Borrowed(printed),
            _ if !text(&failure.message).is_empty() => Cow::Borrowed(text(&failure.message)),
            _ if item.error.is_some_and(|e| e.get().starts_with('"')) => flat(item.error),
            _ => flat(answer.content),
        };
        let ok = match (exit_code, status) {
            (Some(code), _) => Some(code == 0),
            (None, "failed" | "declined") => Some(false),
            (None, "completed") => Some(true),
            _ => None,
        };
        if declined {
            let what = What::Mark {
                kind: MarkKind::Permission,
                text: text(&item.command).into(),
                decision: Some("deny".into()),
                by: None,
                score: None,
                exit_code: None,
            };
            self.emit(what, place, out);
        }
        self.emit(What::ToolResult { id: Some(id.into()), ok, exit_code, text: printed, running: false }, place, out);
        if kind == "collab_tool_call" {
            self.agents(item, place, out);
        }
    }

    fn agents(&mut self, item: &Item<'_>, place: Place, out: &mut Builder) {
        if text(&item.tool) == "spawn_agent" {
            let ids: Vec<Loose<'_>> = item.receiver_thread_ids.and_then(|r| serde_json::from_str(r.get()).ok()).unwrap_or_default();
            for id in ids {
                self.emit(mark(MarkKind::SubagentStart, id.into_text().unwrap_or_default()), place, out);
            }
        }
        let states: HashMap<String, Value> = item.agents_states.and_then(|s| serde_json::from_str(s.get()).ok()).unwrap_or_default();
        let mut ended: Vec<&String> = states.iter().filter(|(_, state)| has_ended(state)).map(|(id, _)| id).collect();
        ended.sort();
        for id in ended {
            if self.done.insert(format!("agent {id}")) {
                self.emit(mark(MarkKind::SubagentStop, id.clone()), place, out);
            }
        }
    }

    /// The file ends. A message without the end of its turn behind it did not end it.
    pub(super) fn close(&mut self, out: &mut Builder) {
        self.speech.settle(false, out);
        match self.in_full {
            0 => {}
            n if n == self.number => out.kept_of_source("kept: where processes start and end; its threads' rollouts tell the rest"),
            _ => out.kept_of_source("kept: threads without a rollout; of the others where processes start and end"),
        }
    }
}

/// A stream's line in a few words.
pub(super) fn gist(line: &[u8]) -> Option<String> {
    let record: Record<'_> = json::values(line).next()?.ok()?;
    let item: Item<'_> = part(record.item);
    match text(&item.kind) {
        "" => gist::said(&words(&record)),
        "command_execution" => {
            let failed = item.exit_code.whole().is_some_and(|c| c != 0) || text(&item.status) == "failed";
            gist::answer(text(&item.aggregated_output), failed).or_else(|| gist::said(text(&item.command)))
        }
        "agent_message" | "assistant_message" | "reasoning" => gist::said(text(&item.text)),
        kind => {
            let (tool, args) = called(kind, &item);
            Some(gist::call(&tool, &args))
        }
    }
}

fn has_ended(state: &Value) -> bool {
    let status = state.get("status").unwrap_or(state);
    status.as_str().is_some_and(|s| !matches!(s, "pending_init" | "running" | "in_progress"))
}

/// Tool and arguments of an item.
fn called<'a>(kind: &'a str, item: &'a Item<'_>) -> (Cow<'a, str>, Cow<'a, str>) {
    let raw = |raw: Option<&RawValue>| raw.map_or_else(|| "{}".to_owned(), |r| r.get().to_owned());
    match kind {
        "command_execution" => (kind.into(), json!({ "command": text(&item.command) }).to_string().into()),
        // What changed is not in the record: two changes of one file cannot be told to be the same, so the item is part of it.
        "file_change" => (PATCH.into(), format!(r#"{{"changes":{},"item":{}}}"#, raw(item.changes), json!(text(&item.id))).into()),
        "mcp_tool_call" => (format!("mcp__{}__{}", text(&item.server), text(&item.tool)).into(), raw(item.arguments).into()),
        "web_search" => (kind.into(), json!({ "query": text(&item.query) }).to_string().into()),
        _ => (text(&item.tool).into(), raw(item.arguments).into()),
    }
}
