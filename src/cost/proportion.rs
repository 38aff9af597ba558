//! Exact bounds of a share that was seen in few trials.

/// The one-sided upper Clopper–Pearson bound: the largest true share under which seeing so few `hits` in `trials` still
/// has a chance of `1 - confidence`. `None` without trials, for more hits than trials, or for a confidence that is no
/// share. The bound is exact: with no hits in ten trials at 95 % it is `1 - 0.05^(1/10)`, 25.9 %.
#[must_use]
pub fn upper_bound(hits: u32, trials: u32, confidence: f64) -> Option<f64> {
    let alpha = 1.0 - confidence;
    if trials == 0 || hits > trials || !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    if hits == trials {
        return Some(1.0);
    }
    let (mut low, mut high) = (f64::from(hits) / f64::from(trials), 1.0);
    // The chance falls as the share grows, so halving finds where it crosses; 60 halvings exhaust a double.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if at_most(hits, trials, middle) > alpha { low = middle } else { high = middle }
    }
    Some(f64::midpoint(low, high))
}

/// The chance of at most `hits` in `trials` at a share strictly between 0 and 1. Summed in logarithms: no factorial
/// overflows.
fn at_most(hits: u32, trials: u32, share: f64) -> f64 {
    let (yes, no) = (share.ln(), (-share).ln_1p());
    let mut choose = 0.0;
    let mut sum = 0.0;
    for k in 0..=hits {
        sum += (choose + f64::from(k) * yes + f64::from(trials - k) * no).exp();
        choose += (f64::from(trials - k) / f64::from(k + 1)).ln();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn percent(hits: u32, trials: u32) -> f64 {
        (upper_bound(hits, trials, 0.95).unwrap() * 1000.0).round() / 10.0
    }

    #[test]
    fn published_values() {
        // No hits: 1 - 0.05^(1/n), by hand. With hits: the published tables of the beta distribution's quantiles.
        assert_eq!([percent(0, 1), percent(0, 10), percent(0, 42)], [95.0, 25.9, 6.9]);
        assert_eq!([percent(1, 10), percent(2, 10), percent(5, 10)], [39.4, 50.7, 77.8]);
        assert_eq!(upper_bound(3, 3, 0.95), Some(1.0));
    }

    #[test]
    fn nonsense_has_no_bound() {
        assert_eq!([upper_bound(0, 0, 0.95), upper_bound(2, 1, 0.95), upper_bound(0, 1, 1.0), upper_bound(0, 1, f64::NAN)], [None; 4]);
    }

    proptest! {
        #[test]
        fn the_bound_lies_above_the_share_and_more_trials_bring_it_down(hits in 0u32..40, more in 1u32..200) {
            let trials = hits + more;
            let bound = upper_bound(hits, trials, 0.95).unwrap();
            prop_assert!(bound > f64::from(hits) / f64::from(trials) && bound < 1.0);
            prop_assert!(upper_bound(hits, trials + 1, 0.95).unwrap() < bound);
            // At the bound the chance of what was seen is the 5 % that were asked for.
            prop_assert!((at_most(hits, trials, bound) - 0.05).abs() < 1e-9);
        }
    }
}
