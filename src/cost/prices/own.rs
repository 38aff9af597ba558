//! The project's own price file; the embedded snapshot is one.
//!
//! ```json
//! { "schema": "loopmortem/prices",
//!   "unit": "per_million",
//!   "models": {
//!     "claude-sonnet-4-5": { "input": "3.00", "output": "15", "cache_read": "0.30", "cache_write_5m": "3.75" },
//!     "in-house-70b": { "input": 0.2, "output": 0.6, "context_window": 128000,
//!                       "tiers": [ { "above": 32000, "input": 0.4, "output": 1.2 } ] } },
//!   "aliases": { "my-sonnet": "claude-sonnet-4-5" },
//!   "free": ["local-*"] }
//! ```
//!
//! A price is dollars a million tokens, or a token with `"unit": "per_token"` (on top or at a model); `web_search` is
//! dollars a search in either. `null` says "not priced", the word `"free"` "costs nothing"; 0 is neither and counts as not
//! priced. A field that is left out keeps its known price; `tiers` replaces the model's whole list of tiers.

use super::PricesError;
use super::decimal::{Unit, whole};
use super::json::{Members, Scalar, Text};
use super::patch::{ModelPatch, Patch, Tiers, price};
use super::rate::{Class, ClassPrices, Price, Tier};
use serde_json::value::RawValue;

const SCHEMA: &str = "loopmortem/prices";

/// Reads a file whose top level has a `schema`.
pub(super) fn read<'a>(text: Text<'a>, members: &Members<'a>, schema: &RawValue) -> Result<Patch<'a>, PricesError> {
    let found = text.string(schema, "`schema`")?;
    if found != SCHEMA {
        return Err(text.fault(schema, &format!("`schema` is \"{found}\"; a price file's is \"{SCHEMA}\" (LiteLLM's list has none)")));
    }
    let mut patch = Patch::default();
    let unit = unit_of(text, members, Unit::Million)?;
    for (key, raw) in members {
        match key.as_str() {
            "schema" | "schema_version" | "unit" => {}
            "date" => patch.head.date = text.string(raw, "`date`")?,
            "source" => patch.head.source = text.string(raw, "`source`")?,
            "license" => patch.head.license = text.string(raw, "`license`")?,
            "models" => {
                for (name, raw) in text.object(raw, "`models`")? {
                    let row = model(text, &name, raw, unit)?;
                    patch.models.push((name, row));
                }
            }
            "aliases" => {
                for (name, raw) in text.object(raw, "`aliases`")? {
                    let target = text.string(raw, &format!("alias `{name}`"))?;
                    patch.aliases.push((name, target, raw));
                }
            }
            "free" => {
                for raw in text.list(raw, "`free`")? {
                    patch.free.push(text.string(raw, "an entry of `free`")?);
                }
            }
            _ => return Err(unknown(text, raw, "a price file", key, "date, source, license, unit, models, aliases, free")),
        }
    }
    Ok(patch)
}

fn model<'a>(text: Text<'a>, name: &str, raw: &'a RawValue, unit: Unit) -> Result<ModelPatch, PricesError> {
    let what = format!("model `{name}`");
    let members = text.object(raw, &what)?;
    let unit = unit_of(text, &members, unit)?;
    let mut patch = ModelPatch { inherits: true, ..ModelPatch::default() };
    for (key, raw) in &members {
        let field = format!("{what}: `{key}`");
        match key.as_str() {
            "unit" => {}
            "provider" => patch.provider = Some(text.string(raw, &field)?),
            "context_window" => patch.context_window = Some(count(text, raw, &field)?),
            "web_search" => patch.web_search = Some(worded(text, raw, &field, Unit::Search)?),
            "tiers" => {
                let mut tiers = Vec::new();
                for raw in text.list(raw, &field)? {
                    tiers.push(tier(text, raw, &field, unit)?);
                }
                patch.tiers = Some(Tiers::Replace(tiers));
            }
            _ => match class(key) {
                Some(class) => patch.prices.push((class, worded(text, raw, &field, unit)?)),
                None => {
                    return Err(unknown(
                        text,
                        raw,
                        &what,
                        key,
                        &format!("{}, web_search, tiers, context_window, provider, unit", classes()),
                    ));
                }
            },
        }
    }
    Ok(patch)
}

fn tier<'a>(text: Text<'a>, raw: &'a RawValue, what: &str, unit: Unit) -> Result<Tier, PricesError> {
    let what = format!("a tier of {what}");
    let mut above = None;
    let mut prices = ClassPrices::default();
    for (key, raw) in &text.object(raw, &what)? {
        match (key.as_str(), class(key)) {
            ("above", _) => above = count(text, raw, &format!("{what}: `above`"))?,
            (_, Some(class)) => prices.set(class, worded(text, raw, &format!("{what}: `{key}`"), unit)?),
            _ => return Err(unknown(text, raw, &what, key, &format!("above, {}", classes()))),
        }
    }
    match above {
        Some(above) => Ok(Tier { above, prices }),
        None => Err(text.fault(raw, &format!("{what} needs `above`, its threshold in tokens"))),
    }
}

/// A price, or the word that it costs nothing.
fn worded(text: Text<'_>, raw: &RawValue, what: &str, unit: Unit) -> Result<Option<Price>, PricesError> {
    if raw.get() == "\"free\"" { Ok(Some(Price::Free)) } else { price(text, raw, what, unit) }
}

fn count(text: Text<'_>, raw: &RawValue, what: &str) -> Result<Option<u64>, PricesError> {
    match text.scalar(raw, what)? {
        Scalar::Null => Ok(None),
        Scalar::Text(t) => whole(&t).map(Some).ok_or_else(|| text.fault(raw, &format!("{what} must be a whole number of tokens"))),
    }
}

fn unit_of(text: Text<'_>, members: &Members<'_>, default: Unit) -> Result<Unit, PricesError> {
    let Some((_, raw)) = members.iter().find(|(key, _)| key == "unit") else { return Ok(default) };
    match text.string(raw, "`unit`")?.as_str() {
        "per_million" => Ok(Unit::Million),
        "per_token" => Ok(Unit::Token),
        other => Err(text.fault(raw, &format!("`unit` is \"{other}\"; it is \"per_million\" or \"per_token\""))),
    }
}

fn class(key: &str) -> Option<Class> {
    Class::ALL.into_iter().find(|c| c.name() == key)
}

fn classes() -> String {
    Class::ALL.map(Class::name).join(", ")
}

fn unknown(text: Text<'_>, raw: &RawValue, what: &str, key: &str, known: &str) -> PricesError {
    text.fault(raw, &format!("{what} has no field `{key}`; its fields: {known}"))
}
