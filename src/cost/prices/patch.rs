//! What a price file says, before it is laid over the prices that are known.

use super::decimal::{Unit, pico};
use super::json::{Scalar, Text};
use super::rate::{Class, Price, Rate, Tier};
use super::{Model, PricesError, litellm, own};
use serde_json::value::RawValue;

/// A price file's content.
#[derive(Default)]
pub(super) struct Patch<'a> {
    pub(super) models: Vec<(String, ModelPatch)>,
    /// The user's name, the name that it stands for, and where the file says so.
    pub(super) aliases: Vec<(String, String, &'a RawValue)>,
    /// Names that cost nothing; `*` stands for any text.
    pub(super) free: Vec<String>,
    pub(super) head: Head,
}

/// Where a file's prices come from.
#[derive(Default)]
pub(super) struct Head {
    pub(super) date: String,
    pub(super) source: String,
    pub(super) license: String,
}

/// What a file says of one model. `None` leaves what is known; `Some(None)` says "not priced".
#[derive(Default)]
pub(super) struct ModelPatch {
    pub(super) prices: Vec<(Class, Option<Price>)>,
    pub(super) web_search: Option<Option<Price>>,
    pub(super) tiers: Option<Tiers>,
    pub(super) context_window: Option<Option<u64>>,
    pub(super) provider: Option<String>,
    /// Whether prices that the file leaves out are taken from the listing that the name matches.
    pub(super) inherits: bool,
}

/// Long-context tiers of a file.
pub(super) enum Tiers {
    /// These are all that there are.
    Replace(Vec<Tier>),
    /// These prices, and those that are known.
    Merge(Vec<Tier>),
}

/// Reads either form of price file.
pub(super) fn read(text: Text<'_>) -> Result<Patch<'_>, PricesError> {
    let members = text.members()?;
    match members.iter().find(|(key, _)| key == "schema") {
        Some((_, schema)) => own::read(text, &members, schema),
        None => litellm::read(text, &members),
    }
}

/// A price of either form; `null` is "not priced".
pub(super) fn price(text: Text<'_>, raw: &RawValue, what: &str, unit: Unit) -> Result<Option<Price>, PricesError> {
    match text.scalar(raw, what)? {
        Scalar::Null => Ok(None),
        Scalar::Text(t) => match pico(&t, unit) {
            Ok(n) => Ok(Some(Price::listed(n))),
            Err(reason) => Err(text.fault(raw, &format!("{what}: {reason}"))),
        },
    }
}

impl Head {
    /// The licence's first lines that say whose the list is, for a report's foot.
    pub(super) fn notice(&self) -> String {
        let lines: Vec<_> = self.license.lines().filter(|l| !l.is_empty()).take(2).collect();
        lines.join(", ")
    }
}

impl ModelPatch {
    pub(super) fn apply(&self, model: &mut Model) {
        let Rate { base, tiers, web_search } = &mut model.rate;
        for (class, price) in &self.prices {
            base.set(*class, *price);
        }
        if let Some(price) = self.web_search {
            *web_search = price;
        }
        let added = match &self.tiers {
            None => &[][..],
            Some(Tiers::Merge(new)) => new,
            Some(Tiers::Replace(new)) => {
                tiers.clear();
                new
            }
        };
        for tier in added {
            model.rate.merge_tier(*tier);
        }
        if let Some(window) = self.context_window {
            model.context_window = window;
        }
        if let Some(provider) = &self.provider {
            model.provider = Some(provider.as_str().into());
        }
        // A reasoning price that equals the output's says nothing, but would ask logs for a split that they need not have.
        if model.rate.base.get(Class::Reasoning) == model.rate.base.get(Class::Output) {
            model.rate.base.set(Class::Reasoning, None);
        }
    }
}
