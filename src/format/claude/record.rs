//! The records of Claude Code, as far as anything here reads them. Unknown fields and types appear every few weeks.

use crate::format::json::{Loose, hash};
pub(super) use crate::format::json::{is_set, part, text};
use crate::trace::{Money, Tokens};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One line of a transcript or of a stream.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Record<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Loose<'a>,
    pub(super) subtype: Loose<'a>,
    pub(super) uuid: Loose<'a>,
    #[serde(rename = "parentUuid")]
    pub(super) parent: Loose<'a>,
    pub(super) timestamp: Loose<'a>,
    #[serde(rename = "sessionId")]
    pub(super) session: Loose<'a>,
    /// The stream's spelling.
    pub(super) session_id: Loose<'a>,
    #[serde(rename = "requestId")]
    pub(super) request: Loose<'a>,
    #[serde(rename = "isSidechain")]
    pub(super) side: Loose<'a>,
    pub(super) parent_tool_use_id: Loose<'a>,
    #[serde(rename = "isMeta")]
    pub(super) meta: Loose<'a>,
    #[serde(rename = "isApiErrorMessage")]
    pub(super) api_error: Loose<'a>,
    #[serde(rename = "isCompactSummary")]
    pub(super) compact_summary: Loose<'a>,
    #[serde(rename = "agentId")]
    pub(super) agent: Loose<'a>,
    pub(super) version: Loose<'a>,
    pub(super) cwd: Loose<'a>,
    pub(super) model: Loose<'a>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) data: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) event: Option<&'a RawValue>,
    #[serde(rename = "toolUseResult", borrow)]
    pub(super) outcome: Option<&'a RawValue>,
    pub(super) content: Loose<'a>,
    /// What became of something in the queue.
    pub(super) operation: Loose<'a>,
    #[serde(borrow)]
    pub(super) attachment: Option<&'a RawValue>,
    #[serde(rename = "preventedContinuation")]
    pub(super) prevented: Loose<'a>,
    // the result of a headless run
    pub(super) is_error: Loose<'a>,
    pub(super) result: Loose<'a>,
    pub(super) total_cost_usd: Loose<'a>,
    /// Of one call, in transcripts before 1.0.10.
    #[serde(rename = "costUSD")]
    pub(super) cost_usd: Loose<'a>,
    pub(super) terminal_reason: Loose<'a>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(rename = "modelUsage", borrow)]
    pub(super) model_usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) rate_limit_info: Option<&'a RawValue>,
}

/// What a client puts beside the messages.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Attachment<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Loose<'a>,
    pub(super) prompt: Loose<'a>,
    #[serde(rename = "commandMode")]
    pub(super) mode: Loose<'a>,
}

/// A message of the API.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Message<'a> {
    pub(super) id: Loose<'a>,
    pub(super) model: Loose<'a>,
    pub(super) role: Loose<'a>,
    pub(super) stop_reason: Loose<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
}

/// One block of a message's content.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Block<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Loose<'a>,
    pub(super) text: Loose<'a>,
    pub(super) id: Loose<'a>,
    pub(super) name: Loose<'a>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    pub(super) tool_use_id: Loose<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    pub(super) is_error: Loose<'a>,
}

/// The tokens of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Usage<'a> {
    input_tokens: Loose<'a>,
    output_tokens: Loose<'a>,
    cache_read_input_tokens: Loose<'a>,
    cache_creation_input_tokens: Loose<'a>,
    #[serde(borrow)]
    cache_creation: Option<&'a RawValue>,
    #[serde(borrow)]
    server_tool_use: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Split<'a> {
    ephemeral_5m_input_tokens: Loose<'a>,
    ephemeral_1h_input_tokens: Loose<'a>,
    web_search_requests: Loose<'a>,
}

impl Usage<'_> {
    /// Claude's input excludes the cache. A split of the writes that is smaller than their sum leaves the rest to the
    /// five-minute class.
    pub(super) fn tokens(&self) -> Tokens {
        let split: Split<'_> = part(self.cache_creation);
        let written = self.cache_creation_input_tokens.count();
        let hour = split.ephemeral_1h_input_tokens.count();
        let five = match (written, hour, split.ephemeral_5m_input_tokens.count()) {
            (Some(all), hour, _) => Some(all.saturating_sub(hour.unwrap_or(0))),
            (None, _, five) => five,
        };
        Tokens {
            input_uncached: self.input_tokens.count(),
            cache_read: self.cache_read_input_tokens.count(),
            cache_write_5m: five,
            cache_write_1h: hour.or(five.map(|_| 0)),
            output: self.output_tokens.count(),
            reasoning: None,
        }
    }

    pub(super) fn web_searches(&self) -> u32 {
        part::<Split<'_>>(self.server_tool_use).web_search_requests.small().unwrap_or(0)
    }
}

/// An amount of money as the log holds it.
pub(super) fn money(field: &Loose<'_>) -> Option<Money> {
    match field {
        Loose::Text(t) => t.parse().ok(),
        other => other.number().and_then(Money::from_f64),
    }
}

/// What makes two records the same call: the message's id and the request's. A message without an id is its own.
pub(super) fn call_key(record: &Record<'_>, message: &Message<'_>) -> Option<u64> {
    let id = text(&message.id);
    // Ids of Anthropic's are unique; other back-ends may give every message the same one.
    let request = if id.starts_with("msg_") { "" } else { text(&record.request) };
    (!id.is_empty()).then(|| hash(format!("{id}\0{request}").as_bytes()))
}

/// The text of a tool's result or of a message: a string, or the text blocks of an array.
pub(super) fn flat_text(raw: Option<&RawValue>) -> Cow<'_, str> {
    let Some(raw) = raw else { return Cow::Borrowed("") };
    if let Ok(Loose::Text(text)) = serde_json::from_str::<Loose<'_>>(raw.get()) {
        return text;
    }
    let blocks: Vec<Block<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().map(|b| text(&b.text)).filter(|t| !t.is_empty()).collect();
    Cow::Owned(texts.join("\n"))
}
