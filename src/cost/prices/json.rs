//! JSON whose numbers stay text and whose faults have a place.

use super::PricesError;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// The text of a price file and the name that it goes by in messages.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) shown: &'a str,
    pub(super) json: &'a str,
}

/// The members of an object, in the file's order, each value as it stands there.
pub(super) type Members<'a> = Vec<(String, &'a RawValue)>;

/// A price, count or text that stands alone.
pub(super) enum Scalar {
    /// `null`.
    Null,
    /// A number's own text, or a string's content: `3.00` and `"3.00"` are one.
    Text(String),
}

impl<'a> Text<'a> {
    /// The whole file as an object.
    pub(super) fn members(self) -> Result<Members<'a>, PricesError> {
        let raw = serde_json::from_str::<&RawValue>(self.json).map_err(|e| PricesError::At {
            path: self.shown.to_owned(),
            line: e.line(),
            column: e.column(),
            reason: format!("not valid JSON: {}", reason(&e)),
        })?;
        self.object(raw, "a price file")
    }

    /// The members of an object that `what` must be. A key twice is a fault: one of the two prices would be lost in silence.
    pub(super) fn object(self, raw: &'a RawValue, what: &str) -> Result<Members<'a>, PricesError> {
        let Ok(Object(members)) = serde_json::from_str::<Object<'a>>(raw.get()) else {
            return Err(self.fault(raw, &format!("{what} must be an object")));
        };
        let mut seen = HashSet::new();
        match members.iter().find(|(key, _)| !seen.insert(key.as_str())) {
            Some((key, value)) => Err(self.fault(value, &format!("{what} has `{key}` twice"))),
            None => Ok(members),
        }
    }

    /// The elements of a list that `what` must be.
    pub(super) fn list(self, raw: &'a RawValue, what: &str) -> Result<Vec<&'a RawValue>, PricesError> {
        serde_json::from_str(raw.get()).map_err(|_| self.fault(raw, &format!("{what} must be a list")))
    }

    /// The string that `what` must be.
    pub(super) fn string(self, raw: &'a RawValue, what: &str) -> Result<String, PricesError> {
        serde_json::from_str(raw.get()).map_err(|_| self.fault(raw, &format!("{what} must be a string")))
    }

    /// The number, string or null that `what` must be.
    pub(super) fn scalar(self, raw: &'a RawValue, what: &str) -> Result<Scalar, PricesError> {
        match raw.get().as_bytes().first() {
            Some(b'n') => Ok(Scalar::Null),
            Some(b'"') => self.string(raw, what).map(Scalar::Text),
            Some(b'-' | b'0'..=b'9') => Ok(Scalar::Text(raw.get().to_owned())),
            _ => Err(self.fault(raw, &format!("{what} must be a number"))),
        }
    }

    /// A fault at a value of this file.
    pub(super) fn fault(self, at: &RawValue, reason: &str) -> PricesError {
        // A raw value borrows from the file's text, so the distance of the two is its place.
        let offset = at.get().as_ptr().addr().saturating_sub(self.json.as_ptr().addr());
        let before = self.json.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        PricesError::At {
            path: self.shown.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            reason: reason.to_owned(),
        }
    }
}

/// The parser's words without the place, which the error has already.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
        None => text,
    }
}

struct Object<'a>(Members<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keep;
        impl<'de> Visitor<'de> for Keep {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Keep).map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> Text<'_> {
        Text { shown: "p.json", json }
    }

    #[test]
    fn numbers_keep_their_text() {
        let file = text(r#"{"a": 3.00, "b": "3.00", "c": null, "d": 1e-7}"#);
        let texts: Vec<_> = file
            .members()
            .unwrap()
            .into_iter()
            .map(|(key, raw)| match file.scalar(raw, &key).unwrap() {
                Scalar::Null => "null".to_owned(),
                Scalar::Text(t) => t,
            })
            .collect();
        assert_eq!(texts, ["3.00", "3.00", "null", "1e-7"]);
    }

    #[test]
    fn faults_have_a_place() {
        let file = text("{\n  \"ä\": 1, \"b\": [2]\n}");
        let members = file.members().unwrap();
        let b = members.iter().find(|(key, _)| key == "b").unwrap().1;
        assert_eq!(file.scalar(b, "`b`").err().unwrap().to_string(), "p.json:2:16: `b` must be a number");
        assert_eq!(text("{\"a\": 1\n \"b\": 2}").members().unwrap_err().to_string(), "p.json:2:2: not valid JSON: expected `,` or `}`");
        assert_eq!(text("[]").members().unwrap_err().to_string(), "p.json:1:1: a price file must be an object");
        assert_eq!(text(r#"{"a":1,"a":2}"#).members().unwrap_err().to_string(), "p.json:1:12: a price file has `a` twice");
    }
}
