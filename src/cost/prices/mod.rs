//! Prices of models: a dated snapshot in the program, and the user's own prices over it.

mod decimal;
mod error;
mod json;
mod litellm;
mod lookup;
mod names;
mod overlay;
mod own;
mod patch;
mod rate;
mod snapshot;

pub use error::PricesError;
pub use lookup::{Match, Miss, Prefix, Rule};
pub use names::plain_name;
pub use rate::{Class, ClassPrices, Price, Rate, Tier};
pub use snapshot::{Overlaid, Snapshot};

use std::collections::{BTreeMap, HashMap};

/// A priced model as a list names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The list's name for it.
    pub name: Box<str>,
    /// Who sells it, as the list spells that.
    pub provider: Option<Box<str>>,
    /// The most input tokens that a request may have.
    pub context_window: Option<u64>,
    /// Its prices.
    pub rate: Rate,
    /// A price file of the user had a say in this row.
    pub overridden: bool,
}

/// All known prices.
#[derive(Debug, Clone, Default)]
pub struct Prices {
    models: Vec<Model>,
    by_name: HashMap<Box<str>, usize>,
    /// Models by their bare name with dashes for dots; only those that a stripped prefix may lead to.
    by_bare: HashMap<Box<str>, Vec<usize>>,
    aliases: BTreeMap<Box<str>, usize>,
    free: Vec<Box<str>>,
    snapshot: Snapshot,
    overlaid: Vec<Overlaid>,
}

impl Prices {
    /// Every listed model, in the lists' order.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Which snapshot of public prices these are.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The price files that were laid over the snapshot, in order.
    #[must_use]
    pub fn overlaid(&self) -> &[Overlaid] {
        &self.overlaid
    }
}
