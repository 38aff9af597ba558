//! Runs without a mode: green, capped with gain, or still going.

use super::super::Truth;
use super::super::dice::Dice;
use super::super::failure::Pool;
use super::super::infra::{self, Outage};
use super::super::plan::{End, Money, Plan, Step, Stop};
use super::super::progress::{Known, lines, reds};

fn green_truth() -> Truth {
    Truth { endings: &["succeeded"], ..Truth::default() }
}

fn to_green(mut steps: Vec<Step>) -> Plan {
    steps.push(Step::green());
    Plan::new(steps, End::Stop(Stop::Green), green_truth())
}

pub(super) fn quick_green(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(0, 2);
    let mut plan = to_green(reds(n, Known::Line, 0, &mut pool, dice));
    plan.needs.commits = true;
    plan
}

pub(super) fn slow_green(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(8, 16);
    let known = dice.pick_copy(&[Known::Count, Known::Count, Known::Set]);
    let mut steps = reds(n, known, 3, &mut pool, dice);
    if dice.chance(0.12) {
        let at = dice.between(2, n - 1);
        steps[at].resumed = true;
    }
    let mut plan = to_green(steps);
    plan.needs.commits = true;
    plan
}

pub(super) fn churn_green(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(9, 17);
    let known = dice.pick_copy(&[Known::Count, Known::Set]);
    to_green(reds(n, known, 4, &mut pool, dice))
}

pub(super) fn churn_limit(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(8, 17);
    let known = dice.pick_copy(&[Known::Count, Known::Set]);
    let steps = reds(n, known, 4, &mut pool, dice);
    let truth = Truth { endings: &["limit_hit"], ..Truth::default() };
    let mut plan = Plan::new(steps, End::Stop(Stop::IterLimit), truth);
    if dice.chance(0.3) {
        // Dear, but a budget says that it may be: the default of 3 USD is only
        // for runs whose budget nobody knows.
        plan.needs.money = Money::About(dice.real(4.5, 9.0));
        plan.needs.budget_usd = Some(dice.pick_copy(&[20.0, 25.0, 40.0]));
    }
    plan
}

pub(super) fn single_line_short(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(2, 8);
    to_green(reds(n, Known::Line, 0, &mut pool, dice))
}

/// A lead, an episode, what follows, green; nothing comes inside the episode.
fn overcome(lead: usize, episode: Vec<Step>, after: usize, pool: &mut Pool, dice: &mut Dice) -> Plan {
    let length = episode.len();
    let mut steps: Vec<Step> = pool.several(lead, dice).iter().map(Step::red).collect();
    steps.extend(episode);
    steps.extend(pool.several(after, dice).iter().map(Step::red));
    if dice.chance(0.35) {
        // The number falls before the episode, stands still in it, and falls
        // again after it.
        for (at, step) in steps.iter_mut().enumerate() {
            let fallen = at.min(lead) + (at + 1).saturating_sub(lead + length);
            step.count = Some(lead + after + 3 - fallen);
        }
    }
    let mut plan = to_green(steps);
    plan.keep = lead..lead + length;
    plan
}

pub(super) fn recovered_stuck(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let failure = pool.fresh(dice);
    let episode = vec![Step::red(&failure); dice.between(4, 8)];
    let (lead, after) = (dice.between(0, 3), dice.between(0, 5));
    let mut plan = overcome(lead, episode, after, &mut pool, dice);
    plan.truth.recovered = Some("stuck");
    plan
}

pub(super) fn recovered_oscillation(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let period = dice.between(2, 4);
    let length = dice.between(2 * period + 2, 4 * period);
    let ring = pool.several(period, dice);
    let episode = ring.iter().cycle().take(length).map(Step::red).collect();
    let (lead, after) = (dice.between(0, 3), dice.between(0, 5));
    let mut plan = overcome(lead, episode, after, &mut pool, dice);
    plan.truth.recovered = Some("oscillation");
    plan
}

pub(super) fn one_return(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let mut failures = Vec::new();
    // Eight reds at most: from ten on a row of single lines can be a walk.
    let returns = dice.between(1, 2);
    for _ in 0..returns {
        let pair = pool.several(2, dice);
        failures.extend([pair[0].clone(), pair[1].clone(), pair[0].clone()]);
        let new = dice.between(1, 4 / returns - 1);
        failures.extend(pool.several(new, dice));
    }
    let mut steps: Vec<Step> = failures.iter().map(Step::red).collect();
    if dice.chance(0.4) {
        let all = steps.len();
        for (at, step) in steps.iter_mut().enumerate() {
            step.count = Some(all + 3 - at);
        }
    }
    to_green(steps)
}

pub(super) fn infra_hiccups(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(1, 6);
    let mut steps: Vec<Step> = lines(n, &mut pool, dice).iter().map(Step::red).collect();
    let stretches = dice.between(1, 2);
    for _ in 0..stretches {
        let kind = dice.pick_copy(&[Outage::Api, Outage::Check]);
        let template = infra::draw(kind, dice);
        // A long one looks stuck: equal lines in a row that say nothing of the code.
        let length = if dice.chance(0.3) { dice.between(4, 6) } else { dice.between(1, 2) };
        let at = dice.between(0, steps.len());
        let outage = vec![Step::outage(kind, template); length];
        steps.splice(at..at, outage);
    }
    let mut plan = to_green(steps);
    // It has outages enough.
    plan.keep = 0..plan.steps.len();
    plan
}

pub(super) fn running(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(1, 8);
    let known = dice.pick_copy(&[Known::Line, Known::Line, Known::Count]);
    let steps = reds(n, known, 3, &mut pool, dice);
    let truth = Truth { endings: &["running"], ..Truth::default() };
    Plan::new(steps, End::Fresh, truth)
}
