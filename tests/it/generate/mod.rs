//! Seeded, noisy loop logs of known fate, for measuring the diagnosis.
//!
//! Each [`Class`] is a kind of run whose mode and ending follow from the rules
//! for iterations, signatures and gain alone, with a margin to every threshold.
//! [`case`] draws one run of a class, writes it down as one of many loggers
//! would, and adds noise that must not change the answer.
//!
//! Every case of a class can lie in one folder: within a class no run is dear by
//! the measure of its green peers. Across classes that does not hold.
//!
//! The pipeline: `classes` draws a [`plan::Plan`] (what happened), `knobs` the
//! logger and its faults, `events` lays the plan out in time, `line` and
//! `files` write it.

mod calls;
mod civil;
mod classes;
mod dice;
mod events;
mod failure;
mod files;
mod infra;
mod knobs;
mod line;
mod messages;
mod plan;
mod progress;
mod runners;
mod spend;
mod steps;
mod tail;
mod volatile;
mod witnesses;
mod wording;
pub(crate) mod words;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;

pub(crate) use dice::Dice;
use knobs::Knobs;

/// Observation time of every case: 2026-11-29T08:00:00Z, in Unix seconds.
pub(crate) const AS_OF: i64 = 1_795_939_200;

/// A kind of run; [`describe`] says what each one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    QuickGreen,
    SlowGreenWithGain,
    ChurnGreen,
    ChurnLimit,
    SingleLineShort,
    RecoveredStuck,
    RecoveredOscillation,
    OneReturn,
    InfraHiccups,
    Running,
    StuckCheck,
    StuckOwn,
    StuckCall,
    Oscillation,
    OscillationCalls,
    RandomWalkSingle,
    RandomWalkCounts,
    RunawayCost,
    RunawayLength,
    RunawayAfterGreen,
    SilentDeathStopped,
    SilentDeathZombie,
    SilentDeathApiOutage,
    SilentDeathKilled,
    RewardHackOwnGate,
    BlockedInfra,
    LimitHitPlain,
    Aborted,
}

impl Class {
    /// All classes, the healthy ones first.
    pub(crate) const ALL: &[Self] = &[
        Self::QuickGreen,
        Self::SlowGreenWithGain,
        Self::ChurnGreen,
        Self::ChurnLimit,
        Self::SingleLineShort,
        Self::RecoveredStuck,
        Self::RecoveredOscillation,
        Self::OneReturn,
        Self::InfraHiccups,
        Self::Running,
        Self::StuckCheck,
        Self::StuckOwn,
        Self::StuckCall,
        Self::Oscillation,
        Self::OscillationCalls,
        Self::RandomWalkSingle,
        Self::RandomWalkCounts,
        Self::RunawayCost,
        Self::RunawayLength,
        Self::RunawayAfterGreen,
        Self::SilentDeathStopped,
        Self::SilentDeathZombie,
        Self::SilentDeathApiOutage,
        Self::SilentDeathKilled,
        Self::RewardHackOwnGate,
        Self::BlockedInfra,
        Self::LimitHitPlain,
        Self::Aborted,
    ];

    /// The class in `snake_case`, as folders are named.
    pub(crate) fn name(self) -> String {
        let mut out = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !out.is_empty() {
                out.push('_');
            }
            out.push(letter.to_ascii_lowercase());
        }
        out
    }
}

/// One run directory and what is true of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// `class-seed`.
    pub name: String,
    /// Path inside the run directory, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Observation time in Unix seconds; always [`AS_OF`].
    pub as_of: i64,
    pub truth: Truth,
}

/// What the diagnosis must say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    /// The primary mode; `None` for a run without one.
    pub mode: Option<&'static str>,
    /// A second mode that the rules' words allow as well.
    pub also_mode: Option<&'static str>,
    /// Variants of the mode's finding that are right; empty: any.
    pub variants: &'static [&'static str],
    /// Endings that are right.
    pub endings: &'static [&'static str],
    /// The mode that was seen and overcome. `None` asserts nothing.
    pub recovered: Option<&'static str>,
    /// Kinds of findings that must be there, besides the mode's own.
    pub findings: Vec<&'static str>,
}

/// Draws one run. Equal arguments give equal bytes.
pub(crate) fn case(class: Class, seed: u64) -> Case {
    let mut dice = Dice::new(mixed(class, seed));
    let plan = drawn_plan(class, &mut dice);
    let knobs = Knobs::draw(&plan, &mut dice);
    let log = events::lay_out(&plan, &knobs, &mut dice);
    Case { name: format!("{}-{seed}", class.name()), files: files::write(&plan, &knobs, &log, &mut dice), as_of: AS_OF, truth: plan.truth }
}

/// The plan of a case, hiccups included.
fn drawn_plan(class: Class, dice: &mut Dice) -> plan::Plan {
    let mut plan = classes::draw(class, dice);
    if dice.chance(0.2) {
        plan.add_hiccups(dice);
    }
    plan
}

/// Spreads neighbouring seeds and classes apart.
fn mixed(class: Class, seed: u64) -> u64 {
    let class = class as u64 + 1;
    seed.wrapping_add(class.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// What a class is, in one sentence.
pub(crate) fn describe(class: Class) -> &'static str {
    match class {
        Class::QuickGreen => "no to two red iterations, then green",
        Class::SlowGreenWithGain => {
            "eight or more reds, each window with gain (counts or sets fall), then green; the first failing line may stay the same all along"
        }
        Class::ChurnGreen => "many different failures, counts fall on the whole with plateaus of up to four, then green",
        Class::ChurnLimit => "as churn_green, but the iteration cap comes first; cheap, or dear within a generous budget",
        Class::SingleLineShort => "two to eight reds, one failing line at a time, then green",
        Class::RecoveredStuck => "the same failure four to eight times, then others, then green",
        Class::RecoveredOscillation => "a cycle of period two to four with two full returns or more, then green",
        Class::OneReturn => "rollbacks: A B A once or twice, each followed by something new, then green",
        Class::InfraHiccups => "outages between the reds, up to six equal ones in a row, then green",
        Class::Running => "not finished, the last event is fresh",
        Class::StuckCheck => "four or more equal failures up to the end: own stop, cap or death",
        Class::StuckOwn => "the loop's own stuck event at the third equal failure: two agent calls are logged",
        Class::StuckCall => {
            "the same tool call with the same answer five times or more at the end, or one tool with one error, or 24 polls without change"
        }
        Class::Oscillation => "failures cycle with period two to four up to the end",
        Class::OscillationCalls => "tool calls cycle with equal answers for four rounds or more up to the end",
        Class::RandomWalkSingle => "eleven or more reds, nearly all different, one line at a time",
        Class::RandomWalkCounts => "eight or more reds, nearly all different, known counts flat or rising",
        Class::RunawayCost => "never green, twelve iterations or more with gain, over the budget or far over 3 USD",
        Class::RunawayLength => "never green, 24 reds or more with gain, neither cost nor tokens known",
        Class::RunawayAfterGreen => "green, and on for five iterations or more that are all green",
        Class::SilentDeathStopped => "not finished, log and heartbeat long silent",
        Class::SilentDeathZombie => "not finished, log long silent, the heartbeat goes on",
        Class::SilentDeathApiOutage => "not finished, three or more retries or outages at the end, then silence",
        Class::SilentDeathKilled => "not finished, exit code 124 or 137 last, then silence",
        Class::RewardHackOwnGate => "the loop's own reward_hack stop, whatever came before",
        Class::BlockedInfra => "a guard stopped on iterations of seconds that ended in API errors",
        Class::LimitHitPlain => "a few reds with gain, then the iteration cap",
        Class::Aborted => "a few reds with gain, then a person's interrupt",
    }
}
