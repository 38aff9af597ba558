//! What `codex exec --json` prints: one thread, or many where a loop tees its agent into one file. No record has a time.

use super::lines::{self, Was};
use super::record::{part, text};
use super::stretch::Stretch;
use crate::format::json::{self, Loose};
use crate::format::{Format, Identity, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::Builder;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io;

/// The format `codex-exec`.
pub(in crate::format) struct Exec;

/// One line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Record<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Loose<'a>,
    pub(super) thread_id: Loose<'a>,
    #[serde(borrow)]
    pub(super) item: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    pub(super) message: Loose<'a>,
}

impl Format for Exec {
    fn id(&self) -> &'static str {
        "codex-exec"
    }

    fn about(&self) -> &'static str {
        "codex exec --json: one thread or a loop's many, teed into one file or one file each"
    }

    fn role(&self) -> Role {
        Role::Stream
    }

    fn by_name(&self, name: &str) -> Sniff {
        if has_ending(name, &["jsonl", "ndjson", "log", "txt", "json"]) { Sniff::Maybe } else { Sniff::No }
    }

    /// Text of the shell may stand before the first record.
    fn sniff(&self, head: &[u8]) -> Sniff {
        let telling = |r: Record<'_>| match text(&r.kind) {
            "thread.started" => !text(&r.thread_id).is_empty(),
            "item.started" | "item.updated" | "item.completed" => r.item.is_some(),
            "turn.completed" => r.usage.is_some(),
            "turn.failed" => r.error.is_some(),
            _ => false,
        };
        if objects(head).take(60).any(telling) { Sniff::Yes } else { Sniff::No }
    }

    fn identity(&self, head: &[u8]) -> Identity {
        let session = objects(head).find(|r| text(&r.kind) == "thread.started").map(|r| text(&r.thread_id).to_owned());
        Identity { session: session.filter(|s| !s.is_empty()), ..Identity::default() }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        out.derive_iterations();
        out.headless();
        let mut stretch = Stretch::default();
        lines::each(lines, out, true, |record, place, out| match serde_json::from_str::<Record<'_>>(record) {
            Ok(record) => stretch.take(&record, place, out),
            Err(_) => Was::Unknown,
        })?;
        stretch.close(out);
        Ok(())
    }

    fn gist(&self, line: &[u8]) -> Option<String> {
        super::stretch::gist(line)
    }
}

fn objects(head: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let lines = head.split(|b| *b == b'\n').map(|l| l.strip_prefix(b"\xef\xbb\xbf").unwrap_or(l).trim_ascii());
    lines.filter(|l| l.first() == Some(&b'{')).filter_map(|l| json::values::<Record<'_>>(l).next()?.ok())
}

/// What an error says; the message may be the provider's JSON.
pub(super) fn words(record: &Record<'_>) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default, bound(deserialize = "'de: 'a"))]
    struct Failure<'a> {
        message: Loose<'a>,
    }
    let failure: Failure<'_> = part(record.error);
    let message = match text(&failure.message) {
        "" => text(&record.message),
        message => message,
    };
    let inner = || {
        let value: serde_json::Value = serde_json::from_str(message).ok().filter(serde_json::Value::is_object)?;
        let found = value.pointer("/error/message").or_else(|| value.get("message")).or_else(|| value.get("detail"));
        found?.as_str().map(ToOwned::to_owned)
    };
    inner().unwrap_or_else(|| message.to_owned())
}
