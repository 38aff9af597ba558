//! Heartbeats: `iter=7 ts=1730000000`, overwritten or appended, or JSON with the same keys.

use crate::format::json::{self, Loose};
use crate::format::{Format, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::rows::Beat;
use crate::trace::{Builder, FaultKind, Time};
use std::collections::BTreeMap;
use std::io;

pub(super) struct Heartbeat;

/// Endings that a heartbeat's file may have; most have none.
const ENDINGS: &[&str] = &["txt", "json", "jsonl", "log", "hb", "heartbeat", "loop_heartbeat", "beat"];
const TIME_KEYS: &[&str] = &["ts", "timestamp", "time", "t", "at"];
const ITER_KEYS: &[&str] = &["iter", "iteration", "loop", "n"];

impl Format for Heartbeat {
    fn id(&self) -> &'static str {
        "heartbeat"
    }

    fn about(&self) -> &'static str {
        "*heartbeat*: `iter=7 ts=1730000000`, one line rewritten or many appended, or JSON with the same keys"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        let named = name.to_ascii_lowercase().contains("heartbeat");
        let plain = !name.trim_start_matches('.').contains('.');
        if named && (plain || has_ending(name, ENDINGS)) { Sniff::Yes } else { Sniff::No }
    }

    fn name_word(&self) -> Option<&'static str> {
        Some("heartbeat")
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        let first = head.split(|b| *b == b'\n').next().unwrap_or_default();
        let text = String::from_utf8_lossy(first);
        let keys: Vec<_> = text.split_whitespace().filter_map(|w| w.split_once('=')).map(|(k, _)| k).collect();
        if keys.iter().any(|k| ITER_KEYS.contains(k)) && keys.iter().any(|k| TIME_KEYS.contains(k)) { Sniff::Yes } else { Sniff::No }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        // A JSON heartbeat may be printed over several lines: then no line is a beat, but the whole is.
        let whole = pretty_printed(lines)?;
        if whole {
            let bytes = lines.rest()?.to_vec();
            let beat = beat_of(&bytes);
            let count = bytes.split_inclusive(|b| *b == b'\n').count() as u64;
            let ledger = out.ledger();
            ledger.lines += count;
            match beat {
                Some(_) => ledger.read += count,
                None => ledger.lost += count,
            }
            if let Some((at, iter)) = beat {
                let place = out.place(1, 0);
                out.beat(Beat { at, iter, place });
            }
            return Ok(());
        }
        while let Some(line) = lines.next_line()? {
            let place = out.place(line.number, line.offset);
            out.ledger().lines += 1;
            if line.bytes.iter().all(u8::is_ascii_whitespace) {
                out.ledger().blank += 1;
            } else if let Some((at, iter)) = beat_of(line.bytes) {
                out.keep_head(line.number, line.bytes);
                out.ledger().read += 1;
                out.beat(Beat { at, iter, place });
            } else {
                let ledger = out.ledger();
                ledger.torn_tail |= !line.ended;
                ledger.lose(if line.ended { FaultKind::NotJson } else { FaultKind::Torn }, place, line.taken);
            }
        }
        Ok(())
    }
}

fn pretty_printed(lines: &mut Lines<'_>) -> io::Result<bool> {
    let head = lines.head(super::HEAD)?;
    let mut filled = head.split(|b| *b == b'\n').filter(|l| !l.iter().all(u8::is_ascii_whitespace));
    Ok(filled.next().is_some_and(|l| l.trim_ascii() == b"{"))
}

/// Time and iteration of one beat; `None` where the text names neither.
fn beat_of(bytes: &[u8]) -> Option<(Option<Time>, Option<u32>)> {
    let (mut at, mut iter) = (None, None);
    let mut take = |key: &str, value: &Loose<'_>| {
        if TIME_KEYS.contains(&key) {
            at = at.or(value.time());
        } else if ITER_KEYS.contains(&key) {
            iter = iter.or(value.small());
        }
    };
    if bytes.trim_ascii().first() == Some(&b'{') {
        let map = json::values::<BTreeMap<String, Loose<'_>>>(bytes).next()?.ok()?;
        map.iter().for_each(|(k, v)| take(k, v));
    } else {
        let text = String::from_utf8_lossy(bytes);
        for (key, value) in text.split([' ', '\t', ',', ';']).filter_map(|w| w.split_once(['=', ':'])) {
            take(key, &Loose::Text(value.trim_matches(['"', '\'']).into()));
        }
    }
    (at.is_some() || iter.is_some()).then_some((at, iter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_beat() {
        let want = Some((Some(Time(1_730_000_000_000)), Some(7)));
        for text in [
            "iter=7 ts=1730000000",
            "ts=1730000000 iter=7 pid=12",
            r#"{"ts":1730000000,"iter":7}"#,
            r#"{"iteration":"7","timestamp":"2024-10-27T03:33:20Z"}"#,
            "iter=7, ts=2024-10-27T03:33:20Z",
        ] {
            assert_eq!(beat_of(text.as_bytes()), want, "{text}");
        }
        assert_eq!(beat_of(b"iter=7"), Some((None, Some(7))));
        assert_eq!(beat_of(b"alive"), None);
    }
}
