//! From events to rows. One log may hold several executions of a loop, one after another or side by side; each
//! becomes its own trace.

mod contents;
mod finish;
mod govern;
mod once;
mod order;
mod outcome;
mod part;
mod session;
mod side;
mod threads;
mod tools;
mod verdicts;
mod writes;

use crate::format::json::hash;
use crate::trace::event::Event;
use crate::trace::governance::{ContextFile, Notes, Scope};
use crate::trace::judge::OwnJudge;
use crate::trace::rows::{Beat, Budget, LoopState};
use crate::trace::{FaultKind, Ledger, Money, Place, Source, SourceText, Time, Tokens, Trace};
use part::{Part, Scene};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
#[cfg(test)]
pub(in crate::trace) use tools::BLANK;

pub use session::{is_locked_out, is_usage_limit};
pub use threads::Turn;

/// Texts in rows are heads of this many bytes; the whole text stays in the log.
const HEAD: usize = 240;

/// Tools that run side by side, progress records and resumes set back the times of an agent's own records, in real sessions
/// by up to three minutes. Only what goes beyond that is a clock that jumped.
const AGENT_SLACK_S: f64 = 600.0;

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
    paying: Option<u64>,
    scopes: Vec<Scope>,
    contexts: Vec<ContextFile>,
    notes: Vec<Notes>,
    seen: HashSet<u64>,
    /// The newest part of each run that a shared log names.
    by_run: HashMap<Box<str>, usize>,
    threads: threads::Threads,
    /// The record at hand was never finished.
    torn: bool,
}

impl Builder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self { parts: vec![Part::default()], ..Self::default() }
    }

    /// A builder that knows checks which the user has configured.
    #[must_use]
    pub fn with_judges(own: Arc<[OwnJudge]>) -> Self {
        let part = Part { scene: Scene { own, ..Scene::default() }, ..Part::default() };
        Self { parts: vec![part], ..Self::default() }
    }

    /// The following events come from this source.
    pub fn open_source(&mut self, source: Source) {
        self.sources.push(source);
        for part in &mut self.parts {
            part.last_time = None;
            part.scene.cwd.clear();
            part.sessions.speaks(part.trace.steps.len(), 0);
        }
    }

    /// Nothing has been read so far.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.sources.len() <= 1 && self.parts.iter().all(|part| part.trace.steps.is_empty())
    }

    /// The source's commands begin in this directory from here on.
    pub fn working_in(&mut self, cwd: &str) {
        if !cwd.is_empty() {
            self.parts[self.current].scene.enter(cwd);
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
                kept: None,
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

    /// Whether the current source cannot be read again.
    #[must_use]
    pub fn keeps_heads(&self) -> bool {
        matches!(self.sources.last(), Some(Source { text: SourceText::Heads(_), .. }))
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
    pub fn move_writes_to_hour(&mut self, is_model: impl Fn(&str) -> bool, mut tokens: u64) {
        let trace = &mut self.parts[self.current].trace;
        for b in trace.bookings.iter_mut().rev() {
            if tokens == 0 {
                return;
            }
            if b.model.is_some_and(|m| is_model(trace.names.text(m))) {
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
        if let (Some(now), Some(before)) = (event.at, part.last_time) {
            let source = &mut self.sources[place.source as usize];
            let slack = if source.format == "loop-log" { 0.0 } else { AGENT_SLACK_S };
            if before.seconds_since(now) > slack {
                source.ledger.clock_back += 1;
                source.ledger.fault(FaultKind::ClockBack, place);
            }
        }
        part.last_time = event.at.or(part.last_time);
        part.paying = self.paying.take();
        part.take(event, place);
    }

    /// The events that follow come from a record that was never finished, or again from whole ones.
    pub fn torn(&mut self, torn: bool) {
        self.torn = torn;
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
                    let scene = self.parts[self.current].scene.clone();
                    self.parts.push(Part { scene, ..Part::default() });
                    self.parts.len() - 1
                }
            };
            self.by_run.insert(run.into(), self.current);
            self.parts[self.current].name = Some(run.into());
        }
        // What was cut off in its writing is the last of a run, and never the first of another.
        if !self.torn && self.parts[self.current].starts_over(event) {
            self.split(event.at);
        }
    }

    /// The current trace ends here; what follows is another execution of the loop. The ledger so far stays with
    /// the first, so that no line is counted twice.
    fn split(&mut self, at: Option<Time>) {
        let current = &self.parts[self.current];
        let fresh = Part { name: current.name.clone(), scene: current.scene.clone(), ..Part::default() };
        let mut old = std::mem::replace(&mut self.parts[self.current], fresh);
        if old.ended.is_none() {
            old.trace.restarted_at = at;
        }
        old.trace.sources = self.sources.clone();
        old.trace.workspace = old.scene.workspace;
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
