//! One record of a loop log: its fields, whatever their order and type, and the event that it means.

use crate::format::json::Loose;
use crate::trace::event::{Counts, EndKind, Event, MarkKind, Usage, What};
use crate::trace::{Builder, Money, Time, Tokens};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The fields of a record. Those that no row has a place for are read over; they stay reachable by their place.
#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    pub(super) ts: Option<Time>,
    pub(super) iter: Option<u32>,
    event: Option<Cow<'a, str>>,
    pub(super) detail: Option<Cow<'a, str>>,
    run: Option<Cow<'a, str>>,
    id: Option<Cow<'a, str>>,
    model: Option<Cow<'a, str>>,
    author_model: Option<Cow<'a, str>>,
    hypothesis: Option<Cow<'a, str>>,
    attempt: Loose<'a>,
    pub(super) tokens_in: Loose<'a>,
    tokens_out: Loose<'a>,
    cache_read: Loose<'a>,
    cache_write: Loose<'a>,
    cost_usd: Loose<'a>,
    duration_ms: Loose<'a>,
    tool: Option<Cow<'a, str>>,
    args: Option<&'a RawValue>,
    args_hash: Option<Cow<'a, str>>,
    ok: Loose<'a>,
    check: Option<Cow<'a, str>>,
    exit_code: Loose<'a>,
    failures: Option<u32>,
    failing: Vec<String>,
    signature: Option<Cow<'a, str>>,
    commit: Option<Cow<'a, str>>,
    gate: Option<Cow<'a, str>>,
    score: Loose<'a>,
    finding: Option<Cow<'a, str>>,
    decision: Option<Cow<'a, str>>,
    by: Option<Cow<'a, str>>,
    budget_revision: Loose<'a>,
    files_changed: Loose<'a>,
    session: Option<Cow<'a, str>>,
}

/// Every key of the dialect, with the names that its near relatives use.
const KEYS: &[&str] = &[
    "ts",
    "timestamp",
    "time",
    "iter",
    "iteration",
    "event",
    "detail",
    "run",
    "id",
    "model",
    "author_model",
    "tokens_in",
    "input_tokens",
    "tokens_out",
    "output_tokens",
    "cache_read",
    "cache_write",
    "cost_usd",
    "duration_ms",
    "tool",
    "args",
    "args_hash",
    "ok",
    "check",
    "exit_code",
    "failures",
    "signature",
    "commit",
    "files_changed",
    "lines_added",
    "lines_removed",
    "gate",
    "score",
    "attempt",
    "hypothesis",
    "expected_signal",
    "finding",
    "decision",
    "by",
    "budget_revision",
    "session_id",
    "thread_id",
];

/// Whether a key belongs to the dialect.
pub(super) fn is_key(key: &str) -> bool {
    KEYS.contains(&key)
}

impl<'de> Deserialize<'de> for Record<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let mut record = Self::default();
        Fill(&mut record).deserialize(d)?;
        Ok(record)
    }
}

/// Reads a record into its place: it is large, and there is one on every line.
pub(super) struct Fill<'r, 'de>(pub(super) &'r mut Record<'de>);

impl<'de> DeserializeSeed<'de> for Fill<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fill<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let r = self.0;
        while let Some(Key(key)) = map.next_key::<Key<'de>>()? {
            match key.as_ref() {
                "ts" | "timestamp" | "time" => r.ts = map.next_value::<Loose<'_>>()?.time().or(r.ts),
                "iter" | "iteration" => r.iter = map.next_value::<Loose<'_>>()?.small().or(r.iter),
                "event" => r.event = text(&mut map)?,
                "detail" => r.detail = text(&mut map)?,
                "run" => r.run = text(&mut map)?,
                "id" => r.id = text(&mut map)?,
                "model" => r.model = text(&mut map)?,
                "author_model" => r.author_model = text(&mut map)?,
                "hypothesis" => r.hypothesis = text(&mut map)?,
                "attempt" => r.attempt = map.next_value()?,
                "tokens_in" | "input_tokens" => r.tokens_in = map.next_value()?,
                "tokens_out" | "output_tokens" => r.tokens_out = map.next_value()?,
                "cache_read" => r.cache_read = map.next_value()?,
                "cache_write" => r.cache_write = map.next_value()?,
                "cost_usd" => r.cost_usd = map.next_value()?,
                "duration_ms" => r.duration_ms = map.next_value()?,
                "tool" => r.tool = text(&mut map)?,
                "args" => r.args = Some(map.next_value()?),
                "args_hash" => r.args_hash = text(&mut map)?,
                "ok" => r.ok = map.next_value()?,
                "check" => r.check = text(&mut map)?,
                "exit_code" => r.exit_code = map.next_value()?,
                "failures" => (r.failures, r.failing) = failures(map.next_value()?),
                "signature" => r.signature = text(&mut map)?,
                "commit" => r.commit = text(&mut map)?,
                "gate" => r.gate = text(&mut map)?,
                "score" => r.score = map.next_value()?,
                "finding" => r.finding = text(&mut map)?,
                "decision" => r.decision = text(&mut map)?,
                "by" => r.by = text(&mut map)?,
                "budget_revision" => r.budget_revision = map.next_value()?,
                "files_changed" => r.files_changed = map.next_value()?,
                "session_id" | "session" | "sessionId" | "thread_id" | "conversation_id" => {
                    r.session = text(&mut map)?.or_else(|| r.session.take());
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, t: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(t)))
            }
            fn visit_str<E>(self, t: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(t.to_owned())))
            }
        }
        d.deserialize_str(Text)
    }
}

fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<Cow<'de, str>>, A::Error> {
    map.next_value::<Loose<'de>>().map(Loose::into_text)
}

/// `failures` is a number of failing tests, or their names.
fn failures(raw: &RawValue) -> (Option<u32>, Vec<String>) {
    match serde_json::from_str::<Vec<Loose<'_>>>(raw.get()) {
        Ok(names) => {
            let names: Vec<String> = names.into_iter().filter_map(|n| n.into_text().map(Cow::into_owned)).collect();
            (u32::try_from(names.len()).ok(), names)
        }
        Err(_) => (serde_json::from_str::<Loose<'_>>(raw.get()).ok().and_then(|n| n.small()), Vec::new()),
    }
}

impl<'a> Record<'a> {
    /// Whether it names an event at all.
    pub(super) fn is_event(&self) -> bool {
        self.event.as_deref().is_some_and(|e| !e.is_empty())
    }

    /// Whether the event is none that has a meaning here.
    pub(super) fn unknown_event(&self) -> bool {
        self.event.as_deref().is_some_and(|e| EVENTS.iter().all(|(name, _)| *name != e))
    }

    fn usage(&self) -> Option<Usage<'a>> {
        let money = match &self.cost_usd {
            Loose::Int(n) => Money::from_f64(f64::from(i32::try_from(*n).ok()?)),
            Loose::Float(n) => Money::from_f64(*n),
            Loose::Text(t) => t.trim().trim_start_matches('$').parse().ok(),
            _ => None,
        };
        let tokens = Tokens {
            input_uncached: self.tokens_in.count(),
            cache_read: self.cache_read.count(),
            cache_write_5m: self.cache_write.count(),
            cache_write_1h: None,
            output: self.tokens_out.count(),
            reasoning: None,
        };
        let nothing = tokens.is_unknown() && money.is_none() && self.model.is_none();
        (!nothing).then(|| Usage {
            model: self.model.clone(),
            tokens,
            reported: money.filter(|m| m.0 >= 0),
            web_searches: 0,
            duration_ms: self.duration_ms.count(),
        })
    }

    /// Hands the record's event to the builder.
    pub(super) fn emit(&mut self, line: u32, offset: u64, out: &mut Builder) {
        let usage = self.usage();
        let (at, iter) = (self.ts, self.iter);
        let run = self.run.clone();
        let session = self.session.clone();
        let (revision, files_changed) = (self.budget_revision.small(), self.files_changed.small());
        let meaning =
            EVENTS.iter().find(|(name, _)| Some(*name) == self.event.as_deref()).map_or(Meaning::Mark(MarkKind::Other), |(_, m)| *m);
        if let (Meaning::ModelCall, Some(id)) = (meaning, self.id.as_deref().filter(|id| !id.is_empty())) {
            out.pays(id);
        }
        let beside = self.beside(meaning);
        let what = self.what(meaning);
        out.event(Event { at, iter, line, offset, run: run.as_deref(), revision, files_changed, usage, what });
        for what in beside {
            out.event(Event { at, iter, line, offset, run: run.as_deref(), revision: None, files_changed: None, usage: None, what });
        }
        if let Some(session) = session {
            out.names_session(&session);
        }
    }

    /// What a record of another kind says beside it: the gate that a check is, the hypothesis that a pass tries.
    fn beside(&self, meaning: Meaning) -> Vec<What<'a>> {
        let mut more = Vec::new();
        let marks = matches!(meaning, Meaning::Mark(_));
        if let (Meaning::Check, Some(gate)) = (meaning, &self.gate) {
            more.push(self.gate(gate.clone()));
        }
        if !marks && (self.hypothesis.is_some() || self.is_finding()) {
            let what = self.hypothesis.clone().unwrap_or_default();
            more.push(What::Hypothesis { what, finding: self.finding.clone() });
        }
        more
    }

    /// `finding` is one of the three words of the dialect.
    fn is_finding(&self) -> bool {
        matches!(self.finding.as_deref(), Some("supported" | "refuted" | "unknown"))
    }

    fn gate(&self, name: Cow<'a, str>) -> What<'a> {
        let by_code = self.exit_code.whole().map(|code| code == 0);
        let by_word = self.decision.as_deref().and_then(|d| match d.to_ascii_lowercase().as_str() {
            "pass" | "passed" | "allow" | "green" | "ok" => Some(true),
            "fail" | "failed" | "deny" | "red" => Some(false),
            _ => None,
        });
        What::Gate {
            name,
            passed: self.ok.truth().or(by_word).or(by_code),
            score: self.score.number(),
            attempt: self.attempt.small(),
            text: self.detail.clone().unwrap_or_default(),
        }
    }

    fn what(&mut self, meaning: Meaning) -> What<'a> {
        if let Meaning::Mark(MarkKind::Gate) = meaning {
            let name = self.gate.clone().or_else(|| self.check.clone()).unwrap_or_default();
            return self.gate(name);
        }
        let tries = self.hypothesis.is_some() || self.is_finding();
        let detail = self.detail.take().unwrap_or_default();
        let exit_code = self.exit_code.whole();
        let ok = self.ok.truth();
        let counts = Counts {
            failures: self.failures,
            failing: std::mem::take(&mut self.failing),
            commit: self.commit.take().map(Cow::into_owned),
            exit_code,
        };
        match meaning {
            Meaning::IterStart => What::IterStart,
            Meaning::AgentCall => What::AgentCall { failure: detail, signature: self.signature.take(), counts },
            Meaning::Check => What::Check {
                name: self.check.take().or(self.gate.take()),
                green: ok,
                exit_code,
                text: detail,
                signature: self.signature.take(),
                counts,
            },
            Meaning::End(how) => What::End { how, text: detail, by: self.by.take() },
            Meaning::ModelCall => What::ModelCall { ok, exit_code, text: detail, key: None, side: false },
            Meaning::ToolCall => What::ToolCall {
                id: self.id.take(),
                tool: self.tool.take().unwrap_or_default(),
                args: self.args.map(|a| Cow::Borrowed(a.get())).or(self.args_hash.take()).unwrap_or(detail),
            },
            Meaning::ToolResult => What::ToolResult { id: self.id.take(), ok, exit_code, text: detail, running: false },
            Meaning::Mark(MarkKind::Permission) => What::Permission {
                id: self.id.take(),
                tool: self.tool.take().unwrap_or_default(),
                args: self.args.map(|a| Cow::Borrowed(a.get())).or(self.args_hash.take()).unwrap_or_default(),
                decision: self.decision.take().or_else(|| ok.map(|ok| Cow::Borrowed(if ok { "allow" } else { "deny" }))),
                by: self.by.take(),
                text: detail,
            },
            Meaning::Mark(MarkKind::Review) => {
                let word = self.decision.as_deref().unwrap_or(&detail).trim().to_ascii_lowercase();
                let said = ["pass", "approve", "lgtm"].iter().any(|w| word.starts_with(w)).then_some(true);
                let said = said.or_else(|| ["fail", "reject", "changes"].iter().any(|w| word.starts_with(w)).then_some(false));
                What::Review { passed: ok.or(said), model: self.model.take(), author: self.author_model.take(), text: detail }
            }
            Meaning::Mark(MarkKind::Other | MarkKind::Hypothesis) if tries => {
                What::Hypothesis { what: self.hypothesis.take().unwrap_or(detail), finding: self.finding.take() }
            }
            Meaning::Mark(kind) => {
                let kind = if matches!(self.by.as_deref(), Some("human" | "person" | "user")) && kind == MarkKind::Other {
                    MarkKind::Person
                } else {
                    kind
                };
                let decision =
                    self.finding.take().or(self.decision.take()).or_else(|| ok.map(|ok| Cow::Borrowed(if ok { "pass" } else { "fail" })));
                let text = if detail.is_empty() { self.gate.take().unwrap_or_default() } else { detail };
                What::Mark { kind, text, decision, by: self.by.take(), score: self.score.number(), exit_code }
            }
        }
    }
}

/// What an event's name means.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    IterStart,
    AgentCall,
    Check,
    End(EndKind),
    ModelCall,
    ToolCall,
    ToolResult,
    Mark(MarkKind),
}

/// The events of both dialects, with what near relatives call them.
const EVENTS: &[(&str, Meaning)] = &[
    ("iter_start", Meaning::IterStart),
    ("iteration_start", Meaning::IterStart),
    ("agent_call", Meaning::AgentCall),
    ("check", Meaning::Check),
    ("green", Meaning::End(EndKind::Green)),
    ("iter_limit", Meaning::End(EndKind::IterLimit)),
    ("stuck", Meaning::End(EndKind::Stuck)),
    ("reward_hack", Meaning::End(EndKind::RewardHack)),
    ("abort", Meaning::End(EndKind::Abort)),
    ("handoff", Meaning::End(EndKind::Handoff)),
    ("done", Meaning::End(EndKind::Claim)),
    ("complete", Meaning::End(EndKind::Claim)),
    ("completed", Meaning::End(EndKind::Claim)),
    ("model_call", Meaning::ModelCall),
    ("tool_call", Meaning::ToolCall),
    ("tool_result", Meaning::ToolResult),
    ("retry", Meaning::Mark(MarkKind::Retry)),
    ("compact", Meaning::Mark(MarkKind::Compact)),
    ("subagent_start", Meaning::Mark(MarkKind::SubagentStart)),
    ("subagent_stop", Meaning::Mark(MarkKind::SubagentStop)),
    ("permission", Meaning::Mark(MarkKind::Permission)),
    ("gate", Meaning::Mark(MarkKind::Gate)),
    ("resume", Meaning::Mark(MarkKind::Resume)),
    ("review", Meaning::Mark(MarkKind::Review)),
    ("hypothesis", Meaning::Mark(MarkKind::Hypothesis)),
    ("user_message", Meaning::Mark(MarkKind::Person)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_types_cost_a_field_and_not_the_line() {
        let r: Record<'_> = serde_json::from_str(r#"{"ts":{"a":1},"iter":"7","event":"agent_call","detail":5,"tokens_in":"90","cost_usd":"$0.10","ok":"red","failures":[1,"b"],"new":{"x":[]}}"#).unwrap();
        assert_eq!((r.ts, r.iter, r.detail.as_deref(), r.ok.truth(), r.failures), (None, Some(7), Some("5"), Some(false), Some(2)));
        let usage = r.usage().unwrap();
        assert_eq!((usage.tokens.input_uncached, usage.reported.unwrap().exact()), (Some(90), "0.1".to_owned()));
    }

    #[test]
    fn a_cost_below_zero_is_no_cost() {
        let r: Record<'_> = serde_json::from_str(r#"{"event":"model_call","cost_usd":-1}"#).unwrap();
        assert!(r.usage().is_some_and(|u| u.reported.is_none()) || r.usage().is_none());
    }
}
