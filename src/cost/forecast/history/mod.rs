//! What runs of the same kind say about the next one: what they cost, how their sessions grew, when they got green, and
//! what follows from that for a launch and its cap.

mod advice;
mod draws;
pub(in crate::cost::forecast) mod past;
pub mod quantiles;
mod random;
mod survival;

pub use advice::Advice;
pub use draws::{Draws, MOST, Settings};
pub use past::{Fate, Growth, PastRun, Unfitted};
pub use quantiles::Quantiles;
pub use survival::{Quantile, Step, Survival};

use super::gate::Gate;
use crate::cost::growth::fit::median;
use crate::cost::{Cost, Prices};
use crate::trace::Money;

/// Runs of a kind below which the coarser kind is taken.
const KIND: usize = 10;
/// Runs below which nothing is said about the spread.
pub const SPREAD: usize = 5;
/// Runs from which a 90th percentile is said.
pub const TAIL: usize = 20;

/// What past runs say.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Runs that were read.
    pub read: usize,
    /// Runs of the kind that is looked at.
    pub runs: usize,
    /// Which kind that is.
    pub kind: String,
    /// What they cost; runs without a known cost are left out and counted.
    pub cost: Quantiles,
    /// Runs whose cost is not wholly known.
    pub unpriced: usize,
    /// Medians of their growth.
    pub growth: Option<MedianGrowth>,
    /// Runs without a line, by why.
    pub unfitted: Vec<(Unfitted, usize)>,
    /// Iterations to green.
    pub survival: Survival,
    /// The next launch, drawn from them.
    pub draws: Option<Draws>,
    /// Where to set the cap.
    pub advice: Option<Advice>,
    /// The budget, held against the forecast.
    pub gate: Option<Gate>,
}

/// Medians over the runs that a line was fitted to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MedianGrowth {
    /// How many.
    pub runs: usize,
    /// Their calls.
    pub calls: usize,
    /// S, in tokens.
    pub prefix: f64,
    /// a, in tokens a call.
    pub appended: f64,
    /// o, in tokens a call; `None` where no log says.
    pub output: Option<f64>,
    /// Share of the variance that the lines explain; the median of the runs.
    pub r2: Option<f64>,
    /// Calls an iteration.
    pub calls_per_iteration: Option<f64>,
    /// Runs that begin a session for (about) each iteration.
    pub stateless: usize,
}

/// Draws conclusions from past runs. Their order does not matter.
#[must_use]
pub fn history(mut runs: Vec<PastRun>, settings: &Settings, prices: &Prices, budget: Option<Money>) -> History {
    runs.sort_by(|a, b| a.id.cmp(&b.id));
    let read = runs.len();
    let (runs, kind) = of_kind(runs, settings.model.as_deref());
    let known: Vec<Money> = runs.iter().filter_map(|r| if let Cost::Known(m) = r.cost { Some(m) } else { None }).collect();
    let survival = Survival::of(&runs);
    let mut unfitted: Vec<(Unfitted, usize)> = Vec::new();
    for why in runs.iter().filter_map(|r| r.growth.as_ref().err()) {
        match unfitted.iter_mut().find(|(w, _)| w == why) {
            Some((_, n)) => *n += 1,
            None => unfitted.push((*why, 1)),
        }
    }
    unfitted.sort_unstable();
    let draws = Draws::of(&runs, &survival, settings, prices);
    let advice = draws.as_ref().and_then(|d| Advice::of(&survival, &d.marginal));
    let mut history = History {
        read,
        runs: runs.len(),
        kind,
        unpriced: runs.len() - known.len(),
        cost: Quantiles::of(known),
        growth: medians(&runs),
        unfitted,
        survival,
        draws,
        advice,
        gate: None,
    };
    history.gate = budget.map(|budget| history.held_against(budget));
    history
}

/// The runs of the model that is asked for, where they are enough; else all.
fn of_kind(runs: Vec<PastRun>, model: Option<&str>) -> (Vec<PastRun>, String) {
    let Some(model) = model else { return (runs, "all of them".to_owned()) };
    let same = runs.iter().filter(|r| r.model.as_deref() == Some(model)).count();
    if same >= KIND {
        return (runs.into_iter().filter(|r| r.model.as_deref() == Some(model)).collect(), format!("those on {model}"));
    }
    (runs, format!("all of them, as only {same} are on {model}"))
}

fn medians(runs: &[PastRun]) -> Option<MedianGrowth> {
    let grown: Vec<&Growth> = runs.iter().filter_map(|r| r.growth.as_ref().ok()).collect();
    let of = |value: &dyn Fn(&Growth) -> Option<f64>| median(&mut grown.iter().filter_map(|g| value(g)).collect::<Vec<_>>());
    Some(MedianGrowth {
        runs: grown.len(),
        calls: grown.iter().map(|g| g.fit.calls).sum(),
        prefix: of(&|g| Some(g.fit.prefix))?,
        appended: of(&|g| Some(g.fit.appended))?,
        output: of(&|g| g.output),
        r2: of(&|g| g.fit.r2),
        calls_per_iteration: of(&|g| g.calls_per_iteration),
        stateless: grown.iter().filter(|g| g.stateless).count(),
    })
}

impl History {
    /// The figure that a budget is held against: the 90th percentile of the drawn launches from 20 runs on, the dearest of
    /// them from 5 on; below that nothing is known. Without draws, the same of what the runs cost.
    fn held_against(&self, budget: Money) -> Gate {
        let (quantiles, of) = match &self.draws {
            Some(draws) => (&draws.cost, "drawn launches"),
            None => (&self.cost, "past runs"),
        };
        let runs = self.draws.as_ref().map_or(self.cost.n, |d| d.runs);
        let (figure, what) = match runs {
            0..SPREAD => (None, format!("{runs} past runs of known cost are too few, {SPREAD} are needed")),
            SPREAD..TAIL => (quantiles.max, format!("the dearest of the {of}; a 90th percentile wants {TAIL} runs, there are {runs}")),
            _ => (quantiles.at(90), format!("90th percentile of the {of}, {runs} runs")),
        };
        Gate { budget, figure, what }
    }
}
