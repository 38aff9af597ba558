//! A gate's part of a GitHub job summary.

use crate::fleet::policy::{Judged, Outcome, State};
use crate::report::gate::table::at;
use crate::report::markdown::text::{cell, code};
use std::fmt::Write as _;

/// Renders the results within so many bytes: the runs behind the last rules are cut first, and it is said so.
#[must_use]
pub fn render(policy: &str, judged: &Judged, budget: usize) -> String {
    /// What the sentence about cuts may take.
    const SAID: usize = 200;
    let verdict = match judged.state {
        State::Pass if judged.runs == 0 => "✅ nothing to judge",
        State::Pass => "✅ passed",
        _ => "❌ failed",
    };
    let mut out = format!("# Loop policy: {verdict}\n\n{}\n\n| | rule | allowed | measured |\n|---|---|---|---|\n", code(policy));
    for o in &judged.outcomes {
        let sign = match o.state {
            State::Pass => "✅",
            State::Unknown => "❔ unknown",
            State::Fail => "❌",
        };
        let _ = writeln!(out, "| {sign} | {} | {} | {} |", cell(&o.rule), cell(&o.limit), cell(&o.measured));
    }
    out.push('\n');
    let mut cut = 0_u64;
    for o in judged.outcomes.iter().filter(|o| !o.runs.is_empty()) {
        let part = behind(o);
        if cut > 0 || out.len() + part.len() + SAID > budget {
            cut += 1;
        } else {
            out.push_str(&part);
        }
    }
    if cut > 0 {
        let _ = writeln!(out, "> Cut to stay within {} KiB: the runs behind {cut} rules.\n", budget >> 10);
    }
    out
}

fn behind(o: &Outcome) -> String {
    let mut out = format!("<details><summary>{}: {} runs</summary>\n\n| run | what | where |\n|---|---|---|\n", o.rule, o.runs.len());
    for r in &o.runs {
        let place = r.place.as_ref().map_or_else(|| "–".to_owned(), |(path, line)| cell(&at(path, *line)));
        let _ = writeln!(out, "| {} | {} | {place} |", cell(&r.run), cell(&r.what));
    }
    out.push_str("\n</details>\n\n");
    out
}
