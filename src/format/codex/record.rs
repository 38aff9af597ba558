//! The records of Codex, as far as anything here reads them. Unknown fields and types appear with every release.

use crate::format::json::Loose;
pub(super) use crate::format::json::{part, text};
use crate::trace::event::{Event, MarkKind, What};
use crate::trace::{Place, Time};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One line of a rollout. The oldest have no envelope: the item is the line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Line<'a> {
    pub(super) timestamp: Loose<'a>,
    #[serde(rename = "type")]
    pub(super) kind: Loose<'a>,
    #[serde(borrow)]
    pub(super) payload: Option<&'a RawValue>,
    /// The oldest headers: the session's id, and that of a state record.
    pub(super) id: Loose<'a>,
    pub(super) record_type: Loose<'a>,
    /// The oldest form of all, one document.
    #[serde(borrow)]
    pub(super) session: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) items: Option<&'a RawValue>,
}

/// `session_meta`
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Meta<'a> {
    pub(super) id: Loose<'a>,
    pub(super) timestamp: Loose<'a>,
    pub(super) cwd: Loose<'a>,
    #[serde(borrow)]
    pub(super) source: Option<&'a RawValue>,
    pub(super) thread_source: Loose<'a>,
    pub(super) forked_from_id: Loose<'a>,
    pub(super) parent_thread_id: Loose<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Source<'a> {
    #[serde(borrow)]
    subagent: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Subagent<'a> {
    #[serde(borrow)]
    thread_spawn: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Spawn<'a> {
    parent_thread_id: Loose<'a>,
}

impl Meta<'_> {
    /// A sub-agent's thread.
    pub(super) fn side(&self) -> bool {
        part::<Source<'_>>(self.source).subagent.is_some() || text(&self.thread_source) == "subagent"
    }

    /// The thread that spawned it, else the one that it was forked from.
    pub(super) fn parent(&self) -> Option<String> {
        let source: Source<'_> = part(self.source);
        let agent: Subagent<'_> = part(source.subagent);
        let spawn: Spawn<'_> = part(agent.thread_spawn);
        [&spawn.parent_thread_id, &self.parent_thread_id, &self.forked_from_id]
            .into_iter()
            .map(text)
            .find(|id| !id.is_empty())
            .map(ToOwned::to_owned)
    }
}

/// An item of the model's dialogue, or an event about it: the fields of both.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Item<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Loose<'a>,
    pub(super) role: Loose<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    pub(super) phase: Loose<'a>,
    pub(super) end_turn: Loose<'a>,
    pub(super) name: Loose<'a>,
    pub(super) namespace: Loose<'a>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    pub(super) call_id: Loose<'a>,
    pub(super) id: Loose<'a>,
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
    pub(super) status: Loose<'a>,
    #[serde(borrow)]
    pub(super) action: Option<&'a RawValue>,
    // events
    pub(super) message: Loose<'a>,
    pub(super) reason: Loose<'a>,
    pub(super) last_agent_message: Loose<'a>,
    #[serde(borrow)]
    pub(super) codex_error_info: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) info: Option<&'a RawValue>,
}

impl Item<'_> {
    /// What pairs a call with its output.
    pub(super) fn call(&self) -> &str {
        match text(&self.call_id) {
            "" => text(&self.id),
            id => id,
        }
    }
}

/// One block of a message or of a tool's output.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Block<'a> {
    pub(super) text: Loose<'a>,
}

/// The texts of a message or an output: a string, or the text blocks of an array.
pub(super) fn texts<'a>(raw: Option<&'a RawValue>) -> Vec<Cow<'a, str>> {
    let Some(raw) = raw else { return Vec::new() };
    if raw.get().starts_with('[') {
        let blocks: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
        return blocks.into_iter().filter_map(|b| part::<Block<'a>>(Some(b)).text.into_text()).collect();
    }
    serde_json::from_str::<Loose<'a>>(raw.get()).ok().and_then(Loose::into_text).into_iter().collect()
}

/// The same as one text.
pub(super) fn flat<'a>(raw: Option<&'a RawValue>) -> Cow<'a, str> {
    let mut all = texts(raw);
    match all.len() {
        0 => Cow::Borrowed(""),
        1 => all.remove(0),
        _ => Cow::Owned(all.join("\n")),
    }
}

/// An event at a place.
pub(super) fn event(place: Place, at: Option<Time>, what: What<'_>) -> Event<'_> {
    Event { at, iter: None, line: place.line, offset: place.offset, run: None, revision: None, files_changed: None, usage: None, what }
}

/// A mark with a text.
pub(super) fn mark<'a>(kind: MarkKind, text: impl Into<Cow<'a, str>>) -> What<'a> {
    What::Mark { kind, text: text.into(), decision: None, by: None, score: None, exit_code: None }
}
