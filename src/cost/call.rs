//! The cost of one model call.

use super::prices::{Class, ClassPrices, Price, Prices, Rate};
use crate::trace::{Money, Tokens};

/// What one call cost, and what of it has no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallCost {
    /// The priced part. `None`: nothing of the call could be priced, which is not the same as free.
    pub money: Option<Money>,
    /// Tokens without a price: the model is not listed, or lists none (or 0) for their class.
    pub unpriced_tokens: u64,
    /// Web searches without a price.
    pub unpriced_searches: u32,
    /// The log does not say how much went in or came out, so that the cost is a part of the true one at most.
    pub incomplete: bool,
    /// The long-context tier that billed the whole request: its threshold in input tokens.
    pub tier: Option<u64>,
}

/// Prices one call of a model by its name in the log. For many calls, look the name up once ([`Prices::find`]) and use
/// [`price_call`].
#[must_use]
pub fn cost_of_call(model: Option<&str>, tokens: &Tokens, web_searches: u32, prices: &Prices) -> CallCost {
    let found = model.and_then(|name| prices.find(name).ok());
    price_call(found.map(|m| m.rate), tokens, web_searches)
}

/// Prices one call. Each class of tokens has its own price; a request whose input, cache included, is longer than a
/// tier's threshold is billed by that tier from the first token on. Cache writes of unknown kind are five-minute writes.
#[must_use]
pub fn price_call(rate: Option<&Rate>, tokens: &Tokens, web_searches: u32) -> CallCost {
    let (prices, tier) = rate.map_or_else(Default::default, |r| r.at(tokens.context().unwrap_or(0)));
    let mut bill = Bill::default();
    for (class, count) in [
        (Class::Input, tokens.input_uncached),
        (Class::CacheRead, tokens.cache_read),
        (Class::CacheWrite5m, tokens.cache_write_5m),
        (Class::CacheWrite1h, tokens.cache_write_1h),
    ] {
        bill.unpriced_tokens = bill.unpriced_tokens.saturating_add(bill.add(count.unwrap_or(0), prices.get(class)));
    }
    let split = bill.output(&prices, tokens);
    let unpriced_searches = bill.add(u64::from(web_searches), rate.and_then(Rate::web_search));
    let free = |class| prices.get(class) == Some(Price::Free);
    let unsaid = |count: Option<u64>, class| count.is_none() && !free(class);
    let incomplete = unsaid(tokens.input_uncached, Class::Input) || unsaid(tokens.output, Class::Output) || !split;
    let whole = bill.unpriced_tokens == 0 && unpriced_searches == 0 && !incomplete;
    CallCost {
        money: (bill.priced || whole).then_some(Money(bill.pico)),
        unpriced_tokens: bill.unpriced_tokens,
        unpriced_searches: u32::try_from(unpriced_searches).unwrap_or(u32::MAX),
        incomplete,
        tier,
    }
}

#[derive(Default)]
struct Bill {
    pico: i128,
    priced: bool,
    unpriced_tokens: u64,
}

impl Bill {
    /// Bills `count` units; gives back how many of them have no price.
    fn add(&mut self, count: u64, price: Option<Price>) -> u64 {
        match price.and_then(Price::pico) {
            _ if count == 0 => 0,
            None => count,
            Some(pico) => {
                // Below 2^64 times 2^40: no overflow, and six of them fit as well.
                self.pico += i128::from(count) * i128::from(pico);
                self.priced = true;
                0
            }
        }
    }

    /// Bills the output. `false` where its reasoning part has a price of its own and the log does not say how much it
    /// is: then all of it is billed by the lower price, and the sum is a part of the cost at most.
    fn output(&mut self, prices: &ClassPrices, tokens: &Tokens) -> bool {
        let output = tokens.output.unwrap_or(0);
        let price = prices.get(Class::Output);
        let (parts, split) = match (prices.get(Class::Reasoning), tokens.reasoning) {
            (None, _) => ([(output, price), (0, None)], true),
            (Some(apart), Some(reasoning)) => {
                let reasoning = reasoning.min(output);
                ([(output - reasoning, price), (reasoning, Some(apart))], true)
            }
            (Some(apart), None) => {
                let lower = [price, Some(apart)].into_iter().flatten().min_by_key(|p| p.pico().unwrap_or(u64::MAX));
                ([(output, lower), (0, None)], output == 0 || price == Some(apart))
            }
        };
        for (count, price) in parts {
            self.unpriced_tokens = self.unpriced_tokens.saturating_add(self.add(count, price));
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(input: u64, cache_read: u64, write_5m: u64, write_1h: u64, output: u64) -> Tokens {
        Tokens {
            input_uncached: Some(input),
            cache_read: Some(cache_read),
            cache_write_5m: Some(write_5m),
            cache_write_1h: Some(write_1h),
            output: Some(output),
            reasoning: None,
        }
    }

    fn cost(model: &str, tokens: &Tokens) -> CallCost {
        cost_of_call(Some(model), tokens, 0, Prices::embedded())
    }

    fn usd(model: &str, tokens: &Tokens) -> String {
        let cost = cost(model, tokens);
        assert_eq!((cost.unpriced_tokens, cost.incomplete), (0, false), "{model}");
        cost.money.map_or_else(|| "none".to_owned(), Money::exact)
    }

    fn own(models: &str) -> Prices {
        Prices::default().overlay("p.json", &format!(r#"{{"schema":"loopmortem/prices","models":{models}}}"#)).unwrap()
    }

    #[test]
    fn each_class_has_its_price() {
        let of = |n: [u64; 5]| usd("claude-sonnet-4-5", &tokens(n[0], n[1], n[2], n[3], n[4]));
        assert_eq!(of([1_000_000, 0, 0, 0, 0]), "3");
        assert_eq!(of([0, 1_000_000, 0, 0, 0]), "0.3");
        assert_eq!(of([0, 0, 1_000_000, 0, 0]), "3.75");
        assert_eq!(of([0, 0, 0, 1_000_000, 0]), "6");
        assert_eq!(of([0, 0, 0, 0, 1_000_000]), "15");
        assert_eq!(of([1, 1, 1, 1, 1]), "0.00002805");
    }

    /// Token sums of runs, worked out by the closed forms of growing and of fresh sessions: uncached input, cache read,
    /// cache write, output; then their price without and with a warm cache. Sonnet is 3 / 0.30 / 3.75 / 15 dollars a
    /// million, Opus 5 / 0.50 / 6.25 / 25.
    #[test]
    fn runs_of_the_closed_forms() {
        const SONNET: &[&str] = &["claude-sonnet-4-5", "anthropic/claude-sonnet-4.5"];
        const OPUS: &[&str] = &["claude-opus-4-5", "claude-opus-4-6", "claude-opus-4-7", "claude-opus-4-8"];
        for (models, input, read, write, output, plain, cached) in [
            // S 5000, a 2000, o 500, T 10: read 9*5000 + 2000*9*8/2, write 5000 + 2000*9.
            (SONNET, 140_000, 117_000, 23_000, 5_000, "0.495", "0.19635"),
            (OPUS, 140_000, 117_000, 23_000, 5_000, "0.825", "0.32725"),
            // S 18000, a 1500, o 400, T 60.
            (SONNET, 3_735_000, 3_628_500, 106_500, 24_000, "11.565", "1.847925"),
            (OPUS, 3_735_000, 3_628_500, 106_500, 24_000, "19.275", "3.079875"),
            // S 30000, a 2000, o 500, T 120.
            (SONNET, 17_880_000, 17_612_000, 268_000, 60_000, "54.54", "7.1886"),
            (OPUS, 17_880_000, 17_612_000, 268_000, 60_000, "90.9", "11.981"),
            // S 0, a 250, o 100, T 400.
            (SONNET, 19_950_000, 19_850_250, 99_750, 40_000, "60.45", "6.9291375"),
            (OPUS, 19_950_000, 19_850_250, 99_750, 40_000, "100.75", "11.5485625"),
            // Fresh sessions.
            (SONNET, 50_000, 45_000, 5_000, 5_000, "0.225", "0.10725"),
            (SONNET, 12_160_000, 11_385_000, 775_000, 160_000, "38.88", "8.72175"),
            (OPUS, 24_320_000, 22_785_000, 1_535_000, 320_000, "129.6", "28.98625"),
            (OPUS, 3_038_826, 2_930_773, 108_053, 12_600, "15.50913", "2.45571775"),
        ] {
            for model in models {
                assert_eq!(usd(model, &tokens(input, 0, 0, 0, output)), plain, "{model} {input}");
                let by_call = usd(model, &tokens(0, read, write, 0, output));
                assert_eq!(by_call, cached, "{model} {input}");
            }
        }
    }

    #[test]
    fn a_tier_bills_the_whole_request() {
        // 0.10 a million up to 100k tokens, 0.50 above.
        let long = cost("claude-haiku-5-5", &tokens(150_000, 0, 0, 0, 0));
        assert_eq!((long.money, long.tier), ("0.075".parse().ok(), Some(100_000)));
        let at = cost("claude-haiku-5-5", &tokens(100_000, 0, 0, 0, 0));
        assert_eq!((at.money, at.tier), ("0.01".parse().ok(), None));
        // The cache counts towards the threshold: 1 * 0.50 + 60000 * 0.05 + 30000 * 0.625 + 10000 * 1.00 + 1000 * 2.50.
        let cached = cost("claude-haiku-5-5", &tokens(1, 60_000, 30_000, 10_000, 1_000));
        assert_eq!((cached.money, cached.tier), ("0.0342505".parse().ok(), Some(100_000)));
        // Output does not count: 0.10 * 0.1 + 0.50 * 200000.
        assert_eq!(usd("claude-haiku-5-5", &tokens(100_000, 0, 0, 0, 200_000)), "0.11");
        // Other thresholds: 200k and 272k.
        assert_eq!(usd("xai/grok-4.5", &tokens(200_000, 0, 0, 0, 0)), "0.4");
        assert_eq!(usd("xai/grok-4.5", &tokens(200_001, 0, 0, 0, 0)), "0.800004");
        assert_eq!(usd("gpt-5.6", &tokens(272_000, 0, 0, 0, 100)), "1.09");
        assert_eq!(usd("gpt-5.6", &tokens(272_001, 0, 0, 0, 100)), "2.179008");
    }

    #[test]
    fn what_has_no_price_is_counted() {
        // No cache write price is listed for GPT-5.2 Codex, none of an hour for GPT-5.6.
        let codex = cost("gpt-5.2-codex", &tokens(1_000_000, 0, 300, 20, 0));
        assert_eq!((codex.money, codex.unpriced_tokens), ("1.75".parse().ok(), 320));
        let hour = cost("gpt-5.6", &tokens(0, 0, 0, 7, 0));
        assert_eq!((hour.money, hour.unpriced_tokens), (None, 7));
        assert_eq!(usd("gpt-5.2-codex", &tokens(1_000_000, 0, 0, 0, 0)), "1.75");
        for model in [Some("claude-sonnet-9"), Some("gpt-5-foo"), None, Some("zai/glm-4.7-flash")] {
            let unknown = cost_of_call(model, &tokens(100, 10, 0, 0, 5), 0, Prices::embedded());
            assert_eq!((unknown.money, unknown.unpriced_tokens, unknown.incomplete), (None, 115, false), "{model:?}");
            let nothing = cost_of_call(model, &tokens(0, 0, 0, 0, 0), 0, Prices::embedded());
            assert_eq!(nothing, CallCost { money: Some(Money::ZERO), ..CallCost::default() }, "{model:?}");
        }
    }

    #[test]
    fn what_the_log_does_not_say_is_not_zero() {
        let silent = cost("claude-sonnet-4-5", &Tokens::default());
        assert_eq!((silent.money, silent.incomplete), (None, true));
        let half = cost("claude-sonnet-4-5", &Tokens { input_uncached: Some(1_000_000), ..Tokens::default() });
        assert_eq!((half.money, half.incomplete), ("3".parse().ok(), true));
        let plain = cost("claude-sonnet-4-5", &Tokens { input_uncached: Some(1), output: Some(1), ..Tokens::default() });
        assert_eq!((plain.money, plain.incomplete), ("0.000018".parse().ok(), false));
    }

    #[test]
    fn free_is_a_known_zero() {
        let prices = Prices::embedded()
            .clone()
            .overlay("p.json", r#"{"schema":"loopmortem/prices","free":["local-*","zai/glm-4.7-flash"]}"#)
            .unwrap();
        for model in ["local-llama", "glm-4.7-flash"] {
            for tokens in [tokens(100, 10, 1, 1, 5), Tokens::default()] {
                let free = cost_of_call(Some(model), &tokens, 3, &prices);
                assert_eq!(free, CallCost { money: Some(Money::ZERO), ..CallCost::default() }, "{model}");
            }
        }
    }

    #[test]
    fn reasoning_is_inside_output_and_rarely_priced_apart() {
        let with = |reasoning| Tokens { reasoning, ..tokens(0, 0, 0, 0, 1_000_000) };
        assert_eq!(usd("claude-sonnet-4-5", &with(Some(400_000))), "15");
        // 1.20 a million, 4.00 where it is reasoning.
        let qwen = "dashscope/qwen-plus-2025-04-28";
        assert_eq!(usd(qwen, &with(Some(400_000))), "2.32");
        assert_eq!(usd(qwen, &with(Some(2_000_000))), "4");
        let unsplit = cost(qwen, &with(None));
        assert_eq!((unsplit.money, unsplit.incomplete), ("1.2".parse().ok(), true));
    }

    #[test]
    fn searches_are_priced_apiece() {
        let prices = own(r#"{"m": {"input": 1, "output": 1, "web_search": "0.01"}}"#);
        let searched = cost_of_call(Some("m"), &tokens(0, 0, 0, 0, 0), 3, &prices);
        assert_eq!((searched.money, searched.unpriced_searches), ("0.03".parse().ok(), 0));
        let unpriced = cost_of_call(Some("claude-sonnet-4-5"), &tokens(1_000_000, 0, 0, 0, 0), 2, Prices::embedded());
        assert_eq!((unpriced.money, unpriced.unpriced_searches), ("3".parse().ok(), 2));
    }

    proptest! {
        #[test]
        fn calls_below_a_tier_add_up(a in prop::array::uniform5(0u64..30_000), b in prop::array::uniform5(0u64..20_000)) {
            let of = |n: [u64; 5]| cost("claude-opus-5-5", &tokens(n[0], n[1], n[2], n[3], n[4])).money.unwrap();
            let both = std::array::from_fn(|i| a[i] + b[i]);
            prop_assert_eq!(of(a) + of(b), of(both));
        }

        #[test]
        fn no_count_overflows(n in any::<[u64; 5]>(), reasoning in any::<Option<u64>>(), searches in any::<u32>()) {
            for model in Prices::embedded().models() {
                let cost = cost_of_call(Some(&model.name), &Tokens { reasoning, ..tokens(n[0], n[1], n[2], n[3], n[4]) }, searches, Prices::embedded());
                prop_assert!(cost.money.is_none_or(|m| m >= Money::ZERO));
            }
        }
    }
}
