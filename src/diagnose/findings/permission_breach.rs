//! Done without permission: nobody decided, it was denied, or an approval was used twice.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::governance::{Decision, Permission};
use crate::trace::rows::Action;
use crate::trace::{Name, Trace};
use std::collections::HashMap;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    if trace.permissions.is_empty() {
        return Vec::new();
    }
    let known = Known::of(trace);
    [undecided(trace, &known), denied(trace, &known), reused(trace, &known)].into_iter().flatten().collect()
}

/// `by` of a decision that no person and no rule of theirs made.
fn nobody(by: Option<&str>) -> bool {
    by.is_none_or(|by| {
        let by = by.trim().to_ascii_lowercase();
        by.is_empty()
            || ["agent", "model", "auto", "timeout", "default", "self", "assistant", "loop", "runner", "none", "nobody"]
                .iter()
                .any(|w| by.split(['-', '_', ' ', ':']).any(|part| part == *w))
    })
}

/// It was carried out: answered, and not with a failure.
fn done(a: &Action) -> bool {
    a.result_step.is_some() && a.ok != Some(false)
}

/// Some of the permissions, by what they are about; each list is in their order.
#[derive(Default)]
struct Book {
    ids: HashMap<u64, Vec<usize>>,
    /// By target and, where neither names one, by tool; of all of them, and of those without an id.
    all: HashMap<(u64, Name), Vec<usize>>,
    nameless: HashMap<(u64, Name), Vec<usize>>,
}

impl Book {
    fn of(trace: &Trace, wanted: impl Fn(&Permission) -> bool) -> Self {
        let mut book = Self::default();
        for (k, p) in trace.permissions.iter().enumerate().filter(|(_, p)| wanted(p)) {
            match p.id {
                Some(id) => book.ids.entry(id).or_default().push(k),
                None => book.nameless.entry(about(p)).or_default().push(k),
            }
            book.all.entry(about(p)).or_default().push(k);
        }
        book
    }

    /// The first one from a position on that is about the same action: by its id where both have one.
    fn first_from(&self, p: &Permission, from: usize) -> Option<usize> {
        let first = |list: Option<&Vec<usize>>| list.and_then(|l| l.get(l.partition_point(|k| *k < from)).copied());
        match p.id {
            Some(id) => first(self.ids.get(&id)).into_iter().chain(first(self.nameless.get(&about(p)))).min(),
            None => first(self.all.get(&about(p))),
        }
    }
}

fn about(p: &Permission) -> (u64, Name) {
    (p.target, if p.target == 0 { p.tool } else { Name::NONE })
}

/// Calls that were carried out, with the newest answer up to each: the first one answered after a step is found by halving.
#[derive(Default)]
struct Done(Vec<(usize, u32)>);

impl Done {
    fn push(&mut self, k: usize, answered: u32) {
        let newest = self.0.last().map_or(0, |(_, n)| *n);
        self.0.push((k, newest.max(answered)));
    }

    fn first_answered_after(&self, step: u32) -> Option<usize> {
        self.0.get(self.0.partition_point(|(_, newest)| *newest <= step)).map(|(k, _)| *k)
    }
}

/// What the three questions need, worked out once.
struct Known {
    asks: Book,
    decided: Book,
    /// The first call with an id.
    ids: HashMap<u64, usize>,
    done_by_id: HashMap<u64, Done>,
    done_by_target: HashMap<u64, Done>,
    /// Calls that were carried out, by target, as step and index in the order of steps.
    steps: HashMap<u64, Vec<(u32, usize)>>,
    /// What each permission is for, where it names only an id.
    targets: Vec<u64>,
    /// Permissions by that.
    on: HashMap<u64, Vec<usize>>,
    allowed: HashMap<u64, Vec<usize>>,
}

impl Known {
    fn of(trace: &Trace) -> Self {
        let mut ids = HashMap::new();
        let mut done_by_id: HashMap<u64, Done> = HashMap::new();
        let mut done_by_target: HashMap<u64, Done> = HashMap::new();
        let mut steps: HashMap<u64, Vec<(u32, usize)>> = HashMap::new();
        for (k, a) in trace.actions.iter().enumerate() {
            ids.entry(a.id).or_insert(k);
            if let Some(answered) = a.result_step.filter(|_| done(a)) {
                done_by_id.entry(a.id).or_default().push(k, answered);
                done_by_target.entry(a.target).or_default().push(k, answered);
                steps.entry(a.target).or_default().push((a.step, k));
            }
        }
        steps.values_mut().for_each(|list| list.sort_unstable());
        let by_id = |p: &Permission| p.id.and_then(|id| trace.actions.get(*ids.get(&id)?)).map_or(0, |a| a.target);
        let targets: Vec<u64> = trace.permissions.iter().map(|p| if p.target == 0 { by_id(p) } else { p.target }).collect();
        let mut on: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut allowed: HashMap<u64, Vec<usize>> = HashMap::new();
        for (k, (p, target)) in trace.permissions.iter().zip(&targets).enumerate() {
            on.entry(*target).or_default().push(k);
            if p.decision == Decision::Allow {
                allowed.entry(*target).or_default().push(k);
            }
        }
        Self {
            asks: Book::of(trace, |p| p.decision == Decision::Ask),
            decided: Book::of(trace, |p| p.decision != Decision::Ask),
            ids,
            done_by_id,
            done_by_target,
            steps,
            targets,
            on,
            allowed,
        }
    }

    /// The step of the first of these permissions behind a position.
    fn next(&self, trace: &Trace, of: &HashMap<u64, Vec<usize>>, target: u64, k: usize) -> u32 {
        let next = of.get(&target).and_then(|list| list.get(list.partition_point(|n| *n <= k)));
        next.and_then(|n| trace.permissions.get(*n)).map_or(u32::MAX, |p| p.step)
    }

    /// Calls for a target that were carried out between two steps, as step and index.
    fn between(&self, target: u64, from: u32, to: u32) -> &[(u32, usize)] {
        let list = self.steps.get(&target).map_or(&[][..], Vec::as_slice);
        let (a, b) = (list.partition_point(|(s, _)| *s <= from), list.partition_point(|(s, _)| *s < to));
        list.get(a..b).unwrap_or(&[])
    }

    /// The call that a permission names by its id.
    fn named<'t>(&self, trace: &'t Trace, p: &Permission) -> Option<&'t Action> {
        trace.actions.get(*self.ids.get(&p.id?)?)
    }
}

fn undecided(trace: &Trace, known: &Known) -> Option<Finding> {
    let asks = trace.permissions.iter().enumerate().filter(|(_, p)| p.decision == Decision::Ask);
    for (k, ask) in asks {
        let answer = known.decided.first_from(ask, k + 1).and_then(|n| trace.permissions.get(n));
        let (place, summary, measured) = match answer {
            Some(a) if a.decision == Decision::Allow && nobody(a.by.as_deref()) => {
                let who = a.by.as_deref().map_or_else(String::new, |by| format!(" (by {by})"));
                (trace.place(a.step), format!("an ask became allow with nobody deciding{who}"), "allowed here".to_owned())
            }
            Some(_) => continue,
            None => {
                let by_id = ask.id.and_then(|id| known.done_by_id.get(&id)?.first_answered_after(ask.step));
                let by_target =
                    Some(ask.target).filter(|t| *t != 0).and_then(|t| known.done_by_target.get(&t)?.first_answered_after(ask.step));
                let Some(call) = by_id.into_iter().chain(by_target).min().and_then(|k| trace.actions.get(k)) else { continue };
                let tool = trace.names.text(call.tool);
                (
                    trace.place(call.result_step.unwrap_or(call.step)),
                    format!("a call of {tool} was asked for, never decided, and carried out"),
                    "carried out here".to_owned(),
                )
            }
        };
        let asked = Evidence::new(trace.place(ask.step), "asked here", "");
        return Some(
            Finding::new(
                Kind::PermissionBreach,
                Some("undecided"),
                Confidence::High,
                summary,
                Evidence::new(place, measured, "nobody decided"),
            )
            .and([asked]),
        );
    }
    None
}

fn denied(trace: &Trace, known: &Known) -> Option<Finding> {
    for (k, deny) in trace.permissions.iter().enumerate().filter(|(_, p)| p.decision == Decision::Deny) {
        let target = known.targets[k];
        if target == 0 {
            continue;
        }
        // Allowed later: then it may be done.
        let allowed = known.next(trace, &known.allowed, target, k);
        let Some(call) = known.between(target, deny.step, allowed).first().and_then(|(_, k)| trace.actions.get(*k)) else { continue };
        let named = known.named(trace, deny).map_or(deny.tool, |a| a.tool);
        let other = !trace.names.text(named).is_empty() && named != call.tool;
        let (was, now) = (trace.names.text(named), trace.names.text(call.tool));
        let (variant, summary) = if other {
            ("renamed", format!("what was denied as {was} was carried out as {now}"))
        } else {
            ("denied", format!("a call of {now} that had been denied was carried out"))
        };
        let evidence = Evidence::new(trace.place(call.step), "carried out here", "denied before");
        let denied = Evidence::new(trace.place(deny.step), "denied here", "");
        return Some(Finding::new(Kind::PermissionBreach, Some(variant), Confidence::High, summary, evidence).and([denied]));
    }
    None
}

/// An approval is for one action: the same one again needs another.
fn reused(trace: &Trace, known: &Known) -> Option<Finding> {
    for (k, allow) in trace.permissions.iter().enumerate().filter(|(_, p)| p.decision == Decision::Allow && !p.lasting) {
        let asked = known.asks.first_from(allow, 0).is_some_and(|n| n < k);
        let target = known.targets[k];
        if !asked && nobody(allow.by.as_deref()) || target == 0 {
            continue;
        }
        let next = known.next(trace, &known.on, target, k);
        let within = known.between(target, allow.step, next);
        // The call that it names may stand before it.
        let own = known.named(trace, allow).filter(|a| a.target == target && done(a) && (a.step <= allow.step || a.step >= next));
        let uses: Vec<&Action> = own.into_iter().chain(within.iter().filter_map(|(_, k)| trace.actions.get(*k))).collect();
        let [_, second, ..] = uses.as_slice() else { continue };
        let summary = format!("one approval of {} was used for {} calls", trace.names.text(second.tool), uses.len());
        let evidence = Evidence::new(trace.place(second.step), "the second use", "one approval");
        let given = Evidence::new(trace.place(allow.step), "approved here", "");
        return Some(Finding::new(Kind::PermissionBreach, Some("reused"), Confidence::High, summary, evidence).and([given]));
    }
    None
}
