//! What is planned.

use super::manual::Manual;
use crate::cost::growth::{CacheClass, Caching, Regime, Shape};
use crate::trace::Money;

/// A planned launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its calls and tokens.
    pub shape: Shape,
    /// T: iterations.
    pub iterations: u64,
    /// The loop's own cap; `None`: the iterations.
    pub max_iter: Option<u64>,
    /// The model, as the user names it.
    pub model: String,
    /// How long cache writes live.
    pub class: CacheClass,
    /// The regime that is planned; `None`: not decided.
    pub regime: Option<Regime>,
    /// What the cache is expected to do; `None`: anything.
    pub caching: Option<Caching>,
    /// What it may cost.
    pub budget: Option<Money>,
    /// What a manual run costs.
    pub baseline: Option<Manual>,
}

impl Plan {
    /// The iterations that the loop's cap allows.
    #[must_use]
    pub fn cap(&self) -> u64 {
        self.max_iter.unwrap_or(self.iterations)
    }

    /// Whether a case is one of those that are planned.
    #[must_use]
    pub fn holds(&self, regime: Regime, caching: Caching) -> bool {
        self.regime.is_none_or(|r| r == regime) && self.caching.is_none_or(|c| c == caching)
    }
}
