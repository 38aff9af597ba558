//! From runs to charts. Pure functions; a chart whose data is missing is `None`, never a blank picture. Every text is
//! harmless when it leaves here.

mod barcode;
mod calls;
mod context;
mod spend;
mod timeline;
mod waste;

pub use barcode::{Cells, barcode};
pub use context::context;
pub use spend::spend;
pub use timeline::timeline;
pub use waste::{Waste, pareto};

use crate::analysis::Examined;
use crate::report::chart::spec::Chart;
use crate::report::escape::visible;

/// All charts of one run that its logs allow.
#[must_use]
pub fn of_run(run: &Examined) -> Vec<Chart> {
    [spend(run), context(run), timeline(run)].into_iter().flatten().collect()
}

/// A run's name as it is shown.
fn name(run: &Examined) -> String {
    visible(&run.report.run).into_owned()
}

/// `1 call`, `2 calls`.
fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
