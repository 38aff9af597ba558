//! LiteLLM's price list as it is published: an object of models, prices in dollars a token.
//!
//! Read are the plain prices and their long-context tiers, both as flat keys (`input_cost_per_token_above_200k_tokens`)
//! and as `tiered_pricing` ranges. Batch, flex, priority and off-peak prices are not: a log does not say which was used.

use super::PricesError;
use super::decimal::{Unit, whole};
use super::json::{Members, Scalar, Text};
use super::patch::{ModelPatch, Patch, Tiers, price};
use super::rate::{Class, ClassPrices, Price, Rate, Tier};
use serde_json::value::RawValue;

/// Keys of the classes; of two keys for one class the first counts.
const KEYS: [(&str, Class); 7] = [
    ("input_cost_per_token", Class::Input),
    ("output_cost_per_token", Class::Output),
    ("output_cost_per_reasoning_token", Class::Reasoning),
    ("cache_read_input_token_cost", Class::CacheRead),
    ("input_cost_per_token_cache_hit", Class::CacheRead),
    ("cache_creation_input_token_cost", Class::CacheWrite5m),
    ("cache_creation_input_token_cost_above_1hr", Class::CacheWrite1h),
];

/// A row that explains the fields and is no model.
const EXPLANATION: &str = "sample_spec";

/// Reads the list. Rows without a price a token (images, speech) are passed over.
pub(super) fn read<'a>(text: Text<'a>, members: &Members<'a>) -> Result<Patch<'a>, PricesError> {
    let mut patch = Patch::default();
    for (name, raw) in members.iter().filter(|(name, _)| name != EXPLANATION) {
        let row = model(text, name, raw)?;
        if !row.prices.is_empty() || row.tiers.is_some() {
            patch.models.push((name.clone(), row));
        }
    }
    match members.first() {
        Some((_, raw)) if patch.models.is_empty() => {
            Err(text.fault(raw, "no prices found; the file is neither LiteLLM's list nor has `\"schema\": \"loopmortem/prices\"` on top"))
        }
        _ => Ok(patch),
    }
}

fn model<'a>(text: Text<'a>, name: &str, raw: &'a RawValue) -> Result<ModelPatch, PricesError> {
    let what = format!("model `{name}`");
    let members = text.object(raw, &what)?;
    let (base, tiers) = flat(text, &members, &what)?;
    let mut rate = Rate { base, ..Rate::default() };
    for tier in tiers {
        rate.merge_tier(tier);
    }
    let mut patch = ModelPatch::default();
    for (key, raw) in &members {
        match key.as_str() {
            "tiered_pricing" => ranges(text, raw, &what, &mut rate)?,
            "litellm_provider" => patch.provider = serde_json::from_str(raw.get()).ok(),
            "max_input_tokens" => patch.context_window = whole(raw.get()).map(Some),
            "search_context_cost_per_query" => patch.web_search = search(text, raw, &what)?.map(Some),
            _ => {}
        }
    }
    patch.prices = Class::ALL.into_iter().filter_map(|c| rate.base.get(c).map(|p| (c, Some(p)))).collect();
    if !rate.tiers.is_empty() {
        patch.tiers = Some(Tiers::Merge(rate.tiers));
    }
    Ok(patch)
}

/// Prices under flat keys: those without a threshold, and those above one.
fn flat(text: Text<'_>, members: &Members<'_>, what: &str) -> Result<(ClassPrices, Vec<Tier>), PricesError> {
    let (mut base, mut tiers) = (ClassPrices::default(), Vec::new());
    for (key, class) in KEYS {
        for (member, raw) in members {
            let Some(rest) = member.strip_prefix(key) else { continue };
            let above = threshold(rest);
            if !rest.is_empty() && above.is_none() {
                continue;
            }
            let Some(price) = price(text, raw, &format!("{what}: `{member}`"), Unit::Token)? else { continue };
            let mut prices = ClassPrices::default();
            prices.set(class, Some(price));
            match above {
                None => base = base.or(prices),
                Some(above) => tiers.push(Tier { above, prices }),
            }
        }
    }
    Ok((base, tiers))
}

/// The threshold of `_above_200k_tokens` or `_above_200000_tokens`.
fn threshold(rest: &str) -> Option<u64> {
    let number = rest.strip_prefix("_above_")?.strip_suffix("_tokens")?;
    match number.strip_suffix('k') {
        Some(thousands) => thousands.parse::<u64>().ok()?.checked_mul(1000),
        None => number.parse().ok(),
    }
}

/// `tiered_pricing`: the range from 0 holds the plain prices, another's lower end is its threshold. Flat keys win.
fn ranges<'a>(text: Text<'a>, raw: &'a RawValue, what: &str, rate: &mut Rate) -> Result<(), PricesError> {
    let what = format!("{what}: `tiered_pricing`");
    for raw in text.list(raw, &what)? {
        let members = text.object(raw, &format!("{what}'s range"))?;
        let Some((_, range)) = members.iter().find(|(key, _)| key == "range") else { continue };
        let from = text.list(range, &format!("{what}: `range`"))?.first().and_then(|low| whole(low.get()));
        let Some(from) = from else { return Err(text.fault(range, &format!("{what}: `range` must begin with a number of tokens"))) };
        let (prices, _) = flat(text, &members, &what)?;
        if from == 0 {
            rate.base = rate.base.or(prices);
        } else {
            let known = rate.tiers.iter().find(|t| t.above == from).map_or_else(ClassPrices::default, |t| t.prices);
            rate.merge_tier(Tier { above: from, prices: known.or(prices) });
        }
    }
    Ok(())
}

/// The price of a search: a number, or one for each of three sizes. A log does not name the size, so sizes that differ
/// give no price.
fn search(text: Text<'_>, raw: &RawValue, what: &str) -> Result<Option<Price>, PricesError> {
    let what = format!("{what}: `search_context_cost_per_query`");
    if !raw.get().starts_with('{') {
        return price(text, raw, &what, Unit::Search);
    }
    let mut one = None;
    for (_, raw) in text.object(raw, &what)? {
        if let Scalar::Null = text.scalar(raw, &what)? {
            continue;
        }
        let next = price(text, raw, &what, Unit::Search)?;
        if one.is_some() && one != next {
            return Ok(None);
        }
        one = next;
    }
    Ok(one)
}
