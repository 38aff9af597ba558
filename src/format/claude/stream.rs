//! What `claude -p` prints with `--output-format stream-json` or `json`: one process from `init` to `result`, or many of
//! them where a loop tees its agent into one file.

use super::content::{Memory, Side, assistant, event, mark, side_answers, user};
use super::lines::{self, Was};
use super::record::{Message, Record, Usage, is_set, money, part, text};
use crate::format::json::{self, Loose, hash};
use crate::format::{Format, Identity, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::event::{EndKind, Event, MarkKind, Usage as Booked, What};
use crate::trace::{Builder, Money, Place, Tokens};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

pub(in crate::format) struct Stream;

impl Format for Stream {
    fn id(&self) -> &'static str {
        "claude-stream-json"
    }

    fn about(&self) -> &'static str {
        "claude -p --output-format stream-json or json: one process or a loop's many, teed into one file or one file each"
    }

    fn role(&self) -> Role {
        Role::Stream
    }

    fn by_name(&self, name: &str) -> Sniff {
        if has_ending(name, &["jsonl", "ndjson", "log", "txt", "json"]) { Sniff::Maybe } else { Sniff::No }
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        if objects(head).take(200).any(|r| is_cursors(&r)) {
            return Sniff::No;
        }
        for record in objects(head).take(200) {
            let kind = text(&record.kind);
            let session = !text(&record.session_id).is_empty();
            match (kind, text(&record.subtype)) {
                ("system", "init") if session => return Sniff::Yes,
                ("stream_event", _) if session || record.event.is_some() => return Sniff::Yes,
                ("result", _) if session && (record.usage.is_some() || record.total_cost_usd.number().is_some()) => return Sniff::Yes,
                ("assistant", _) if session && record.message.is_some() => return Sniff::Yes,
                _ => {}
            }
        }
        Sniff::No
    }

    fn identity(&self, head: &[u8]) -> Identity {
        let mut identity = Identity::default();
        for record in objects(head).take(200) {
            let session = text(&record.session_id);
            if identity.session.is_none() && !session.is_empty() {
                identity.session = Some(session.to_owned());
            }
            let cwd = text(&record.cwd);
            if identity.task.is_none() && !cwd.is_empty() {
                identity.task = Some(hash(cwd.as_bytes()));
            }
            identity.started = identity.started.or(record.timestamp.time());
        }
        identity
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        out.derive_iterations();
        out.headless();
        let mut reader = Reader::default();
        if whole_document(lines.head(64)?) {
            return reader.document(lines, out);
        }
        lines::each(lines, out, true, |record, place, out| reader.take(record, place, out))?;
        reader.close(out);
        Ok(())
    }

    fn gist(&self, line: &[u8]) -> Option<String> {
        json::values::<Record<'_>>(line).filter_map(Result::ok).find_map(|record| super::content::gist(&record))
    }
}

/// Cursor's command line prints records of the same names, and its tool calls and thoughts as records of their own.
fn is_cursors(record: &Record<'_>) -> bool {
    matches!((text(&record.kind), text(&record.subtype)), ("tool_call", "started" | "completed") | ("thinking", "delta" | "completed"))
}

/// The objects at the head of a file, those of an array on one line included.
fn objects(head: &[u8]) -> impl Iterator<Item = Record<'_>> {
    head.split(|b| *b == b'\n').flat_map(|l| {
        let l = l.trim_ascii();
        match l.first() {
            Some(b'{') => json::values::<Record<'_>>(l).next().and_then(Result::ok).into_iter().collect(),
            Some(b'[') => array_head(l),
            _ => Vec::new(),
        }
    })
}

/// The elements of an array as far as the head holds them.
fn array_head(line: &[u8]) -> Vec<Record<'_>> {
    let mut rest = &line[1..];
    let mut found = Vec::new();
    while rest.first() == Some(&b'{') {
        let mut values = json::values::<Record<'_>>(rest);
        match values.next() {
            Some(Ok(record)) => found.push(record),
            _ => break,
        }
        rest = rest[values.byte_offset()..].trim_ascii_start();
        rest = rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start();
    }
    found
}

/// Printed as an array, or over several lines.
fn whole_document(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    head.starts_with(b"[{") || head.starts_with(b"[\n") || head.starts_with(b"{\n") || head.starts_with(b"{\r\n")
}

/// What is remembered within a file.
#[derive(Default)]
struct Reader {
    memory: Memory,
    /// A process has begun and not ended.
    open: bool,
    /// Messages arrived in parts, so their output is exact.
    partial: bool,
    /// The message that is being streamed.
    current: Option<u64>,
    /// The calls of this process.
    calls: HashSet<u64>,
    /// Each session's totals at its newest result, with its cost.
    totals: HashMap<String, (BTreeMap<String, Tokens>, Money)>,
    /// The main loop's model.
    model: String,
    /// What the main loop said last, as a hash: the result says it again.
    last_words: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct StreamEvent<'a> {
    #[serde(rename = "type")]
    kind: Loose<'a>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct ModelUsage<'a> {
    input_tokens: Loose<'a>,
    output_tokens: Loose<'a>,
    cache_read_input_tokens: Loose<'a>,
    cache_creation_input_tokens: Loose<'a>,
    #[serde(rename = "cacheCreationEphemeral1hInputTokens")]
    hour: Loose<'a>,
}

impl ModelUsage<'_> {
    fn tokens(&self) -> Tokens {
        let hour = self.hour.count().unwrap_or(0);
        Tokens {
            input_uncached: self.input_tokens.count(),
            cache_read: self.cache_read_input_tokens.count(),
            cache_write_5m: self.cache_creation_input_tokens.count().map(|all| all.saturating_sub(hour)),
            cache_write_1h: Some(hour),
            output: self.output_tokens.count(),
            reasoning: None,
        }
    }
}

impl Reader {
    fn document(&mut self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let bytes = lines.rest()?.to_vec();
        let count = bytes.split_inclusive(|b| *b == b'\n').count() as u64;
        let place = out.place(1, 0);
        out.ledger().lines += count;
        let records: Result<Vec<Record<'_>>, _> = match bytes.trim_ascii_start().first() {
            Some(b'[') => serde_json::from_slice(&bytes),
            _ => serde_json::from_slice::<Record<'_>>(&bytes).map(|r| vec![r]),
        };
        match records {
            Ok(records) => {
                out.ledger().read += count;
                for record in &records {
                    self.take(record, place, out).count(out);
                }
            }
            Err(_) => {
                let ledger = out.ledger();
                ledger.lost += count.saturating_sub(1);
                ledger.lose(crate::trace::FaultKind::NotJson, place, bytes.len() as u64);
            }
        }
        self.close(out);
        Ok(())
    }

    fn take(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) -> Was {
        let at = record.timestamp.time();
        out.alive(at);
        if !text(&record.session_id).is_empty() {
            out.session(text(&record.session_id));
        }
        let side = match text(&record.parent_tool_use_id) {
            "" => Side::Main,
            parent => Side::Agent(hash(parent.as_bytes())),
        };
        match text(&record.kind) {
            "system" => match text(&record.subtype) {
                "init" => {
                    self.begin(record, place, out);
                }
                "api_retry" => out.event(event(place, at, mark(MarkKind::Retry, "api_retry"))),
                "compact_boundary" => out.event(event(place, at, mark(MarkKind::Compact, "compact_boundary"))),
                _ => {}
            },
            "assistant" => {
                let message: Message<'_> = part(record.message);
                self.calls.extend(super::record::call_key(record, &message));
                if side == Side::Main {
                    let words = super::record::flat_text(message.content);
                    self.last_words = (!words.trim().is_empty()).then(|| hash(words.trim().as_bytes())).or(self.last_words);
                }
                assistant(record, record.message, side, place, &mut self.memory, out);
            }
            "user" if side == Side::Main => user(record, record.message, place, &mut self.memory, out),
            "user" => side_answers(record.message, out),
            "tool_progress" | "tool_use_summary" | "auth_status" | "prompt_suggestion" => {}
            "stream_event" => self.partial(record, side, place, out),
            "rate_limit_event" => {
                let rejected = record.rate_limit_info.is_some_and(|r| r.get().contains("\"rejected\""));
                if rejected {
                    out.event(event(place, at, mark(MarkKind::ApiError, "usage limit: the provider rejected the call")));
                }
            }
            "result" => self.result(record, place, out),
            _ => return Was::Unknown,
        }
        Was::Known
    }

    fn begin(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) {
        if self.open && !self.partial {
            out.under_reported();
        }
        self.open = true;
        self.partial = false;
        self.calls.clear();
        self.last_words = None;
        text(&record.model).clone_into(&mut self.model);
        out.working_in(text(&record.cwd));
        out.event(event(place, record.timestamp.time(), What::IterStart));
    }

    /// A message in parts: its last part counts the output exactly.
    fn partial(&mut self, record: &Record<'_>, side: Side, place: Place, out: &mut Builder) {
        let part_of: StreamEvent<'_> = part(record.event);
        let (usage, model) = match text(&part_of.kind) {
            "message_start" => {
                let message: Message<'_> = part(part_of.message);
                self.current = super::record::call_key(record, &message);
                (message.usage, text(&message.model).to_owned())
            }
            "message_delta" => (part_of.usage, String::new()),
            _ => return,
        };
        let (Some(key), Some(usage)) = (self.current, usage) else { return };
        self.partial = true;
        let tokens = part::<Usage<'_>>(Some(usage)).tokens();
        let booked = Booked { model: Some(model.into()), tokens, ..Booked::default() };
        out.first_time(key);
        self.calls.insert(key);
        let what = What::ModelCall { ok: None, exit_code: None, text: "".into(), key: Some(key), side: side != Side::Main };
        out.event(Event { usage: Some(booked), ..event(place, record.timestamp.time(), what) });
    }

    /// The process ended and tells its totals.
    fn result(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) {
        let uuid = text(&record.uuid);
        // Some loops log each result twice.
        if !uuid.is_empty() && !out.first_time(hash(format!("result\0{uuid}").as_bytes())) {
            return;
        }
        let at = record.timestamp.time();
        if !self.open {
            self.calls.clear();
            out.event(event(place, at, What::IterStart));
        }
        self.open = false;
        self.settle(record, place, out);
        let words = text(&record.result).to_owned();
        let failed = is_set(&record.is_error);
        let abort = |why: &str| What::End { how: EndKind::Abort, text: why.to_owned().into(), by: None };
        let what = match text(&record.subtype) {
            "error_max_turns" => abort("max turns"),
            "error_max_budget_usd" => abort("cost limit: max budget"),
            _ if failed && (crate::trace::is_usage_limit(&words) || text(&record.terminal_reason) == "blocking_limit") => {
                abort(&format!("usage limit: {words}"))
            }
            _ if failed && crate::trace::is_locked_out(&words) => abort(&format!("credential missing: {words}")),
            _ => {
                if failed {
                    out.event(event(place, at, mark(MarkKind::ApiError, words.clone())));
                } else if !words.is_empty()
                    && self.last_words != Some(hash(words.trim().as_bytes()))
                    && out.first_time(hash(format!("said\0{}\0{words}", text(&record.session_id)).as_bytes()))
                {
                    out.event(event(place, at, What::Said { text: words.clone().into(), ends: true }));
                }
                What::End { how: EndKind::Exit, text: "".into(), by: None }
            }
        };
        out.event(event(place, at, what));
    }

    /// The lines under-count output and lack helper models; the result's totals make up the difference. Within one file they
    /// are cumulative over a session; whether, shows by the lines' own input, which is exact.
    fn settle(&mut self, record: &Record<'_>, place: Place, out: &mut Builder) {
        let session = text(&record.session_id).to_owned();
        let mut totals: BTreeMap<String, Tokens> = BTreeMap::new();
        let by_model: BTreeMap<String, ModelUsage<'_>> = part(record.model_usage);
        for (model, usage) in &by_model {
            totals.insert(model.clone(), usage.tokens());
        }
        let main_only = totals.is_empty();
        if main_only && record.usage.is_some() {
            totals.insert(self.main_model(out), part::<Usage<'_>>(record.usage).tokens());
        }
        let mut now: HashMap<String, (String, Tokens)> = HashMap::new();
        for (model, tokens) in self.calls.iter().filter_map(|key| out.booked_call(*key)) {
            let of_model = now.entry(plain(model).to_owned()).or_default();
            of_model.1.add(&tokens);
            // The same spelling, whichever call comes first.
            of_model.0 = std::mem::take(&mut of_model.0).max(model.to_owned());
        }
        let lines = |model: &str| now.get(plain(model)).map(|(_, tokens)| *tokens).unwrap_or_default();
        let (earlier, spent) = self.totals.get(&session).cloned().unwrap_or_default();
        // Cumulative totals exceed what this process's lines read by what came before.
        let reading = |t: &Tokens| t.context().unwrap_or(0);
        let of_lines: u64 = totals.keys().map(|m| reading(&lines(m))).sum();
        let whole: u64 = totals.values().map(reading).sum();
        let fresh: u64 = totals.iter().map(|(m, t)| reading(&minus(*t, earlier.get(m).copied().unwrap_or_default()))).sum();
        let cumulative = !earlier.is_empty() && fresh.abs_diff(of_lines) < whole.abs_diff(of_lines);
        for (model, total) in &totals {
            let total = if cumulative { minus(*total, earlier.get(model).copied().unwrap_or_default()) } else { *total };
            let of_model = lines(model);
            // The total knows the class of writes that the lines leave open.
            let hour = total
                .cache_write_1h
                .unwrap_or(0)
                .saturating_sub(of_model.cache_write_1h.unwrap_or(0))
                .min(of_model.cache_write_5m.unwrap_or(0));
            if hour > 0 {
                out.move_writes_to_hour(|booked| plain(booked) == plain(model), hour);
            }
            let missing = lacking(total, of_model);
            if missing.total().unwrap_or(0) > 0 {
                // The lines' name where they name it: one model is not to be listed as two.
                let name = now.get(plain(model)).map_or(model, |(name, _)| name);
                let booked = Booked { model: Some(name.clone().into()), tokens: missing, ..Booked::default() };
                out.event(Event { usage: Some(booked), ..event(place, record.timestamp.time(), mark(MarkKind::Other, "totals")) });
            }
        }
        if let Some(cost) = money(&record.total_cost_usd).filter(|m| m.0 > 0) {
            out.stated(if cumulative && cost >= spent { cost - spent } else { cost });
            self.totals.insert(session, (totals, cost));
        } else if !totals.is_empty() {
            self.totals.insert(session, (totals, spent));
        }
        self.calls.clear();
    }

    /// The model of the main loop: of `init`, else the one that was billed most.
    fn main_model(&self, out: &Builder) -> String {
        if !self.model.is_empty() {
            return self.model.clone();
        }
        out.booked().into_iter().max_by_key(|(name, t)| (t.total(), name.clone())).map(|(name, _)| name).unwrap_or_default()
    }

    fn close(&self, out: &mut Builder) {
        if self.open && !self.partial {
            out.under_reported();
        }
    }
}

/// A model's name without the mark of a long window (`[1m]`) and without its date: the totals give them where the lines
/// leave them out.
fn plain(model: &str) -> &str {
    let model = model.strip_suffix(']').and_then(|m| m.rsplit_once('[')).map_or(model, |(name, _)| name);
    match model.rsplit_once('-') {
        Some((name, date)) if date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => model,
    }
}

fn minus(a: Tokens, b: Tokens) -> Tokens {
    let less = |a: Option<u64>, b: Option<u64>| a.map(|a| a.saturating_sub(b.unwrap_or(0)));
    Tokens {
        input_uncached: less(a.input_uncached, b.input_uncached),
        cache_read: less(a.cache_read, b.cache_read),
        cache_write_5m: less(a.cache_write_5m, b.cache_write_5m),
        cache_write_1h: less(a.cache_write_1h, b.cache_write_1h),
        output: less(a.output, b.output),
        reasoning: less(a.reasoning, b.reasoning),
    }
}

/// What a total has beyond the lines. Cache writes are compared as one sum: a total without their split would book them
/// again under the other class.
fn lacking(total: Tokens, lines: Tokens) -> Tokens {
    let written = |t: &Tokens| t.cache_write_5m.unwrap_or(0) + t.cache_write_1h.unwrap_or(0);
    let plain = minus(total, lines);
    let missing = written(&total).saturating_sub(written(&lines));
    let hour = plain.cache_write_1h.unwrap_or(0).min(missing);
    Tokens { cache_write_1h: Some(hour), cache_write_5m: Some(missing - hour), ..plain }
}

#[cfg(test)]
mod tests {
    use super::{Stream, plain};
    use crate::format::{Format, Sniff};

    #[test]
    fn what_another_agent_prints_under_the_same_names() {
        let init = r#"{"type":"system","subtype":"init","session_id":"a","cwd":"/w/p","model":"m"}"#;
        let said = r#"{"type":"assistant","session_id":"a","message":{"role":"assistant","content":[]}}"#;
        let called = r#"{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{},"session_id":"a"}"#;
        let thought = r#"{"type":"thinking","subtype":"delta","text":"x","session_id":"a"}"#;
        let sniff = |lines: &[&str]| Stream.sniff(lines.join("\n").as_bytes());
        assert_eq!(sniff(&[init, said]), Sniff::Yes);
        assert_eq!([sniff(&[init, thought, said]), sniff(&[init, said, called])], [Sniff::No; 2]);
    }

    #[test]
    fn one_model_by_its_names() {
        for name in ["claude-x-4-5", "claude-x-4-5[1m]", "claude-x-4-5-20250929", "claude-x-4-5-20250929[1m]"] {
            assert_eq!(plain(name), "claude-x-4-5", "{name}");
        }
        assert_eq!([plain("kimi-k2.5"), plain("[1m]"), plain("m-2025")], ["kimi-k2.5", "", "m-2025"]);
    }
}
