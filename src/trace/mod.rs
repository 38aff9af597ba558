//! The trace: everything a run's raw logs say, read once, as fixed-size rows with the place they came from.
//! Every later question is a pure function of it.

mod aside;
mod builder;
mod claim;
pub mod danger;
pub mod event;
pub mod external;
mod flaky;
mod gain;
pub mod governance;
pub mod judge;
mod ledger;
mod money;
mod names;
mod place;
pub mod prose;
pub mod rows;
pub mod scratch;
pub mod signature;
mod source;
mod time;
pub mod tool;
mod usage;
pub mod weaken;

pub use builder::{Builder, Turn, is_locked_out, is_usage_limit};
pub use flaky::{Flaky, flaky};
pub use gain::{Gain, GainKind};
pub use ledger::{Fault, FaultKind, Ledger};
pub use money::Money;
pub use names::{Name, Names};
pub use place::Place;
pub use source::{Source, SourceText};
pub use time::{Time, span};
pub use usage::Tokens;

use governance::{ContextFile, Gate, Hypothesis, Notes, Permission, Rebilled, Review, Scope, ScopeEdit};
use judge::Judge;
use rows::{
    Action, Beat, Booking, Budget, Check, Colour, Content, End, Iteration, Logged, LoopState, Mark, Said, SideCall, Step, StepKind,
    Weakened,
};

/// One run, from its logs.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The run's id.
    pub id: String,
    /// Which execution of the loop it is, from 1, where one log holds several: its id then ends in `#` and this number.
    pub execution: Option<u32>,
    /// The project's folder: the first directory that the run's records name; empty without one.
    pub workspace: String,
    /// Where it was read from, with what became of every line.
    pub sources: Vec<Source>,
    /// The timeline.
    pub steps: Vec<Step>,
    /// Passes of the loop.
    pub iterations: Vec<Iteration>,
    /// Executions of checks.
    pub checks: Vec<Check>,
    /// Tool calls.
    pub actions: Vec<Action>,
    /// Tool calls of sub-agents, which are not the run's own.
    pub side_calls: Vec<SideCall>,
    /// Checks that sub-agents ran. They judge the same tree, and are none of the run's own iterations.
    pub side_checks: Vec<Check>,
    /// Checks that ran along in a command line that succeeded (`fmt && clippy && test`): green, and no iterations of their own.
    pub along_checks: Vec<Check>,
    /// Records that book tokens or money. Each call stands here once, whoever told of it.
    pub bookings: Vec<Booking>,
    /// What a loop's log says of model calls that a session tells too, without tokens and money, which count once: how they
    /// went.
    pub twice: Vec<Booking>,
    /// What a loop's log booked for what its sessions book too.
    pub logged: Vec<Logged>,
    /// What the agent said.
    pub said: Vec<Said>,
    /// Writes that weaken a check, and that no task asked for.
    pub weakened: Vec<Weakened>,
    /// What files came to hold, in the order of the changes.
    pub contents: Vec<Content>,
    /// What the checks that are read off commands judge.
    pub judges: Vec<Judge>,
    /// Iterations are not written down, they are the stretches between checks.
    pub derived: bool,
    /// A headless agent's output: only its own end record ends it.
    pub headless: bool,
    /// The newest sign of life that is no act: a running tool's progress, a sub-agent's record.
    pub alive: Option<Time>,
    /// What the runner itself says that the run cost.
    pub stated: Option<Money>,
    /// The writer is known to log too few output tokens.
    pub under_reported: bool,
    /// Records that end the run.
    pub ends: Vec<End>,
    /// Marks on the timeline.
    pub marks: Vec<Mark>,
    /// Heartbeats, by time where they have one.
    pub beats: Vec<Beat>,
    /// Keys of failing tests; iterations hold ranges of it.
    pub failure_keys: Vec<u64>,
    /// Interned names.
    pub names: Names,
    /// The machine states beside the loop.
    pub states: Vec<LoopState>,
    /// The budget beside the loop.
    pub budget: Option<Budget>,
    /// Calls of the loop to its agent.
    pub agent_calls: u32,
    /// Calls of a model.
    pub model_calls: u32,
    /// The longest timeout that a tool call declared, in seconds.
    pub tool_timeout_s: Option<f64>,
    /// The run began where another one in the same log stopped without an end record.
    pub restarted_at: Option<Time>,
    /// Attempts at quality gates.
    pub gates: Vec<Gate>,
    /// Permissions asked for, given and denied.
    pub permissions: Vec<Permission>,
    /// Other models' reviews.
    pub reviews: Vec<Review>,
    /// Hypotheses put up and tried.
    pub hypotheses: Vec<Hypothesis>,
    /// The acceptance matrix, snapshot by snapshot.
    pub scopes: Vec<Scope>,
    /// Pieces of the matrix that the run's edits replaced.
    pub scope_edits: Vec<ScopeEdit>,
    /// What iterations were told, file by file.
    pub contexts: Vec<ContextFile>,
    /// What status files say to people.
    pub notes: Vec<Notes>,
    /// Model calls that were paid for twice.
    pub rebilled: Vec<Rebilled>,
    /// Records whose iteration is one that was left before, with the first one's place.
    pub turns_back: Option<(u32, Place)>,
    /// The most input tokens that the run's last model takes.
    pub window: Option<u64>,
    /// Records that name another run, with the first one's place.
    pub strays: Option<(u32, Place)>,
}

impl Trace {
    /// The first time on the timeline.
    #[must_use]
    pub fn started(&self) -> Option<Time> {
        self.steps.iter().filter_map(|s| s.at).min()
    }

    /// The newest time on the timeline; beats do not count.
    #[must_use]
    pub fn last_event(&self) -> Option<Time> {
        self.steps.iter().filter_map(|s| s.at).max()
    }

    /// The newest beat.
    #[must_use]
    pub fn last_beat(&self) -> Option<&Beat> {
        self.beats.iter().filter(|b| b.at.is_some()).max_by_key(|b| b.at)
    }

    /// The step at an index.
    #[must_use]
    pub fn step(&self, index: u32) -> Option<&Step> {
        self.steps.get(index as usize)
    }

    /// The place of a step; the first source as a whole where there is no such step.
    #[must_use]
    pub fn place(&self, step: u32) -> Place {
        self.step(step).map_or(Place { source: 0, line: 0, offset: 0 }, |s| s.place)
    }

    /// Where an iteration's verdict is written, else where it begins.
    #[must_use]
    pub fn verdict_place(&self, iteration: &Iteration) -> Place {
        self.place(iteration.verdict_step.unwrap_or(iteration.first_step))
    }

    /// The iterations that the check judged, with their indices. Infrastructure failures judge nothing.
    pub fn judged(&self) -> impl DoubleEndedIterator<Item = (usize, &Iteration)> {
        self.iterations.iter().enumerate().filter(|(_, i)| matches!(i.colour, Colour::Green | Colour::Red))
    }

    /// The keys of an iteration's failing set.
    #[must_use]
    pub fn failing(&self, iteration: &Iteration) -> &[u64] {
        self.failure_keys.get(iteration.failures.0 as usize..iteration.failures.1 as usize).unwrap_or(&[])
    }

    /// The number of the iteration that a step belongs to.
    #[must_use]
    pub fn iteration_number(&self, step: u32) -> Option<u32> {
        let step = self.step(step)?;
        self.iterations.get(step.iteration as usize).map(|i| i.number)
    }

    /// Whether a call changed files that a check could judge: not texts for people, nor what the run made and clears away.
    #[must_use]
    pub fn changed_work(&self, action: &rows::Action) -> bool {
        action.class == tool::ToolClass::Edit && action.ok != Some(false) && !action.aside
    }

    /// Whether a booking is one call, or one pass of a loop, and not the sum that a process states at its end: a sum over
    /// many calls is the context of none.
    #[must_use]
    pub fn books_one_call(&self, booking: &Booking) -> bool {
        self.step(booking.step).is_some_and(|s| !matches!(s.kind, rows::StepKind::Mark(_)))
    }

    /// Tokens of all bookings from a step on.
    #[must_use]
    pub fn tokens_from(&self, step: u32) -> Tokens {
        let mut sum = Tokens::default();
        for b in self.bookings.iter().filter(|b| b.step >= step) {
            sum.add(&b.tokens);
        }
        sum
    }

    /// What all bookings from a step on cost; unknown where none of them is known.
    #[must_use]
    pub fn spent_from(&self, step: u32) -> Option<Money> {
        self.bookings.iter().filter(|b| b.step >= step).filter_map(|b| b.spent).reduce(|a, b| a + b)
    }

    /// What the log itself says that it cost.
    #[must_use]
    pub fn reported(&self) -> Option<Money> {
        self.bookings.iter().filter_map(|b| b.reported).reduce(|a, b| a + b)
    }

    /// Whether a step is one of [`calls`](Self::calls).
    #[must_use]
    pub fn is_call(&self, kind: StepKind) -> bool {
        if self.model_calls > 0 { matches!(kind, StepKind::ModelCall(_)) } else { kind == StepKind::AgentCall }
    }

    /// Calls of a model, or where none is recorded the loop's calls to its agent.
    #[must_use]
    pub fn calls(&self) -> u32 {
        if self.model_calls > 0 { self.model_calls } else { self.agent_calls }
    }
}
