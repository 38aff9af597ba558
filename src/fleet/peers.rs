//! What the green runs of the same loop took: a run that was never green is held against them.

use super::loop_of;
use crate::diagnose::{Ending, Kind, Peers};
use crate::report::model::RunReport;
use crate::settings::Thresholds;
use crate::trace::Money;
use std::collections::HashMap;

/// The green runs by loop: three numbers a run.
#[derive(Default)]
pub(crate) struct PeerBook {
    loops: HashMap<String, Greens>,
}

#[derive(Default)]
struct Greens {
    usd: Vec<Money>,
    tokens: Vec<u64>,
    iterations: Vec<u32>,
    /// What they come to, until the next one is taken in.
    settled: Option<Option<Peers>>,
}

impl PeerBook {
    /// Takes a run in.
    pub(crate) fn add(&mut self, run: &RunReport) {
        let Some(key) = loop_of(run).filter(|_| run.ending == Some(Ending::Succeeded)) else { return };
        let greens = self.loops.entry(key).or_default();
        greens.usd.extend(run.cost.usd);
        greens.tokens.extend(run.tokens.tokens.total());
        greens.iterations.push(run.iterations);
        greens.settled = None;
    }

    /// What a run is held against, where that can change what is said of it.
    pub(crate) fn concerning(&mut self, run: &RunReport, limits: &Thresholds) -> Option<Peers> {
        if !Self::may_concern(run, limits) {
            return None;
        }
        let peers = self.of(run, limits)?;
        let above = |spent: Option<f64>, usual: Option<f64>| spent.zip(usual).is_some_and(|(s, u)| s >= u * limits.runaway_peers * 0.999);
        let usd = run.cost.usd.map(Money::to_f64);
        let dear = if usd.is_some() && peers.usd.is_some() {
            above(usd, peers.usd)
        } else {
            above(run.tokens.tokens.total().map(as_f64), peers.tokens)
        };
        let said = run.findings.iter().any(|f| f.kind == Kind::Runaway);
        (dear || said).then_some(peers)
    }

    /// Whether green runs could change what is said of a run, whatever they took.
    pub(crate) fn may_concern(run: &RunReport, limits: &Thresholds) -> bool {
        run.checks.green == 0 && run.checks.red > 0 && run.iterations >= limits.runaway_iterations
    }

    /// The green runs of a run's loop, where enough are known.
    fn of(&mut self, run: &RunReport, limits: &Thresholds) -> Option<Peers> {
        let greens = self.loops.get_mut(&loop_of(run)?)?;
        let settled = greens.settled.take().unwrap_or_else(|| greens.settle(limits.runaway_peer_runs as usize));
        *greens.settled.insert(settled)
    }
}

impl Greens {
    fn settle(&mut self, enough: usize) -> Option<Peers> {
        if self.iterations.len() < enough {
            return None;
        }
        self.iterations.sort_unstable();
        let rank = (self.iterations.len() * 95).div_ceil(100);
        let mut usd: Vec<f64> = self.usd.iter().map(|m| m.to_f64()).collect();
        let mut tokens: Vec<f64> = self.tokens.iter().map(|t| as_f64(*t)).collect();
        Some(Peers {
            runs: u32::try_from(self.iterations.len()).unwrap_or(u32::MAX),
            usd: (usd.len() >= enough).then(|| median(&mut usd)).flatten(),
            tokens: (tokens.len() >= enough).then(|| median(&mut tokens)).flatten(),
            iterations_p95: rank.checked_sub(1).and_then(|k| self.iterations.get(k)).copied().unwrap_or(0),
        })
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let upper = values.get(n / 2)?;
    Some(if n % 2 == 1 { *upper } else { f64::midpoint(*values.get(n / 2 - 1)?, *upper) })
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn as_f64(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!([median(&mut [4.0, 1.0, 3.0, 2.0]), median(&mut [9.0, 1.0, 2.0]), median(&mut [])], [Some(2.5), Some(2.0), None]);
    }
}
