//! The first screen: what was spent and wasted, what came of it, why not more, what to do.

use crate::fleet::week::{Guard, Row};
use crate::report::chart::spec::Chart;
use crate::report::chart::{Frame, Theme, svg};
use crate::report::escape::terminal;
use crate::report::html::page::Context;
use crate::report::table::thousands;
use crate::report::words;
use crate::trace::span;
use maud::{Markup, PreEscaped, html};

/// Causes on the first screen.
const CAUSES: usize = 3;

pub(super) fn head(cx: &Context<'_>) -> Markup {
    let (week, t) = (cx.week, &cx.week.summary.totals);
    html! {
        h1 { (terminal(&week.title)) }
        p.when {
            (words::count(t.runs, "run", "runs"))
            @if let Some(w) = &week.window {
                ", " (cx.page.time(Some(w.from))) " to " (cx.page.time(Some(w.to)))
                @if !w.left_out.is_empty() { "; " (words::count(w.left_out.len() as u64, "run", "runs")) " outside that time left out" }
                @if w.undated > 0 { "; " (words::count(w.undated, "run", "runs")) " without any time are in" }
            } @else {
                ", as of " (cx.page.time(Some(week.summary.as_of)))
            }
            " (" (cx.page.zone.name()) ")"
        }
        nav aria-label="Parts of the report" {
            @if week.comparison.is_some() { a href="#compare" { "Against the last report" } }
            @if !week.charts.is_empty() { a href="#pictures" { "In pictures" } }
            a href="#runs" { "All runs" }
            a href="#each" { "Run by run" }
            a href="#honest" { "What these figures rest on" }
        }
    }
}

pub(super) fn screen(cx: &Context<'_>) -> Markup {
    html! {
        section.first aria-label="At a glance" {
            (cards(cx))
            @if cx.week.comparison.is_none() {
                p.note { "No earlier report to compare with: " code { "--compare" } " takes last week's report.json." }
            }
            div.two {
                (causes(cx))
                div {
                    (guard(cx))
                    (common(cx))
                }
            }
        }
    }
}

fn cards(cx: &Context<'_>) -> Markup {
    let (t, h) = (&cx.week.summary.totals, &cx.week.headline);
    let change = |name: &str| cx.week.comparison.as_ref().and_then(|c| c.figure(name)).map(changed);
    let (wasted, waste_parts) = words::wasted(t);
    let mut spent = t.tokens.total().map_or_else(|| "tokens unknown".to_owned(), |n| format!("{} tokens", thousands(n)));
    if t.cost.usd.is_some() && t.cost.status != crate::report::model::CostStatus::Known {
        spent += "; part of the runs has no price";
    }
    let failing = format!("{} failing, {} inconclusive", h.failing, h.inconclusive);
    let of = format!("{} of {}", h.greens, t.runs);
    html! {
        dl.cards {
            (card("Spent", &words::spent(&t.cost), &spent, change("spent")))
            (card("Wasted", &wasted, &waste_parts, change("wasted")))
            (card("Greens", &of, &failing, change("greens")))
            (card("Cost per green", &words::per_green(h.per_green), "all that was spent, over the green runs", change("cost per green")))
        }
    }
}

fn card(name: &str, figure: &str, more: &str, change: Option<Markup>) -> Markup {
    html! {
        div.card {
            dt { (name) }
            dd.figure { (figure) }
            @if let Some(change) = change { dd.change { (change) } }
            dd.more { (more) }
        }
    }
}

/// A change with a word for those who do not see its colour.
fn changed(row: &Row) -> Markup {
    html! { span class={ "d-" (words::direction(row)) } { (words::then_and_change(row)) } }
}

fn causes(cx: &Context<'_>) -> Markup {
    let causes = &cx.week.headline.causes;
    html! {
        section.causes aria-labelledby="causes" {
            h2 #causes { "Top causes" }
            @if causes.is_empty() { p { "No run failed." } }
            @else {
                ol {
                    @for c in causes.iter().take(CAUSES) {
                        li {
                            p {
                                strong { (c.cause) } " — " (words::count(c.runs.len() as u64, "run", "runs")) ", "
                                (format!("{:.0} %", c.share * 100.0)) " " (c.of.words())
                            }
                            meter min="0" max="1" value=(format!("{:.3}", c.share)) aria-label={ "share of " (c.cause) } { (words::bar(c.share)) }
                            p.more {
                                (sentence(c.what)) " "
                                @if let Some(m) = c.spent_usd { "Spent " (m.short()) ". " }
                                @if let Some(m) = c.waste_usd { "Wasted " (m.short()) ". " }
                                @if let Some(s) = c.waste_s { "Lost " (span(s)) ". " }
                                @for common in &c.common { (common) ". " }
                                (cx.links(&c.runs, 4)) "."
                            }
                        }
                    }
                }
                @if causes.len() > CAUSES {
                    p.note { "Others: "
                        @for (k, c) in causes.iter().skip(CAUSES).enumerate() {
                            @if k > 0 { ", " }
                            (c.cause) " (" (c.runs.len()) ")"
                        }
                        "."
                    }
                }
                p.note { "Ranked by the largest of three shares: of the failing runs, of their money, of their wasted time." }
            }
        }
    }
}

fn guard(cx: &Context<'_>) -> Markup {
    html! {
        section.guard aria-labelledby="guard" {
            h2 #guard { "One guard to set" }
            @match &cx.week.headline.guard {
                None => p { "None of the causes has a guard that these logs speak for." },
                Some(g) => (suggested(cx, g)),
            }
        }
    }
}

fn suggested(cx: &Context<'_>, g: &Guard) -> Markup {
    html! {
        p.do { strong { (capital(&g.guard)) "." } }
        @if let Some(setting) = &g.setting { p { "In the loop's budget file: " code { (setting) } } }
        p { "Because of " strong { (g.cause) } ": " (g.reason) ". " (words::guard_effect(g)) }
        @if !g.stops.is_empty() { p.more { @if g.cause == "silent_death" { "Dead: " } @else { "Stopped: " }  (cx.links(&g.stops, 6)) "." } }
        @if !g.kills.is_empty() { p.more { "Stopped though green in the end: " (cx.links(&g.kills, 6)) "." } }
    }
}

/// The tables' words with a capital and a full stop.
fn sentence(text: &str) -> String {
    format!("{}.", capital(text.trim_end_matches('.')))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn common(cx: &Context<'_>) -> Markup {
    html! {
        @for c in &cx.week.summary.common_causes {
            p.common {
                strong { "Common cause: " }
                (c.runs.len()) " runs " (c.ending.id()) " between " (cx.page.time(Some(c.from))) " and " (cx.page.time(Some(c.to)))
                ": " (c.cause) " (" (cx.links(&c.runs, 5)) ")."
            }
        }
    }
}

/// The charts over all runs.
pub(super) fn pictures(cx: &Context<'_>) -> Markup {
    html! {
        @if !cx.week.charts.is_empty() {
            section aria-labelledby="pictures" {
                h2 #pictures { "In pictures" }
                @for chart in &cx.week.charts { (picture(chart, PICTURE)) }
            }
        }
    }
}

/// Pixels across of a chart over all runs.
const PICTURE: u32 = 1100;

/// A chart inside the page, with what it says in words below it.
pub(super) fn picture(chart: &Chart, width: u32) -> Markup {
    html! {
        figure.picture {
            (PreEscaped(svg(chart, &Frame { width, theme: Theme::Page })))
            figcaption { (terminal(&chart.description)) }
        }
    }
}
