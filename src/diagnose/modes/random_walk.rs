//! A random walk: ever new failures, no gain.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::GainKind;
use std::collections::HashMap;

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    ctx.red_stretches().into_iter().filter_map(|stretch| walk(ctx, stretch)).collect()
}

fn walk(ctx: &Context<'_>, stretch: &[usize]) -> Option<Finding> {
    let limits = ctx.limits;
    let trace = ctx.trace;
    let first = longest_distinct_tail(ctx, stretch)?;
    let tail = &stretch[first..];
    let window = tail.len().min(limits.walk_window as usize);
    let last = *tail.last()?;
    let returned = returned(ctx, tail);
    // Where failures come back, one that is not there at the moment is not gone for good.
    let gains = |k: &usize| ctx.gain.by_iteration[*k].is_some_and(|g| g != GainKind::FailureGone || returned.is_none());
    if tail.len() < limits.walk_reds as usize || tail[tail.len() - window..].iter().any(gains) {
        return None;
    }
    let counts: Vec<u32> = tail.iter().filter_map(|k| ctx.iteration(*k).failed).collect();
    let counted = counts.len() * 2 >= tail.len() && counts.len() >= 2;
    // A set of one shows no more than a first error line does.
    let set = |k: &&usize| ctx.iteration(**k).set_known && ctx.trace.failing(ctx.iteration(**k)).len() > 1;
    let sets = tail.iter().filter(set).count() * 2 >= tail.len();
    let blind = !counted && !sets;
    let rising = counted && counts.iter().any(|c| Some(c) != counts.first()) && mann_kendall(&counts) >= 0;
    let tree = tree_returned(ctx, tail);
    let confidence = match () {
        () if blind && tail.len() < limits.walk_single as usize => Confidence::Low,
        () if returned.is_some() || tree.is_some() || rising => Confidence::High,
        () => Confidence::Medium,
    };
    let (a, b) = (ctx.iteration(tail[0]), ctx.iteration(last));
    let distinct = distinct(ctx, tail);
    let why = match (returned, tree, rising, blind) {
        (Some(k), ..) => format!("; a failure that was gone came back in iteration {}", ctx.iteration(k).number),
        (_, Some(k), ..) => format!("; the tree went back to an earlier state in iteration {}", ctx.iteration(k).number),
        (_, _, true, _) => format!("; failures went from {} to {}", counts[0], counts[counts.len() - 1]),
        (_, _, _, true) => "; one error line at a time, no counts".to_owned(),
        _ => "; the number of failures stands still".to_owned(),
    };
    let summary =
        format!("{distinct} distinct failures in {} red iterations in a row ({} to {}), no gain{why}", tail.len(), a.number, b.number);
    let step = a.verdict_step.unwrap_or(a.first_step);
    let end = b.verdict_step.unwrap_or(b.first_step);
    let (threshold, held) = if blind { ("walk_single", limits.walk_single) } else { ("walk_reds", limits.walk_reds) };
    let evidence = Evidence::new(trace.verdict_place(b), format!("{} reds without gain", tail.len()), held.to_string());
    let mut more = vec![Evidence::new(trace.verdict_place(a), format!("the walk begins, iteration {}", a.number), "")];
    if let Some(k) = returned.or(tree) {
        more.push(Evidence::new(trace.verdict_place(ctx.iteration(k)), "an earlier state again", ""));
    }
    Some(
        Finding::new(Kind::RandomWalk, None, confidence, summary, evidence)
            .by(threshold)
            .by("walk_distinct")
            .by("walk_window")
            .over(Episode { first: step, last: end, overcome: ctx.green_after(end) })
            .and(more),
    )
}

/// Where the longest tail begins in which the wanted share of signatures is distinct. Reds without a signature end it.
fn longest_distinct_tail(ctx: &Context<'_>, stretch: &[usize]) -> Option<usize> {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut best = None;
    for (n, at) in (0..stretch.len()).rev().enumerate() {
        let coarse = ctx.iteration(stretch[at]).coarse;
        if coarse == 0 {
            break;
        }
        *seen.entry(coarse).or_default() += 1;
        #[expect(clippy::cast_precision_loss, reason = "a count of iterations")]
        if seen.len() as f64 >= ctx.limits.walk_distinct * (n + 1) as f64 {
            best = Some(at);
        }
    }
    best
}

fn distinct(ctx: &Context<'_>, tail: &[usize]) -> usize {
    tail.iter().map(|k| ctx.iteration(*k).coarse).collect::<std::collections::HashSet<_>>().len()
}

/// The first iteration in which a failure stands again that had been gone: by known sets, else by signature.
fn returned(ctx: &Context<'_>, tail: &[usize]) -> Option<usize> {
    let mut last_at: HashMap<u64, usize> = HashMap::new();
    for (n, k) in tail.iter().enumerate() {
        let row = ctx.iteration(*k);
        let coarse = [row.coarse];
        let keys = if row.set_known { ctx.trace.failing(row) } else { &coarse };
        if keys.iter().any(|key| !ctx.gain.flaky.contains(key) && last_at.get(key).is_some_and(|before| n - before > 1)) {
            return Some(*k);
        }
        for key in keys {
            last_at.insert(*key, n);
        }
    }
    None
}

/// The first iteration whose checked tree had been checked before, with another one between.
fn tree_returned(ctx: &Context<'_>, tail: &[usize]) -> Option<usize> {
    let mut last_at = HashMap::new();
    for (n, k) in tail.iter().enumerate() {
        let Some(commit) = ctx.iteration(*k).commit else { continue };
        if last_at.insert(commit, n).is_some_and(|before: usize| n - before > 1) {
            return Some(*k);
        }
    }
    None
}

/// The Mann–Kendall statistic S: pairs that rise less pairs that fall (Mann 1945, Kendall 1975). Counted over the last
/// 200 values, so that a long run stays linear.
fn mann_kendall(counts: &[u32]) -> i64 {
    let counts = &counts[counts.len().saturating_sub(200)..];
    let mut s = 0;
    for (k, a) in counts.iter().enumerate() {
        for b in &counts[k + 1..] {
            s += i64::from(b > a) - i64::from(b < a);
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trend() {
        assert_eq!(mann_kendall(&[1, 2, 3]), 3);
        assert_eq!(mann_kendall(&[3, 2, 1]), -3);
        assert_eq!(mann_kendall(&[5, 6, 5, 6]), 2);
        assert_eq!(mann_kendall(&[4, 4]), 0);
    }
}
