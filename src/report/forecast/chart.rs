//! The chart of an estimate: both regimes over the iterations.

use crate::cost::forecast::Estimate;
use crate::cost::growth::{Caching, Regime};
use crate::report::chart::spec::{Axis, Body, Chart, Event, Level, Lines, Series, Stroke, Unit};
use crate::report::escape::terminal;
use crate::trace::Money;

/// Points of a curve at most.
const POINTS: usize = 200;

/// Both regimes as planned (a warm cache where nothing is), cumulated in dollars, or in tokens where a price is missing, with
/// the budget (else the ceiling), the cap and the break-even.
#[must_use]
pub fn chart(e: &Estimate) -> Chart {
    let caching = e.plan.caching.unwrap_or(Caching::Warm);
    let cases: Vec<_> = Regime::ALL.into_iter().filter_map(|r| e.case(r, caching)).collect();
    let priced = cases.iter().all(|c| c.walk.totals.money.is_some());
    let series = cases.iter().map(|c| {
        let values: Vec<f64> =
            c.cumulated.iter().map(|(tokens, money)| if priced { money.map_or(0.0, Money::to_f64) } else { float(*tokens) }).collect();
        Series {
            name: format!("{}, {}", c.regime.id(), caching.words()),
            stroke: if c.regime == Regime::Stateful { Stroke::Solid } else { Stroke::Dashed },
            points: thin(&values),
        }
    });
    let level = |name: &str, money: Money| Level { name: format!("{name} {}", money.short()), y: money.to_f64() };
    let levels = match (&e.gate, e.ceiling.money) {
        _ if !priced => Vec::new(),
        (Some(gate), _) => vec![level("budget", gate.budget)],
        (None, Some(money)) => vec![level("ceiling", money)],
        (None, None) => Vec::new(),
    };
    let mut events = Vec::new();
    if let Some(n) = e.dearer_from(caching).filter(|n| *n > 1) {
        events.push(Event { name: "stateful is dearer".to_owned(), x: float(n) });
    }
    if e.plan.max_iter.is_some_and(|n| n != e.plan.iterations) {
        events.push(Event { name: "cap".to_owned(), x: float(e.plan.cap()) });
    }
    let unit = if priced { Unit::Usd } else { Unit::Tokens };
    Chart {
        id: "forecast".to_owned(),
        title: format!("{} iterations on {}", e.plan.iterations, terminal(&e.plan.model)),
        description: description(e, caching),
        body: Body::Lines(Lines {
            x: Axis { label: "iterations".to_owned(), unit: Unit::Count },
            y: Axis { label: if priced { "cumulated cost" } else { "cumulated tokens" }.to_owned(), unit },
            series: series.collect(),
            levels,
            events,
        }),
    }
}

fn description(e: &Estimate, caching: Caching) -> String {
    let mut words: Vec<String> = Vec::new();
    for c in Regime::ALL.into_iter().filter_map(|r| e.case(r, caching)) {
        let t = &c.walk.totals;
        let cost = t.money.map_or_else(|| format!("{} tokens", t.tokens()), Money::short);
        words.push(format!("{} comes to {cost} after {} iterations", c.regime.id(), e.plan.iterations));
    }
    match e.dearer_from(caching) {
        Some(n) => words.push(format!("stateful is dearer from iteration {n} on")),
        None => words.push("stateful is not the dearer one".to_owned()),
    }
    if let Some(gate) = &e.gate {
        words.push(format!("the budget is {}", gate.budget.short()));
    }
    format!("Cumulated cost over the iterations, {}: {}.", caching.words(), words.join("; "))
}

/// Points by iteration from 0; evenly thinned, the last one kept.
fn thin(values: &[f64]) -> Vec<(f64, f64)> {
    let stride = values.len().div_ceil(POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let kept = values.iter().enumerate().filter(|(i, _)| (i + 1) % stride == 0 || *i == last);
    std::iter::once((0.0, 0.0)).chain(kept.map(|(i, y)| (index(i + 1), *y))).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a position in a picture")]
fn float(n: u64) -> f64 {
    n as f64
}

#[expect(clippy::cast_precision_loss, reason = "a position in a picture")]
fn index(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_thinned_and_the_last_is_kept() {
        assert_eq!(thin(&[1.0, 2.0]), [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]);
        let many: Vec<f64> = (1..=1_001).map(index).collect();
        let thinned = thin(&many);
        assert!(thinned.len() <= POINTS + 2 && thinned.last() == Some(&(1_001.0, 1_001.0)));
    }
}
