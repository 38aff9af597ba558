//! A loop's budget: `loopBudget` in YAML, JSON or TOML.

use crate::format::json::Loose;
use crate::format::loop_state::{line_of, offset_of};
use crate::format::{Format, Role, Sniff, has_ending};
use crate::input::Lines;
use crate::trace::rows::{Budget, Dimension, Limit};
use crate::trace::{Builder, FaultKind};
use serde_json::Value;
use std::io;

pub(super) struct LoopBudget;

impl Format for LoopBudget {
    fn id(&self) -> &'static str {
        "loop-budget"
    }

    fn about(&self) -> &'static str {
        "*budget*.yaml, .json or .toml with `loopBudget`: wallClock, modelTurns, toolCalls, costUsd ... and `reserved`"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        let named = name.to_ascii_lowercase().contains("budget");
        if named && has_ending(name, &["yaml", "yml", "json", "toml"]) { Sniff::Yes } else { Sniff::No }
    }

    fn name_word(&self) -> Option<&'static str> {
        Some("budget")
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        if memchr::memmem::find(head, b"loopBudget").is_some() { Sniff::Maybe } else { Sniff::No }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let bytes = lines.rest()?.to_vec();
        let count = bytes.split_inclusive(|b| *b == b'\n').count() as u64;
        let whole = out.place(1, 0);
        out.ledger().lines += count;
        let Some(root) = parse(&String::from_utf8_lossy(&bytes)) else {
            let ledger = out.ledger();
            ledger.lost += count;
            ledger.lost_bytes += bytes.len() as u64;
            ledger.fault(FaultKind::NotJson, whole);
            return Ok(());
        };
        out.ledger().read += count;
        let place = |key: &str| {
            let line = line_of(&bytes, key);
            crate::trace::Place { line, offset: offset_of(&bytes, line), ..whole }
        };
        let limits = root.get("loopBudget").unwrap_or(&root);
        let mut budget = Budget::default();
        for dimension in Dimension::ALL {
            if let Some(limit) = limits.get(dimension.key()).and_then(|v| amount(v, dimension == Dimension::WallClock)) {
                budget.limits.push(Limit { dimension, limit, place: place(dimension.key()), each: false });
            }
            let each = limits.get("perIteration").or_else(|| root.get("perIteration")).and_then(|e| e.get(dimension.key()));
            if let Some(limit) = each.and_then(|v| amount(v, dimension == Dimension::WallClock)) {
                budget.limits.push(Limit { dimension, limit, place: place("perIteration"), each: true });
            }
        }
        let reserve = "finalVerificationToolCalls";
        budget.reserve_tool_calls =
            root.get("reserved").and_then(|r| r.get(reserve)).and_then(|v| amount(v, false)).map(|n| (n, place(reserve)));
        // Every other line of such a file is a comment or a key that nothing here knows.
        out.budget(budget);
        Ok(())
    }
}

/// The three notations; JSON is YAML too.
fn parse(text: &str) -> Option<Value> {
    let looks_like_toml = text.trim_start().starts_with('[') || text.lines().any(|l| l.contains(" = ") && !l.trim_start().starts_with('#'));
    if looks_like_toml && let Ok(table) = text.parse::<toml::Table>() {
        return serde_json::to_value(table).ok();
    }
    match serde_saphyr::from_str::<Value>(text) {
        Ok(value @ Value::Object(_)) => Some(value),
        _ => None,
    }
}

/// A limit: a number, a number in text, or for times `35m`. Seconds where it is a time.
fn amount(value: &Value, is_time: bool) -> Option<f64> {
    let number = Loose::from(value).number().or_else(|| {
        let text = value.as_str()?.trim();
        if is_time {
            humantime::parse_duration(text).ok().map(|d| d.as_secs_f64())
        } else {
            text.trim_start_matches('$').replace(['_', ','], "").parse().ok()
        }
    });
    number.filter(|n| *n >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_notations_say_the_same() {
        let yaml = "loopBudget:\n  wallClock: 35m\n  modelTurns: 12\n  costUsd: 2.5\nreserved:\n  finalVerificationToolCalls: 4\n";
        let json = r#"{"loopBudget":{"wallClock":"35m","modelTurns":12,"costUsd":2.5},"reserved":{"finalVerificationToolCalls":4}}"#;
        let toml = "[loopBudget]\nwallClock = \"35m\"\nmodelTurns = 12\ncostUsd = 2.5\n[reserved]\nfinalVerificationToolCalls = 4\n";
        for text in [yaml, json, toml] {
            let root = parse(text).unwrap();
            let b = root.get("loopBudget").unwrap();
            let got = (amount(&b["wallClock"], true), amount(&b["modelTurns"], false), amount(&b["costUsd"], false));
            assert_eq!(got, (Some(2_100.0), Some(12.0), Some(2.5)), "{text}");
            assert_eq!(amount(&root["reserved"]["finalVerificationToolCalls"], false), Some(4.0));
        }
        assert!(parse("just words").is_none());
        assert_eq!(amount(&Value::from("1h 30m"), true), Some(5_400.0));
        assert_eq!(amount(&Value::from(-3), false), None);
    }

    #[test]
    fn lines_of_keys() {
        let text = b"a:\n  b: 1\n  c: 2\n";
        assert_eq!((line_of(text, "c"), offset_of(text, 3), offset_of(text, 1)), (3, 10, 0));
        assert_eq!(line_of(b"# toolCalls is per night\nloopBudget:\n  toolCalls: 2\n", "toolCalls"), 3);
        assert_eq!(line_of(b"{\n \"note\": \"phase\",\n \"phase\": 1}", "phase"), 3);
    }
}
