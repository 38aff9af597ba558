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

    /// The iterations within which `percent` of the runs get green. `None` without runs.
    #[must_use]
    pub fn quantile(&self, percent: u32) -> Option<Quantile> {
        if self.runs == 0 {
            return None;
        }
        let left = 1.0 - f64::from(percent.min(100)) / 100.0;
        // What rounding leaves of a product of shares must not hide a step.
        let step = self.steps.iter().find(|s| s.survivor <= left + 1e-9);
        Some(step.map_or(Quantile::Beyond(self.longest), |s| Quantile::At(s.iterations)))
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

    proptest! {
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
