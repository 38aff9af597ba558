//! One outage that ended five runs is said once, not five times.

use crate::diagnose::{Ending, Kind};
use crate::report::model::{CommonCause, RunReport};
use crate::settings::Thresholds;
use crate::trace::Time;
use std::collections::BTreeMap;

/// When a run ended, and its id.
type Member = (Time, Box<str>);

/// Runs that something outside may have ended, by how and by what.
#[derive(Default)]
pub(super) struct Causes {
    alike: BTreeMap<(Ending, &'static str), Vec<Member>>,
}

impl Causes {
    pub(super) fn add(&mut self, run: &RunReport) {
        if let (Some(ending), Some(cause), Some(ended)) = (run.ending, cause(run), run.ended) {
            self.alike.entry((ending, cause)).or_default().push((ended, run.run.clone()));
        }
    }

    /// Those that ended within the window of each other.
    pub(super) fn finish(self, limits: &Thresholds) -> Vec<CommonCause> {
        let mut found = Vec::new();
        for ((ending, cause), mut members) in self.alike {
            members.sort();
            for cluster in members.chunk_by(|a, b| b.0.seconds_since(a.0) <= limits.common_cause_s) {
                if let [first, .., last] = cluster
                    && cluster.len() >= limits.common_cause_runs as usize
                {
                    let runs = cluster.iter().map(|(_, run)| run.clone()).collect();
                    found.push(CommonCause { ending, cause: cause.into(), from: first.0, to: last.0, runs });
                }
            }
        }
        found.sort_by_key(|c| (std::cmp::Reverse(c.runs.len()), c.from));
        found
    }
}

/// What outside the run can have ended it. A run that failed by its own content has no common cause with others.
fn cause(run: &RunReport) -> Option<&'static str> {
    match run.ending? {
        Ending::Died | Ending::Blocked | Ending::Aborted => {}
        Ending::LimitHit if run.ending_detail.as_deref() == Some("usage") => return Some("the provider's usage limit"),
        _ => return None,
    }
    if run.outage.is_some() {
        return run.outage;
    }
    let content = run.mode.is_some_and(|m| m != Kind::SilentDeath);
    match run.ending? {
        Ending::Died if !content => Some("all fell silent together"),
        Ending::Aborted => Some("stopped together"),
        _ => None,
    }
}
