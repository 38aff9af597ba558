//! The textbook sums, exact in integers: no compaction, no sub-agents, no tiers.

use super::shape::{Caching, Children, Regime, Shape};

/// Input tokens of `calls` calls, the first with `first` tokens of context and each later one with `step` more:
/// `T*S + a*T(T-1)/2`.
#[must_use]
pub fn ramp(first: u64, step: u64, calls: u64) -> u128 {
    let (first, step, calls) = (u128::from(first), u128::from(step), u128::from(calls));
    // Half of an even product; the ranges of a shape keep it far from the type's limit.
    let pairs = calls.saturating_mul(calls.saturating_sub(1)) / 2;
    calls.saturating_mul(first).saturating_add(step.saturating_mul(pairs))
}

/// Tokens of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// All input, cached or not.
    pub input: u128,
    /// Of it, read from the cache.
    pub read: u128,
    /// Of it, written to the cache.
    pub write: u128,
    /// Output.
    pub output: u128,
}

/// Tokens of `iterations` iterations.
///
/// Stateful and warm, a call reads the context of the one before: read `(T-1)S + a(T-1)(T-2)/2`, write `S + a(T-1)`. Stateless
/// and warm, the prefix is read from the second iteration on and the state on disk is written each time. An expiry before
/// call j turns what that call would have read into a write.
#[must_use]
pub fn counts(shape: &Shape, regime: Regime, caching: Caching, iterations: u64) -> Counts {
    let n = u128::from(iterations);
    let calls = shape.calls(regime);
    let (input, warm, lost) = match regime {
        Regime::Stateful => {
            let all = iterations.saturating_mul(calls);
            let warm = ramp(shape.start(), shape.appended, all.saturating_sub(1));
            // The first call of iteration k + 1 would read the context of call k*m.
            let last = shape.start().saturating_add(shape.appended.saturating_mul(calls.saturating_sub(1)));
            let lost = ramp(last, shape.appended.saturating_mul(calls), iterations.saturating_sub(1));
            (ramp(shape.start(), shape.appended, all), warm, lost)
        }
        Regime::Stateless => {
            let one = ramp(shape.start(), shape.appended, calls.saturating_sub(1));
            let lost = u128::from(shape.prefix).saturating_mul(n.saturating_sub(1));
            (n.saturating_mul(ramp(shape.start(), shape.appended, calls)), n.saturating_mul(one).saturating_add(lost), lost)
        }
    };
    let read = match caching {
        Caching::None => 0,
        Caching::Warm => warm,
        Caching::Expiry => warm.saturating_sub(lost),
    };
    let write = if caching == Caching::None { 0 } else { input.saturating_sub(read) };
    Counts { input, read, write, output: n.saturating_mul(u128::from(calls)).saturating_mul(u128::from(shape.output)) }
}

/// The iteration at which one growing session has read as much input as fresh ones, without cache:
/// `[(m+e)(m+e-1) + 2e(S+F)/a + m] / m^2`. `None` where a call appends nothing: then a session never grows.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a position on a curve, not a sum")]
pub fn break_even(shape: &Shape) -> Option<f64> {
    let (m, e, a) = (shape.work_calls as f64, shape.reorient_calls as f64, shape.appended as f64);
    if shape.appended == 0 || shape.work_calls == 0 {
        return None;
    }
    let k = m + e;
    Some((k * (k - 1.0) + 2.0 * e * shape.start() as f64 / a + m) / (m * m))
}

/// The call that is the first above `threshold`: `floor((threshold - S)/a) + 2`. `None` where none is.
#[must_use]
pub fn first_above(first: u64, step: u64, threshold: u64) -> Option<u64> {
    match threshold.checked_sub(first) {
        None => Some(1),
        Some(room) => room.checked_div(step)?.checked_add(2),
    }
}

/// The most tokens that a shape can come to in any regime, for the check against overflow.
pub(super) fn most(shape: &Shape, iterations: u64) -> u128 {
    let calls = iterations.saturating_mul(shape.calls(Regime::Stateless));
    ramp(shape.start(), shape.appended, calls).saturating_add(u128::from(calls).saturating_mul(u128::from(shape.output)))
}

/// What sub-agents can add to it: their own calls, and what their parent reads again of their returns.
pub(super) fn most_of_children(shape: &Shape, c: &Children, iterations: u64) -> u128 {
    let runs = u128::from(iterations) * u128::from(c.count);
    let own = runs.saturating_mul(ramp(c.prefix, c.appended, c.calls) + u128::from(c.calls) * u128::from(c.output));
    let calls = u128::from(iterations) * u128::from(shape.calls(Regime::Stateless));
    own.saturating_add(runs.saturating_mul(u128::from(c.returned)).saturating_mul(calls))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape(prefix: u64, disk_state: u64, appended: u64, work_calls: u64, reorient_calls: u64) -> Shape {
        Shape { prefix, appended, output: 300, disk_state, work_calls, reorient_calls, compaction: None, children: None }
    }

    #[test]
    fn worked_by_hand() {
        // 5000 + 7000 + … + 23000.
        assert_eq!(ramp(5_000, 2_000, 10), 140_000);
        let s = shape(5_000, 0, 2_000, 1, 0);
        let warm = counts(&s, Regime::Stateful, Caching::Warm, 10);
        assert_eq!((warm.read, warm.write, warm.output), (117_000, 23_000, 3_000));
        // One call an iteration and a cache that is lost before each: all is written.
        let lost = counts(&s, Regime::Stateful, Caching::Expiry, 10);
        assert_eq!((lost.read, lost.write), (0, 140_000));
        // Two iterations of two calls, 5000 7000 | 9000 11000: the third call would have read 7000.
        let two = shape(5_000, 0, 2_000, 2, 0);
        assert_eq!(counts(&two, Regime::Stateful, Caching::Warm, 2).read, 5_000 + 7_000 + 9_000);
        assert_eq!(counts(&two, Regime::Stateful, Caching::Expiry, 2).read, 5_000 + 9_000);
    }

    #[test]
    fn break_even_of_the_worked_examples() {
        assert_eq!(break_even(&shape(15_000, 8_000, 2_000, 1, 0)), Some(1.0));
        // (16*15 + 8*23000/2000 + 12) / 144 = 344 / 144.
        let n = break_even(&shape(15_000, 8_000, 2_000, 12, 4)).unwrap();
        assert!((n - 344.0 / 144.0).abs() < 1e-12);
        assert_eq!(break_even(&shape(1, 1, 0, 12, 4)), None);
    }

    #[test]
    fn the_first_call_above() {
        // 190k, 195k, 200k, 205k.
        assert_eq!(first_above(190_000, 5_000, 200_000), Some(4));
        assert_eq!(first_above(200_001, 5_000, 200_000), Some(1));
        assert_eq!(first_above(100, 0, 200_000), None);
    }

    proptest! {
        /// Call by call, as a bill is written.
        #[test]
        fn the_sums_are_those_of_single_calls(
            prefix in 0u64..40_000, disk in 0u64..9_000, a in 0u64..5_000, m in 1u64..9, e in 0u64..5, n in 1u64..12,
        ) {
            let shape = shape(prefix, disk, a, m, e);
            for regime in Regime::ALL {
                for caching in Caching::ALL {
                    let (mut bill, mut context, mut cached) = (Counts::default(), prefix + disk, 0u64);
                    for i in 0..n {
                        match (regime, caching) {
                            (Regime::Stateless, _) => {
                                context = prefix + disk;
                                cached = if i > 0 && caching == Caching::Warm { prefix } else { 0 };
                            }
                            (Regime::Stateful, Caching::Expiry) => cached = 0,
                            _ => {}
                        }
                        for _ in 0..shape.calls(regime) {
                            bill.input += u128::from(context);
                            bill.output += 300;
                            if caching != Caching::None {
                                bill.read += u128::from(cached);
                                bill.write += u128::from(context - cached);
                            }
                            cached = context;
                            context += a;
                        }
                    }
                    prop_assert_eq!(counts(&shape, regime, caching, n), bill, "{:?} {:?}", regime, caching);
                }
            }
        }

        /// Up to the break-even a growing session reads no more than fresh ones, after it it reads more.
        #[test]
        fn break_even_by_brute_force(
            prefix in 0u64..40_000, disk in 0u64..9_000, a in 1u64..5_000, m in 1u64..9, e in 0u64..5, n in 1u64..200,
        ) {
            let shape = shape(prefix, disk, a, m, e);
            let even = break_even(&shape).unwrap();
            let of = |regime| counts(&shape, regime, Caching::None, n).input;
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let here = n as f64;
            if (here - even).abs() < 1e-9 {
                prop_assert_eq!(of(Regime::Stateful), of(Regime::Stateless));
            } else {
                prop_assert_eq!(of(Regime::Stateful) > of(Regime::Stateless), here > even);
            }
        }

        #[test]
        fn the_first_above_is_the_first(first in 0u64..300_000, step in 1u64..9_000, threshold in 0u64..400_000) {
            let n = first_above(first, step, threshold).unwrap();
            prop_assert!(first + step * (n - 1) > threshold);
            prop_assert!(n == 1 || first + step * (n - 2) <= threshold);
        }
    }
}
