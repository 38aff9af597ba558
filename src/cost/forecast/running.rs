//! A run that is under way: what its first calls say about the whole.

use super::gate::Gate;
use super::history::{Growth, Unfitted};
use super::model::ModelPrice;
use crate::cost::Prices;
use crate::cost::forecast::history::past::{contexts, main_model, own_calls};
use crate::cost::growth::Tariff;
use crate::cost::growth::{CacheClass, Caching, Compaction, Regime, Shape, Totals, walk_on};
use crate::trace::rows::{Booking, Dimension};
use crate::trace::{Money, Trace};

/// Where a run is projected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// To this iteration, as asked for or as its budget's `maxIterations`.
    Iteration(u64),
    /// To this model call, as its budget's `modelTurns`.
    Call(u64),
}

/// What is wanted of a projection.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// To which iteration; `None`: what the run's own budget allows.
    pub iteration: Option<u64>,
    /// What it may cost; `None`: what the run's own budget allows.
    pub budget: Option<Money>,
    /// How long cache writes live.
    pub class: CacheClass,
    /// What the cache does from here on; `None`: what it did so far, at the same price a token of input.
    pub caching: Option<Caching>,
}

/// What a run comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// Calls by then.
    pub calls: u64,
    /// Input tokens by the growth so far: what is spent, and the fitted line from here on.
    pub quadratic_input: u64,
    /// Input tokens by the pace so far.
    pub linear_input: u64,
    /// Money by the growth so far: what is spent, and the further calls at the model's prices.
    pub quadratic: Option<Money>,
    /// Money by the pace so far.
    pub linear: Option<Money>,
}

/// A run under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    /// Its id.
    pub id: String,
    /// Its model.
    pub model: Option<String>,
    /// Calls so far, sub-agents left out.
    pub calls: u64,
    /// Iterations so far.
    pub iterations: u64,
    /// Input tokens of these calls.
    pub input: u64,
    /// What it has spent so far, sub-agents included; `None` where that is not wholly known.
    pub spent: Option<Money>,
    /// The line of its contexts.
    pub growth: Result<Growth, Unfitted>,
    /// Where it is projected to; `None` where nothing says.
    pub until: Option<Until>,
    /// What it then comes to; `None` without a line, or where it is there already.
    pub projection: Option<Projection>,
    /// The budget in money.
    pub budget: Option<Money>,
    /// What is left of it.
    pub left: Option<Money>,
    /// The call at which it is spent, by the growth so far; `None` where it is not within the horizon, or not known.
    pub spent_at_call: Option<u64>,
    /// The budget, held against the projection.
    pub gate: Option<Gate>,
}

/// Calls that are looked ahead for the end of a budget.
const AHEAD: u64 = 100_000;

/// Projects a run. `spent` is what it cost so far, where that is wholly known.
#[must_use]
pub fn running(trace: &Trace, spent: Option<Money>, settings: &Settings, prices: &Prices) -> Running {
    let calls = own_calls(trace);
    let iterations = trace.iterations.len() as u64;
    let growth = Growth::of(&calls, u32::try_from(iterations).unwrap_or(u32::MAX));
    let limit = |dimension| trace.budget.as_ref()?.limits.iter().find(|l| l.dimension == dimension).map(|l| l.limit);
    let budget = settings.budget.or_else(|| limit(Dimension::CostUsd).and_then(Money::from_f64));
    let until = settings
        .iteration
        .or_else(|| limit(Dimension::MaxIterations).and_then(count))
        .map(Until::Iteration)
        .or_else(|| limit(Dimension::ModelTurns).and_then(count).map(Until::Call));
    let model = main_model(trace, &calls);
    let mut run = Running {
        id: trace.id.clone(),
        calls: calls.len() as u64,
        iterations,
        input: contexts(&calls).iter().fold(0u64, |a, b| a.saturating_add(*b)),
        spent,
        growth,
        until,
        projection: None,
        budget,
        left: budget.zip(spent).map(|(b, s)| b - s),
        spent_at_call: None,
        gate: None,
        model,
    };
    let found = run.model.as_deref().and_then(|m| ModelPrice::find(prices, m).ok());
    let ahead = run.ahead(&calls, found.as_ref(), settings);
    run.projection = ahead.as_ref().zip(run.calls_until()).and_then(|(ahead, calls)| run.project(ahead, calls));
    run.spent_at_call = ahead.as_ref().and_then(|ahead| run.spent_at(ahead));
    run.gate = run.budget.map(|budget| run.held_against(budget));
    run
}

/// The calls from here on.
struct Ahead {
    shape: Shape,
    regime: Regime,
    tariff: Tariff,
    caching: Caching,
    /// What the cache holds of the next call's context.
    cached: u64,
    /// What a token of input cost so far, in millionths of a pico-dollar; `None`: by what the cache is said to do.
    paid: Option<i128>,
}

/// Parts of a pico-dollar that a price so far is kept in.
const PARTS: i128 = 1_000_000;

impl Ahead {
    /// The money of so much further input and output.
    fn money(&self, totals: &Totals) -> Option<Money> {
        let Some(paid) = self.paid else { return totals.money };
        let input = i128::from(totals.input).checked_mul(paid)? / PARTS;
        let output = i128::from(totals.output).checked_mul(i128::from(self.tariff.output()?))?;
        input.checked_add(output).map(Money)
    }

    /// Input and money of `calls` further calls.
    fn go(&self, calls: u64, mut each: impl FnMut(Option<Money>)) -> Option<(u64, Option<Money>)> {
        // A session of one call an iteration is the same session; a fresh one begins anew each iteration.
        let per = self.shape.calls(self.regime).max(1);
        let iterations = calls.div_ceil(per);
        self.shape.check(iterations.max(1)).ok()?;
        let walked =
            walk_on(self.cached, &self.shape, (self.regime, self.caching), (&self.tariff, None), iterations, |t| each(self.money(t)));
        Some((walked.totals.input, self.money(&walked.totals)))
    }
}

impl Running {
    fn ahead(&self, calls: &[&Booking], model: Option<&ModelPrice>, settings: &Settings) -> Option<Ahead> {
        let growth = self.growth.as_ref().ok()?;
        let fit = growth.fit;
        let prefix = whole(fit.prefix);
        let output = whole(growth.output?);
        let own = fit.cut.zip(fit.restart).map(|(at, to)| Compaction { at: whole(at), to: whole(to) });
        let (regime, prefix, work_calls, cached) = if growth.stateless {
            (Regime::Stateless, prefix, whole(growth.calls_per_iteration?).max(1), prefix)
        } else {
            // The line goes on from where it is: the next call of the stretch that is under way.
            let last = contexts(calls).last().copied()?;
            (Regime::Stateful, last.saturating_add(whole(fit.appended)), 1, last)
        };
        let forced =
            model.and_then(|m| m.window).map(|w| Compaction { at: w.max(growth.peak), to: whole(fit.restart.unwrap_or(fit.prefix)) });
        let compaction = own
            .filter(|_| !growth.stateless)
            .or(forced)
            .map(|c| Compaction { at: c.at.max(prefix).max(1), to: c.to })
            .filter(|c| c.to < c.at);
        let shape = Shape {
            prefix,
            appended: whole(fit.appended),
            output,
            disk_state: 0,
            work_calls,
            reorient_calls: 0,
            compaction,
            children: None,
        };
        let mut ahead = Ahead {
            shape,
            regime,
            tariff: Tariff::new(model.map(|m| &m.rate), settings.class),
            caching: settings.caching.unwrap_or(Caching::Warm),
            cached,
            paid: None,
        };
        if settings.caching.is_none() {
            ahead.paid = self.paid(calls, &ahead.tariff);
        }
        Some(ahead)
    }

    /// What a token of input cost so far: all that was spent less the output's price. `None` where that cannot be told.
    fn paid(&self, calls: &[&Booking], tariff: &Tariff) -> Option<i128> {
        let output = calls.iter().map(|b| i128::from(b.tokens.output.unwrap_or(0))).sum::<i128>();
        let output = output.checked_mul(i128::from(tariff.output()?))?;
        let input = self.spent?.0.checked_sub(output).filter(|m| *m > 0)?;
        input.checked_mul(PARTS)?.checked_div(i128::from(self.input))
    }

    /// Calls of the whole run when it is where it is projected to.
    fn calls_until(&self) -> Option<u64> {
        let calls = match self.until? {
            Until::Call(n) => n,
            // At as many calls an iteration as so far.
            Until::Iteration(n) => {
                let all = u128::from(self.calls) * u128::from(n);
                u64::try_from(all.checked_div(u128::from(self.iterations))?).ok()?
            }
        };
        (calls > self.calls && calls - self.calls <= AHEAD).then_some(calls)
    }

    fn project(&self, ahead: &Ahead, calls: u64) -> Option<Projection> {
        let (input, money) = ahead.go(calls - self.calls, |_| ())?;
        let pace = |so_far: u128| so_far * u128::from(calls) / u128::from(self.calls.max(1));
        let linear = self.spent.and_then(|m| m.0.checked_mul(i128::from(calls))).and_then(|all| all.checked_div(i128::from(self.calls)));
        Some(Projection {
            calls,
            quadratic_input: self.input.saturating_add(input),
            linear_input: u64::try_from(pace(u128::from(self.input))).unwrap_or(u64::MAX),
            quadratic: self.spent.zip(money).map(|(a, b)| a + b),
            linear: linear.map(Money),
        })
    }

    /// The call that spends the last of the budget.
    fn spent_at(&self, ahead: &Ahead) -> Option<u64> {
        let left = self.left?;
        if left <= Money::ZERO {
            return None;
        }
        let per = ahead.shape.calls(ahead.regime).max(1);
        // Step by step further, so that a budget that ends soon is found soon.
        let mut at = None;
        let mut horizon = 1_000;
        while at.is_none() && horizon <= AHEAD {
            let mut walked = 0u64;
            ahead.go(horizon, |money| {
                walked += 1;
                if at.is_none() && money.is_some_and(|m| m > left) {
                    at = Some(walked);
                }
            })?;
            horizon *= 10;
        }
        at.map(|n| self.calls.saturating_add(n.saturating_mul(per)))
    }

    fn held_against(&self, budget: Money) -> Gate {
        let beyond = self.spent.filter(|s| *s > budget);
        let (figure, what) = match (beyond, &self.projection) {
            (Some(spent), _) => (Some(spent), "spent already".to_owned()),
            (None, Some(p)) => match p.quadratic {
                Some(money) => (Some(money), format!("projected to call {}", p.calls)),
                None => (None, "what it has spent, or what its model costs, is not known".to_owned()),
            },
            (None, None) => {
                (None, "there is nothing to project it by: name --iterations, and see that its log has tokens a call".to_owned())
            }
        };
        Gate { budget, figure, what }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a number from 1")]
fn count(limit: f64) -> Option<u64> {
    (limit.is_finite() && limit >= 1.0).then_some(limit as u64)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn whole(n: f64) -> u64 {
    n.round().max(0.0) as u64
}
