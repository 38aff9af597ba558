//! Iterations to green. A run that was capped or killed says that green took longer than it lived, which is something;
//! leaving it out would make green look nearer than it is.

use super::past::{Fate, PastRun};

/// An iteration at which runs ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// After so many iterations.
    pub iterations: u32,
    /// Runs that had as many.
    pub at_risk: usize,
    /// Of them, got green.
    pub green: usize,
    /// Of them, ended by themselves without a green check.
    pub unverified: usize,
    /// The share that is not green yet (Kaplan and Meier): were every run let run until it is.
    pub survivor: f64,
    /// The share that got green by then, where some end for good without it (Aalen and Johansen).
    pub reached: f64,
    /// The share that neither got green nor ended without it.
    pub open: f64,
}

/// The curve of a group of runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Survival {
    /// Runs with iterations.
    pub runs: usize,
    /// Of them, green.
    pub green: usize,
    /// Of them, ended by themselves without a green check.
    pub unverified: usize,
    /// Of them, censored.
    pub censored: usize,
    /// The steps, by rising iterations; only those at which a run ended by itself.
    pub steps: Vec<Step>,
    /// The longest run.
    pub longest: u32,
}

/// A quantile of a curve that may end before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantile {
    /// After so many iterations.
    At(u32),
    /// Beyond the last event; the longest run had so many iterations.
    Beyond(u32),
    /// Never: too many end for good without green for so many ever to get there.
    NotReached,
}

impl Survival {
    /// Of runs; those without iterations are left out.
    #[must_use]
    pub fn of(runs: &[PastRun]) -> Self {
        let mut rows: Vec<(u32, Fate)> = runs.iter().filter(|r| r.iterations > 0).map(|r| (r.iterations, r.fate)).collect();
        rows.sort_unstable();
        Self::of_rows(&rows)
    }

    /// Of sorted rows.
    #[expect(clippy::cast_precision_loss, reason = "shares of runs")]
    fn of_rows(rows: &[(u32, Fate)]) -> Self {
        let count = |fate| rows.iter().filter(|(_, f)| *f == fate).count();
        let mut curve = Self {
            runs: rows.len(),
            green: count(Fate::Green),
            unverified: count(Fate::Unverified),
            censored: count(Fate::Censored),
            steps: Vec::new(),
            longest: rows.last().map_or(0, |(n, _)| *n),
        };
        let (mut survivor, mut reached, mut open) = (1.0, 0.0, 1.0);
        let mut at_risk = rows.len();
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            let of = |fate| group.iter().filter(|(_, f)| *f == fate).count();
            let (green, unverified) = (of(Fate::Green), of(Fate::Unverified));
            if green + unverified > 0 {
                let risk = at_risk as f64;
                survivor *= 1.0 - green as f64 / risk;
                reached += open * green as f64 / risk;
                open *= 1.0 - (green + unverified) as f64 / risk;
                let iterations = group.first().map_or(0, |(n, _)| *n);
                curve.steps.push(Step { iterations, at_risk, green, unverified, survivor, reached, open });
            }
            at_risk -= group.len();
        }
        curve
    }

    /// The iterations within which `percent` of all runs get green, those counted that end for good without it (Aalen and
    /// Johansen). Where none do, this is Kaplan's and Meier's quantile. `None` without runs.
    #[must_use]
    pub fn quantile(&self, percent: u32) -> Option<Quantile> {
        if self.runs == 0 {
            return None;
        }
        // What rounding leaves of a product of shares must not hide a step.
        let wanted = f64::from(percent.min(100)) / 100.0 - 1e-9;
        let (reached, open) = self.steps.last().map_or((0.0, 1.0), |s| (s.reached, s.open));
        Some(match self.steps.iter().find(|s| s.reached >= wanted) {
            Some(step) => Quantile::At(step.iterations),
            // Even were all that were still at it to get green.
            None if reached + open < wanted => Quantile::NotReached,
            None => Quantile::Beyond(self.longest),
        })
    }

    /// Whose estimate it is: Aalen's and Johansen's where runs end for good without green. Without such ends Kaplan's and
    /// Meier's is the same.
    #[must_use]
    pub fn estimator(&self) -> &'static str {
        if self.unverified > 0 { "Aalen-Johansen" } else { "Kaplan-Meier" }
    }

    /// The step in force after `iterations`.
    #[must_use]
    pub fn at(&self, iterations: u32) -> Option<&Step> {
        self.steps.iter().take_while(|s| s.iterations <= iterations).last()
    }

    /// The share that is green within a cap, where some runs end for good without it. `None` beyond what any run lived to see.
    #[must_use]
    pub fn green_within(&self, cap: u32) -> Option<f64> {
        let seen = cap <= self.longest || self.steps.last().is_some_and(|s| s.open <= 1e-9);
        (self.runs > 0 && seen).then(|| self.at(cap).map_or(0.0, |s| s.reached))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Fate::{Censored, Green, Unverified};
    use proptest::prelude::*;

    #[test]
    fn the_textbook_remission_times() {
        // Freireich's 6-MP group (weeks, + censored): 6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+.
        let rows: Vec<(u32, Fate)> = [
            (6, Green),
            (6, Green),
            (6, Green),
            (6, Censored),
            (7, Green),
            (9, Censored),
            (10, Green),
            (10, Censored),
            (11, Censored),
            (13, Green),
            (16, Green),
            (17, Censored),
            (19, Censored),
            (20, Censored),
            (22, Green),
            (23, Green),
            (25, Censored),
            (32, Censored),
            (32, Censored),
            (34, Censored),
            (35, Censored),
        ]
        .into();
        let curve = Survival::of_rows(&rows);
        let published = [(6, 21, 0.857), (7, 17, 0.807), (10, 15, 0.753), (13, 12, 0.690), (16, 11, 0.627), (22, 7, 0.538), (23, 6, 0.448)];
        assert_eq!(curve.steps.len(), published.len());
        for (step, (time, at_risk, survivor)) in curve.steps.iter().zip(published) {
            assert_eq!((step.iterations, step.at_risk), (time, at_risk));
            assert!((step.survivor - survivor).abs() < 5e-4, "{time}: {}", step.survivor);
        }
        assert_eq!((curve.quantile(50), curve.quantile(90)), (Some(Quantile::At(23)), Some(Quantile::Beyond(35))));
    }

    #[test]
    fn without_censoring_it_is_the_share() {
        let rows: Vec<(u32, Fate)> = (1..=10).map(|n| (n, Green)).collect();
        let curve = Survival::of_rows(&rows);
        assert_eq!([10, 50, 100].map(|p| curve.quantile(p)), [1, 5, 10].map(|n| Some(Quantile::At(n))));
        assert!((curve.green_within(3).unwrap() - 0.3).abs() < 1e-12);
        assert_eq!(curve.green_within(99).map(|s| (s * 1e9).round()), Some(1e9));
    }

    #[test]
    fn an_end_without_green_competes() {
        // Of four runs one ends at 1 and one gets green at 2: 1/4 * 0 + 3/4 * 1/3.
        let curve = Survival::of_rows(&[(1, Unverified), (2, Green), (3, Censored), (3, Censored)]);
        assert!((curve.green_within(2).unwrap() - 0.25).abs() < 1e-12);
        assert!((curve.at(2).unwrap().survivor - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((curve.green_within(4), curve.green_within(3).is_some()), (None, true));
        assert_eq!(Survival::of_rows(&[]).quantile(50), None);
    }

    #[test]
    fn few_that_get_green_have_no_median() {
        // 100 runs: 96 end by themselves without green (half at 2, half at 4), four get green at 3: 1 * 48/100 end, then
        // 0.52 * 4/52 = 0.04 get green. The curve of Kaplan and Meier, which takes the ended for censored, falls to 48/52.
        let of = |n, fate, times| std::iter::repeat_n((n, fate), times);
        let rows: Vec<_> = of(2, Unverified, 48).chain(of(3, Green, 4)).chain(of(4, Unverified, 48)).collect();
        let curve = Survival::of_rows(&rows);
        assert!((curve.at(3).unwrap().reached - 0.04).abs() < 1e-12 && (curve.at(3).unwrap().survivor - 48.0 / 52.0).abs() < 1e-12);
        assert_eq!(
            [4, 5, 50, 90].map(|p| curve.quantile(p)),
            [3, 0, 0, 0].map(|n| Some(if n == 0 { Quantile::NotReached } else { Quantile::At(n) }))
        );
        // The last to live get green: Kaplan and Meier call the median 3, though 4 of 100 get there.
        let rows: Vec<_> = of(2, Unverified, 96).chain(of(3, Green, 4)).collect();
        assert_eq!(Survival::of_rows(&rows).quantile(50), Some(Quantile::NotReached));
        // Half are still at it: they may get there.
        let rows: Vec<_> = of(2, Unverified, 46).chain(of(3, Green, 4)).chain(of(4, Censored, 50)).collect();
        let curve = Survival::of_rows(&rows);
        assert_eq!([50, 60].map(|p| curve.quantile(p)), [Some(Quantile::Beyond(4)), Some(Quantile::NotReached)]);
    }

    proptest! {
        #[test]
        fn without_competing_ends_it_is_kaplan_and_meier(rows in prop::collection::vec((1u32..50, any::<bool>()), 0..80), percent in 0u32..101) {
            let mut rows: Vec<_> = rows.into_iter().map(|(n, green)| (n, if green { Green } else { Censored })).collect();
            rows.sort_unstable();
            let curve = Survival::of_rows(&rows);
            let left = 1.0 - f64::from(percent) / 100.0;
            let step = curve.steps.iter().find(|s| s.survivor <= left + 1e-9);
            let quantile = step.map_or(Quantile::Beyond(curve.longest), |s| Quantile::At(s.iterations));
            prop_assert_eq!(curve.quantile(percent), (!rows.is_empty()).then_some(quantile));
            for s in &curve.steps {
                prop_assert!((s.reached - (1.0 - s.survivor)).abs() < 1e-9 && (s.open - s.survivor).abs() < 1e-9);
            }
        }

        #[test]
        fn shares_stay_shares(rows in prop::collection::vec((1u32..50, 0u8..3), 0..80), percent in any::<u32>(), cap in any::<u32>()) {
            let mut rows: Vec<_> = rows.into_iter().map(|(n, f)| (n, [Green, Unverified, Censored][usize::from(f)])).collect();
            rows.sort_unstable();
            let curve = Survival::of_rows(&rows);
            for s in &curve.steps {
                prop_assert!((-1e-12..=1.0 + 1e-12).contains(&s.survivor) && (0.0..=1.0 + 1e-9).contains(&s.reached));
                prop_assert!(s.reached + s.open <= 1.0 + 1e-9);
            }
            let _ = (curve.quantile(percent), curve.green_within(cap));
        }
    }
}
