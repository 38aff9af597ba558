//! The columns of `iterations`.

use super::view::At;
use super::{Column, EXACT, PICO, column};
use crate::fleet::cell::Cell;
use crate::fleet::cell::Type::{Flag, Int, Real, Text, Time, Usd};
use crate::report::escape::excerpt;
use crate::trace::rows::{Colour, Iteration};
use crate::trace::signature::{Infra, Stage};
use crate::trace::{GainKind, Place, Tokens};

/// The colour's word; null where nothing judged.
pub(super) fn colour(colour: Colour) -> Option<&'static str> {
    match colour {
        Colour::Unknown => None,
        Colour::Green => Some("green"),
        Colour::Red => Some("red"),
        Colour::NoVerdict => Some("no_verdict"),
    }
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Parse => "parse",
        Stage::Compile => "compile",
        Stage::Types => "types",
        Stage::Unit => "unit",
        Stage::Integration => "integration",
    }
}

fn tokens(at: At<'_>) -> Option<&Tokens> {
    at.sums().map(|s| &s.tokens)
}

/// Where the verdict is written, else where the iteration begins.
fn place(at: At<'_>) -> Option<Place> {
    at.iteration().map(|i| at.run.of.trace.verdict_place(i))
}

/// Whether the iteration lies behind the last one that was worth something.
fn wasted(at: At<'_>) -> Option<bool> {
    let last = at.run.of.report.waste.after.as_ref()?.iteration;
    Some(at.iteration()?.number > last)
}

fn failed(at: At<'_>) -> Option<&Iteration> {
    at.iteration().filter(|i| matches!(i.colour, Colour::Red | Colour::NoVerdict))
}

pub(super) static COLUMNS: &[Column] = &[
    column("run", Text, "", "The run's id.", |at| Cell::text(at.run.id.as_str())),
    column("position", Int, "", "Its position in the run, from 1.", |at| Cell::int(at.number())),
    column("iteration", Int, "", "Its number in the log.", |at| Cell::int(at.iteration().map(|i| i.number))),
    column("colour", Text, "", "What the check said: green, red or no_verdict; null where nothing judged.", |at| {
        Cell::text(at.iteration().and_then(|i| colour(i.colour)))
    }),
    column("started", Time, "UTC", "The first record.", |at| Cell::time(at.iteration().and_then(|i| i.start))),
    column("ended", Time, "UTC", "The last record.", |at| Cell::time(at.iteration().and_then(|i| i.end))),
    column("duration_s", Real, "s", "From the first record to the last.", |at| {
        Cell::real(at.iteration().and_then(|i| Some(i.end?.seconds_since(i.start?))))
    }),
    column("calls", Int, "", "Calls in it.", |at| Cell::int(at.sums().map(|s| s.calls))),
    column("tool_calls", Int, "", "Tool calls in it.", |at| Cell::int(at.sums().map(|s| s.tool_calls))),
    column("tokens", Int, "tokens", "Input of all classes and output.", |at| Cell::int(tokens(at).and_then(Tokens::total))),
    column("output", Int, "tokens", "Output, reasoning included.", |at| Cell::int(tokens(at).and_then(|t| t.output))),
    column("cost_usd", Usd, "USD", "What it cost, as far as that is known.", |at| Cell::usd(at.sums().and_then(|s| s.spent))),
    column("cost_pico_usd", Int, PICO, EXACT, |at| Cell::pico(at.sums().and_then(|s| s.spent))),
    column("failures", Int, "", "Failing tests.", |at| Cell::int(at.iteration().and_then(|i| i.failed))),
    column("passed", Int, "", "Passed tests.", |at| Cell::int(at.iteration().and_then(|i| i.passed))),
    column("stage", Text, "", "How far the check came: parse, compile, types, unit or integration.", |at| {
        Cell::text(at.iteration().and_then(|i| i.stage).map(stage))
    }),
    column("signature", Text, "", "What makes two failures the same, as a hash; numbers in their text do not count.", |at| {
        Cell::hash(failed(at).map_or(0, |i| i.coarse))
    }),
    column("fine_signature", Text, "", "The same with numbers counting.", |at| Cell::hash(failed(at).map_or(0, |i| i.fine))),
    column("failure", Text, "", "The failure in a few words.", |at| {
        Cell::owned(failed(at).and_then(|i| at.run.failure(at.run.of.trace.verdict_place(i))))
    }),
    column("infrastructure", Text, "", "What kind of infrastructure failed.", |at| {
        Cell::text(at.iteration().and_then(|i| i.infra).map(Infra::name))
    }),
    column("gain", Text, "", "What it gained.", |at| {
        Cell::text(at.run.of.diagnosis.gain.by_iteration.get(at.row).copied().flatten().map(GainKind::words))
    }),
    column("wasted", Flag, "", "It lies behind the last iteration that was worth something; null where that is not known.", |at| {
        Cell::flag(wasted(at))
    }),
    column("files_changed", Int, "", "Files that its records say were changed.", |at| {
        Cell::int(at.iteration().and_then(|i| i.files_changed))
    }),
    column("score", Real, "", "The best score of a gate.", |at| Cell::real(at.iteration().and_then(|i| i.score))),
    column("commit", Text, "", "The commit that was checked.", |at| {
        let name = at.iteration().and_then(|i| i.commit);
        Cell::owned(name.map(|c| excerpt(at.run.of.trace.names.text(c).as_bytes(), 100)))
    }),
    column("path", Text, "", "The file that says so.", |at| Cell::text(place(at).and_then(|p| at.run.path(p)))),
    column("line", Int, "line", "The line in it.", |at| Cell::int(place(at).map(|p| p.line))),
];
