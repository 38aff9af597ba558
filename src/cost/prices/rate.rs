//! The prices of one model, as integers.

/// The price of one unit: a token, or a web search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// Pico-dollars a unit, never 0.
    Pico(u64),
    /// Listed as 0. Lists write 0 for "not known" as readily as for "free", so it prices nothing.
    Zero,
    /// The user said that it costs nothing.
    Free,
}

impl Price {
    /// Pico-dollars a unit; `None` where the listing is no price.
    #[must_use]
    pub fn pico(self) -> Option<u64> {
        match self {
            Self::Pico(n) => Some(n),
            Self::Zero => None,
            Self::Free => Some(0),
        }
    }

    pub(super) fn listed(pico: u64) -> Self {
        if pico == 0 { Self::Zero } else { Self::Pico(pico) }
    }
}

/// The token classes that vendors bill apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Input that no cache served.
    Input,
    /// Input read from a cache.
    CacheRead,
    /// Input written to a cache for five minutes, or for a time that the vendor does not name.
    CacheWrite5m,
    /// Input written to a cache for an hour.
    CacheWrite1h,
    /// Output.
    Output,
    /// The reasoning part of the output, where it has a price of its own.
    Reasoning,
}

impl Class {
    /// Every class, in the order of [`Class`].
    pub const ALL: [Self; 6] = [Self::Input, Self::CacheRead, Self::CacheWrite5m, Self::CacheWrite1h, Self::Output, Self::Reasoning];

    /// Its name in a price file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::CacheRead => "cache_read",
            Self::CacheWrite5m => "cache_write_5m",
            Self::CacheWrite1h => "cache_write_1h",
            Self::Output => "output",
            Self::Reasoning => "reasoning",
        }
    }
}

/// A price for each class; `None` is "not listed". No class's price is ever derived from another's: the ratios differ
/// between models and change with new ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassPrices([Option<Price>; 6]);

impl ClassPrices {
    /// The price of a class.
    #[must_use]
    pub fn get(&self, class: Class) -> Option<Price> {
        self.0[class as usize]
    }

    pub(super) fn set(&mut self, class: Class, price: Option<Price>) {
        self.0[class as usize] = price;
    }

    /// These prices, and `fallback`'s where these list none.
    #[must_use]
    pub fn or(mut self, fallback: Self) -> Self {
        for (mine, other) in self.0.iter_mut().zip(fallback.0) {
            *mine = mine.or(other);
        }
        self
    }
}

/// Prices of requests whose input is long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier {
    /// The tier applies when a request's whole input, cache included, is more than this many tokens.
    pub above: u64,
    /// Its prices; a class that it does not list keeps the price below the tier.
    pub prices: ClassPrices,
}

/// All prices of a model. Look it up once a model, then price every call with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rate {
    pub(super) base: ClassPrices,
    /// By rising threshold.
    pub(super) tiers: Vec<Tier>,
    pub(super) web_search: Option<Price>,
}

/// The rate of a model that the user declared free.
pub(super) static FREE: Rate = Rate { base: ClassPrices([Some(Price::Free); 6]), tiers: Vec::new(), web_search: Some(Price::Free) };

impl Rate {
    /// Prices below every tier.
    #[must_use]
    pub fn base(&self) -> &ClassPrices {
        &self.base
    }

    /// Long-context tiers by rising threshold.
    #[must_use]
    pub fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    /// The price of one web search.
    #[must_use]
    pub fn web_search(&self) -> Option<Price> {
        self.web_search
    }

    /// The prices of a request with `context` input tokens, and the threshold of the tier that bills it.
    #[must_use]
    pub fn at(&self, context: u64) -> (ClassPrices, Option<u64>) {
        self.tiers.iter().take_while(|t| context > t.above).fold((self.base, None), |(below, _), t| (t.prices.or(below), Some(t.above)))
    }

    /// Adds prices to the tier with this threshold, which is made if there is none.
    pub(super) fn merge_tier(&mut self, tier: Tier) {
        match self.tiers.binary_search_by_key(&tier.above, |t| t.above) {
            Ok(i) => {
                if let Some(old) = self.tiers.get_mut(i) {
                    old.prices = tier.prices.or(old.prices);
                }
            }
            Err(i) => self.tiers.insert(i, tier),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(pico: u64) -> ClassPrices {
        let mut prices = ClassPrices::default();
        prices.set(Class::Input, Some(Price::listed(pico)));
        prices
    }

    #[test]
    fn names_and_order_of_the_classes_agree() {
        for (i, class) in Class::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, i);
        }
    }

    #[test]
    fn a_tier_begins_above_its_threshold_and_keeps_what_it_does_not_list() {
        let mut base = input(10);
        base.set(Class::Output, Some(Price::Pico(50)));
        let mut rate = Rate { base, ..Rate::default() };
        rate.merge_tier(Tier { above: 128_000, prices: input(30) });
        rate.merge_tier(Tier { above: 32_000, prices: input(20) });
        for (context, pico, tier) in [
            (0, 10, None),
            (32_000, 10, None),
            (32_001, 20, Some(32_000)),
            (128_000, 20, Some(32_000)),
            (128_001, 30, Some(128_000)),
            (u64::MAX, 30, Some(128_000)),
        ] {
            let (prices, applied) = rate.at(context);
            assert_eq!(
                (prices.get(Class::Input), prices.get(Class::Output), applied),
                (Some(Price::Pico(pico)), Some(Price::Pico(50)), tier),
                "{context}"
            );
        }
    }

    #[test]
    fn only_a_word_of_the_user_makes_a_zero_a_price() {
        assert_eq!([Price::listed(0).pico(), Price::Free.pico(), Price::listed(7).pico()], [None, Some(0), Some(7)]);
    }
}
