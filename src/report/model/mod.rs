//! What every renderer sees: one report for each run, and the sums over all of them. The field names of the
//! serialised form are a published contract.

mod run;
mod totals;

pub use run::{
    At, BaselineReport, Checks, Cost, CostStatus, EvidenceReport, FindingReport, LastGreen, RatioReport, RunReport, SignatureCount,
    SourceReport, TokenReport, WasteReport,
};
pub use totals::{
    CommonCause, DebtWeek, NeverStarted, PriceList, RestartedAfterDone, Summary, TopSignature, Totals, Triage, UnderstandingDebt,
    WasteTotals,
};

use crate::report::escape::visible;
use serde::{Serialize, Serializer};

/// A name from outside, or words that hold one: files and folders can be called anything.
fn name<S: Serializer>(text: &impl AsRef<str>, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(&visible(text.as_ref()))
}

fn optional_name<S: Serializer>(text: &Option<Box<str>>, s: S) -> Result<S::Ok, S::Error> {
    text.as_deref().map(visible).serialize(s)
}

fn names<S: Serializer>(texts: &[Box<str>], s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(texts.iter().map(|t| visible(t)))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_none(n: &u64) -> bool {
    *n == 0
}
