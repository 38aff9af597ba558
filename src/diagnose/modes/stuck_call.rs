//! Stuck at a call: the same call with the same result, or the same error whatever the arguments. Polling has its own,
//! much longer patience.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::rows::Action;
use crate::trace::tool::ToolClass;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// A stretch of equal actions, as indices into the trace's actions.
#[derive(Clone, Copy)]
struct Streak {
    first: usize,
    last: usize,
    hits: u32,
}

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let limits = ctx.limits;
    let actions: Vec<(usize, &Action)> = trace
        .actions
        .iter()
        .enumerate()
        .filter(|(_, a)| a.result_step.is_some() && a.call_key != 0 && a.class != ToolClass::Plan)
        .collect();
    let asked = person_steps(ctx);
    let mut findings = Vec::new();

    for streak in streaks(&actions, &asked, |a| Some((a.call_key, a.result_key))) {
        let action = &trace.actions[streak.first];
        let poll = action.class == ToolClass::Poll;
        let (suspect, verdict, variant) =
            if poll { (limits.poll_suspect, limits.poll_verdict, "poll") } else { (limits.call_suspect, limits.call_verdict, "call") };
        if streak.hits >= suspect {
            let names = if poll { ("poll_suspect", "poll_verdict") } else { ("call_suspect", "call_verdict") };
            let what = format!("the same call of {} with the same result {} times in a row", trace.names.text(action.tool), streak.hits);
            findings.push(finding(ctx, streak, variant, what, (suspect, verdict), names));
        }
    }
    for streak in windows(ctx, &actions, &asked) {
        let tool = trace.names.text(trace.actions[streak.last].tool);
        let what = format!("the same call of {tool} with the same result in {} of {} steps", streak.hits, limits.call_window);
        findings.push(finding(
            ctx,
            streak,
            "call",
            what,
            (limits.call_window_hits, limits.call_window_hits),
            ("call_window_hits", "call_window_hits"),
        ));
    }
    for streak in streaks(&actions, &asked, |a| (a.error_key != 0 && a.class != ToolClass::Poll).then_some((u64::MAX, hash_pair(a)))) {
        if streak.hits >= limits.error_repeat {
            let tool = trace.names.text(trace.actions[streak.first].tool);
            let what = format!("{tool} failed with the same error {} times in a row", streak.hits);
            findings.push(finding(ctx, streak, "call", what, (limits.error_repeat, limits.error_repeat), ("error_repeat", "error_repeat")));
        }
    }
    without_overlap(findings)
}

/// Tool and error in one key.
fn hash_pair(a: &Action) -> u64 {
    a.error_key ^ crate::format::json::hash(format!("{:?}", a.tool).as_bytes())
}

/// The steps at which a person spoke: what comes after is a new attempt.
fn person_steps(ctx: &Context<'_>) -> Vec<u32> {
    ctx.trace.marks.iter().filter(|m| m.kind == MarkKind::Person).map(|m| m.step).collect()
}

/// Maximal runs of one key, cut where a person spoke.
fn streaks(actions: &[(usize, &Action)], asked: &[u32], key: impl Fn(&Action) -> Option<(u64, u64)>) -> Vec<Streak> {
    let mut all: Vec<(Streak, (u64, u64))> = Vec::new();
    let mut open = false;
    let mut answered = 0;
    let mut person = asked.iter().copied().peekable();
    for (k, action) in actions {
        while person.next_if(|p| *p < action.step).is_some() {
            open = false;
        }
        let Some(key) = key(action) else {
            open = false;
            continue;
        };
        match all.last_mut() {
            Some((streak, last)) if open && *last == key => {
                streak.last = *k;
                // Calls that were sent together are one decision: none of them knew how the others would end.
                if action.step > answered {
                    streak.hits += 1;
                    answered = action.result_step.unwrap_or(action.step);
                }
            }
            _ => {
                all.push((Streak { first: *k, last: *k, hits: 1 }, key));
                answered = action.result_step.unwrap_or(action.step);
            }
        }
        open = true;
    }
    all.into_iter().map(|(s, _)| s).collect()
}

/// Stretches in which one call with one result fills more than half of a window. An edit or a person starts anew.
fn windows(ctx: &Context<'_>, actions: &[(usize, &Action)], asked: &[u32]) -> Vec<Streak> {
    let size = ctx.limits.call_window as usize;
    let mut window: VecDeque<(usize, (u64, u64))> = VecDeque::new();
    let mut counts: HashMap<(u64, u64), u32> = HashMap::new();
    let mut found: Vec<(Streak, (u64, u64))> = Vec::new();
    let mut person = asked.iter().copied().peekable();
    for (k, action) in actions {
        let mut cut = action.class == ToolClass::Edit && action.ok != Some(false);
        while person.next_if(|p| *p < action.step).is_some() {
            cut = true;
        }
        if cut {
            window.clear();
            counts.clear();
        }
        let key = (action.call_key, action.result_key);
        window.push_back((*k, key));
        let count = counts.entry(key).or_default();
        *count += 1;
        let hits = *count;
        if window.len() > size
            && let Some((_, old)) = window.pop_front()
            && let Some(n) = counts.get_mut(&old)
        {
            *n -= 1;
        }
        let hits = hits.min(counts.get(&key).copied().unwrap_or(0));
        if action.class == ToolClass::Poll || hits < ctx.limits.call_window_hits {
            continue;
        }
        match found.last_mut() {
            Some((streak, last)) if *last == key && window.iter().any(|(i, _)| *i == streak.last) => {
                streak.last = *k;
                streak.hits = streak.hits.max(hits);
            }
            _ => {
                let first = window.iter().find(|(_, other)| *other == key).map_or(*k, |(i, _)| *i);
                found.push((Streak { first, last: *k, hits }, key));
            }
        }
    }
    found.into_iter().map(|(s, _)| s).collect()
}

fn finding(
    ctx: &Context<'_>,
    streak: Streak,
    variant: &'static str,
    what: String,
    (suspect, verdict): (u32, u32),
    names: (&'static str, &'static str),
) -> Finding {
    let trace = ctx.trace;
    let (first, last) = (&trace.actions[streak.first], &trace.actions[streak.last]);
    let sure = streak.hits >= verdict;
    let confidence = if sure { Confidence::High } else { Confidence::Low };
    let end = last.result_step.unwrap_or(last.step);
    let length = streak.last - streak.first + 1;
    let new = |a: &&Action| a.call_key != last.call_key && (last.error_key == 0 || a.error_key != last.error_key);
    let others = trace.actions[streak.last + 1..].iter().filter(new).take(length).count();
    let overcome = others >= length || ctx.green_after(end);
    let evidence =
        Evidence::new(trace.place(last.step), format!("{} equal calls", streak.hits), if sure { verdict } else { suspect }.to_string());
    let begin = Evidence::new(trace.place(first.step), "first of them", "");
    Finding::new(Kind::Stuck, Some(variant), confidence, what, evidence)
        .by(if sure { names.1 } else { names.0 })
        .over(Episode { first: first.step, last: end, overcome })
        .and([begin])
}

/// One stretch is told once: the surest finding about it, the first of equals.
fn without_overlap(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|f| std::cmp::Reverse(f.confidence));
    let mut kept: Vec<Finding> = Vec::new();
    // Kept stretches do not overlap each other, so only the nearest one before can overlap a new one.
    let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
    for finding in findings {
        let Some(episode) = finding.episode else { continue };
        if taken.range(..=episode.last).next_back().is_none_or(|(_, last)| *last < episode.first) {
            taken.insert(episode.first, episode.last);
            kept.push(finding);
        }
    }
    kept.sort_by_key(|f| f.episode.map(|e| e.first));
    kept
}
