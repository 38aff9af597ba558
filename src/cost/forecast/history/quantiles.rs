//! Quantiles of amounts, with how many runs they rest on.

use crate::trace::Money;

/// Amounts in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quantiles {
    /// How many.
    pub n: usize,
    /// The least.
    pub min: Option<Money>,
    /// The most.
    pub max: Option<Money>,
    sorted: Vec<Money>,
}

impl Quantiles {
    /// Of amounts in any order.
    #[must_use]
    pub fn of(mut amounts: Vec<Money>) -> Self {
        amounts.sort_unstable();
        Self { n: amounts.len(), min: amounts.first().copied(), max: amounts.last().copied(), sorted: amounts }
    }

    /// The least amount that at least `percent` of all do not exceed (nearest rank, so that it is one of them).
    #[must_use]
    pub fn at(&self, percent: usize) -> Option<Money> {
        let rank = (self.sorted.len() * percent.min(100)).div_ceil(100).max(1);
        self.sorted.get(rank - 1).copied()
    }

    /// How many runs a percentile wants: a tail is only as long as the runs that reach into it.
    #[must_use]
    pub fn wants(percent: usize) -> usize {
        match percent {
            0..=1 | 99.. => 100,
            2..=10 | 90..=98 => super::TAIL,
            _ => super::SPREAD,
        }
    }

    /// The share that does not exceed an amount.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn share_within(&self, amount: Money) -> Option<f64> {
        let within = self.sorted.partition_point(|m| *m <= amount);
        (self.n > 0).then(|| within as f64 / self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_ranks() {
        let q = Quantiles::of((1..=20).rev().map(Money::dollars).collect());
        assert_eq!([1, 10, 50, 90, 95, 100].map(|p| q.at(p)), [1, 2, 10, 18, 19, 20].map(|d| Some(Money::dollars(d))));
        assert_eq!((q.min, q.max, q.share_within(Money::dollars(5))), (Some(Money::dollars(1)), Some(Money::dollars(20)), Some(0.25)));
        let none = Quantiles::of(Vec::new());
        assert_eq!((none.at(50), none.share_within(Money::ZERO)), (None, None));
        assert_eq!([50, 25, 90, 10, 99].map(Quantiles::wants), [5, 5, 20, 20, 100]);
    }
}
