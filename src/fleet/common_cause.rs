//! One outage that ended five runs is said once, not five times.

use crate::diagnose::{Ending, Kind};
use crate::report::model::{CommonCause, RunReport};
use crate::settings::Thresholds;
use crate::trace::Time;
use std::collections::BTreeMap;

/// Runs that ended the same way, for the same reason, within the window of each other.
#[must_use]
pub fn common_causes(runs: &[RunReport], limits: &Thresholds) -> Vec<CommonCause> {
    let mut alike: BTreeMap<(Ending, String), Vec<(Time, &RunReport)>> = BTreeMap::new();
    for run in runs {
        if let (Some(ending), Some(cause), Some(ended)) = (run.ending, cause(run), run.ended) {
            alike.entry((ending, cause)).or_default().push((ended, run));
        }
    }
    let mut found = Vec::new();
    for ((ending, cause), mut members) in alike {
        members.sort_by_key(|(at, run)| (*at, run.run.clone()));
        for cluster in members.chunk_by(|a, b| b.0.seconds_since(a.0) <= limits.common_cause_s) {
            if cluster.len() >= limits.common_cause_runs as usize {
                let runs = cluster.iter().map(|(_, r)| r.run.clone()).collect();
                found.push(CommonCause { ending, cause: cause.as_str().into(), from: cluster[0].0, to: cluster[cluster.len() - 1].0, runs });
            }
        }
    }
    found.sort_by_key(|c| (std::cmp::Reverse(c.runs.len()), c.from));
    found
}

/// What outside the run can have ended it. A run that failed by its own content has no common cause with others.
fn cause(run: &RunReport) -> Option<String> {
    match run.ending? {
        Ending::Died | Ending::Blocked | Ending::Aborted => {}
        _ => return None,
    }
    if let Some(outage) = run.outage {
        return Some(outage.to_owned());
    }
    let content = run.mode.is_some_and(|m| m != Kind::SilentDeath);
    match run.ending? {
        Ending::Died if !content => Some("all fell silent together".to_owned()),
        Ending::Aborted => Some("stopped together".to_owned()),
        _ => None,
    }
}
