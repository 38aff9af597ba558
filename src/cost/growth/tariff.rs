//! The prices that a forecast bills with: one row for each band of context.

use crate::cost::prices::{Class, ClassPrices, Price, Rate};

/// How long a cache write lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheClass {
    /// Five minutes, refreshed by use.
    FiveMinutes,
    /// An hour.
    Hour,
}

impl CacheClass {
    /// Its name in flags and JSON.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::FiveMinutes => "5m",
            Self::Hour => "1h",
        }
    }
}

/// Prices of requests up to a context, in pico-dollars a token; `None` is no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Band {
    /// The tier's threshold; `None` below all tiers.
    pub(super) above: Option<u64>,
    /// The largest context that is billed so.
    pub(super) up_to: u64,
    pub(super) input: Option<u64>,
    pub(super) read: Option<u64>,
    pub(super) write: Option<u64>,
    pub(super) output: Option<u64>,
}

/// The prices of one model for a cache class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tariff {
    pub(super) bands: Vec<Band>,
    /// The vendor lists no price for five-minute cache writes: written tokens are billed as input.
    pub writes_as_input: bool,
    /// Reasoning has a price of its own: all output is billed by the dearer of the two.
    pub dearer_output: bool,
}

impl Tariff {
    /// The prices of a model; without one nothing has a price.
    #[must_use]
    pub fn new(rate: Option<&Rate>, class: CacheClass) -> Self {
        let mut tariff = Self { bands: Vec::new(), writes_as_input: false, dearer_output: false };
        let mut above = None;
        let thresholds = rate.map_or(&[][..], Rate::tiers).iter().map(|t| t.above).chain([u64::MAX]);
        for up_to in thresholds {
            let prices = rate.map_or_else(ClassPrices::default, |r| r.at(above.map_or(0, |a: u64| a.saturating_add(1))).0);
            let band = tariff.band(&prices, class, above, up_to);
            tariff.bands.push(band);
            above = Some(up_to);
        }
        tariff
    }

    fn band(&mut self, prices: &ClassPrices, class: CacheClass, above: Option<u64>, up_to: u64) -> Band {
        let pico = |class| prices.get(class).and_then(Price::pico);
        let write = match class {
            CacheClass::Hour => pico(Class::CacheWrite1h),
            // Some vendors cache by themselves and bill what is not yet cached as any other input.
            CacheClass::FiveMinutes if prices.get(Class::CacheWrite5m).is_none() && pico(Class::CacheRead).is_some() => {
                self.writes_as_input = true;
                pico(Class::Input)
            }
            CacheClass::FiveMinutes => pico(Class::CacheWrite5m),
        };
        let output = match (pico(Class::Output), pico(Class::Reasoning)) {
            (Some(output), Some(reasoning)) => {
                self.dearer_output |= reasoning != output;
                Some(output.max(reasoning))
            }
            (output, _) => output,
        };
        Band { above, up_to, input: pico(Class::Input), read: pico(Class::CacheRead), write, output }
    }

    /// The price of output below all tiers, in pico-dollars a token.
    #[must_use]
    pub fn output(&self) -> Option<u64> {
        self.bands.first().and_then(|b| b.output)
    }

    /// The price of plain input below all tiers, in pico-dollars a token.
    #[must_use]
    pub fn input(&self) -> Option<u64> {
        self.bands.first().and_then(|b| b.input)
    }
}
