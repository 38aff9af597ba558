//! A loop that is started again and again after its work was done: each start looks fine by itself.

use crate::diagnose::Ending;
use crate::report::model::{RestartedAfterDone, RunReport};
use crate::settings::Thresholds;
use crate::trace::{Money, Time};

/// A run that found nothing to do.
struct Idle {
    run: Box<str>,
    started: Option<Time>,
    usd: Option<Money>,
}

/// The runs of the current loop since its work was done.
#[derive(Default)]
pub(super) struct Restarts {
    current: Option<usize>,
    done: Option<Box<str>>,
    idle: Vec<Idle>,
    stretches: Vec<(Box<str>, Vec<Idle>)>,
}

impl Restarts {
    /// Takes a run in; the executions of one log come one after another.
    pub(super) fn add(&mut self, run: &RunReport, group: usize) {
        if self.current != Some(group) {
            self.close();
            self.current = Some(group);
        }
        let succeeded = run.ending == Some(Ending::Succeeded);
        if self.done.is_some() && succeeded && run.checks.red == 0 && run.iterations <= 1 {
            self.idle.push(Idle { run: run.run.clone(), started: run.started, usd: run.cost.usd });
        } else {
            self.close();
            self.done = succeeded.then(|| run.run.clone());
        }
    }

    fn close(&mut self) {
        let idle = std::mem::take(&mut self.idle);
        if let Some(done) = self.done.take()
            && idle.len() > 1
        {
            self.stretches.push((done, idle));
        }
    }

    /// The loops that were started often enough for nothing.
    pub(super) fn finish(mut self, limits: &Thresholds) -> Vec<RestartedAfterDone> {
        self.close();
        let often = |idle: &[Idle]| idle.len() >= limits.restart_runs as usize;
        let tell = |(done, idle): (Box<str>, Vec<Idle>)| RestartedAfterDone {
            done,
            from: idle.first().and_then(|i| i.started),
            to: idle.last().and_then(|i| i.started),
            usd: idle.iter().filter_map(|i| i.usd).reduce(|a, b| a + b),
            runs: idle.into_iter().map(|i| i.run).collect(),
        };
        self.stretches.into_iter().filter(|(_, idle)| often(idle)).map(tell).collect()
    }
}
