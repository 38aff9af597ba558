//! The course of a run as a strip of letters: equal letters are equal failures. It reads as text where nothing is styled.

use crate::report::chart::spec::Cell;
use crate::report::section::{Pass, Section};
use crate::report::strip::{letter, sign};
use maud::{Markup, html};

/// Iterations that are shown; of more the first and the last.
const CELLS: usize = 240;

/// The class of a cell: failures take turns in eight colours, by letter.
fn class(cell: Cell) -> String {
    match cell {
        Cell::Green => "c g".to_owned(),
        Cell::Red(index) => format!("c f{}", index % 8),
        Cell::NoVerdict => "c v".to_owned(),
        Cell::Unknown => "c u".to_owned(),
    }
}

pub(super) fn strip(section: &Section) -> Markup {
    let passes = &section.passes;
    if passes.is_empty() {
        return html! {};
    }
    let (head, tail) = if passes.len() > CELLS {
        (passes.get(..CELLS / 2).unwrap_or(passes), passes.get(passes.len() - CELLS / 2..).unwrap_or(&[]))
    } else {
        (&passes[..], &[][..])
    };
    let count = |fits: fn(Cell) -> bool| passes.iter().filter(|p| fits(p.cell)).count();
    let words = format!(
        "{} iterations: {} red, {} green, {} without verdict, {} not judged; {} with gain",
        passes.len(),
        count(|c| matches!(c, Cell::Red(_))),
        count(|c| c == Cell::Green),
        count(|c| c == Cell::NoVerdict),
        count(|c| c == Cell::Unknown),
        passes.iter().filter(|p| p.gain).count()
    );
    html! {
        p.strip {
            span.word { (words) ": " }
            span.cells aria-hidden="true" {
                (cells(head))
                @if !tail.is_empty() { span.gap { " … " (passes.len() - CELLS) " more … " } (cells(tail)) }
            }
        }
        (legend(section))
    }
}

fn cells(passes: &[Pass]) -> Markup {
    html! {
        @for p in passes {
            span class=(class(p.cell)) title={ "iteration " (p.number) @if p.gain { ", gain" } } { (sign(p.cell)) @if p.gain { i { "+" } } }
        }
    }
}

/// What the letters stand for, the most frequent first.
fn legend(section: &Section) -> Markup {
    let mut told: Vec<(u32, &crate::report::section::Failure)> =
        (0_u32..).zip(&section.failures).filter(|(_, f)| !f.text.is_empty()).collect();
    told.sort_by_key(|(k, f)| (std::cmp::Reverse(f.count), *k));
    let more = section.failures.len().saturating_sub(told.len());
    html! {
        @if !told.is_empty() {
            ul.letters {
                @for (k, f) in told {
                    li { span class=(class(Cell::Red(k))) { (letter(k)) } " " (f.count) "× " code { (f.text) } }
                }
                @if more > 0 { li { "… and " (more) " more failures" } }
            }
        }
    }
}
