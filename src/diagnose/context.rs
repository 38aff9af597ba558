//! What every detector is given.

use crate::diagnose::horizon::Horizon;
use crate::diagnose::norms::Norms;
use crate::settings::Thresholds;
use crate::trace::event::EndKind;
use crate::trace::rows::{Colour, End, Iteration, StepKind};
use crate::trace::{Gain, Time, Trace};

/// A trace with what several detectors need of it, worked out once.
pub struct Context<'t> {
    /// The run.
    pub trace: &'t Trace,
    /// The thresholds in force.
    pub limits: &'t Thresholds,
    /// The observation time.
    pub as_of: Time,
    /// The gain series.
    pub gain: Gain,
    /// The record that ended the run, if no work follows it.
    pub finished: Option<&'t End>,
    /// The judged iterations (green or red), as indices.
    pub judged: Vec<usize>,
    /// The first green that no red follows, as an index of iterations.
    pub lasting_green: Option<usize>,
    /// How long silence may last.
    pub horizon: Horizon,
    /// The step of the last green verdict.
    pub last_green_step: Option<u32>,
    /// What the run is held against, beside its own limits.
    pub norms: Norms,
}

impl<'t> Context<'t> {
    /// Works out what detectors share. Linear.
    #[must_use]
    pub fn new(trace: &'t Trace, limits: &'t Thresholds, as_of: Time) -> Self {
        let judged: Vec<usize> = trace.judged().map(|(k, _)| k).collect();
        let last_red = judged.iter().rposition(|k| trace.iterations[*k].colour == Colour::Red);
        let lasting_green = judged.get(last_red.map_or(0, |r| r + 1)).copied();
        // After a loop's own end record only a new pass is work; what a session does after one is work in any case.
        let works = |kind: StepKind| match kind {
            StepKind::End(_) | StepKind::Mark(_) => false,
            StepKind::IterStart | StepKind::AgentCall => true,
            _ => trace.derived,
        };
        let last_work = trace.steps.iter().rposition(|s| works(s.kind));
        // A guard's report lies beside the log and may tell of an earlier stop.
        let newest = trace.ends.iter().max_by_key(|e| e.step);
        let finished = newest.filter(|e| last_work.is_none_or(|w| (e.step as usize) > w));
        let greens = judged.iter().map(|k| &trace.iterations[*k]).filter(|i| i.colour == Colour::Green);
        let last_green_step = greens.filter_map(|i| i.verdict_step).max();
        Self {
            last_green_step,
            trace,
            limits,
            as_of,
            gain: Gain::of(trace),
            finished,
            judged,
            lasting_green,
            horizon: Horizon::of(trace, limits),
            norms: Norms::default(),
        }
    }

    /// An iteration.
    #[must_use]
    pub fn iteration(&self, index: usize) -> &'t Iteration {
        &self.trace.iterations[index]
    }

    /// Whether the run was ever green.
    #[must_use]
    pub fn ever_green(&self) -> bool {
        self.judged.iter().any(|k| self.iteration(*k).colour == Colour::Green)
    }

    /// Whether a green comes after a step.
    #[must_use]
    pub fn green_after(&self, step: u32) -> bool {
        self.last_green_step.is_some_and(|green| green > step)
    }

    /// The run says that it is done.
    #[must_use]
    pub fn claims_done(&self) -> bool {
        // A turn that merely ended claims nothing unless its last words do.
        let words = || self.trace.said.last().is_some_and(|s| s.claims);
        self.finished.is_some_and(|e| matches!(e.how, EndKind::Green | EndKind::Claim) || e.how == EndKind::Exit && words())
    }

    /// The stretches of red iterations between greens, infrastructure failures left out: indices of iterations.
    #[must_use]
    pub fn red_stretches(&self) -> Vec<&[usize]> {
        self.judged.split(|k| self.iteration(*k).colour == Colour::Green).filter(|s| !s.is_empty()).collect()
    }

    /// The iterations at the end of the run that the check could not judge, newest first.
    pub fn trailing_unjudged(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.trace.iterations.len()).rev().take_while(|k| self.iteration(*k).colour == Colour::NoVerdict)
    }
}
