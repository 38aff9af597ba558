//! Laying a price file over known prices.

use super::json::Text;
use super::lookup::Rule;
use super::names::{Parts, dashed};
use super::patch::{self, Head, ModelPatch};
use super::{Model, Prices, PricesError, Rate};
use std::collections::HashSet;

/// What a row of a price file changes.
enum Target {
    /// The listing of that name and its other spellings.
    Listings(Vec<usize>),
    /// A row of its own. A prefix or a suffix more than a listing has names another offer of that model; such a row begins
    /// with the listing's prices.
    New(Option<Box<Model>>),
}

impl Prices {
    /// Takes over what a price file says.
    pub(super) fn lay(&mut self, shown: &str, text: &str) -> Result<Head, PricesError> {
        let text = Text { shown, json: text.strip_prefix('\u{feff}').unwrap_or(text) };
        let patch = patch::read(text)?;
        let named: HashSet<&str> = patch.models.iter().map(|(name, _)| name.as_str()).collect();
        // Rows look for their listing among the prices from before the file: its rows do not depend on their order.
        let targets: Vec<_> = patch.models.iter().map(|(name, row)| self.target(name, row, &named)).collect();
        for ((name, row), target) in patch.models.iter().zip(targets) {
            let rows = match target {
                Target::Listings(rows) => rows,
                Target::New(like) => vec![self.push(name, like.map(|b| *b))],
            };
            for i in rows {
                if let Some(model) = self.models.get_mut(i) {
                    row.apply(model);
                    model.overridden = true;
                }
            }
        }
        for (name, target, at) in patch.aliases {
            match self.listed(&target) {
                Ok((i, _)) => self.aliases.insert(name.into(), i),
                Err(miss) => return Err(text.fault(at, &format!("alias `{name}`: {miss}"))),
            };
        }
        self.free.extend(patch.free.into_iter().map(Into::into));
        Ok(patch.head)
    }

    /// What a file's row is about.
    fn target(&self, name: &str, row: &ModelPatch, named: &HashSet<&str>) -> Target {
        let found = match self.by_name.get(name) {
            Some(&i) => Some((i, Rule::Exact)),
            None if row.inherits => self.listed(name).ok(),
            None => None,
        };
        match found {
            Some((i, rule)) if !rule.stripped() => Target::Listings(self.spellings(i, named)),
            Some((i, _)) => Target::New(self.models.get(i).cloned().map(Box::new)),
            None => Target::New(None),
        }
    }

    /// A listing and the others that are the same model by another spelling, dated or undated: same provider, same prices.
    /// A log may hold any of them. Rows that the file names itself are its own affair.
    fn spellings(&self, of: usize, named: &HashSet<&str>) -> Vec<usize> {
        let Some(model) = self.models.get(of) else { return Vec::new() };
        let stem = |m: &Model| dashed(Parts::of(&m.name).stem());
        let own = stem(model);
        let same = |(i, other): &(usize, &Model)| {
            *i == of || !named.contains(&*other.name) && other.provider == model.provider && other.rate == model.rate && stem(other) == own
        };
        self.models.iter().enumerate().filter(same).map(|(i, _)| i).collect()
    }

    /// Adds a row, as a copy of `like` under another name or without any price.
    fn push(&mut self, name: &str, like: Option<Model>) -> usize {
        let i = self.models.len();
        let empty = || Model { name: "".into(), provider: None, context_window: None, rate: Rate::default(), overridden: false };
        self.models.push(Model { name: name.into(), ..like.unwrap_or_else(empty) });
        self.by_name.insert(name.into(), i);
        let parts = Parts::of(name);
        // A cloud's or a stranger's row prices its own offer: only its full name may lead to it.
        if !parts.gateway && !parts.bare.contains('/') {
            self.by_bare.entry(dashed(parts.bare).into()).or_default().push(i);
        }
        i
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::prices::{Class, Price};

    fn over(json: &str) -> Result<Prices, PricesError> {
        Prices::embedded().clone().overlay("my.json", json)
    }

    fn own(json: &str) -> Prices {
        over(&format!(r#"{{"schema":"loopmortem/prices",{json}}}"#)).unwrap()
    }

    /// Pico-dollars a token of a model's classes; `None` is no price.
    fn pico(prices: &Prices, name: &str) -> [Option<u64>; 6] {
        let rate = prices.find(name).unwrap().rate;
        Class::ALL.map(|class| rate.base().get(class).and_then(Price::pico))
    }

    #[test]
    fn a_row_changes_the_fields_that_it_has() {
        let prices = own(r#""models": {"claude-sonnet-4-5": {"input": "2.50", "cache_write_1h": null, "context_window": 1000000}}"#);
        // Snapshot: 3.00, 0.30, 3.75, 6.00, 15.00 dollars a million.
        let expected = [Some(2_500_000), Some(300_000), Some(3_750_000), None, Some(15_000_000), None];
        assert_eq!(pico(&prices, "claude-sonnet-4-5"), expected);
        assert_eq!(prices.find("claude-sonnet-4-5").unwrap().context_window, Some(1_000_000));
        // The dated spelling is the same model, and the one that logs have.
        assert_eq!(pico(&prices, "claude-sonnet-4-5-20250929"), expected);
        assert_eq!(pico(&prices, "claude-sonnet-4-6")[0], Some(3_000_000));
        let changed: Vec<_> = prices.models().iter().filter(|m| m.overridden).map(|m| &*m.name).collect();
        assert_eq!(changed, ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"]);
        let file = &prices.overlaid()[0];
        assert_eq!((file.path.as_str(), file.sha256.len(), prices.snapshot()), ("my.json", 64, Prices::embedded().snapshot()));
    }

    #[test]
    fn other_dates_at_other_prices_are_other_models() {
        let prices = own(r#""models": {"gpt-4o": {"input": "1"}}"#);
        // gpt-4o is 2.50 in the snapshot, the dated one of May 2024 5.00.
        assert_eq!((pico(&prices, "gpt-4o")[0], pico(&prices, "gpt-4o-2024-05-13")[0]), (Some(1_000_000), Some(5_000_000)));
        let both = own(r#""models": {"o3": {"input": "1"}, "o3-2025-04-16": {"input": "7"}}"#);
        assert_eq!((pico(&both, "o3")[0], pico(&both, "o3-2025-04-16")[0]), (Some(1_000_000), Some(7_000_000)));
    }

    #[test]
    fn a_longer_name_is_a_new_row_that_begins_as_the_listing() {
        let prices = own(r#""models": {"azure/gpt-4.1": {"input": "1"}, "gemini-2.5-pro": {"input": "1"}, "house": {"output": "4"}}"#);
        // gpt-4.1: 2.00, cached 0.50, output 8.00.
        assert_eq!(pico(&prices, "azure/gpt-4.1"), [Some(1_000_000), Some(500_000), None, None, Some(8_000_000), None]);
        assert_eq!(pico(&prices, "gpt-4.1")[0], Some(2_000_000));
        // A name without the listing's prefix is the listing.
        assert_eq!(pico(&prices, "gemini/gemini-2.5-pro")[0], Some(1_000_000));
        assert_eq!(pico(&prices, "house"), [None, None, None, None, Some(4_000_000), None]);
    }

    #[test]
    fn tiers_of_the_own_form_replace() {
        let tiers = |json: &str| own(json).find("claude-haiku-5-5").unwrap().rate.tiers().iter().map(|t| t.above).collect::<Vec<_>>();
        assert_eq!(tiers(r#""models": {"claude-haiku-5-5": {"input": 1}}"#), [100_000]);
        assert_eq!(tiers(r#""models": {"claude-haiku-5-5": {"tiers": []}}"#), [0u64; 0]);
        assert_eq!(
            tiers(r#""models": {"claude-haiku-5-5": {"tiers": [{"above": 5e5, "input": 2}, {"above": 32000, "input": 1}]}}"#),
            [32_000, 500_000]
        );
    }

    #[test]
    fn units() {
        let prices = own(r#""unit": "per_token", "models": {"a": {"input": 3e-6}, "b": {"input": "3.00", "unit": "per_million"},
               "c": {"cache_write_5m": "free", "input": 0, "web_search": "0.01"}}"#);
        assert_eq!((pico(&prices, "a")[0], pico(&prices, "b")[0]), (Some(3_000_000), Some(3_000_000)));
        assert_eq!((pico(&prices, "c")[0], pico(&prices, "c")[2]), (None, Some(0)));
        assert_eq!(prices.find("c").unwrap().rate.web_search().unwrap().pico(), Some(10_000_000_000));
    }

    #[test]
    fn litellms_list_is_taken_as_it_is() {
        let prices = over(
            r#"{
              "sample_spec": {"input_cost_per_token": 0.0, "max_input_tokens": "max input tokens, if known", "mode": "one of: chat"},
              "claude-haiku-5-5": {"input_cost_per_token": 2e-7, "input_cost_per_token_above_100k_tokens": 6e-7, "input_cost_per_token_batches": 1e-7},
              "house/tiered": {"litellm_provider": "house", "max_input_tokens": 1000000, "mode": "chat", "tiered_pricing": [
                {"range": [0, 32000.0], "input_cost_per_token": 1e-6, "output_cost_per_token": 5e-6},
                {"range": [32000.0, 128000.0], "input_cost_per_token": 2e-6, "output_cost_per_token": 9e-6}]},
              "house/plain": {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6, "cache_creation_input_token_cost": 1.25e-6,
                "cache_creation_input_token_cost_above_1hr": 2e-6, "input_cost_per_token_cache_hit": 1e-7, "output_cost_per_reasoning_token": 2e-6,
                "search_context_cost_per_query": {"search_context_size_low": 0.01, "search_context_size_medium": 0.01, "search_context_size_high": 0.01}},
              "house/sizes": {"input_cost_per_token": 1e-6, "search_context_cost_per_query": {"search_context_size_low": 0.01, "search_context_size_high": 0.02}},
              "house/draw": {"mode": "image_generation", "output_cost_per_image": 0.04}
            }"#,
        )
        .unwrap();
        let haiku = prices.find("claude-haiku-5-5").unwrap().rate;
        let input = |context| haiku.at(context).0.get(Class::Input);
        assert_eq!([input(100_000), input(100_001)], [Some(Price::Pico(200_000)), Some(Price::Pico(600_000))]);
        // What the file leaves out stays: output above 100k is 2.50 a million in the snapshot.
        assert_eq!(haiku.at(100_001).0.get(Class::Output), Some(Price::Pico(2_500_000)));
        let tiered = prices.find("house/tiered").unwrap();
        assert_eq!((tiered.context_window, tiered.provider), (Some(1_000_000), Some("house")));
        let (above, tier) = tiered.rate.at(32_001);
        assert_eq!((above.get(Class::Output), tier), (Some(Price::Pico(9_000_000)), Some(32_000)));
        assert_eq!(tiered.rate.at(32_000).0.get(Class::Output), Some(Price::Pico(5_000_000)));
        assert_eq!(pico(&prices, "house/plain"), [Some(1_000_000), Some(100_000), Some(1_250_000), Some(2_000_000), Some(2_000_000), None]);
        let search = |name| prices.find(name).unwrap().rate.web_search();
        assert_eq!((search("house/plain"), search("house/sizes")), (Some(Price::Pico(10_000_000_000)), None));
        assert!(prices.find("house/draw").is_err() && prices.find("sample_spec").is_err() && prices.find("plain").is_err());
    }

    #[test]
    fn a_fault_names_the_place_and_the_model() {
        for (json, message) in [
            ("", "my.json:1:0: not valid JSON: EOF while parsing a value"),
            ("{\"schema\": 1}", "my.json:1:12: `schema` must be a string"),
            (
                r#"{"schema": "loopmortem/triage"}"#,
                "my.json:1:12: `schema` is \"loopmortem/triage\"; a price file's is \"loopmortem/prices\" (LiteLLM's list has none)",
            ),
            (
                "{\"schema\": \"loopmortem/prices\",\n \"models\": {\n  \"m\": {\"input\": \"cheap\"}}}",
                "my.json:3:18: model `m`: `input`: not a price; dollars as a decimal are expected, such as \"3.00\"",
            ),
            (
                r#"{"schema": "loopmortem/prices", "models": {"m": {"input": -1}}}"#,
                "my.json:1:59: model `m`: `input`: a price cannot be negative",
            ),
            (
                r#"{"schema": "loopmortem/prices", "models": {"m": {"inputs": 1}}}"#,
                "my.json:1:60: model `m` has no field `inputs`; its fields: input, cache_read, cache_write_5m, cache_write_1h, output, reasoning, \
                 web_search, tiers, context_window, provider, unit",
            ),
            (
                r#"{"schema": "loopmortem/prices", "models": {"m": {"tiers": [{"input": 1}]}}}"#,
                "my.json:1:60: a tier of model `m`: `tiers` needs `above`, its threshold in tokens",
            ),
            (
                r#"{"schema": "loopmortem/prices", "aliases": {"mine": "claude-sonnet-9"}}"#,
                "my.json:1:53: alias `mine`: no list has a price for `claude-sonnet-9`; give one or an alias with --prices",
            ),
            (r#"{"claude-x": {"input_cost_per_token": true}}"#, "my.json:1:39: model `claude-x`: `input_cost_per_token` must be a number"),
            (r#"{"claude-x": 3}"#, "my.json:1:14: model `claude-x` must be an object"),
            (
                r#"{"models": {"m": {"input": 1}}}"#,
                "my.json:1:12: no prices found; the file is neither LiteLLM's list nor has `\"schema\": \"loopmortem/prices\"` on top",
            ),
        ] {
            assert_eq!(over(json).unwrap_err().to_string(), message, "{json}");
        }
        assert!(over("\u{feff}{}").is_ok());
    }
}
