//! From events to rows. One log may hold several executions of a loop, one after another or side by side; each
//! becomes its own trace.

mod finish;
mod order;
mod session;
mod tools;
mod verdicts;
mod writes;

use crate::format::json::hash;
use crate::trace::event::{Event, MarkKind, Usage, What};
use crate::trace::judge::Judge;
use crate::trace::rows::{Beat, Booking, Budget, Check, Colour, End, Iteration, LoopState, Mark, Said, Step, StepKind};
use crate::trace::signature::Reading;
use crate::trace::{FaultKind, Ledger, Money, Name, Place, Source, SourceText, Time, Tokens, Trace, claim};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use session::is_usage_limit;

/// Texts in rows are heads of this many bytes; the whole text stays in the log.
const HEAD: usize = 240;

/// Characters of a task that are looked at.
const TASK: usize = 8_000;

/// A trace that is still being built.
#[derive(Default)]
struct Part {
    trace: Trace,
    /// Tool calls without a result, by the hash of their id.
    pending: HashMap<u64, u32>,
    /// The last tool call, for results without an id.
    last_call: Option<u32>,
    /// The `run` that its records name.
    name: Option<Box<str>>,
    /// The time of an end record that no new pass of the loop follows.
    ended: Option<Option<Time>>,
    /// The loop writes down when a pass begins.
    starts: bool,
    /// The newest colour of each check of the current iteration.
    newest: HashMap<Option<Name>, Colour>,
    /// The next restart at iteration 1 continues this run.
    resumed: bool,
    last_time: Option<Time>,
    /// The budget's revision in force.
    revision: Option<u32>,
    /// The last check ended its iteration: the next act begins another.
    closed: bool,
    /// Calls of models by what makes two records one call, with their bookings.
    calls: HashMap<u64, u32>,
    /// Checks whose outcome is still to come, by action.
    checking: HashMap<u32, Judge>,
    /// What persons asked for.
    tasks: Vec<String>,
    /// Files that were looked at or changed before, and files that the run itself made.
    files: HashMap<u64, writes::Origin>,
    made_names: HashSet<String>,
    /// Actions whose command still runs, by the hash of the call's id.
    running: HashMap<u64, u32>,
    /// The newest failure text with what it says.
    last_reading: Option<(Box<str>, Reading)>,
}

/// Builds the traces of one group of sources.
#[derive(Default)]
pub struct Builder {
    done: Vec<Trace>,
    parts: Vec<Part>,
    current: usize,
    sources: Vec<Source>,
    beats: Vec<Beat>,
    states: Vec<LoopState>,
    budget: Option<Budget>,
    seen: HashSet<u64>,
    /// The newest part of each run that a shared log names.
    by_run: HashMap<Box<str>, usize>,
}

impl Builder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self { parts: vec![Part::default()], ..Self::default() }
    }

    /// The following events come from this source.
    pub fn open_source(&mut self, source: Source) {
        self.sources.push(source);
        for part in &mut self.parts {
            part.last_time = None;
        }
    }

    /// The current source.
    pub fn source(&mut self) -> Option<&mut Source> {
        self.sources.last_mut()
    }

    /// The current source's ledger.
    pub fn ledger(&mut self) -> &mut Ledger {
        if self.sources.is_empty() {
            self.sources.push(Source {
                shown: "".into(),
                format: "",
                ledger: Ledger::default(),
                text: SourceText::Heads(Arc::default()),
                modified: None,
            });
        }
        let last = self.sources.len() - 1;
        &mut self.sources[last].ledger
    }

    /// A place in the current source.
    #[must_use]
    pub fn place(&self, line: u32, offset: u64) -> Place {
        Place { source: u16::try_from(self.sources.len().saturating_sub(1)).unwrap_or(u16::MAX), line, offset }
    }

    /// Keeps a line's head where the source cannot be read again.
    pub fn keep_head(&mut self, line: u32, bytes: &[u8]) {
        if let Some(Source { text: SourceText::Heads(heads), .. }) = self.sources.last()
            && let Ok(mut heads) = heads.lock()
        {
            heads.insert(line, String::from_utf8_lossy(&bytes[..bytes.len().min(2 * HEAD)]).into());
        }
    }

    /// Whether something is met for the first time in this group of sources: copies of a session hold the same records.
    pub fn first_time(&mut self, key: u64) -> bool {
        self.seen.insert(key)
    }

    /// The sources write down no iterations: they are the stretches between checks, unless a loop's log says better.
    pub fn derive_iterations(&mut self) {
        let by_log = self.sources.iter().any(|s| s.format == "loop-log");
        self.parts[self.current].trace.derived = !by_log;
    }

    /// The sources are the output of a headless agent, which ends with a record of its own.
    pub fn headless(&mut self) {
        self.parts[self.current].trace.headless = true;
    }

    /// A sign of life that is no act.
    pub fn alive(&mut self, at: Option<Time>) {
        let trace = &mut self.parts[self.current].trace;
        trace.alive = trace.alive.max(at);
    }

    /// Some of a model's cache writes are of the hour class, says the runner's total.
    pub fn move_writes_to_hour(&mut self, model: &str, mut tokens: u64) {
        let trace = &mut self.parts[self.current].trace;
        for b in trace.bookings.iter_mut().rev() {
            if tokens == 0 {
                return;
            }
            if b.model.is_some_and(|m| trace.names.text(m) == model) {
                let part = b.tokens.cache_write_5m.unwrap_or(0).min(tokens);
                b.tokens.cache_write_5m = b.tokens.cache_write_5m.map(|n| n - part);
                b.tokens.cache_write_1h = Some(b.tokens.cache_write_1h.unwrap_or(0) + part);
                tokens -= part;
            }
        }
    }

    /// The writer is known to log too few output tokens.
    pub fn under_reported(&mut self) {
        self.parts[self.current].trace.under_reported = true;
    }

    /// What the runner itself says that a stretch cost.
    pub fn stated(&mut self, money: Money) {
        let trace = &mut self.parts[self.current].trace;
        trace.stated = Some(trace.stated.unwrap_or_default() + money);
    }

    /// The tokens booked so far, by model: what a runner's own total is held against.
    #[must_use]
    pub fn booked(&self) -> HashMap<String, Tokens> {
        let trace = &self.parts[self.current].trace;
        let mut sums: HashMap<String, Tokens> = HashMap::new();
        for b in &trace.bookings {
            sums.entry(b.model.map_or_else(String::new, |m| trace.names.text(m).to_owned())).or_default().add(&b.tokens);
        }
        sums
    }

    /// What is booked for a call that is known by its key: its model and tokens.
    #[must_use]
    pub fn booked_call(&self, key: u64) -> Option<(&str, Tokens)> {
        let part = &self.parts[self.current];
        let booking = part.trace.bookings.get(*part.calls.get(&key)? as usize)?;
        Some((booking.model.map_or("", |m| part.trace.names.text(m)), booking.tokens))
    }

    /// A heartbeat.
    pub fn beat(&mut self, beat: Beat) {
        self.beats.push(beat);
    }

    /// The machine state beside the loop.
    pub fn state(&mut self, state: LoopState) {
        self.states.push(state);
    }

    /// The budget beside the loop.
    pub fn budget(&mut self, budget: Budget) {
        let all = self.budget.get_or_insert_default();
        all.limits.extend(budget.limits);
        all.reserve_tool_calls = budget.reserve_tool_calls.or(all.reserve_tool_calls);
    }

    /// Takes one event into the trace that it belongs to.
    pub fn event(&mut self, event: Event<'_>) {
        self.choose_part(&event);
        let place = self.place(event.line, event.offset);
        let part = &mut self.parts[self.current];
        if let (Some(now), Some(before)) = (event.at, part.last_time)
            && now < before
        {
            let ledger = &mut self.sources[place.source as usize].ledger;
            ledger.clock_back += 1;
            ledger.fault(FaultKind::ClockBack, place);
        }
        part.last_time = event.at.or(part.last_time);
        part.take(event, place);
    }

    /// Finds the trace for an event: by the run that it names, and a new one where the loop starts over.
    fn choose_part(&mut self, event: &Event<'_>) {
        if let Some(run) = event.run
            && self.parts[self.current].name.as_deref() != Some(run)
        {
            self.current = match self.by_run.get(run) {
                Some(known) => *known,
                // The first name that is met belongs to what stands before it.
                None if self.by_run.is_empty() => self.current,
                None => {
                    self.parts.push(Part::default());
                    self.parts.len() - 1
                }
            };
            self.by_run.insert(run.into(), self.current);
            self.parts[self.current].name = Some(run.into());
        }
        if self.parts[self.current].starts_over(event) {
            self.split(event.at);
        }
    }

    /// The current trace ends here; what follows is another execution of the loop. The ledger so far stays with
    /// the first, so that no line is counted twice.
    fn split(&mut self, at: Option<Time>) {
        let fresh = Part { name: self.parts[self.current].name.clone(), ..Part::default() };
        let mut old = std::mem::replace(&mut self.parts[self.current], fresh);
        if old.ended.is_none() {
            old.trace.restarted_at = at;
        }
        old.trace.sources = self.sources.clone();
        for source in &mut self.sources {
            source.ledger = Ledger::default();
        }
        self.done.push(old.trace);
    }
}

fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The head of a text, cut at a character.
fn head(text: &str) -> Box<str> {
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].into()
}

/// Hash of a text with its white space folded.
fn folded(text: &str) -> u64 {
    hash(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes())
}

/// A record this long after an end record belongs to the next execution of the loop.
const ANOTHER_NIGHT_S: f64 = 4.0 * 3_600.0;

impl Part {
    /// Whether an event is the first of another execution of the loop.
    fn starts_over(&self, event: &Event<'_>) -> bool {
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

    fn take(&mut self, event: Event<'_>, place: Place) {
        let Event { at, iter, usage, what, revision, files_changed, .. } = event;
        if let What::ModelCall { key: Some(key), .. } = &what
            && self.known_call(*key, usage.as_ref())
        {
            return;
        }
        match what {
            What::Mark { kind: MarkKind::Resume, .. } => self.resumed = true,
            // The start that a resume announced has come.
            What::IterStart => {
                self.resumed = false;
                self.starts = true;
            }
            _ => {}
        }
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
            self.newest.clear();
            let number = number.unwrap_or_else(|| last.map_or(1, |n| n.saturating_add(1)));
            let first_step = index(self.trace.steps.len());
            self.trace.iterations.push(Iteration {
                number,
                first_step,
                start: at,
                end: at,
                colour: Colour::Unknown,
                verdict_step: None,
                work_from: first_step,
                coarse: 0,
                fine: 0,
                failures: (0, 0),
                set_known: false,
                failed: None,
                passed: None,
                stage: None,
                infra: None,
                commit: None,
                files_changed: None,
                score: None,
                decided: false,
            });
        }
        let index = self.trace.iterations.len() - 1;
        let row = &mut self.trace.iterations[index];
        row.start = row.start.or(at);
        row.end = row.end.max(at);
        index
    }

    /// Books tokens and money. A model call is always booked, also where its record counts nothing.
    fn book(&mut self, step: u32, usage: Option<Usage<'_>>, what: &What<'_>) {
        let usage = usage.unwrap_or_default();
        let (exit_code, fault) = match what {
            What::ModelCall { ok, exit_code, text, .. } => (*exit_code, tools::call_fault(*ok, *exit_code, text)),
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
            booking.tokens.raise(&usage.tokens);
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
                let colour = self.judge_by_check(step, iteration, green, exit_code, &text, signature.as_deref(), counts, name.is_some());
                let name = name.map(|n| self.trace.names.intern(&n));
                self.trace.checks.push(Check { name, colour, exit_code, judge: None, step });
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
            What::Mark { kind, text, decision, by, score, exit_code } => {
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
