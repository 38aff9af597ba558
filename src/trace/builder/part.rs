//! The rows of one trace while they come in.

use super::verdicts::Newest;
use super::{contents, folded, head, index, threads, tools, writes};
use crate::trace::event::{Event, MarkKind, Usage, What};
use crate::trace::judge::{Judge, OwnJudge};
use crate::trace::rows::{Booking, Check, Colour, End, Iteration, Mark, Said, Step, StepKind};
use crate::trace::signature::Reading;
use crate::trace::{Place, Time, Trace, claim};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Characters of a task that are looked at.
const TASK: usize = 8_000;

/// A prompt of so many characters that comes twice in a row was not typed again.
const FED: usize = 24;

/// A trace that is still being built.
#[derive(Default)]
pub(super) struct Part {
    pub(super) trace: Trace,
    /// Tool calls without a result, by the hash of their id.
    pub(super) pending: HashMap<u64, u32>,
    /// The same for sub-agents' calls, as indices into `side_calls`.
    pub(super) side_pending: HashMap<u64, u32>,
    /// Checks among them whose outcome is still to come.
    pub(super) side_checking: HashMap<u32, Judge>,
    /// The last tool call, for results without an id.
    pub(super) last_call: Option<u32>,
    /// The `run` that its records name.
    pub(super) name: Option<Box<str>>,
    /// The time of an end record that no new pass of the loop follows.
    pub(super) ended: Option<Option<Time>>,
    /// The loop writes down when a pass begins.
    pub(super) starts: bool,
    /// The newest colour of each check of the current iteration.
    pub(super) newest: Newest,
    /// The next restart at iteration 1 continues this run.
    pub(super) resumed: bool,
    pub(super) last_time: Option<Time>,
    /// The budget's revision in force.
    pub(super) revision: Option<u32>,
    /// The last check ended its iteration: the next act begins another.
    pub(super) closed: bool,
    /// Calls of models by what makes two records one call, with their bookings.
    pub(super) calls: HashMap<u64, u32>,
    /// Checks whose outcome is still to come, by action.
    pub(super) checking: HashMap<u32, Vec<Judge>>,
    /// What persons asked for.
    pub(super) tasks: Vec<String>,
    /// Files that were looked at or changed before, and files that the run itself made.
    pub(super) files: HashMap<u64, writes::Origin>,
    pub(super) made_names: HashSet<String>,
    /// Calls that ask git what has changed, by action.
    pub(super) asking: HashSet<u32>,
    /// Model calls that were paid for, by the hash of their id, with the step.
    pub(super) paid: HashMap<u64, u32>,
    /// The id under which the call of the current record is billed.
    pub(super) paying: Option<u64>,
    /// Actions whose command still runs, by the hash of the call's id.
    pub(super) running: HashMap<u64, u32>,
    /// Whose records they are.
    pub(super) sessions: threads::Sessions,
    /// What its files hold.
    pub(super) contents: contents::Files,
    /// Where its commands run.
    pub(super) scene: Scene,
    /// The newest failure text with what it says.
    pub(super) last_reading: Option<(Box<str>, Reading)>,
}

/// What is known about the place of a run's commands, and which of them the user calls checks.
#[derive(Clone, Default)]
pub(super) struct Scene {
    /// Checks from the configuration.
    pub(super) own: Arc<[OwnJudge]>,
    /// The project's folder: the first directory that the run's records name.
    pub(super) workspace: String,
    /// The directory that commands begin in, where the source has said so.
    pub(super) cwd: String,
}

impl Scene {
    /// Records say that the session stands in this directory.
    pub(super) fn enter(&mut self, cwd: &str) {
        if self.cwd != cwd {
            cwd.clone_into(&mut self.cwd);
            self.know(cwd);
        }
    }

    /// A directory of the run is met.
    pub(super) fn know(&mut self, cwd: &str) {
        if self.workspace.is_empty() {
            cwd.clone_into(&mut self.workspace);
        }
    }
}

/// A record this long after an end record belongs to the next execution of the loop.
const ANOTHER_NIGHT_S: f64 = 4.0 * 3_600.0;

impl Part {
    /// Whether an event is the first of another execution of the loop.
    pub(super) fn starts_over(&self, event: &Event<'_>) -> bool {
        if self.trace.derived || self.resumed || self.trace.steps.is_empty() {
            return false;
        }
        let last = self.trace.iterations.last().map_or(0, |i| i.number);
        let first = event.iter.is_some_and(|n| n <= 1);
        let starts = matches!(event.what, What::IterStart);
        let acts = starts || matches!(event.what, What::AgentCall { .. });
        let resumes = matches!(event.what, What::Mark { kind: MarkKind::Resume, .. });
        if let Some(ended) = self.ended {
            let late = ended.zip(event.at).is_some_and(|(end, now)| now.seconds_since(end) > ANOTHER_NIGHT_S);
            let back = event.iter.is_some_and(|n| n < last);
            let works = !matches!(event.what, What::Mark { .. } | What::End { .. });
            // Where the loop writes down its starts, a call of the agent begins nothing.
            let begins = starts || acts && !self.starts && !self.swapped(event);
            return !resumes
                && (begins && first || works && back && !self.swapped(event) || works && late && event.iter.is_none_or(|n| n <= last));
        }
        // Without an end record: the count starts again. In iteration 1 that is a restart unless nothing lies between.
        let later = event.at.zip(self.last_time).is_none_or(|(now, before)| now > before);
        let between = later && self.trace.steps.last().is_some_and(|s| s.kind != StepKind::IterStart);
        starts && first && (last > 1 || self.starts && between && last == 1) || acts && first && last > 1 && !self.starts
    }

    /// Two records of the same second may stand in either order.
    fn swapped(&self, event: &Event<'_>) -> bool {
        event.at.zip(self.last_time).is_some_and(|(now, before)| now.seconds_since(before) <= 2.0)
    }

    pub(super) fn take(&mut self, event: Event<'_>, place: Place) {
        let Event { at, iter, usage, what, revision, files_changed, .. } = event;
        if let What::ModelCall { key: Some(key), .. } = &what
            && self.known_call(*key, usage.as_ref())
        {
            return;
        }
        self.note_paid(&what, usage.as_ref());
        match what {
            What::Mark { kind: MarkKind::Resume, .. } => self.resumed = true,
            // The start that a resume announced has come.
            What::IterStart => {
                self.resumed = false;
                self.starts = true;
            }
            _ => {}
        }
        self.note_turn_back(iter, at, &what, place);
        let iteration = self.iteration(iter, at, matches!(what, What::IterStart));
        let row = &mut self.trace.iterations[iteration];
        row.files_changed = row.files_changed.max(files_changed);
        if revision.is_some() && self.revision.is_some() && revision != self.revision {
            let mark = Mark {
                kind: MarkKind::Revision,
                step: index(self.trace.steps.len()),
                text: "".into(),
                decision: None,
                by: None,
                exit_code: None,
            };
            self.trace.marks.push(mark);
            self.trace.steps.push(Step { kind: StepKind::Mark(index(self.trace.marks.len() - 1)), at, iteration: index(iteration), place });
        }
        self.revision = revision.or(self.revision);
        let step = index(self.trace.steps.len());
        self.book(step, usage, &what);
        let ends = matches!(what, What::End { .. });
        let goes_on = matches!(what, What::IterStart | What::AgentCall { .. });
        let kind = self.row(step, iteration, what);
        if let StepKind::ToolCall(row) | StepKind::ToolResult(row) = kind {
            let action = &mut self.trace.actions[row as usize];
            action.files_changed = files_changed.or(action.files_changed);
        }
        self.trace.steps.push(Step { kind, at, iteration: index(iteration), place });
        if ends {
            self.ended = Some(at.or(self.last_time));
        } else if goes_on {
            self.ended = None;
        }
    }

    /// The index of the iteration that an event belongs to. An event without a number, or with one that goes back,
    /// belongs to the current iteration.
    fn iteration(&mut self, number: Option<u32>, at: Option<Time>, starts: bool) -> usize {
        let last = self.trace.iterations.last().map(|i| i.number);
        let fresh = match (last, number) {
            (Some(_), None) if self.trace.derived && self.closed => true,
            (None, _) => true,
            (Some(last), Some(n)) => n > last || n < last && starts,
            (Some(_), None) => false,
        };
        if fresh {
            self.closed = false;
            self.newest = Newest::default();
            let number = number.unwrap_or_else(|| last.map_or(1, |n| n.saturating_add(1)));
            let first_step = index(self.trace.steps.len());
            self.trace.iterations.push(Iteration { start: at, end: at, ..Iteration::unjudged(number, first_step) });
        }
        let index = self.trace.iterations.len() - 1;
        let row = &mut self.trace.iterations[index];
        row.start = row.start.or(at);
        row.end = row.end.max(at);
        index
    }

    /// Books tokens and money. A model call is always booked, also where its record counts nothing.
    fn book(&mut self, step: u32, usage: Option<Usage<'_>>, what: &What<'_>) {
        let mut usage = usage.unwrap_or_default();
        let (exit_code, fault) = match what {
            What::ModelCall { ok, exit_code, text, .. } => {
                usage.tokens = usage.tokens.counted();
                (*exit_code, tools::call_fault(*ok, *exit_code, text))
            }
            _ if usage.tokens.is_unknown() && usage.reported.is_none() => return,
            _ => (None, None),
        };
        let model = usage.model.as_deref().filter(|m| !m.is_empty()).map(|m| self.trace.names.intern(m));
        self.trace.bookings.push(Booking {
            step,
            model,
            tokens: usage.tokens,
            reported: usage.reported,
            spent: usage.reported,
            web_searches: usage.web_searches,
            duration_ms: usage.duration_ms,
            exit_code,
            fault,
            side: matches!(what, What::ModelCall { side: true, .. }),
        });
    }

    /// A further record of a call that is booked already: of each class the larger figure counts, streaming grows.
    fn known_call(&mut self, key: u64, usage: Option<&Usage<'_>>) -> bool {
        let Some(row) = self.calls.get(&key) else {
            self.calls.insert(key, index(self.trace.bookings.len()));
            return false;
        };
        if let (Some(booking), Some(usage)) = (self.trace.bookings.get_mut(*row as usize), usage) {
            booking.tokens.raise(&usage.tokens.counted());
        }
        true
    }

    fn row(&mut self, step: u32, iteration: usize, what: What<'_>) -> StepKind {
        match what {
            What::IterStart => StepKind::IterStart,
            What::ModelCall { .. } => {
                self.trace.model_calls += 1;
                StepKind::ModelCall(index(self.trace.bookings.len().saturating_sub(1)))
            }
            What::AgentCall { failure, signature, counts } => {
                self.trace.agent_calls += 1;
                self.judge_by_call(step, iteration, &failure, signature.as_deref(), counts);
                StepKind::AgentCall
            }
            What::Check { name, green, exit_code, text, signature, counts } => {
                let tree = counts.commit.as_deref().map(|c| self.trace.names.intern(c));
                let colour = self.judge_by_check(step, iteration, green, exit_code, &text, signature.as_deref(), counts, name.is_some());
                let name = name.map(|n| self.trace.names.intern(&n));
                let row = &self.trace.iterations[iteration];
                let (commit, failures) = (tree, if colour == Colour::Unknown { (0, 0) } else { row.failures });
                self.trace.checks.push(Check { name, colour, exit_code, judge: None, commit, failures, command: 0, step });
                self.recolour(iteration, name, colour);
                StepKind::Check(index(self.trace.checks.len() - 1))
            }
            What::End { how, text, by } => {
                self.judge_by_end(step, iteration, how, &text);
                self.trace.ends.push(End { how, step, text: head(&text), by: by.map(|b| head(&b)) });
                StepKind::End(index(self.trace.ends.len() - 1))
            }
            What::ToolCall { id, tool, args } => StepKind::ToolCall(self.tool_call(step, id.as_deref(), &tool, &args)),
            What::ToolResult { id, ok, exit_code, text, running } => {
                StepKind::ToolResult(self.tool_result(step, iteration, id.as_deref(), ok, exit_code, &text, running))
            }
            What::Outcome { id, exit_code, text } => {
                self.outcome(step, iteration, &id, exit_code, &text);
                self.trace.marks.push(Mark { kind: MarkKind::Other, step, text: "".into(), decision: None, by: None, exit_code });
                StepKind::Mark(index(self.trace.marks.len() - 1))
            }
            What::Said { text, ends } => {
                self.trace.said.push(Said { key: folded(&text), ends, claims: claim::of_done(&text), step });
                StepKind::Said(index(self.trace.said.len() - 1))
            }
            what @ (What::Gate { .. } | What::Permission { .. } | What::Review { .. } | What::Hypothesis { .. }) => {
                self.govern(step, iteration, what)
            }
            What::Mark { kind, text, decision, by, score, exit_code } => {
                // Nobody types a whole task twice in a row: a loop feeds it again. "continue" is typed again and again.
                let again = text.len() >= FED && self.tasks.last().is_some_and(|t| t.chars().eq(text.chars().take(TASK)));
                let kind = if kind == MarkKind::Person && again && self.trace.derived { MarkKind::Fed } else { kind };
                if kind == MarkKind::Person {
                    self.tasks.push(text.chars().take(TASK).collect());
                }
                let row = &mut self.trace.iterations[iteration];
                if let Some(score) = score {
                    row.score = Some(row.score.map_or(score, |s| s.max(score)));
                }
                if kind == MarkKind::Hypothesis {
                    row.decided |= matches!(decision.as_deref(), Some("supported" | "refuted"));
                }
                self.trace.marks.push(Mark {
                    kind,
                    step,
                    text: head(&text),
                    decision: decision.map(|d| head(&d)),
                    by: by.map(|b| head(&b)),
                    exit_code,
                });
                StepKind::Mark(index(self.trace.marks.len() - 1))
            }
        }
    }
}
