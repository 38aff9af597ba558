//! What a threshold can sensibly be: on its own, and beside the one that it goes with.

use crate::settings::table::{Setting, TABLE, Thresholds};

/// Settings of which the first may not be above the second: a suspicion comes before its verdict, and a window holds its hits.
pub(super) const ORDERED: &[(&str, &str)] = &[
    ("death_suspect_s", "death_verdict_s"),
    ("stuck_suspect", "stuck_verdict"),
    ("call_suspect", "call_verdict"),
    ("call_window_hits", "call_window"),
    ("poll_suspect", "poll_verdict"),
    ("recovery_suspect", "recovery_verdict"),
];

/// What of a setting's value makes no sense, by its unit.
///
/// # Errors
/// What it takes instead.
pub(super) fn sensible(setting: &Setting, value: f64) -> Result<(), String> {
    if setting.unit.starts_with("share") && value > 1.0 {
        let percent = if value <= 100.0 { format!("; {value} % is {}", value / 100.0) } else { String::new() };
        return Err(format!("it takes a share above 0, at most 1{percent}"));
    }
    if setting.unit.starts_with("x the") && value < 1.0 {
        return Err("it takes a factor of at least 1".to_owned());
    }
    if setting.unit == "score" && value > 10.0 {
        return Err("it takes a score, at most 10".to_owned());
    }
    // Each period is a look at the whole log.
    if setting.name == "oscillation_period" && !(2.0..=1000.0).contains(&value) {
        return Err("it takes a whole number from 2, as a cycle has two states, to 1000".to_owned());
    }
    Ok(())
}

/// Puts the pairs of [`ORDERED`] in order: where nobody `set` the first, it follows the second down.
///
/// # Errors
/// The first pair that was set out of order.
pub(super) fn in_order(thresholds: &mut Thresholds, set: impl Fn(&str) -> bool) -> Result<(), (&'static str, &'static str)> {
    for (low, high) in ORDERED {
        let (Some(first), Some(second)) = (thresholds.get(low), thresholds.get(high)) else { continue };
        if first > second {
            if set(low) {
                return Err((low, high));
            }
            // Its value is one that the other has taken, and both count the same things.
            let _ = thresholds.set(low, &second.to_string());
        }
    }
    Ok(())
}

/// The row of a setting.
pub(super) fn row(name: &str) -> Option<&'static Setting> {
    TABLE.iter().find(|s| s.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_sensible_and_in_order() {
        assert!(TABLE.iter().all(|s| sensible(s, s.default).is_ok()));
        let mut thresholds = Thresholds::default();
        assert_eq!(in_order(&mut thresholds, |_| true), Ok(()));
        assert_eq!(thresholds, Thresholds::default());
        for (low, high) in ORDERED {
            let whole = |name| row(name).unwrap().whole;
            assert_eq!(whole(low), whole(high), "{low} {high}");
        }
    }

    #[test]
    fn every_suspicion_has_its_verdict_in_the_table_of_pairs() {
        for setting in TABLE.iter().filter(|s| s.name.contains("_suspect")) {
            let verdict = setting.name.replace("_suspect", "_verdict");
            assert!(ORDERED.contains(&(setting.name, row(&verdict).unwrap().name)), "{}", setting.name);
        }
    }
}
