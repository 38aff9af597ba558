//! From events to rows. One log may hold several executions of a loop, one after another or side by side; each
//! becomes its own trace.

use crate::format::json::hash;
use crate::trace::event::{Counts, EndKind, Event, MarkKind, Usage, What};
use crate::trace::rows::{Action, Beat, Booking, Budget, CallFault, Check, Colour, End, Iteration, LoopState, Mark, Step, StepKind};
use crate::trace::signature::{self, Reading};
use crate::trace::{FaultKind, Ledger, Place, Source, SourceText, Time, Trace, tool};
use std::borrow::Cow;
use std::collections::HashMap;

/// Texts in rows are heads of this many bytes; the whole text stays in the log.
const HEAD: usize = 240;

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
    /// An end record was the last thing that happened.
    ended: bool,
    /// The next restart at iteration 1 continues this run.
    resumed: bool,
    last_time: Option<Time>,
    /// The budget's revision in force.
    revision: Option<u32>,
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
                text: SourceText::Heads(HashMap::new()),
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
        if let Some(Source { text: SourceText::Heads(heads), .. }) = self.sources.last_mut() {
            heads.insert(line, String::from_utf8_lossy(&bytes[..bytes.len().min(2 * HEAD)]).into());
        }
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
            let known = self.parts.iter().rposition(|p| p.name.as_deref() == Some(run));
            let unnamed = self.parts.iter().position(|p| p.name.is_none());
            self.current = known.or(unnamed).unwrap_or_else(|| {
                self.parts.push(Part::default());
                self.parts.len() - 1
            });
            self.parts[self.current].name = Some(run.into());
        }
        let part = &self.parts[self.current];
        let first = matches!(event.what, What::IterStart) && event.iter.is_some_and(|n| n <= 1);
        let begun = part.trace.iterations.iter().any(|i| i.number > 1) || part.ended;
        if first && begun && !part.resumed {
            self.split(event.at);
        }
    }

    /// The current trace ends here; what follows is another execution of the loop. The ledger so far stays with
    /// the first, so that no line is counted twice.
    fn split(&mut self, at: Option<Time>) {
        let fresh = Part { name: self.parts[self.current].name.clone(), ..Part::default() };
        let mut old = std::mem::replace(&mut self.parts[self.current], fresh);
        if !old.ended {
            old.trace.restarted_at = at;
        }
        old.trace.sources = self.sources.clone();
        for source in &mut self.sources {
            source.ledger = Ledger::default();
        }
        self.done.push(old.trace);
    }

    /// The traces, in the order of their beginnings in the log.
    #[must_use]
    pub fn finish(mut self) -> Vec<Trace> {
        self.fold_strays();
        let parts = std::mem::take(&mut self.parts);
        for (k, part) in parts.into_iter().enumerate() {
            let mut trace = part.trace;
            trace.sources = self.sources.clone();
            if k > 0 {
                // A log shared by several runs: its lines are accounted for once, with the first.
                trace.sources.iter_mut().for_each(|s| s.ledger = Ledger::default());
            }
            self.done.push(trace);
        }
        let mut traces = std::mem::take(&mut self.done);
        self.hand_out_companions(&mut traces);
        for trace in &mut traces {
            trace.beats.sort_by_key(|b| (b.at, b.place));
        }
        traces
    }

    /// A few records that name another run do not make a run: they are shown as strays of the run they stand in.
    fn fold_strays(&mut self) {
        let most = self.parts.iter().map(|p| p.trace.steps.len()).max().unwrap_or(0);
        let Some(main) = self.parts.iter().position(|p| p.trace.steps.len() == most) else { return };
        let mut strays: Option<(u32, Place)> = None;
        let mut kept = Vec::new();
        for (k, part) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            let steps = &part.trace.steps;
            let a_run = steps.iter().any(|s| s.kind == StepKind::IterStart) || steps.len() * 5 >= most;
            if k == main || a_run && !steps.is_empty() {
                kept.push(part);
            } else if let Some(first) = steps.first() {
                let count = u32::try_from(steps.len()).unwrap_or(u32::MAX);
                strays = Some(strays.map_or((count, first.place), |(n, p)| (n + count, p)));
            }
        }
        if let Some(first) = kept.first_mut() {
            first.trace.strays = strays;
        }
        self.parts = kept;
    }

    /// Beats go to the execution during which they fall, state and budget to the last one and to all.
    fn hand_out_companions(&mut self, traces: &mut [Trace]) {
        let starts: Vec<Option<Time>> = traces.iter().map(Trace::started).collect();
        for beat in std::mem::take(&mut self.beats) {
            let owner = match beat.at {
                Some(at) => starts.iter().rposition(|s| s.is_some_and(|s| s <= at)).unwrap_or(0),
                None => traces.len().saturating_sub(1),
            };
            if let Some(trace) = traces.get_mut(owner) {
                trace.beats.push(beat);
            }
        }
        if let Some(last) = traces.last_mut() {
            last.states = std::mem::take(&mut self.states);
        }
        for trace in traces {
            trace.budget = self.budget.clone();
        }
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

impl Part {
    fn take(&mut self, event: Event<'_>, place: Place) {
        let Event { at, iter, usage, what, revision, files_changed, .. } = event;
        if let What::Mark { kind: MarkKind::Resume, .. } = what {
            self.resumed = true;
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
        let neutral = matches!(what, What::Mark { kind: MarkKind::Other | MarkKind::Retry, .. });
        let kind = self.row(step, iteration, what);
        if let StepKind::ToolCall(row) | StepKind::ToolResult(row) = kind {
            let action = &mut self.trace.actions[row as usize];
            action.files_changed = files_changed.or(action.files_changed);
        }
        self.trace.steps.push(Step { kind, at, iteration: index(iteration), place });
        self.ended = ends || self.ended && neutral;
    }

    /// The index of the iteration that an event belongs to. An event without a number, or with one that goes back,
    /// belongs to the current iteration.
    fn iteration(&mut self, number: Option<u32>, at: Option<Time>, starts: bool) -> usize {
        let last = self.trace.iterations.last().map(|i| i.number);
        let fresh = match (last, number) {
            (None, _) => true,
            (Some(last), Some(n)) => n > last || n < last && starts,
            (Some(_), None) => false,
        };
        if fresh {
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
            What::ModelCall { ok, exit_code, text } => (*exit_code, call_fault(*ok, *exit_code, text)),
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
        });
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
                self.trace.checks.push(Check { name, colour, exit_code, step });
                self.recolour(iteration, step);
                StepKind::Check(index(self.trace.checks.len() - 1))
            }
            What::End { how, text, by } => {
                self.judge_by_end(step, iteration, how, &text);
                self.trace.ends.push(End { how, step, text: head(&text), by: by.map(|b| head(&b)) });
                StepKind::End(index(self.trace.ends.len() - 1))
            }
            What::ToolCall { id, tool, args } => StepKind::ToolCall(self.tool_call(step, id.as_deref(), &tool, &args)),
            What::ToolResult { id, ok, exit_code, text } => {
                StepKind::ToolResult(self.tool_result(step, id.as_deref(), ok, exit_code, &text))
            }
            What::Mark { kind, text, decision, by, score, exit_code } => {
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

    /// `agent_call` alone means that the check before it was red; a `check` record decides over it.
    fn judge_by_call(&mut self, step: u32, iteration: usize, failure: &str, own: Option<&str>, counts: Counts) {
        let judged = self.trace.iterations[iteration].verdict_step.is_some();
        if judged && self.trace.iterations[iteration].coarse != 0 {
            return;
        }
        let reading = signature::read(failure.as_bytes(), &[]);
        let colour = if reading.infrastructure.is_some() { Colour::NoVerdict } else { Colour::Red };
        let row = &mut self.trace.iterations[iteration];
        if !judged {
            row.verdict_step = Some(step);
            row.work_from = step;
            row.colour = colour;
        } else if row.colour == Colour::Green {
            return;
        }
        self.describe(iteration, failure, &reading, own, counts);
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one record")]
    fn judge_by_check(
        &mut self,
        step: u32,
        iteration: usize,
        green: Option<bool>,
        exit_code: Option<i32>,
        text: &str,
        own: Option<&str>,
        mut counts: Counts,
        named: bool,
    ) -> Colour {
        let reading = signature::read(text.as_bytes(), &[]);
        counts.exit_code = counts.exit_code.or(exit_code);
        let says = exit_code
            .map(|code| code == 0)
            .or(green)
            .or_else(|| counts.failures.map(|n| n == 0))
            .or(reading.verdict)
            .or_else(|| word_of_colour(text));
        let colour = match says {
            Some(true) => Colour::Green,
            Some(false) if reading.infrastructure.is_some() => Colour::NoVerdict,
            Some(false) => Colour::Red,
            None if reading.infrastructure.is_some() => Colour::NoVerdict,
            None => Colour::Unknown,
        };
        let row = &mut self.trace.iterations[iteration];
        if !named {
            row.colour = colour;
        }
        row.verdict_step = Some(step);
        row.work_from = step + 1;
        if colour != Colour::Unknown {
            self.describe(iteration, text, &reading, own, counts);
        }
        colour
    }

    /// With several named checks an iteration is green when the newest of each is.
    fn recolour(&mut self, iteration: usize, step: u32) {
        let first = self.trace.iterations[iteration].first_step;
        let mut newest: HashMap<_, Colour> = HashMap::new();
        for check in self.trace.checks.iter().rev().take_while(|c| c.step >= first && c.step <= step) {
            newest.entry(check.name).or_insert(check.colour);
        }
        let has = |colour| newest.values().any(|c| *c == colour);
        let colour = [Colour::Red, Colour::NoVerdict, Colour::Green].into_iter().find(|c| has(*c)).unwrap_or_default();
        self.trace.iterations[iteration].colour = colour;
    }

    /// `green` passes its iteration; `stuck` carries the failure that fired it.
    fn judge_by_end(&mut self, step: u32, iteration: usize, how: EndKind, text: &str) {
        let row = &self.trace.iterations[iteration];
        match how {
            EndKind::Green if row.verdict_step.is_none() => {
                let row = &mut self.trace.iterations[iteration];
                row.colour = Colour::Green;
                row.verdict_step = Some(step);
                row.work_from = step + 1;
            }
            // a retry in the same iteration: the call was red, the check after it is green
            EndKind::Green if row.colour != Colour::Green && !self.trace.checks.iter().any(|c| c.step >= row.first_step) => {
                let row = &mut self.trace.iterations[iteration];
                row.colour = Colour::Green;
                row.verdict_step = Some(step);
                row.work_from = step + 1;
            }
            EndKind::Stuck if row.verdict_step.is_none() && !text.trim().is_empty() => {
                self.judge_by_call(step, iteration, text, None, Counts::default());
            }
            _ => {}
        }
    }

    /// Puts what a failing check said into its iteration.
    fn describe(&mut self, iteration: usize, text: &str, reading: &Reading, own: Option<&str>, counts: Counts) {
        let first = index(self.trace.failure_keys.len());
        if counts.failing.is_empty() {
            self.trace.failure_keys.extend(reading.failures.iter().map(|f| f.key));
        } else {
            self.trace.failure_keys.extend(counts.failing.iter().map(|name| hash(name.as_bytes())));
        }
        let keys = &mut self.trace.failure_keys[first as usize..];
        keys.sort_unstable();
        let known = index(keys.len());
        let commit = counts.commit.map(|c| self.trace.names.intern(&c));
        let row = &mut self.trace.iterations[iteration];
        row.failures = (first, first + known);
        // A text that names one failure shows the first of nobody knows how many: its count is no count.
        let first_only = reading.passed.is_none() && reading.failed == Some(1) && reading.failures.len() == 1;
        let read = reading.failed.filter(|_| !first_only);
        row.failed = counts.failures.or(read).or((!counts.failing.is_empty()).then_some(known));
        row.passed = reading.passed.or(row.passed);
        row.set_known =
            !counts.failing.is_empty() || known > 1 && row.failed.is_none_or(|n| n == known) || known == 1 && row.failed == Some(1);
        row.stage = reading.stage;
        row.infra = reading.infrastructure;
        row.commit = commit.or(row.commit);
        let silent = text.trim().is_empty();
        (row.coarse, row.fine) = match own {
            Some(own) if silent => (hash(own.as_bytes()), hash(own.as_bytes())),
            _ if !counts.failing.is_empty() && silent => {
                let all = hash(counts.failing.join("\n").as_bytes());
                (all, all)
            }
            // Red with an empty set: the exit code stands for the failure.
            _ if silent => counts.exit_code.map_or((0, 0), |code| (hash(&code.to_le_bytes()), hash(&code.to_le_bytes()))),
            _ => (reading.coarse(), reading.fine()),
        };
    }

    fn tool_call(&mut self, step: u32, id: Option<&str>, tool: &str, args: &str) -> u32 {
        let class = tool::classify(tool, args);
        let call_key = hash(format!("{tool}\0{:016x}", crate::format::json::canonical_hash(args)).as_bytes());
        let row = index(self.trace.actions.len());
        let tool = self.trace.names.intern(tool);
        self.trace.actions.push(Action {
            tool,
            class,
            call_key,
            result_key: 0,
            error_key: 0,
            ok: None,
            exit_code: None,
            step,
            result_step: None,
            result_len: 0,
            files_changed: None,
        });
        if let Some(id) = id {
            self.pending.insert(hash(id.as_bytes()), row);
        }
        self.last_call = Some(row);
        if let Some(timeout) = declared_timeout(args) {
            self.trace.tool_timeout_s = Some(self.trace.tool_timeout_s.map_or(timeout, |t| t.max(timeout)));
        }
        row
    }

    fn tool_result(&mut self, step: u32, id: Option<&str>, ok: Option<bool>, exit_code: Option<i32>, text: &str) -> u32 {
        let call = match id {
            Some(id) => self.pending.remove(&hash(id.as_bytes())),
            None => self.last_call.filter(|row| self.trace.actions[*row as usize].result_step.is_none()),
        };
        let row = call.unwrap_or_else(|| {
            let tool = self.trace.names.intern("");
            self.trace.actions.push(Action {
                tool,
                class: tool::ToolClass::Other,
                call_key: 0,
                result_key: 0,
                error_key: 0,
                ok: None,
                exit_code: None,
                step,
                result_step: None,
                result_len: 0,
                files_changed: None,
            });
            index(self.trace.actions.len() - 1)
        });
        let failed =
            ok == Some(false) || exit_code.is_some_and(|c| c != 0) || ok.is_none() && exit_code.is_none() && looks_like_error(text);
        let error_key = if failed { signature::read(text.as_bytes(), &[]).coarse() } else { 0 };
        let action = &mut self.trace.actions[row as usize];
        action.result_step = Some(step);
        action.result_len = index(text.len());
        action.result_key = signature::result_key(text.as_bytes(), &[]);
        action.error_key = error_key;
        action.ok = ok.or(exit_code.map(|c| c == 0));
        action.exit_code = exit_code;
        row
    }
}

/// Why a model call failed, by its record's text; `None` where it did not.
fn call_fault(ok: Option<bool>, exit_code: Option<i32>, text: &str) -> Option<CallFault> {
    let failed = ok == Some(false) || exit_code.is_some_and(|c| c != 0);
    if !failed {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    const FULL: &[&str] =
        &["prompt is too long", "context_length_exceeded", "context length", "context window", "input is too long", "too many tokens in"];
    if FULL.iter().any(|words| lower.contains(words)) {
        return Some(CallFault::ContextFull);
    }
    Some(signature::read(text.as_bytes(), &[]).infrastructure.map_or(CallFault::Other, CallFault::Infrastructure))
}

/// A tool's answer that begins as an error does, where nobody recorded whether it worked.
fn looks_like_error(text: &str) -> bool {
    let text = text.trim_start();
    ["error", "Error", "ERROR", "Traceback (most recent call last)", "fatal:", "Exception"].iter().any(|e| text.starts_with(e))
}

/// A check record that says its colour in a word.
fn word_of_colour(text: &str) -> Option<bool> {
    let word: Cow<'_, str> = text.split(|c: char| !c.is_ascii_alphabetic()).find(|w| !w.is_empty())?.to_ascii_lowercase().into();
    match word.as_ref() {
        "green" | "pass" | "passed" | "ok" | "success" => Some(true),
        "red" | "fail" | "failed" | "failing" | "error" => Some(false),
        _ => None,
    }
}

/// A timeout among a call's arguments, in seconds. By the field's usual unit: `timeout_ms` and large numbers are
/// milliseconds.
fn declared_timeout(args: &str) -> Option<f64> {
    if !args.contains("timeout") {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(args).ok()?;
    let number = |key: &str| value.get(key).and_then(serde_json::Value::as_f64);
    let seconds = number("timeout_ms")
        .map(|ms| ms / 1e3)
        .or_else(|| number("timeout_s").or_else(|| number("timeout_seconds")))
        .or_else(|| number("timeout").map(|t| if t >= 1_000.0 { t / 1e3 } else { t }))?;
    (seconds > 0.0 && seconds < 86_400.0).then_some(seconds)
}
