//! The items of the model's dialogue: messages, calls of tools and their answers.

use super::call;
use super::lines::Was;
use super::output;
use super::reader::{Reader, Spot};
use super::record::{Item, Line, flat, mark, part, text, texts};
use crate::format::gist;
use crate::format::json::{self, hash};
use crate::trace::Builder;
use crate::trace::event::{MarkKind, What};
use serde_json::Value;
use std::borrow::Cow;

/// A command that answered before it ended.
pub(super) struct Process {
    /// The call that started it.
    call: String,
    /// What it printed so far: a check's failures can stand in another answer than its summary.
    printed: String,
}

/// How much of what a process printed is kept.
const PRINTED: usize = 1 << 20;

/// What a call means for sub-agents; its answer names them.
pub(super) enum Agent {
    /// One is to start.
    Spawn,
    /// It waits for them.
    Wait,
    /// This one is stopped.
    Close(String),
}

/// What Codex itself puts into the user's mouth.
const INJECTED: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<skill>",
    "<skills_instructions>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<model_switch>",
    "<personality_spec>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
];
const NOTIFICATION: &str = "<subagent_notification>";

/// Items without a meaning for the run's course.
const QUIET_ITEMS: &[&str] =
    &["ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "image_generation_call", "other"];

/// Whether a message ends its turn, where it says so itself.
pub(super) fn ends(item: &Item<'_>) -> Option<bool> {
    match text(&item.phase) {
        "final_answer" => Some(true),
        "commentary" => Some(false),
        _ => item.end_turn.truth(),
    }
}

/// A rollout's line in a few words.
pub(super) fn gist(line: &[u8]) -> Option<String> {
    let line: Line<'_> = json::values(line).next()?.ok()?;
    let item: Item<'_> = part(line.payload);
    match (text(&line.kind), text(&item.kind)) {
        ("response_item", "message") => gist::said(&flat(item.content)),
        ("response_item", "function_call") => {
            let (tool, args) = call::function(text(&item.name), text(&item.namespace), call::arguments(item.arguments));
            Some(gist::call(&tool, &args))
        }
        ("response_item", "custom_tool_call") => {
            let (tool, args) = call::custom(text(&item.name), item.input);
            Some(gist::call(&tool, &args))
        }
        ("response_item", "local_shell_call") => Some(gist::call("local_shell", &call::action(item.action))),
        ("response_item", kind) if kind.ends_with("_output") => {
            let output = output::read(item.output);
            gist::answer(&output.text, output.ok == Some(false) || output.exit_code.is_some_and(|c| c != 0))
        }
        ("event_msg", _) => [&item.message, &item.last_agent_message, &item.reason].into_iter().find_map(|t| gist::said(text(t))),
        _ => None,
    }
}

impl Reader {
    pub(super) fn response_item(&mut self, payload: &str, spot: Spot, out: &mut Builder) -> Was {
        let Ok(item) = serde_json::from_str::<Item<'_>>(payload) else { return Was::Unknown };
        let kind = text(&item.kind);
        let paired = kind.ends_with("_call") || kind.ends_with("_output");
        let call = if paired && !text(&item.call_id).is_empty() { hash(format!("{kind}\0{}", item.call()).as_bytes()) } else { 0 };
        self.quiet = self.copied(call, payload, out);
        self.works();
        let was = self.item(&item, spot, out);
        self.told(was)
    }

    fn item(&mut self, item: &Item<'_>, spot: Spot, out: &mut Builder) -> Was {
        match text(&item.kind) {
            "message" => match text(&item.role) {
                "user" => self.heard(&texts(item.content), spot, out),
                "assistant" => self.said(flat(item.content), ends(item), spot, out),
                _ => {}
            },
            "reasoning" => self.speech.settle(false, out),
            "function_call" => self.function(item, spot, out),
            "custom_tool_call" => {
                let (tool, args) = call::custom(text(&item.name), item.input);
                self.called(item, tool, args, spot, out);
            }
            "local_shell_call" => self.called(item, "local_shell".into(), call::action(item.action), spot, out),
            "tool_search_call" => self.called(item, "tool_search".into(), call::arguments(item.arguments), spot, out),
            "web_search_call" => self.searched(item, spot, out),
            "tool_search_output" => {
                let found = What::ToolResult { id: id(item), ok: None, exit_code: None, text: "".into(), running: false };
                self.emit(found, spot, out);
            }
            "function_call_output" | "custom_tool_call_output" | "mcp_tool_call_output" | "local_shell_call_output" => {
                self.answered(item, spot, out)
            }
            kind if QUIET_ITEMS.contains(&kind) => {}
            _ => return Was::Unknown,
        }
        Was::Known
    }

    pub(super) fn said(&mut self, said: Cow<'_, str>, ends: Option<bool>, spot: Spot, out: &mut Builder) {
        if !self.quiet {
            self.acts();
            self.speech.say(said, ends, spot.place, spot.at, out);
        }
    }

    /// A message in the user's role: a person's, the program's own, or the task that a parent gave its sub-agent.
    pub(super) fn heard(&mut self, blocks: &[Cow<'_, str>], spot: Spot, out: &mut Builder) {
        for block in blocks {
            // Where releases without a header's `cwd` say it.
            if let Some(cwd) =
                block.trim_start().strip_prefix("<environment_context>").and_then(|b| b.split("<cwd>").nth(1)?.split('<').next())
            {
                out.working_in(cwd.trim());
            }
            if let Some(note) = block.trim_start().strip_prefix(NOTIFICATION) {
                self.notified(note, spot, out);
            }
        }
        let injected = |b: &str| INJECTED.iter().chain([&NOTIFICATION]).any(|i| b.trim_start().starts_with(i));
        let spoken: Vec<&str> = blocks.iter().map(AsRef::as_ref).filter(|b| !b.trim().is_empty() && !injected(b)).collect();
        if spoken.is_empty() {
            return;
        }
        // In a recorded turn that is still open it is a word in between.
        let ended = !self.open;
        self.speech.settle(ended, out);
        if !self.quiet && !self.open {
            self.turn_begins(spot, out);
        }
        let kind = if self.side { MarkKind::Other } else { MarkKind::Person };
        self.emit(mark(kind, spoken.join("\n")), spot, out);
    }

    fn function(&mut self, item: &Item<'_>, spot: Spot, out: &mut Builder) {
        let args = call::arguments(item.arguments);
        let id = item.call().to_owned();
        match text(&item.name) {
            "write_stdin" => self.writes.extend(call::process(&args).map(|process| (id, process))),
            "spawn_agent" => _ = self.agents.insert(id, Agent::Spawn),
            "wait_agent" | "wait" => _ = self.agents.insert(id, Agent::Wait),
            "close_agent" => {
                let value: Value = serde_json::from_str(&args).unwrap_or_default();
                let target = ["id", "target", "agent_id"].iter().find_map(|k| value.get(*k)?.as_str());
                self.agents.extend(target.map(|t| (id, Agent::Close(t.to_owned()))));
            }
            _ => {}
        }
        let (tool, args) = call::function(text(&item.name), text(&item.namespace), args);
        self.called(item, tool, args, spot, out);
    }

    fn called(&mut self, item: &Item<'_>, tool: Cow<'_, str>, args: Cow<'_, str>, spot: Spot, out: &mut Builder) {
        self.acts();
        self.emit(What::ToolCall { id: id(item), tool, args }, spot, out);
    }

    /// The server searches by itself and writes down no answer.
    fn searched(&mut self, item: &Item<'_>, spot: Spot, out: &mut Builder) {
        self.searches += u32::from(!self.quiet && call::is_search(item.action));
        let id = format!("web_search {}:{}", spot.place.source, spot.place.line);
        let args = item.action.map_or("{}", |a| a.get());
        self.emit(What::ToolCall { id: Some(id.clone().into()), tool: "web_search".into(), args: args.into() }, spot, out);
        let ok = Some(text(&item.status) != "failed");
        self.emit(What::ToolResult { id: Some(id.into()), ok, exit_code: None, text: "".into(), running: false }, spot, out);
    }

    fn answered(&mut self, item: &Item<'_>, spot: Spot, out: &mut Builder) {
        let output::Output { text: printed, exit_code, ok, running, exited } = output::read(item.output);
        let call = item.call().to_owned();
        let write = self.writes.remove(&call);
        // A poll has its answer, also where that is that the process still runs.
        let begins = running.is_some() && write.is_none();
        let agent = self.agents.remove(&call);
        let result = What::ToolResult { id: id(item), ok, exit_code, text: printed.as_ref().into(), running: begins };
        self.emit(result, spot, out);
        if let (true, Some(number)) = (begins, running) {
            self.processes.insert(number, Process { call, printed: printed.into_owned() });
        } else if let Some(number) = write {
            self.polled(&number, exited, exit_code, &printed, spot, out);
        } else if let Some(agent) = agent
            && ok != Some(false)
        {
            self.agent(agent, &printed, spot, out);
        }
    }

    /// A later answer about a process: that it ended is the outcome of the call that started it.
    fn polled(&mut self, number: &str, exited: bool, exit_code: Option<i32>, printed: &str, spot: Spot, out: &mut Builder) {
        let Some(process) = self.processes.get_mut(number) else { return };
        if process.printed.len() + printed.len() <= PRINTED {
            process.printed.push_str(printed);
        } else {
            // The end of it tells how it went.
            printed.clone_into(&mut process.printed);
        }
        if exited && let Some(process) = self.processes.remove(number) {
            self.emit(What::Outcome { id: process.call.into(), exit_code, text: process.printed.into() }, spot, out);
        }
    }

    fn agent(&mut self, agent: Agent, answer: &str, spot: Spot, out: &mut Builder) {
        let value: Value = serde_json::from_str(answer).unwrap_or_default();
        match agent {
            Agent::Spawn => {
                let id = ["agent_id", "thread_id", "id"].iter().find_map(|k| value.get(*k)?.as_str()).unwrap_or("");
                if id.is_empty() || out.first_time(hash(format!("codex agent starts\0{id}").as_bytes())) {
                    self.emit(mark(MarkKind::SubagentStart, id), spot, out);
                }
            }
            Agent::Wait => {
                for (id, status) in value.get("status").and_then(Value::as_object).into_iter().flatten() {
                    if has_ended(status) {
                        self.agent_stops(id, spot, out);
                    }
                }
            }
            Agent::Close(id) => self.agent_stops(&id, spot, out),
        }
    }

    /// `<subagent_notification>` tells of one agent.
    fn notified(&mut self, note: &str, spot: Spot, out: &mut Builder) {
        let Some(Ok(value)) = serde_json::Deserializer::from_str(note).into_iter::<Value>().next() else { return };
        let id = ["agent_id", "agent_path", "id"].iter().find_map(|k| value.get(*k)?.as_str());
        if let (Some(id), Some(true)) = (id, value.get("status").map(has_ended)) {
            self.agent_stops(id, spot, out);
        }
    }

    /// Parent and sub-agent both tell of an end: it counts once.
    pub(super) fn agent_stops(&mut self, id: &str, spot: Spot, out: &mut Builder) {
        if out.first_time(hash(format!("codex agent stops\0{id}").as_bytes())) {
            self.emit(mark(MarkKind::SubagentStop, id.to_owned()), spot, out);
        }
    }
}

/// A sub-agent's status that no work follows.
fn has_ended(status: &Value) -> bool {
    match status {
        Value::String(word) => !matches!(word.as_str(), "pending_init" | "running" | "in_progress"),
        Value::Object(map) => map.keys().any(|k| k != "running"),
        _ => false,
    }
}

fn id<'a>(item: &'a Item<'_>) -> Option<Cow<'a, str>> {
    let id = item.call();
    (!id.is_empty()).then_some(Cow::Borrowed(id))
}
