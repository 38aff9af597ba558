//! A launch, iteration by iteration.

use super::meter::{Meter, Ramp, TierUse, Totals};
use super::session::Session;
use super::shape::{Caching, Children, Regime, Shape};
use super::tariff::Tariff;

/// What a launch comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// All of it.
    pub totals: Totals,
    /// Tiers that billed calls, by rising threshold.
    pub tiers: Vec<TierUse>,
    /// Compactions.
    pub compactions: u64,
    /// The largest context of a call, sub-agents left out.
    pub peak: u64,
    /// The first call with more context than the model's window.
    pub beyond_window: Option<u64>,
}

/// Goes through `iterations` iterations; `each` sees the totals after every one.
///
/// `shape` has passed [`Shape::check`]; what has not may come out too small, but never overflows.
pub fn walk(shape: &Shape, how: (Regime, Caching), prices: (&Tariff, Option<u64>), iterations: u64, each: impl FnMut(&Totals)) -> Walk {
    walk_on(0, shape, how, prices, iterations, each)
}

/// The same for a run that is under way: the cache holds `cached` tokens of its next call's context.
pub fn walk_on(
    cached: u64,
    shape: &Shape,
    (regime, caching): (Regime, Caching),
    (tariff, window): (&Tariff, Option<u64>),
    iterations: u64,
    mut each: impl FnMut(&Totals),
) -> Walk {
    let mut meter = Meter::new(tariff, caching, window);
    let fresh = Session {
        next: shape.start(),
        cached: 0,
        appended: shape.appended,
        output: shape.output,
        prefix: shape.prefix,
        compaction: shape.compaction,
    };
    let mut session = Session { cached: if caching == Caching::Warm { cached } else { 0 }, ..fresh };
    let returned = shape.children.map_or(0, |c| c.count.saturating_mul(c.returned));
    for i in 0..iterations {
        match (regime, caching) {
            // The first session of a launch has the prefix written for the others.
            (Regime::Stateless, Caching::Warm) if i > 0 => session = Session { cached: shape.prefix, ..fresh },
            (Regime::Stateless, _) if i > 0 => session = fresh,
            (Regime::Stateless, _) => {}
            (Regime::Stateful, Caching::Expiry) => session.cached = 0,
            (Regime::Stateful, _) => {}
        }
        session.calls(shape.calls(regime), &mut meter);
        if let Some(children) = &shape.children {
            sub_agents(children, i == 0 || caching == Caching::Expiry, &mut meter);
        }
        // The next call reads what they returned.
        session.next = session.next.saturating_add(returned);
        each(&meter.totals);
    }
    let Meter { totals, mut tiers, compactions, peak, beyond_window, .. } = meter;
    tiers.sort_by_key(|t| t.above);
    Walk { totals, tiers, compactions, peak, beyond_window }
}

/// The sub-agents of one iteration. They share a prefix, which the first of them writes where it is not cached yet.
fn sub_agents(c: &Children, cold: bool, meter: &mut Meter<'_>) {
    let ramp = |cached, times| Ramp { first: c.prefix, step: c.appended, calls: c.calls, cached, output: c.output, times, side: true };
    let first = u64::from(cold).min(c.count);
    meter.ramp(ramp(0, first));
    meter.ramp(ramp(c.prefix, c.count - first));
}

#[cfg(test)]
mod tests {
    use super::super::closed;
    use super::super::shape::Compaction;
    use super::super::tariff::CacheClass;
    use super::*;
    use crate::cost::{Prices, price_call};
    use crate::trace::{Money, Tokens};
    use proptest::prelude::*;

    const BARE: Shape = Shape {
        prefix: 5_000,
        appended: 2_000,
        output: 500,
        disk_state: 0,
        work_calls: 1,
        reorient_calls: 0,
        compaction: None,
        children: None,
    };

    fn tariff(model: &str) -> Tariff {
        Tariff::new(Some(Prices::embedded().find(model).unwrap().rate), CacheClass::FiveMinutes)
    }

    fn go(shape: &Shape, how: (Regime, Caching), model: &str, iterations: u64) -> Walk {
        walk(shape, how, (&tariff(model), None), iterations, |_| {})
    }

    fn usd(walk: &Walk) -> String {
        walk.totals.money.map_or_else(|| "null".to_owned(), Money::exact)
    }

    #[test]
    fn published_pairs_to_the_last_digit() {
        // Sonnet at 3, 0.30, 3.75 and 15 dollars a million, Opus at 5, 0.50, 6.25 and 25.
        const SONNET: &[&str] = &["claude-sonnet-4-5"];
        const OPUS: &[&str] = &["claude-opus-4-5", "claude-opus-4-6", "claude-opus-4-7", "claude-opus-4-8"];
        // S, F, a, o, m, e, iterations; input; without cache, warm.
        let rows = [
            (Regime::Stateful, SONNET, [5_000, 0, 2_000, 500, 1, 0, 10], 140_000, ["0.495", "0.19635"]),
            (Regime::Stateful, OPUS, [5_000, 0, 2_000, 500, 1, 0, 10], 140_000, ["0.825", "0.32725"]),
            (Regime::Stateful, SONNET, [18_000, 0, 1_500, 400, 1, 0, 60], 3_735_000, ["11.565", "1.847925"]),
            (Regime::Stateful, OPUS, [18_000, 0, 1_500, 400, 1, 0, 60], 3_735_000, ["19.275", "3.079875"]),
            (Regime::Stateful, SONNET, [30_000, 0, 2_000, 500, 1, 0, 120], 17_880_000, ["54.54", "7.1886"]),
            (Regime::Stateful, OPUS, [30_000, 0, 2_000, 500, 1, 0, 120], 17_880_000, ["90.9", "11.981"]),
            (Regime::Stateful, SONNET, [0, 0, 250, 100, 1, 0, 400], 19_950_000, ["60.45", "6.9291375"]),
            (Regime::Stateful, OPUS, [0, 0, 250, 100, 1, 0, 400], 19_950_000, ["100.75", "11.5485625"]),
            (Regime::Stateless, SONNET, [5_000, 0, 2_000, 500, 1, 0, 10], 50_000, ["0.225", "0.10725"]),
            (Regime::Stateless, SONNET, [15_000, 8_000, 2_000, 500, 12, 4, 20], 12_160_000, ["38.88", "8.72175"]),
            (Regime::Stateless, OPUS, [15_000, 8_000, 2_000, 500, 12, 4, 40], 24_320_000, ["129.6", "28.98625"]),
            (Regime::Stateless, OPUS, [68_453, 1_200, 900, 300, 5, 2, 6], 3_038_826, ["15.50913", "2.45571775"]),
        ];
        for (regime, models, [prefix, disk_state, appended, output, work_calls, reorient_calls, n], input, usd_of) in rows {
            let shape = Shape { prefix, disk_state, appended, output, work_calls, reorient_calls, ..BARE };
            for model in models {
                let of = |caching| go(&shape, (regime, caching), model, n);
                assert_eq!([usd(&of(Caching::None)), usd(&of(Caching::Warm))], usd_of, "{model} {shape:?}");
                assert_eq!(of(Caching::Warm).totals.input, input);
            }
        }
        let shape = Shape { prefix: 68_453, disk_state: 1_200, appended: 900, output: 300, work_calls: 5, reorient_calls: 2, ..BARE };
        let t = go(&shape, (Regime::Stateless, Caching::Warm), "claude-opus-4-8", 6).totals;
        assert_eq!((t.read, t.write, t.output), (2_930_773, 108_053, 12_600));
    }

    #[test]
    fn a_tier_bills_the_calls_above_it_whole() {
        // 100k at 0.10 a million, above it 0.50: 90k, 95k, 100k below; 105k and 110k whole above.
        let shape = Shape { prefix: 90_000, appended: 5_000, output: 0, ..BARE };
        let w = go(&shape, (Regime::Stateful, Caching::None), "claude-haiku-5-5", 5);
        assert_eq!(usd(&w), "0.136"); // 285000 * 0.1 + 215000 * 0.5, a million
        assert_eq!(w.tiers, [TierUse { above: 100_000, first_call: 4, calls: 2 }]);
        assert_eq!(closed::first_above(90_000, 5_000, 100_000), Some(4));
    }

    #[test]
    fn compaction_is_a_sawtooth() {
        // 10k, 12k, 14k | compaction reads 16k and writes 2k | 12k, 14k | 16k, 2k | 12k.
        let shape = Shape { prefix: 10_000, compaction: Some(Compaction { at: 14_000, to: 12_000 }), output: 100, ..BARE };
        let w = go(&shape, (Regime::Stateful, Caching::Warm), "claude-sonnet-4-5", 6);
        assert_eq!(
            (w.totals.input, w.totals.output, w.compactions, w.peak),
            (36_000 + 16_000 + 26_000 + 16_000 + 12_000, 600 + 4_000, 2, 16_000)
        );
        // Written: 10k 2k 2k 2k | 12k cold 2k 2k | 12k cold.
        assert_eq!((w.totals.write, w.totals.read), (44_000, 62_000));
    }

    #[test]
    fn a_sawtooth_has_the_slope_of_its_teeth() {
        // Over whole teeth: r(C_max+C_0)/2 + w*a + q*o a call, plus one compaction call and one cold rewrite a tooth.
        let shape = Shape { prefix: 20_000, compaction: Some(Compaction { at: 120_000, to: 40_000 }), ..BARE };
        let tooth = |n: u64| go(&shape, (Regime::Stateful, Caching::Warm), "claude-opus-4-6", n).totals;
        // The first ramp has 51 calls, a tooth 41: (120000 - 40000) / 2000 + 1.
        let (one, two) = (tooth(51 + 41), tooth(51 + 82));
        // Context 40k to 120k: cold first call, 40 reads of 40k..118k, 40 writes of 2k; compaction reads 120k, writes 2k and says 20k.
        let reads: u64 = (0..40).map(|i| 40_000 + 2_000 * i).sum::<u64>() + 120_000;
        assert_eq!(two.read - one.read, reads);
        assert_eq!(two.write - one.write, 40_000 + 40 * 2_000 + 2_000);
        assert_eq!(two.output - one.output, 41 * 500 + 20_000);
    }

    #[test]
    fn children_are_summed_and_their_parent_grows_by_their_returns() {
        let children = Children { count: 2, calls: 3, prefix: 1_000, appended: 100, output: 10, returned: 50 };
        let shape = Shape { children: Some(children), ..BARE };
        let w = go(&shape, (Regime::Stateful, Caching::None), "claude-sonnet-4-5", 3);
        // Parent 5000, 7100, 9200; each child 1000 + 1100 + 1200, six of them.
        assert_eq!((w.totals.input, w.totals.output), (21_300 + 6 * 3_300, 1_500 + 6 * 30));
        let warm = go(&shape, (Regime::Stateful, Caching::Warm), "claude-sonnet-4-5", 3);
        // Parent reads 5000 + 7100; a child 1000 + 1100 of its own, five of six the prefix as well.
        assert_eq!(warm.totals.read, 12_100 + 6 * 2_100 + 5 * 1_000);
    }

    #[test]
    fn the_window_is_passed_once() {
        let w = walk(&BARE, (Regime::Stateful, Caching::None), (&tariff("claude-sonnet-4-5"), Some(20_000)), 20, |_| {});
        // 5000, 7000, … 19000, 21000.
        assert_eq!(w.beyond_window, Some(9));
    }

    #[test]
    fn what_has_no_price_has_no_sum() {
        let none = Tariff::new(None, CacheClass::FiveMinutes);
        let w = walk(&BARE, (Regime::Stateful, Caching::Warm), (&none, None), 10, |_| {});
        assert_eq!((w.totals.money, w.totals.input), (None, 140_000));
        // No price for an hour: only what is written lacks one.
        let hour = Tariff::new(Some(Prices::embedded().find("gpt-5.6").unwrap().rate), CacheClass::Hour);
        let of = |caching| walk(&BARE, (Regime::Stateful, caching), (&hour, None), 10, |_| {}).totals.money;
        assert!(of(Caching::None).is_some() && of(Caching::Warm).is_none());
    }

    proptest! {
        #[test]
        fn the_walk_agrees_with_the_closed_forms(
            prefix in 0u64..40_000, disk_state in 0u64..9_000, appended in 0u64..5_000, work_calls in 1u64..9, reorient_calls in 0u64..5, n in 1u64..30,
        ) {
            let shape = Shape { prefix, disk_state, appended, work_calls, reorient_calls, ..BARE };
            for regime in Regime::ALL {
                for caching in Caching::ALL {
                    let t = go(&shape, (regime, caching), "claude-sonnet-4-5", n).totals;
                    let c = closed::counts(&shape, regime, caching, n);
                    prop_assert_eq!(
                        [t.input, t.read, t.write, t.output].map(u128::from),
                        [c.input, c.read, c.write, c.output],
                        "{:?} {:?}", regime, caching
                    );
                }
            }
        }

        /// The bill of the walk is that of its calls, one by one, by the pricing of recorded calls.
        #[test]
        fn the_walk_agrees_with_single_bills(
            prefix in 0u64..150_000, appended in 0u64..20_000, output in 0u64..3_000, m in 1u64..6, n in 1u64..20,
            room in prop::option::of(0u64..60_000),
        ) {
            let rate = Prices::embedded().find("claude-haiku-5-5").unwrap().rate;
            let compaction = room.map(|room| Compaction { at: prefix + room + 1, to: prefix + room / 2 });
            let shape = Shape { prefix, appended, output, work_calls: m, compaction, ..BARE };
            let w = go(&shape, (Regime::Stateful, Caching::Warm), "claude-haiku-5-5", n);
            let (mut sum, mut context, mut cached) = (Money::ZERO, prefix, 0u64);
            let mut call = |context: u64, cached: u64, output: u64| {
                let tokens = Tokens {
                    input_uncached: Some(0), cache_read: Some(cached), cache_write_5m: Some(context - cached), output: Some(output), ..Tokens::default()
                };
                sum += price_call(Some(rate), &tokens, 0).money.unwrap();
            };
            for _ in 0..n * m {
                if let Some(c) = compaction.filter(|c| context > c.at) {
                    call(context, cached, c.to - prefix);
                    (context, cached) = (c.to, 0);
                }
                call(context, cached, output);
                (context, cached) = (context + appended, context);
            }
            prop_assert_eq!(w.totals.money, Some(sum));
        }

        /// Nothing overflows or hangs, whatever the numbers; what is refused says why.
        #[test]
        fn absurd_numbers_are_refused(n in any::<[u64; 6]>(), iterations in any::<u64>(), at in any::<[u64; 2]>(), small in any::<bool>()) {
            let cut = |v: u64| if small { v % 2_000 } else { v };
            let [prefix, appended, output, disk_state, work_calls, reorient_calls] = n.map(cut);
            let compaction = small.then(|| Compaction { at: cut(at[0]) * 4, to: cut(at[1]) });
            let shape = Shape { prefix, appended, output, disk_state, work_calls, reorient_calls: reorient_calls % 10, compaction, children: None };
            let iterations = cut(iterations);
            match shape.check(iterations) {
                Err(e) => prop_assert!(!e.to_string().is_empty()),
                Ok(()) => {
                    let t = go(&shape, (Regime::Stateless, Caching::Warm), "claude-opus-4-6", iterations.min(50)).totals;
                    prop_assert_eq!(t.input, t.read + t.write);
                }
            }
        }
    }
}
