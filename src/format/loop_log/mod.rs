//! The loop's own log: `*loop_log*.jsonl`, in the minimal dialect (`ts`, `iter`, `event`, `detail`) and the extended
//! one. Its usual writer is a shell function that does not escape; [`salvage`] reads what that leaves.

mod record;
mod salvage;

use crate::format::json::{self, hash};
use crate::format::{Format, Role, Sniff, has_ending};
use crate::input::{Line, Lines};
use crate::trace::{Builder, FaultKind, Time};
use record::{Fill, Record};
use salvage::Pending;
use std::borrow::Cow;
use std::io;

pub(super) struct LoopLog;

impl Format for LoopLog {
    fn id(&self) -> &'static str {
        "loop-log"
    }

    fn about(&self) -> &'static str {
        "*loop_log*.jsonl: one object a line with ts, iter, event, detail, and the extended dialect's fields"
    }

    fn role(&self) -> Role {
        Role::Log
    }

    fn by_name(&self, name: &str) -> Sniff {
        let lower = name.to_ascii_lowercase();
        let rotated = lower.rsplit_once('.').filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(lower.as_str(), |(stem, _)| stem);
        let json_lines = has_ending(rotated, &["jsonl", "ndjson", "json", "log"]);
        match json_lines {
            true if rotated.contains("loop_log") || rotated.contains("loop-log") => Sniff::Yes,
            true if !has_ending(rotated, &["json"]) => Sniff::Maybe,
            _ => Sniff::No,
        }
    }

    fn name_word(&self) -> Option<&'static str> {
        Some("loop_log")
    }

    /// A few lines are enough: the first may be torn, blank or not escaped.
    fn sniff(&self, head: &[u8]) -> Sniff {
        let mut best = Sniff::No;
        for line in head.split(|b| *b == b'\n').filter(|l| !l.trim_ascii().is_empty()).take(20) {
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            // Many logs have an `event` and a time; a loop's counts its passes or uses its words.
            let seen = match json::values::<Record<'_>>(line).next() {
                Some(Ok(r)) if r.is_event() => match (r.iter.is_some(), r.unknown_event()) {
                    (true, false) => return Sniff::Yes,
                    (false, true) => Sniff::No,
                    _ => Sniff::Maybe,
                },
                Some(Ok(_)) => Sniff::No,
                _ => {
                    let has = |key: &[u8]| memchr::memmem::find(line, key).is_some();
                    let torn = salvage::begins_record(line) && has(b"\"event\"") && (has(b"\"iter\"") || has(b"\"ts\""));
                    if torn { Sniff::Maybe } else { Sniff::No }
                }
            };
            best = best.max(seen);
        }
        best
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let mut decoder = Decoder { out, pending: None, before: None };
        while let Some(line) = lines.next_line()? {
            decoder.line(&line);
        }
        decoder.close();
        Ok(())
    }

    fn gist(&self, line: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(line);
        let parsed = json::values::<Record<'_>>(text.as_bytes()).next();
        let detail = match parsed {
            Some(Ok(record)) => record.detail.map(Cow::into_owned),
            _ => Pending::begin(line, 0, 0, 0, true).and_then(|p| p.read(|r| r.detail.map(Cow::into_owned))),
        };
        detail.filter(|d| !d.trim().is_empty())
    }
}

struct Decoder<'b> {
    out: &'b mut Builder,
    /// A line that is not valid JSON and whose detail may go on.
    pending: Option<Pending>,
    /// The line before: its hash and time, for exact repeats.
    before: Option<(u64, Option<Time>)>,
}

impl Decoder<'_> {
    fn line(&mut self, line: &Line<'_>) {
        let place = self.out.place(line.number, line.offset);
        if line.too_long {
            self.close();
            let ledger = self.out.ledger();
            ledger.lines += 1;
            ledger.lose(FaultKind::TooLong, place, line.taken);
            return;
        }
        // An open detail takes every line that does not begin a record.
        if let Some(pending) = &mut self.pending {
            if !salvage::begins_record(line.bytes) && pending.append(line.bytes, line.taken, line.ended) {
                return;
            }
            self.close();
        }
        if line.bytes.iter().all(u8::is_ascii_whitespace) {
            let ledger = self.out.ledger();
            ledger.lines += 1;
            ledger.blank += 1;
            return;
        }
        if self.values(line) {
            return;
        }
        if let Some(mended) = json::mended(line.bytes)
            && self.values(&Line { bytes: mended.as_bytes(), ..*line })
        {
            let ledger = self.out.ledger();
            ledger.read -= 1;
            ledger.salvage(FaultKind::BadText, place, 1);
            return;
        }
        if let Some(repaired) = json::repaired(line.bytes)
            && self.values(&Line { bytes: repaired.as_bytes(), ..*line })
        {
            let ledger = self.out.ledger();
            ledger.read -= 1;
            ledger.salvage(FaultKind::Unescaped, place, 1);
            return;
        }
        // The writer was killed in the middle of a line and the next one was appended to it.
        if let Some(at) = salvage::glued_at(line.bytes) {
            let (torn, next) = line.bytes.split_at(at);
            self.pending = Pending::begin(torn, line.number, line.offset, 0, false).map(|p| Pending { lines: 0, ..p });
            self.close();
            self.line(&Line { bytes: next, ..*line });
            let ledger = self.out.ledger();
            ledger.read -= 1;
            ledger.salvage(FaultKind::Torn, place, 1);
            return;
        }
        match Pending::begin(line.bytes, line.number, line.offset, line.taken, line.ended) {
            Some(pending) => self.pending = Some(pending),
            None => {
                let ledger = self.out.ledger();
                ledger.lines += 1;
                ledger.torn_tail |= !line.ended;
                ledger.lose(if line.ended { FaultKind::NotJson } else { FaultKind::Torn }, place, line.taken);
            }
        }
    }

    /// Reads the line as JSON, all values of it. `false`, with nothing taken, where it is not.
    fn values(&mut self, line: &Line<'_>) -> bool {
        let mut first = Record::default();
        let Some(((), end)) = json::first(line.bytes, Fill(&mut first)) else { return false };
        let rest = line.bytes.get(end..).unwrap_or_default();
        // Nearly always a line is one value.
        let more = if rest.iter().all(u8::is_ascii_whitespace) {
            Vec::new()
        } else {
            match json::values::<Record<'_>>(rest).collect::<Result<Vec<_>, _>>() {
                Ok(more) => more,
                Err(_) => return false,
            }
        };
        let key = hash(line.bytes);
        // Two tees of one stream write each line twice. Without a time two equal lines may be two events.
        let repeats = more.is_empty() && first.ts.is_some() && self.before == Some((key, first.ts));
        self.before = Some((key, more.last().map_or(first.ts, |r| r.ts)));
        if repeats {
            self.out.ledger().duplicates += 1;
        } else {
            self.out.keep_head(line.number, line.bytes);
            self.record(&mut first, line);
            for mut record in more {
                self.record(&mut record, line);
            }
        }
        let ledger = self.out.ledger();
        ledger.lines += 1;
        ledger.read += 1;
        true
    }

    fn record(&mut self, record: &mut Record<'_>, line: &Line<'_>) {
        if !record.is_event() {
            let place = self.out.place(line.number, line.offset);
            let ledger = self.out.ledger();
            ledger.unknown += 1;
            ledger.fault(FaultKind::NoRecord, place);
            return;
        }
        if record.unknown_event() {
            self.out.ledger().unknown += 1;
        }
        record.emit(line.number, line.offset, self.out);
    }

    /// What is pending is complete.
    fn close(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        let place = self.out.place(pending.number, pending.offset);
        let torn = !pending.ended && !pending.closed();
        let out = &mut *self.out;
        out.torn(torn);
        let good = pending.read(|mut record| {
            if record.is_event() {
                record.emit(pending.number, pending.offset, out);
                Some(())
            } else {
                None
            }
        });
        self.out.torn(false);
        self.before = None;
        self.out.keep_head(pending.number, &pending.raw);
        let ledger = self.out.ledger();
        ledger.lines += pending.lines;
        ledger.torn_tail |= torn && pending.lines > 0;
        match good {
            Some(()) => ledger.salvage(if torn { FaultKind::Torn } else { FaultKind::Unescaped }, place, pending.lines),
            None if pending.lines == 0 => {}
            None => {
                ledger.lost += pending.lines - 1;
                ledger.lose(if torn { FaultKind::Torn } else { FaultKind::NotJson }, place, pending.taken);
            }
        }
    }
}
