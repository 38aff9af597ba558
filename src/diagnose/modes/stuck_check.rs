//! Stuck at the check: the same failure in consecutive red iterations, or the loop's own word.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::EndKind;
use crate::trace::rows::Iteration;

/// A streak of equal failures, as positions in `judged`-indices of a red stretch.
struct Streak {
    first: usize,
    last: usize,
    length: u32,
    fine_equal: bool,
}

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let own = own_word(ctx);
    let mut findings = Vec::new();
    for stretch in ctx.red_stretches() {
        for streak in streaks(ctx, stretch) {
            if streak.length < ctx.limits.stuck_suspect {
                continue;
            }
            let row = ctx.iteration(streak.last);
            // The streak that made the loop stop is told with the loop's own word.
            if own.as_ref().is_some_and(|(_, step)| {
                ctx.trace
                    .steps
                    .get(*step as usize)
                    .is_some_and(|s| s.iteration as usize >= streak.first && s.iteration as usize <= streak.last + 1)
            }) {
                continue;
            }
            let verdict = streak.length >= ctx.limits.stuck_verdict;
            let confidence = match (verdict, streak.fine_equal) {
                (false, _) => Confidence::Low,
                (true, true) => Confidence::High,
                (true, false) => Confidence::Medium,
            };
            let threshold = if verdict { "stuck_verdict" } else { "stuck_suspect" };
            let limit = if verdict { ctx.limits.stuck_verdict } else { ctx.limits.stuck_suspect };
            let first = ctx.iteration(streak.first);
            let summary = format!("the same failure in {} red iterations in a row ({} to {})", streak.length, first.number, row.number);
            let step = first.verdict_step.unwrap_or(first.first_step);
            let last = row.verdict_step.unwrap_or(row.first_step);
            let overcome = overcome(ctx, streak.last, streak.length as usize, row.coarse);
            let evidence = Evidence::new(ctx.trace.place(last), format!("{} equal failures", streak.length), limit.to_string());
            let begin = Evidence::new(ctx.trace.place(step), format!("first of them, iteration {}", first.number), "");
            findings.push(
                Finding::new(Kind::Stuck, Some("check"), confidence, summary, evidence)
                    .by(threshold)
                    .over(Episode { first: step, last, overcome })
                    .and([begin]),
            );
        }
    }
    findings.extend(own.map(|(finding, _)| finding));
    findings
}

/// The loop's own `stuck` event, unless what it repeated was infrastructure.
fn own_word(ctx: &Context<'_>) -> Option<(Finding, u32)> {
    let trace = ctx.trace;
    let end = trace.ends.iter().rev().find(|e| e.how == EndKind::Stuck)?;
    if ctx.blocked_by_infrastructure(end.step) {
        return None;
    }
    let at = trace.steps.get(end.step as usize)?.iteration as usize;
    // The equal failures that led to it, the last one perhaps in the stuck record itself.
    let before: Vec<usize> = ctx.judged.iter().copied().filter(|k| *k <= at).collect();
    let coarse = before.last().map(|k| ctx.iteration(*k).coarse);
    let equal = before.iter().rev().take_while(|k| Some(ctx.iteration(**k).coarse) == coarse).count();
    let first = equal.checked_sub(1).and_then(|n| before.get(before.len() - 1 - n)).copied().unwrap_or(at);
    let row = ctx.iteration(first);
    let step = row.verdict_step.unwrap_or(row.first_step);
    let number = trace.iteration_number(end.step).unwrap_or(0);
    let summary = match equal {
        0 | 1 => format!("the loop's own repeat detector stopped it in iteration {number}"),
        n => format!("the loop's own repeat detector stopped it in iteration {number}, at the same failure {n} times in a row"),
    };
    let evidence = Evidence::new(trace.place(end.step), "the loop's own stuck event", "the loop's own word");
    let begin =
        (step != end.step).then(|| Evidence::new(trace.place(step), format!("first of the equal failures, iteration {}", row.number), ""));
    let overcome = ctx.green_after(end.step);
    let finding = Finding::new(Kind::Stuck, Some("own"), Confidence::High, summary, evidence)
        .over(Episode { first: step, last: end.step, overcome })
        .and(begin);
    Some((finding, end.step))
}

/// Equal coarse signatures in a row. A gain inside starts the count anew: the set shrinks, it is not stuck.
fn streaks(ctx: &Context<'_>, stretch: &[usize]) -> Vec<Streak> {
    let mut all: Vec<Streak> = Vec::new();
    for k in stretch {
        let row = ctx.iteration(*k);
        match all.last_mut() {
            Some(s) if same(ctx.iteration(s.last), row) && ctx.gain.by_iteration[*k].is_none() => {
                s.fine_equal &= row.fine == ctx.iteration(s.last).fine;
                s.last = *k;
                s.length += 1;
            }
            _ => all.push(Streak { first: *k, last: *k, length: 1, fine_equal: true }),
        }
    }
    all
}

/// The same failure: equal signatures, and where both count their failures, no fewer than before. A set that shrinks behind
/// an unchanged first line is not stuck.
fn same(a: &Iteration, b: &Iteration) -> bool {
    a.coarse != 0 && a.coarse == b.coarse && (a.failed.is_none() || b.failed.is_none() || b.failed >= a.failed)
}

/// Green later, or other failures for at least as long again.
fn overcome(ctx: &Context<'_>, last: usize, length: usize, coarse: u64) -> bool {
    let row = ctx.iteration(last);
    // Counted only as far as it takes to decide, so that many streaks stay linear.
    let from = ctx.judged.partition_point(|k| *k <= last);
    let others = ctx.judged[from..].iter().filter(|k| ctx.iteration(**k).coarse != coarse).take(length).count();
    others >= length || ctx.green_after(row.verdict_step.unwrap_or(row.first_step))
}
