//! The model of a forecast, by the name that the user gives it.

use crate::cost::Prices;
use crate::cost::prices::{Miss, Rate};
use crate::settings::suggest;

/// A model with its prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPrice {
    /// The listing.
    pub listing: String,
    /// How the name led to it.
    pub rule: String,
    /// The most input tokens that a request may have.
    pub window: Option<u64>,
    /// Its prices.
    pub rate: Rate,
}

/// A model without a price.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{miss}{}", if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) })]
pub struct Unlisted {
    miss: Miss,
    near: Vec<String>,
}

/// The most names that are suggested.
const SUGGESTIONS: usize = 3;

impl ModelPrice {
    /// Looks a model up.
    ///
    /// # Errors
    /// No list has it; the message names what is spelled like it.
    pub fn find(prices: &Prices, name: &str) -> Result<Self, Unlisted> {
        match prices.find(name) {
            Ok(found) => Ok(Self {
                listing: found.model.to_owned(),
                rule: found.rule.to_string(),
                window: found.context_window,
                rate: found.rate.clone(),
            }),
            Err(miss) => Err(Unlisted { near: if matches!(miss, Miss::NotListed(_)) { near(prices, name) } else { Vec::new() }, miss }),
        }
    }
}

/// Listings that hold the name's words, the shortest first; else the one that is spelled most like it.
fn near(prices: &Prices, name: &str) -> Vec<String> {
    let plain = |text: &str| text.to_lowercase().replace(['.', '_', ' '], "-");
    let wanted = plain(name);
    let words: Vec<&str> = wanted.split('-').filter(|w| !w.is_empty()).collect();
    let names = || prices.models().iter().map(|m| &*m.name);
    let mut holding: Vec<&str> =
        names().filter(|n| !words.is_empty() && words.iter().all(|w| plain(n).split('-').any(|p| p == *w))).collect();
    holding.sort_by_key(|n| (n.len(), *n));
    if holding.is_empty() {
        return suggest(&wanted, names()).into_iter().map(|n| format!("`{n}`")).collect();
    }
    holding.into_iter().take(SUGGESTIONS).map(|n| format!("`{n}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str) -> String {
        ModelPrice::find(Prices::embedded(), name).unwrap_err().to_string()
    }

    #[test]
    fn a_miss_says_what_is_near() {
        assert!(
            message("sonnet-4.5").ends_with("did you mean `claude-sonnet-4-5` or `claude-sonnet-4-5-20250929`?"),
            "{}",
            message("sonnet-4.5")
        );
        assert!(message("claude-sonet-4-5").contains("did you mean `claude-sonnet-4-5"), "{}", message("claude-sonet-4-5"));
        assert_eq!(message("zzz"), "no list has a price for `zzz`; give one or an alias with --prices");
        assert!(!message("").contains("did you mean"));
        let found = ModelPrice::find(Prices::embedded(), "anthropic/claude-sonnet-4.5").unwrap();
        assert_eq!((found.listing.as_str(), found.window), ("claude-sonnet-4-5", Some(200_000)));
    }
}
