//! The launch estimate, from its plan alone.

use super::gate::Gate;
use super::manual::Manual;
use super::model::{ModelPrice, Unlisted};
use super::plan::Plan;
use crate::cost::Prices;
use crate::cost::growth::{CacheClass, Caching, Regime, ShapeError, Tariff, Walk, closed, walk};
use crate::trace::Money;

/// One regime with one behaviour of the cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The regime.
    pub regime: Regime,
    /// What the cache does.
    pub caching: Caching,
    /// What the planned iterations come to.
    pub walk: Walk,
    /// Tokens and money after each iteration, up to the cap or the planned iterations, whichever is later.
    pub cumulated: Vec<(u64, Option<Money>)>,
}

/// What a ceiling rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// The baseline's cost an iteration.
    Baseline(Manual),
    /// The dearest of the planned cases.
    Dearest(Regime, Caching),
    /// Not all of the planned cases have a price.
    Unpriced,
}

/// What the launch cannot exceed if its cap holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceiling {
    /// The cap's iterations.
    pub iterations: u64,
    /// The amount; `None` where it is not known.
    pub money: Option<Money>,
    /// What it rests on.
    pub basis: Basis,
}

/// What a launch is expected to cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What is planned.
    pub plan: Plan,
    /// The model's prices, or why there are none.
    pub model: Result<ModelPrice, Unlisted>,
    /// The prices as they are billed.
    pub tariff: Tariff,
    /// Tokens of the rule of thumb: iterations x (state + work).
    pub thumb_tokens: u64,
    /// The rule of thumb: those tokens at the price of plain input.
    pub thumb: Option<Money>,
    /// Both regimes with each behaviour of the cache.
    pub cases: Vec<Case>,
    /// The iteration from which one growing session reads more input than fresh ones, without cache.
    pub break_even: Option<f64>,
    /// What it cannot exceed.
    pub ceiling: Ceiling,
    /// The budget, held against the ceiling.
    pub gate: Option<Gate>,
}

/// Estimates a launch.
///
/// # Errors
/// A number of the plan is out of its range.
pub fn estimate(plan: Plan, prices: &Prices) -> Result<Estimate, ShapeError> {
    plan.shape.check(plan.iterations)?;
    if plan.cap() != plan.iterations {
        plan.shape.check(plan.cap()).map_err(|e| match e {
            ShapeError::Range { what: "--iterations", value, least, most } => ShapeError::Range { what: "--max-iter", value, least, most },
            other => other,
        })?;
    }
    let model = ModelPrice::find(prices, &plan.model);
    let found = model.as_ref().ok();
    let tariff = Tariff::new(found.map(|m| &m.rate), plan.class);
    let window = found.and_then(|m| m.window);
    let how = Regime::ALL.into_iter().flat_map(|regime| Caching::ALL.map(|caching| (regime, caching)));
    let cases: Vec<Case> = how
        .map(|(regime, caching)| {
            let go = |n, each: &mut dyn FnMut(u64, Option<Money>)| {
                walk(&plan.shape, (regime, caching), (&tariff, window), n, |t| each(t.tokens(), t.money))
            };
            let mut cumulated = Vec::new();
            go(plan.iterations.max(plan.cap()), &mut |tokens, money| cumulated.push((tokens, money)));
            Case { regime, caching, walk: go(plan.iterations, &mut |_, _| ()), cumulated }
        })
        .collect();
    let thumb_tokens = plan.iterations.saturating_mul(plan.shape.prefix.saturating_add(plan.shape.appended));
    let thumb = tariff.input().and_then(|pico| i128::from(thumb_tokens).checked_mul(i128::from(pico))).map(Money);
    let ceiling = ceiling(&plan, &cases);
    let mut estimate = Estimate {
        break_even: closed::break_even(&plan.shape).filter(|_| plan.shape.compaction.is_none() && plan.shape.children.is_none()),
        thumb_tokens,
        thumb,
        cases,
        ceiling,
        gate: None,
        tariff,
        model,
        plan,
    };
    estimate.gate = estimate.plan.budget.map(|budget| Gate { budget, figure: estimate.ceiling.money, what: estimate.ceiling_words() });
    Ok(estimate)
}

fn ceiling(plan: &Plan, cases: &[Case]) -> Ceiling {
    let iterations = plan.cap();
    if let Some(baseline) = &plan.baseline {
        let money = baseline.per_iteration.and_then(|m| m.0.checked_mul(i128::from(iterations))).map(Money);
        return Ceiling { iterations, money, basis: Basis::Baseline(baseline.clone()) };
    }
    let planned = || cases.iter().filter(|c| plan.holds(c.regime, c.caching));
    let dearest: Option<Vec<(Money, &Case)>> = planned().map(|c| c.at_cap(plan).map(|m| (m, c))).collect();
    // The first of equals, in the order of the cases.
    match dearest.and_then(|all| all.into_iter().rev().max_by_key(|(m, _)| *m)) {
        Some((money, case)) => Ceiling { iterations, money: Some(money), basis: Basis::Dearest(case.regime, case.caching) },
        None => Ceiling { iterations, money: None, basis: Basis::Unpriced },
    }
}

impl Case {
    /// The cap's iterations at this case's cost an iteration. With a cap above the planned iterations that is the cost of
    /// as many: the later iterations of a growing session are its dearest.
    fn at_cap(&self, plan: &Plan) -> Option<Money> {
        if plan.cap() >= plan.iterations {
            return self.cumulated.last().and_then(|(_, money)| *money);
        }
        let (cap, planned) = (i128::from(plan.cap()), i128::from(plan.iterations));
        self.walk.totals.money.and_then(|m| m.0.checked_mul(cap)).map(|all| Money(all / planned + i128::from(all % planned > 0)))
    }
}

impl Estimate {
    /// A case.
    #[must_use]
    pub fn case(&self, regime: Regime, caching: Caching) -> Option<&Case> {
        self.cases.iter().find(|c| c.regime == regime && c.caching == caching)
    }

    /// The first iteration after which the growing session has cost more than fresh ones, up to the last that was walked.
    #[must_use]
    pub fn dearer_from(&self, caching: Caching) -> Option<u64> {
        let [one, other] = Regime::ALL.map(|regime| self.case(regime, caching));
        let pairs = one?.cumulated.iter().zip(&other?.cumulated);
        let at = pairs.map(|(a, b)| a.1.zip(b.1)).position(|both| both.is_some_and(|(a, b)| a > b))?;
        u64::try_from(at).ok()?.checked_add(1)
    }

    /// What the ceiling is, or why there is none.
    #[must_use]
    pub fn ceiling_words(&self) -> String {
        let n = self.ceiling.iterations;
        match (&self.ceiling.basis, &self.model) {
            (Basis::Baseline(b), _) => match b.per_iteration {
                Some(m) => format!("{n} iterations x {} an iteration of the baseline", m.short()),
                None => format!("no run of {} says both what it cost and how many iterations it took", b.path),
            },
            (Basis::Dearest(regime, caching), _) => format!("{n} iterations, {}, {}", regime.id(), caching.words()),
            (Basis::Unpriced, Err(miss)) => miss.to_string(),
            (Basis::Unpriced, Ok(model)) => {
                let class = if self.plan.class == CacheClass::Hour { "one-hour " } else { "" };
                format!("the list has no price for the {class}cache of `{}`; --cache none leaves the cache out", model.listing)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gate::Verdict;
    use super::*;
    use crate::cost::growth::Shape;

    fn plan() -> Plan {
        let shape = Shape {
            prefix: 5_000,
            appended: 2_000,
            output: 500,
            disk_state: 0,
            work_calls: 1,
            reorient_calls: 0,
            compaction: None,
            children: None,
        };
        Plan {
            shape,
            iterations: 10,
            max_iter: None,
            model: "claude-sonnet-4-5".to_owned(),
            class: CacheClass::FiveMinutes,
            regime: None,
            caching: None,
            budget: None,
            baseline: None,
        }
    }

    fn go(plan: Plan) -> Estimate {
        estimate(plan, Prices::embedded()).unwrap()
    }

    fn usd(money: Option<Money>) -> String {
        money.map_or_else(|| "null".to_owned(), Money::exact)
    }

    #[test]
    fn the_example_of_the_contract() {
        let e = go(plan());
        let of = |regime, caching| usd(e.case(regime, caching).unwrap().walk.totals.money);
        // All written at 3.75: 140000 * 3.75 + 5000 * 15, a million.
        let stateful = Caching::ALL.map(|c| of(Regime::Stateful, c));
        assert_eq!(stateful, ["0.495", "0.19635", "0.6"]);
        // 50000 * 3.75 + 5000 * 15.
        assert_eq!(Caching::ALL.map(|c| of(Regime::Stateless, c)), ["0.225", "0.10725", "0.2625"]);
        assert_eq!((usd(e.thumb), e.break_even, usd(e.ceiling.money)), ("0.21".to_owned(), Some(1.0), "0.6".to_owned()));
        assert_eq!(e.ceiling_words(), "10 iterations, stateful, cache expiry");
        // With one call an iteration the second reads 2000 more than a fresh one.
        assert_eq!(Caching::ALL.map(|c| e.dearer_from(c)), [Some(2), Some(2), Some(2)]);
    }

    #[test]
    fn a_cap_counts_as_many_iterations() {
        let at = |max_iter| usd(go(Plan { max_iter: Some(max_iter), ..plan() }).ceiling.money);
        // Below the plan: its cost an iteration. Above: what as many iterations cost: 20 * 5000 + 2000 * 190 all written, 10000 out.
        assert_eq!([at(5), at(10), at(20)], ["0.3", "0.6", "1.95"]);
        let baseline = Manual { path: "b.json".to_owned(), per_iteration: "0.4".parse().ok() };
        let e = go(Plan { max_iter: Some(30), baseline: Some(baseline), ..plan() });
        assert_eq!(
            (usd(e.ceiling.money), e.ceiling_words().as_str()),
            ("12".to_owned(), "30 iterations x $0.40 an iteration of the baseline")
        );
    }

    #[test]
    fn what_is_planned_narrows_the_ceiling() {
        let e = go(Plan { regime: Some(Regime::Stateless), caching: Some(Caching::Warm), budget: "0.2".parse().ok(), ..plan() });
        assert_eq!((usd(e.ceiling.money), e.gate.unwrap().verdict()), ("0.10725".to_owned(), Verdict::Within));
        let e = go(Plan { budget: "0.5".parse().ok(), ..plan() });
        assert_eq!(e.gate.unwrap().verdict(), Verdict::Beyond);
    }

    #[test]
    fn unknown_is_never_zero_and_never_passes() {
        let e = go(Plan { model: "sonnet-9".to_owned(), budget: Some(Money::dollars(1_000)), ..plan() });
        assert!(e.thumb.is_none() && e.cases.iter().all(|c| c.walk.totals.money.is_none()) && e.ceiling.money.is_none());
        assert_eq!(e.cases[0].walk.totals.input, 140_000);
        let gate = e.gate.unwrap();
        assert_eq!(gate.verdict(), Verdict::Unknown);
        assert!(gate.what.contains("no list has a price for `sonnet-9`"), "{}", gate.what);
        let hour = go(Plan { model: "gpt-5.6".to_owned(), class: CacheClass::Hour, budget: Some(Money::dollars(1_000)), ..plan() });
        assert!(hour.gate.as_ref().unwrap().what.contains("one-hour cache of `gpt-5.6`"));
        let plain = go(Plan { caching: Some(Caching::None), ..hour.plan.clone() });
        assert_eq!((hour.gate.unwrap().verdict(), plain.gate.unwrap().verdict()), (Verdict::Unknown, Verdict::Within));
        let none = Manual { path: "b.json".to_owned(), per_iteration: None };
        let e = go(Plan { baseline: Some(none), budget: Some(Money::dollars(1_000)), ..plan() });
        assert_eq!(e.gate.unwrap().verdict(), Verdict::Unknown);
    }

    #[test]
    fn ranges_are_named_by_their_flags() {
        let fail = |change: fn(&mut Plan)| {
            let mut p = plan();
            change(&mut p);
            estimate(p, Prices::embedded()).unwrap_err().to_string()
        };
        assert_eq!(fail(|p| p.iterations = 0), "--iterations is 0: it takes a whole number from 1 to 100000");
        assert_eq!(fail(|p| p.max_iter = Some(0)), "--max-iter is 0: it takes a whole number from 1 to 100000");
        assert!(fail(|p| (p.iterations, p.shape.appended, p.shape.work_calls) = (100_000, 1_000_000, 1_000)).contains("9e15"));
    }
}
