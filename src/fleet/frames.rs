//! Runs as a polars frame: the only place that names polars.

use crate::report::model::RunReport;
use polars::prelude::{Column, DataFrame, PolarsResult};

/// One row a run. Times are milliseconds since the epoch; money is in US dollars; unknown is null.
///
/// # Errors
/// polars', where columns differ in length, which they cannot.
pub fn runs(runs: &[RunReport]) -> PolarsResult<DataFrame> {
    fn column<T>(runs: &[RunReport], get: impl Fn(&RunReport) -> T) -> Vec<T> {
        runs.iter().map(get).collect()
    }
    DataFrame::new(
        runs.len(),
        vec![
            Column::new("run".into(), column(runs, |r| r.run.to_string())),
            Column::new("agent".into(), column(runs, |r| r.agent)),
            Column::new("ending".into(), column(runs, |r| r.ending.map(crate::diagnose::Ending::id))),
            Column::new("mode".into(), column(runs, |r| r.mode.map(crate::diagnose::Kind::id))),
            Column::new("health".into(), column(runs, |r| r.health.word())),
            Column::new("iterations".into(), column(runs, |r| r.iterations)),
            Column::new("tokens".into(), column(runs, |r| r.tokens.tokens.total())),
            Column::new("cost_usd".into(), column(runs, |r| r.cost.usd.map(crate::trace::Money::to_f64))),
            Column::new("waste_usd".into(), column(runs, |r| r.waste.usd.map(crate::trace::Money::to_f64))),
            Column::new("started_ms".into(), column(runs, |r| r.started.map(|t| t.0))),
            Column::new("wall_s".into(), column(runs, |r| r.wall_s)),
        ],
    )
}
