//! Back and forth: failures, checked trees or calls that cycle with a short period.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::GainKind;
use crate::trace::event::MarkKind;
use crate::trace::rows::{Action, Content};
use crate::trace::tool::ToolClass;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A cyclic stretch of a sequence, as positions in it.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
struct Cycle {
    first: usize,
    last: usize,
    period: usize,
}

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let mut findings = of_iterations(ctx);
    // An edit and its reverse are calls that cycle too: what stands in the file says more.
    findings.extend(of_contents(ctx));
    findings.extend(of_calls(ctx));
    findings
}

/// Cycles of failure signatures and of checked trees. Two full returns, with no gain after the first round.
fn of_iterations(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let returns = ctx.limits.oscillation_returns as usize;
    let mut findings = Vec::new();
    // Where each signature stands among the judged iterations.
    let mut stands: HashMap<u64, Vec<usize>> = HashMap::new();
    for (n, k) in ctx.judged.iter().enumerate() {
        stands.entry(ctx.iteration(*k).coarse).or_default().push(n);
    }
    for stretch in ctx.red_stretches() {
        let signatures: Vec<Option<u64>> = stretch.iter().map(|k| Some(ctx.iteration(*k).coarse).filter(|c| *c != 0)).collect();
        let trees: Vec<Option<u64>> =
            stretch.iter().map(|k| ctx.iteration(*k).commit.map(|c| crate::format::json::hash(trace.names.text(c).as_bytes()))).collect();
        for (keys, variant, what) in [(signatures, "signature", "failures"), (trees, "content", "checked trees")] {
            for cycle in cycles(&keys, ctx.limits.oscillation_period as usize, |p| returns * p + 1) {
                let (first, last) = (stretch[cycle.first], stretch[cycle.last]);
                if gained(ctx, stretch[cycle.first + cycle.period], last) {
                    continue;
                }
                let (a, b) = (ctx.iteration(first), ctx.iteration(last));
                let length = cycle.last - cycle.first + 1;
                let summary =
                    format!("{what} cycle with period {} over {length} red iterations ({} to {})", cycle.period, a.number, b.number);
                let step = a.verdict_step.unwrap_or(a.first_step);
                let end = b.verdict_step.unwrap_or(b.first_step);
                let members: HashSet<u64> =
                    stretch[cycle.first..cycle.first + cycle.period].iter().map(|k| ctx.iteration(*k).coarse).collect();
                let from = ctx.judged.partition_point(|k| *k <= last);
                let same = members.iter().filter_map(|m| stands.get(m)).map(|at| at.len() - at.partition_point(|n| *n < from));
                let others = ctx.judged.len() - from - same.sum::<usize>();
                let overcome = others >= length || ctx.green_after(end);
                let evidence =
                    Evidence::new(ctx.trace.verdict_place(b), format!("{} full returns", (length - 1) / cycle.period), returns.to_string());
                let round = stretch[cycle.first..cycle.first + cycle.period].iter().map(|k| {
                    let row = ctx.iteration(*k);
                    Evidence::new(trace.verdict_place(row), format!("first round, iteration {}", row.number), "")
                });
                let confidence = if length > returns * cycle.period + 1 { Confidence::High } else { Confidence::Medium };
                findings.push(
                    Finding::new(Kind::Oscillation, Some(variant), confidence, summary, evidence)
                        .by("oscillation_returns")
                        .by("oscillation_period")
                        .over(Episode { first: step, last: end, overcome })
                        .and(round),
                );
            }
        }
    }
    findings
}

/// Whether a range of iterations came closer to green. A failure that is "gone" within a cycle comes back with it.
fn gained(ctx: &Context<'_>, first: usize, last: usize) -> bool {
    let range = ctx.gain.by_iteration.get(first..=last).unwrap_or(&[]);
    range.iter().flatten().any(|kind| *kind != GainKind::FailureGone)
}

/// Endings of files that are notes and not work: a status goes back and forth by its nature.
const NOTES: &[&str] = &[".md", ".txt", ".rst", ".log"];
/// Parts of names of such files.
const NOTE_NAMES: &[&str] = &["todo", "plan", "progress", "status", "notes", "scratch", "handoff", "memory", "prd."];

fn is_note(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    NOTES.iter().any(|end| name.ends_with(end)) || NOTE_NAMES.iter().any(|word| name.contains(word))
}

/// Files whose content comes back again and again. Two full returns, with no gain after the first round, and nobody speaking
/// in between.
fn of_contents(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let returns = ctx.limits.oscillation_returns as usize;
    let mut by_file: BTreeMap<&str, Vec<&Content>> = BTreeMap::new();
    for content in &trace.contents {
        let path = trace.names.text(content.path);
        if !is_note(path) {
            by_file.entry(path).or_default().push(content);
        }
    }
    let mut persons: Vec<u32> = trace.marks.iter().filter(|m| m.kind == MarkKind::Person).map(|m| m.step).collect();
    persons.sort_unstable();
    let mut findings = Vec::new();
    for (path, states) in by_file {
        let (mut keys, mut at) = (Vec::with_capacity(states.len()), Vec::with_capacity(states.len()));
        for (k, content) in states.iter().enumerate() {
            let before = k.checked_sub(1).map_or(content.step, |b| states[b].step);
            let spoken = |step: u32| persons.partition_point(|p| *p <= step);
            if spoken(content.step) > spoken(before) {
                keys.push(None);
                at.push(k);
            }
            keys.push(Some(content.state));
            at.push(k);
        }
        for cycle in cycles(&keys, ctx.limits.oscillation_period as usize, |p| returns * p + 1) {
            let (first, second, last) = (states[at[cycle.first]], states[at[cycle.first + cycle.period]], states[at[cycle.last]]);
            let iteration = |c: &Content| trace.step(c.step).map_or(0, |s| s.iteration as usize);
            if gained(ctx, iteration(second), iteration(last)) {
                continue;
            }
            let length = cycle.last - cycle.first + 1;
            let rounds = (length - 1) / cycle.period;
            let summary = format!("{path} comes back to an earlier content {rounds} times, with period {}", cycle.period);
            let evidence = Evidence::new(trace.place(last.step), format!("{rounds} full returns of {path}"), returns.to_string());
            let begin = Evidence::new(trace.place(second.step), "the first return", "");
            let changes_after = states.len() - 1 - at[cycle.last];
            let overcome = changes_after >= length || ctx.green_after(last.step);
            let confidence = if length > returns * cycle.period + 1 { Confidence::High } else { Confidence::Medium };
            findings.push(
                Finding::new(Kind::Oscillation, Some("content"), confidence, summary, evidence)
                    .by("oscillation_returns")
                    .by("oscillation_period")
                    .over(Episode { first: first.step, last: last.step, overcome })
                    .and([begin]),
            );
        }
    }
    findings
}

/// Cycles of calls with equal results. Polls are waiting, not work, and are left out.
fn of_calls(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let rounds = ctx.limits.oscillation_rounds as usize;
    let actions: Vec<&Action> = trace
        .actions
        .iter()
        .filter(|a| a.result_step.is_some() && a.call_key != 0 && !matches!(a.class, ToolClass::Poll | ToolClass::Plan))
        .collect();
    let mut person = trace.marks.iter().filter(|m| m.kind == MarkKind::Person).map(|m| m.step).peekable();
    let mut keys: Vec<Option<u64>> = Vec::with_capacity(actions.len());
    let mut place: Vec<usize> = Vec::with_capacity(actions.len());
    for (k, action) in actions.iter().enumerate() {
        // a person's message cuts every cycle
        while person.next_if(|p| *p < action.step).is_some() {
            keys.push(None);
            place.push(k);
        }
        keys.push(Some(action.call_key ^ action.result_key.rotate_left(17)));
        place.push(k);
    }
    let mut findings = Vec::new();
    for cycle in cycles(&keys, ctx.limits.oscillation_period as usize, |p| rounds * p) {
        let (first, last) = (actions[place[cycle.first]], actions[place[cycle.last]]);
        let length = cycle.last - cycle.first + 1;
        let end = last.result_step.unwrap_or(last.step);
        let after = actions.len() - 1 - place[cycle.last];
        let overcome = after >= length || ctx.green_after(end);
        let summary = format!("{} calls with equal results go round {} times", cycle.period, length / cycle.period);
        let evidence = Evidence::new(trace.place(last.step), format!("{} rounds", length / cycle.period), rounds.to_string());
        let begin = Evidence::new(trace.place(first.step), "the first of them", "");
        findings.push(
            Finding::new(Kind::Oscillation, Some("call"), Confidence::High, summary, evidence)
                .by("oscillation_rounds")
                .by("oscillation_period")
                .over(Episode { first: first.step, last: end, overcome })
                .and([begin]),
        );
    }
    findings
}

/// The maximal stretches with period 2 to `longest` that are at least `least(period)` long and not constant. Shorter
/// periods take precedence. Linear for each period.
fn cycles(keys: &[Option<u64>], longest: usize, least: impl Fn(usize) -> usize) -> Vec<Cycle> {
    let mut found: Vec<Cycle> = Vec::new();
    // No longer one can return once.
    for period in 2..=longest.min(keys.len() / 2) {
        let mut start = None;
        for k in period..=keys.len() {
            let equal = k < keys.len() && keys[k].is_some() && keys[k] == keys[k - period];
            match (equal, start) {
                (true, None) => start = Some(k - period),
                (false, Some(first)) => {
                    start = None;
                    let cycle = Cycle { first, last: k - 1, period };
                    let varied = keys[first..first + period].iter().any(|key| *key != keys[first]);
                    let inside = found.iter().rev().take(4).any(|c| c.first <= cycle.first && cycle.last <= c.last);
                    if varied && cycle.last - cycle.first + 1 >= least(period) && !inside {
                        found.push(cycle);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, least: impl Fn(usize) -> usize) -> Vec<Cycle> {
        let keys: Vec<Option<u64>> = text.bytes().map(|b| (b != b'-').then_some(u64::from(b))).collect();
        cycles(&keys, 4, least)
    }

    #[test]
    fn two_full_returns_make_a_cycle() {
        let returns = |p: usize| 2 * p + 1;
        assert_eq!(of("ABABA", returns), [Cycle { first: 0, last: 4, period: 2 }]);
        assert_eq!(of("ABAB", returns), []);
        assert_eq!(of("ABA", returns), []);
        assert_eq!(of("xABCABCAy", returns), [Cycle { first: 1, last: 7, period: 3 }]);
        assert_eq!(of("ABCDABCDA", returns), [Cycle { first: 0, last: 8, period: 4 }]);
        assert_eq!(of("AAAAAAAAA", returns), []);
        assert_eq!(of("AB-ABA", returns), []);
        // period 4 of a period 2 is told once
        assert_eq!(of("ABABABABAB", returns), [Cycle { first: 0, last: 9, period: 2 }]);
    }

    #[test]
    fn a_boundless_period_is_bounded_by_the_log() {
        let keys: Vec<Option<u64>> = (0..40).map(|k| Some(k % 10)).collect();
        assert_eq!(cycles(&keys, usize::MAX, |p| 2 * p + 1), [Cycle { first: 0, last: 39, period: 10 }]);
    }

    #[test]
    fn three_rounds_of_calls() {
        assert_eq!(of("ABABAB", |p| 3 * p), [Cycle { first: 0, last: 5, period: 2 }]);
        assert_eq!(of("ABABA", |p| 3 * p), []);
    }
}
