//! Cumulative cost against call: with the caps that were set, and the curve that steady growth would make.

use crate::analysis::Examined;
use crate::cost::growth::line::Line;
use crate::report::chart::runs::calls::{Call, calls, compactions};
use crate::report::chart::runs::{counted, name};
use crate::report::chart::spec::{Axis, Body, Chart, Event, Level, Lines, Series, Stroke, Unit};
use crate::report::chart::units::value;
use crate::report::model::CostStatus;
use crate::trace::Money;
use crate::trace::rows::Dimension;

/// What a run spent, call by call: money where it is known, else tokens.
#[must_use]
pub fn spend(run: &Examined) -> Option<Chart> {
    let calls = calls(&run.trace);
    let money = calls.iter().any(|c| c.spent.is_some());
    let (unit, points) = if money { (Unit::Usd, by_money(&calls)) } else { (Unit::Tokens, by_tokens(&calls)) };
    let (&(_, total), &(last, _)) = (points.last()?, points.last()?);
    if total <= 0.0 {
        return None;
    }
    let what = if money { "cost" } else { "tokens" };
    let at_least = if money && run.report.cost.status == CostStatus::AtLeast { "at least " } else { "" };
    let mut words =
        format!("Cumulative {what} of {} over {}: {at_least}{} in all.", name(run), counted(n(last), "call"), value(unit, total));
    if let Some((half, _)) = points.iter().find(|p| p.1 * 2.0 >= total).filter(|_| points.len() > 2) {
        words.push_str(&format!(" Half of it was spent by call {half:.0}."));
    }
    let cap = if money { Dimension::CostUsd } else { Dimension::TotalTokens };
    let limits = || run.trace.budget.iter().flat_map(|b| &b.limits);
    let mut levels = Vec::new();
    for limit in limits().filter(|l| l.dimension == cap && l.limit > 0.0) {
        levels.push(Level { name: format!("cap ({})", cap.key()), y: limit.limit });
        words.push_str(&match points.iter().find(|p| p.1 > limit.limit) {
            Some((x, _)) => format!(" The cap of {} was crossed at call {x:.0}.", value(unit, limit.limit)),
            None => format!(" It stayed within the cap of {}.", value(unit, limit.limit)),
        });
    }
    let mut events = compactions(&run.trace);
    if !events.is_empty() {
        words.push_str(&format!(" There were {}.", counted(events.len(), "compaction")));
    }
    for limit in limits().filter(|l| l.dimension == Dimension::ModelTurns && l.limit >= 1.0) {
        if limit.limit < last {
            events.push(Event { name: format!("cap ({} {:.0})", Dimension::ModelTurns.key(), limit.limit), x: limit.limit });
        }
    }
    let mut series = vec![Series { name: "spent".to_owned(), stroke: Stroke::Solid, points: points.clone() }];
    if let Some((curve, slope)) = fitted(&points) {
        let end = curve.last().map_or(0.0, |p| p.1);
        words.push_str(&format!(" Steady growth, {} more each call, would have come to {}.", value(unit, slope), value(unit, end)));
        series.push(Series { name: "fitted: each call dearer by the same".to_owned(), stroke: Stroke::Dashed, points: curve });
    }
    Some(Chart {
        id: "spend".to_owned(),
        title: format!("Cumulative {what} by call: {}", name(run)),
        description: words,
        body: Body::Lines(Lines {
            x: Axis { label: "call".to_owned(), unit: Unit::Count },
            y: Axis { label: if money { "US dollars, cumulative" } else { "tokens, cumulative" }.to_owned(), unit },
            series,
            levels,
            events,
        }),
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of calls")]
fn n(x: f64) -> usize {
    x as usize
}

/// The sum after each call. Money is added as integers.
fn by_money(calls: &[Call]) -> Vec<(f64, f64)> {
    let mut sum = Money::ZERO;
    merged(calls.iter().filter_map(|c| {
        sum += c.spent?;
        Some((c.number, sum.to_f64()))
    }))
}

fn by_tokens(calls: &[Call]) -> Vec<(f64, f64)> {
    let mut sum: u64 = 0;
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    merged(calls.iter().filter_map(|c| {
        sum = sum.saturating_add(c.tokens?);
        Some((c.number, sum as f64))
    }))
}

/// One point a call: the last sum that it books.
fn merged(sums: impl Iterator<Item = (u32, f64)>) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (number, sum) in sums {
        let x = f64::from(number);
        match points.last_mut().filter(|p| p.0 == x) {
            Some(point) => point.1 = sum,
            None => points.push((x, sum)),
        }
    }
    points
}

/// What it would have come to, had each call been dearer than the one before by the same: a parabola. `None` where the
/// calls do not grow like that, as after a compaction.
fn fitted(points: &[(f64, f64)]) -> Option<(Vec<(f64, f64)>, f64)> {
    let mut before = 0.0;
    let each: Vec<(f64, f64)> = points
        .iter()
        .map(|(x, sum)| {
            let own = sum - before;
            before = *sum;
            (*x, own)
        })
        .collect();
    let line = Line::through(&each).filter(|l| l.slope > 0.0)?;
    let mut sum = 0.0;
    let curve: Vec<(f64, f64)> = each
        .iter()
        .map(|(x, _)| {
            sum += line.at(*x).max(0.0);
            (*x, sum)
        })
        .collect();
    let (end, total) = (curve.last()?.1, points.last()?.1);
    (end > total / 2.0 && end < total * 2.0).then_some((curve, line.slope))
}
