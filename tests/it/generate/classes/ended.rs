//! Runs that something stopped: the loop's own gate, a guard, the cap, a person.

use super::super::Truth;
use super::super::dice::Dice;
use super::super::failure::Pool;
use super::super::infra::{self, Outage};
use super::super::plan::{End, Plan, Step, Stop};
use super::super::progress::{Known, reds};

/// Two to seven reds that hold no mode: few lines, or falling counts.
fn harmless(dice: &mut Dice) -> Vec<Step> {
    let mut pool = Pool::new(dice);
    if dice.chance(0.5) {
        let n = dice.between(2, 4);
        reds(n, Known::Line, 0, &mut pool, dice)
    } else {
        let n = dice.between(3, 8);
        reds(n, Known::Count, 2, &mut pool, dice)
    }
}

pub(super) fn reward_hack(dice: &mut Dice) -> Plan {
    let steps = if dice.chance(0.3) {
        // It cheated because it was stuck.
        let mut pool = Pool::new(dice);
        let failure = pool.fresh(dice);
        vec![Step::red(&failure); dice.between(2, 7)]
    } else {
        harmless(dice)
    };
    let truth = Truth { mode: Some("reward_hack"), variants: &["own_gate"], endings: &["risk_boundary"], ..Truth::default() };
    Plan::new(steps, End::Stop(Stop::RewardHack), truth)
}

pub(super) fn blocked_infra(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let before = dice.between(0, 3);
    let failures = pool.several(before, dice);
    let mut steps: Vec<Step> = failures.iter().map(Step::red).collect();
    let template = infra::draw(Outage::Api, dice);
    let length = dice.between(4, 9);
    for _ in 0..length {
        let mut step = Step::outage(Outage::Api, template);
        step.seconds = Some(dice.real(1.0, 4.5));
        steps.push(step);
    }
    let (stop, endings, also_mode): (Stop, &[&str], _) = match dice.between(0, 3) {
        // The loop calls it stuck; the rules call it blocked, and leave open
        // whether the loop's own word still makes it the mode.
        0 | 1 => (Stop::Stuck, &["blocked"], Some("stuck")),
        2 => (Stop::AbortedByGuard, &["blocked"], None),
        // A cap is named before a block, but the rule for blocks looks through names.
        _ => (Stop::IterLimit, &["blocked", "limit_hit"], None),
    };
    let truth = Truth { also_mode, endings, ..Truth::default() };
    Plan::new(steps, End::Stop(stop), truth).keep_from(before)
}

pub(super) fn limit_hit(dice: &mut Dice) -> Plan {
    let truth = Truth { endings: &["limit_hit"], ..Truth::default() };
    Plan::new(harmless(dice), End::Stop(Stop::IterLimit), truth)
}

pub(super) fn aborted(dice: &mut Dice) -> Plan {
    let truth = Truth { endings: &["aborted"], ..Truth::default() };
    Plan::new(harmless(dice), End::Stop(Stop::AbortedByPerson), truth)
}
