//! A week of runs: which belong to it, what they cost, why they failed, what to do about it, how it compares with the
//! week before. A pure function of the runs' reports; renderers see only [`Week`].

mod cause;
mod compare;
mod earlier;
mod guard;
mod headline;
mod window;

pub use cause::{Cause, Reason, cause_of};
pub use compare::{Change, Comparison, Direction, Moved, Row, Value};
pub use earlier::{Earlier, EarlierError, EarlierRun};
pub(crate) use guard::{CAPS, EQUAL, NO_GAIN};
pub use guard::{Guard, Saving, Stop, Trials};
pub use headline::{Headline, PerGreen};
pub use window::Window;

use crate::report::chart::runs::{Cells, Waste, barcode};
use crate::report::chart::spec::Chart;
use crate::report::model::{RunReport, Summary};
use crate::report::section::Section;

/// All that a weekly report says.
pub struct Week {
    /// What it is called.
    pub title: String,
    /// The runs, by id, with what their sections show.
    pub runs: Vec<(RunReport, Section)>,
    /// Sums over them.
    pub summary: Summary,
    /// Which runs belong to it, where not all do.
    pub window: Option<Window>,
    /// The first screen.
    pub headline: Headline,
    /// Against an older report, where one was given.
    pub comparison: Option<Comparison>,
    /// The charts over all runs.
    pub charts: Vec<Chart>,
}

/// Rows of the barcode: the worst runs.
const ROWS: usize = 80;

impl Week {
    /// Puts a week together.
    #[must_use]
    pub fn new(
        title: String,
        runs: Vec<(RunReport, Section)>,
        summary: Summary,
        window: Option<Window>,
        earlier: Option<&Earlier>,
    ) -> Self {
        let headline = Headline::of(&runs, &summary);
        let charts = charts(&runs);
        let comparison = earlier.map(|e| Comparison::of(e, &runs, &summary, &headline, window.as_ref()));
        Self { title, runs, summary, window, headline, comparison, charts }
    }

    /// The runs, worst first.
    #[must_use]
    pub fn worst_first(&self) -> Vec<&(RunReport, Section)> {
        let mut order: Vec<&(RunReport, Section)> = self.runs.iter().collect();
        order.sort_by_cached_key(|(run, _)| run.badness());
        order
    }
}

fn charts(runs: &[(RunReport, Section)]) -> Vec<Chart> {
    let mut waste = Waste::default();
    runs.iter().for_each(|(run, _)| waste.add(run));
    let mut order: Vec<&(RunReport, Section)> = runs.iter().filter(|(_, s)| !s.cells.is_empty()).collect();
    order.sort_by_cached_key(|(run, _)| run.badness());
    let rows: Vec<Cells> = order.into_iter().take(ROWS).map(|(_, s)| s.cells.clone()).collect();
    barcode(&rows).into_iter().chain(waste.charts()).collect()
}
