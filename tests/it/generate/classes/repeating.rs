//! Runs that do the same again: stuck and oscillation.

use super::super::Truth;
use super::super::calls::{Call, Toolbox};
use super::super::dice::Dice;
use super::super::failure::Pool;
use super::super::plan::{End, Plan, Silence, Step, Stop};
use super::super::progress::{Known, lines, reds};
use super::cap_or_death;

pub(super) fn stuck_check(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let before = dice.between(0, 6);
    let mut steps: Vec<Step> = lines(before, &mut pool, dice).iter().map(Step::red).collect();
    let lead = steps.len();
    let repeats = dice.between(4, 12);
    let (end, endings, spare) =
        if dice.chance(0.4) { (End::Stop(Stop::Stuck), ["non_convergent"].as_slice(), 0) } else { cap_or_death(dice) };
    let failure = pool.fresh(dice);
    steps.extend(vec![Step::red(&failure); repeats + spare]);
    if dice.chance(0.3) {
        // Known, and it does not fall: that would be gain behind an equal line.
        let total = dice.between(3, 30);
        let rises = dice.chance(0.3);
        for (at, step) in steps.iter_mut().enumerate() {
            let more = if rises { at.saturating_sub(lead) } else { 0 };
            step.count = Some(total + more);
        }
    }
    let variants: &[&str] = if end == End::Stop(Stop::Stuck) { &["check", "own"] } else { &["check"] };
    let truth = Truth { mode: Some("stuck"), variants, endings, ..Truth::default() };
    Plan::new(steps, end, truth).keep_from(lead)
}

pub(super) fn stuck_own(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let before = dice.between(0, 4);
    let mut steps: Vec<Step> = lines(before, &mut pool, dice).iter().map(Step::red).collect();
    let lead = steps.len();
    let failure = pool.fresh(dice);
    steps.extend(vec![Step::red(&failure); 3]);
    let truth = Truth { mode: Some("stuck"), variants: &["own", "check"], endings: &["non_convergent"], ..Truth::default() };
    Plan::new(steps, End::Stop(Stop::Stuck), truth).keep_from(lead)
}

/// A few iterations with gain, the last of which ends in the given calls.
fn ends_in_calls(calls: Vec<Call>, mode: &'static str, variants: &'static [&'static str], dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(1, 4);
    let known = dice.pick_copy(&[Known::Line, Known::Count]);
    let mut steps = reds(n, known, 1, &mut pool, dice);
    let last = steps.len() - 1;
    steps[last].calls = calls;
    let (end, endings): (End, &[&str]) =
        if dice.chance(0.6) { (End::Stop(Stop::IterLimit), &["limit_hit"]) } else { (End::Silence(Silence::AfterCalls), &["died"]) };
    let truth = Truth { mode: Some(mode), variants, endings, ..Truth::default() };
    let mut plan = Plan::new(steps, end, truth).keep_from(last);
    plan.needs.extended = true;
    plan
}

pub(super) fn stuck_call(dice: &mut Dice) -> Plan {
    let mut tools = Toolbox::new(dice);
    let n = dice.between(5, 12);
    match dice.between(0, 9) {
        0..=5 => ends_in_calls(tools.repeated(n, dice), "stuck", &["call"], dice),
        6..=8 => ends_in_calls(tools.same_error(n, dice), "stuck", &["call"], dice),
        _ => {
            let polls = dice.between(24, 40);
            ends_in_calls(tools.dead_poll(polls), "stuck", &["poll", "call"], dice)
        }
    }
}

pub(super) fn oscillation(dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let lead = dice.between(0, 3);
    let mut steps: Vec<Step> = pool.several(lead, dice).iter().map(Step::red).collect();
    let period = dice.between(2, 4);
    let (end, endings, spare) = cap_or_death(dice);
    let length = dice.between(2 * period + 2, 5 * period) + spare;
    let ring = pool.several(period, dice);
    steps.extend(ring.iter().cycle().take(length).map(Step::red));
    if dice.chance(0.35) {
        // 5, 6, 5, 6 gains nothing.
        let base = dice.between(3, 20);
        for (at, step) in steps.iter_mut().enumerate() {
            step.count = Some(base + at.saturating_sub(lead) % period);
        }
    }
    let truth = Truth { mode: Some("oscillation"), variants: &["signature"], endings, ..Truth::default() };
    Plan::new(steps, end, truth).keep_from(lead)
}

pub(super) fn oscillation_calls(dice: &mut Dice) -> Plan {
    let mut tools = Toolbox::new(dice);
    let rounds = dice.between(4, 7);
    let calls = tools.cycle(rounds, dice);
    ends_in_calls(calls, "oscillation", &["call"], dice)
}
