//! The columns of `calls`.

use super::view::At;
use super::{Column, EXACT, PICO, column};
use crate::fleet::cell::Cell;
use crate::fleet::cell::Type::{Flag, Int, Text, Time, Usd};
use crate::report::escape::excerpt;
use crate::trace::rows::CallFault;
use crate::trace::{Place, Tokens};

fn tokens(at: At<'_>) -> Option<&Tokens> {
    at.booking().map(|b| &b.tokens)
}

fn step(at: At<'_>) -> Option<u32> {
    at.call().map(|c| c.step)
}

fn place(at: At<'_>) -> Option<Place> {
    at.step(step(at)).map(|s| s.place)
}

fn fault(fault: CallFault) -> &'static str {
    match fault {
        CallFault::ContextFull => "context_full",
        CallFault::OutputFull => "output_full",
        CallFault::Infrastructure(what) => what.name(),
        CallFault::Other => "other",
    }
}

pub(super) static COLUMNS: &[Column] = &[
    column("run", Text, "", "The run's id.", |at| Cell::text(at.run.id.as_str())),
    column("call", Int, "", "Its position in the run, from 1.", |at| Cell::int(at.number())),
    column("kind", Text, "", "call, or booking for a record that books tokens or money without being a call.", |at| {
        Cell::text(at.call().map(|c| if c.counts { "call" } else { "booking" }))
    }),
    column("iteration", Int, "", "The number of its iteration.", |at| Cell::int(at.in_iteration(step(at)))),
    column("at", Time, "UTC", "When.", |at| Cell::time(at.at(step(at)))),
    column("model", Text, "", "The model.", |at| {
        let name = at.booking().and_then(|b| b.model);
        Cell::owned(name.map(|m| excerpt(at.run.of.trace.names.text(m).as_bytes(), 100)).filter(|m| !m.is_empty()))
    }),
    column("subagent", Flag, "", "A sub-agent's call.", |at| Cell::flag(at.booking().map(|b| b.side))),
    column("input_uncached", Int, "tokens", "Input that no cache served.", |at| Cell::int(tokens(at).and_then(|t| t.input_uncached))),
    column("cache_read", Int, "tokens", "Input read from a cache.", |at| Cell::int(tokens(at).and_then(|t| t.cache_read))),
    column("cache_write_5m", Int, "tokens", "Input written to a cache for five minutes, or of unknown class.", |at| {
        Cell::int(tokens(at).and_then(|t| t.cache_write_5m))
    }),
    column("cache_write_1h", Int, "tokens", "Input written to a cache for an hour.", |at| {
        Cell::int(tokens(at).and_then(|t| t.cache_write_1h))
    }),
    column("output", Int, "tokens", "Output, reasoning included.", |at| Cell::int(tokens(at).and_then(|t| t.output))),
    column("reasoning", Int, "tokens", "The reasoning part of the output.", |at| Cell::int(tokens(at).and_then(|t| t.reasoning))),
    column("context", Int, "tokens", "Input of all classes: what the model had to read.", |at| {
        Cell::int(tokens(at).and_then(Tokens::context))
    }),
    column("tokens", Int, "tokens", "Input of all classes and output.", |at| Cell::int(tokens(at).and_then(Tokens::total))),
    column("cost_usd", Usd, "USD", "What it cost: computed, else as the log says.", |at| Cell::usd(at.booking().and_then(|b| b.spent))),
    column("cost_pico_usd", Int, PICO, EXACT, |at| Cell::pico(at.booking().and_then(|b| b.spent))),
    column("reported_usd", Usd, "USD", "What the log says that it cost.", |at| Cell::usd(at.booking().and_then(|b| b.reported))),
    column("reported_pico_usd", Int, PICO, EXACT, |at| Cell::pico(at.booking().and_then(|b| b.reported))),
    column("web_searches", Int, "", "Web searches that are billed by the piece.", |at| Cell::int(at.booking().map(|b| b.web_searches))),
    column("duration_ms", Int, "ms", "How long it took.", |at| Cell::int(at.booking().and_then(|b| b.duration_ms))),
    column("exit_code", Int, "", "The exit code of the process that made the call.", |at| {
        Cell::int(at.booking().and_then(|b| b.exit_code))
    }),
    column("fault", Text, "", "Why it failed: context_full, output_full, a kind of infrastructure, or other.", |at| {
        Cell::text(at.booking().and_then(|b| b.fault).map(fault))
    }),
    column("path", Text, "", "The file that says so.", |at| Cell::text(place(at).and_then(|p| at.run.path(p)))),
    column("line", Int, "line", "The line in it.", |at| Cell::int(place(at).map(|p| p.line))),
];
