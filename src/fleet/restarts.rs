//! A loop that is started again and again after its work was done: each start looks fine by itself.

use crate::diagnose::Ending;
use crate::report::model::{RestartedAfterDone, RunReport};
use crate::settings::Thresholds;

/// The runs of the current loop since its work was done.
#[derive(Default)]
pub(super) struct Restarts {
    current: Option<usize>,
    done: Option<Box<str>>,
    idle: Vec<RunReport>,
    found: Vec<RestartedAfterDone>,
    most: Vec<(Vec<RunReport>, Box<str>)>,
}

impl Restarts {
    /// Takes a run in; the executions of one log come one after another.
    pub(super) fn add(&mut self, run: &RunReport, group: usize) {
        if self.current != Some(group) {
            self.close();
            self.current = Some(group);
        }
        let succeeded = run.ending == Some(Ending::Succeeded);
        let idle = succeeded && run.checks.red == 0 && run.iterations <= 1;
        match (&self.done, idle) {
            (Some(_), true) => self.idle.push(RunReport { findings: Vec::new(), signatures: Vec::new(), ..run.clone() }),
            _ => {
                self.close();
                self.done = succeeded.then(|| run.run.clone());
            }
        }
    }

    fn close(&mut self) {
        let idle = std::mem::take(&mut self.idle);
        if let Some(done) = self.done.take()
            && !idle.is_empty()
        {
            self.most.push((idle, done));
        }
    }

    pub(super) fn finish(mut self, limits: &Thresholds) -> Vec<RestartedAfterDone> {
        self.close();
        for (idle, done) in std::mem::take(&mut self.most) {
            let (Some(first), Some(last)) = (idle.first(), idle.last()) else { continue };
            if idle.len() < limits.restart_runs as usize {
                continue;
            }
            self.found.push(RestartedAfterDone {
                done,
                from: first.started,
                to: last.started,
                usd: idle.iter().filter_map(|r| r.cost.usd).reduce(|a, b| a + b),
                runs: idle.iter().map(|r| r.run.clone()).collect(),
            });
        }
        self.found
    }
}
