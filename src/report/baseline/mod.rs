//! The manual baseline in reports: measuring a run, one run against the baseline, and many.

mod chart;
mod json;
mod measure;
mod text;
mod words;

pub use chart::dumbbell;
pub use json::{SCHEMA, SCHEMA_VERSION, json};
pub use measure::{errors, measure, price_list};
pub use text::{Compared, table};
pub use words::{about, record};

use crate::cost::baseline::compare::{Against, Difference, against, differ};
use crate::cost::baseline::ratio::Estimate;
use crate::cost::baseline::{Assignment, Baseline, Run, Side};
use crate::cost::prices::plain_name;
use crate::diagnose::Norm;
use crate::diagnose::norms::rounded;
use crate::report::model::{BaselineReport, RatioReport};
use std::sync::Arc;

/// A baseline with what it takes to hold the runs of one analysis against it.
pub struct Beside {
    baseline: Arc<Baseline>,
    assignment: Assignment,
    side: Side,
}

impl Beside {
    /// For runs of these ids.
    #[must_use]
    pub fn new<'a>(baseline: &Arc<Baseline>, ids: impl IntoIterator<Item = &'a str>) -> Self {
        Self { assignment: Assignment::new(baseline, ids), side: Side::of(baseline), baseline: baseline.clone() }
    }

    /// The task of a run, where the baseline is about it.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<&str> {
        self.assignment.of(id)
    }

    /// What the task of a run took by hand, in the mean.
    #[must_use]
    pub fn norm(&self, id: &str) -> Option<Norm> {
        use crate::cost::baseline::compare::{Measure, value};
        let task = self.task(id)?;
        let mean = |measure: Measure| {
            let runs = self.baseline.runs.iter().filter(|r| self.baseline.task_of(r) == task);
            let (sum, n) = runs.filter_map(|r| value(r, measure, false)).fold((0.0, 0.0), |(sum, n), v| (sum + v, n + 1.0));
            (sum > 0.0).then(|| sum / n)
        };
        Some(Norm { usd: mean(Measure::Usd), tokens: mean(Measure::Tokens), calls: mean(Measure::Calls) })
    }

    /// One run's ratios.
    #[must_use]
    pub fn report(&self, id: &str, run: &Run, models: &[Box<str>], anomaly: bool) -> Option<BaselineReport> {
        let task = self.task(id)?;
        let Against { ratios, runs } = against(&self.baseline, task, run);
        let models = models.iter().map(|m| plain_name(m)).collect();
        let side = Side { runs: vec![(task.to_owned(), run.clone())], models };
        let [usd, tokens, calls, iterations, time] = ratios.map(ratio);
        Some(BaselineReport {
            usd,
            tokens,
            calls,
            iterations,
            time,
            anomaly,
            task: task.into(),
            runs,
            differs: differ(&self.side, &side).iter().map(Difference::words).map(Into::into).collect(),
        })
    }
}

fn ratio(estimate: Option<Estimate>) -> RatioReport {
    let finite = |v: f64| Some(rounded(v)).filter(|v| v.is_finite() && *v > 0.0);
    RatioReport {
        ratio: estimate.and_then(|e| finite(e.ratio)),
        low: estimate.and_then(|e| e.interval).and_then(|(low, _)| finite(low)),
        high: estimate.and_then(|e| e.interval).and_then(|(_, high)| finite(high)),
    }
}
