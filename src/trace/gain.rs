//! Gain, iteration by iteration: what tells a slow run that gets somewhere from a busy one that does not.

use crate::trace::Trace;
use crate::trace::event::MarkKind;
use crate::trace::governance::ItemStatus;
use crate::trace::rows::Colour;
use std::collections::{HashMap, HashSet};

/// What was gained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GainKind {
    /// Fewer failures than ever before.
    FewerFailures,
    /// More passed tests than ever before.
    MorePassed,
    /// A failure of a known set is gone and does not come back.
    FailureGone,
    /// The check came further: parse, compile, types, unit, integration.
    LaterStage,
    /// A hypothesis was supported or refuted.
    Hypothesis,
    /// A gate's score is better than ever before.
    Score,
    /// A commit was kept where no check could have been worse for it.
    Commit,
    /// More acceptance items are done.
    ItemsDone,
    /// The check is green.
    Green,
}

impl GainKind {
    /// In a letter, for the series in data; a point is an iteration without gain.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::FewerFailures => 'f',
            Self::MorePassed => 'p',
            Self::FailureGone => 'x',
            Self::LaterStage => 's',
            Self::Hypothesis => 'h',
            Self::Score => 'q',
            Self::Commit => 'c',
            Self::ItemsDone => 'i',
            Self::Green => 'g',
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::FewerFailures => "fewer failures than before",
            Self::MorePassed => "more tests passed than before",
            Self::FailureGone => "a failure gone for good",
            Self::LaterStage => "a later stage of the check reached",
            Self::Hypothesis => "a hypothesis decided",
            Self::Score => "a better score",
            Self::Commit => "a commit kept with the check no worse",
            Self::ItemsDone => "more acceptance items done",
            Self::Green => "green",
        }
    }
}

/// The gain series of a run.
#[derive(Debug, Clone, Default)]
pub struct Gain {
    /// What each iteration gained; `None` where nothing.
    pub by_iteration: Vec<Option<GainKind>>,
    /// Whether gain could have been seen at all: counts, known failing sets, scores or hypotheses. A first error
    /// line alone shows only that the error has moved.
    pub measurable: bool,
    /// Failures that come and go on an identical tree: they gain nothing when they go.
    pub flaky: HashSet<u64>,
}

impl Gain {
    /// Works out the series. Linear in iterations and failures.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let mut gain = Self { by_iteration: vec![None; trace.iterations.len()], measurable: false, flaky: crate::trace::flaky(trace).1 };
        let items = items_done(trace);
        let mut commit = None;
        let mut counted = 0;
        let mut sets = 0;
        let last_seen = last_seen(trace);
        let (mut fewest, mut most, mut furthest, mut best_score) = (None::<u32>, None::<u32>, None, None::<f64>);
        let mut known_before: Option<usize> = None;
        for (k, row) in trace.iterations.iter().enumerate() {
            let mut found = None;
            if row.decided {
                found = Some(GainKind::Hypothesis);
            }
            if let Some(score) = row.score {
                counted += 1;
                if best_score.is_some_and(|b| score > b) {
                    found = Some(GainKind::Score);
                }
                best_score = Some(best_score.map_or(score, |b| b.max(score)));
            }
            match row.colour {
                Colour::Green => found = Some(GainKind::Green),
                Colour::Red => {
                    if let Some(stage) = row.stage {
                        if furthest.is_some_and(|f| stage > f) {
                            found = Some(GainKind::LaterStage);
                        }
                        furthest = furthest.max(Some(stage));
                    }
                    if row.set_known {
                        sets += 1;
                        if let Some(before) = known_before {
                            let was = trace.failing(&trace.iterations[before]);
                            // One failure for another one: the error has only moved.
                            let moved = was.len() == 1 && trace.failing(row).len() == 1;
                            // gone from this set, and in no later one
                            if !moved && was.iter().any(|key| !gain.flaky.contains(key) && last_seen.get(key).is_some_and(|last| *last < k))
                            {
                                found = Some(GainKind::FailureGone);
                            }
                        }
                        known_before = Some(k);
                    }
                    if let Some(passed) = row.passed {
                        counted += 1;
                        if most.is_some_and(|m| passed > m) {
                            found = Some(GainKind::MorePassed);
                        }
                        most = Some(most.map_or(passed, |m| m.max(passed)));
                    }
                    if let Some(failed) = row.failed {
                        counted += 1;
                        if fewest.is_some_and(|f| failed < f) {
                            found = Some(GainKind::FewerFailures);
                        }
                        fewest = Some(fewest.map_or(failed, |f| f.min(failed)));
                    }
                }
                // Nothing was checked: a commit that was kept is what there is.
                Colour::Unknown if row.commit.is_some() && commit.is_some() && row.commit != commit => found = Some(GainKind::Commit),
                Colour::NoVerdict | Colour::Unknown => {}
            }
            commit = row.commit.or(commit);
            if items.contains(&k) {
                counted += 1;
                found = found.or(Some(GainKind::ItemsDone));
            }
            gain.by_iteration[k] = found;
        }
        let hypotheses = trace.marks.iter().any(|m| m.kind == MarkKind::Hypothesis);
        gain.measurable = counted >= 2 || sets >= 2 || hypotheses;
        gain
    }

    /// The series, a letter an iteration; nothing where no gain could have been seen.
    #[must_use]
    pub fn letters(&self) -> Option<String> {
        let seen = self.measurable || self.by_iteration.iter().any(Option::is_some);
        seen.then(|| self.by_iteration.iter().map(|g| g.map_or('.', GainKind::letter)).collect())
    }

    /// The last iteration with gain, as an index.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        self.by_iteration.iter().rposition(Option::is_some)
    }

    /// Whether any iteration of a range (both ends included) gained.
    #[must_use]
    pub fn any_in(&self, first: usize, last: usize) -> bool {
        self.by_iteration.get(first..=last).is_some_and(|range| range.iter().any(Option::is_some))
    }
}

/// The iterations in which the acceptance matrix had more items done than ever before.
fn items_done(trace: &Trace) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut most = None;
    let mut scopes: Vec<_> = trace.scopes.iter().collect();
    scopes.sort_by_key(|s| (s.step, s.number.is_none(), s.number));
    for scope in scopes {
        let at = match (scope.step, scope.number) {
            (Some(step), _) => trace.step(step).map(|s| s.iteration as usize),
            (None, Some(n)) => trace.iterations.iter().position(|i| u64::from(i.number) == n),
            // When the current file came to be is not known.
            (None, None) => None,
        };
        let done = scope.items.iter().filter(|i| i.status == ItemStatus::Done).count();
        if most.is_some_and(|m| done > m) {
            found.extend(at);
        }
        most = most.max(Some(done));
    }
    found
}

/// The last iteration in which each failure of a known set was seen.
fn last_seen(trace: &Trace) -> HashMap<u64, usize> {
    let mut seen = HashMap::new();
    for (k, row) in trace.iterations.iter().enumerate().filter(|(_, r)| r.colour == Colour::Red) {
        for key in trace.failing(row) {
            seen.insert(*key, k);
        }
    }
    seen
}
