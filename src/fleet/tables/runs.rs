//! The columns of `runs`.

use super::view::At;
use super::{Column, EXACT, PICO, column};
use crate::diagnose::{Confidence, Ending, Kind};
use crate::fleet::cell::Cell;
use crate::fleet::cell::Type::{Flag, Int, Real, Text, Time, Usd};
use crate::fleet::names;
use crate::report::model::{CostStatus, RunReport, SourceReport};

fn of(at: At<'_>) -> &RunReport {
    &at.run.of.report
}

fn sum(at: At<'_>, get: fn(&SourceReport) -> u64) -> Cell<'_> {
    Cell::int(Some(of(at).sources.iter().map(get).fold(0, u64::saturating_add)))
}

pub(super) static COLUMNS: &[Column] = &[
    column("run", Text, "", "The run's id, as in triage; tables are joined by it.", |at| Cell::text(at.run.id.as_str())),
    column(
        "loop",
        Text,
        "",
        "The same for all executions of a loop: its name without days, times, numbers of executions, UUIDs and hashes; of a session the folder and digits of its task.",
        |at| Cell::owned(names::loop_of(of(at))),
    ),
    column("folder", Text, "", "The first folder below the argument.", |at| Cell::owned(names::folder(of(at)))),
    column("project", Text, "", "The folder in which the agent keeps the project's sessions.", |at| Cell::owned(names::project(of(at)))),
    column("agent", Text, "", "The name of the format that tells the run's course.", |at| Cell::text(of(at).agent)),
    column("models", Text, "", "Models that were billed, joined by comma and blank.", |at| {
        Cell::owned((!of(at).models.is_empty()).then(|| of(at).models.join(", ")))
    }),
    column("ending", Text, "", "How it ended.", |at| Cell::text(of(at).ending.map(Ending::id))),
    column("ending_detail", Text, "", "Which cap, which boundary.", |at| Cell::text(of(at).ending_detail.as_deref())),
    column("mode", Text, "", "The primary mode.", |at| Cell::text(of(at).mode.map(Kind::id))),
    column("confidence", Text, "", "How sure the mode is: high or medium.", |at| Cell::text(of(at).confidence.map(Confidence::word))),
    column("health", Text, "", "healthy, failing or inconclusive.", |at| Cell::text(of(at).health.word())),
    column("why", Text, "", "The reason in a few words.", |at| Cell::text(Some(&*of(at).why).filter(|w| !w.is_empty()))),
    column("next_action", Text, "", "What to do next.", |at| Cell::text(of(at).next_action.kind.id())),
    column("iterations", Int, "", "Passes of the loop.", |at| Cell::int(Some(of(at).iterations))),
    column("calls", Int, "", "Model calls; in logs without any, the loop's calls to its agent.", |at| Cell::int(Some(of(at).calls))),
    column("tool_calls", Int, "", "Tool calls.", |at| Cell::int(Some(of(at).tool_calls))),
    column("green", Int, "", "Iterations whose check passed.", |at| Cell::int(Some(of(at).checks.green))),
    column("red", Int, "", "Iterations whose check failed.", |at| Cell::int(Some(of(at).checks.red))),
    column("no_verdict", Int, "", "Iterations that the check could not judge.", |at| Cell::int(Some(of(at).checks.no_verdict))),
    column("input_uncached", Int, "tokens", "Input that no cache served.", |at| Cell::int(of(at).tokens.tokens.input_uncached)),
    column("cache_read", Int, "tokens", "Input read from a cache.", |at| Cell::int(of(at).tokens.tokens.cache_read)),
    column("cache_write_5m", Int, "tokens", "Input written to a cache for five minutes, or of unknown class.", |at| {
        Cell::int(of(at).tokens.tokens.cache_write_5m)
    }),
    column("cache_write_1h", Int, "tokens", "Input written to a cache for an hour.", |at| Cell::int(of(at).tokens.tokens.cache_write_1h)),
    column("output", Int, "tokens", "Output, reasoning included.", |at| Cell::int(of(at).tokens.tokens.output)),
    column("reasoning", Int, "tokens", "The reasoning part of the output.", |at| Cell::int(of(at).tokens.tokens.reasoning)),
    column("tokens", Int, "tokens", "Input of all classes and output.", |at| Cell::int(of(at).tokens.tokens.total())),
    column("under_reported", Flag, "", "The writer is known to log too few output tokens.", |at| Cell::flag(of(at).tokens.under_reported)),
    column("largest_context", Int, "tokens", "The largest input of a call.", |at| {
        let trace = &at.run.of.trace;
        Cell::int(trace.bookings.iter().filter(|b| trace.books_one_call(b)).filter_map(|b| b.tokens.context()).max())
    }),
    column("cost_status", Text, "", "known, at_least (a part has no price) or unknown.", |at| {
        Cell::text(match of(at).cost.status {
            CostStatus::Known => "known",
            CostStatus::AtLeast => "at_least",
            CostStatus::Unknown => "unknown",
        })
    }),
    column("cost_source", Text, "", "Where the cost comes from: computed, reported or mixed.", |at| Cell::text(of(at).cost.source)),
    column("cost_usd", Usd, "USD", "What it cost, as far as that is known.", |at| Cell::usd(of(at).cost.usd)),
    column("cost_pico_usd", Int, PICO, EXACT, |at| Cell::pico(of(at).cost.usd)),
    column("reported_usd", Usd, "USD", "What the log itself says that it cost.", |at| Cell::usd(of(at).cost.reported_usd)),
    column("reported_pico_usd", Int, PICO, EXACT, |at| Cell::pico(of(at).cost.reported_usd)),
    column("subagents_usd", Usd, "USD", "The part of cost_usd that sub-agents spent.", |at| Cell::usd(of(at).cost.subagents_usd)),
    column("subagents_pico_usd", Int, PICO, EXACT, |at| Cell::pico(of(at).cost.subagents_usd)),
    column("unpriced_tokens", Int, "tokens", "Tokens without a price.", |at| Cell::int(Some(of(at).cost.unpriced_tokens))),
    column("waste_state", Text, "", "How the waste is known: measured, estimated or unavailable.", |at| {
        Cell::text(of(at).waste.state.word())
    }),
    column("waste_usd", Usd, "USD", "Money spent for nothing.", |at| Cell::usd(of(at).waste.usd)),
    column("waste_pico_usd", Int, PICO, EXACT, |at| Cell::pico(of(at).waste.usd)),
    column("waste_tokens", Int, "tokens", "Tokens spent for nothing.", |at| Cell::int(of(at).waste.tokens)),
    column("waste_s", Real, "s", "Time spent for nothing, dead time included.", |at| Cell::real(of(at).waste.seconds)),
    column("dead_s", Real, "s", "The part of waste_s that a dead run lay unnoticed.", |at| Cell::real(of(at).waste.dead_s)),
    column("waste_after", Int, "", "The number of the last iteration that was worth something.", |at| {
        Cell::int(of(at).waste.after.as_ref().map(|a| a.iteration))
    }),
    column("started", Time, "UTC", "The first record.", |at| Cell::time(of(at).started)),
    column("ended", Time, "UTC", "The last record.", |at| Cell::time(of(at).ended)),
    column("wall_s", Real, "s", "From the first record to the last.", |at| Cell::real(of(at).wall_s)),
    column("last_green", Int, "", "The number of the last green iteration.", |at| {
        Cell::int(of(at).last_green.as_ref().map(|g| g.iteration))
    }),
    column("last_green_commit", Text, "", "The commit that was checked there.", |at| {
        Cell::text(of(at).last_green.as_ref().and_then(|g| g.commit.as_deref()))
    }),
    column("findings", Int, "", "Findings, suspects included.", |at| Cell::int(Some(of(at).findings.len()))),
    column("sources", Int, "", "Files that were read.", |at| Cell::int(Some(of(at).sources.len()))),
    column("bytes", Int, "bytes", "Bytes that were read, unpacked.", |at| sum(at, |s| s.bytes)),
    column("lines", Int, "lines", "Lines that were read.", |at| sum(at, |s| s.lines)),
    column("salvaged_lines", Int, "lines", "Lines that were broken and recovered.", |at| sum(at, |s| s.salvaged)),
    column("lost_lines", Int, "lines", "Lines whose content is not in the tables.", |at| sum(at, |s| s.lost)),
];
