//! Log formats. A format is one file here and one line in [`REGISTRY`].

pub(crate) mod ac_matrix;
mod claude;
mod codex;
mod failure_report;
mod gist;
mod heartbeat;
pub mod json;
mod lines;
mod loop_budget;
mod loop_context;
mod loop_log;
mod loop_state;
mod status_md;
mod whole;

pub use gist::gist_at;

use crate::input::Lines;
use crate::trace::{Builder, Time};
use std::io;

/// How sure a look at a name or at the first bytes makes us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sniff {
    /// Not this format.
    No,
    /// It could be; a surer format takes precedence.
    Maybe,
    /// It is.
    Yes,
}

/// What a file of a format is to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It tells the run's course: without any other file it is a run.
    Log,
    /// An agent's own session: a run by itself, together with its sub-agents, resumes, forks and copies.
    Transcript,
    /// What a headless agent printed: the files of a folder that share prompt and folder are the iterations of one run.
    Stream,
    /// It lies beside a log and belongs to that run; alone it is a run that tells little.
    Companion,
}

/// What ties an agent's files together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Identity {
    /// The session that the file tells of.
    pub session: Option<String>,
    /// The session that it was forked from, or whose sub-agent it is.
    pub parent: Option<String>,
    /// It is a sub-agent's file.
    pub side: bool,
    /// Hashes that copies, resumes and forks share: the first model call's id for one.
    pub keys: Vec<u64>,
    /// Hash of prompt and working directory: what the iterations of one loop share.
    pub task: Option<u64>,
    /// The first time in the file.
    pub started: Option<Time>,
    /// Bytes of the file: of two that begin alike the longer one went on from the other.
    pub size: u64,
}

/// One log format.
pub trait Format: Sync {
    /// The name in `loopmortem formats`, in JSON and for `--format`.
    fn id(&self) -> &'static str;
    /// Who writes it and what it looks like, in one line.
    fn about(&self) -> &'static str;
    /// What it is to a run.
    fn role(&self) -> Role;
    /// What the file's name says (without the ending of its packing). `Yes` groups the file without opening it;
    /// the content is checked all the same when it is read.
    fn by_name(&self, name: &str) -> Sniff;
    /// The word in the name that the format's files share; what stands before it tells two runs in one folder apart.
    fn name_word(&self) -> Option<&'static str> {
        None
    }
    /// What the first bytes say.
    fn sniff(&self, head: &[u8]) -> Sniff;
    /// What ties the file to others, from its first bytes.
    fn identity(&self, head: &[u8]) -> Identity {
        let _ = head;
        Identity::default()
    }
    /// Reads the source into the builder, which also keeps the ledger.
    ///
    /// # Errors
    /// The source's; bad content is no error, it is counted.
    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()>;
    /// The part of a record's line that a person wants to see in a few words; `None` where that is the line itself.
    fn gist(&self, line: &[u8]) -> Option<String> {
        let _ = line;
        None
    }
}

/// Every format that is read.
pub static REGISTRY: &[&dyn Format] = &[
    &loop_log::LoopLog,
    &heartbeat::Heartbeat,
    &loop_state::LoopState,
    &loop_budget::LoopBudget,
    &failure_report::FailureReport,
    &ac_matrix::AcMatrix,
    &status_md::StatusMd,
    &loop_context::LoopContext,
    &claude::Transcript,
    &claude::Stream,
    &codex::Rollout,
    &codex::Exec,
];

/// How much of a file a sniff sees.
pub const HEAD: usize = 64 << 10;

/// The format of that name.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Format> {
    REGISTRY.iter().copied().find(|f| f.id() == id)
}

/// The surest format by name, if any does not say no.
#[must_use]
pub fn by_name(name: &str) -> Option<(&'static dyn Format, Sniff)> {
    surest(|f| f.by_name(name))
}

/// The surest format by content.
#[must_use]
pub fn by_content(head: &[u8]) -> Option<(&'static dyn Format, Sniff)> {
    surest(|f| f.sniff(head))
}

/// Ties go to the earlier line of the registry, so that the answer never depends on anything else.
fn surest(ask: impl Fn(&dyn Format) -> Sniff) -> Option<(&'static dyn Format, Sniff)> {
    let mut best: Option<(&'static dyn Format, Sniff)> = None;
    for format in REGISTRY {
        let answer = ask(*format);
        if answer > best.map_or(Sniff::No, |(_, s)| s) {
            best = Some((*format, answer));
        }
    }
    best
}

/// Whether a name ends in one of these, case ignored.
fn has_ending(name: &str, endings: &[&str]) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| endings.iter().any(|e| e.eq_ignore_ascii_case(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide() {
        for (name, id, sure) in [
            (".loop_log.jsonl", "loop-log", Sniff::Yes),
            ("api.loop_log.jsonl", "loop-log", Sniff::Yes),
            ("loop_log.jsonl.1", "loop-log", Sniff::Yes),
            (".loop_heartbeat", "heartbeat", Sniff::Yes),
            ("heartbeat.json", "heartbeat", Sniff::Yes),
            (".loop_state.json", "loop-state", Sniff::Yes),
            ("loop-budget.yaml", "loop-budget", Sniff::Yes),
            ("events.jsonl", "loop-log", Sniff::Maybe),
            ("agent_failure_2026-11-28.json", "failure-report", Sniff::Yes),
            ("ac-matrix.2.json", "ac-matrix", Sniff::Yes),
            ("STATUS.md", "status-md", Sniff::Yes),
            (".loop_context.md", "loop-context", Sniff::Yes),
        ] {
            let (format, sniff) = by_name(name).unwrap();
            assert_eq!((format.id(), sniff), (id, sure), "{name}");
        }
        for name in ["heartbeat.py", "main.rs", "README.md", "budget.xlsx"] {
            assert!(by_name(name).is_none(), "{name}");
        }
    }

    #[test]
    fn ids_are_unique() {
        for format in REGISTRY {
            assert_eq!(by_id(format.id()).map(Format::about), Some(format.about()));
        }
    }
}
