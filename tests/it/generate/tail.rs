//! What is not an iteration's business: extra events, retries, and the end.

use super::calls::Call;
use super::dice::Dice;
use super::events::{Event, Value};
use super::infra::{self, Outage};
use super::knobs::Knobs;
use super::line::quoted;
use super::plan::{End, Plan, Silence, Stop};
use super::steps::Draft;
use super::volatile;
use super::wording::Shown;

/// Events that no reader knows, or that say nothing of the run's fate.
pub(super) fn push_extras(knobs: &Knobs, draft: &mut Draft, dice: &mut Dice) {
    if !knobs.extra_events || !dice.chance(0.3) {
        return;
    }
    // Not before the iteration's start, and not after what may end the run.
    let green = draft.last().is_some_and(|(_, event)| event.name == "green");
    let at = dice.between(1, draft.len() - usize::from(green));
    let (name, detail) = dice.pick_copy(&[
        ("metrics", "load 0.7, free 41%"),
        ("git_sync", "already up to date"),
        ("prompt_size", "5120"),
        ("hook", "pre-commit: \"skipped\""),
        ("note", "next: error handling, then docs"),
    ]);
    let event = Event::new(name, Some(detail.to_owned()));
    draft.insert(at, (0.02, event));
}

/// One retry of the agent's service.
pub(super) fn push_retry(attempt: usize, knobs: &Knobs, draft: &mut Draft, dice: &mut Dice) {
    let detail = volatile::fill(infra::draw(Outage::Api, dice), dice);
    let mut event = Event::new("retry", Some(detail));
    if knobs.extended {
        event = event.with("attempt", Value::Int(attempt as i64));
    }
    draft.push((dice.real(0.05, 0.2), event));
}

/// A call's arguments as a JSON object: order, description and time limit are
/// the caller's whim and make no other call of it.
pub(super) fn arguments(call: &Call, serial: usize, dice: &mut Dice) -> String {
    let mut parts: Vec<String> = call.args.iter().map(|(key, value)| format!("{}: {}", quoted(key, false), quoted(value, false))).collect();
    if dice.chance(0.25) {
        parts.push(format!("\"description\": \"attempt {serial}\""));
    }
    if dice.chance(0.2) {
        parts.push(format!("\"timeout\": {}", dice.pick_copy(&[60, 120, 300])));
    }
    dice.shuffle(&mut parts);
    format!("{{{}}}", parts.join(", "))
}

/// The record that ends the run, or the last that was seen of it.
pub(super) fn push_end(plan: &Plan, knobs: &Knobs, shown: &Shown, draft: &mut Draft, dice: &mut Dice) {
    match plan.end {
        End::Stop(stop) => {
            if let Some(event) = stop_event(stop, plan, knobs, shown, dice) {
                draft.push((0.05, event));
            }
            if knobs.faults.epilogue {
                let text = "removed 3 temporary files".to_owned();
                draft.push((0.05, Event::new("cleanup", Some(text))));
            }
        }
        End::Silence(Silence::Killed) => draft.extend(killed(dice)),
        End::Silence(_) | End::Fresh => {}
    }
}

fn stop_event(stop: Stop, plan: &Plan, knobs: &Knobs, shown: &Shown, dice: &mut Dice) -> Option<Event> {
    let n = plan.steps.len();
    let by = |event: Event, who: &str| {
        if knobs.extended { event.with("by", Value::Text(who.to_owned())) } else { event }
    };
    let event = match stop {
        // Said by the iteration itself.
        Stop::Green => return None,
        Stop::IterLimit => Event::new("iter_limit", Some(format!("stopped after {n}"))),
        Stop::Stuck => {
            let text = if dice.chance(0.5) { shown.first.clone() } else { "same failure 3 times".to_owned() };
            Event::new("stuck", Some(text))
        }
        Stop::RewardHack => {
            let file = dice.pick(&["tests/test_cart.py", "src/cart.test.ts", "tests/golden/out.json"]);
            Event::new("reward_hack", Some(format!("{file} changed, reverted")))
        }
        Stop::AbortedByPerson => {
            let text = dice.pick(&["interrupted by user", "SIGINT from the terminal", "stopped by hand (^C)"]);
            by(Event::new("abort", Some(text.to_owned())), "user")
        }
        Stop::AbortedByGuard => {
            let text = "circuit breaker open: API errors in a row";
            by(Event::new("abort", Some(text.to_owned())), "guard")
        }
    };
    Some(event)
}

/// The last that is known of a killed run.
fn killed(dice: &mut Dice) -> Draft {
    let code = dice.pick_copy(&[137, 124]);
    let text = if code == 137 { "Killed" } else { "timeout: sending signal TERM" };
    let detail = Some(text.to_owned());
    let exit = |event: Event| event.with("exit_code", Value::Int(code));
    match dice.between(0, 2) {
        0 => {
            let id = Value::Text("c99".to_owned());
            let call = Event::new("tool_call", None)
                .with("id", id.clone())
                .with("tool", Value::Text("Bash".to_owned()))
                .with("args", Value::Json(r#"{"command": "make bench"}"#.to_owned()));
            let result = Event::new("tool_result", detail).with("id", id).with("ok", Value::Flag(false));
            vec![(0.1, call), (0.4, exit(result))]
        }
        1 => {
            let check = Event::new("check", detail).with("check", Value::Text("tests".to_owned()));
            vec![(0.4, exit(check))]
        }
        _ => vec![(0.4, exit(Event::new("agent_exit", detail)))],
    }
}
