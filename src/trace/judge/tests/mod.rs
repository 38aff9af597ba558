//! Expectations are written by hand, in one line each: `kind runner [scope]`, then `part` when it is narrowed and
//! `hidden` when the exit code is not the judge's; several judges with ` ; ` between them.

mod cover;
mod languages;
mod nothing;
mod output;
mod projects;
mod properties;
mod python;
mod shells;
mod web;

use super::{Judge, judges};

fn line(judge: &Judge) -> String {
    let kind = format!("{:?}", judge.kind).to_lowercase();
    let part = if judge.narrowed { " part" } else { "" };
    let hidden = if judge.hides_exit { " hidden" } else { "" };
    format!("{kind} {} [{}]{part}{hidden}", judge.runner, judge.scope)
}

fn lines(found: &[Judge]) -> String {
    found.iter().map(line).collect::<Vec<_>>().join(" ; ")
}

/// Compares a whole table and reports all that differs at once.
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(command, expected)| {
            let got = lines(&judges(command, &[]));
            (got != *expected).then(|| format!("{command}\n  expected {expected}\n  got      {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}
