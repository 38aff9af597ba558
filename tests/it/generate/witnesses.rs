//! Heartbeat, state, status and budget: all of them agree with the log.

use super::AS_OF;
use super::dice::Dice;
use super::events::Log;
use super::knobs::{Beat, Knobs};
use super::line::quoted;
use super::plan::{Colour, End, Plan, Silence, Step};

type File = (String, Vec<u8>);

/// The heartbeat file, if there is one.
pub(super) fn heartbeat(plan: &Plan, knobs: &Knobs, log: &Log, dice: &mut Dice) -> Option<File> {
    let beats = if plan.end == End::Silence(Silence::Zombie) {
        steady_beats(log, dice)
    } else {
        log.starts.iter().map(|&(iter, at)| (iter, at.div_euclid(1000))).collect()
    };
    let json = matches!(knobs.beat, Beat::LastJson | Beat::AppendedJson);
    let line = |&(iter, ts): &(usize, i64)| {
        if json { format!("{{\"iter\": {iter}, \"ts\": {ts}}}\n") } else { format!("iter={iter} ts={ts}\n") }
    };
    let text = match knobs.beat {
        Beat::Absent => return None,
        Beat::Last | Beat::LastJson => beats.last().map(line)?,
        Beat::Appended | Beat::AppendedJson => beats.iter().map(line).collect(),
    };
    let name = if json {
        dice.pick(&["heartbeat.json", ".loop_heartbeat.json"])
    } else {
        dice.pick(&[".loop_heartbeat", "heartbeat", ".heartbeat", "heartbeat.txt"])
    };
    Some((name.to_owned(), text.into_bytes()))
}

/// Beats of a process of its own, which does not notice that the loop hangs.
fn steady_beats(log: &Log, dice: &mut Dice) -> Vec<(usize, i64)> {
    let first = log.starts.first().map_or(0, |&(_, at)| at.div_euclid(1000));
    let silent_since = log.last_at().div_euclid(1000);
    // It goes on to now, or until somebody at last killed it too.
    let silence = (AS_OF - silent_since) as f64;
    let last = AS_OF - (silence * dice.real(0.0, 0.3)) as i64;
    let every = dice.pick_copy(&[10, 15, 20, 30, 60]).max((last - first) / 1500);
    let mut beats = Vec::new();
    let mut at = first;
    while at <= last {
        let iter = log.starts.iter().rev().find(|&&(_, start)| start.div_euclid(1000) <= at);
        beats.push((iter.map_or(1, |&(iter, _)| iter), at));
        at += every + dice.span(0, 1);
    }
    beats
}

/// The loop's own state, if it keeps one.
pub(super) fn state(plan: &Plan, knobs: &Knobs, log: &Log, dice: &mut Dice) -> Option<File> {
    if !knobs.state_file {
        return None;
    }
    let last_step = plan.steps.last();
    let green = last_step.is_some_and(|step| matches!(step.colour, Colour::Green));
    let phase = if green { "done" } else { "fix" };
    let open = match last_step.and_then(Step::failure) {
        Some(failure) if !green => quoted(&failure.key, false),
        _ => String::new(),
    };
    let mut fields = vec![
        format!("\"phase\": \"{phase}\""),
        format!("\"iteration\": {}", log.starts.len()),
        "\"last_green_commit\": null".to_owned(),
        "\"blocked_paths\": [\"infra/\"]".to_owned(),
        format!("\"open_failures\": [{open}]"),
    ];
    if let Some(usd) = log.spent() {
        fields.push(format!("\"budget_spent_usd\": {usd:.4}"));
    }
    let text = format!("{{\n  {}\n}}\n", fields.join(",\n  "));
    let name = dice.pick(&[".loop_state.json", "loop_state.json"]);
    Some((name.to_owned(), text.into_bytes()))
}

/// A page for people, which no logic may read.
pub(super) fn status(knobs: &Knobs) -> Option<File> {
    let text = "# Status\n\n## Done\n- everything is green, promised\n\n## In progress\n- the rest\n\n## Next\n- docs\n\n## Never\n- touch infra/\n";
    knobs.status_file.then(|| ("STATUS.md".to_owned(), text.as_bytes().to_vec()))
}

/// The budget: the class's own, or now and then one that nothing comes near.
pub(super) fn budget(plan: &Plan, dice: &mut Dice) -> Option<File> {
    let limits: Vec<(&str, String)> = match plan.needs.budget_usd {
        Some(usd) => vec![("costUsd", format!("{usd:.1}")), ("maxIterations", "200".to_owned())],
        None if plan.needs.money == Default::default() && dice.chance(0.08) => {
            vec![("maxIterations", "200".to_owned()), ("toolCalls", "20000".to_owned()), ("costUsd", "50".to_owned())]
        }
        None => return None,
    };
    let join = |separator: &str, line: &dyn Fn(&str, &str) -> String| {
        limits.iter().map(|(key, value)| line(key, value)).collect::<Vec<_>>().join(separator)
    };
    let (name, text) = match dice.between(0, 5) {
        0 => {
            let inner = join(", ", &|key, value| format!("\"{key}\": {value}"));
            ("loop-budget.json", format!("{{\"loopBudget\": {{{inner}}}}}\n"))
        }
        1 => {
            let inner = join("\n", &|key, value| format!("{key} = {value}"));
            ("loop-budget.toml", format!("[loopBudget]\n{inner}\n"))
        }
        _ => {
            let inner = join("\n", &|key, value| format!("  {key}: {value}"));
            ("loop-budget.yaml", format!("loopBudget:\n{inner}\n"))
        }
    };
    Some((name.to_owned(), text.into_bytes()))
}
