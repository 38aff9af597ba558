//! The prices that come with the program, and the files that change them.

use super::{Prices, PricesError};
use crate::input::read_text;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::LazyLock;

/// Made by `.ci/price_snapshot.py` from LiteLLM's list.
const EMBEDDED: &str = include_str!("snapshot.json");

/// Which snapshot of public prices is embedded. Its date and hash stand in every report: a cost means nothing without.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// The day that the list was taken, `YYYY-MM-DD`.
    pub date: String,
    /// SHA-256 of the embedded file, in hexadecimal.
    pub sha256: String,
    /// The list and its version.
    pub source: String,
    /// Under which licence it was taken, and whose it is.
    pub license: String,
}

/// A price file that was laid over the snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlaid {
    /// The file, as it was given.
    pub path: String,
    /// SHA-256 of its text, in hexadecimal.
    pub sha256: String,
}

impl Prices {
    /// The embedded snapshot, parsed once.
    #[must_use]
    pub fn embedded() -> &'static Self {
        // A test holds that the embedded file parses; if it did not, every model would be unpriced, which is what is said then.
        static PRICES: LazyLock<Prices> = LazyLock::new(|| {
            let mut prices = Prices::default();
            let head = prices.lay("snapshot.json", EMBEDDED).unwrap_or_default();
            prices.snapshot = Snapshot { license: head.notice(), date: head.date, sha256: sha256(EMBEDDED), source: head.source };
            for model in &mut prices.models {
                model.overridden = false;
            }
            prices
        });
        &PRICES
    }

    /// The embedded snapshot with the user's price file over it: the project's own form or LiteLLM's list.
    ///
    /// # Errors
    /// The file cannot be read, or something in it is no price.
    pub fn with_overrides(file: &Path) -> Result<Self, PricesError> {
        let shown = file.display().to_string();
        let text = read_text(file).map_err(|e| PricesError::Io { path: shown.clone(), reason: e.to_string() })?;
        Self::embedded().clone().overlay(&shown, &text)
    }

    /// Lays a price file's text over these prices, model by model and field by field. `shown` is its name in messages.
    ///
    /// # Errors
    /// Something in it is no price; the place and the model are named.
    pub fn overlay(mut self, shown: &str, text: &str) -> Result<Self, PricesError> {
        self.lay(shown, text)?;
        self.overlaid.push(Overlaid { path: shown.to_owned(), sha256: sha256(text) });
        Ok(self)
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::prices::{Class, Price};

    #[test]
    fn the_embedded_snapshot_is_whole() {
        let prices = Prices::embedded();
        let snapshot = prices.snapshot();
        assert_eq!((prices.models().len(), snapshot.date.as_str(), snapshot.sha256.len()), (360, "2026-11-30", 64));
        assert_eq!(snapshot.license, "MIT License, Copyright (c) 2023 Berri AI");
        assert!(snapshot.source.starts_with("litellm "));
        assert!(prices.overlaid().is_empty() && prices.models().iter().all(|m| !m.overridden));
        // Every row lists input and output; 16 of them list 0 for both, which is no price.
        let both = |m: &super::super::Model| [Class::Input, Class::Output].map(|c| m.rate.base().get(c));
        assert!(prices.models().iter().all(|m| both(m).iter().all(Option::is_some)));
        assert_eq!(prices.models().iter().filter(|m| both(m) == [Some(Price::Zero); 2]).count(), 16);
        // Thresholds of 100k (1 model), 128k (4), 200k (49), 272k (23).
        let tiers = |above| prices.models().iter().filter(|m| m.rate.tiers().iter().any(|t| t.above == above)).count();
        assert_eq!([100_000, 128_000, 200_000, 272_000].map(tiers), [1, 4, 49, 23]);
        // Five models bill reasoning apart from output.
        assert_eq!(prices.models().iter().filter(|m| m.rate.base().get(Class::Reasoning).is_some()).count(), 5);
    }

    #[test]
    fn a_file_that_is_not_there() {
        let error = Prices::with_overrides(Path::new("no/such/prices.json")).unwrap_err().to_string();
        assert!(error.starts_with("no/such/prices.json: cannot be read: "), "{error}");
    }
}
