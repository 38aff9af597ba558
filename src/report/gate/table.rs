//! The rules of a policy on a terminal, and the runs behind each that does not pass.

use crate::fleet::policy::{Judged, Outcome, State};
use crate::report::escape::{terminal, visible};
use crate::report::style::Palette;
use crate::report::table::Look;
use crate::report::workflow;
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;

/// Runs that are listed behind a rule.
const RUNS: usize = 10;

/// Renders the results.
#[must_use]
pub fn render(judged: &Judged, look: Look) -> String {
    let width = |get: fn(&Outcome) -> &str, head: &str| {
        judged.outcomes.iter().map(|o| get(o).chars().count()).chain([head.chars().count()]).max().unwrap_or(0)
    };
    let (rule, limit) = (width(|o| &o.rule, "rule"), width(|o| &o.limit, "allowed"));
    let mut out = String::new();
    let head = format!("{:<8}{:<rule$}  {:<limit$}  {}", "", "rule", "allowed", "measured");
    let _ = writeln!(out, "{}", look.palette.bold(head.trim_end()));
    for o in &judged.outcomes {
        let state = paint(look.palette, o.state, &format!("{:<8}", o.state.word()));
        let _ = writeln!(out, "{state}{:<rule$}  {:<limit$}  {}", o.rule, o.limit, o.measured);
        for run in o.runs.iter().take(RUNS) {
            let place = run.place.as_ref().map(|(path, line)| at(path, *line)).unwrap_or_default();
            let text = format!(
                "          {}: {}{}",
                visible(&run.run),
                terminal(&run.what),
                if place.is_empty() { place } else { format!(" ({place})") }
            );
            let _ = writeln!(out, "{}", look.palette.dim(&text));
        }
        if o.runs.len() > RUNS {
            let _ = writeln!(out, "{}", look.palette.dim(&format!("          … and {} more", o.runs.len() - RUNS)));
        }
    }
    let broken = judged.outcomes.iter().filter(|o| o.state != State::Pass).count();
    let verdict = match broken {
        0 if judged.runs == 0 => "passed: there was nothing to judge".to_owned(),
        0 => format!("passed: all {} rules hold", judged.outcomes.len()),
        n => format!("failed: {n} of {} rules do not pass", judged.outcomes.len()),
    };
    let _ = writeln!(out, "{}", paint(look.palette, judged.state, &verdict));
    workflow::lines(&out)
}

/// A place as an editor takes it.
pub(super) fn at(path: &str, line: u32) -> String {
    let path = terminal(path);
    if line == 0 { path.into_owned() } else { format!("{path}:{line}") }
}

fn paint(palette: Palette, state: State, text: &str) -> String {
    let colour = match state {
        State::Pass => AnsiColor::Green,
        State::Unknown => AnsiColor::Yellow,
        State::Fail => AnsiColor::Red,
    };
    palette.paint(Style::new().fg_color(Some(colour.into())), text)
}
