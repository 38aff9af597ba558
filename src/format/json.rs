//! Lenient JSON: values of the wrong type never cost a line. The engine (serde_json) is named only here.

use crate::trace::Time;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A scalar as a log holds it. Containers are read over and leave [`Loose::Container`].
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Loose<'a> {
    /// `null`, or not there.
    #[default]
    Null,
    /// `true`, `false`
    Bool(bool),
    /// Whole numbers that fit.
    Int(i64),
    /// All other numbers.
    Float(f64),
    /// Text.
    Text(Cow<'a, str>),
    /// An array or an object.
    Container,
}

impl<'a> Loose<'a> {
    /// As a number: numbers, and numbers in text.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts and times of logs are far below 2^52")]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(n) => Some(*n as f64),
            Self::Float(n) => Some(*n),
            Self::Text(t) => t.trim().parse().ok(),
            _ => None,
        }
        .filter(|n: &f64| n.is_finite())
    }

    /// As a count: a number from 0, fractions cut. Negative numbers are no counts.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Int(n) => u64::try_from(*n).ok(),
            _ => self.number().filter(|n| *n >= 0.0 && *n < 9e15).map(|n| n as u64),
        }
    }

    /// As a count that fits 32 bits.
    #[must_use]
    pub fn small(&self) -> Option<u32> {
        self.count().and_then(|n| u32::try_from(n).ok())
    }

    /// As a signed whole number: exit codes.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "checked to be in range")]
    pub fn whole(&self) -> Option<i32> {
        self.number().filter(|n| n.abs() < 2e9).map(|n| n as i32)
    }

    /// As a point in time.
    #[must_use]
    pub fn time(&self) -> Option<Time> {
        match self {
            Self::Text(t) => Time::parse(t),
            _ => self.number().and_then(Time::from_number),
        }
    }

    /// As a yes or no: booleans, 0 and 1, and the usual words.
    #[must_use]
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Bool(b) => Some(*b),
            Self::Int(n) => (0..=1).contains(n).then_some(*n == 1),
            Self::Text(t) => match t.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "ok" | "pass" | "passed" | "green" | "success" => Some(true),
                "false" | "no" | "fail" | "failed" | "red" | "error" | "failure" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// As text. Numbers and booleans are written out; `None` for nothing and for containers.
    #[must_use]
    pub fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(t) => Some(t),
            Self::Int(n) => Some(n.to_string().into()),
            Self::Float(n) => Some(n.to_string().into()),
            Self::Bool(b) => Some(b.to_string().into()),
            Self::Null | Self::Container => None,
        }
    }
}

impl<'a> From<&'a serde_json::Value> for Loose<'a> {
    fn from(value: &'a serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(*b),
            Value::Number(n) => n.as_i64().map_or_else(|| n.as_f64().map_or(Self::Null, Self::Float), Self::Int),
            Value::String(s) => Self::Text(Cow::Borrowed(s)),
            Value::Array(_) | Value::Object(_) => Self::Container,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Loose<'a> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct AnyScalar;
        impl<'de> Visitor<'de> for AnyScalar {
            type Value = Loose<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Loose::Null)
            }
            fn visit_bool<E>(self, b: bool) -> Result<Self::Value, E> {
                Ok(Loose::Bool(b))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Self::Value, E> {
                Ok(Loose::Int(n))
            }
            #[expect(clippy::cast_precision_loss, reason = "beyond i64 only the size matters")]
            fn visit_u64<E>(self, n: u64) -> Result<Self::Value, E> {
                Ok(i64::try_from(n).map_or(Loose::Float(n as f64), Loose::Int))
            }
            fn visit_f64<E>(self, n: f64) -> Result<Self::Value, E> {
                Ok(Loose::Float(n))
            }
            fn visit_borrowed_str<E>(self, t: &'de str) -> Result<Self::Value, E> {
                Ok(Loose::Text(Cow::Borrowed(t)))
            }
            fn visit_str<E>(self, t: &str) -> Result<Self::Value, E> {
                Ok(Loose::Text(Cow::Owned(t.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Loose::Container)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Loose::Container)
            }
        }
        d.deserialize_any(AnyScalar)
    }
}

/// Reads the first value of a line through `seed`, which may write where it stands: big rows are not moved about. Gives
/// the bytes that were read; `None` where they are no JSON.
pub fn first<'a, S: DeserializeSeed<'a>>(line: &'a [u8], seed: S) -> Option<(S::Value, usize)> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    let value = seed.deserialize(&mut reader).ok()?;
    Some((value, reader.into_iter::<IgnoredAny>().byte_offset()))
}

/// Reads a part that may have any shape; one of the wrong shape is as good as none.
pub(super) fn part<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    // A typed reader would take an array for an object's fields in order.
    raw.filter(|r| r.get().starts_with('{')).and_then(|r| serde_json::from_str(r.get()).ok()).unwrap_or_default()
}

/// Text of a scalar field, empty where there is none.
pub(super) fn text<'l>(field: &'l Loose<'_>) -> &'l str {
    match field {
        Loose::Text(t) => t,
        _ => "",
    }
}

/// Whether a flag is set.
pub(super) fn is_set(field: &Loose<'_>) -> bool {
    field.truth() == Some(true)
}

/// The values that stand on one line, usually one. `Err` at the first byte that is no JSON.
pub fn values<'a, T: Deserialize<'a>>(line: &'a [u8]) -> serde_json::StreamDeserializer<'a, serde_json::de::SliceRead<'a>, T> {
    serde_json::Deserializer::from_slice(line).into_iter::<T>()
}

/// Text that serde_json takes: broken UTF-8 and halves of surrogate pairs become U+FFFD. `None` where nothing
/// had to be replaced.
#[must_use]
pub fn mended(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    let mut changed = matches!(text, Cow::Owned(_));
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let unit = |s: &str| s.strip_prefix("\\u").and_then(|s| s.get(..4)).and_then(|h| u16::from_str_radix(h, 16).ok());
        let step = match unit(rest) {
            Some(0xD800..=0xDBFF) if matches!(rest.get(6..).and_then(unit), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str("\\ufffd");
                changed = true;
                rest = &rest[6..];
                continue;
            }
            _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&rest[..step]);
        rest = &rest[step..];
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// JSON as shells write it: numbers with leading zeros (`01`) or without a digit before the point (`.5`), and nothing where
/// a variable was not set. `None` where nothing had to be changed.
#[must_use]
pub fn repaired(line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line).ok()?;
    let mut out = String::with_capacity(text.len() + 8);
    let (mut in_string, mut escaped, mut changed) = (false, false, false);
    // Whether a value may begin here.
    let mut value = false;
    for (at, c) in text.char_indices() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            out.push(c);
            continue;
        }
        match c {
            ',' | '}' if value => {
                out.push_str("null");
                changed = true;
                out.push(c);
                value = false;
            }
            '0' if value && text[at + 1..].starts_with(|d: char| d.is_ascii_digit()) => changed = true,
            '.' if value => {
                out.push_str("0.");
                changed = true;
                value = false;
            }
            _ => {
                in_string = c == '"';
                if !c.is_whitespace() {
                    value = c == ':';
                }
                out.push(c);
            }
        }
    }
    changed.then_some(out)
}

/// A hash of a JSON value that does not depend on the order of keys. Fields that name no action (ids, descriptions,
/// timeouts) are left out at the top level.
#[must_use]
pub fn canonical_hash(raw: &str) -> u64 {
    const NO_ACTION: &[&str] =
        &["id", "call_id", "tool_call_id", "description", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "security_risk"];
    match serde_json::from_str::<serde_json::Value>(raw) {
        // serde_json's map is sorted by key, so printing it is canonical
        Ok(serde_json::Value::Object(mut map)) => {
            map.retain(|key, _| !NO_ACTION.contains(&key.as_str()));
            hash(serde_json::Value::Object(map).to_string().as_bytes())
        }
        Ok(value) => hash(value.to_string().as_bytes()),
        Err(_) => hash(raw.as_bytes()),
    }
}

/// 64 bits that are the same on every machine and in every release.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_types_are_read_as_what_they_mean() {
        let read = |s: &'static str| serde_json::from_str::<Loose<'_>>(s).unwrap();
        assert_eq!((read("\"12\"").count(), read("1.0").count(), read("-1").count(), read("[1]").count()), (Some(12), Some(1), None, None));
        assert_eq!((read("\"ok\"").truth(), read("0").truth(), read("{}").truth()), (Some(true), Some(false), None));
        assert_eq!(read("18446744073709551615").count(), None);
        assert_eq!(read("7").into_text().as_deref(), Some("7"));
    }

    #[test]
    fn halves_of_surrogate_pairs_are_mended_and_pairs_kept() {
        assert_eq!(mended(br#"{"a":"\ud83d x"}"#).as_deref(), Some(r#"{"a":"\ufffd x"}"#));
        assert_eq!(mended(br#"{"a":"\ude00"}"#).as_deref(), Some(r#"{"a":"\ufffd"}"#));
        assert_eq!(mended(br#"{"a":"\ud83d\ude00 \\ud800 \n"}"#), None);
        assert_eq!(mended(b"{\"a\":\"\xff\"}").as_deref(), Some("{\"a\":\"\u{fffd}\"}"));
        assert_eq!(mended(b"\\"), None);
        assert_eq!(mended("\\é\\ud800".as_bytes()).as_deref(), Some("\\é\\ufffd"));
    }

    #[test]
    fn numbers_of_shells_are_repaired() {
        assert_eq!(
            repaired(br#"{"iter":01,"cost_usd":.42,"exit_code":,"d":"a:,}","x":}"#).as_deref(),
            Some(r#"{"iter":1,"cost_usd":0.42,"exit_code":null,"d":"a:,}","x":null}"#)
        );
        assert_eq!(repaired(br#"{"iter":10,"x":0,"y":0.5,"z":"01"}"#), None);
    }

    #[test]
    fn key_order_and_ids_do_not_make_another_call() {
        assert_eq!(canonical_hash(r#"{"a":1,"b":{"d":2,"c":3}}"#), canonical_hash(r#"{"b":{"c":3,"d":2},"a":1,"id":"x","timeout":9}"#));
        assert_ne!(canonical_hash(r#"{"a":1}"#), canonical_hash(r#"{"a":2}"#));
    }
}
