//! Scales: where ticks stand and how they are written.

use crate::report::chart::spec::Unit;

/// Ticks of a scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    /// Where they stand.
    pub(super) at: Vec<f64>,
    /// The distance between two.
    pub(super) step: f64,
}

/// Steps of a scale of seconds that people count in.
const SPANS: [f64; 16] = [1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1_800.0, 3_600.0, 7_200.0, 21_600.0, 43_200.0];

/// At most about `most` ticks from `low` to `high`.
pub(super) fn ticks(unit: Unit, low: f64, high: f64, most: f64) -> Ticks {
    let rough = (high - low) / most.max(1.0);
    let step = match unit {
        Unit::Seconds => SPANS.into_iter().find(|s| *s >= rough).unwrap_or_else(|| nice(rough / 86_400.0) * 86_400.0),
        Unit::Count | Unit::Tokens => nice(rough).max(1.0),
        _ => nice(rough),
    };
    if !(step.is_finite() && step > 0.0 && (high - low) / step < 1_000.0) {
        return Ticks { at: vec![low], step: 1.0 };
    }
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let mut at = Vec::new();
    let mut k = first;
    while k <= last {
        at.push(k * step + 0.0); // no minus before a zero
        k += 1.0;
    }
    Ticks { at, step }
}

/// The next of 1, 2, 5 times a power of ten.
fn nice(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|s| *s >= rough * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A value on a scale whose ticks are `step` apart: no more digits than tell two ticks apart.
pub(super) fn tick(unit: Unit, value: f64, step: f64) -> String {
    match unit {
        Unit::Share if value.abs() >= 1e13 => format!("{:.1e} %", value * 100.0),
        Unit::Ratio if value.abs() >= 1e15 => format!("{value:.1e}×"),
        Unit::Usd => {
            let digits = digits(step);
            if value.abs() >= 1e5 {
                format!("${}", scaled(value, step))
            } else {
                format!("${value:.*}", if digits == 1 { 2 } else { digits })
            }
        }
        Unit::Seconds => span(value),
        Unit::Share => format!("{:.*} %", digits(step * 100.0), value * 100.0),
        Unit::Ratio => format!("{value:.*}×", digits(step)),
        Unit::Count | Unit::Tokens => scaled(value, step),
    }
}

/// A value by itself: three significant digits.
pub(super) fn value(unit: Unit, n: f64) -> String {
    if !n.is_finite() {
        return "not a number".to_owned();
    }
    let step = if n == 0.0 { 1.0 } else { 10_f64.powf(n.abs().log10().floor() - 2.0) };
    match unit {
        Unit::Usd if n == 0.0 => "$0".to_owned(),
        Unit::Usd => tick(unit, n, if n.abs() < 0.01 { step * 10.0 } else { 0.01 }),
        Unit::Share => tick(unit, n, 0.01),
        Unit::Count | Unit::Tokens if n.abs() < 10_000.0 => format!("{n:.0}"),
        _ => tick(unit, n, step),
    }
}

/// Digits behind the point that a step needs.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 12")]
fn digits(step: f64) -> usize {
    if step.is_finite() && step > 0.0 { (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize } else { 0 }
}

/// `1.2k`, `3M`.
fn scaled(n: f64, step: f64) -> String {
    let (by, letter) = match n.abs() {
        m if m >= 1e15 => return format!("{n:.1e}"),
        m if m >= 1e12 => (1e12, "T"),
        m if m >= 1e9 => (1e9, "G"),
        m if m >= 1e6 => (1e6, "M"),
        m if m >= 1e4 || (m >= 1e3 && step >= 100.0) => (1e3, "k"),
        _ => (1.0, ""),
    };
    format!("{:.*}{letter}", digits(step / by).min(2), n / by)
}

/// `45 s`, `5 min`, `1 h 30 min`, `2 d 6 h`.
pub(super) fn span(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "-" } else { "" };
    let s = seconds.abs();
    let two = |big: f64, unit: &str, small: f64, part: &str| {
        let whole = (s / big + 1e-9).floor();
        let rest = ((s - whole * big) / small).round();
        let (whole, rest) = if rest * small >= big { (whole + 1.0, 0.0) } else { (whole, rest) };
        if rest > 0.0 { format!("{sign}{whole:.0} {unit} {rest:.0} {part}") } else { format!("{sign}{whole:.0} {unit}") }
    };
    match s {
        s if s >= 8.64e9 => format!("{sign}{:.1e} d", s / 86_400.0),
        s if s >= 86_400.0 => two(86_400.0, "d", 3_600.0, "h"),
        s if s >= 3_600.0 => two(3_600.0, "h", 60.0, "min"),
        s if s >= 600.0 => format!("{sign}{:.0} min", s / 60.0),
        s if s >= 60.0 => two(60.0, "min", 1.0, "s"),
        s if s >= 1.0 || s == 0.0 => format!("{sign}{s:.0} s"),
        s => format!("{sign}{:.0} ms", s * 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(unit: Unit, low: f64, high: f64) -> Vec<String> {
        let ticks = ticks(unit, low, high, 5.0);
        ticks.at.iter().map(|t| tick(unit, *t, ticks.step)).collect()
    }

    #[test]
    fn ticks_are_in_units_that_people_read() {
        assert_eq!(labels(Unit::Usd, 0.0, 2.2), ["$0.00", "$0.50", "$1.00", "$1.50", "$2.00"]);
        assert_eq!(labels(Unit::Usd, 0.0, 0.022), ["$0.000", "$0.005", "$0.010", "$0.015", "$0.020"]);
        assert_eq!(labels(Unit::Tokens, 0.0, 130_000.0), ["0", "50k", "100k"]);
        assert_eq!(labels(Unit::Tokens, 0.0, 2_600_000.0), ["0", "1M", "2M"]);
        assert_eq!(labels(Unit::Seconds, 0.0, 7_300.0), ["0 s", "30 min", "1 h", "1 h 30 min", "2 h"]);
        assert_eq!(labels(Unit::Share, 0.0, 1.0), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
        assert_eq!(labels(Unit::Count, 1.0, 4.0), ["1", "2", "3", "4"]);
        assert_eq!(labels(Unit::Count, 0.0, 4_000.0), ["0", "1k", "2k", "3k", "4k"]);
    }

    #[test]
    fn values_keep_three_digits() {
        assert_eq!(value(Unit::Usd, 4.1), "$4.10");
        assert_eq!(value(Unit::Usd, 0.00423), "$0.0042");
        assert_eq!(value(Unit::Tokens, 123_456.0), "123k");
        assert_eq!(value(Unit::Tokens, 1_234_567.0), "1.23M");
        assert_eq!(value(Unit::Seconds, 5_400.0), "1 h 30 min");
        assert_eq!(value(Unit::Ratio, 3.21), "3.21×");
        assert_eq!(value(Unit::Count, 7.0), "7");
        assert_eq!(value(Unit::Share, 0.855), "86 %");
    }

    #[test]
    fn no_range_is_too_odd() {
        for (low, high) in [(0.0, 0.0), (0.0, 1e300), (0.0, f64::INFINITY), (f64::NAN, 1.0), (0.0, 1e-12), (5.0, 1.0)] {
            for unit in [Unit::Count, Unit::Usd, Unit::Tokens, Unit::Seconds, Unit::Share, Unit::Ratio] {
                let ticks = ticks(unit, low, high, 6.0);
                assert!(ticks.at.len() < 1_100);
                for t in ticks.at {
                    assert!(tick(unit, t, ticks.step).len() < 40 && value(unit, t).len() < 40);
                }
            }
        }
    }
}
