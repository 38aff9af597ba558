//! Rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, from the first ones, which were one JSON document, on.

use super::lines::{self, Was};
use super::reader::Reader;
use super::record::{Line, Meta, part, text};
use crate::format::json;
use crate::format::{Format, HEAD, Identity, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::{Builder, FaultKind, Place};
use serde_json::value::RawValue;
use std::io;

/// The format `codex`.
pub(in crate::format) struct Rollout;

/// Lines that only a rollout has.
const LINES: &[&str] = &["session_meta", "turn_context", "response_item", "event_msg", "token_usage_record"];
/// Items that stand without an envelope in the oldest rollouts.
const BARE: &[&str] = &["message", "function_call", "function_call_output", "reasoning", "local_shell_call"];

impl Format for Rollout {
    fn id(&self) -> &'static str {
        "codex"
    }

    fn about(&self) -> &'static str {
        "Codex sessions: ~/.codex/sessions/…/rollout-*.jsonl, archived ones and sub-agents' threads too"
    }

    fn role(&self) -> Role {
        Role::Transcript
    }

    fn by_name(&self, name: &str) -> Sniff {
        let rollout = name.to_ascii_lowercase().starts_with("rollout") && has_ending(name, &["json"]);
        if rollout || has_ending(name, &["jsonl"]) { Sniff::Maybe } else { Sniff::No }
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        if is_document(head) {
            return Sniff::Yes;
        }
        let mut header = false;
        for line in objects(head).take(60) {
            let kind = text(&line.kind);
            if line.payload.is_some() && LINES.contains(&kind) || kind.is_empty() && line.session.is_some() && line.items.is_some() {
                return Sniff::Yes;
            }
            // The oldest header is like many; the bare items behind it are not.
            header |= kind.is_empty() && line.payload.is_none() && line.timestamp.time().is_some() && !text(&line.id).is_empty();
            if header && line.payload.is_none() && BARE.contains(&kind) {
                return Sniff::Yes;
            }
        }
        // A header with long instructions does not fit into what is looked at.
        let start = head.get(..head.len().min(400)).unwrap_or(head);
        let has = |word: &[u8]| memchr::memmem::find(start, word).is_some();
        if has(b"\"type\":\"session_meta\"") && has(b"\"payload\":") { Sniff::Yes } else { Sniff::No }
    }

    fn identity(&self, head: &[u8]) -> Identity {
        let mut identity = Identity::default();
        if is_document(head) {
            return document_identity(head);
        }
        for line in objects(head) {
            identity.started = identity.started.or(line.timestamp.time());
            let meta: Meta<'_> = match (text(&line.kind), line.payload) {
                ("session_meta", Some(_)) => part(line.payload),
                ("", None) if line.items.is_some() => part(line.session),
                ("", None) if !text(&line.id).is_empty() => Meta { id: line.id.clone(), ..Meta::default() },
                _ => continue,
            };
            let id = text(&meta.id);
            if identity.session.is_none() && !id.is_empty() {
                identity.session = Some(id.to_owned());
                identity.side = meta.side();
                identity.parent = meta.parent();
                identity.started = meta.timestamp.time().or(identity.started);
            } else if identity.parent.is_none() && identity.session.as_deref() != Some(id) && !id.is_empty() {
                // Releases before `forked_from_id` only copied the parent's header along with its history.
                identity.parent = Some(id.to_owned());
            }
        }
        identity
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        out.derive_iterations();
        let head = lines.head(4 * HEAD)?;
        if is_document(head) {
            return document(lines, out);
        }
        let items = memchr::memmem::find(head, b"\"response_item\"").is_some() || memchr::memmem::find(head, b"\"event_msg\"").is_none();
        let mut reader = Reader::new(items);
        lines::each(lines, out, false, |record, place, out| reader.take(record, place, out))?;
        reader.close(out);
        Ok(())
    }

    fn gist(&self, line: &[u8]) -> Option<String> {
        super::items::gist(line)
    }
}

fn objects(head: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let lines = head.split(|b| *b == b'\n').map(|l| l.strip_prefix(b"\xef\xbb\xbf").unwrap_or(l).trim_ascii());
    lines.filter(|l| l.first() == Some(&b'{')).filter_map(|l| json::values::<Line<'_>>(l).next()?.ok())
}

/// The oldest form, printed over several lines.
fn is_document(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let start = head.get(..head.len().min(600)).unwrap_or(head);
    let open = start.strip_prefix(b"{").is_some_and(|rest| rest.first().is_some_and(|b| matches!(b, b'\n' | b'\r')));
    let has = |word: &[u8]| memchr::memmem::find(head, word);
    // Both keys stand at the top: the session first, short, then the items.
    open && has(b"\"session\"").is_some_and(|s| has(b"\"items\"").is_some_and(|i| s < i && s < 16))
}

fn document_identity(head: &[u8]) -> Identity {
    // The head may end within the items; the session stands before them.
    let session = memchr::memmem::find(head, b"\"session\"").and_then(|at| {
        let rest = head.get(at + b"\"session\"".len()..)?.trim_ascii_start().strip_prefix(b":")?;
        json::values::<Meta<'_>>(rest).next()?.ok()
    });
    let Some(meta) = session else { return Identity::default() };
    Identity { session: Some(text(&meta.id).to_owned()).filter(|s| !s.is_empty()), started: meta.timestamp.time(), ..Identity::default() }
}

/// Reads the oldest form. Its items have no times; each gets the line that it begins on.
fn document(lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
    let bytes = lines.rest()?.to_vec();
    let count = bytes.split_inclusive(|b| *b == b'\n').count() as u64;
    let place = out.place(1, 0);
    out.ledger().lines += count;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map_or_else(|| bytes.clone(), <[u8]>::to_vec);
    let whole = String::from_utf8_lossy(&bytes);
    let parsed = serde_json::from_str::<Line<'_>>(&whole).ok();
    let items: Option<Vec<&RawValue>> = parsed.as_ref().and_then(|l| serde_json::from_str(l.items?.get()).ok());
    let (Some(line), Some(items)) = (parsed, items) else {
        let ledger = out.ledger();
        ledger.torn_tail = true;
        ledger.lost += count.saturating_sub(1);
        ledger.lose(FaultKind::NotJson, place, bytes.len() as u64);
        return Ok(());
    };
    out.ledger().read += count;
    let mut reader = Reader::new(true);
    reader.header(&part(line.session), out);
    let (mut from, mut number) = (0_usize, 1_u32);
    for item in items {
        // Raw values are parts of the text they were read from.
        let at = (item.get().as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        let between = whole.as_bytes().get(from..at).unwrap_or_default();
        number = number.saturating_add(u32::try_from(memchr::memchr_iter(b'\n', between).count()).unwrap_or(u32::MAX));
        from = from.max(at);
        // The place of a line is its first byte.
        let start = whole.as_bytes().get(..at).and_then(|b| memchr::memrchr(b'\n', b)).map_or(0, |n| n + 1);
        let was = reader.take(item.get(), Place { line: number, offset: start as u64, ..place }, out);
        out.ledger().unknown += u64::from(was == Was::Unknown);
    }
    reader.close(out);
    Ok(())
}
