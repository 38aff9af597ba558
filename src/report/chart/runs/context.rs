//! Context per call: what the model had to read each time. The main thread and its sub-agents apart.

use crate::analysis::Examined;
use crate::cost::Prices;
use crate::cost::growth::line::{Line, stretches};
use crate::report::chart::runs::calls::{Call, calls, compactions};
use crate::report::chart::runs::{counted, name};
use crate::report::chart::spec::{Axis, Body, Chart, Event, Level, Lines, Series, Stroke, Unit};
use crate::report::chart::units::value;
use crate::report::escape::visible;
use std::collections::BTreeMap;

/// The context of each call.
#[must_use]
pub fn context(run: &Examined) -> Option<Chart> {
    let calls = calls(&run.trace);
    let main = contexts(&calls, false);
    let side = contexts(&calls, true);
    let first = main.first().or(side.first())?;
    let largest = main.iter().chain(&side).copied().fold(*first, |a, b| if b.1 > a.1 { b } else { a });
    let tokens = |n: f64| format!("{} tokens", value(Unit::Tokens, n));
    let mut words = format!(
        "Context of {} by call: {} of the main thread, {} of sub-agents. The largest context was {}, at call {:.0}.",
        name(run),
        counted(main.len(), "call"),
        counted(side.len(), "call"),
        tokens(largest.1),
        largest.0
    );
    let events = compactions(&run.trace);
    let mut series = Vec::new();
    if !main.is_empty() {
        series.push(Series { name: "main thread".to_owned(), stroke: Stroke::Solid, points: main.clone() });
    }
    if let Some((stretch, line)) = growth(&main, &events)
        && let (Some(a), Some(b)) = (stretch.first(), stretch.last())
    {
        let points = [a, b].map(|p| (p.0, line.at(p.0).max(0.0))).to_vec();
        let sign = if line.slope < 0.0 { "-" } else { "+" };
        let rate = format!("{sign}{} a call", tokens(line.slope.abs()));
        words.push_str(&format!(" From call {:.0} to call {:.0} it grew by {rate} (median).", a.0, b.0));
        series.push(Series { name: format!("fitted: {rate}"), stroke: Stroke::Dashed, points });
    }
    if !side.is_empty() {
        series.push(Series { name: "sub-agents".to_owned(), stroke: Stroke::Points, points: side });
    }
    words.push_str(&match events.len() {
        0 => match stretches(&main).len() {
            0 | 1 => " No compaction is recorded.".to_owned(),
            n => format!(" No compaction is recorded, but it fell by half or by 10k tokens {}.", times(n - 1)),
        },
        n => format!(" It was compacted {}.", times(n)),
    });
    let window = window(run);
    if let Some(level) = &window {
        words.push_str(&format!(" The {} holds {}.", level.name, tokens(level.y)));
    }
    Some(Chart {
        id: "context".to_owned(),
        title: format!("Context by call: {}", name(run)),
        description: words,
        body: Body::Lines(Lines {
            x: Axis { label: "call".to_owned(), unit: Unit::Count },
            y: Axis { label: "tokens that the model had to read".to_owned(), unit: Unit::Tokens },
            series,
            levels: window.into_iter().collect(),
            events,
        }),
    })
}

/// How a context grows: the longest stretch between compactions, with its line. Where none is recorded and no stretch
/// without a fall is half of the calls, a loop begins each pass anew, and the line goes through all of them.
fn growth<'a>(points: &'a [(f64, f64)], compactions: &[Event]) -> Option<(&'a [(f64, f64)], Line)> {
    let between = |a: f64, b: f64| compactions.iter().any(|e| a < e.x && e.x < b);
    let longest = if compactions.is_empty() {
        stretches(points).into_iter().max_by_key(|s| s.len()).filter(|s| s.len() * 2 >= points.len()).unwrap_or(points)
    } else {
        points.chunk_by(|a, b| !between(a.0, b.0)).max_by_key(|s| s.len())?
    };
    Some((longest, Line::through(longest)?))
}

fn times(n: usize) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}

/// Calls that read something.
fn contexts(calls: &[Call], side: bool) -> Vec<(f64, f64)> {
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    let point = |c: &Call| Some((f64::from(c.number), c.context.filter(|n| *n > 0)? as f64));
    calls.iter().filter(|c| c.is_call && c.side == side).filter_map(point).collect()
}

/// The window of the model that made most of the main thread's calls, where it is listed.
fn window(run: &Examined) -> Option<Level> {
    let mut models: BTreeMap<&str, u32> = BTreeMap::new();
    for model in run.trace.bookings.iter().filter(|b| !b.side).filter_map(|b| b.model) {
        *models.entry(run.trace.names.text(model)).or_default() += 1;
    }
    let (model, _) = models.into_iter().max_by_key(|(name, n)| (*n, std::cmp::Reverse(*name)))?;
    let tokens = Prices::embedded().find(model).ok()?.context_window?;
    #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
    Some(Level { name: format!("window of {}", visible(model)), y: tokens as f64 })
}
