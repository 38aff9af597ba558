//! Findings. One without evidence cannot be made.

use crate::diagnose::Kind;
use crate::trace::Place;
use serde::Serialize;

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// A suspect, never a mode.
    Low,
    /// A verdict.
    Medium,
    /// A verdict with structural evidence.
    High,
}

impl Confidence {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What a reader can look up in the raw log.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Where it is written.
    pub place: Place,
    /// What was measured there.
    pub measured: String,
    /// What it was held against; empty where it speaks for itself.
    pub threshold: String,
}

impl Evidence {
    /// A place and what was seen there.
    #[must_use]
    pub fn new(place: Place, measured: impl Into<String>, threshold: impl Into<String>) -> Self {
        Self { place, measured: measured.into(), threshold: threshold.into() }
    }
}

/// The stretch of a run that a finding is about, as steps of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Episode {
    /// First step.
    pub first: u32,
    /// Last step.
    pub last: u32,
    /// The run went on to something else for as long again, or to green.
    pub overcome: bool,
}

/// Something that was found out about a run.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// Which kind of it.
    pub variant: Option<&'static str>,
    /// How sure.
    pub confidence: Confidence,
    /// In a sentence, with the figures.
    pub summary: String,
    /// Where in the run.
    pub episode: Option<Episode>,
    /// The thresholds that it rests on, by name; the one that decided comes first.
    pub thresholds: Vec<&'static str>,
    first: Evidence,
    more: Vec<Evidence>,
}

impl Finding {
    /// A finding with its first piece of evidence.
    #[must_use]
    pub fn new(kind: Kind, variant: Option<&'static str>, confidence: Confidence, summary: String, evidence: Evidence) -> Self {
        Self { kind, variant, confidence, summary, episode: None, thresholds: Vec::new(), first: evidence, more: Vec::new() }
    }

    /// With the stretch that it is about.
    #[must_use]
    pub fn over(mut self, episode: Episode) -> Self {
        self.episode = Some(episode);
        self
    }

    /// With a threshold that it rests on; the first is the one that decided.
    #[must_use]
    pub fn by(mut self, threshold: &'static str) -> Self {
        self.thresholds.push(threshold);
        self
    }

    /// With further evidence.
    #[must_use]
    pub fn and(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        self.more.extend(evidence);
        self
    }

    /// All evidence, at least one piece.
    pub fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        std::iter::once(&self.first).chain(&self.more)
    }

    /// A verdict, not a suspicion.
    #[must_use]
    pub fn is_verdict(&self) -> bool {
        self.confidence > Confidence::Low
    }
}
