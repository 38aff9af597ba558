//! A loop that is started again and again after its work was done: each start looks fine by itself. The starts may stand in
//! one log, or each in a log or folder of its own.

use super::loop_of;
use crate::diagnose::Ending;
use crate::report::model::{RestartedAfterDone, RunReport};
use crate::settings::Thresholds;
use crate::trace::{Money, Time};
use std::collections::BTreeMap;

/// What is kept of a run.
struct Start {
    run: Box<str>,
    started: Option<Time>,
    usd: Option<Money>,
    /// The work was done at its end.
    succeeded: bool,
    /// It found nothing to do, where the work was done before.
    idle: bool,
}

/// The runs of each loop.
#[derive(Default)]
pub(super) struct Restarts {
    loops: BTreeMap<String, Vec<Start>>,
}

impl Restarts {
    /// Takes a run in; the executions of one log come one after another.
    pub(super) fn add(&mut self, run: &RunReport) {
        let Some(key) = loop_of(run) else { return };
        let succeeded = run.ending == Some(Ending::Succeeded);
        let logged = run.sources.iter().any(|s| s.format == "loop-log");
        // A session's closing words are an iteration of their own.
        let nothing_to_do = if logged { run.iterations <= 1 } else { run.checks.green <= 1 && !run.changed };
        let start = Start {
            run: run.run.clone(),
            started: run.started,
            usd: run.cost.usd,
            succeeded,
            idle: succeeded && run.checks.red == 0 && nothing_to_do,
        };
        self.loops.entry(key).or_default().push(start);
    }

    /// The loops that were started often enough for nothing.
    pub(super) fn finish(self, limits: &Thresholds) -> Vec<RestartedAfterDone> {
        let mut told: Vec<RestartedAfterDone> = self.loops.into_values().flat_map(|starts| stretches(starts, limits)).collect();
        told.sort_by(|a, b| a.done.cmp(&b.done));
        told
    }
}

/// The stretches of idle starts after one that had the work done.
fn stretches(mut starts: Vec<Start>, limits: &Thresholds) -> Vec<RestartedAfterDone> {
    // Logs come in the order of their names; without a time that order is all there is.
    if starts.iter().all(|s| s.started.is_some()) {
        starts.sort_by_key(|s| s.started);
    }
    let mut found = Vec::new();
    let mut done: Option<Box<str>> = None;
    let mut idle: Vec<Start> = Vec::new();
    let mut close = |done: Option<Box<str>>, idle: Vec<Start>| {
        if let Some(done) = done.filter(|_| idle.len() > 1 && idle.len() >= limits.restart_runs as usize) {
            found.push(RestartedAfterDone {
                done,
                from: idle.first().and_then(|i| i.started),
                to: idle.last().and_then(|i| i.started),
                usd: idle.iter().filter_map(|i| i.usd).reduce(|a, b| a + b),
                runs: idle.into_iter().map(|i| i.run).collect(),
            });
        }
    };
    for start in starts {
        if done.is_some() && start.idle {
            idle.push(start);
        } else {
            close(done.take(), std::mem::take(&mut idle));
            done = start.succeeded.then_some(start.run);
        }
    }
    close(done, idle);
    found
}
