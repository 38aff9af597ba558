//! Checks that answer differently on an identical tree.

use crate::trace::event::MarkKind;
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
    let mut changes = Changes::of(trace);
    // A log whose commits never change names the last commit, not the tree that was checked.
    let trees: HashSet<Name> = trace.checks.iter().filter_map(|c| c.commit).collect();
    for (k, check) in trace.checks.iter().enumerate().filter(|(_, c)| matches!(c.colour, Colour::Green | Colour::Red)) {
        let Some(before) = newest.insert((check.name, check.command), k) else { continue };
        let was = &trace.checks[before];
        let named_tree = check.commit.is_some() && check.commit == was.commit;
        let other_tree = check.commit.is_some() && was.commit.is_some() && !named_tree;
        let idle = changes.none_between(trace, was, check);
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

/// What could have changed the tree, or what the check runs in, so that any two checks can be asked what lies between them
/// without walking the steps again. Looks, waits and notes change nothing.
struct Changes {
    /// For each step the newest one before it, itself included, that changes something and is no tool's: the count of steps up
    /// to it.
    others: Vec<u32>,
    /// The same for tools' calls and answers.
    tools: Vec<u32>,
    /// Answers of tools that change something, as far as they are taken in: the step, and the step of the call. Only those
    /// whose call is older than that of every later answer are kept.
    answers: Vec<(u32, u32)>,
    /// The next step that `answers` takes in.
    next: u32,
}

impl Changes {
    fn of(trace: &Trace) -> Self {
        let (mut others, mut tools) = (Vec::with_capacity(trace.steps.len()), Vec::with_capacity(trace.steps.len()));
        let (mut other, mut tool) = (0, 0);
        for (count, step) in (1_u32..).zip(&trace.steps) {
            match step.kind {
                StepKind::ToolCall(k) | StepKind::ToolResult(k) if changes(trace, k) => tool = count,
                kind if speaks(trace, kind) => other = count,
                _ => {}
            }
            others.push(other);
            tools.push(tool);
        }
        Self { others, tools, answers: Vec::new(), next: 0 }
    }

    /// Whether nothing between two checks could have changed the tree. Of the second one's call and of what was called later
    /// only the answers of older calls count. The second checks must come in order.
    fn none_between(&mut self, trace: &Trace, a: &Check, b: &Check) -> bool {
        for step in self.next..b.step {
            if let Some(StepKind::ToolResult(k)) = trace.step(step).map(|s| s.kind)
                && changes(trace, k)
            {
                let call = trace.actions.get(k as usize).map_or(step, |x| x.step);
                while self.answers.last().is_some_and(|(_, c)| *c >= call) {
                    self.answers.pop();
                }
                self.answers.push((step, call));
            }
        }
        self.next = self.next.max(b.step);
        let own = own_call(trace, b);
        let newest = |of: &[u32], before: u32| before.checked_sub(1).and_then(|k| of.get(k as usize)).copied().unwrap_or(0);
        // A count of steps above `a.step + 1` names a step behind `a`.
        let from = own.max(a.step.saturating_add(1));
        let oldest = self.answers.get(self.answers.partition_point(|(step, _)| *step < from));
        newest(&self.others, b.step) <= a.step + 1
            && newest(&self.tools, own.min(b.step)) <= a.step + 1
            && oldest.is_none_or(|(_, call)| *call >= own)
    }
}

/// Whether a tool call can change something.
fn changes(trace: &Trace, action: u32) -> bool {
    trace.actions.get(action as usize).is_none_or(|x| !matches!(x.class, ToolClass::Look | ToolClass::Plan))
}

/// Whether a step that is no tool's may stand for a change.
fn speaks(trace: &Trace, kind: StepKind) -> bool {
    match kind {
        StepKind::AgentCall | StepKind::IterStart | StepKind::End(_) => true,
        // Somebody may have changed something while they spoke.
        StepKind::Mark(m) => matches!(trace.marks.get(m as usize).map(|m| m.kind), Some(MarkKind::Person | MarkKind::Resume)),
        // A model that only thinks changes nothing; in a loop's log a call of one is the whole agent at work.
        StepKind::ModelCall(_) | StepKind::CallSeenTwice(_) => !trace.derived,
        StepKind::Check(_) | StepKind::Said(_) | StepKind::ToolCall(_) | StepKind::ToolResult(_) => false,
    }
}

/// The step of the call whose answer the check is.
fn own_call(trace: &Trace, check: &Check) -> u32 {
    match trace.steps.get(check.step as usize).map(|s| s.kind) {
        Some(StepKind::ToolResult(k)) => trace.actions[k as usize].step,
        _ => check.step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::builder::BLANK;
    use crate::trace::rows::{Action, Mark, Step};
    use proptest::prelude::*;

    /// The rule, step by step, as it reads.
    fn walked(trace: &Trace, a: &Check, b: &Check) -> bool {
        let own = own_call(trace, b);
        let harmless = |k: u32| !changes(trace, k) || trace.actions[k as usize].step >= own;
        trace.steps[a.step as usize + 1..b.step as usize].iter().all(|s| match s.kind {
            StepKind::ToolCall(k) | StepKind::ToolResult(k) => harmless(k),
            kind => !speaks(trace, kind),
        })
    }

    /// Calls and answers in any order, answers without a call, and other steps between: a letter each.
    fn trace(letters: &[u8]) -> Trace {
        let mut trace = Trace { derived: true, ..Trace::default() };
        let mut open: Vec<u32> = Vec::new();
        for (at, letter) in (0_u32..).zip(letters) {
            let mut action = |class, step| {
                trace.actions.push(Action { class, step, ..BLANK });
                u32::try_from(trace.actions.len() - 1).unwrap()
            };
            let kind = match letter {
                0 | 1 => {
                    open.push(action(ToolClass::Other, at));
                    StepKind::ToolCall(open[open.len() - 1])
                }
                2 => {
                    open.push(action(ToolClass::Look, at));
                    StepKind::ToolCall(open[open.len() - 1])
                }
                3 if !open.is_empty() => StepKind::ToolResult(open.remove(0)),
                4 if !open.is_empty() => StepKind::ToolResult(open.remove(open.len() - 1)),
                5 => StepKind::ToolResult(action(ToolClass::Edit, at)),
                6 => {
                    trace.marks.push(Mark { kind: MarkKind::Person, step: at, text: "".into(), decision: None, by: None, exit_code: None });
                    StepKind::Mark(u32::try_from(trace.marks.len() - 1).unwrap())
                }
                _ => StepKind::Said(0),
            };
            trace.steps.push(Step { kind, at: None, iteration: 0, place: crate::trace::Place { source: 0, line: 0, offset: 0 } });
        }
        trace
    }

    proptest! {
        #[test]
        fn what_lies_between_is_what_a_walk_sees(letters in proptest::collection::vec(0_u8..12, 2..60)) {
            let trace = trace(&letters);
            let check = |step| Check {
                name: None, colour: Colour::Red, exit_code: None, judge: None, commit: None, failures: (0, 0), command: 0, step,
            };
            let last = u32::try_from(letters.len()).unwrap();
            let mut changes = Changes::of(&trace);
            for b in 1..last {
                for a in 0..b {
                    let (a, b) = (check(a), check(b));
                    prop_assert_eq!(changes.none_between(&trace, &a, &b), walked(&trace, &a, &b), "{:?} {} {}", letters, a.step, b.step);
                }
            }
        }
    }
}
