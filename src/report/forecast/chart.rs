//! The charts of a forecast: both regimes over the iterations, and how many past runs are green by then.

use crate::cost::forecast::Estimate;
use crate::cost::forecast::history::{History, Quantile};
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
    let level = |name: &str, money: Money| Level { name: name.to_owned(), y: money.to_f64() };
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

/// The curve of past runs: the share that is not green yet after so many iterations, with the caps that are advised. Runs
/// that ended for good without green stay in that share. `None` where no run has iterations.
#[must_use]
pub fn survival(h: &History) -> Option<Chart> {
    let s = &h.survival;
    if s.runs == 0 {
        return None;
    }
    let mut points = vec![(0.0, 1.0)];
    points.extend(s.steps.iter().map(|step| (f64::from(step.iterations), 1.0 - step.reached)));
    let end = points.last().map_or(1.0, |(_, y)| *y);
    points.push((f64::from(s.longest), end));
    let events = h
        .advice
        .iter()
        .flat_map(|a| [(format!("cheapest cap {}", a.cheapest), a.cheapest), (format!("keeps 95 %: {}", a.keeping), a.keeping)]);
    let median = match s.quantile(50) {
        Some(Quantile::At(n)) => format!("half of them are green after {n} iterations"),
        Some(Quantile::NotReached) => "fewer than half of them ever get green".to_owned(),
        _ => format!("half of them were not green after {} iterations, the longest run's", s.longest),
    };
    Some(Chart {
        id: "iterations-to-green".to_owned(),
        title: format!("Iterations to green of {} runs", s.runs),
        description: format!(
            "Share of runs that are not green yet, by iterations: {median}; {} got green, {} were cut off before they could.",
            s.green, s.censored
        ),
        body: Body::Lines(Lines {
            x: Axis { label: "iterations".to_owned(), unit: Unit::Count },
            y: Axis { label: "not green yet".to_owned(), unit: Unit::Share },
            series: vec![Series { name: s.estimator().to_owned(), stroke: Stroke::Steps, points }],
            levels: Vec::new(),
            events: events.map(|(name, at)| Event { name, x: f64::from(at) }).collect(),
        }),
    })
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
    use crate::cost::forecast::history::{Fate, PastRun, Settings, Unfitted, history};
    use crate::cost::forecast::{Plan, estimate};
    use crate::cost::growth::{CacheClass, Shape};
    use crate::cost::{Cost, Prices};

    fn lines(chart: Chart) -> Lines {
        match chart.body {
            Body::Lines(lines) => lines,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_regimes_with_the_line_that_matters() {
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
        let plan = Plan {
            shape,
            iterations: 10,
            max_iter: None,
            model: "claude-sonnet-4-5".to_owned(),
            class: CacheClass::FiveMinutes,
            regime: None,
            caching: Some(Caching::None),
            budget: None,
            baseline: None,
        };
        let of = |plan: Plan| lines(chart(&estimate(plan, Prices::embedded()).unwrap()));
        let drawn = of(plan.clone());
        let ends: Vec<(f64, f64)> = drawn.series.iter().filter_map(|s| s.points.last().copied()).collect();
        assert_eq!((ends, drawn.levels[0].y, drawn.y.unit), (vec![(10.0, 0.495), (10.0, 0.225)], 0.495, Unit::Usd));
        assert_eq!(drawn.events[0], Event { name: "stateful is dearer".to_owned(), x: 2.0 });
        let budget = of(Plan { budget: Some(Money::dollars(1)), ..plan.clone() });
        assert_eq!(budget.levels, [Level { name: "budget".to_owned(), y: 1.0 }]);
        // Without a price the tokens are drawn: 140000 in and 5000 out.
        let unpriced = of(Plan { model: "?".to_owned(), budget: Some(Money::dollars(1)), ..plan });
        assert_eq!((unpriced.y.unit, unpriced.series[0].points.last(), unpriced.levels.len()), (Unit::Tokens, Some(&(10.0, 145_000.0)), 0));
    }

    #[test]
    fn the_curve_of_past_runs_falls_at_their_greens() {
        let run = |iterations, fate| PastRun {
            id: String::new(),
            model: None,
            iterations,
            fate,
            cost: Cost::Unknown,
            growth: Err(Unfitted::NoCalls),
        };
        let runs = vec![run(2, Fate::Green), run(4, Fate::Green), run(6, Fate::Censored), run(6, Fate::Censored)];
        let settings = Settings { model: None, regime: None, caching: None, class: CacheClass::FiveMinutes, cap: None, seed: 1 };
        let chart = survival(&history(runs, &settings, Prices::embedded(), None)).unwrap();
        assert!(chart.description.contains("half of them are green after 4 iterations"), "{}", chart.description);
        assert_eq!(lines(chart).series[0].points, [(0.0, 1.0), (2.0, 0.75), (4.0, 0.5), (6.0, 0.5)]);
    }

    #[test]
    fn points_are_thinned_and_the_last_is_kept() {
        assert_eq!(thin(&[1.0, 2.0]), [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]);
        let many: Vec<f64> = (1..=1_001).map(index).collect();
        let thinned = thin(&many);
        assert!(thinned.len() <= POINTS + 2 && thinned.last() == Some(&(1_001.0, 1_001.0)));
    }
}
