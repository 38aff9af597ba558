//! Runs that died without a word, after iterations that show no other mode.

use super::super::Truth;
use super::super::dice::Dice;
use super::super::failure::Pool;
use super::super::infra::{self, Outage};
use super::super::plan::{End, Plan, Silence, Step};
use super::super::progress::{Known, reds};

fn dies(how: Silence, variants: &'static [&'static str], dice: &mut Dice) -> Plan {
    let mut pool = Pool::new(dice);
    let n = dice.between(1, 8);
    let known = dice.pick_copy(&[Known::Line, Known::Line, Known::Count]);
    let steps = reds(n, known, 3, &mut pool, dice);
    let truth = Truth { mode: Some("silent_death"), variants, endings: &["died"], ..Truth::default() };
    // An outage near the end would be another way to die.
    let near_the_end = steps.len().saturating_sub(3);
    Plan::new(steps, End::Silence(how), truth).keep_from(near_the_end)
}

pub(super) fn stopped(dice: &mut Dice) -> Plan {
    dies(Silence::Anywhere, &["stopped"], dice)
}

pub(super) fn zombie(dice: &mut Dice) -> Plan {
    dies(Silence::Zombie, &["zombie"], dice)
}

pub(super) fn killed(dice: &mut Dice) -> Plan {
    let mut plan = dies(Silence::Killed, &["killed"], dice);
    plan.needs.extended = true;
    plan
}

pub(super) fn api_outage(dice: &mut Dice) -> Plan {
    let mut plan = dies(Silence::Retries, &["api_outage"], dice);
    let from = plan.steps.len();
    if dice.chance(0.5) {
        // The loop goes round, and each agent call fails.
        let template = infra::draw(Outage::Api, dice);
        let length = dice.between(3, 7);
        for _ in 0..length {
            let mut step = Step::outage(Outage::Api, template);
            step.seconds = Some(dice.real(2.0, 30.0));
            plan.steps.push(step);
        }
    } else if let Some(last) = plan.steps.last_mut() {
        // The client retries inside one call.
        last.retries = dice.between(3, 8);
    }
    let from = from.min(plan.steps.len() - 1);
    plan.keep_from(from)
}
