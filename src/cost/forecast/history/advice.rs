//! Where to set the cap.

use super::survival::Survival;
use crate::trace::Money;

/// Two caps: the one that makes a success cheapest, and the least that keeps nearly all of them. What a success costs is
/// what all launches cost, those without success included, over the launches that get green.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice {
    /// The cap with the least expected cost per success.
    pub cheapest: u32,
    /// That cost. Retries of one task fail alike, so it is a bound: a task that failed once is likelier to fail again.
    pub per_success: Money,
    /// The least cap that keeps 95 % of the past successes.
    pub keeping: u32,
    /// The expected cost per success at that cap.
    pub keeping_per_success: Money,
}

/// The share of past successes that the second cap keeps.
const KEPT: f64 = 0.95;

impl Advice {
    /// `E[cost per success | cap K] = sum over k <= K of O(k-1) d_k / F(K)`, O the share that is still at work, F the share
    /// that got green (Aalen and Johansen: a run that ended by itself without green neither costs nor succeeds any more) and
    /// d_k what iteration k costs. Beyond the last green no cap is better: the sum grows, the successes do not. `None` without
    /// a green.
    #[must_use]
    pub fn of(survival: &Survival, marginal: &[Money]) -> Option<Self> {
        let mut caps = Vec::new();
        let (mut sum, mut left) = (0.0, 1.0);
        let mut iteration = 0u32;
        // Behind the last green the marginal costs may be missing, and are not wanted.
        let last = survival.steps.iter().rposition(|s| s.green > 0)?;
        for step in survival.steps.iter().take(last + 1) {
            while iteration < step.iterations {
                sum += left * marginal.get(iteration as usize)?.to_f64();
                iteration += 1;
            }
            left = step.open;
            if step.green > 0 {
                caps.push((step.iterations, sum / step.reached));
            }
        }
        let (cheapest, cost) = *caps.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
        #[expect(clippy::cast_precision_loss, reason = "shares of runs")]
        let enough = survival.green as f64 * KEPT;
        let mut kept = 0usize;
        let keeping = survival.steps.iter().find(|s| {
            kept += s.green;
            #[expect(clippy::cast_precision_loss, reason = "a number of runs")]
            let so_far = kept as f64;
            so_far >= enough - 1e-9 && s.green > 0
        })?;
        let at_keeping = caps.iter().find(|(n, _)| *n == keeping.iterations)?.1;
        Some(Self {
            cheapest,
            per_success: Money::from_f64(cost)?,
            keeping: keeping.iterations,
            keeping_per_success: Money::from_f64(at_keeping)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::cost::forecast::history::past::{Fate, PastRun, Unfitted};

    fn curve(rows: &[(u32, Fate)]) -> Survival {
        let run = |(iterations, fate): &(u32, Fate)| PastRun {
            id: String::new(),
            model: None,
            iterations: *iterations,
            fate: *fate,
            cost: Cost::Unknown,
            growth: Err(Unfitted::NoCalls),
        };
        Survival::of(&rows.iter().map(run).collect::<Vec<_>>())
    }

    #[test]
    fn the_cheapest_cap_by_hand() {
        use Fate::{Censored, Green};
        // Half get green at 2, a quarter at 10, a quarter never; an iteration costs a dollar.
        let survival = curve(&[(2, Green), (2, Green), (10, Green), (12, Censored)]);
        let advice = Advice::of(&survival, &[Money::dollars(1); 12]).unwrap();
        // Cap 2: 2 / 0.5. Cap 10: (2 + 8 * 0.5) / 0.75.
        assert_eq!((advice.cheapest, advice.per_success.exact().as_str()), (2, "4"));
        assert_eq!((advice.keeping, advice.keeping_per_success.exact().as_str()), (10, "8"));
        // One of four ends by itself at 1, one gets green at 2: (1 + 1 * 3/4) / (1/4).
        let survival = curve(&[(1, Fate::Unverified), (2, Green), (3, Censored), (3, Censored)]);
        let advice = Advice::of(&survival, &[Money::dollars(1); 2]).unwrap();
        assert_eq!((advice.cheapest, advice.per_success.exact().as_str()), (2, "7"));
        let survival = curve(&[(2, Green), (2, Green), (10, Green), (12, Censored)]);
        assert_eq!(Advice::of(&curve(&[(5, Censored)]), &[Money::dollars(1); 5]), None);
        assert_eq!(Advice::of(&survival, &[Money::dollars(1); 5]), None);
    }
}
