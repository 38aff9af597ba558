//! Rows of what governs a run beside its check: gates, permissions, reviews, hypotheses, the frozen scope, what it is told.

use crate::trace::{Money, Name, Place, Time};

/// One attempt at a quality gate.
#[derive(Debug, Clone, Copy)]
pub struct Gate {
    /// Which.
    pub name: Name,
    /// Whether it passed, where that is said.
    pub passed: Option<bool>,
    /// Its score.
    pub score: Option<f64>,
    /// The attempt, where they are counted.
    pub attempt: Option<u32>,
    /// Its step.
    pub step: u32,
}

/// What was decided about an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Somebody has to decide.
    Ask,
    /// It may be done.
    Allow,
    /// It may not.
    Deny,
}

impl Decision {
    /// From the words of loops.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "ask" | "asked" | "prompt" | "pending" => Some(Self::Ask),
            "allow" | "allowed" | "approve" | "approved" | "pass" | "yes" => Some(Self::Allow),
            "deny" | "denied" | "reject" | "rejected" | "block" | "blocked" | "fail" | "no" => Some(Self::Deny),
            _ => None,
        }
    }
}

/// A permission that was asked for, given or denied.
#[derive(Debug, Clone)]
pub struct Permission {
    /// Hash of the id of the call that it is for.
    pub id: Option<u64>,
    /// The tool that it is for.
    pub tool: Name,
    /// What would be done, whatever the tool is called; 0 where that is not said.
    pub target: u64,
    /// What was decided.
    pub decision: Decision,
    /// Who decided.
    pub by: Option<Box<str>>,
    /// It holds for more than one action: always, for the session.
    pub lasting: bool,
    /// Its step.
    pub step: u32,
}

/// Another model's review.
#[derive(Debug, Clone, Copy)]
pub struct Review {
    /// What it said.
    pub passed: Option<bool>,
    /// Who reviewed.
    pub model: Option<Name>,
    /// Whose work it was.
    pub author: Option<Name>,
    /// Its step.
    pub step: u32,
}

/// What became of a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Found {
    /// The signal came.
    Supported,
    /// The signal did not come.
    Refuted,
    /// Nobody knows.
    Unknown,
}

/// A hypothesis that was put up or tried.
#[derive(Debug, Clone)]
pub struct Hypothesis {
    /// The head of its text.
    pub text: Box<str>,
    /// What became of it; `None` while it is only put up.
    pub found: Option<Found>,
    /// Its step.
    pub step: u32,
}

/// Status of an acceptance item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done, says the matrix.
    Done,
    /// It cannot be done; the reason stands beside it.
    Blocked,
}

/// One item of the acceptance matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeItem {
    /// Its id.
    pub id: Box<str>,
    /// What is to be fulfilled.
    pub description: Box<str>,
    /// Where it stands.
    pub status: ItemStatus,
}

/// The acceptance matrix at one time.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The items, in their order.
    pub items: Vec<ScopeItem>,
    /// When, where that is known.
    pub at: Option<Time>,
    /// The number in the file's name, for snapshots that are numbered.
    pub number: Option<u64>,
    /// The step that wrote it, where the run's own records show that.
    pub step: Option<u32>,
    /// Where it is written.
    pub place: Place,
}

/// A piece of the matrix that an edit replaced: its items before and after.
#[derive(Debug, Clone)]
pub struct ScopeEdit {
    /// What stood there.
    pub before: Vec<ScopeItem>,
    /// What stands there now.
    pub after: Vec<ScopeItem>,
    /// The call's step.
    pub step: u32,
}

/// The size of what a stateless loop hands to an iteration.
#[derive(Debug, Clone, Copy)]
pub struct ContextFile {
    /// The iteration in the file's name.
    pub number: Option<u64>,
    /// Characters.
    pub characters: u64,
    /// Files that it had no room for.
    pub skipped: u32,
    /// The first of those, else the file's first line.
    pub place: Place,
}

/// What a status file says to people.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Section and its points, with the line of each.
    pub sections: Vec<(String, Vec<(String, u32)>)>,
    /// Which source.
    pub source: u16,
}

/// A model call that was paid for twice.
#[derive(Debug, Clone, Copy)]
pub struct Rebilled {
    /// The first time.
    pub first: u32,
    /// The second.
    pub again: u32,
    /// What the second time cost, as the log says.
    pub reported: Option<Money>,
}
