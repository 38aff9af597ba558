//! Runs that go on without an end: random walk and runaway.

use super::super::Truth;
use super::super::dice::Dice;
use super::super::failure::Pool;
use super::super::plan::{End, Money, Needs, Plan, Step, Stop};
use super::super::progress::{Known, reds};
use super::cap_or_death;

/// Nearly all different; at most one comes back, and not at once.
fn wander(n: usize, pool: &mut Pool, dice: &mut Dice) -> Vec<Step> {
    let mut failures = pool.several(n, dice);
    if n >= 12 && dice.chance(0.4) {
        let to = dice.between(4, n - 1);
        let from = dice.between(0, to - 4);
        failures[to] = failures[from].clone();
    }
    failures.iter().map(Step::red).collect()
}

pub(super) fn random_walk_single(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let (end, endings, spare) = cap_or_death(dice);
    let n = dice.between(11, 18) + spare;
    let truth = Truth { mode: Some("random_walk"), endings, ..Truth::default() };
    Plan::new(wander(n, &mut pool, dice), end, truth).keep_from(0)
}

pub(super) fn random_walk_counts(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let (end, endings, spare) = cap_or_death(dice);
    // A death may leave one red without a count; ten are enough even so.
    let n = dice.between(8 + 2 * spare, 16) + spare;
    let mut steps = wander(n, &mut pool, dice);
    for (step, count) in steps.iter_mut().zip(flat_or_rising(n, dice)) {
        step.count = Some(count);
    }
    let truth = Truth { mode: Some("random_walk"), endings, ..Truth::default() };
    Plan::new(steps, end, truth).keep_from(0)
}

/// Counts that never beat the first one and do not fall on the whole.
///
/// Some bounce, so that each second iteration is better than the one before it:
/// better than the last is no gain, better than the best is.
fn flat_or_rising(n: usize, dice: &mut Dice) -> Vec<usize> {
    let best = dice.between(3, 15);
    match dice.between(0, 2) {
        0 => vec![best; n],
        1 => (0..n).map(|at| best + at / 4 + at % 2).collect(),
        _ => (0..n)
            .map(|at| {
                let bounce = if at % 2 == 1 { dice.between(0, 2) } else { 0 };
                best + at / 2 + bounce
            })
            .collect(),
    }
}

pub(super) fn runaway_cost(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(12, 20);
    let known = dice.pick_copy(&[Known::Count, Known::Set]);
    let steps = reds(n, known, 3, &mut pool, dice);
    let (end, endings, _) = cap_or_death(dice);
    let mut truth = Truth { mode: Some("runaway"), endings, ..Truth::default() };
    let (budget_usd, cost) = if dice.chance(0.5) {
        truth.findings.push("budget_overrun");
        let budget = dice.pick_copy(&[1.0, 1.5, 2.0, 5.0]);
        (Some(budget), budget * dice.real(1.6, 2.6))
    } else {
        (None, dice.real(5.0, 14.0))
    };
    let mut plan = Plan::new(steps, end, truth);
    plan.needs = Needs { extended: true, money: Money::About(cost), budget_usd, ..Needs::default() };
    plan
}

pub(super) fn runaway_length(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(24, 34);
    let steps = reds(n, Known::Count, 3, &mut pool, dice);
    let (end, endings, _) = cap_or_death(dice);
    let truth = Truth { mode: Some("runaway"), endings, ..Truth::default() };
    let mut plan = Plan::new(steps, end, truth);
    plan.needs.money = Money::Unknown;
    plan
}

pub(super) fn runaway_after_green(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(0, 6);
    let mut steps = reds(n, Known::Line, 0, &mut pool, dice);
    // The first green, and those that nobody needed.
    let greens = 1 + dice.between(5, 12);
    steps.extend(vec![Step::green(); greens]);
    let each_time = dice.chance(0.5);
    let stop = if each_time || dice.chance(0.3) { Stop::Green } else { Stop::IterLimit };
    let truth = Truth {
        mode: Some("runaway"),
        variants: &["after_done"],
        // The cap is recorded, and the check was green all the same.
        endings: if stop == Stop::Green { &["succeeded"] } else { &["succeeded", "limit_hit"] },
        ..Truth::default()
    };
    let mut plan = Plan::new(steps, End::Stop(stop), truth).keep_from(n);
    plan.needs = Needs { extended: true, checks: true, green_each_time: each_time, ..Needs::default() };
    plan
}
