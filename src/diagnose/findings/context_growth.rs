//! Context that swells: within a session, from iteration to iteration, or through the file that carries the state.

use crate::diagnose::ending::Terminal;
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Trace;
use crate::trace::event::MarkKind;
use crate::trace::rows::{Booking, StepKind};

/// Characters a token, for files.
const CHARACTERS: f64 = 4.0;
/// A context that fell by more than half, or by so many tokens, was compacted or begun anew.
const DROP: f64 = 10_000.0;
/// The slope is taken over at most so many calls, evenly spread, so that a long run stays cheap.
const POINTS: usize = 200;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let calls = of_calls(ctx.trace);
    let mut found: Vec<Finding> = of_files(ctx).into_iter().collect();
    found.extend(stateless(ctx, &calls).or_else(|| stateful(ctx, &calls)));
    found
}

/// The context of each call of the main thread.
fn of_calls(trace: &Trace) -> Vec<(f64, &Booking)> {
    trace.bookings.iter().filter(|b| !b.side && trace.books_one_call(b)).filter_map(|b| Some((context(b)?, b))).collect()
}

/// Everything that the model was sent.
#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn context(b: &Booking) -> Option<f64> {
    b.tokens.context().map(|n| n as f64).filter(|n| *n > 0.0)
}

/// Whether the context fell so far that a new stretch begins.
fn falls(before: f64, now: f64) -> bool {
    now < before / 2.0 || before - now > DROP
}

/// The longest stretch of a run in which the context was not cut.
struct Growth<'a> {
    stretch: &'a [(f64, &'a Booking)],
    first: (f64, &'a Booking),
    last: (f64, &'a Booking),
    slope: f64,
}

impl<'a> Growth<'a> {
    fn of(calls: &'a [(f64, &'a Booking)]) -> Option<Self> {
        let stretch = calls.chunk_by(|a, b| !falls(a.0, b.0)).max_by_key(|s| s.len())?;
        let values: Vec<f64> = stretch.iter().map(|(c, _)| *c).collect();
        Some(Self { stretch, first: *stretch.first()?, last: *stretch.last()?, slope: slope(&values)? })
    }

    /// In words, with how often the whole context was read again.
    fn words(&self, trace: &Trace, calls: &[(f64, &Booking)]) -> String {
        let compactions = trace.marks.iter().filter(|m| m.kind == MarkKind::Compact).count();
        let cut = if compactions > 0 { format!(", {compactions} compactions") } else { String::new() };
        let all: f64 = calls.iter().map(|(c, _)| c).sum();
        let largest = calls.iter().map(|(c, _)| *c).fold(0.0, f64::max);
        format!(
            "{:.0} to {:.0} tokens of context over {} calls, {:.0} more a call (robust slope){cut}; all input is {:.1} x the largest context",
            self.first.0,
            self.last.0,
            self.stretch.len(),
            self.slope,
            all / largest.max(1.0)
        )
    }
}

/// How a run's context grew, where its calls tell, for every run: most sessions grow, and few so much that it is a finding.
#[must_use]
pub fn described(trace: &Trace) -> Option<String> {
    let calls = of_calls(trace);
    Growth::of(&calls).map(|g| g.words(trace, &calls))
}

/// A loop that goes on in one growing session. A single session grows by its nature: that is a suspicion only, unless it came
/// to the end of its window.
fn stateful(ctx: &Context<'_>, calls: &[(f64, &Booking)]) -> Option<Finding> {
    let trace = ctx.trace;
    let limits = ctx.limits;
    let growth = Growth::of(calls)?;
    let (first, last) = (growth.first, growth.last);
    if growth.stretch.len() < limits.growth_calls as usize
        || growth.slope <= 0.0
        || last.0 < limits.growth_factor * first.0
        || last.0 - first.0 < limits.growth_tokens
    {
        return None;
    }
    let iteration = |b: &Booking| trace.step(b.step).map(|s| s.iteration);
    let passes = trace.steps.iter().filter(|s| s.kind == StepKind::IterStart).count();
    let looped = !trace.derived || passes > 1 && iteration(first.1) != iteration(last.1);
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let full = trace.window.is_some_and(|w| last.0 >= limits.window_share * w as f64);
    let confidence = if looped || full { Confidence::Medium } else { Confidence::Low };
    let summary = format!("one growing session: {}", growth.words(trace, calls));
    let evidence = Evidence::new(
        trace.place(last.1.step),
        format!("{:.0} tokens", last.0),
        format!("{} x the first, {:.0}", limits.growth_factor, first.0),
    );
    let begin = Evidence::new(trace.place(first.1.step), format!("{:.0} tokens", first.0), "");
    Some(
        Finding::new(Kind::ContextGrowth, Some("stateful"), confidence, summary, evidence)
            .by("growth_factor")
            .by("growth_tokens")
            .by("growth_calls")
            .over(Episode { first: first.1.step, last: last.1.step, overcome: false })
            .and([begin]),
    )
}

/// Iterations that each begin a session: what the first call of each is sent should not grow.
fn stateless(ctx: &Context<'_>, calls: &[(f64, &Booking)]) -> Option<Finding> {
    let trace = ctx.trace;
    let starts = trace.steps.iter().filter(|s| s.kind == StepKind::IterStart).count();
    if starts < ctx.limits.blast_iterations as usize {
        return None;
    }
    let iteration = |b: &Booking| trace.step(b.step).map(|s| s.iteration);
    let firsts: Vec<(f64, &Booking)> = calls.chunk_by(|a, b| iteration(a.1) == iteration(b.1)).filter_map(|c| c.first().copied()).collect();
    let ends: Vec<f64> = calls.chunk_by(|a, b| iteration(a.1) == iteration(b.1)).filter_map(|c| c.last().map(|(c, _)| *c)).collect();
    let several = calls.len() >= 2 * firsts.len();
    // Only where iterations begin below where the one before ended is a fresh session begun each time.
    let fresh = firsts.iter().skip(1).zip(&ends).filter(|((first, _), end)| first < *end).count();
    if firsts.len() < ctx.limits.blast_iterations as usize || !several || fresh * 2 < firsts.len() {
        return None;
    }
    let values: Vec<f64> = firsts.iter().map(|(c, _)| *c).collect();
    let slope = slope(&values)?;
    let (a, b) = (firsts.first()?, firsts.last()?);
    if slope <= 0.0 || b.0 < ctx.limits.growth_stateless * a.0 {
        return None;
    }
    let summary = format!(
        "stateless, and still swelling: iterations begin with {:.0} and end up beginning with {:.0} tokens, {slope:.0} more each time",
        a.0, b.0
    );
    let evidence = Evidence::new(trace.place(b.1.step), format!("{:.0} tokens at the start", b.0), format!("{:.0} at the first", a.0));
    let begin = Evidence::new(trace.place(a.1.step), format!("{:.0} tokens at the start", a.0), "");
    Some(
        Finding::new(Kind::ContextGrowth, Some("stateless"), Confidence::Medium, summary, evidence)
            .by("growth_stateless")
            .over(Episode { first: a.1.step, last: b.1.step, overcome: false })
            .and([begin]),
    )
}

/// The file that carries the state: over its ceiling, or with files that it had no room for.
fn of_files(ctx: &Context<'_>) -> Option<Finding> {
    let mut files = ctx.trace.contexts.clone();
    files.sort_by_key(|f| (f.number.is_none(), f.number));
    #[expect(clippy::cast_precision_loss, reason = "a file's length")]
    let tokens = |characters: u64| characters as f64 / CHARACTERS;
    let ceiling = ctx.limits.context_ceiling;
    let over: Vec<_> = files.iter().filter(|f| tokens(f.characters) > ceiling || f.skipped > 0).collect();
    let worst = over.iter().max_by_key(|f| (tokens(f.characters) > ceiling, f.skipped, f.characters))?;
    let values: Vec<f64> = files.iter().map(|f| tokens(f.characters)).collect();
    let grown = slope(&values)
        .filter(|s| *s > 0.0 && files.len() > 2)
        .map(|s| format!("; {s:.0} tokens more with each iteration"))
        .unwrap_or_default();
    let size = tokens(worst.characters);
    let left_out = if worst.skipped > 0 { format!(", {} files left out for want of room", worst.skipped) } else { String::new() };
    let summary = format!("the context file holds {size:.0} tokens against a ceiling of {ceiling:.0}{left_out}{grown}");
    let evidence = Evidence::new(worst.place, format!("{size:.0} tokens{left_out}"), format!("{ceiling:.0} tokens"));
    Some(Finding::new(Kind::ContextGrowth, Some("files"), Confidence::High, summary, evidence).by("context_ceiling"))
}

/// The Theil-Sen slope: the median of the slopes of all pairs (Theil 1950, Sen 1968).
fn slope(values: &[f64]) -> Option<f64> {
    let step = values.len().div_ceil(POINTS).max(1);
    #[expect(clippy::cast_precision_loss, reason = "a count of calls")]
    let points: Vec<(f64, f64)> = values.iter().enumerate().step_by(step).map(|(k, v)| (k as f64, *v)).collect();
    let mut slopes: Vec<f64> =
        points.iter().enumerate().flat_map(|(k, a)| points[k + 1..].iter().map(move |b| (b.1 - a.1) / (b.0 - a.0))).collect();
    slopes.sort_by(f64::total_cmp);
    let middle = slopes.len() / 2;
    match slopes.len() {
        0 => None,
        n if n % 2 == 1 => slopes.get(middle).copied(),
        _ => Some(f64::midpoint(slopes[middle - 1], slopes[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_slope_that_one_outlier_does_not_move() {
        assert_eq!(slope(&[1.0, 3.0, 5.0, 7.0]), Some(2.0));
        // pairs: 2, 2, 49.5... the median of 10 slopes stays at 2
        assert_eq!(slope(&[1.0, 3.0, 5.0, 7.0, 500.0]).map(|s| s < 120.0), Some(true));
        assert_eq!(slope(&[4.0]), None);
    }
}
