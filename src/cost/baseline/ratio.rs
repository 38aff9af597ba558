//! A ratio of two sides, with how far it can be trusted.
//!
//! Each side is a list of parts: a run, or a task with the mean of its runs. A side's value is the sum of its numerators
//! over the sum of its denominators (money over runs, over iterations, over greens), the ratio is the loops' value over
//! the baseline's. Its interval is taken on the logarithm of the ratio, so that twice as dear and half as dear are
//! equally far from even.

/// Resamples of a bootstrap.
pub const RESAMPLES: usize = 4_000;
/// The seed of a bootstrap: the same input gives the same interval.
pub const SEED: u64 = 1;
/// With fewer parts a bootstrap is too narrow: it cannot draw what it has not seen. Student's t is used instead.
const FEW: usize = 10;
/// With more parts a bootstrap says what the normal distribution says, and takes long.
const MANY: usize = 5_000;
/// 97.5 % quantiles of Student's t for 1 to 8 degrees of freedom.
const T: [f64; 8] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306];
/// The same of the normal distribution.
const Z: f64 = 1.960;

/// A run or a task: what is summed, and what it is shared by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// What is spent.
    pub num: f64,
    /// Over how much.
    pub den: f64,
}

/// How an interval was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// There is none: one part a side.
    None,
    /// Percentiles of [`RESAMPLES`] resamples.
    Bootstrap,
    /// The jackknife's standard error of the log ratio, with Student's t.
    StudentT,
    /// The same with the normal distribution.
    Normal,
}

/// A ratio, with its 95 % interval where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// After over before.
    pub ratio: f64,
    /// The interval's ends; an end that cannot be bounded is infinite or 0.
    pub interval: Option<(f64, f64)>,
    /// How the interval was found.
    pub method: Method,
}

/// The two sides' parts, one by one.
#[derive(Debug, Clone, Copy)]
pub enum Sides<'p> {
    /// Parts that belong together: the same task on both sides.
    Paired(&'p [(Part, Part)]),
    /// Parts that have nothing to do with each other: before, after.
    Apart(&'p [Part], &'p [Part]),
}

/// The ratio of after to before. `None` where a side has nothing, or nothing above 0.
#[must_use]
pub fn ratio(sides: Sides<'_>) -> Option<Estimate> {
    let even = sides.total().log_ratio()?;
    let (least, most) = sides.sizes();
    let around = |half: f64| half.is_finite().then(|| ((even - half).exp(), (even + half).exp()));
    let (interval, method) = match (least, most) {
        (..=1, _) => (None, Method::None),
        (n, _) if n < FEW => (around(sides.jackknife() * T.get(n - 2).copied().unwrap_or(T[7])), Method::StudentT),
        (_, n) if n > MANY => (around(sides.jackknife() * Z), Method::Normal),
        _ => (Some(bootstrap(sides)), Method::Bootstrap),
    };
    Some(Estimate { ratio: even.exp(), interval, method: if interval.is_some() { method } else { Method::None } })
}

/// The sums of both sides.
#[derive(Clone, Copy)]
struct Sums {
    before: Part,
    after: Part,
}

impl Sums {
    const EMPTY: Self = Self { before: Part { num: 0.0, den: 0.0 }, after: Part { num: 0.0, den: 0.0 } };

    fn log_ratio(&self) -> Option<f64> {
        let value = |p: Part| (p.num > 0.0 && p.den > 0.0).then(|| p.num.ln() - p.den.ln());
        Some(value(self.after)? - value(self.before)?)
    }
}

impl Part {
    fn plus(self, other: Self, sign: f64) -> Self {
        Self { num: self.num + sign * other.num, den: self.den + sign * other.den }
    }
}

impl Sides<'_> {
    /// Parts of the smallest side that varies, and of the largest. A side of one part does not vary: the interval is then
    /// the other side's alone.
    fn sizes(self) -> (usize, usize) {
        match self {
            Self::Paired(pairs) => (pairs.len(), pairs.len()),
            Self::Apart(before, after) => {
                let varying = [before.len(), after.len()].into_iter().filter(|n| *n > 1);
                (varying.min().unwrap_or(1), before.len().max(after.len()))
            }
        }
    }

    fn total(self) -> Sums {
        let mut sums = Sums::EMPTY;
        match self {
            Self::Paired(pairs) => pairs.iter().for_each(|pair| sums = add(sums, *pair, 1.0)),
            Self::Apart(before, after) => {
                sums.before = before.iter().fold(sums.before, |sum, p| sum.plus(*p, 1.0));
                sums.after = after.iter().fold(sums.after, |sum, p| sum.plus(*p, 1.0));
            }
        }
        sums
    }

    /// The standard error of the log ratio, by leaving out one part at a time; not finite where a side cannot do without
    /// one of its parts.
    fn jackknife(self) -> f64 {
        let total = self.total();
        let variance = match self {
            Self::Paired(pairs) => spread(pairs.iter().map(|pair| add(total, *pair, -1.0))),
            Self::Apart(before, after) => {
                spread(before.iter().map(|p| Sums { before: total.before.plus(*p, -1.0), ..total }))
                    + spread(after.iter().map(|p| Sums { after: total.after.plus(*p, -1.0), ..total }))
            }
        };
        variance.sqrt()
    }
}

fn add(sums: Sums, (before, after): (Part, Part), sign: f64) -> Sums {
    Sums { before: sums.before.plus(before, sign), after: sums.after.plus(after, sign) }
}

/// The jackknife's variance of the log ratio; 0 for a side of one part.
fn spread(without: impl ExactSizeIterator<Item = Sums>) -> f64 {
    let n = count(without.len());
    if n < 2.0 {
        return 0.0;
    }
    // What a side without greens would have left is rounding, not a denominator.
    let logs: Option<Vec<f64>> = without.map(|s| s.log_ratio().filter(|_| s.before.den > 1e-9 && s.after.den > 1e-9)).collect();
    let Some(logs) = logs else { return f64::INFINITY };
    let mean = logs.iter().sum::<f64>() / n;
    logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() * (n - 1.0) / n
}

/// The 2.5 % and 97.5 % percentiles of the resampled ratio. A resample without any green, say, has no ratio: it counts as
/// an extreme at both ends, so that it never makes the interval narrower.
fn bootstrap(sides: Sides<'_>) -> (f64, f64) {
    let mut dice = fastrand::Rng::with_seed(SEED);
    let mut draw = || {
        let mut sums = Sums::EMPTY;
        match sides {
            Sides::Paired(pairs) => {
                for _ in 0..pairs.len() {
                    sums = pairs.get(dice.usize(..pairs.len())).map_or(sums, |pair| add(sums, *pair, 1.0));
                }
            }
            Sides::Apart(before, after) => {
                for (parts, sum) in [(before, &mut sums.before), (after, &mut sums.after)] {
                    for _ in 0..parts.len() {
                        *sum = parts.get(dice.usize(..parts.len())).map_or(*sum, |p| sum.plus(*p, 1.0));
                    }
                }
            }
        }
        sums.log_ratio()
    };
    let mut logs: Vec<f64> = (0..RESAMPLES).filter_map(|_| draw()).collect();
    let undefined = RESAMPLES - logs.len();
    logs.sort_by(f64::total_cmp);
    let tail = RESAMPLES / 40;
    let low = tail.checked_sub(undefined).and_then(|k| logs.get(k)).map_or(0.0, |l| l.exp());
    let high = logs.get(RESAMPLES - tail - 1).map_or(f64::INFINITY, |l| l.exp());
    (low, high)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of runs are far below 2^52")]
fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(values: &[f64]) -> Vec<Part> {
        values.iter().map(|v| Part { num: *v, den: 1.0 }).collect()
    }

    fn close(a: f64, b: f64, within: f64) -> bool {
        (a / b).ln().abs() < within
    }

    #[test]
    fn one_run_a_side_has_a_ratio_and_no_interval() {
        let (a, b) = (parts(&[2.0]), parts(&[6.4]));
        let e = ratio(Sides::Apart(&a, &b)).unwrap();
        assert!(close(e.ratio, 3.2, 1e-12) && e.interval.is_none() && e.method == Method::None);
        assert_eq!(ratio(Sides::Apart(&a, &parts(&[0.0]))), None);
        assert_eq!(ratio(Sides::Apart(&[], &b)), None);
    }

    #[test]
    fn two_runs_are_worth_little() {
        // Before 1 and 4, after 10: leaving one out gives ln(10/4) and ln(10/1). Their mean square from the mean is
        // (ln 4 / 2)^2 = 0.4805, twice that times 1/2 gives the variance 0.4805, its root 0.6931; t with one degree of
        // freedom is 12.706. Half width 8.807.
        let e = ratio(Sides::Apart(&parts(&[1.0, 4.0]), &parts(&[10.0]))).unwrap();
        let (low, high) = e.interval.unwrap();
        assert!(close(e.ratio, 4.0, 1e-12) && e.method == Method::StudentT);
        assert!(close(high / e.ratio, 8.807_f64.exp(), 1e-2) && close(e.ratio / low, 8.807_f64.exp(), 1e-2));
    }

    #[test]
    fn pairs_that_agree_have_no_spread_however_different_their_tasks() {
        let pairs: Vec<(Part, Part)> =
            (1..=20).map(|k| f64::from(k * k)).map(|v| (Part { num: v, den: 1.0 }, Part { num: 1.5 * v, den: 1.0 })).collect();
        let (low, high) = ratio(Sides::Paired(&pairs)).unwrap().interval.unwrap();
        assert!(close(low, 1.5, 1e-9) && close(high, 1.5, 1e-9));
        let (before, after): (Vec<Part>, Vec<Part>) = pairs.into_iter().unzip();
        let (low, high) = ratio(Sides::Apart(&before, &after)).unwrap().interval.unwrap();
        assert!(low < 1.0 && high > 2.0, "{low} {high}");
    }

    #[test]
    fn a_side_with_one_green_cannot_be_bounded() {
        let greens = |n: usize| (0..12).map(|k| Part { num: 1.0, den: f64::from(u8::from(k < n)) }).collect::<Vec<_>>();
        let e = ratio(Sides::Apart(&greens(12), &greens(1))).unwrap();
        // Twelve runs for one green, against one run a green; a resample has no green with (11/12)^12 = 35 %.
        assert!(close(e.ratio, 12.0, 1e-9));
        assert_eq!(e.interval, Some((0.0, f64::INFINITY)));
        assert_eq!(ratio(Sides::Apart(&greens(3)[..3], &greens(1)[..3])).unwrap().interval, None);
    }

    proptest! {
        #[test]
        fn turned_round_it_is_the_inverse(a in prop::collection::vec(0.01f64..100.0, 1..9), b in prop::collection::vec(0.01f64..100.0, 1..9)) {
            let (a, b) = (parts(&a), parts(&b));
            let forth = ratio(Sides::Apart(&a, &b)).unwrap();
            let back = ratio(Sides::Apart(&b, &a)).unwrap();
            prop_assert!(close(forth.ratio, 1.0 / back.ratio, 1e-9));
            prop_assert_eq!(forth.interval.is_some(), back.interval.is_some());
            if let (Some(f), Some(g)) = (forth.interval, back.interval) {
                prop_assert!(f.0 <= forth.ratio * (1.0 + 1e-9) && forth.ratio <= f.1 * (1.0 + 1e-9));
                prop_assert!((f.0.ln() + g.1.ln()).abs() < 1e-6 && (f.1.ln() + g.0.ln()).abs() < 1e-6);
            }
        }

        #[test]
        fn the_unit_does_not_matter(a in prop::collection::vec(0.01f64..100.0, 12..30), scale in 0.001f64..1000.0) {
            let (one, other) = (parts(&a), parts(&a.iter().map(|v| v * scale).collect::<Vec<_>>()));
            let pairs = |b: &[Part]| one.iter().copied().zip(b.iter().copied()).collect::<Vec<_>>();
            let same = ratio(Sides::Paired(&pairs(&one))).unwrap();
            let scaled = ratio(Sides::Paired(&pairs(&other))).unwrap();
            prop_assert!(close(scaled.ratio, scale * same.ratio, 1e-9));
            let (s, t) = (same.interval.unwrap(), scaled.interval.unwrap());
            prop_assert!(close(t.0, scale * s.0, 1e-6) && close(t.1, scale * s.1, 1e-6));
        }
    }
}
