//! The machine state beside a loop: `*loop_state*.json`.

use crate::format::json::{self, Loose};
use crate::format::{Format, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::rows::LoopState as Row;
use crate::trace::{Builder, FaultKind, Money};
use serde_json::Value;
use std::io;

pub(super) struct LoopState;

impl Format for LoopState {
    fn id(&self) -> &'static str {
        "loop-state"
    }

    fn about(&self) -> &'static str {
        "*loop_state*.json: phase, iteration, last_green_commit, blocked_paths, open_failures, budget_spent_usd"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        let lower = name.to_ascii_lowercase();
        let named = lower.contains("loop_state") || lower.contains("loop-state");
        if named && has_ending(name, &["json"]) { Sniff::Yes } else { Sniff::No }
    }

    fn name_word(&self) -> Option<&'static str> {
        Some("loop_state")
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        let has = |key: &[u8]| memchr::memmem::find(head, key).is_some();
        let object = head.trim_ascii_start().first() == Some(&b'{');
        if object && has(b"\"phase\"") && (has(b"\"budget_spent_usd\"") || has(b"\"last_green_commit\"")) { Sniff::Yes } else { Sniff::No }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let bytes = lines.rest()?.to_vec();
        let count = bytes.split_inclusive(|b| *b == b'\n').count() as u64;
        let place = out.place(1, 0);
        let ledger = out.ledger();
        ledger.lines += count;
        let value: Value = match json::values::<Value>(&bytes).next() {
            Some(Ok(value @ Value::Object(_))) => value,
            _ => {
                ledger.lost += count;
                ledger.lost_bytes += bytes.len() as u64;
                if count > 0 {
                    ledger.fault(FaultKind::NotJson, place);
                }
                return Ok(());
            }
        };
        ledger.read += count;
        let line = |key: &str| line_of(&bytes, key);
        let loose = |key: &str| value.get(key).map(Loose::from);
        let paths = |key: &str| {
            let list = value.get(key)?.as_array()?;
            Some((list.iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect::<Vec<_>>(), line(key)))
        };
        let money = |v: &Value| match v {
            Value::Number(n) => n.to_string().parse::<Money>().ok(),
            Value::String(s) => s.trim_start_matches('$').parse().ok(),
            _ => None,
        };
        out.state(Row {
            phase: value.get("phase").and_then(Value::as_str).map(|p| (p.to_owned(), line("phase"))),
            iteration: loose("iteration").and_then(|v| v.small()).map(|n| (n, line("iteration"))),
            spent: value.get("budget_spent_usd").and_then(money).map(|m| (m, line("budget_spent_usd"))),
            last_green_commit: value.get("last_green_commit").and_then(Value::as_str).map(ToOwned::to_owned),
            blocked_paths: paths("blocked_paths"),
            allowed_paths: paths("allowed_paths").or_else(|| paths("scope_paths")),
            open_failures: value
                .get("open_failures")
                .and_then(Value::as_array)
                .map(|a| (u32::try_from(a.len()).unwrap_or(u32::MAX), line("open_failures"))),
            source: place.source,
        });
        Ok(())
    }
}

/// The line on which a key stands, from 1: `"key":`, `key:` or `key =`, not the word in a value or a comment.
pub(super) fn line_of(bytes: &[u8], key: &str) -> u32 {
    let is_key = |at: usize| {
        let before = bytes[..at].iter().rev().find(|b| !b.is_ascii_whitespace() || **b == b'\n');
        let after = bytes[at + key.len()..].trim_ascii_start();
        let quoted = before == Some(&b'"');
        let after = after.strip_prefix(b"\"").unwrap_or(after).trim_ascii_start();
        let starts = quoted || matches!(before, None | Some(b'\n' | b'{' | b','));
        starts && matches!(after.first(), Some(b':' | b'='))
    };
    let at = memchr::memmem::find_iter(bytes, key.as_bytes()).find(|at| is_key(*at)).unwrap_or(0);
    u32::try_from(memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1).unwrap_or(u32::MAX)
}

/// The byte at which a line (from 1) begins.
pub(super) fn offset_of(bytes: &[u8], line: u32) -> u64 {
    match line {
        0 | 1 => 0,
        n => memchr::memchr_iter(b'\n', bytes).nth(n as usize - 2).map_or(0, |at| at as u64 + 1),
    }
}
