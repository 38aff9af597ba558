//! Many runs side by side, each iteration by its failure: the same failure has the same letter in every run.

use crate::analysis::Examined;
use crate::report::build::gist;
use crate::report::chart::runs::{counted, name};
use crate::report::chart::spec::{Barcode, Body, Cell, Chart};
use crate::trace::rows::Colour;
use std::collections::HashMap;

/// Characters of a failure's text.
const GIST: usize = 120;

/// What a barcode needs of a run, small enough to be kept of many.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    name: String,
    end: String,
    cells: Vec<(Colour, u64)>,
    failures: Vec<(u64, String)>,
}

impl Cells {
    /// Takes it from a run while its rows are there.
    #[must_use]
    pub fn of(run: &Examined) -> Self {
        let report = &run.report;
        let end = match (report.ending, report.mode) {
            (Some(ending), Some(mode)) => format!("{}, {}", ending.id(), mode.id()),
            (Some(ending), None) => ending.id().to_owned(),
            (None, Some(mode)) => mode.id().to_owned(),
            (None, None) => String::new(),
        };
        Self {
            name: name(run),
            end,
            cells: run.trace.iterations.iter().map(|i| (i.colour, i.coarse)).collect(),
            failures: report.signatures.iter().map(|s| (s.signature, gist(&run.trace, s.place, GIST))).collect(),
        }
    }

    /// Whether it has anything to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

/// The barcode of these runs, in their order; those without iterations are left out. `None` where none has any.
#[must_use]
pub fn barcode(runs: &[Cells]) -> Option<Chart> {
    let runs: Vec<&Cells> = runs.iter().filter(|r| !r.is_empty()).collect();
    let longest = runs.iter().max_by_key(|r| r.cells.len())?;
    let order = failures(&runs);
    let index: HashMap<u64, u32> = order.iter().zip(0_u32..).map(|((signature, _), k)| (*signature, k)).collect();
    let text = |signature: u64| {
        let found = runs.iter().flat_map(|r| &r.failures).find(|f| f.0 == signature && !f.1.is_empty());
        found.map_or_else(String::new, |f| f.1.clone())
    };
    let cell = |(colour, signature): &(Colour, u64)| match colour {
        Colour::Green => Cell::Green,
        Colour::Red => Cell::Red(index.get(signature).copied().unwrap_or(u32::MAX)),
        Colour::NoVerdict => Cell::NoVerdict,
        Colour::Unknown => Cell::Unknown,
    };
    let rows: Vec<(String, String, Vec<Cell>)> =
        runs.iter().map(|r| (r.name.clone(), r.end.clone(), r.cells.iter().map(cell).collect())).collect();
    let count = |colour: Colour| runs.iter().flat_map(|r| &r.cells).filter(|c| c.0 == colour).count();
    let mut words = format!(
        "{} with {}: {} green, {} red, {} without verdict, {} not judged. The longest run is {} with {}.",
        counted(runs.len(), "run"),
        counted(runs.iter().map(|r| r.cells.len()).sum(), "iteration"),
        count(Colour::Green),
        count(Colour::Red),
        count(Colour::NoVerdict),
        count(Colour::Unknown),
        longest.name,
        counted(longest.cells.len(), "iteration"),
    );
    for (k, (signature, n)) in order.iter().take(3).enumerate() {
        let text = text(*signature);
        let text = if text.is_empty() { "a failure without a text" } else { &text };
        let lead = if k == 0 { "The most frequent failure" } else { "Then" };
        words.push_str(&format!(" {lead}: {text} ({}).", counted(*n, "iteration")));
    }
    Some(Chart {
        id: "barcode".to_owned(),
        title: format!("Iterations of {}", counted(runs.len(), "run")),
        description: words,
        body: Body::Barcode(Barcode { rows, failures: order.iter().map(|(signature, _)| text(*signature)).collect() }),
    })
}

/// The failures of all runs, the most frequent first; at the same count the earlier.
fn failures(runs: &[&Cells]) -> Vec<(u64, usize)> {
    let mut counts: Vec<(u64, usize)> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    for (_, signature) in runs.iter().flat_map(|r| &r.cells).filter(|c| c.0 == Colour::Red) {
        let at = *known.entry(*signature).or_insert_with(|| {
            counts.push((*signature, 0));
            counts.len() - 1
        });
        if let Some(count) = counts.get_mut(at) {
            count.1 += 1;
        }
    }
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}
