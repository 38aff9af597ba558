//! Seeded, noisy agent transcripts of known fate: Claude Code sessions, `claude -p` streams, Codex rollouts.
//!
//! A [`Class`] is a kind of run whose mode follows from the rules alone. `classes` draws what happened as a list of
//! [`act::Act`]s, `noise` adds what must not change the answer, and one writer for each agent writes it down.

mod act;
mod classes;
mod claude;
mod codex;
mod noise;
mod project;
mod stream;

use crate::generate::Dice;
use act::Act;

/// Observation time of every case: 2026-11-29T08:00:00Z, a night after the runs.
pub(crate) const AS_OF: &str = "2026-11-29T08:00:00Z";

/// A kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    FixedQuickly,
    BatchWork,
    PollingChanging,
    PollingShort,
    ShrinkingFailures,
    Rollback,
    Ablation,
    ExpectationOnRequest,
    SourceAndTestTogether,
    InfraHiccups,
    NewTests,
    Exploration,
    FlakyRerun,
    ThreeRetries,
    RecoveredStuck,
    LongDialogue,
    PassesWithWork,
    Interrupted,
    FalseDone,
    StuckCall,
    StuckError,
    StuckCheck,
    StuckPoll,
    StuckText,
    StuckNoEffect,
    OscillationCalls,
    OscillationSignature,
    OscillationContent,
    RandomWalk,
    WalkOneByOne,
    RewardHack,
    SilentDeath,
    SilentOutage,
    RunawayAfterDone,
    RunawayCost,
}

impl Class {
    /// All classes, the healthy ones first.
    pub(crate) const ALL: &[Self] = &[
        Self::FixedQuickly,
        Self::BatchWork,
        Self::PollingChanging,
        Self::PollingShort,
        Self::ShrinkingFailures,
        Self::Rollback,
        Self::Ablation,
        Self::ExpectationOnRequest,
        Self::SourceAndTestTogether,
        Self::InfraHiccups,
        Self::NewTests,
        Self::Exploration,
        Self::FlakyRerun,
        Self::ThreeRetries,
        Self::RecoveredStuck,
        Self::LongDialogue,
        Self::PassesWithWork,
        Self::Interrupted,
        Self::FalseDone,
        Self::StuckCall,
        Self::StuckError,
        Self::StuckCheck,
        Self::StuckPoll,
        Self::StuckText,
        Self::StuckNoEffect,
        Self::OscillationCalls,
        Self::OscillationSignature,
        Self::OscillationContent,
        Self::RandomWalk,
        Self::WalkOneByOne,
        Self::RewardHack,
        Self::SilentDeath,
        Self::SilentOutage,
        Self::RunawayAfterDone,
        Self::RunawayCost,
    ];
}

/// Who wrote the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    Claude,
    Stream,
    Codex,
}

impl Writer {
    pub(crate) const ALL: &[Self] = &[Self::Claude, Self::Stream, Self::Codex];
}

/// What must be said of a case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    /// The primary mode.
    pub(crate) mode: Option<&'static str>,
    /// A second mode that the rules' words allow as well.
    pub(crate) also: Option<&'static str>,
    /// Its variant; empty asserts nothing.
    pub(crate) variant: &'static str,
    /// A finding that must be there.
    pub(crate) finding: Option<&'static str>,
    /// Endings that are right; empty asserts nothing.
    pub(crate) endings: &'static [&'static str],
}

/// A run: its files and what is true of it.
pub(crate) struct Case {
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) truth: Truth,
}

/// What happened, before it is written down.
struct Plan {
    acts: Vec<Act>,
    truth: Truth,
    /// The last record is cut off.
    torn: bool,
    /// Input tokens of a call.
    context: u64,
}

/// Draws one run. Equal arguments give equal bytes.
pub(crate) fn case(class: Class, writer: Writer, seed: u64) -> Case {
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((class as u64) << 40) ^ ((writer as u64) << 56);
    let mut dice = Dice::new(mixed);
    let mut plan = classes::draw(class, writer, &mut dice);
    noise::add(&mut plan, class, &mut dice);
    let files = match writer {
        Writer::Claude => claude::write(&plan, &mut dice),
        Writer::Stream => stream::write(&plan, &mut dice),
        Writer::Codex => codex::write(&plan, &mut dice),
    };
    Case { files, truth: plan.truth }
}
