//! Prefix and slope of recorded calls.

use std::ops::Range;

/// A context that falls by so many tokens was compacted, or belongs to a new session.
const DROP: f64 = 10_000.0;
/// Calls of a segment that the slope is taken from; longer ones are thinned evenly, as the pairs grow with the square.
const MOST_CALLS: usize = 1_000;

/// What recorded calls look like as a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// S: context of the first call, in tokens: the median intercept.
    pub prefix: f64,
    /// a: tokens that a call appends: the median of the slopes between all pairs of calls.
    pub appended: f64,
    /// The share of the variance that the line explains; `None` where the contexts do not vary.
    pub r2: Option<f64>,
    /// Calls that were fitted.
    pub calls: usize,
    /// Stretches between compactions or sessions.
    pub segments: usize,
    /// Median context of the first call of later stretches.
    pub restart: Option<f64>,
    /// Median context of the last call before them.
    pub cut: Option<f64>,
}

/// Whether a context was cut between two calls: it fell by more than half, or by more than 10,000 tokens.
pub(super) fn is_cut(before: f64, after: f64) -> bool {
    after * 2.0 < before || before - after > DROP
}

/// The stretches of calls in which the context was not cut.
#[must_use]
pub fn segments(contexts: &[u64]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    for (k, pair) in contexts.windows(2).enumerate() {
        if let [before, after] = *pair
            && is_cut(float(before), float(after))
        {
            out.push(from..k + 1);
            from = k + 1;
        }
    }
    if from < contexts.len() {
        out.push(from..contexts.len());
    }
    out
}

/// Fits a line to the contexts of a run's calls, in their order. `None` where no two calls are of one stretch.
///
/// The slope is Theil's and Sen's, which half of the calls but a third may spoil; pairs never span a compaction. The prefix
/// is the median intercept of the first stretch: what comes after a compaction holds a summary as well.
#[must_use]
pub fn fit(contexts: &[u64]) -> Option<Fit> {
    let parts = segments(contexts);
    let mut slopes = Vec::new();
    for part in &parts {
        pair_slopes(contexts.get(part.clone())?, &mut slopes);
    }
    let appended = median(&mut slopes)?;
    let mut lines = Vec::new();
    for part in &parts {
        let calls = contexts.get(part.clone())?;
        lines.push((calls, median(&mut calls.iter().enumerate().map(|(i, c)| float(*c) - appended * index(i)).collect::<Vec<_>>())?));
    }
    let prefix = lines.first().map(|(_, intercept)| *intercept)?;
    let mut restarts: Vec<f64> = lines.iter().skip(1).filter_map(|(calls, _)| calls.first()).map(|c| float(*c)).collect();
    let before = lines.split_last().map_or(&[][..], |(_, before)| before);
    let mut cuts: Vec<f64> = before.iter().filter_map(|(calls, _)| calls.last()).map(|c| float(*c)).collect();
    Some(Fit {
        prefix,
        appended,
        r2: explained(&lines, appended),
        calls: contexts.len(),
        segments: parts.len(),
        restart: median(&mut restarts),
        cut: median(&mut cuts),
    })
}

fn pair_slopes(calls: &[u64], slopes: &mut Vec<f64>) {
    let stride = calls.len().div_ceil(MOST_CALLS).max(1);
    let points: Vec<(f64, f64)> = calls.iter().enumerate().step_by(stride).map(|(i, c)| (index(i), float(*c))).collect();
    for (k, (x, y)) in points.iter().enumerate() {
        slopes.extend(points.iter().skip(k + 1).map(|(x2, y2)| (y2 - y) / (x2 - x)));
    }
}

/// 1 - the squares left over by the lines / the squares around each stretch's mean.
fn explained(lines: &[(&[u64], f64)], slope: f64) -> Option<f64> {
    let (mut left, mut all) = (0.0, 0.0);
    for (calls, intercept) in lines {
        let mean = calls.iter().map(|c| float(*c)).sum::<f64>() / index(calls.len());
        for (i, c) in calls.iter().enumerate() {
            left += (float(*c) - intercept - slope * index(i)).powi(2);
            all += (float(*c) - mean).powi(2);
        }
    }
    (all > 0.0).then(|| 1.0 - left / all)
}

impl Fit {
    /// Input tokens of `calls` calls of one growing session: `T*S + a*T(T-1)/2`, not below nothing.
    #[must_use]
    pub fn input(&self, calls: f64) -> f64 {
        (calls * self.prefix + self.appended * calls * (calls - 1.0) / 2.0).max(0.0)
    }
}

/// The median; the mean of the middle two of an even number. Sorts its argument.
#[must_use]
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = values.get(values.len() / 2)?;
    if values.len() % 2 == 1 {
        return Some(*upper);
    }
    let lower = values.get((values.len() / 2).checked_sub(1)?)?;
    Some(f64::midpoint(*lower, *upper))
}

#[expect(clippy::cast_precision_loss, reason = "a context has at most ten digits")]
fn float(n: u64) -> f64 {
    n as f64
}

#[expect(clippy::cast_precision_loss, reason = "an index has at most ten digits")]
fn index(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_found_through_outliers() {
        let mut contexts: Vec<u64> = (0..40).map(|i| 3_000 + 700 * i).collect();
        for (i, wrong) in [(3, 9_000), (17, 12_000), (30, 20_000)] {
            contexts[i] = wrong;
        }
        let fit = fit(&contexts).unwrap();
        assert_eq!((fit.prefix, fit.appended, fit.segments, fit.restart), (3_000.0, 700.0, 1, None));
        assert!(fit.r2.unwrap() > 0.9);
    }

    #[test]
    fn pairs_do_not_span_a_compaction() {
        let tooth = |from: u64, n: u64| (0..n).map(move |i| from + 2_000 * i);
        let contexts: Vec<u64> = tooth(10_000, 30).chain(tooth(20_000, 20)).chain(tooth(22_000, 5)).collect();
        assert_eq!(segments(&contexts), [0..30, 30..50, 50..55]);
        let fit = fit(&contexts).unwrap();
        assert_eq!((fit.prefix, fit.appended, fit.r2, fit.restart), (10_000.0, 2_000.0, Some(1.0), Some(21_000.0)));
        // 68k and 58k.
        assert_eq!(fit.cut, Some(63_000.0));
    }

    #[test]
    fn a_drop_is_more_than_half_or_10k() {
        let lengths = |contexts: &[u64]| segments(contexts).iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
        assert_eq!(lengths(&[100, 50, 24]), [2, 1]);
        assert_eq!(lengths(&[50_000, 40_000]), [2]);
        assert_eq!(lengths(&[50_000, 39_999]), [1, 1]);
        assert!(lengths(&[]).is_empty());
    }

    #[test]
    fn too_little_is_no_line() {
        assert_eq!((fit(&[]), fit(&[5]), fit(&[50_000, 10])), (None, None, None));
        assert_eq!(fit(&[5, 5, 5]).unwrap().r2, None);
    }

    #[test]
    fn the_input_of_a_line_is_the_closed_form() {
        let contexts: Vec<u64> = (0..10).map(|i| 5_000 + 2_000 * i).collect();
        let sum = fit(&contexts).unwrap().input(10.0);
        assert!((sum - 140_000.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn nothing_panics(contexts in prop::collection::vec(any::<u64>(), 0..60)) {
            let covered: usize = segments(&contexts).iter().map(ExactSizeIterator::len).sum();
            prop_assert_eq!(covered, contexts.len());
            if let Some(fit) = fit(&contexts) {
                prop_assert!(fit.prefix.is_finite() && fit.appended.is_finite());
            }
        }
    }
}
