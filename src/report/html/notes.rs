//! What the runs failed with, how honest the totals are, and what the words mean.

use crate::diagnose::{Ending, KINDS};
use crate::report::escape::terminal;
use crate::report::html::page::Context;
use crate::report::model::UnderstandingDebt;
use crate::report::table::thousands;
use crate::report::words;
use crate::settings::TABLE;
use maud::{Markup, html};

pub(super) fn failures(cx: &Context<'_>) -> Markup {
    let top = &cx.week.summary.top_signatures;
    html! {
        @if !top.is_empty() {
            section aria-labelledby="failures" {
                h2 #failures { "Most frequent failures" }
                table {
                    thead { tr { th scope="col" { "failure" } th.n scope="col" { "iterations" } th.n scope="col" { "runs" } } }
                    tbody { @for s in top { tr { td { code { (s.failure) } } td.n { (s.iterations) } td.n { (s.runs) } } } }
                }
            }
        }
    }
}

/// What stands behind the sums, and what is missing from them.
pub(super) fn honest(cx: &Context<'_>) -> Markup {
    let (s, t) = (&cx.week.summary, &cx.week.summary.totals);
    let c = &t.cost;
    html! {
        section aria-labelledby="honest" {
            h2 #honest { "What these figures rest on" }
            ul {
                li { "Read: " (t.lines) " lines (" (t.bytes) " bytes), " (t.salvaged_lines) " recovered, " (t.lost_lines) " lost, " (t.duplicate_lines)
                    " repeats, " (t.unknown_records) " of unknown kind; " (t.files_passed_over) " other files passed over" (words::unread(t)) "." }
                li { "Money: " @match c.source { Some("computed") => "computed from tokens", Some(other) => (other), None => "none is known" }
                    ", prices of " (s.prices.snapshot) " (" code { (s.prices.sha256.get(..12).unwrap_or(&s.prices.sha256)) } ")"
                    @for (file, hash) in &s.prices.overlaid { ", " (terminal(file)) " laid over them (" code { (hash.get(..12).unwrap_or(hash)) } ")" }
                    "."
                    @if c.unpriced_tokens > 0 { " Without a price: " (thousands(c.unpriced_tokens)) " tokens of " (c.unpriced_models.join(", ")) "." }
                    @if let Some(m) = c.reported_usd { " The logs themselves say " (m.short()) "." } }
                @if t.waste.runs_unavailable > 0 {
                    li { "Waste cannot be said for " (t.waste.runs_unavailable) " of " (t.runs) " runs; they count as unknown, not as nothing." }
                }
                li { "Observed at " (cx.page.time(Some(s.as_of))) " " (cx.page.zone.name()) ": what was silent then counts as dead." }
                @if let Some(w) = &cx.week.window {
                    li { "Runs that ended before " (cx.page.time(Some(w.from))) " or began after " (cx.page.time(Some(w.to))) " are left out: "
                        (w.left_out.len()) "." @if w.undated > 0 { " " (w.undated) " without any time are in." } }
                }
                li { (words::understanding_debt(t)) }
            }
            @if let Some(debt) = &t.understanding_debt { (weeks(debt)) }
            @if !s.errors.is_empty() {
                details open {
                    summary { "Could not be read (" (s.errors.len()) ")" }
                    ul { @for e in s.errors.iter().take(50) { li { code { (terminal(e)) } } }
                        @if s.errors.len() > 50 { li { "… and " (s.errors.len() - 50) " more" } } }
                }
            }
            (thresholds(cx))
        }
    }
}

/// Understanding debt, week by week.
fn weeks(debt: &UnderstandingDebt) -> Markup {
    html! {
        @if !debt.weeks.is_empty() {
            table {
                thead { tr { th scope="col" { "week of" } th.n scope="col" { "lines by loops" } th.n scope="col" { "lines reviewed" } th.n scope="col" { "both" } } }
                tbody { @for w in &debt.weeks { tr { th scope="row" { (w.week) } td.n { (thousands(w.by_loops)) } td.n { (thousands(w.reviewed)) } td.n { (thousands(w.by_loops_reviewed)) } } } }
            }
        }
    }
}

fn thresholds(cx: &Context<'_>) -> Markup {
    let value = |name: &str| cx.week.summary.thresholds.get(name);
    let changed = TABLE.iter().filter(|row| value(row.name) != Some(row.default)).count();
    html! {
        details {
            summary { "Thresholds in force" @if changed > 0 { " (" (changed) " not the default)" } }
            div.scroll {
                table {
                    thead { tr { th scope="col" { "name" } th.n scope="col" { "value" } th scope="col" { "unit" } th scope="col" { "what it decides" } } }
                    tbody {
                        @for row in TABLE {
                            tr {
                                th scope="row" { code { (row.name) } }
                                td.n { (value(row.name).unwrap_or(row.default)) @if value(row.name) != Some(row.default) { " (default " (row.default) ")" } }
                                td { (row.unit) } td { (row.help) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The words of the report, for who sees it for the first time.
pub(super) fn legend(_cx: &Context<'_>) -> Markup {
    html! {
        section aria-labelledby="legend" {
            h2 #legend { "What the words mean" }
            details {
                summary { "Modes, findings, endings" }
                dl.legend {
                    @for k in KINDS { div { dt { (k.id) } dd { (k.what) } } }
                    @for (_, id, what) in Ending::ALL { div { dt { (id) } dd { (what) } } }
                }
            }
            p.more {
                "A run is one execution of a loop, an iteration one pass, a check the judge outside the model. Waste is what was spent after a run last came closer to green; "
                "≥ marks a sum that is not complete, ~ an estimate, – what is not known, which is not zero. In a strip a letter is a failure, ✓ green, ! no verdict, · not judged, + gain."
            }
        }
    }
}
