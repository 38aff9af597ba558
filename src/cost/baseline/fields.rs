//! JSON objects whose every value knows its line, so that a fault in a hand-written file can be pointed at.

use super::BaselineError;
use crate::settings::suggest;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Characters of a text: more is a pasted log.
const LONGEST_TEXT: usize = 4_096;

/// A file's text with its name.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) path: &'t str,
    pub(super) text: &'t str,
}

impl<'t> Source<'t> {
    /// A fault at a piece of the text.
    pub(super) fn fault(&self, at: &str, what: impl Into<String>) -> BaselineError {
        // A piece of the text lies inside it; anything else is told of the file as a whole.
        let offset = (at.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let before = offset.and_then(|o| self.text.as_bytes().get(..o));
        let line = before.map(|b| u32::try_from(memchr::memchr_iter(b'\n', b).count()).unwrap_or(u32::MAX).saturating_add(1));
        BaselineError { path: self.path.to_owned(), line, what: what.into() }
    }

    /// Reads a piece of the text.
    pub(super) fn json<T: Deserialize<'t>>(&self, piece: &'t str, expected: &str) -> Result<T, BaselineError> {
        serde_json::from_str(piece).map_err(|e| {
            let mut fault = self.fault(piece, "");
            let reason = e.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
            if e.is_data() {
                fault.what = format!("{expected} ({reason})");
            } else {
                fault.line = fault.line.map(|l| l.saturating_add(u32::try_from(e.line().saturating_sub(1)).unwrap_or(u32::MAX)));
                fault.what = format!("not valid JSON: {reason} (column {})", e.column());
            }
            fault
        })
    }
}

/// An object's members as they stand, twice-written ones included.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Members<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Vec<(String, &'de RawValue)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    members.push((key, map.next_value::<&'de RawValue>()?));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Seen).map(Members)
    }
}

/// An object, its keys checked.
pub(super) struct Object<'t> {
    source: Source<'t>,
    /// What it is called in messages: `runs[2].`, or nothing for the file.
    name: String,
    whole: &'t str,
    members: Vec<(String, &'t RawValue)>,
}

impl<'t> Object<'t> {
    /// Reads an object that has no keys but `known`, each at most once.
    pub(super) fn read(source: Source<'t>, piece: &'t str, name: &str, known: &[&str]) -> Result<Self, BaselineError> {
        let what = name.trim_end_matches('.');
        let what =
            if what.is_empty() { "a baseline is a JSON object in braces".to_owned() } else { format!("`{what}` is an object in braces") };
        let Members(members) = source.json(piece, &what)?;
        for (k, (key, value)) in members.iter().enumerate() {
            if !known.contains(&key.as_str()) {
                let near = suggest(key, known.iter().copied());
                let hint = near.map_or_else(|| format!("it may be one of {}", known.join(", ")), |n| format!("did you mean `{n}`?"));
                return Err(source.fault(value.get(), format!("unknown key `{name}{key}`; {hint}")));
            }
            if members.iter().take(k).any(|(earlier, _)| earlier == key) {
                return Err(source.fault(value.get(), format!("`{name}{key}` stands twice; keep one")));
            }
        }
        Ok(Self { source, name: name.to_owned(), whole: piece, members })
    }

    /// A fault of the object as a whole.
    pub(super) fn fault(&self, what: impl Into<String>) -> BaselineError {
        self.source.fault(self.whole, what)
    }

    /// A fault of one value.
    pub(super) fn wrong(&self, key: &str, wanted: &str) -> BaselineError {
        let name = &self.name;
        match self.members.iter().find(|(k, _)| k == key) {
            Some((_, value)) => {
                let shown: String = value.get().chars().take(40).collect();
                self.source.fault(value.get(), format!("`{name}{key}` cannot be {shown}: {wanted}"))
            }
            None => self.fault(format!("`{name}{key}` is missing: {wanted}")),
        }
    }

    /// A value; nothing where it is missing or null.
    pub(super) fn raw(&self, key: &str) -> Option<&'t str> {
        self.members.iter().find(|(k, _)| k == key).map(|(_, v)| v.get()).filter(|v| *v != "null")
    }

    /// A text.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, BaselineError> {
        let Some(raw) = self.raw(key) else { return Ok(None) };
        let text: String = serde_json::from_str(raw).map_err(|_| self.wrong(key, "it takes a text in quotes, or null"))?;
        if text.trim().is_empty() {
            return Err(self.wrong(key, "it is empty; write null where it is not known"));
        }
        if text.chars().count() > LONGEST_TEXT {
            return Err(self.wrong(key, &format!("it has more than {LONGEST_TEXT} characters")));
        }
        Ok(Some(text))
    }

    /// A whole number from `least` to `most`.
    pub(super) fn count(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, BaselineError> {
        let Some(raw) = self.raw(key) else { return Ok(None) };
        let zero = least > 0 && raw.bytes().all(|b| matches!(b, b'0' | b'.' | b'-'));
        let hint = if zero { "; what is not known is null, never 0" } else { "" };
        let wanted = || format!("it takes a whole number from {least} to {most}, or null{hint}");
        raw.parse::<u64>().ok().filter(|n| (least..=most).contains(n)).map(Some).ok_or_else(|| self.wrong(key, &wanted()))
    }

    /// Seconds above 0, up to a year.
    pub(super) fn seconds(&self, key: &str) -> Result<Option<f64>, BaselineError> {
        const YEAR: f64 = 366.0 * 86_400.0;
        let Some(raw) = self.raw(key) else { return Ok(None) };
        let wanted = "it takes seconds above 0, at most a year, or null; what is not known is null, never 0";
        let value = raw.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= YEAR && raw.starts_with(|c: char| c.is_ascii_digit()));
        value.map(Some).ok_or_else(|| self.wrong(key, wanted))
    }

    /// The elements of a list.
    pub(super) fn list(&self, key: &str) -> Result<Option<Vec<&'t str>>, BaselineError> {
        let Some(raw) = self.raw(key) else { return Ok(None) };
        let values: Vec<&'t RawValue> = serde_json::from_str(raw).map_err(|_| self.wrong(key, "it takes a list in brackets"))?;
        Ok(Some(values.into_iter().map(RawValue::get).collect()))
    }

    /// An object inside.
    pub(super) fn object(&self, key: &str, known: &[&str]) -> Result<Option<Self>, BaselineError> {
        let Some(raw) = self.raw(key) else { return Ok(None) };
        Self::read(self.source, raw, &format!("{}{key}.", self.name), known).map(Some)
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, BaselineError> {
        let Some(values) = self.list(key)? else { return Ok(None) };
        let text =
            |raw: &&str| serde_json::from_str::<String>(raw).ok().filter(|t| !t.trim().is_empty() && t.chars().count() <= LONGEST_TEXT);
        let wanted = || self.wrong(key, "it takes a list of texts in quotes");
        values.iter().map(text).collect::<Option<Vec<_>>>().map(Some).ok_or_else(wanted)
    }

    /// The file that it stands in.
    pub(super) fn source(&self) -> Source<'t> {
        self.source
    }
}
