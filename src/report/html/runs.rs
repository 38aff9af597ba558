//! The table of runs. A script makes it sort, filter and search; without one it is a table, worst first.

use crate::report::escape::terminal;
use crate::report::html::page::Context;
use crate::report::model::RunReport;
use crate::report::table::thousands;
use crate::report::words;
use crate::trace::{Money, Time};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Rows at most: a table of more is for a program, and report.json holds them all.
const ROWS: usize = 5_000;
/// Columns: name, whether it holds figures, whether a narrow screen can do without it.
const COLUMNS: &[(&str, bool, bool)] = &[
    ("run", false, false),
    ("health", false, false),
    ("ending", false, false),
    ("mode", false, false),
    ("iter", true, true),
    ("tokens", true, true),
    ("cost", true, false),
    ("waste", true, false),
    ("ended", false, true),
    ("why", false, false),
    ("next", false, false),
];

pub(super) fn table(cx: &Context<'_>) -> Markup {
    let order = cx.week.worst_first();
    let hidden = order.len().saturating_sub(ROWS);
    html! {
        section #runs aria-labelledby="all" {
            h2 #all { "All runs" }
            (controls(cx))
            @if hidden > 0 { p.note { (hidden) " more runs, the least bad ones, are in report.json only." } }
            div.scroll role="region" aria-labelledby="all" tabindex="0" {
                table.runs {
                    thead {
                        tr {
                            @for (name, figures, wide) in COLUMNS {
                                th scope="col" class=(class(*figures, *wide)) { (name) }
                            }
                        }
                    }
                    tbody {
                        @for (run, _) in order.iter().take(ROWS) { (row(cx, run)) }
                    }
                }
            }
        }
    }
}

fn class(figures: bool, wide: bool) -> &'static str {
    match (figures, wide) {
        (true, true) => "n wide",
        (true, false) => "n",
        (false, true) => "wide",
        (false, false) => "t",
    }
}

/// Shown by the script, which alone can serve them.
fn controls(cx: &Context<'_>) -> Markup {
    let runs = || cx.week.runs.iter().map(|(r, _)| r);
    let modes: BTreeSet<&str> = runs().filter_map(|r| r.mode).map(crate::diagnose::Kind::id).collect();
    let endings: BTreeSet<&str> = runs().filter_map(|r| r.ending).map(crate::diagnose::Ending::id).collect();
    let health: BTreeSet<_> = runs().map(|r| r.health).collect();
    html! {
        form #controls.controls hidden {
            label { "Search " input type="search" #search placeholder="run, mode, failure …" autocomplete="off"; }
            (select("health", health.into_iter().map(crate::diagnose::Health::word)))
            (select("ending", endings.into_iter()))
            (select("mode", modes.into_iter()))
            output #shown aria-live="polite" {}
        }
    }
}

fn select<'a>(name: &str, options: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        label { (name) " "
            select data-key=(name) {
                option value="" { "any" }
                @for option in options { option value=(option) { (option) } }
            }
        }
    }
}

fn row(cx: &Context<'_>, run: &RunReport) -> Markup {
    let ending = run.ending.map_or("none", crate::diagnose::Ending::id);
    let mode = run.mode.map_or("", crate::diagnose::Kind::id);
    let tokens = run.tokens.tokens.total();
    let number = |m: Option<Money>| m.map_or_else(String::new, |m| format!("{:.6}", m.to_f64()));
    let ended = run.ended.or(run.started);
    let milliseconds = |t: Option<Time>| t.map_or_else(String::new, |t| t.0.to_string());
    html! {
        tr data-health=(run.health.word()) data-ending=(ending) data-mode=(mode) {
            th scope="row" class="t" { (cx.link(&run.run)) }
            td { (badge(run)) }
            td { (ending) }
            td { @if mode.is_empty() { "–" } @else { (mode) @if run.confidence.is_some_and(|c| c < crate::diagnose::Confidence::High) { abbr title="medium confidence" { "?" } } } }
            td.n.wide data-v=(run.iterations) { (run.iterations) }
            td.n.wide data-v=(tokens.map_or_else(String::new, |n| n.to_string())) { (tokens.map_or_else(|| "–".to_owned(), thousands)) }
            td.n data-v=(number(run.cost.usd)) { (crate::report::table::money(&run.cost).replace('-', "–")) }
            td.n data-v=(number(run.waste.usd)) { (words::waste(&run.waste).replace("unknown", "–")) }
            td.wide.when data-v=(milliseconds(ended)) { (ended.map_or_else(|| "–".to_owned(), |t| minutes(&t.local(cx.page.zone)))) }
            td.why { (terminal(words::why(run))) }
            td { (run.next_action.kind.id()) }
        }
    }
}

/// A time without its seconds.
fn minutes(time: &str) -> String {
    time.get(..16).unwrap_or(time).to_owned()
}

/// The health: a colour, a sign and a word.
pub(super) fn badge(run: &RunReport) -> Markup {
    let sign = match run.health {
        crate::diagnose::Health::Failing => "✕",
        crate::diagnose::Health::Inconclusive => "?",
        crate::diagnose::Health::Healthy => "✓",
    };
    html! { span class={ "badge " (run.health.word()) } { span aria-hidden="true" { (sign) } " " (run.health.word()) } }
}
