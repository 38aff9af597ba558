//! The frame: head, order of the parts, what is cut.

use crate::fleet::week::Week;
use crate::report::escape::terminal;
use crate::report::html::{compare, first, notes, run, runs};
use crate::report::model::RunReport;
use crate::report::section::Section;
use crate::trace::Time;
use base64::Engine as _;
use chrono_tz::Tz;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Bytes of sections in full; the runs after that, the less bad ones, are shown in short.
const FULL: usize = 3 << 20;
/// Runs whose charts are not folded: the worst.
const OPEN: usize = 3;
/// Bytes of sections in all.
const SECTIONS: usize = 6 << 20;

/// Characters of an id where several stand in a sentence.
const NAME: usize = 28;

/// What a page needs beside the week.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The zone of times.
    pub zone: Tz,
}

impl Page {
    pub(super) fn time(self, t: Option<Time>) -> String {
        t.map_or_else(|| "unknown".to_owned(), |t| t.local(self.zone))
    }
}

/// What the parts of a page are made from.
pub(super) struct Context<'w> {
    pub(super) week: &'w Week,
    pub(super) page: Page,
    /// The number of a run's section, by id.
    anchors: BTreeMap<&'w str, usize>,
}

impl Context<'_> {
    /// The anchor of a run's section. Ids hold anything, so sections are numbered in the order of ids.
    pub(super) fn anchor(&self, run: &str) -> Option<String> {
        self.anchors.get(run).map(|n| format!("run-{n}"))
    }

    /// A run's id, with a link to its section.
    pub(super) fn link(&self, run: &str) -> Markup {
        let name = terminal(run);
        match self.anchor(run) {
            Some(anchor) => html! { a href={ "#" (anchor) } { (name) } },
            None => html! { (name) },
        }
    }

    /// The first few ids of a list, cut where they are long.
    pub(super) fn links(&self, runs: &[Box<str>], most: usize) -> Markup {
        let short = |run: &str| {
            let name = terminal(run);
            if name.chars().count() <= NAME { name.into_owned() } else { name.chars().take(NAME - 1).chain(['…']).collect() }
        };
        html! {
            @for (k, run) in runs.iter().take(most).enumerate() {
                @if k > 0 { ", " }
                @match self.anchor(run) {
                    Some(anchor) => a href={ "#" (anchor) } title=(terminal(run)) { (short(run)) },
                    None => (short(run)),
                }
            }
            @if runs.len() > most { " and " (runs.len() - most) " more" }
        }
    }
}

/// Renders the page.
#[must_use]
pub fn render(week: &Week, page: Page) -> String {
    let anchors = week.runs.iter().enumerate().map(|(k, (r, _))| (&*r.run, k + 1)).collect();
    let cx = Context { week, page, anchors };
    let title = terminal(&week.title);
    let sections = sections(&cx);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content="loopmortem";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#runs" { "Skip to the runs" }
                header { (first::head(&cx)) }
                main {
                    (first::screen(&cx))
                    (compare::part(&cx))
                    (first::pictures(&cx))
                    (runs::table(&cx))
                    (sections)
                    (notes::failures(&cx))
                    (notes::honest(&cx))
                    (notes::legend(&cx))
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

/// Only what stands in this file may run or style: by the hashes of both.
fn policy() -> String {
    let hash = |text: &str| base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// A section a run, the worst first, within the budget.
fn sections(cx: &Context<'_>) -> Markup {
    let order: Vec<&(RunReport, Section)> = cx.week.worst_first();
    let (mut parts, mut bytes, mut short, mut cut) = (Vec::new(), 0, 0_u64, 0_u64);
    for (rank, (report, section)) in order.into_iter().enumerate() {
        let mut part = if bytes < FULL { Some(run::full(cx, report, section, rank < OPEN)) } else { None };
        if part.as_ref().is_none_or(|p| bytes + p.0.len() > FULL) {
            let brief = run::brief(cx, report);
            if bytes + brief.0.len() > SECTIONS {
                cut += 1;
                continue;
            }
            short += 1;
            part = Some(brief);
        }
        if let Some(part) = part {
            bytes += part.0.len();
            parts.push(part);
        }
    }
    html! {
        section aria-labelledby="each" {
            h2 #each { "Run by run" }
            @if short + cut > 0 {
                p.note {
                    "To keep this file small, "
                    @if short > 0 { (short) " of the less bad runs are shown in short" }
                    @if short > 0 && cut > 0 { " and " }
                    @if cut > 0 { (cut) " are left out here (they stand in the table)" }
                    ": " code { "loopmortem explain RUN" } " shows each in full."
                }
            }
            @for part in parts { (part) }
        }
    }
}
