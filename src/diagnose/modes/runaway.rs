//! Spending with no end in sight, or on after the end.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Money;
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::rows::{Colour, Dimension, Limit, Step, StepKind};

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = never_green(ctx).into_iter().collect();
    findings.extend(after_done(ctx));
    findings
}

/// Never green, ten or more iterations, and too dear by the best measure that is known.
fn never_green(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let limits = ctx.limits;
    let iterations = u32::try_from(trace.iterations.len()).unwrap_or(u32::MAX);
    let reds = ctx.judged.iter().filter(|k| ctx.iteration(**k).colour == Colour::Red).count();
    if ctx.ever_green() || iterations < limits.runaway_iterations || reds == 0 {
        return None;
    }
    let spent = trace.spent_from(0);
    let tokens = trace.tokens_from(0).total();
    let budget = |dimension| trace.budget.as_ref().and_then(|b| b.limits.iter().find(|l| l.dimension == dimension));
    let (variant, confidence, threshold, crossed, measured, held) = match (budget(Dimension::CostUsd), budget(Dimension::TotalTokens)) {
        (Some(limit), _) if spent.is_some() => {
            let cap = Money::from_f64(limit.limit)?;
            let spent = spent.filter(|s| *s > cap)?;
            (
                "budget",
                Confidence::High,
                None,
                crossing(ctx, cap)?,
                format!("{} spent", spent.short()),
                format!("{} (costUsd)", cap.short()),
            )
        }
        (_, Some(limit)) if tokens.is_some() => {
            let used = tokens.filter(|t| as_f64(*t) > limit.limit)?;
            (
                "budget",
                Confidence::High,
                None,
                token_crossing(ctx, limit)?,
                format!("{used} tokens"),
                format!("{} (totalTokens)", limit.limit),
            )
        }
        (..) if spent.is_some() => {
            let cap = Money::from_f64(limits.runaway_usd)?;
            let spent = spent.filter(|s| *s > cap)?;
            (
                "cost",
                Confidence::Medium,
                Some("runaway_usd"),
                crossing(ctx, cap)?,
                format!("{} spent, never green", spent.short()),
                cap.short(),
            )
        }
        (..) if tokens.is_none() && reds >= limits.runaway_reds as usize => {
            let red = *ctx.judged.iter().filter(|k| ctx.iteration(**k).colour == Colour::Red).nth(limits.runaway_reds as usize - 1)?;
            let row = ctx.iteration(red);
            (
                "length",
                Confidence::Medium,
                Some("runaway_reds"),
                row.verdict_step?,
                format!("{reds} red iterations, never green"),
                limits.runaway_reds.to_string(),
            )
        }
        _ => return None,
    };
    let number = trace.iteration_number(crossed).unwrap_or(0);
    let summary = format!("{measured} after {iterations} iterations; the line of {held} was crossed in iteration {number}");
    let last = u32::try_from(trace.steps.len() - 1).unwrap_or(u32::MAX);
    let evidence = Evidence::new(trace.place(crossed), measured, held);
    let finding =
        Finding::new(Kind::Runaway, Some(variant), confidence, summary, evidence).over(Episode { first: crossed, last, overcome: false });
    Some(match threshold {
        Some(name) => finding.by(name),
        None => finding,
    })
}

/// The step that brought the reported cost above a sum.
fn crossing(ctx: &Context<'_>, cap: Money) -> Option<u32> {
    let mut sum = Money::ZERO;
    ctx.trace.bookings.iter().find_map(|b| {
        sum += b.spent.unwrap_or_default();
        (sum > cap).then_some(b.step)
    })
}

fn token_crossing(ctx: &Context<'_>, limit: &Limit) -> Option<u32> {
    let mut sum = 0_u64;
    ctx.trace.bookings.iter().find_map(|b| {
        sum = sum.saturating_add(b.tokens.total().unwrap_or(0));
        (as_f64(sum) > limit.limit).then_some(b.step)
    })
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

/// The work was done, by a lasting green or by the run's own word, and the loop went on with nothing new to do.
fn after_done(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let green = ctx.lasting_green.and_then(|k| ctx.iteration(k).verdict_step.map(|s| (k, s)));
    let claim =
        trace.ends.iter().find(|e| e.how == EndKind::Claim).and_then(|e| trace.step(e.step).map(|s| (s.iteration as usize, e.step)));
    let claim = claim.filter(|(k, _)| !ctx.judged.iter().any(|j| j > k && ctx.iteration(*j).colour == Colour::Red));
    let (at, step) = green.or(claim)?;
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
        trace.steps[step as usize..].iter().filter(|s| fed(s)).count()
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
