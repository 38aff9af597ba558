//! What the messages of a session mean.

use super::record::{Attachment, Block, Message, Record, Usage, call_key, flat_text, is_set, money, part, text};
use crate::format::gist;
use crate::format::json::{Loose, hash};
use crate::trace::event::{Event, MarkKind, Usage as Booked, What};
use crate::trace::{Builder, Place, Time};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The session itself.
    Main,
    /// A sub-agent: its tokens count, its acts are not the session's. The number is its own; 0 where it is not known.
    Agent(u64),
}

/// What is remembered from message to message.
#[derive(Default)]
pub(super) struct Memory {
    /// Tool uses of messages without any usage, which may have been abandoned: they count once they are answered.
    held: HashMap<String, (String, String)>,
    /// Hash of the newest prompt of a person, to know it when it is fed again.
    prompt: Option<u64>,
    /// Sub-agents' records by the hash of their uuid, with the first record of their thread: old writers name no agent.
    threads: HashMap<u64, u64>,
    /// Newest output of old writers: messages with text whose output count stayed a placeholder.
    pub(super) placeholders: u32,
    /// Messages whose last record had no stop reason.
    pub(super) unstopped: u32,
    pub(super) messages: u32,
    /// The sub-agent whose transcript is all that there is of the run; `Some(0)`: the run is a session's own.
    alone: Option<u64>,
}

impl Memory {
    /// Whose a record is. Where a sub-agent's transcript is read without its parent's, the sub-agent is the run.
    pub(super) fn side(&mut self, record: &Record<'_>, out: &Builder) -> Side {
        let agent = if is_set(&record.side) { self.agent(record) } else { 0 };
        let named = !text(&record.agent).is_empty();
        let alone = *self.alone.get_or_insert(if named && agent != 0 && out.is_blank() { agent } else { 0 });
        if agent == 0 && !is_set(&record.side) || agent != 0 && agent == alone { Side::Main } else { Side::Agent(agent) }
    }

    /// Which sub-agent a record is of.
    pub(super) fn agent(&mut self, record: &Record<'_>) -> u64 {
        let key = |field: &Loose<'_>| Some(text(field)).filter(|t| !t.is_empty()).map(|t| hash(t.as_bytes()));
        if let Some(agent) = key(&record.agent) {
            return agent;
        }
        let Some(own) = key(&record.uuid) else { return 0 };
        let thread = key(&record.parent).and_then(|p| self.threads.get(&p).copied()).unwrap_or(own);
        self.threads.insert(own, thread);
        thread
    }
}

pub(super) fn event<'a>(place: Place, at: Option<Time>, what: What<'a>) -> Event<'a> {
    Event { at, iter: None, line: place.line, offset: place.offset, run: None, revision: None, files_changed: None, usage: None, what }
}

pub(super) fn mark<'a>(kind: MarkKind, text: impl Into<Cow<'a, str>>) -> What<'a> {
    What::Mark { kind, text: text.into(), decision: None, by: None, score: None, exit_code: None }
}

/// An assistant's message: one record a content block, all with the message's id.
pub(super) fn assistant(record: &Record<'_>, raw: Option<&RawValue>, side: Side, place: Place, memory: &mut Memory, out: &mut Builder) {
    let message: Message<'_> = part(raw);
    let at = record.timestamp.time();
    let model = text(&message.model);
    let blocks: Vec<Block<'_>> = content_blocks(message.content);
    if model == "<synthetic>" || is_set(&record.api_error) {
        // Made by the client itself: no call of a model.
        let said = flat_text(message.content);
        let failed = is_set(&record.api_error) || said.starts_with("API Error");
        let what = if failed { mark(MarkKind::ApiError, said) } else { mark(MarkKind::Other, said) };
        out.event(event(place, at, what));
        return;
    }
    let usage: Usage<'_> = part(message.usage);
    let tokens = usage.tokens();
    let key = call_key(record, &message);
    let first = key.is_none_or(|k| out.first_time(k));
    memory.messages += u32::from(first);
    memory.unstopped += u32::from(first && message.stop_reason == Loose::Null);
    let booked = Booked {
        model: Some(model.to_owned().into()),
        tokens,
        reported: money(&record.cost_usd).filter(|m| m.0 > 0),
        web_searches: usage.web_searches(),
        ..Booked::default()
    };
    out.event(Event {
        usage: Some(booked),
        ..event(place, at, What::ModelCall { ok: None, exit_code: None, text: "".into(), key, side: side != Side::Main })
    });
    if let Side::Agent(agent) = side {
        for block in blocks.iter().filter(|b| agent != 0 && text(&b.kind) == "tool_use") {
            let id = text(&block.id);
            if !id.is_empty() && out.first_time(hash(format!("side call\0{id}").as_bytes())) {
                out.side_call(agent, id, text(&block.name), block.input.map_or("", RawValue::get), place);
            }
        }
        return;
    }
    let idle = tokens.total() == Some(0);
    let ends = matches!(text(&message.stop_reason), "" | "end_turn" | "stop_sequence" | "max_tokens");
    for block in &blocks {
        match text(&block.kind) {
            "text" => {
                let said = text(&block.text);
                let new = !said.trim().is_empty() && key.is_none_or(|k| out.first_time(hash(format!("{k}\0text\0{said}").as_bytes())));
                if new {
                    memory.placeholders += u32::from(said.len() > 400 && tokens.output.is_some_and(|o| o < 30));
                    out.event(event(place, at, What::Said { text: said.into(), ends }));
                }
            }
            "tool_use" => {
                let id = text(&block.id).to_owned();
                let new = key.is_none_or(|k| id.is_empty() || out.first_time(hash(format!("{k}\0call\0{id}").as_bytes())));
                let args = block.input.map_or("", RawValue::get);
                if new && idle {
                    memory.held.insert(id, (text(&block.name).to_owned(), args.to_owned()));
                } else if new {
                    memory.held.remove(&id);
                    let id = (!id.is_empty()).then(|| id.into());
                    out.event(event(place, at, What::ToolCall { id, tool: text(&block.name).into(), args: args.into() }));
                }
            }
            _ => {}
        }
    }
}

/// A user's message: a prompt, or the answers of tools.
pub(super) fn user(record: &Record<'_>, raw: Option<&RawValue>, place: Place, memory: &mut Memory, out: &mut Builder) {
    let message: Message<'_> = part(raw);
    let at = record.timestamp.time();
    let mut spoken = Vec::new();
    match serde_json::from_str::<Loose<'_>>(message.content.map_or("null", RawValue::get)) {
        Ok(Loose::Text(t)) => spoken.push(t.into_owned()),
        _ => {
            for block in content_blocks(message.content) {
                match text(&block.kind) {
                    "tool_result" => answer(&block, place, at, memory, out),
                    "text" => spoken.push(text(&block.text).to_owned()),
                    _ => {}
                }
            }
        }
    }
    let launched = record.outcome.is_some_and(|o| o.get().contains("\"async_launched\""));
    if launched {
        out.event(event(place, at, mark(MarkKind::SubagentStart, "in the background")));
    }
    for said in spoken {
        prompt(record, &said, place, at, memory, out);
    }
}

/// What a sub-agent's tools answer.
pub(super) fn side_answers(raw: Option<&RawValue>, out: &mut Builder) {
    let message: Message<'_> = part(raw);
    for block in content_blocks(message.content).iter().filter(|b| text(&b.kind) == "tool_result") {
        let body = flat_text(block.content);
        let failed = is_set(&block.is_error);
        out.side_result(text(&block.tool_use_id), Some(!failed), exit_code(&body).or((!failed).then_some(0)), &body);
    }
}

/// A record in a few words.
pub(super) fn gist(record: &Record<'_>) -> Option<String> {
    match text(&record.kind) {
        "assistant" | "user" => {
            let message: Message<'_> = part(record.message);
            content_blocks(message.content).iter().find_map(gist_of_block)
        }
        "result" => gist::said(text(&record.result)).or_else(|| gist::said(text(&record.subtype))),
        "system" => gist::said(text(&record.content)).or_else(|| gist::said(text(&record.subtype))),
        _ => None,
    }
}

fn gist_of_block(block: &Block<'_>) -> Option<String> {
    match text(&block.kind) {
        "tool_result" => gist::answer(&flat_text(block.content), is_set(&block.is_error)),
        "tool_use" => Some(gist::call(text(&block.name), block.input.map_or("", RawValue::get))),
        "text" => gist::said(text(&block.text)),
        _ => None,
    }
}

fn content_blocks(raw: Option<&RawValue>) -> Vec<Block<'_>> {
    match raw.map(RawValue::get) {
        Some(r) if r.starts_with('[') => serde_json::from_str(r).unwrap_or_default(),
        Some(r) if r.starts_with('"') => {
            vec![Block { kind: Loose::Text("text".into()), text: serde_json::from_str(r).unwrap_or_default(), ..Block::default() }]
        }
        _ => Vec::new(),
    }
}

fn answer(block: &Block<'_>, place: Place, at: Option<Time>, memory: &mut Memory, out: &mut Builder) {
    let id = text(&block.tool_use_id);
    let body = flat_text(block.content);
    // The same answer in a copy of the session.
    let when = if id.starts_with("toolu_") { 0 } else { at.map_or(0, |t| t.0) };
    if !id.is_empty() && !out.first_time(hash(format!("answer\0{id}\0{when}\0{body}").as_bytes())) {
        return;
    }
    if let Some((tool, args)) = memory.held.remove(id) {
        out.event(event(place, at, What::ToolCall { id: Some(id.into()), tool: tool.into(), args: args.into() }));
    }
    let failed = is_set(&block.is_error);
    let exit_code = exit_code(&body).or((!failed).then_some(0));
    let id = (!id.is_empty()).then(|| id.to_owned().into());
    out.event(event(place, at, What::ToolResult { id, ok: Some(!failed), exit_code, text: body, running: false }));
}

/// `Exit code 2` at the head of a failed command's answer.
fn exit_code(body: &str) -> Option<i32> {
    let rest = body.trim_start().trim_start_matches("Error: ").strip_prefix("Exit code ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Texts that clients put into user messages themselves.
const INJECTED: &[&str] = &[
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<task-notification>",
    "<system-reminder>",
    "Caveat:",
    "<bash-stdout>",
    "<bash-input>",
    "This session is being continued",
];

/// The client tells of a task in the background that has ended. It does so in up to three records: where the notice is put
/// into the queue, where it is taken out, and where the agent gets it.
pub(super) fn notified(said: &str, place: Place, at: Option<Time>, out: &mut Builder) {
    if !said.starts_with("<task-notification>") {
        return;
    }
    let id = said.split_once("<task-id>").and_then(|(_, rest)| rest.split_once("</task-id>")).map_or("", |(id, _)| id.trim());
    if id.is_empty() || out.first_time(hash(format!("task ended\0{id}").as_bytes())) {
        out.event(event(place, at, mark(MarkKind::SubagentStop, "notification")));
    }
}

/// What was put into the queue while the agent worked, where it gets it: a person's words, or a notice.
pub(super) fn attached(record: &Record<'_>, place: Place, memory: &mut Memory, out: &mut Builder) {
    let attachment: Attachment<'_> = part(record.attachment);
    if text(&attachment.kind) != "queued_command" {
        return;
    }
    let (said, at) = (text(&attachment.prompt), record.timestamp.time());
    match text(&attachment.mode) {
        "prompt" if !said.trim().is_empty() => prompt(record, said, place, at, memory, out),
        _ => notified(said.trim_start(), place, at, out),
    }
}

fn prompt(record: &Record<'_>, said: &str, place: Place, at: Option<Time>, memory: &mut Memory, out: &mut Builder) {
    let trimmed = said.trim_start();
    notified(trimmed, place, at, out);
    let key = hash(trimmed.as_bytes());
    let kind = if trimmed.starts_with("[Request interrupted by user") {
        MarkKind::Interrupt
    } else if trimmed.starts_with("Stop hook feedback") {
        MarkKind::Fed
    } else if is_set(&record.meta) || is_set(&record.compact_summary) || INJECTED.iter().any(|i| trimmed.starts_with(i)) {
        MarkKind::Other
    } else if memory.prompt == Some(key) {
        MarkKind::Fed
    } else {
        memory.prompt = Some(key);
        MarkKind::Person
    };
    let uuid = text(&record.uuid);
    let again = !uuid.is_empty() && !out.first_time(hash(format!("prompt\0{uuid}\0{key}").as_bytes()));
    if !again {
        out.event(event(place, at, mark(kind, said)));
    }
}
