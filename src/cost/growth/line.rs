//! Straight growth per call, robust against single dear calls: the slope is the median of the slopes between all pairs
//! (Theil and Sen), the intercept the median of what is left.

use super::fit::{is_cut, median};

/// Points that pairs are made of; more are taken at even distances.
const MOST: usize = 400;
/// With fewer points a slope says nothing.
pub const LEAST: usize = 8;

/// A straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Growth a call.
    pub slope: f64,
    /// The value at x = 0.
    pub intercept: f64,
}

impl Line {
    /// Through these points; `None` where they are too few.
    #[must_use]
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        if points.len() < LEAST {
            return None;
        }
        let every = points.len().div_ceil(MOST);
        let some: Vec<(f64, f64)> = points.iter().step_by(every).copied().collect();
        let mut slopes = Vec::with_capacity(some.len() * some.len() / 2);
        for (k, a) in some.iter().enumerate() {
            slopes.extend(some.iter().skip(k + 1).filter(|b| b.0 > a.0).map(|b| (b.1 - a.1) / (b.0 - a.0)));
        }
        slopes.retain(|slope: &f64| slope.is_finite());
        let slope = median(&mut slopes)?;
        let intercept = median(&mut some.iter().map(|p| p.1 - slope * p.0).collect::<Vec<_>>())?;
        Some(Self { slope, intercept })
    }

    /// The value at an x.
    #[must_use]
    pub fn at(self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }
}

/// The stretches between compactions and fresh starts.
#[must_use]
pub fn stretches(points: &[(f64, f64)]) -> Vec<&[(f64, f64)]> {
    points.chunk_by(|a, b| !is_cut(a.1, b.1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_dear_calls_do_not_bend_the_line() {
        let mut points: Vec<(f64, f64)> = (1..=21).map(|k| (f64::from(k), 1_000.0 + 250.0 * f64::from(k))).collect();
        points[4].1 = 90_000.0;
        points[17].1 = 0.0;
        let line = Line::through(&points).unwrap();
        assert!((line.slope - 250.0).abs() < 1e-9 && (line.at(0.0) - 1_000.0).abs() < 1e-6, "{line:?}");
    }

    #[test]
    fn few_points_have_no_line() {
        assert_eq!(Line::through(&[(1.0, 1.0); 7]), None);
        // eight at the same x neither
        assert_eq!(Line::through(&[(1.0, 1.0); 8]), None);
    }

    #[test]
    fn a_fall_by_half_or_by_ten_thousand_begins_anew() {
        let y = [10.0, 20.0, 9.0, 30.0, 200_000.0, 189_999.0, 190_500.0];
        let points: Vec<(f64, f64)> = y.iter().enumerate().map(|(k, y)| (k as f64, *y)).collect();
        assert_eq!(stretches(&points).iter().map(|s| s.len()).collect::<Vec<_>>(), [2, 3, 2]);
    }
}
