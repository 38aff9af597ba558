//! One record as one logger writes it.

use super::civil;
use super::dice::Dice;
use super::events::{Event, Value};
use super::knobs::{Knobs, Stamp};
use super::volatile;

/// A logger of one run.
pub(super) struct Writer<'a> {
    knobs: &'a Knobs,
    /// Fields that this logger adds to every record.
    own_fields: Vec<(&'static str, Value)>,
    run: String,
}

impl<'a> Writer<'a> {
    pub(super) fn new(knobs: &'a Knobs, dice: &mut Dice) -> Self {
        let mut own_fields = Vec::new();
        if knobs.extra_fields {
            let all = [
                ("host", Value::Text("ci-7".to_owned())),
                ("pid", Value::Int(dice.span(900, 65_000))),
                ("v", Value::Int(2)),
                ("labels", Value::Json(r#"["night", "a\"b"]"#.to_owned())),
                // Nested names that mean something one level up.
                ("env", Value::Json(r#"{"event": "green", "iter": 0, "ts": 0}"#.to_owned())),
                ("parent", Value::Json("null".to_owned())),
            ];
            for field in all {
                if dice.chance(0.5) {
                    own_fields.push(field);
                }
            }
        }
        Self { knobs, own_fields, run: volatile::uuid(dice) }
    }

    /// The record without its line end.
    pub(super) fn line(&self, event: &Event, dice: &mut Dice) -> String {
        let mut fields =
            vec![("ts", self.stamp(event.at)), ("iter", Value::Int(event.iter as i64)), ("event", Value::Text(event.name.to_owned()))];
        if self.knobs.run_field {
            fields.push(("run", Value::Text(self.run.clone())));
        }
        fields.extend(event.fields.iter().cloned());
        fields.extend(self.own_fields.iter().cloned());
        let detail = match &event.detail {
            Some(detail) => Some(detail.clone()),
            // The minimal logger takes four arguments, always.
            None if !self.knobs.extended => Some(String::new()),
            None => None,
        };
        if self.knobs.raw_details {
            return self.raw(&fields, &detail.unwrap_or_default());
        }
        if let Some(detail) = detail {
            fields.push(("detail", Value::Text(detail)));
        }
        if self.knobs.shuffled_keys {
            dice.shuffle(&mut fields);
        }
        let parts: Vec<String> = fields.iter().map(|(key, value)| self.pair(key, value)).collect();
        format!("{{{}}}", parts.join(self.comma()))
    }

    /// A shell's `echo "{...,\"detail\":\"$detail\"}"`: nothing is escaped.
    fn raw(&self, fields: &[(&'static str, Value)], detail: &str) -> String {
        let parts: Vec<String> = fields.iter().map(|(key, value)| self.pair(key, value)).collect();
        let (comma, colon) = (self.comma(), self.colon());
        format!("{{{}{comma}\"detail\"{colon}\"{detail}\"}}", parts.join(comma))
    }

    fn pair(&self, key: &str, value: &Value) -> String {
        let value = match value {
            Value::Int(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::Text(text) => quoted(text, self.knobs.ascii_only),
            Value::Json(text) => text.clone(),
        };
        format!("\"{key}\"{}{value}", self.colon())
    }

    fn colon(&self) -> &'static str {
        if self.knobs.blanks { ": " } else { ":" }
    }

    fn comma(&self) -> &'static str {
        if self.knobs.blanks { ", " } else { "," }
    }

    fn stamp(&self, at: i64) -> Value {
        match self.knobs.stamp {
            Stamp::Seconds => Value::Int(at.div_euclid(1000)),
            Stamp::Millis => Value::Int(at),
            Stamp::Micros => Value::Int(at * 1000),
            Stamp::Float => {
                let (seconds, millis) = (at.div_euclid(1000), at.rem_euclid(1000));
                Value::Json(format!("{seconds}.{millis:03}"))
            }
            Stamp::Text(offset, decimals) => Value::Text(civil::rfc3339(at, offset, decimals)),
        }
    }
}

/// A JSON string literal, on request with nothing but ASCII in it.
pub(super) fn quoted(text: &str, ascii_only: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if (control as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", control as u32)),
            other if ascii_only && !other.is_ascii() => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
