//! The first screen: spent, wasted, greens, cost per green, the heaviest causes, one guard.

use crate::diagnose::{Ending, Health};
use crate::fleet::week::cause::{self, Cause};
use crate::fleet::week::guard::{self, Guard};
use crate::report::model::{CostStatus, RunReport, Summary};
use crate::report::section::Section;
use crate::trace::Money;
use serde::Serialize;

/// What a green run cost, with all that was spent on the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PerGreen {
    /// Whether all of the money is known.
    pub status: CostStatus,
    /// Everything spent, divided by the green runs.
    pub usd: Option<Money>,
}

/// The figures that a lead reads first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Headline {
    /// Runs that succeeded: a check is green on the current tree.
    pub greens: u64,
    /// Runs that failed.
    pub failing: u64,
    /// Runs that cannot be judged.
    pub inconclusive: u64,
    /// `None` where no run is green.
    pub per_green: Option<PerGreen>,
    /// Why runs failed, the heaviest first.
    pub causes: Vec<Cause>,
    /// One guard that fits the heaviest cause that has one.
    pub guard: Option<Guard>,
}

impl Headline {
    pub(super) fn of(runs: &[(RunReport, Section)], summary: &Summary) -> Self {
        let count = |fits: &dyn Fn(&RunReport) -> bool| runs.iter().filter(|(r, _)| fits(r)).count() as u64;
        let greens = count(&|r| r.ending == Some(Ending::Succeeded));
        // The worst runs of a cause are named first.
        let mut order: Vec<&RunReport> = runs.iter().map(|(r, _)| r).collect();
        order.sort_by_cached_key(|r| r.badness());
        let causes = cause::rank(order.into_iter(), &summary.common_causes);
        let cost = &summary.totals.cost;
        Self {
            greens,
            failing: count(&|r| r.health == Health::Failing),
            inconclusive: count(&|r| r.health == Health::Inconclusive),
            per_green: (greens > 0).then(|| PerGreen { status: cost.status, usd: cost.usd.map(|m| Money(m.0 / i128::from(greens))) }),
            guard: guard::suggest(&causes, runs, &summary.thresholds),
            causes,
        }
    }
}
