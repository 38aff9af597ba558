//! One run: how it went, what was found, where to look, what to do.

use crate::diagnose::{Confidence, Health};
use crate::report::chart::spec::Cell;
use crate::report::escape::{terminal, visible};
use crate::report::html::first::picture;
use crate::report::html::page::Context;
use crate::report::html::runs::badge;
use crate::report::html::strip;
use crate::report::model::{EvidenceReport, FindingReport, RunReport};
use crate::report::section::{Pass, Section};
use crate::report::strip::letter;
use crate::report::table::thousands;
use crate::report::words;
use crate::trace::{Money, span};
use maud::{Markup, html};

/// Rows of the table of iterations.
const ITERATIONS: usize = 120;

/// The section of a run, with its charts open or folded; a healthy one gets what it cost and how it went.
pub(super) fn full(cx: &Context<'_>, run: &RunReport, section: &Section, open: bool) -> Markup {
    let healthy = run.health == Health::Healthy && run.findings.is_empty();
    article(cx, run, |out| {
        html! {
            (out)
            (strip::strip(section))
            @if !healthy {
                (findings(run))
                (pictures(section, open))
                (silences(cx, section))
                (iterations(cx, run, section))
            }
            (sources(run))
        }
    })
}

/// The section of a run where the file would grow too large.
pub(super) fn brief(cx: &Context<'_>, run: &RunReport) -> Markup {
    article(cx, run, |out| out)
}

fn article(cx: &Context<'_>, run: &RunReport, more: impl FnOnce(Markup) -> Markup) -> Markup {
    let anchor = cx.anchor(&run.run).unwrap_or_default();
    html! {
        article.run id=(anchor) aria-labelledby={ (anchor) "-name" } {
            h3 id={ (anchor) "-name" } { (visible(&run.run)) " " (badge(run)) }
            (more(facts(cx, run)))
        }
    }
}

fn facts(cx: &Context<'_>, run: &RunReport) -> Markup {
    let ending = run.ending.map_or("no ending", crate::diagnose::Ending::id);
    let detail = run.ending_detail.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
    let c = &run.checks;
    html! {
        p.verdict {
            strong { (ending) } (detail) ", " (words::mode(run))
            @if !run.why.is_empty() && !run.why.starts_with("green") { ": " (run.why) }
        }
        p.next { strong { "Next: " (run.next_action.kind.id()) } ", " (run.next_action.reason) "." }
        dl.facts {
            div { dt { "time" } dd { (cx.page.time(run.started)) " to " (cx.page.time(run.ended)) ", " (run.wall_s.map_or_else(|| "duration unknown".to_owned(), span)) } }
            div { dt { "iterations" } dd { (run.iterations) " (" (c.red) " red, " (c.green) " green, " (c.no_verdict) " without verdict)" } }
            div { dt { "calls" } dd { (run.calls) " calls, " (run.tool_calls) " tool calls, " (run.tokens.tokens.total().map_or_else(|| "tokens unknown".to_owned(), |t| format!("{} tokens", thousands(t)))) } }
            div { dt { "cost" } dd { (cost(run)) } }
            div { dt { "waste" } dd { (words::waste_parts(&run.waste))
                @if let Some(a) = &run.waste.after { " after iteration " (a.iteration) " (" (place(&a.path, a.line)) ")" } } }
            @if let Some(g) = &run.last_green {
                div { dt { "last green" } dd { "iteration " (g.iteration) @if let Some(c) = &g.commit { ", commit " (c) } " (" (place(&g.path, g.line)) ")" } }
            }
            div { dt { "agent" } dd { (run.agent) @if !run.models.is_empty() { ", " (run.models.join(", ")) } } }
        }
    }
}

fn cost(run: &RunReport) -> Markup {
    let c = &run.cost;
    html! {
        (words::spent(c))
        @if let Some(source) = c.source { " (" (source) ")" }
        @if let Some(m) = c.reported_usd { "; the log says " (m.short()) }
        @if let Some(m) = c.subagents_usd { "; of it sub-agents " (m.short()) }
        @if c.unpriced_tokens > 0 { "; " (thousands(c.unpriced_tokens)) " tokens without a price (" (c.unpriced_models.join(", ")) ")" }
    }
}

/// Where something stands, as an editor takes it.
fn place(path: &str, line: u32) -> Markup {
    html! { code.place { (terminal(path)) @if line > 0 { ":" (line) } } }
}

fn findings(run: &RunReport) -> Markup {
    html! {
        @for f in &run.findings {
            section.finding {
                h4 {
                    (f.kind.id()) @if let Some(v) = f.variant { "/" (v) }
                    " " span.more { "("
                        @if f.confidence == Confidence::Low { "suspect" } @else { (f.confidence.word()) " confidence" }
                        @if let Some((iteration, _)) = f.onset { ", from iteration " (iteration) }
                    ")" }
                }
                p { (f.summary) "." }
                (evidence(f))
                p.more { "Remedy: " (f.kind.spec().remedy)
                    @for (name, value) in &f.thresholds { " Threshold: " code { (name) " = " (value) } "." }
                }
            }
        }
    }
}

/// The first piece is shown, the others fold away.
fn evidence(f: &FindingReport) -> Markup {
    html! {
        ul.evidence { @for e in f.evidence.iter().take(1) { (piece(e)) } }
        @if f.evidence.len() > 1 {
            details.paper {
                summary { (words::count(f.evidence.len() as u64 - 1, "more piece", "more pieces")) " of evidence" }
                ul.evidence { @for e in f.evidence.iter().skip(1) { (piece(e)) } }
            }
        }
    }
}

fn piece(e: &EvidenceReport) -> Markup {
    html! {
        li {
            (place(&e.path, e.line)) " " (e.measured) @if !e.threshold.is_empty() { " against " (e.threshold) }
            @if !e.excerpt.is_empty() { pre { (e.excerpt) } }
        }
    }
}

fn pictures(section: &Section, open: bool) -> Markup {
    /// Pixels across.
    const WIDTH: u32 = 900;
    html! {
        @if !section.charts.is_empty() {
            details.paper open[open] {
                summary { "Charts: "
                    @for (k, chart) in section.charts.iter().enumerate() { @if k > 0 { ", " } (chart.id) }
                }
                @for chart in &section.charts { (picture(chart, WIDTH)) }
            }
        }
    }
}

fn silences(cx: &Context<'_>, section: &Section) -> Markup {
    html! {
        @if !section.gaps.is_empty() {
            p.more { "Heartbeat, the longest silences: "
                @for (k, (from, seconds)) in section.gaps.iter().enumerate() {
                    @if k > 0 { ", " }
                    (span(*seconds)) " from " (cx.page.time(Some(*from)))
                }
                "; horizon " (section.horizon) "."
            }
        }
    }
}

fn iterations(cx: &Context<'_>, run: &RunReport, section: &Section) -> Markup {
    let n = section.passes.len();
    if n == 0 {
        return html! {};
    }
    let cut = n.saturating_sub(ITERATIONS);
    let rows = section.passes.iter().enumerate().filter(|(k, _)| cut == 0 || *k < ITERATIONS / 2 || *k >= n - ITERATIONS / 2);
    let money = section.passes.iter().any(|p| p.usd.is_some());
    let tokens = section.passes.iter().any(|p| p.tokens.is_some());
    html! {
        details {
            summary { "Iterations (" (n) ")" @if cut > 0 { ": the first and the last " (ITERATIONS / 2) } }
            div.scroll {
                table {
                    thead { tr {
                        th.n scope="col" { "no." } th scope="col" { "began" } th.n scope="col" { "took" } th scope="col" { "check" }
                        th scope="col" { "gain" }
                        @if tokens { th.n scope="col" { "tokens" } }
                        @if money { th.n scope="col" { "cost" } }
                        th scope="col" { "written in" }
                    } }
                    tbody { @for (_, p) in rows { (iteration(cx, run, p, tokens, money)) } }
                }
            }
        }
    }
}

fn iteration(cx: &Context<'_>, run: &RunReport, p: &Pass, tokens: bool, money: bool) -> Markup {
    let check = match p.cell {
        Cell::Green => "green".to_owned(),
        Cell::Red(k) => format!("red, failure {}", letter(k)),
        Cell::NoVerdict => "no verdict".to_owned(),
        Cell::Unknown => "not judged".to_owned(),
    };
    html! {
        tr {
            th.n scope="row" { (p.number) }
            td { (p.start.map_or_else(|| "–".to_owned(), |t| t.local(cx.page.zone))) }
            td.n { (p.start.zip(p.end).map_or_else(|| "–".to_owned(), |(a, b)| span(b.seconds_since(a)))) }
            td { (check) }
            td { @if p.gain { "yes" } }
            @if tokens { td.n { (p.tokens.map_or_else(|| "–".to_owned(), thousands)) } }
            @if money { td.n { (p.usd.map_or_else(|| "–".to_owned(), Money::short)) } }
            td { @if let Some(s) = run.sources.get(p.place.source as usize) { (place(&s.path, p.place.line)) } }
        }
    }
}

fn sources(run: &RunReport) -> Markup {
    let lost: u64 = run.sources.iter().map(|s| s.lost).sum();
    let salvaged: u64 = run.sources.iter().map(|s| s.salvaged).sum();
    let lines: u64 = run.sources.iter().map(|s| s.lines).sum();
    let failed = run.sources.iter().filter(|s| s.error.is_some()).count();
    html! {
        details {
            summary {
                "Read from " (words::count(run.sources.len() as u64, "file", "files")) ": " (lines) " lines, " (salvaged) " recovered, " (lost) " lost"
                @if failed > 0 { ", " (failed) " not readable" }
            }
            div.scroll {
                table {
                    thead { tr {
                        th scope="col" { "file" } th scope="col" { "format" } th.n scope="col" { "lines" } th.n scope="col" { "recovered" }
                        th.n scope="col" { "lost" } th.n scope="col" { "repeats" } th.n scope="col" { "of unknown kind" } th scope="col" { "remarks" }
                    } }
                    tbody {
                        @for s in &run.sources {
                            tr {
                                th scope="row" { code { (terminal(&s.path)) } } td { (s.format) } td.n { (s.lines) } td.n { (s.salvaged) }
                                td.n { (s.lost) } td.n { (s.duplicates) } td.n { (s.unknown) }
                                td { @if s.torn_tail { "torn at the end " } @if let Some(e) = &s.error { (terminal(e)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
