//! Stuck at a call: the same call with the same result, or the same error whatever the arguments. Polling has its own,
//! much longer patience.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Place;
use crate::trace::event::MarkKind;
use crate::trace::rows::{Action, SideCall};
use crate::trace::tool::ToolClass;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// A stretch of equal actions, as indices into the trace's actions.
#[derive(Clone, Copy)]
struct Streak {
    first: usize,
    last: usize,
    hits: u32,
}

/// The calls of one thread: the run's own, or a sub-agent's.
struct Thread<'t> {
    actions: &'t [Action],
    /// Where each call is written.
    places: &'t dyn Fn(usize) -> Place,
    /// Where a person spoke in it.
    asked: &'t [u32],
    /// The thread is a sub-agent's: the steps of the run's own calls, in order, which may have gone on to something else.
    run: Option<&'t [u32]>,
}

/// What makes a streak long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// Every call: the same call twice in one answer is the same call twice.
    Calls,
    /// Different calls that were sent together are one decision: none of them knew how the others would end.
    Decisions,
}

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let own = Thread {
        actions: &trace.actions,
        places: &|k| trace.actions.get(k).map_or(NOWHERE, |a| trace.place(a.step)),
        asked: &person_steps(ctx),
        run: None,
    };
    let mut findings = of_thread(ctx, &own);
    let mut agents: BTreeMap<u64, Vec<&SideCall>> = BTreeMap::new();
    for call in &trace.side_calls {
        agents.entry(call.agent).or_default().push(call);
    }
    let mut own: Vec<u32> = trace.actions.iter().filter(|a| a.class != ToolClass::Plan).map(|a| a.step).collect();
    own.sort_unstable();
    for calls in agents.into_values() {
        let actions: Vec<Action> = calls.iter().map(|c| c.action).collect();
        let places = |k: usize| calls.get(k).map_or(NOWHERE, |c| c.place);
        findings.extend(of_thread(ctx, &Thread { actions: &actions, places: &places, asked: &[], run: Some(&own) }));
    }
    findings
}

const NOWHERE: Place = Place { source: 0, line: 0, offset: 0 };

fn of_thread(ctx: &Context<'_>, thread: &Thread<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    let limits = ctx.limits;
    let asked = thread.asked;
    let actions: Vec<(usize, &Action)> = thread
        .actions
        .iter()
        .enumerate()
        .filter(|(_, a)| a.result_step.is_some() && a.call_key != 0 && a.class != ToolClass::Plan)
        .collect();
    let thread = &Indexed { thread, at: Positions::of(thread.actions) };
    let tool = |k: usize| trace.names.text(thread.thread.actions[k].tool);
    let mut findings = Vec::new();

    for streak in streaks(&actions, asked, Count::Calls, |a| Some((a.call_key, a.result_key))) {
        let poll = thread.thread.actions[streak.first].class == ToolClass::Poll;
        let (suspect, verdict, variant) =
            if poll { (limits.poll_suspect, limits.poll_verdict, "poll") } else { (limits.call_suspect, limits.call_verdict, "call") };
        if streak.hits >= suspect {
            let names = if poll { ("poll_suspect", "poll_verdict") } else { ("call_suspect", "call_verdict") };
            let what = format!("the same call of {} with the same result {} times in a row", tool(streak.first), streak.hits);
            findings.push(finding(ctx, thread, streak, variant, what, (suspect, verdict), names));
        }
    }
    for streak in windows(ctx, &actions, asked) {
        let what =
            format!("the same call of {} with the same result in {} of {} steps", tool(streak.last), streak.hits, limits.call_window);
        let hits = (limits.call_window_hits, limits.call_window_hits);
        findings.push(finding(ctx, thread, streak, "call", what, hits, ("call_window_hits", "call_window_hits")).by("call_window"));
    }
    for streak in
        streaks(&actions, asked, Count::Decisions, |a| (a.error_key != 0 && a.class != ToolClass::Poll).then_some((u64::MAX, hash_pair(a))))
    {
        if streak.hits >= limits.error_repeat {
            let what = format!("{} failed with the same error {} times in a row", tool(streak.first), streak.hits);
            let hits = (limits.error_repeat, limits.error_repeat);
            findings.push(finding(ctx, thread, streak, "call", what, hits, ("error_repeat", "error_repeat")));
        }
    }
    without_overlap(findings)
}

/// A thread with where its calls stand.
struct Indexed<'t> {
    thread: &'t Thread<'t>,
    at: Positions,
}

/// Where each call, each error and each pair of the two stands in a thread, so that what came after a stretch is counted
/// without looking at all of it.
#[derive(Default)]
struct Positions {
    calls: HashMap<u64, Vec<usize>>,
    errors: HashMap<u64, Vec<usize>>,
    pairs: HashMap<(u64, u64), Vec<usize>>,
    len: usize,
}

impl Positions {
    fn of(actions: &[Action]) -> Self {
        let mut all = Self { len: actions.len(), ..Self::default() };
        for (k, a) in actions.iter().enumerate() {
            all.calls.entry(a.call_key).or_default().push(k);
            all.errors.entry(a.error_key).or_default().push(k);
            all.pairs.entry((a.call_key, a.error_key)).or_default().push(k);
        }
        all
    }

    /// Calls behind a position that are another call than this one, and failed otherwise where it failed.
    fn others_after(&self, at: usize, than: &Action) -> usize {
        let after = |list: Option<&Vec<usize>>| list.map_or(0, |l| l.len() - l.partition_point(|k| *k <= at));
        let same_call = after(self.calls.get(&than.call_key));
        let rest = self.len - (at + 1).min(self.len);
        if than.error_key == 0 {
            return rest - same_call;
        }
        rest + after(self.pairs.get(&(than.call_key, than.error_key))) - same_call - after(self.errors.get(&than.error_key))
    }
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
fn streaks(actions: &[(usize, &Action)], asked: &[u32], count: Count, key: impl Fn(&Action) -> Option<(u64, u64)>) -> Vec<Streak> {
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
                if count == Count::Calls || action.step > answered {
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
    Indexed { thread, at }: &Indexed<'_>,
    streak: Streak,
    variant: &'static str,
    what: String,
    (suspect, verdict): (u32, u32),
    names: (&'static str, &'static str),
) -> Finding {
    let (first, last) = (&thread.actions[streak.first], &thread.actions[streak.last]);
    let sure = streak.hits >= verdict;
    let confidence = if sure { Confidence::High } else { Confidence::Low };
    let end = last.result_step.unwrap_or(last.step);
    let length = streak.last - streak.first + 1;
    let others = at.others_after(streak.last, last);
    // What the run itself did after its sub-agent's calls.
    let went_on = thread.run.is_some_and(|steps| steps.len() - steps.partition_point(|s| *s <= end) >= length);
    let overcome = others >= length || ctx.green_after(end) || went_on;
    let evidence = Evidence::new(
        (thread.places)(streak.last),
        format!("{} equal calls", streak.hits),
        if sure { verdict } else { suspect }.to_string(),
    );
    let begin = Evidence::new((thread.places)(streak.first), "first of them", "");
    let (variant, what) = if thread.run.is_some() { ("subagent", format!("in a sub-agent {what}")) } else { (variant, what) };
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
