//! The columns of `checks`.

use super::iterations::colour;
use super::view::At;
use super::{Column, column};
use crate::fleet::cell::Cell;
use crate::fleet::cell::Type::{Flag, Int, Text, Time};
use crate::report::escape::excerpt;
use crate::trace::Place;
use crate::trace::judge::{CheckKind, Judge};

fn step(at: At<'_>) -> Option<u32> {
    at.check().map(|c| c.step)
}

fn place(at: At<'_>) -> Option<Place> {
    at.step(step(at)).map(|s| s.place)
}

fn judge(at: At<'_>) -> Option<&Judge> {
    at.run.of.trace.judges.get(at.check()?.judge? as usize)
}

fn kind(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Test => "test",
        CheckKind::Build => "build",
        CheckKind::Types => "types",
        CheckKind::Lint => "lint",
        CheckKind::Format => "format",
    }
}

pub(super) static COLUMNS: &[Column] = &[
    column("run", Text, "", "The run's id.", |at| Cell::text(at.run.id.as_str())),
    column("check", Int, "", "Its position in the run, from 1.", |at| Cell::int(at.number())),
    column("iteration", Int, "", "The number of its iteration.", |at| Cell::int(at.in_iteration(step(at)))),
    column("at", Time, "UTC", "When.", |at| Cell::time(at.at(step(at)))),
    column("name", Text, "", "Its name, where the loop runs several.", |at| {
        let name = at.check().and_then(|c| c.name);
        Cell::owned(name.map(|n| excerpt(at.run.of.trace.names.text(n).as_bytes(), 100)).filter(|n| !n.is_empty()))
    }),
    column("colour", Text, "", "What it said: green, red or no_verdict.", |at| Cell::text(at.check().and_then(|c| colour(c.colour)))),
    column("exit_code", Int, "", "Its exit code.", |at| Cell::int(at.check().and_then(|c| c.exit_code))),
    column("kind", Text, "", "What its command looks for: test, build, types, lint or format.", |at| {
        Cell::text(judge(at).map(|j| kind(j.kind)))
    }),
    column("runner", Text, "", "Who looks, by its command: pytest, cargo test, tsc.", |at| Cell::text(judge(at).map(|j| j.runner))),
    column("scope", Text, "", "What of the project it looks at; null is everything, or not known.", |at| {
        Cell::owned(judge(at).map(|j| excerpt(j.scope.as_bytes(), 200)).filter(|s| !s.is_empty()))
    }),
    column("narrowed", Flag, "", "It looks only at a subset: a file, a test.", |at| Cell::flag(judge(at).map(|j| j.narrowed))),
    column("path", Text, "", "The file that says so.", |at| Cell::text(place(at).and_then(|p| at.run.path(p)))),
    column("line", Int, "line", "The line in it.", |at| Cell::int(place(at).map(|p| p.line))),
];
