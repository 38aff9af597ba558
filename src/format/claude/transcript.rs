//! Session transcripts: `~/.claude/projects/<folder>/<session>.jsonl`, with sub-agents inline or in files of their own.

use super::content::{Memory, Side, assistant, attached, event, mark, notified, side_answers, user};
use super::lines::{self, Was};
use super::record::{Message, Record, call_key, is_set, part, text};
use crate::format::json::{self, hash};
use crate::format::{Format, Identity, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::Builder;
use crate::trace::event::MarkKind;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io;

pub(in crate::format) struct Transcript;

/// Records that say nothing about the run.
const QUIET: &[&str] = &[
    "summary",
    "custom-title",
    "ai-title",
    "last-prompt",
    "mode",
    "permission-mode",
    "file-history-snapshot",
    "queue-operation",
    "pr-link",
    "agent-name",
    "attachment",
    "tag",
    "started",
    "result",
];

impl Format for Transcript {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn about(&self) -> &'static str {
        "Claude Code session transcripts: ~/.claude/projects/…/<session>.jsonl and subagents/agent-*.jsonl"
    }

    fn role(&self) -> Role {
        Role::Transcript
    }

    fn by_name(&self, name: &str) -> Sniff {
        if has_ending(name, &["jsonl"]) { Sniff::Maybe } else { Sniff::No }
    }

    /// Several lines are looked at: the first ones have no envelope.
    fn sniff(&self, head: &[u8]) -> Sniff {
        let enveloped = |record: &Record<'_>| {
            let known = matches!(text(&record.kind), "assistant" | "user" | "system" | "progress");
            known && !text(&record.session).is_empty() && !text(&record.uuid).is_empty() && !in_parts(record)
        };
        let mut best = Sniff::No;
        let mut any = false;
        for record in records(head).take(60) {
            any = true;
            if enveloped(&record) {
                return Sniff::Yes;
            }
            if QUIET.contains(&text(&record.kind))
                && (!text(&record.session).is_empty() || text(&record.kind) == "summary" || text(&record.kind) == "file-history-snapshot")
            {
                best = Sniff::Maybe;
            }
        }
        // Records with a key twice, which typed reading refuses.
        if !any
            && let Some(once) = head.split(|b| *b == b'\n').take(5).find_map(lines::last_of_duplicates)
            && json::values::<Record<'_>>(once.as_bytes()).next().and_then(Result::ok).is_some_and(|r| enveloped(&r))
        {
            return Sniff::Yes;
        }
        best
    }

    fn identity(&self, head: &[u8]) -> Identity {
        let mut identity = Identity::default();
        for record in records(head) {
            let session = text(&record.session);
            if identity.session.is_none() && !session.is_empty() {
                identity.session = Some(session.to_owned());
            }
            identity.started = identity.started.or(record.timestamp.time());
            if text(&record.kind) == "assistant" {
                let message: Message<'_> = part(record.message);
                identity.side = is_set(&record.side) && !text(&record.agent).is_empty();
                identity.keys.extend(shared_key(&record, &message));
                break;
            }
            identity.side |= is_set(&record.side) && !text(&record.agent).is_empty();
        }
        identity
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        out.derive_iterations();
        let mut memory = Memory::default();
        lines::each(lines, out, false, |record, place, out| take(record, place, &mut memory, out))?;
        // Writers before 2.1.50 log a placeholder of the output and no stop reason.
        if memory.messages > 0 && (memory.placeholders > 0 || memory.unstopped * 2 > memory.messages) {
            out.under_reported();
        }
        Ok(())
    }

    fn gist(&self, line: &[u8]) -> Option<String> {
        json::values::<Record<'_>>(line).filter_map(Result::ok).find_map(|record| super::content::gist(&record))
    }
}

/// What copies, resumes and forks share: their first call. Other back-ends may give every message the same id: there the
/// time belongs to it, which copies keep.
fn shared_key(record: &Record<'_>, message: &Message<'_>) -> Option<u64> {
    let key = call_key(record, message)?;
    if text(&message.id).starts_with("msg_") {
        return Some(key);
    }
    record.timestamp.time().map(|at| hash(format!("{key:016x} {}", at.0).as_bytes()))
}

fn records(head: &[u8]) -> impl Iterator<Item = Record<'_>> {
    head.split(|b| *b == b'\n')
        .map(|l| l.strip_prefix(b"\xef\xbb\xbf").unwrap_or(l))
        .filter_map(|l| json::values::<Record<'_>>(l).next()?.ok())
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Progress<'a> {
    #[serde(rename = "type")]
    kind: json::Loose<'a>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(rename = "agentId")]
    agent: json::Loose<'a>,
}

/// A record inside a progress record.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Inner<'a> {
    #[serde(rename = "type")]
    kind: json::Loose<'a>,
    #[serde(rename = "requestId")]
    request: json::Loose<'a>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

fn take(record: &Record<'_>, place: crate::trace::Place, memory: &mut Memory, out: &mut Builder) -> Was {
    let at = record.timestamp.time();
    out.alive(at);
    let side = memory.side(record, out);
    if side == Side::Main {
        if !text(&record.session).is_empty() {
            out.session(text(&record.session));
        }
        out.working_in(text(&record.cwd));
    }
    match text(&record.kind) {
        "assistant" => assistant(record, record.message, side, place, memory, out),
        "user" if side != Side::Main => side_answers(record.message, out),
        "user" => user(record, record.message, place, memory, out),
        "system" => match text(&record.subtype) {
            "api_error" => out.event(event(place, at, mark(MarkKind::Retry, "api_error"))),
            "compact_boundary" | "microcompact_boundary" => {
                let uuid = text(&record.uuid);
                if uuid.is_empty() || out.first_time(hash(format!("compact\0{uuid}").as_bytes())) {
                    out.event(event(place, at, mark(MarkKind::Compact, text(&record.subtype).to_owned())));
                }
            }
            _ => {}
        },
        "progress" => {
            let data: Progress<'_> = part(record.data);
            if text(&data.kind) == "agent_progress" {
                let inner: Inner<'_> = part(data.message);
                let agent = Some(text(&data.agent)).filter(|a| !a.is_empty()).map_or(0, |a| hash(a.as_bytes()));
                if text(&inner.kind) == "user" {
                    side_answers(inner.message, out);
                } else if text(&inner.kind) == "assistant" {
                    let shell = Record { timestamp: record.timestamp.clone(), request: inner.request, ..Record::default() };
                    assistant(&shell, inner.message, Side::Agent(agent), place, memory, out);
                }
            }
        }
        "queue-operation" if text(&record.operation) == "enqueue" => notified(text(&record.content).trim_start(), place, at, out),
        "attachment" if side == Side::Main => attached(record, place, memory, out),
        kind if QUIET.contains(&kind) => {}
        _ => return Was::Unknown,
    }
    Was::Known
}

/// Other agents' transcripts have the same envelope around messages of another vendor, whose content stands in `parts`.
fn in_parts(record: &Record<'_>) -> bool {
    record.message.is_some_and(|m| m.get().contains("\"parts\"") && !m.get().contains("\"content\""))
}

#[cfg(test)]
mod tests {
    use super::Transcript;
    use crate::format::{Format, Sniff};

    #[test]
    fn what_another_agent_puts_into_the_same_envelope() {
        let record = |message: &str| {
            let envelope =
                r#""uuid":"u1","parentUuid":null,"sessionId":"s1","timestamp":"2026-11-28T01:00:00.000Z","cwd":"/w/p","version":"0.4.1""#;
            format!("{{{envelope},\"type\":\"user\",\"message\":{message}}}\n")
        };
        let sniff = |message: &str| Transcript.sniff(record(message).as_bytes());
        assert_eq!(sniff(r#"{"role":"user","content":"Fix it."}"#), Sniff::Yes);
        assert_eq!(sniff(r#"{"role":"user","content":[{"type":"text","text":"the \"parts\" of it"}]}"#), Sniff::Yes);
        assert_eq!(sniff(r#"{"role":"user","parts":[{"text":"Fix it."}]}"#), Sniff::No);
    }
}
