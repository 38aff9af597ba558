//! Money as integers. A float sum differs between one thread and two; an integer sum does not.

use serde::{Serialize, Serializer};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

/// US dollars in pico-dollars (1e-12): the price of a single token at a millionth of a cent is still whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(pub i128);

const PICO: i128 = 1_000_000_000_000;
/// No log's sum comes near a trillion dollars; a figure beyond it is a broken record.
const LIMIT: i128 = PICO * PICO;

impl Money {
    /// Nothing spent. Never a stand-in for "unknown": that is `None`.
    pub const ZERO: Self = Self(0);

    /// Whole dollars.
    #[must_use]
    pub fn dollars(n: u32) -> Self {
        Self(i128::from(n) * PICO)
    }

    /// From a float as a log holds it: its shortest decimal form is taken, so `0.1` is ten cents exactly.
    /// `None` for what is no amount (not finite, beyond a trillion).
    #[must_use]
    pub fn from_f64(n: f64) -> Option<Self> {
        if n.is_finite() { format!("{n}").parse().ok() } else { None }
    }

    /// For ratios and axes only, never for sums.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio needs no more than 52 bits")]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / PICO as f64
    }

    /// The amount with no digit lost and no zero too many: `4.1`, `0.19635`, `0`.
    #[must_use]
    pub fn exact(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let whole = self.0.unsigned_abs() / PICO.unsigned_abs();
        let rest = self.0.unsigned_abs() % PICO.unsigned_abs();
        if rest == 0 {
            return format!("{sign}{whole}");
        }
        let digits = format!("{rest:012}");
        format!("{sign}{whole}.{}", digits.trim_end_matches('0'))
    }

    /// For people: cents, or two significant digits below a cent. `$4.10`, `$0.0042`.
    #[must_use]
    pub fn short(self) -> String {
        let v = self.to_f64();
        if self.0 == 0 || v.abs() >= 0.01 { format!("${v:.2}") } else { format!("${v:.4}") }
    }
}

impl FromStr for Money {
    type Err = &'static str;

    /// Reads a decimal, exponent allowed. Digits beyond the pico-dollar are cut.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const BAD: &str = "not a decimal amount";
        let text = text.trim();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((m, e)) => (m, e.parse::<i32>().map_err(|_| BAD)?),
            None => (text, 0),
        };
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(m) => (true, m),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() || !(-60..=60).contains(&exponent) {
            return Err(BAD);
        }
        // How many digits are whole pico-dollars: the rest is cut.
        let keep = i32::try_from(whole.len()).map_err(|_| BAD)? + 12 + exponent;
        let mut value: i128 = 0;
        let mut read = 0;
        for c in whole.chars().chain(fraction.chars()) {
            let d = c.to_digit(10).ok_or(BAD)?;
            if read < keep {
                value = value.checked_mul(10).and_then(|v| v.checked_add(i128::from(d))).ok_or(BAD)?;
            }
            read += 1;
        }
        while read < keep && value != 0 {
            value = value.checked_mul(10).filter(|v| *v < LIMIT).ok_or(BAD)?;
            read += 1;
        }
        if value >= LIMIT {
            return Err(BAD);
        }
        Ok(Self(if negative { -value } else { value }))
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.exact())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_exact() {
        for (text, pico, back) in [
            ("4.10", 4_100_000_000_000, "4.1"),
            ("0.1", 100_000_000_000, "0.1"),
            ("1e-6", 1_000_000, "0.000001"),
            ("1.5e-7", 150_000, "0.00000015"),
            ("2.5E2", 250_000_000_000_000, "250"),
            ("-0.03", -30_000_000_000, "-0.03"),
            ("0.0000000000019", 1, "0.000000000001"),
            ("30e-1", 3_000_000_000_000, "3"),
            ("12.5e-13", 1, "0.000000000001"),
            ("125e-14", 1, "0.000000000001"),
            ("1.25e3", 1_250_000_000_000_000, "1250"),
            ("0", 0, "0"),
        ] {
            let m: Money = text.parse().unwrap();
            assert_eq!((m.0, m.exact().as_str()), (pico, back), "{text}");
        }
        for bad in ["", ".", "abc", "1.2.3", "1e", "1e999", "99999999999999"] {
            assert!(bad.parse::<Money>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_logged_float_keeps_its_decimal_form() {
        assert_eq!(Money::from_f64(0.1 + 0.0).unwrap().exact(), "0.1");
        assert_eq!(Money::from_f64(177.55).unwrap().exact(), "177.55");
        assert_eq!(Money::from_f64(1e-9).unwrap().exact(), "0.000000001");
        assert_eq!(Money::from_f64(f64::NAN), None);
    }

    proptest! {
        #[test]
        fn exact_reads_back(pico in -1_000_000_000_000_000_000i128..1_000_000_000_000_000_000) {
            let m = Money(pico);
            prop_assert_eq!(m.exact().parse::<Money>().unwrap(), m);
        }
    }
}
