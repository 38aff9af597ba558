//! The next launch, drawn from past ones: how long it takes and how it grows are taken from the same run, because long runs
//! also grow differently.

use super::past::{Fate, Growth, PastRun};
use super::quantiles::Quantiles;
use super::random::Random;
use super::survival::Survival;
use crate::cost::forecast::model::ModelPrice;
use crate::cost::growth::fit::median;
use crate::cost::growth::{CacheClass, Caching, Compaction, MAX_CALLS, Regime, Shape, Tariff, walk};
use crate::cost::{Cost, Prices};
use crate::trace::Money;
use std::collections::BTreeMap;

/// Launches that are drawn.
pub(super) const LAUNCHES: usize = 10_000;
/// The iterations of a launch that are drawn at most: each run is walked so far.
pub const MOST: u32 = 1_000;

/// What the next launch will be like.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Bill this model; `None`: each run's own.
    pub model: Option<String>,
    /// Run in this regime; `None`: each run's own.
    pub regime: Option<Regime>,
    /// What the cache does; `None`: what it did for each run, which is then scaled to what it really cost.
    pub caching: Option<Caching>,
    /// How long cache writes live.
    pub class: CacheClass,
    /// The cap; `None`: the longest past run's iterations.
    pub cap: Option<u32>,
    /// Seed.
    pub seed: u64,
}

/// Drawn launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Draws {
    /// Past runs that they are drawn from: with a line, iterations and a price.
    pub runs: usize,
    /// The cap in force.
    pub cap: u32,
    /// Seed.
    pub seed: u64,
    /// What the cache is taken to do; `None`: what it did.
    pub caching: Option<Caching>,
    /// Cost of a launch.
    pub cost: Quantiles,
    /// Share of launches that got green within the cap.
    pub green: f64,
    /// What all launches cost, those without success included, over the launches that got green; `None` without a green.
    pub per_success: Option<Money>,
    /// Median cost of each further iteration, up to the cap or the longest past run.
    pub marginal: Vec<Money>,
}

/// A run to draw from: money after each iteration.
struct Source<'r> {
    run: &'r PastRun,
    cumulated: Vec<Money>,
}

impl Draws {
    /// Draws launches; `None` without a run that can be drawn from.
    #[must_use]
    pub fn of(runs: &[PastRun], survival: &Survival, settings: &Settings, prices: &Prices) -> Option<Self> {
        let cap = settings.cap.unwrap_or(survival.longest).clamp(1, MOST);
        // The advice on caps looks at all lengths that were seen.
        let horizon = cap.max(survival.longest).min(MOST);
        let sources = sources(runs, settings, prices, horizon);
        if sources.is_empty() {
            return None;
        }
        let mut random = Random::new(settings.seed);
        let (mut costs, mut greens, mut sum) = (Vec::with_capacity(LAUNCHES), 0u32, Money::ZERO);
        for _ in 0..LAUNCHES {
            let source = sources.get(random.below(sources.len()))?;
            let (length, green) = length(source.run, survival, &mut random);
            let length = length.filter(|n| *n <= cap);
            greens += u32::from(green && length.is_some());
            let last = length.unwrap_or(cap).max(1) as usize - 1;
            let cost = *source.cumulated.get(last)?;
            sum += cost;
            costs.push(cost);
        }
        Some(Self {
            runs: sources.len(),
            cap,
            seed: settings.seed,
            caching: settings.caching,
            cost: Quantiles::of(costs),
            green: f64::from(greens) / f64::from(u32::try_from(LAUNCHES).unwrap_or(u32::MAX)),
            per_success: (greens > 0).then(|| Money(sum.0 / i128::from(greens))),
            marginal: marginal(&sources, horizon),
        })
    }
}

/// How many iterations a launch takes, and whether it ends green; no number: longer than any event known. A censored run
/// goes on as those did that lived longer.
fn length(run: &PastRun, survival: &Survival, random: &mut Random) -> (Option<u32>, bool) {
    match run.fate {
        Fate::Green => (Some(run.iterations), true),
        Fate::Unverified => (Some(run.iterations), false),
        Fate::Censored => {
            let from = survival.at(run.iterations).map_or(1.0, |s| s.open);
            let left = random.unit() * from;
            let step = survival.steps.iter().find(|s| s.iterations > run.iterations && s.open <= left);
            match step {
                Some(s) => (Some(s.iterations), random.below(s.green + s.unverified) < s.green),
                None => (None, false),
            }
        }
    }
}

fn sources<'r>(runs: &'r [PastRun], settings: &Settings, prices: &Prices, horizon: u32) -> Vec<Source<'r>> {
    let mut models: BTreeMap<&str, Option<(Tariff, Option<u64>)>> = BTreeMap::new();
    let mut restarts: Vec<f64> = runs.iter().filter_map(|r| r.growth.as_ref().ok()?.fit.restart).collect();
    let restart = median(&mut restarts);
    let mut out = Vec::new();
    for run in runs {
        let (Ok(growth), Some(model)) = (&run.growth, settings.model.as_deref().or(run.model.as_deref())) else { continue };
        let found = models
            .entry(model)
            .or_insert_with(|| ModelPrice::find(prices, model).ok().map(|m| (Tariff::new(Some(&m.rate), settings.class), m.window)));
        let Some((tariff, window)) = found else { continue };
        let own = if growth.stateless { Regime::Stateless } else { Regime::Stateful };
        let Some(shape) = shape(growth, *window, restart) else { continue };
        let iterations = u64::from(horizon);
        if shape.check(iterations).is_err() {
            continue;
        }
        let caching = settings.caching.unwrap_or(Caching::Warm);
        let mut cumulated = Vec::new();
        walk(&shape, (settings.regime.unwrap_or(own), caching), (tariff, None), iterations, |t| cumulated.extend(t.money));
        if settings.caching.is_none() {
            let own_model = run.model.as_deref().and_then(|m| ModelPrice::find(prices, m).ok());
            scale(run, &shape, own, own_model.map(|m| Tariff::new(Some(&m.rate), settings.class)).as_ref(), &mut cumulated);
        }
        if cumulated.len() == horizon as usize {
            out.push(Source { run, cumulated });
        }
    }
    out
}

/// Scales amounts by what the run really cost over what the form gives for it: caches that expired, sub-agents and retries
/// are in the first alone. Where either is not known nothing is scaled.
fn scale(run: &PastRun, shape: &Shape, own: Regime, tariff: Option<&Tariff>, amounts: &mut [Money]) {
    let (Cost::Known(real), Some(tariff)) = (run.cost, tariff) else { return };
    let form = walk(shape, (own, Caching::Warm), (tariff, None), u64::from(run.iterations), |_| ()).totals.money;
    let Some(form) = form.filter(|m| *m > Money::ZERO && real > Money::ZERO) else { return };
    for amount in amounts {
        // Beyond 10^38 digits are lost rather than the scale.
        amount.0 = amount.0.checked_mul(real.0).map_or_else(|| (amount.0 / form.0).saturating_mul(real.0), |p| p / form.0);
    }
}

/// A run's growth as a shape for the next launch. `None` without iterations, or where the log does not say what was output.
///
/// A session that was compacted will be compacted again where it was. One that was not cannot outgrow its model's window:
/// there it is compacted to what is usual among the runs, else to what it began with.
fn shape(growth: &Growth, window: Option<u64>, restart: Option<f64>) -> Option<Shape> {
    let calls = whole(growth.calls_per_iteration?).clamp(1, MAX_CALLS);
    let prefix = whole(growth.fit.prefix);
    let own =
        growth.fit.cut.zip(growth.fit.restart).filter(|_| !growth.stateless).map(|(at, to)| Compaction { at: whole(at), to: whole(to) });
    let forced = window.map(|w| Compaction { at: w.max(growth.peak), to: restart.map_or(prefix, whole) });
    let compaction = own.or(forced).map(|c| Compaction { at: c.at.max(prefix).max(1), to: c.to });
    Some(Shape {
        prefix,
        appended: whole(growth.fit.appended),
        output: whole(growth.output?),
        disk_state: 0,
        work_calls: calls,
        reorient_calls: 0,
        compaction: compaction.filter(|c| c.to < c.at),
        children: None,
    })
}

/// The nearest whole number, not below nothing.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before; float to integer casts saturate")]
fn whole(n: f64) -> u64 {
    n.round().max(0.0) as u64
}

/// The median over runs of what each iteration adds.
fn marginal(sources: &[Source<'_>], horizon: u32) -> Vec<Money> {
    (0..horizon as usize)
        .filter_map(|k| {
            let added = sources.iter().filter_map(|s| {
                let before = k.checked_sub(1).and_then(|j| s.cumulated.get(j)).copied().unwrap_or(Money::ZERO);
                s.cumulated.get(k).map(|m| *m - before)
            });
            Quantiles::of(added.collect()).at(50)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::growth::Fit;

    fn run(iterations: u32, fate: Fate, prefix: f64) -> PastRun {
        let fit = Fit { prefix, appended: 0.0, r2: None, calls: iterations as usize, segments: 1, restart: None, cut: None };
        PastRun {
            id: format!("{iterations}"),
            model: Some("claude-sonnet-4-5".to_owned()),
            iterations,
            fate,
            cost: Cost::Unknown,
            growth: Ok(Growth { fit, output: Some(0.0), calls_per_iteration: Some(1.0), stateless: false, peak: 0 }),
        }
    }

    fn draw(runs: &[PastRun], change: impl Fn(&mut Settings)) -> Draws {
        let mut settings =
            Settings { model: None, regime: None, caching: Some(Caching::None), class: CacheClass::FiveMinutes, cap: None, seed: 1 };
        change(&mut settings);
        Draws::of(runs, &Survival::of(runs), &settings, Prices::embedded()).unwrap()
    }

    fn usd(money: Option<Money>) -> String {
        money.unwrap().exact()
    }

    #[test]
    fn a_launch_costs_what_its_run_would() {
        // A million tokens a call at 3 dollars a million: 2 iterations 6 dollars, 5 iterations 15.
        let runs = [run(2, Fate::Green, 1e6), run(5, Fate::Green, 1e6)];
        let d = draw(&runs, |_| ());
        assert_eq!((d.cap, d.runs, usd(d.cost.min), usd(d.cost.max)), (5, 2, "6".to_owned(), "15".to_owned()));
        assert!((d.green - 1.0).abs() < 1e-12);
        // Half of 10,000 draws, give or take five standard deviations.
        assert!((d.cost.share_within(Money::dollars(6)).unwrap() - 0.5).abs() < 0.025);
        // Capped at 3 the longer one costs 9 and fails; Opus is at 5 dollars.
        let capped = draw(&runs, |s| s.cap = Some(3));
        assert_eq!(usd(capped.cost.max), "9");
        assert!((capped.green - 0.5).abs() < 0.025);
        assert_eq!(usd(draw(&runs, |s| s.model = Some("claude-opus-4-6".to_owned())).cost.max), "25");
        assert_eq!(usd(d.marginal.first().copied()), "3");
    }

    #[test]
    fn a_censored_run_goes_on_as_the_longer_ones_did() {
        let runs = [run(2, Fate::Censored, 1e6), run(4, Fate::Green, 1e6)];
        let d = draw(&runs, |s| s.cap = Some(6));
        assert_eq!((usd(d.cost.min), usd(d.cost.max)), ("12".to_owned(), "12".to_owned()));
        let alone = draw(&runs[..1], |s| s.cap = Some(6));
        assert_eq!((usd(alone.cost.min), alone.per_success), ("18".to_owned(), None));
    }

    #[test]
    fn amounts_are_scaled_to_what_a_run_cost() {
        // The form, warm: 3.75 written, 0.3 read; the run really cost twice that.
        let runs = [PastRun { cost: Cost::Known("8.1".parse().unwrap()), ..run(2, Fate::Green, 1e6) }];
        assert_eq!(usd(draw(&runs, |s| s.caching = Some(Caching::Warm)).cost.max), "4.05");
        assert_eq!(usd(draw(&runs, |s| s.caching = None).cost.max), "8.1");
        // At another model's prices the ratio stays: 6.25 + 0.5, twice.
        let dearer = draw(&runs, |s| (s.caching, s.model) = (None, Some("claude-opus-4-6".to_owned())));
        assert_eq!(usd(dearer.cost.max), "13.5");
    }

    #[test]
    fn a_seed_is_a_seed() {
        let runs = [run(2, Fate::Green, 1e5), run(5, Fate::Censored, 1e6), run(9, Fate::Unverified, 1e4)];
        assert_eq!(draw(&runs, |_| ()), draw(&runs, |_| ()));
        assert_ne!(draw(&runs, |_| ()).per_success, draw(&runs, |s| s.seed = 2).per_success);
    }
}
