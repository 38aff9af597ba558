//! Week over week.

use crate::fleet::week::Comparison;
use crate::report::escape::terminal;
use crate::report::html::page::Context;
use crate::report::words;
use maud::{Markup, html};

pub(super) fn part(cx: &Context<'_>) -> Markup {
    let Some(c) = &cx.week.comparison else { return html! {} };
    html! {
        section aria-labelledby="compare" {
            h2 #compare { "Against the last report" }
            p.note {
                (terminal(&c.file)) ", as of " (cx.page.time(c.as_of)) ". "
                (c.common_runs) " runs stand in both by their ids, " (c.new_runs) " only in this one, " (c.gone_runs) " only in that one."
                @for note in &c.notes { " " (capital(note)) "." }
            }
            div.two {
                (figures(c))
                (modes(c))
            }
            (causes(c))
            (moved(cx, c))
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn figures(c: &Comparison) -> Markup {
    html! {
        table {
            caption { "Figures" }
            thead { tr { th scope="col" { "figure" } th.n scope="col" { "then" } th.n scope="col" { "now" } th scope="col" { "change" } } }
            tbody {
                @for row in &c.figures {
                    tr {
                        th scope="row" { (row.name) }
                        td.n { (words::value(row.before, row.complete.0)) }
                        td.n { (words::value(row.after, row.complete.1)) }
                        td class={ "d-" (words::direction(row)) } {
                            (words::change(row)) @if matches!(words::direction(row), "better" | "worse") { ", " (words::direction(row)) }
                        }
                    }
                }
            }
        }
    }
}

fn modes(c: &Comparison) -> Markup {
    html! {
        table {
            caption { "Runs by mode" }
            thead { tr { th scope="col" { "mode" } th.n scope="col" { "then" } th.n scope="col" { "now" } } }
            tbody {
                @for (mode, (before, after)) in &c.by_mode {
                    tr {
                        th scope="row" { @if mode == "none" { "no mode" } @else { (mode) } }
                        td.n { (before) }
                        td.n { (after) }
                    }
                }
            }
        }
    }
}

fn causes(c: &Comparison) -> Markup {
    let list = |causes: &[String]| if causes.is_empty() { "none".to_owned() } else { causes.join(", ") };
    html! {
        p { strong { "New causes: " } (list(&c.new_causes)) ". " strong { "Vanished: " } (list(&c.vanished_causes)) "." }
    }
}

fn moved(cx: &Context<'_>, c: &Comparison) -> Markup {
    html! {
        @if !c.moved.is_empty() {
            details {
                summary { (words::count(c.moved.len() as u64, "run", "runs")) " came out otherwise" }
                table {
                    thead { tr { th scope="col" { "run" } th scope="col" { "then" } th scope="col" { "now" } } }
                    tbody {
                        @for m in &c.moved {
                            tr { th scope="row" { (cx.link(&m.run)) } td { (m.before) } td { (m.after) } }
                        }
                    }
                }
            }
        }
    }
}
