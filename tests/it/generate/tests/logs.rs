//! What the noise must leave alone.

use super::super::dice::Dice;
use super::super::events::{Log, lay_out};
use super::super::knobs::{Knobs, Spend};
use super::super::plan::{End, Plan, Silence};
use super::super::{AS_OF, Class, case, drawn_plan, mixed};
use super::json;

const SEEDS: u64 = 50;

fn each(class: Class, test: impl Fn(&Plan, &Knobs, &Log)) {
    for seed in 0..SEEDS {
        let mut dice = Dice::new(mixed(class, seed));
        let plan = drawn_plan(class, &mut dice);
        let knobs = Knobs::draw(&plan, &mut dice);
        let log = lay_out(&plan, &knobs, &mut dice);
        test(&plan, &knobs, &log);
    }
}

#[test]
fn time_never_runs_backwards_and_never_past_the_observation() {
    for &class in Class::ALL {
        each(class, |_, _, log| {
            assert!(log.events.windows(2).all(|pair| pair[0].at <= pair[1].at));
            assert!(log.events.windows(2).all(|pair| pair[0].iter <= pair[1].iter));
            assert!(log.last_at() < AS_OF * 1000);
        });
    }
}

#[test]
fn finished_runs_say_so_and_others_do_not() {
    const TERMINAL: &[&str] = &["green", "iter_limit", "stuck", "reward_hack", "abort", "handoff"];
    for &class in Class::ALL {
        each(class, |plan, _, log| {
            let last = log.events.iter().rfind(|event| event.name != "cleanup");
            let ended = last.is_some_and(|event| TERMINAL.contains(&event.name));
            assert_eq!(ended, matches!(plan.end, End::Stop(_)), "{}", class.name());
            let anywhere = log.events.iter().any(|event| TERMINAL.contains(&event.name));
            assert_eq!(anywhere, ended);
        });
    }
}

#[test]
fn silence_is_long_and_a_running_log_is_fresh() {
    for &class in Class::ALL {
        each(class, |plan, _, log| {
            let age = AS_OF - log.last_at().div_euclid(1000);
            match plan.end {
                End::Silence(Silence::Zombie) => assert!(age >= 2000),
                End::Silence(_) => assert!(age >= 1500),
                End::Fresh => assert!(age <= 1500),
                End::Stop(_) => assert!(age >= 59),
            }
        });
    }
}

#[test]
fn a_zombie_beats_long_after_its_last_event() {
    for seed in 0..SEEDS {
        let case = case(Class::SilentDeathZombie, seed);
        let beats = case.files.iter().find(|(name, _)| name.contains("heartbeat"));
        let text = String::from_utf8_lossy(&beats.map(|(_, bytes)| bytes.clone()).unwrap_or_default()).into_owned();
        let last = text.lines().last().unwrap_or_default().to_owned();
        let digits: String = last.chars().rev().skip_while(|c| !c.is_ascii_digit()).take(10).collect();
        let ts: i64 = digits.chars().rev().collect::<String>().parse().unwrap_or(0);
        let mut dice = Dice::new(mixed(Class::SilentDeathZombie, seed));
        let plan = drawn_plan(Class::SilentDeathZombie, &mut dice);
        let knobs = Knobs::draw(&plan, &mut dice);
        let log = lay_out(&plan, &knobs, &mut dice);
        assert!(ts - log.last_at() / 1000 > 1500, "seed {seed}: {last}");
        assert!(ts <= AS_OF);
    }
}

#[test]
fn the_log_knows_what_a_runaway_cost() {
    each(Class::RunawayCost, |plan, knobs, log| {
        assert_ne!(knobs.spend, Spend::Nowhere);
        if let Some(spent) = log.spent() {
            let limit = plan.needs.budget_usd.unwrap_or(3.0);
            assert!(spent > 1.3 * limit, "{spent} of {limit}");
        } else {
            assert_eq!(knobs.spend, Spend::TokensOnly);
        }
    });
    each(Class::ChurnLimit, |plan, _, log| {
        let limit = plan.needs.budget_usd.unwrap_or(3.0);
        assert!(log.spent().is_none_or(|spent| spent < 0.6 * limit));
    });
}

#[test]
fn no_placeholder_is_left_and_nothing_is_empty() {
    for &class in Class::ALL {
        for seed in 0..SEEDS {
            let case = case(class, seed);
            for (name, bytes) in &case.files {
                assert!(!bytes.is_empty(), "{} {name}", case.name);
                assert!(!String::from_utf8_lossy(bytes).contains('«'), "{} {name}", case.name);
            }
            assert!(case.files[0].0.contains("loop_log"));
        }
    }
}

#[test]
fn most_lines_are_json_and_raw_details_break_some() {
    let (mut lines, mut good) = (0, 0);
    for &class in Class::ALL {
        for seed in 0..25 {
            let case = case(class, seed);
            let text = String::from_utf8_lossy(&case.files[0].1).into_owned();
            for line in text.trim_start_matches('\u{feff}').lines() {
                lines += 1;
                good += usize::from(json::is_object(line));
            }
        }
    }
    let share = f64::from(good as u32) / f64::from(lines as u32);
    assert!((0.90..0.995).contains(&share), "{good} of {lines} lines are JSON");
}

#[test]
fn a_logger_that_escapes_writes_nothing_but_json() {
    let mut seen = 0;
    for &class in Class::ALL {
        for seed in 0..25 {
            let mut dice = Dice::new(mixed(class, seed));
            let plan = drawn_plan(class, &mut dice);
            let knobs = Knobs::draw(&plan, &mut dice);
            let faults = &knobs.faults;
            if knobs.raw_details || faults.garbage || faults.torn_tail || faults.bom || faults.latin1 {
                continue;
            }
            let case = case(class, seed);
            let text = String::from_utf8_lossy(&case.files[0].1).into_owned();
            for line in text.split('\n').map(|line| line.trim_end_matches('\r')).filter(|line| !line.is_empty()) {
                assert!(json::is_object(line), "{}: {line}", case.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 5_000);
}
