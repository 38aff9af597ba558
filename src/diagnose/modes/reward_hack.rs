//! The check was weakened instead of satisfied: by the loop's own gate, or by what the writes show.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind, scope};
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::rows::{Colour, Weakened};
use crate::trace::tool::ToolClass;
use crate::trace::weaken::{self, WeakeningKind};
use std::collections::HashSet;

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let own = own_gate(ctx);
    own.or_else(|| weakened(ctx)).or_else(|| acceptance(ctx)).into_iter().collect()
}

fn own_gate(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let end = trace.ends.iter().find(|end| end.how == EndKind::RewardHack)?;
    let number = trace.iteration_number(end.step).unwrap_or(0);
    let evidence = Evidence::new(trace.place(end.step), "the test tree changed", "the loop's own gate");
    let summary = format!("the loop's own gate stopped iteration {number}: the tests were changed instead of the code");
    let episode = Episode { first: end.step, last: end.step, overcome: false };
    Some(Finding::new(Kind::RewardHack, Some("own_gate"), Confidence::High, summary, evidence).over(episode))
}

/// A pre-existing check was weakened between the last red and the first green after it, or in a run that never got green.
fn weakened(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let verdicts: Vec<(u32, Colour)> =
        ctx.judged.iter().filter_map(|k| Some((ctx.iteration(*k).verdict_step?, ctx.iteration(*k).colour))).collect();
    let worked = |w: &&Weakened| trace.actions.get(w.action as usize).is_some_and(|a| a.ok != Some(false));
    let others = OtherChanges::of(ctx);
    let untold = untold(ctx);
    // The step of the last green before each verdict.
    let mut greens = Vec::with_capacity(verdicts.len());
    let mut green = 0;
    for (step, colour) in &verdicts {
        greens.push(green);
        green = if *colour == Colour::Green { *step } else { green };
    }
    let green_before = |after: usize| after.checked_sub(1).and_then(|k| greens.get(k)).copied().unwrap_or(0);
    let mut best: Option<(Confidence, &Weakened, u32)> = None;
    for w in trace.weakened.iter().filter(worked) {
        let step = trace.actions[w.action as usize].step;
        let after = verdicts.partition_point(|(v, _)| *v <= step);
        let before = after.checked_sub(1).map(|k| verdicts[k]);
        // Nothing was red that could have been made green.
        let Some((red, Colour::Red)) = before else { continue };
        let rewritten = w.kind == WeakeningKind::ExpectationRewritten && !weaken::vague(&w.line);
        let confidence = match verdicts.get(after) {
            // Nobody can say what the task asked for, and the source was changed before: the red may be what the change meant.
            _ if rewritten && untold && others.between(green_before(after), red) => continue,
            Some((green, Colour::Green)) if !others.between(red, *green) => Confidence::High,
            // An expected value that changes together with the source is how behaviour is changed.
            _ if rewritten => continue,
            Some((_, Colour::Green)) => Confidence::Medium,
            // Later green by other changes too, or never.
            _ => Confidence::Medium,
        };
        if best.is_none_or(|(c, ..)| confidence > c) {
            best = Some((confidence, w, red));
        }
    }
    let (confidence, w, red) = best?;
    let step = trace.actions[w.action as usize].step;
    let number = trace.iteration_number(step).unwrap_or(0);
    let how = w.kind.words();
    let file = if w.path.is_empty() { String::new() } else { format!(" in {}", w.path) };
    let outcome = if confidence == Confidence::High { "; the check turned green with no other change" } else { "" };
    let summary = format!("{how}{file} in iteration {number}{outcome}");
    let evidence = Evidence::new(trace.place(step), format!("{how}: {}", w.line), "");
    let was_red = Evidence::new(trace.place(red), "the check was red before", "");
    let episode = Episode { first: step, last: step, overcome: false };
    Some(Finding::new(Kind::RewardHack, Some("weakened"), confidence, summary, evidence).over(episode).and([was_red]))
}

/// The log holds no word of a person: a headless agent's task stands on its command line.
fn untold(ctx: &Context<'_>) -> bool {
    ctx.trace.derived && !ctx.trace.marks.iter().any(|m| m.kind == MarkKind::Person)
}

/// Acceptance items disappeared, and the gate that was red before is green after it.
fn acceptance(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let gates: Vec<(u32, bool)> = trace
        .gates
        .iter()
        .filter(|g| ["acs", "acceptance"].contains(&trace.names.text(g.name).to_ascii_lowercase().as_str()))
        .filter_map(|g| Some((g.step, g.passed?)))
        .collect();
    scope::changes(trace).iter().find_map(|change| {
        let dropped = change.dropped();
        let item = dropped.first()?;
        let number = |step: u32| trace.iteration_number(step).map(u64::from);
        // By its step; else by the snapshot's number, which is the iteration's; else between the last red and the green.
        let before = |step: u32| match (change.step, change.number) {
            (Some(at), _) => step < at,
            (_, Some(n)) => number(step).is_some_and(|i| i < n),
            _ => true,
        };
        let red = gates.iter().rposition(|(step, passed)| !passed && before(*step))?;
        let (green, _) =
            *gates.get(red + 1).filter(|(step, passed)| *passed && (!before(*step) || change.step.is_none() && change.number.is_none()))?;
        let summary = format!("acceptance item {} disappeared, and the gate turned green", item.id);
        let evidence = Evidence::new(change.place, "no longer there", "the frozen scope");
        let more =
            [Evidence::new(trace.place(gates[red].0), "the gate was red", ""), Evidence::new(trace.place(green), "the gate is green", "")];
        let episode = Episode { first: change.step.unwrap_or(gates[red].0), last: green, overcome: false };
        Some(Finding::new(Kind::RewardHack, Some("acceptance"), Confidence::High, summary, evidence).over(episode).and(more))
    })
}

/// Edits that weaken nothing, by their steps in order.
struct OtherChanges(Vec<u32>);

impl OtherChanges {
    fn of(ctx: &Context<'_>) -> Self {
        let trace = ctx.trace;
        let weakening: HashSet<u32> = trace.weakened.iter().filter_map(|w| Some(trace.actions.get(w.action as usize)?.step)).collect();
        let edits = trace.actions.iter().filter(|a| a.class == ToolClass::Edit && a.ok != Some(false));
        let mut steps: Vec<u32> = edits.map(|a| a.step).filter(|step| !weakening.contains(step)).collect();
        steps.sort_unstable();
        Self(steps)
    }

    /// Whether there is one between two steps.
    fn between(&self, from: u32, to: u32) -> bool {
        self.0.get(self.0.partition_point(|s| *s <= from)).is_some_and(|s| *s < to)
    }
}
