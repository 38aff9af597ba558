//! The rows of a trace: fixed size, with the place they came from. Texts stay in the log.

use crate::trace::danger::Danger;
use crate::trace::event::{EndKind, MarkKind};
use crate::trace::external::External;
use crate::trace::signature::{Infra, Stage};
use crate::trace::tool::ToolClass;
use crate::trace::weaken::WeakeningKind;
use crate::trace::{Money, Name, Place, Time, Tokens};

/// One entry of the timeline; all other rows are reached from here or lead back to here.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What it is, with the index of its row.
    pub kind: StepKind,
    /// When.
    pub at: Option<Time>,
    /// Index of its iteration.
    pub iteration: u32,
    /// Where it is written.
    pub place: Place,
}

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// An iteration begins.
    IterStart,
    /// The loop calls its agent.
    AgentCall,
    /// A check ran; index into `checks`.
    Check(u32),
    /// The run ends; index into `ends`.
    End(u32),
    /// A model call; index into `bookings`.
    ModelCall(u32),
    /// What a loop's log says of a model call that a session tells too: it is no further call; index into `twice`.
    CallSeenTwice(u32),
    /// A tool call; index into `actions`.
    ToolCall(u32),
    /// A tool's answer; index into `actions`.
    ToolResult(u32),
    /// The agent says something; index into `said`.
    Said(u32),
    /// A mark; index into `marks`.
    Mark(u32),
}

/// The colour of an iteration or a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// Nothing judged it.
    #[default]
    Unknown,
    /// The check passed.
    Green,
    /// The check failed.
    Red,
    /// The check could not judge: its failure is infrastructural.
    NoVerdict,
}

/// One pass of the loop.
#[derive(Debug, Clone)]
pub struct Iteration {
    /// Its number in the log.
    pub number: u32,
    /// Its first step.
    pub first_step: u32,
    /// Time of the first record.
    pub start: Option<Time>,
    /// Time of the last record.
    pub end: Option<Time>,
    /// What the check said.
    pub colour: Colour,
    /// The step that says so.
    pub verdict_step: Option<u32>,
    /// From this step on, work is done after the verdict.
    pub work_from: u32,
    /// Coarse signature of the failure; 0 without one.
    pub coarse: u64,
    /// Fine signature.
    pub fine: u64,
    /// The failing set, as a range of the trace's `failure_keys`.
    pub failures: (u32, u32),
    /// Whether that set is complete, not only its first line.
    pub set_known: bool,
    /// Failing tests.
    pub failed: Option<u32>,
    /// Passed tests.
    pub passed: Option<u32>,
    /// How far the check came.
    pub stage: Option<Stage>,
    /// Which infrastructure failed.
    pub infra: Option<Infra>,
    /// The commit or tree that was checked.
    pub commit: Option<Name>,
    /// Files that its records say were changed, the most that one says.
    pub files_changed: Option<u32>,
    /// Best score of a gate in this iteration.
    pub score: Option<f64>,
    /// A hypothesis was supported or refuted.
    pub decided: bool,
}

impl Iteration {
    /// An iteration of which nothing but its beginning is known.
    #[must_use]
    pub fn unjudged(number: u32, first_step: u32) -> Self {
        Self {
            number,
            first_step,
            start: None,
            end: None,
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
        }
    }
}

/// One execution of a check.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// Its name, where several are run.
    pub name: Option<Name>,
    /// What it said.
    pub colour: Colour,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// What it judges, where that is read off its command; index into `judges`.
    pub judge: Option<u32>,
    /// The commit or tree that was checked.
    pub commit: Option<Name>,
    /// The failing set, as a range of the trace's `failure_keys`.
    pub failures: (u32, u32),
    /// Hash of the command, where it is known.
    pub command: u64,
    /// Its step.
    pub step: u32,
}

/// One tool call with its result.
#[derive(Debug, Clone, Copy)]
pub struct Action {
    /// The tool.
    pub tool: Name,
    /// What kind of tool use it is.
    pub class: ToolClass,
    /// Tool and canonical arguments.
    pub call_key: u64,
    /// The whole result, normalised; 0 while there is none.
    pub result_key: u64,
    /// Coarse signature of the error; 0 without one.
    pub error_key: u64,
    /// Whether it worked, where that is known.
    pub ok: Option<bool>,
    /// Exit code, where there is one.
    pub exit_code: Option<i32>,
    /// The step of the call; of the result where the call is missing.
    pub step: u32,
    /// The step of the result.
    pub result_step: Option<u32>,
    /// Bytes of the result.
    pub result_len: u32,
    /// Files that the result says were changed.
    pub files_changed: Option<u32>,
    /// It is a command of a shell.
    pub shell: bool,
    /// What would be done, whatever the tool is called.
    pub target: u64,
    /// Hash of the call's id; 0 without one.
    pub id: u64,
    /// The file that it changes.
    pub path: Name,
    /// What it writes outside the workspace.
    pub external: Option<External>,
    /// What the command would wipe.
    pub danger: Option<Danger>,
    /// The command commits: archives copy the log at that moment.
    pub commits: bool,
    /// It changes files that no check judges: prose, or what the run made itself and clears away.
    pub aside: bool,
}

/// A tool call of a sub-agent. It counts in none of the run's sums and is none of its checks.
#[derive(Debug, Clone, Copy)]
pub struct SideCall {
    /// Whose it is: equal for all calls of one sub-agent.
    pub agent: u64,
    /// The call. Its steps are the run's newest ones when the call and its answer came.
    pub action: Action,
    /// Where the call is written.
    pub place: Place,
}

/// Tokens and money booked by one record.
#[derive(Debug, Clone, Copy)]
pub struct Booking {
    /// The step that books it.
    pub step: u32,
    /// The model.
    pub model: Option<Name>,
    /// Its tokens.
    pub tokens: Tokens,
    /// The log's own cost.
    pub reported: Option<Money>,
    /// What it cost, as far as that can be said: computed, else the log's own. Filled in by the pricing.
    pub spent: Option<Money>,
    /// Web searches that are billed by the piece.
    pub web_searches: u32,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Exit code of the process that made the call.
    pub exit_code: Option<i32>,
    /// Why a call failed.
    pub fault: Option<CallFault>,
    /// A sub-agent's call.
    pub side: bool,
}

/// What a loop's log books for a stretch that a session books call by call. It counts no more; the two can be compared.
#[derive(Debug, Clone, Copy)]
pub struct Logged {
    /// Index of its iteration.
    pub iteration: u32,
    /// Its tokens.
    pub tokens: Tokens,
    /// Its cost.
    pub reported: Option<Money>,
    /// The step that books it.
    pub step: u32,
}

/// Why a model call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFault {
    /// The context is longer than the model's window.
    ContextFull,
    /// The answer was cut at its longest.
    OutputFull,
    /// The other side, or the way there.
    Infrastructure(Infra),
    /// Anything else.
    Other,
}

/// A write that weakens a test, a check or what runs them.
#[derive(Debug, Clone)]
pub struct Weakened {
    /// How.
    pub kind: WeakeningKind,
    /// The decisive line.
    pub line: Box<str>,
    /// The file; empty where a command does it without one.
    pub path: Box<str>,
    /// The task names what the line looks at: it asked for other behaviour, of which the new expectation may be a part.
    pub about: bool,
    /// The tool call that writes, as an index into `actions`.
    pub action: u32,
}

/// A file comes to hold something.
#[derive(Debug, Clone, Copy)]
pub struct Content {
    /// The file.
    pub path: Name,
    /// What it holds: equal states are equal contents.
    pub state: u64,
    /// The step of the answer to the call that changed it.
    pub step: u32,
}

/// Something that the agent said.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// Hash of the text, white space folded.
    pub key: u64,
    /// Its turn can end with it.
    pub ends: bool,
    /// It claims that the work is done.
    pub claims: bool,
    /// Its step.
    pub step: u32,
}

/// A record that ends the run.
#[derive(Debug, Clone)]
pub struct End {
    /// In which way.
    pub how: EndKind,
    /// Its step.
    pub step: u32,
    /// The head of its text.
    pub text: Box<str>,
    /// Who ended it.
    pub by: Option<Box<str>>,
}

/// A mark on the timeline.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Which.
    pub kind: MarkKind,
    /// Its step.
    pub step: u32,
    /// The head of its text.
    pub text: Box<str>,
    /// What was decided.
    pub decision: Option<Box<str>>,
    /// Who decided.
    pub by: Option<Box<str>>,
    /// The exit code of what it tells of.
    pub exit_code: Option<i32>,
}

/// A heartbeat.
#[derive(Debug, Clone, Copy)]
pub struct Beat {
    /// When.
    pub at: Option<Time>,
    /// The iteration it names.
    pub iter: Option<u32>,
    /// Where.
    pub place: Place,
}

/// The machine state beside a loop.
#[derive(Debug, Clone, Default)]
pub struct LoopState {
    /// `phase`
    pub phase: Option<(String, u32)>,
    /// `iteration`
    pub iteration: Option<(u32, u32)>,
    /// `budget_spent_usd`
    pub spent: Option<(Money, u32)>,
    /// `last_green_commit`
    pub last_green_commit: Option<String>,
    /// `blocked_paths`, with the line of the key.
    pub blocked_paths: Option<(Vec<String>, u32)>,
    /// `allowed_paths`: the declared scope.
    pub allowed_paths: Option<(Vec<String>, u32)>,
    /// `open_failures`: how many.
    pub open_failures: Option<(u32, u32)>,
    /// Which source. The second part of each pair above is the line in it.
    pub source: u16,
}

/// One limit of a budget.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Which dimension.
    pub dimension: Dimension,
    /// The limit, in the dimension's unit.
    pub limit: f64,
    /// Where it is written.
    pub place: Place,
    /// It holds for each iteration, not for the run.
    pub each: bool,
}

/// A budget file's limits.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// The hard limits.
    pub limits: Vec<Limit>,
    /// Tool calls that are kept for the final verification.
    pub reserve_tool_calls: Option<(f64, Place)>,
}

/// The dimensions of a loop budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Seconds from the first record.
    WallClock,
    /// Model calls.
    ModelTurns,
    /// Tool calls.
    ToolCalls,
    /// Equal failures in a row.
    SameFailureSignature,
    /// Files changed.
    ChangedFiles,
    /// Writes outside the workspace.
    ExternalWrites,
    /// Tokens, input and output.
    TotalTokens,
    /// US dollars.
    CostUsd,
    /// Iterations.
    MaxIterations,
    /// Passes of the design gate.
    DesignPasses,
}

impl Dimension {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::WallClock,
        Self::ModelTurns,
        Self::ToolCalls,
        Self::SameFailureSignature,
        Self::ChangedFiles,
        Self::ExternalWrites,
        Self::TotalTokens,
        Self::CostUsd,
        Self::MaxIterations,
        Self::DesignPasses,
    ];

    /// The key in a budget file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::WallClock => "wallClock",
            Self::ModelTurns => "modelTurns",
            Self::ToolCalls => "toolCalls",
            Self::SameFailureSignature => "sameFailureSignature",
            Self::ChangedFiles => "changedFiles",
            Self::ExternalWrites => "externalWrites",
            Self::TotalTokens => "totalTokens",
            Self::CostUsd => "costUsd",
            Self::MaxIterations => "maxIterations",
            Self::DesignPasses => "designPasses",
        }
    }

    /// The variant of a finding about a limit for each iteration.
    #[must_use]
    pub fn key_each(self) -> &'static str {
        match self {
            Self::WallClock => "wallClock_per_iteration",
            Self::ModelTurns => "modelTurns_per_iteration",
            Self::ToolCalls => "toolCalls_per_iteration",
            Self::TotalTokens => "totalTokens_per_iteration",
            Self::CostUsd => "costUsd_per_iteration",
            Self::ChangedFiles => "changedFiles_per_iteration",
            other => other.key(),
        }
    }
}
