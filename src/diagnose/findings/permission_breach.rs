//! Done without permission: nobody decided, it was denied, or an approval was used twice.

use crate::diagnose::ending::Terminal;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Trace;
use crate::trace::governance::{Decision, Permission};
use crate::trace::rows::Action;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let trace = ctx.trace;
    if trace.permissions.is_empty() {
        return Vec::new();
    }
    [undecided(trace), denied(trace), reused(trace)].into_iter().flatten().collect()
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

/// Whether two permissions are about one action.
fn same(a: &Permission, b: &Permission) -> bool {
    match (a.id, b.id) {
        (Some(x), Some(y)) => x == y,
        _ => a.target != 0 && a.target == b.target || a.target == 0 && b.target == 0 && a.tool == b.tool,
    }
}

/// Whether a call is the action that a permission is about.
fn is_of(p: &Permission, a: &Action) -> bool {
    p.id.is_some_and(|id| id == a.id) || p.target != 0 && p.target == a.target
}

/// It was carried out: answered, and not with a failure.
fn done(a: &Action) -> bool {
    a.result_step.is_some() && a.ok != Some(false)
}

/// What an action does, where the permission names only its id.
fn target_of(trace: &Trace, p: &Permission) -> u64 {
    let by_id = || trace.actions.iter().find(|a| p.id.is_some_and(|id| id == a.id)).map_or(0, |a| a.target);
    if p.target != 0 { p.target } else { by_id() }
}

fn undecided(trace: &Trace) -> Option<Finding> {
    let asks = trace.permissions.iter().enumerate().filter(|(_, p)| p.decision == Decision::Ask);
    for (k, ask) in asks {
        let answer = trace.permissions[k + 1..].iter().find(|p| same(ask, p) && p.decision != Decision::Ask);
        let (place, summary, measured) = match answer {
            Some(a) if a.decision == Decision::Allow && nobody(a.by.as_deref()) => {
                let who = a.by.as_deref().map_or_else(String::new, |by| format!(" (by {by})"));
                (trace.place(a.step), format!("an ask became allow with nobody deciding{who}"), "allowed here".to_owned())
            }
            Some(_) => continue,
            None => {
                let Some(call) = trace.actions.iter().find(|a| is_of(ask, a) && a.result_step.is_some_and(|r| r > ask.step) && done(a))
                else {
                    continue;
                };
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

fn denied(trace: &Trace) -> Option<Finding> {
    for (k, deny) in trace.permissions.iter().enumerate().filter(|(_, p)| p.decision == Decision::Deny) {
        let target = target_of(trace, deny);
        if target == 0 {
            continue;
        }
        // Allowed later: then it may be done.
        let allowed = trace.permissions[k + 1..]
            .iter()
            .find(|p| p.decision == Decision::Allow && target_of(trace, p) == target)
            .map_or(u32::MAX, |p| p.step);
        let Some(call) = trace.actions.iter().find(|a| a.target == target && a.step > deny.step && a.step < allowed && done(a)) else {
            continue;
        };
        let named = trace.actions.iter().find(|a| deny.id.is_some_and(|id| id == a.id)).map_or(deny.tool, |a| a.tool);
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
fn reused(trace: &Trace) -> Option<Finding> {
    for (k, allow) in trace.permissions.iter().enumerate().filter(|(_, p)| p.decision == Decision::Allow && !p.lasting) {
        let asked = trace.permissions[..k].iter().any(|p| p.decision == Decision::Ask && same(p, allow));
        let target = target_of(trace, allow);
        if !asked && nobody(allow.by.as_deref()) || target == 0 {
            continue;
        }
        let next = trace.permissions[k + 1..].iter().find(|p| target_of(trace, p) == target).map_or(u32::MAX, |p| p.step);
        let own = |a: &&Action| allow.id.is_some_and(|id| id == a.id);
        let uses: Vec<&Action> =
            trace.actions.iter().filter(|a| a.target == target && done(a) && (own(a) || a.step > allow.step && a.step < next)).collect();
        let [_, second, ..] = uses.as_slice() else { continue };
        let summary = format!("one approval of {} was used for {} calls", trace.names.text(second.tool), uses.len());
        let evidence = Evidence::new(trace.place(second.step), "the second use", "one approval");
        let given = Evidence::new(trace.place(allow.step), "approved here", "");
        return Some(Finding::new(Kind::PermissionBreach, Some("reused"), Confidence::High, summary, evidence).and([given]));
    }
    None
}
