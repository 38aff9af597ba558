//! GitHub annotations. A step shows ten errors and drops the rest in silence, so nine are printed and the tenth says how
//! many more there are.

use crate::fleet::policy::{Judged, Offender, Outcome, State};
use crate::report::escape::visible;
use crate::report::workflow::{Level, command};

/// Annotations beside the one that counts the rest.
const MOST: usize = 9;

/// One annotation a rule and a run behind it. `locate` finds the file of a source as the checkout has it.
#[must_use]
pub fn render(judged: &Judged, locate: impl Fn(&str) -> Option<String>) -> String {
    let broken = || judged.outcomes.iter().filter(|o| o.state != State::Pass);
    let mut all: Vec<(&Outcome, Option<&Offender>)> = Vec::new();
    for o in broken() {
        if o.runs.is_empty() {
            all.push((o, None));
        }
        all.extend(o.runs.iter().map(|r| (o, Some(r))));
    }
    // The rules that fail before those that are unknown.
    all.sort_by_key(|(o, r)| std::cmp::Reverse(r.map_or(o.state, |r| r.state)));
    let mut out: String = all.iter().take(MOST).map(|(o, run)| one(o, *run, &locate)).collect();
    if all.len() > MOST {
        out.push_str(&command(Level::Error, &[("title", "loop policy")], &format!("and {} more", all.len() - MOST)));
    }
    out
}

fn one(o: &Outcome, run: Option<&Offender>, locate: &impl Fn(&str) -> Option<String>) -> String {
    let state = run.map_or(o.state, |r| r.state);
    let level = if state == State::Fail { Level::Error } else { Level::Warning };
    let title = format!("loop policy: {}", o.rule);
    let Some(r) = run else {
        return command(level, &[("title", &title)], &format!("allowed {}, measured {}", o.limit, o.measured));
    };
    let message = format!("{}: {} (allowed {}, {})", visible(&r.run), r.what, o.limit, state.word());
    let place = r.place.as_ref().and_then(|(path, line)| Some((locate(path)?, line.to_string())));
    match &place {
        Some((file, line)) if line != "0" => command(level, &[("file", file), ("line", line), ("title", &title)], &message),
        Some((file, _)) => command(level, &[("file", file), ("title", &title)], &message),
        None => command(level, &[("title", &title)], &message),
    }
}
