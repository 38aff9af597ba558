//! Each class is what it says, by the rules, with a margin.

use super::super::dice::Dice;
use super::super::oracle::{cycles, cycles_at, equal_row, ever_walks, last_row, longest_equal, passed_over, trend, walks};
use super::super::plan::{Colour, Money, Plan};
use super::super::{Class, drawn_plan, mixed};

const SEEDS: u64 = 200;

fn each(class: Class, test: impl Fn(&Plan)) {
    for seed in 0..SEEDS {
        test(&drawn_plan(class, &mut Dice::new(mixed(class, seed))));
    }
}

/// No mode by content, not even one that was overcome.
fn calm(plan: &Plan) {
    let reds = passed_over(plan);
    assert!(longest_equal(&reds) <= 2);
    assert!(!cycles(&reds));
    assert!(!ever_walks(&reds), "{:?}", plan.steps);
}

#[test]
fn runs_without_a_mode_hold_none() {
    use Class::*;
    for class in [
        QuickGreen,
        SlowGreenWithGain,
        ChurnGreen,
        ChurnLimit,
        SingleLineShort,
        OneReturn,
        InfraHiccups,
        Running,
        SilentDeathStopped,
        SilentDeathZombie,
        SilentDeathApiOutage,
        SilentDeathKilled,
        BlockedInfra,
        LimitHitPlain,
        Aborted,
    ] {
        each(class, |plan| {
            calm(plan);
            let reds = passed_over(plan).len();
            let green = plan.steps.iter().any(|step| matches!(step.colour, Colour::Green));
            let allowed = plan.needs.budget_usd.is_some();
            assert!(green || reds <= 17 && (plan.needs.money == Money::Little || allowed));
        });
    }
}

#[test]
fn an_overcome_episode_is_there_and_is_overcome() {
    each(Class::RecoveredStuck, |plan| {
        assert!(longest_equal(&passed_over(plan)) >= 4);
        assert!(!cycles(&passed_over(plan)));
        assert!(matches!(plan.steps.last().map(|step| &step.colour), Some(Colour::Green)));
    });
    each(Class::RecoveredOscillation, |plan| {
        assert!(cycles(&passed_over(plan)));
        assert!(longest_equal(&passed_over(plan)) <= 1);
    });
}

#[test]
fn stuck_runs_are_stuck_at_their_end() {
    each(Class::StuckCheck, |plan| {
        for reds in [passed_over(plan), last_row(plan)] {
            assert!(equal_row(&reds, reds.len()) >= 4);
            assert!(!cycles(&reds));
        }
    });
    each(Class::StuckOwn, |plan| {
        let reds = last_row(plan);
        assert_eq!(equal_row(&reds, reds.len()), 3);
        assert!(!cycles(&reds));
    });
}

#[test]
fn call_classes_are_calm_but_for_their_calls() {
    each(Class::StuckCall, |plan| {
        calm(plan);
        let calls = plan.steps.last().map_or(0, |step| step.calls.len());
        assert!(calls >= 5);
    });
    each(Class::OscillationCalls, |plan| {
        calm(plan);
        let calls = plan.steps.last().map_or(0, |step| step.calls.len());
        assert!(calls >= 8);
    });
}

#[test]
fn oscillating_runs_cycle_at_their_end_and_are_not_stuck() {
    each(Class::Oscillation, |plan| {
        for reds in [passed_over(plan), last_row(plan)] {
            assert!(cycles_at(&reds, reds.len()));
            assert!(longest_equal(&reds) <= 2);
            // A margin of one beyond the second return.
            assert!(cycles_at(&reds, reds.len() - 1));
        }
    });
}

#[test]
fn walks_walk_and_gain_nothing() {
    each(Class::RandomWalkSingle, |plan| {
        for reds in [passed_over(plan), last_row(plan)] {
            assert!(reds.len() >= 11 && walks(&reds));
            assert!(longest_equal(&reds) <= 2 && !cycles(&reds));
        }
    });
    each(Class::RandomWalkCounts, |plan| {
        for reds in [passed_over(plan), last_row(plan)] {
            assert!(reds.len() >= 8 && walks(&reds));
            for end in [reds.len() - 1, reds.len()] {
                assert!(trend(&reds[..end]) >= 0 && trend(&reds[end - 6..end]) >= 0);
            }
            assert!(longest_equal(&reds) <= 2 && !cycles(&reds));
        }
    });
}

#[test]
fn runaways_gain_and_cost_too_much() {
    each(Class::RunawayCost, |plan| {
        calm(plan);
        assert!(passed_over(plan).len() >= 12);
        let limit = plan.needs.budget_usd.unwrap_or(3.0);
        assert!(matches!(plan.needs.money, Money::About(usd) if usd > 1.55 * limit));
    });
    each(Class::RunawayLength, |plan| {
        calm(plan);
        assert!(passed_over(plan).len() >= 24);
        assert_eq!(plan.needs.money, Money::Unknown);
    });
    each(Class::RunawayAfterGreen, |plan| {
        calm(plan);
        let first = plan.steps.iter().position(|step| matches!(step.colour, Colour::Green));
        let after = &plan.steps[first.unwrap_or(plan.steps.len())..];
        assert!(after.len() >= 6);
        assert!(after.iter().all(|step| matches!(step.colour, Colour::Green)));
    });
}
