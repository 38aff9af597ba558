//! Prices from decimal text. A price that went through a float would be off by its last digit, times a million tokens.

use crate::trace::Money;

/// What a listed price is the price of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Dollars a million tokens.
    Million,
    /// Dollars a token.
    Token,
    /// Dollars a web search.
    Search,
}

const MILLION: u64 = 1_000_000;
const PICO: u64 = 1_000_000_000_000;

/// Pico-dollars a token or search, rounded to the nearest: lists hold float noise such as `2.9999999999999997e-06`.
///
/// # Errors
/// What is wrong with the text. More than a dollar a token is a slip of the unit, not a price.
pub(super) fn pico(text: &str, unit: Unit) -> Result<u64, &'static str> {
    const BAD: &str = "not a price; dollars as a decimal are expected, such as \"3.00\"";
    // Money ends at the pico-dollar, so a price a token is read as one a million tokens: six digits more.
    let read = match unit {
        Unit::Million | Unit::Search => text.parse::<Money>(),
        Unit::Token => shifted(text).ok_or(BAD)?.parse::<Money>(),
    };
    let value = read.map_err(|_| BAD)?.0;
    if value < 0 {
        return Err("a price cannot be negative");
    }
    let value = u64::try_from(value).unwrap_or(u64::MAX);
    let (pico, limit, slip) = match unit {
        Unit::Million => (round(value), PICO, "more than a dollar a token; is the unit right? (`unit` says per_million)"),
        Unit::Token => (round(value), PICO, "more than a dollar a token; is the unit right? (the price is read as per token)"),
        Unit::Search => (value, 100 * PICO, "more than 100 dollars a search; a price a single search is expected"),
    };
    if pico > limit { Err(slip) } else { Ok(pico) }
}

/// Half a pico-dollar counts as a whole.
fn round(a_million: u64) -> u64 {
    (a_million / MILLION).saturating_add(u64::from(a_million % MILLION >= MILLION / 2))
}

/// The text times a million.
fn shifted(text: &str) -> Option<String> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.parse::<i32>().ok()?.checked_add(6)?;
    Some(format!("{mantissa}e{exponent}"))
}

/// A whole number as a list writes it: `200000`, `2e5`, `200000.0`.
pub(super) fn whole(text: &str) -> Option<u64> {
    let value = text.parse::<Money>().ok()?.0;
    let pico = i128::from(PICO);
    if value % pico == 0 { u64::try_from(value / pico).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_price_has_one_value_in_either_unit() {
        for (token, million, expected) in [
            ("3e-06", "3.00", 3_000_000),
            ("3.75e-06", "3.75", 3_750_000),
            ("0.000015", "15", 15_000_000),
            ("1.25e-07", "0.125", 125_000),
            ("6e-09", "0.006", 6_000),
            ("2.9999999999999997e-06", "2.9999999999999997", 3_000_000),
            ("1.0000000000000001E-7", "1.0000000000000001e-1", 100_000),
            ("0", "0.0", 0),
            ("5e-13", "0.0000005", 1),
            ("4e-13", "0.0000004", 0),
            ("1", "1e6", 1_000_000_000_000),
        ] {
            assert_eq!((pico(token, Unit::Token), pico(million, Unit::Million)), (Ok(expected), Ok(expected)), "{token}");
        }
        assert_eq!(pico("0.01", Unit::Search), Ok(10_000_000_000));
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for bad in ["", "three", "1e", "1e999", "1e99999999999", "0x3", "3,00"] {
            assert!(pico(bad, Unit::Token).is_err(), "{bad}");
            assert!(pico(bad, Unit::Million).is_err(), "{bad}");
        }
        assert_eq!(pico("-1e-6", Unit::Token), Err("a price cannot be negative"));
        assert!(pico("3.00", Unit::Token).unwrap_err().contains("unit"));
        assert!(pico("1000001", Unit::Million).unwrap_err().contains("unit"));
        assert!(pico("101", Unit::Search).is_err());
    }

    #[test]
    fn whole_numbers() {
        for (text, n) in [
            ("200000", Some(200_000)),
            ("2e5", Some(200_000)),
            ("1e6", Some(1_000_000)),
            ("7.0", Some(7)),
            ("7.5", None),
            ("-1", None),
            ("k", None),
        ] {
            assert_eq!(whole(text), n, "{text}");
        }
    }

    proptest! {
        #[test]
        fn integers_survive_any_spelling(n in 0u64..=1_000_000_000_000) {
            prop_assert_eq!(pico(&format!("{n}e-12"), Unit::Token), Ok(n));
            prop_assert_eq!(pico(&format!("{}.{:06}", n / 1_000_000, n % 1_000_000), Unit::Million), Ok(n));
        }

        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = (pico(&text, Unit::Token), pico(&text, Unit::Million), pico(&text, Unit::Search), whole(&text));
        }
    }
}
