//! One function a class: what happens in such a run, and what is true of it.

mod dead;
mod ended;
mod healthy;
mod repeating;
mod wandering;

use super::Class;
use super::dice::Dice;
use super::plan::{End, Plan, Silence, Stop};

/// Draws a run of the class.
pub(super) fn draw(class: Class, dice: &mut Dice) -> Plan {
    match class {
        Class::QuickGreen => healthy::quick_green(dice),
        Class::SlowGreenWithGain => healthy::slow_green(dice),
        Class::ChurnGreen => healthy::churn_green(dice),
        Class::ChurnLimit => healthy::churn_limit(dice),
        Class::SingleLineShort => healthy::single_line_short(dice),
        Class::RecoveredStuck => healthy::recovered_stuck(dice),
        Class::RecoveredOscillation => healthy::recovered_oscillation(dice),
        Class::OneReturn => healthy::one_return(dice),
        Class::InfraHiccups => healthy::infra_hiccups(dice),
        Class::Running => healthy::running(dice),
        Class::StuckCheck => repeating::stuck_check(dice),
        Class::StuckOwn => repeating::stuck_own(dice),
        Class::StuckCall => repeating::stuck_call(dice),
        Class::Oscillation => repeating::oscillation(dice),
        Class::OscillationCalls => repeating::oscillation_calls(dice),
        Class::RandomWalkSingle => wandering::random_walk_single(dice),
        Class::RandomWalkCounts => wandering::random_walk_counts(dice),
        Class::RunawayCost => wandering::runaway_cost(dice),
        Class::RunawayLength => wandering::runaway_length(dice),
        Class::RunawayAfterGreen => wandering::runaway_after_green(dice),
        Class::SilentDeathStopped => dead::stopped(dice),
        Class::SilentDeathZombie => dead::zombie(dice),
        Class::SilentDeathApiOutage => dead::api_outage(dice),
        Class::SilentDeathKilled => dead::killed(dice),
        Class::RewardHackOwnGate => ended::reward_hack(dice),
        Class::BlockedInfra => ended::blocked_infra(dice),
        Class::LimitHitPlain => ended::limit_hit(dice),
        Class::Aborted => ended::aborted(dice),
    }
}

/// The cap, or death: how a run ends that nobody stops.
///
/// A dead run's last iteration is cut, so it must be one more than the class
/// needs: the flag says so.
fn cap_or_death(dice: &mut Dice) -> (End, &'static [&'static str], usize) {
    if dice.chance(0.65) { (End::Stop(Stop::IterLimit), &["limit_hit"], 0) } else { (End::Silence(Silence::Anywhere), &["died"], 1) }
}
