//! What a format reader says happened: the one vocabulary between the formats and the trace.

use crate::trace::{Money, Time, Tokens};
use std::borrow::Cow;

/// One thing that a log records.
#[derive(Debug, Clone)]
pub struct Event<'a> {
    /// When, if the record says so.
    pub at: Option<Time>,
    /// The iteration that the record names.
    pub iter: Option<u32>,
    /// Line of the record, from 1.
    pub line: u32,
    /// Byte offset of that line.
    pub offset: u64,
    /// The run that the record names, where a log is shared.
    pub run: Option<&'a str>,
    /// The budget's revision that the record runs under.
    pub revision: Option<u32>,
    /// Files that the record says were changed.
    pub files_changed: Option<u32>,
    /// Tokens and money that the record books.
    pub usage: Option<Usage<'a>>,
    /// What happened.
    pub what: What<'a>,
}

/// Tokens and money of one record.
#[derive(Debug, Clone, Default)]
pub struct Usage<'a> {
    /// The model that was billed.
    pub model: Option<Cow<'a, str>>,
    /// Its tokens.
    pub tokens: Tokens,
    /// The log's own cost figure.
    pub reported: Option<Money>,
    /// Web searches that are billed by the piece.
    pub web_searches: u32,
    /// How long the call took, in milliseconds.
    pub duration_ms: Option<u64>,
}

/// The kinds of record.
#[derive(Debug, Clone)]
pub enum What<'a> {
    /// An iteration begins.
    IterStart,
    /// The loop calls its agent; the text is the failure that it is to fix.
    AgentCall {
        /// First failing line of the check before.
        failure: Cow<'a, str>,
        /// The log's own signature of it.
        signature: Option<Cow<'a, str>>,
        /// What the record counts.
        counts: Counts,
    },
    /// One execution of a check.
    Check {
        /// The check's name, where several are run.
        name: Option<Cow<'a, str>>,
        /// Green, where the record says so itself.
        green: Option<bool>,
        /// Its exit code.
        exit_code: Option<i32>,
        /// Its output, or the first failing line.
        text: Cow<'a, str>,
        /// The log's own signature of the failure.
        signature: Option<Cow<'a, str>>,
        /// What the record counts.
        counts: Counts,
    },
    /// The run ends.
    End {
        /// In which way.
        how: EndKind,
        /// The record's text.
        text: Cow<'a, str>,
        /// Who ended it, where the record says so.
        by: Option<Cow<'a, str>>,
    },
    /// One call of a model.
    ModelCall {
        /// Whether it worked, where the record says so.
        ok: Option<bool>,
        /// Exit code of the process that made it.
        exit_code: Option<i32>,
        /// What the record says, an error for one.
        text: Cow<'a, str>,
        /// What makes two records the same call; its tokens then count once, the larger figure of each class.
        key: Option<u64>,
        /// A sub-agent's call.
        side: bool,
    },
    /// The agent says something.
    Said {
        /// What.
        text: Cow<'a, str>,
        /// Its turn can end with it: no call follows in the same message.
        ends: bool,
    },
    /// A tool is called.
    ToolCall {
        /// The call's id.
        id: Option<Cow<'a, str>>,
        /// The tool.
        tool: Cow<'a, str>,
        /// Its arguments as JSON text, or the hash that the log gives for them.
        args: Cow<'a, str>,
    },
    /// A tool answers.
    ToolResult {
        /// The call's id.
        id: Option<Cow<'a, str>>,
        /// Whether it worked, where the record says so.
        ok: Option<bool>,
        /// Its exit code.
        exit_code: Option<i32>,
        /// What it answered.
        text: Cow<'a, str>,
        /// The command still runs: its outcome comes with a later [`What::Outcome`].
        running: bool,
    },
    /// The outcome of a command whose answer was that it still runs.
    Outcome {
        /// The id of its call.
        id: Cow<'a, str>,
        /// Its exit code.
        exit_code: Option<i32>,
        /// What it printed since.
        text: Cow<'a, str>,
    },
    /// A quality gate was tried.
    Gate {
        /// Which: build, runtime, acs, design.
        name: Cow<'a, str>,
        /// Whether it passed, where the record says so.
        passed: Option<bool>,
        /// Its score.
        score: Option<f64>,
        /// The attempt, where the record counts them.
        attempt: Option<u32>,
        /// The record's text.
        text: Cow<'a, str>,
    },
    /// A permission was asked for, given or denied.
    Permission {
        /// The id of the call that it is for.
        id: Option<Cow<'a, str>>,
        /// The tool that it is for.
        tool: Cow<'a, str>,
        /// The call's arguments.
        args: Cow<'a, str>,
        /// What was decided.
        decision: Option<Cow<'a, str>>,
        /// Who decided.
        by: Option<Cow<'a, str>>,
        /// The record's text.
        text: Cow<'a, str>,
    },
    /// Another model's review.
    Review {
        /// What it said.
        passed: Option<bool>,
        /// Who reviewed.
        model: Option<Cow<'a, str>>,
        /// Whose work it was.
        author: Option<Cow<'a, str>>,
        /// The record's text.
        text: Cow<'a, str>,
    },
    /// A hypothesis was put up or tried.
    Hypothesis {
        /// Which.
        what: Cow<'a, str>,
        /// supported, refuted or unknown.
        finding: Option<Cow<'a, str>>,
    },
    /// Anything else that belongs on the timeline.
    Mark {
        /// Which.
        kind: MarkKind,
        /// The record's text.
        text: Cow<'a, str>,
        /// allow, deny, ask; or a reviewer's verdict; or a gate's outcome.
        decision: Option<Cow<'a, str>>,
        /// Who decided.
        by: Option<Cow<'a, str>>,
        /// A gate's score.
        score: Option<f64>,
        /// The exit code of what it tells of.
        exit_code: Option<i32>,
    },
}

/// Numbers that a record of a failing check may carry.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Failing tests.
    pub failures: Option<u32>,
    /// The failing tests by name, where the record lists them.
    pub failing: Vec<String>,
    /// The commit or tree that was checked.
    pub commit: Option<String>,
    /// The check's exit code.
    pub exit_code: Option<i32>,
}

/// How a record ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndKind {
    /// The check passed.
    Green,
    /// The iteration cap.
    IterLimit,
    /// The loop's repeat detector.
    Stuck,
    /// The loop's own gate caught a changed test tree.
    RewardHack,
    /// Stopped, with a reason in the text.
    Abort,
    /// Given to a person.
    Handoff,
    /// Done, by the agent's or the runner's own word; evidence of nothing.
    Claim,
    /// The agent's turn or process ended by itself. Neither a claim nor evidence.
    Exit,
}

/// Marks on the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// A call is tried again.
    Retry,
    /// The context was compacted.
    Compact,
    /// A sub-agent starts.
    SubagentStart,
    /// A sub-agent stops.
    SubagentStop,
    /// A permission was asked for, given or denied.
    Permission,
    /// A quality gate.
    Gate,
    /// Another model's review.
    Review,
    /// A run goes on after a stop.
    Resume,
    /// A hypothesis was decided, or not.
    Hypothesis,
    /// A budget's new revision.
    Revision,
    /// A person speaks.
    Person,
    /// A person interrupts.
    Interrupt,
    /// The model's service failed for good.
    ApiError,
    /// A prompt that a hook or a loop feeds again.
    Fed,
    /// A record of an unknown kind.
    Other,
}
