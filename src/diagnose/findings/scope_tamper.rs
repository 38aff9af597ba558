//! The frozen scope: items dropped, weakened, or done by decree; blocked paths changed.

use crate::diagnose::ending::Terminal;
use crate::diagnose::scope::{self, Change};
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Place;
use crate::trace::rows::Colour;
use crate::trace::tool::ToolClass;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let mut found = Vec::new();
    let changes = scope::changes(ctx.trace);
    let first_green = first_green(ctx);
    let mut tell = |variant, confidence, summary: String, change: &Change<'_>, measured: &str| {
        let before = change.before.map(|p| Evidence::new(p, "the scope before", ""));
        let evidence = Evidence::new(change.place, measured, "the frozen scope");
        found.push(Finding::new(Kind::ScopeTamper, Some(variant), confidence, summary, evidence).and(before));
    };
    for change in &changes {
        let dropped = change.dropped();
        if let Some(item) = dropped.first() {
            let more = if dropped.len() > 1 { format!(" and {} more", dropped.len() - 1) } else { String::new() };
            tell(
                "dropped",
                Confidence::High,
                format!("acceptance item {}{more} disappeared: {}", item.id, item.description),
                change,
                "no longer there",
            );
        }
        if let Some((was, now)) = change.weakened().first() {
            let summary = format!(
                "acceptance item {} asks for less: \u{201c}{}\u{201d} became \u{201c}{}\u{201d}",
                now.id, was.description, now.description
            );
            tell("weakened", Confidence::Medium, summary, change, "the description asks for less");
        }
        let done = change.newly_done();
        if !done.is_empty() && first_green.is_none_or(|s| s >= change.step.unwrap_or(u32::MAX)) {
            let ids: Vec<&str> = done.iter().take(5).map(|i| &*i.id).collect();
            tell(
                "unchecked",
                Confidence::Medium,
                format!("{} items were marked done with no green check before: {}", done.len(), ids.join(", ")),
                change,
                "marked done",
            );
        }
    }
    found.extend(blocked(ctx));
    found
}

/// The first step at which anything was green: a check, or the gate of the acceptance criteria.
fn first_green(ctx: &Context<'_>) -> Option<u32> {
    let trace = ctx.trace;
    let checks = trace.checks.iter().filter(|c| c.colour == Colour::Green).map(|c| c.step);
    let gates = trace.gates.iter().filter(|g| g.passed == Some(true)).map(|g| g.step);
    checks.chain(gates).chain(ctx.last_green_step).min()
}

fn blocked(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    for state in &trace.states {
        let Some((paths, line)) = &state.blocked_paths else { continue };
        let hit = trace.actions.iter().filter(|a| a.class == ToolClass::Edit && a.ok != Some(false)).find_map(|a| {
            let path = trace.names.text(a.path);
            paths.iter().find(|b| scope::lies_in(path, b)).map(|b| (a, path, b))
        });
        if let Some((action, path, blocked)) = hit {
            let summary = format!("{path} was changed, and {blocked} is blocked");
            let evidence = Evidence::new(trace.place(action.step), format!("changes {path}"), format!("blocked: {blocked}"));
            let written = Evidence::new(Place { source: state.source, line: *line, offset: 0 }, "blocked_paths", "");
            return Some(Finding::new(Kind::ScopeTamper, Some("blocked_path"), Confidence::High, summary, evidence).and([written]));
        }
    }
    None
}
