//! Sums of costs that do not lose sight of what had no price.

use super::CallCost;
use crate::trace::Money;
use std::collections::BTreeSet;
use std::fmt;

/// A cost, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// All of it.
    Known(Money),
    /// Something on top has no price.
    AtLeast(Money),
    /// Nothing of it could be priced. Not free.
    Unknown,
}

impl Cost {
    /// Its word in machine-readable output: `known`, `at_least`, `unknown`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Known(_) => "known",
            Self::AtLeast(_) => "at_least",
            Self::Unknown => "unknown",
        }
    }

    /// The known part.
    #[must_use]
    pub fn money(self) -> Option<Money> {
        match self {
            Self::Known(money) | Self::AtLeast(money) => Some(money),
            Self::Unknown => None,
        }
    }

    /// Whether it stays within a budget; `None` where that cannot be told. A gate lets nothing pass but `Some(true)`.
    #[must_use]
    pub fn within(self, budget: Money) -> Option<bool> {
        match self {
            Self::Known(money) => Some(money <= budget),
            Self::AtLeast(money) if money > budget => Some(false),
            Self::AtLeast(_) | Self::Unknown => None,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(money) => f.write_str(&money.short()),
            Self::AtLeast(money) => write!(f, "at least {}", money.short()),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// The cost of many calls. Sums and merges come out the same in any order: all parts are integers or sets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CostSum {
    /// The priced part; `None` until something was priced.
    pub known: Option<Money>,
    /// Tokens without a price.
    pub unpriced_tokens: u64,
    /// The models that they belong to.
    pub unpriced_models: BTreeSet<String>,
    /// Web searches without a price.
    pub unpriced_searches: u64,
    /// Calls of which the log does not say how much went in or came out.
    pub incomplete_calls: u64,
}

impl CostSum {
    /// Adds a call. `model` is its name in the log.
    pub fn add(&mut self, call: &CallCost, model: Option<&str>) {
        self.plus(call.money);
        self.unpriced_tokens = self.unpriced_tokens.saturating_add(call.unpriced_tokens);
        self.unpriced_searches = self.unpriced_searches.saturating_add(u64::from(call.unpriced_searches));
        self.incomplete_calls = self.incomplete_calls.saturating_add(u64::from(call.incomplete));
        let unpriced = call.unpriced_tokens > 0 || call.unpriced_searches > 0;
        if let Some(model) = model
            && unpriced
            && !self.unpriced_models.contains(model)
        {
            self.unpriced_models.insert(model.to_owned());
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        self.plus(other.known);
        self.unpriced_tokens = self.unpriced_tokens.saturating_add(other.unpriced_tokens);
        self.unpriced_searches = self.unpriced_searches.saturating_add(other.unpriced_searches);
        self.incomplete_calls = self.incomplete_calls.saturating_add(other.incomplete_calls);
        self.unpriced_models.extend(other.unpriced_models.difference(&self.unpriced_models).cloned().collect::<Vec<_>>());
    }

    /// What can be said of the whole. A known part of 0 beside unpriced tokens says nothing, so that is unknown; so is the
    /// cost of no call at all.
    #[must_use]
    pub fn status(&self) -> Cost {
        let whole = self.unpriced_tokens == 0 && self.unpriced_searches == 0 && self.incomplete_calls == 0;
        match self.known {
            Some(money) if whole => Cost::Known(money),
            Some(money) if money > Money::ZERO => Cost::AtLeast(money),
            _ => Cost::Unknown,
        }
    }

    fn plus(&mut self, money: Option<Money>) {
        self.known = match (self.known, money) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn call(money: Option<u64>, unpriced_tokens: u64) -> CallCost {
        CallCost { money: money.map(|m| Money(i128::from(m))), unpriced_tokens, ..CallCost::default() }
    }

    fn sum(calls: &[(CallCost, Option<&str>)]) -> CostSum {
        let mut sum = CostSum::default();
        for (call, model) in calls {
            sum.add(call, *model);
        }
        sum
    }

    #[test]
    fn unknown_never_becomes_zero() {
        let dollar = call(Some(1_000_000_000_000), 0);
        let nothing = call(Some(0), 0);
        let unpriced = call(None, 500);
        let one = Money::dollars(1);
        for (calls, status) in [
            (&[][..], Cost::Unknown),
            (&[nothing], Cost::Known(Money::ZERO)),
            (&[dollar, nothing], Cost::Known(one)),
            (&[dollar, unpriced], Cost::AtLeast(one)),
            (&[unpriced], Cost::Unknown),
            (&[unpriced, nothing], Cost::Unknown),
            (&[dollar, CallCost { incomplete: true, ..nothing }], Cost::AtLeast(one)),
            (&[CallCost { unpriced_searches: 1, ..dollar }], Cost::AtLeast(one)),
        ] {
            let calls: Vec<_> = calls.iter().map(|c| (*c, Some("m"))).collect();
            assert_eq!(sum(&calls).status(), status, "{calls:?}");
        }
        assert_eq!(sum(&[(dollar, Some("a")), (unpriced, Some("b")), (unpriced, None)]).unpriced_models, BTreeSet::from(["b".to_owned()]));
    }

    #[test]
    fn a_gate_passes_only_what_is_known() {
        let (one, two) = (Money::dollars(1), Money::dollars(2));
        assert_eq!([Cost::Known(one), Cost::Known(two)].map(|c| c.within(one)), [Some(true), Some(false)]);
        assert_eq!([Cost::AtLeast(one), Cost::AtLeast(two), Cost::Unknown].map(|c| c.within(one)), [None, Some(false), None]);
        let words = [Cost::Known(one), Cost::AtLeast(one), Cost::Unknown].map(|c| (c.word(), c.to_string()));
        assert_eq!(words, [("known", "$1.00".into()), ("at_least", "at least $1.00".into()), ("unknown", "unknown".into())]);
    }

    fn calls() -> impl Strategy<Value = Vec<(CallCost, Option<&'static str>)>> {
        let money = prop::option::of(0u64..=u64::MAX);
        let model = prop::option::of(prop::sample::select(vec!["a", "b", "c"]));
        let call = (money, 0u64..=u64::MAX, 0u32..3, any::<bool>(), model).prop_map(|(m, tokens, searches, incomplete, model)| {
            (CallCost { unpriced_searches: searches, incomplete, ..call(m, if tokens % 2 == 0 { 0 } else { tokens }) }, model)
        });
        prop::collection::vec(call, 0..12)
    }

    proptest! {
        #[test]
        fn order_does_not_matter(calls in calls().prop_shuffle(), again in any::<prop::sample::Index>()) {
            let mut turned = calls.clone();
            turned.reverse();
            if !turned.is_empty() {
                let by = again.index(turned.len());
                turned.rotate_left(by);
            }
            prop_assert_eq!(sum(&calls), sum(&turned));
        }

        #[test]
        fn parts_add_up_to_the_whole(calls in calls(), at in any::<prop::sample::Index>()) {
            let at = at.index(calls.len() + 1);
            let (left, right) = (sum(&calls[..at]), sum(&calls[at..]));
            let (mut forth, mut back) = (left.clone(), right.clone());
            forth.merge(&right);
            back.merge(&left);
            prop_assert_eq!(&forth, &sum(&calls));
            prop_assert_eq!(&forth, &back);
            let mut same = forth.clone();
            same.merge(&CostSum::default());
            prop_assert_eq!(same, forth);
        }

        #[test]
        fn the_known_part_is_the_sum_of_the_known_parts(calls in calls()) {
            let exact: i128 = calls.iter().filter_map(|(c, _)| c.money).map(|m| m.0).sum();
            prop_assert_eq!(sum(&calls).known.unwrap_or_default().0, exact);
        }
    }
}
