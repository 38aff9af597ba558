//! Checks that answer differently on an identical tree.

use crate::trace::rows::{Check, Colour, StepKind};
use crate::trace::tool::ToolClass;
use crate::trace::{Name, Trace};
use std::collections::{HashMap, HashSet};

/// Two executions of one check on one tree, with different answers.
#[derive(Debug, Clone, Copy)]
pub struct Flaky {
    /// The earlier one, as an index into `checks`.
    pub before: usize,
    /// The later one.
    pub after: usize,
    /// They differ in colour, not only in what failed.
    pub colour: bool,
    /// The log names the tree; otherwise nothing was done between the two.
    pub named_tree: bool,
}

/// All pairs of neighbours of a check that ran on an identical tree and answered differently, and the failures that came
/// or went between them.
#[must_use]
pub fn flaky(trace: &Trace) -> (Vec<Flaky>, HashSet<u64>) {
    let mut newest: HashMap<(Option<Name>, u64), usize> = HashMap::new();
    let mut found = Vec::new();
    let mut keys = HashSet::new();
    // A log whose commits never change names the last commit, not the tree that was checked.
    let trees: HashSet<Name> = trace.checks.iter().filter_map(|c| c.commit).collect();
    for (k, check) in trace.checks.iter().enumerate().filter(|(_, c)| matches!(c.colour, Colour::Green | Colour::Red)) {
        let Some(before) = newest.insert((check.name, check.command), k) else { continue };
        let was = &trace.checks[before];
        let named_tree = check.commit.is_some() && check.commit == was.commit;
        let other_tree = check.commit.is_some() && was.commit.is_some() && !named_tree;
        let idle = nothing_between(trace, was, check);
        if other_tree || !(idle || named_tree && trees.len() > 1) {
            continue;
        }
        let colour = was.colour != check.colour;
        let differ: HashSet<u64> = set(trace, was).symmetric_difference(&set(trace, check)).copied().collect();
        // Two reds with one line each may show two lines of one failure list.
        let sets_differ = set(trace, was).len() > 1 && set(trace, check).len() > 1 && !differ.is_empty();
        if colour || sets_differ {
            keys.extend(differ);
            found.push(Flaky { before, after: k, colour, named_tree });
        }
    }
    (found, keys)
}

fn set(trace: &Trace, check: &Check) -> HashSet<u64> {
    trace.failure_keys.get(check.failures.0 as usize..check.failures.1 as usize).unwrap_or(&[]).iter().copied().collect()
}

/// Between two checks only looks, waits and notes: nothing that could have changed the tree or what it runs in.
fn nothing_between(trace: &Trace, a: &Check, b: &Check) -> bool {
    let harmless = |k: u32| {
        trace.actions.get(k as usize).is_some_and(|x| matches!(x.class, ToolClass::Look | ToolClass::Plan) || x.step >= own_call(trace, b))
    };
    trace.steps.get(a.step as usize + 1..b.step as usize).unwrap_or(&[]).iter().all(|s| match s.kind {
        StepKind::AgentCall | StepKind::IterStart | StepKind::End(_) => false,
        StepKind::ToolCall(k) | StepKind::ToolResult(k) => harmless(k),
        // Somebody may have changed something while they spoke.
        StepKind::Mark(m) => {
            !matches!(trace.marks[m as usize].kind, crate::trace::event::MarkKind::Person | crate::trace::event::MarkKind::Resume)
        }
        // A model that only thinks changes nothing; in a loop's log a call of one is the whole agent at work.
        StepKind::ModelCall(_) | StepKind::CallSeenTwice(_) => trace.derived,
        StepKind::Check(_) | StepKind::Said(_) => true,
    })
}

/// The step of the call whose answer the check is.
fn own_call(trace: &Trace, check: &Check) -> u32 {
    match trace.steps.get(check.step as usize).map(|s| s.kind) {
        Some(StepKind::ToolResult(k)) => trace.actions[k as usize].step,
        _ => check.step,
    }
}
