//! Spending with no end in sight, or on after the end.

use crate::diagnose::finding::Episode;
use crate::diagnose::norms::rounded;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Money;
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::governance::ItemStatus;
use crate::trace::rows::{Action, Colour, Dimension, Limit, Step, StepKind};
use crate::trace::tool::ToolClass;

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = never_green(ctx).into_iter().collect();
    findings.extend(after_done(ctx));
    findings
}

/// The line that a run crossed.
struct Line {
    variant: &'static str,
    confidence: Confidence,
    /// The setting that draws it; none for a budget's own.
    threshold: Option<&'static str>,
    crossed: u32,
    measured: String,
    held: String,
}

/// Never green, ten or more iterations (and more than the same loop's green runs take), and too dear by a measure that is
/// known.
fn never_green(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let iterations = u32::try_from(trace.iterations.len()).unwrap_or(u32::MAX);
    let usual = ctx.norms.peers.map_or(0, |p| p.iterations_p95);
    let reds: Vec<usize> = ctx.judged.iter().copied().filter(|k| ctx.iteration(*k).colour == Colour::Red).collect();
    if ctx.ever_green() || iterations < ctx.limits.runaway_iterations.max(usual) || reds.is_empty() {
        return None;
    }
    let mut known = false;
    let measures: [fn(&Context<'_>, &mut bool) -> Option<Line>; 4] = [budget_cost, budget_tokens, baseline, peers];
    let crossed = measures.iter().find_map(|measure| measure(ctx, &mut known));
    let line = crossed.or_else(|| if known { None } else { fallback(ctx) }).or_else(|| length(ctx, &reds))?;
    let Line { variant, confidence, threshold, crossed, measured, held } = line;
    let number = trace.iteration_number(crossed).unwrap_or(0);
    let summary = format!("{measured} after {iterations} iterations; the line of {held} was crossed in iteration {number}");
    let last = u32::try_from(trace.steps.len() - 1).unwrap_or(u32::MAX);
    let evidence = Evidence::new(trace.place(crossed), measured, held);
    let finding =
        Finding::new(Kind::Runaway, Some(variant), confidence, summary, evidence).over(Episode { first: crossed, last, overcome: false });
    let finding = match threshold {
        Some(name) => finding.by(name),
        None => finding,
    };
    let finding = if variant == "peers" { finding.by("runaway_peer_runs") } else { finding };
    Some(finding.by("runaway_iterations"))
}

fn limit_of<'t>(ctx: &Context<'t>, dimension: Dimension) -> Option<&'t Limit> {
    ctx.trace.budget.as_ref()?.limits.iter().find(|l| l.dimension == dimension)
}

fn budget_cost(ctx: &Context<'_>, known: &mut bool) -> Option<Line> {
    let spent = ctx.trace.spent_from(0)?;
    let limit = limit_of(ctx, Dimension::CostUsd)?;
    *known = true;
    let cap = Money::from_f64(limit.limit).filter(|cap| spent > *cap)?;
    Some(Line {
        variant: "budget",
        confidence: Confidence::High,
        threshold: None,
        crossed: above(ctx, cap)?,
        measured: format!("{} spent", spent.short()),
        held: format!("{} (costUsd)", cap.short()),
    })
}

fn budget_tokens(ctx: &Context<'_>, known: &mut bool) -> Option<Line> {
    // Where money decides, tokens do not.
    let used = ctx.trace.tokens_from(0).total().filter(|_| !*known)?;
    let limit = limit_of(ctx, Dimension::TotalTokens)?;
    *known = true;
    if as_f64(used) <= limit.limit {
        return None;
    }
    Some(Line {
        variant: "budget",
        confidence: Confidence::High,
        threshold: None,
        crossed: token_crossing(ctx, limit.limit)?,
        measured: format!("{used} tokens"),
        held: format!("{} (totalTokens)", limit.limit),
    })
}

fn baseline(ctx: &Context<'_>, known: &mut bool) -> Option<Line> {
    let norm = ctx.norms.baseline?;
    let many = Many { variant: "baseline", threshold: "runaway_baseline", times: ctx.limits.runaway_baseline, what: "baseline's" };
    many.of(ctx, norm.usd, norm.tokens, known)
}

fn peers(ctx: &Context<'_>, known: &mut bool) -> Option<Line> {
    let peers = ctx.norms.peers?;
    let what = "green runs' median of";
    let many = Many { variant: "peers", threshold: "runaway_peers", times: ctx.limits.runaway_peers, what };
    many.of(ctx, peers.usd, peers.tokens, known)
}

/// Several times what is usual, in money, else in tokens.
struct Many {
    variant: &'static str,
    threshold: &'static str,
    times: f64,
    what: &'static str,
}

impl Many {
    fn of(&self, ctx: &Context<'_>, usd: Option<f64>, tokens: Option<f64>, known: &mut bool) -> Option<Line> {
        let spent = ctx.trace.spent_from(0);
        let used = ctx.trace.tokens_from(0).total();
        let (measured, usual, factor, crossed) = if let Some((spent, usual)) = spent.zip(usd) {
            let usual_is = Money::from_f64(usual)?.short();
            (format!("{} spent", spent.short()), usual_is, spent.to_f64() / usual, crossing(ctx, usual * self.times))
        } else {
            let (used, usual) = used.zip(tokens)?;
            (format!("{used} tokens"), format!("{usual:.0} tokens"), as_f64(used) / usual, token_crossing(ctx, usual * self.times))
        };
        *known = true;
        if rounded(factor) < self.times {
            return None;
        }
        Some(Line {
            variant: self.variant,
            confidence: Confidence::High,
            threshold: Some(self.threshold),
            // A sum that is the line to the last digit may miss it by a rounding.
            crossed: crossed.or_else(|| ctx.trace.bookings.last().map(|b| b.step))?,
            measured,
            held: format!("{} x the {} {usual}", self.times, self.what),
        })
    }
}

/// With no budget, no baseline and no green runs to go by, a plain sum.
fn fallback(ctx: &Context<'_>) -> Option<Line> {
    let spent = ctx.trace.spent_from(0)?;
    let cap = Money::from_f64(ctx.limits.runaway_usd).filter(|cap| spent > *cap)?;
    Some(Line {
        variant: "cost",
        confidence: Confidence::Medium,
        threshold: Some("runaway_usd"),
        crossed: above(ctx, cap)?,
        measured: format!("{} spent, never green", spent.short()),
        held: cap.short(),
    })
}

/// With neither cost nor tokens in the log, red iterations, or the baseline's calls.
fn length(ctx: &Context<'_>, reds: &[usize]) -> Option<Line> {
    let trace = ctx.trace;
    if trace.spent_from(0).is_some() || trace.tokens_from(0).total().is_some() {
        return None;
    }
    let line = |threshold, crossed, measured, held| Line {
        variant: "length",
        confidence: Confidence::Medium,
        threshold: Some(threshold),
        crossed,
        measured,
        held,
    };
    let limit = ctx.limits.runaway_reds;
    if reds.len() >= limit as usize {
        let row = ctx.iteration(*reds.get(limit as usize - 1)?);
        return Some(line("runaway_reds", row.verdict_step?, format!("{} red iterations, never green", reds.len()), limit.to_string()));
    }
    let by_hand = ctx.norms.baseline.and_then(|b| b.calls)?;
    let times = ctx.limits.runaway_baseline;
    if rounded(f64::from(trace.calls()) / by_hand) < times {
        return None;
    }
    let crossed = nth_call(ctx, by_hand * times)?;
    Some(line(
        "runaway_baseline",
        crossed,
        format!("{} calls, never green", trace.calls()),
        format!("{times} x the baseline's {by_hand:.0}"),
    ))
}

/// The step that brought the cost above a sum.
fn above(ctx: &Context<'_>, cap: Money) -> Option<u32> {
    first_sum(ctx, |sum| sum > cap)
}

/// The step that brought the cost to a sum of dollars.
pub(in crate::diagnose) fn crossing(ctx: &Context<'_>, usd: f64) -> Option<u32> {
    first_sum(ctx, |sum| sum.to_f64() >= usd)
}

fn first_sum(ctx: &Context<'_>, reached: impl Fn(Money) -> bool) -> Option<u32> {
    let mut sum = Money::ZERO;
    ctx.trace.bookings.iter().find_map(|b| {
        sum += b.spent.unwrap_or_default();
        reached(sum).then_some(b.step)
    })
}

/// The step that brought the tokens above a number.
pub(in crate::diagnose) fn token_crossing(ctx: &Context<'_>, limit: f64) -> Option<u32> {
    let mut sum = 0_u64;
    ctx.trace.bookings.iter().find_map(|b| {
        sum = sum.saturating_add(b.tokens.total().unwrap_or(0));
        (as_f64(sum) > limit).then_some(b.step)
    })
}

/// The step of the call that brings their number to at least `n`.
pub(in crate::diagnose) fn nth_call(ctx: &Context<'_>, n: f64) -> Option<u32> {
    let trace = ctx.trace;
    let mut calls = 0_u32;
    let at = trace.steps.iter().position(|s| {
        calls += u32::from(trace.is_call(s.kind));
        f64::from(calls) >= n
    })?;
    u32::try_from(at).ok()
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

/// The first claim of done after which no file was changed and no check was red.
fn claimed_and_idle(ctx: &Context<'_>) -> Option<(usize, u32)> {
    let trace = ctx.trace;
    let edited = trace.actions.iter().filter(|a| a.class == ToolClass::Edit && a.ok != Some(false)).map(|a| a.step).max();
    let red = trace.checks.iter().filter(|c| c.colour == Colour::Red).map(|c| c.step).max();
    let from = edited.max(red).unwrap_or(0);
    let said = trace.said.iter().find(|s| s.claims && s.ends && s.step >= from)?;
    Some((trace.step(said.step)?.iteration as usize, said.step))
}

/// The acceptance matrix, or the state file, says that something is still to be done.
fn open_items(ctx: &Context<'_>) -> bool {
    let trace = ctx.trace;
    let newest = trace.scopes.iter().max_by_key(|s| (s.step, s.number.is_none(), s.number));
    newest.is_some_and(|s| s.items.iter().any(|i| matches!(i.status, ItemStatus::Pending | ItemStatus::InProgress)))
}

/// A pass changed files and committed them: it had something to do, whatever was green before.
fn kept_work(ctx: &Context<'_>, from: usize, to: usize) -> bool {
    let within = |a: &&Action| (from..to).contains(&(a.step as usize)) && a.ok != Some(false);
    let mut actions = ctx.trace.actions.iter().filter(within).skip_while(|a| a.class != ToolClass::Edit);
    actions.any(|a| a.commits)
}

/// The work was done, by a lasting green or by the run's own word, and the loop went on with nothing new to do.
pub(super) fn after_done(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    // A pass that ends green may have been red on its way: then it had work to do.
    let red = trace.checks.iter().filter(|c| c.colour == Colour::Red).map(|c| c.step).max();
    let lasting = ctx.lasting_green.into_iter().flat_map(|first| ctx.judged.iter().copied().filter(move |k| *k >= first));
    let green = lasting.filter_map(|k| ctx.iteration(k).verdict_step.map(|s| (k, s))).find(|(_, s)| red.is_none_or(|red| red < *s));
    let claim =
        trace.ends.iter().find(|e| e.how == EndKind::Claim).and_then(|e| trace.step(e.step).map(|s| (s.iteration as usize, e.step)));
    let claim = claim
        .filter(|(k, _)| !ctx.judged.iter().any(|j| j > k && ctx.iteration(*j).colour == Colour::Red))
        .filter(|(_, step)| red.is_none_or(|red| red < *step));
    let (at, step) = green.or(claim).or_else(|| claimed_and_idle(ctx))?;
    if open_items(ctx) {
        return None;
    }
    let new_task = trace.marks.iter().any(|m| m.step > step && matches!(m.kind, MarkKind::Person | MarkKind::Resume | MarkKind::Revision));
    // Iterations that only hold the end record are not "going on".
    let worked = |k: &usize| {
        let first = ctx.iteration(*k).first_step as usize;
        let end = trace.iterations.get(k + 1).map_or(trace.steps.len(), |n| n.first_step as usize);
        trace.steps[first..end].iter().any(|s| !matches!(s.kind, StepKind::End(_) | StepKind::Mark(_)))
    };
    // In a session a check that is run again is no new pass: only a prompt that is fed again is.
    let fed =
        |s: &Step| s.kind == StepKind::IterStart || matches!(s.kind, StepKind::Mark(m) if trace.marks[m as usize].kind == MarkKind::Fed);
    let after = if trace.derived {
        let passes: Vec<usize> = (step as usize..trace.steps.len()).filter(|k| fed(&trace.steps[*k])).collect();
        let end = |n: usize| passes.get(n + 1).copied().unwrap_or(trace.steps.len());
        passes.iter().enumerate().filter(|(n, from)| !kept_work(ctx, **from, end(*n))).count()
    } else {
        (at + 1..trace.iterations.len()).filter(worked).count()
    };
    if new_task || after < ctx.limits.runaway_after_green as usize {
        return None;
    }
    let row = ctx.iteration(at);
    let summary = format!("{after} more iterations after iteration {} had it done", row.number);
    let last = u32::try_from(trace.steps.len() - 1).unwrap_or(u32::MAX);
    let first_after = trace.iterations.get(at + 1).map_or(step, |i| i.first_step);
    let evidence =
        Evidence::new(trace.place(step), format!("done, then {after} more iterations"), ctx.limits.runaway_after_green.to_string());
    let more = Evidence::new(trace.place(first_after), "the loop goes on", "");
    Some(
        Finding::new(Kind::Runaway, Some("after_done"), Confidence::High, summary, evidence)
            .by("runaway_after_green")
            .over(Episode { first: first_after, last, overcome: false })
            .and([more]),
    )
}
