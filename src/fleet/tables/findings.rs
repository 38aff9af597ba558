//! The columns of `findings`.

use super::view::At;
use super::{Column, column};
use crate::diagnose::Confidence;
use crate::fleet::cell::Cell;
use crate::fleet::cell::Type::{Flag, Int, Real, Text};
use crate::fleet::names;
use crate::report::model::{EvidenceReport, FindingReport};

fn of(at: At<'_>) -> Option<&FindingReport> {
    at.run.of.report.findings.get(at.row)
}

fn evidence(at: At<'_>) -> Option<&EvidenceReport> {
    of(at)?.evidence.first()
}

fn full(text: &str) -> Option<&str> {
    Some(text).filter(|t| !t.is_empty())
}

pub(super) static COLUMNS: &[Column] = &[
    column("run", Text, "", "The run's id.", |at| Cell::text(at.run.id.as_str())),
    column("finding", Int, "", "Its rank in the run, from 1, the primary one first.", |at| Cell::int(at.number())),
    column("kind", Text, "", "What was found.", |at| Cell::text(of(at).map(|f| f.kind.id()))),
    column("variant", Text, "", "Which kind of it.", |at| Cell::text(of(at).and_then(|f| f.variant))),
    column("is_mode", Flag, "", "The kind can be a run's mode.", |at| Cell::flag(of(at).map(|f| f.kind.spec().is_mode))),
    column("is_primary", Flag, "", "It is the run's mode.", |at| {
        Cell::flag(of(at).map(|f| at.row == 0 && Some(f.kind) == at.run.of.report.mode))
    }),
    column("confidence", Text, "", "high and medium are verdicts, low is a suspicion.", |at| {
        Cell::text(of(at).map(|f| f.confidence.word()))
    }),
    column("is_verdict", Flag, "", "It is no mere suspicion.", |at| Cell::flag(of(at).map(|f| f.confidence > Confidence::Low))),
    column("summary", Text, "", "In a sentence.", |at| Cell::text(of(at).map(|f| &*f.summary))),
    column("remedy", Text, "", "What to do about it.", |at| Cell::text(of(at).map(|f| f.kind.spec().remedy))),
    column("iteration", Int, "", "The number of the iteration in which it began.", |at| {
        Cell::int(of(at).and_then(|f| f.onset).map(|o| o.0))
    }),
    column("call", Int, "", "Calls up to there.", |at| Cell::int(of(at).and_then(|f| f.onset).map(|o| o.1))),
    column("threshold", Text, "", "The name of the threshold that decided.", |at| {
        Cell::text(of(at).and_then(|f| f.thresholds.first()).map(|t| t.0))
    }),
    column("threshold_value", Real, "", "Its value.", |at| Cell::real(of(at).and_then(|f| f.thresholds.first()).map(|t| t.1))),
    column("measured", Text, "", "What was measured.", |at| Cell::text(evidence(at).and_then(|e| full(&e.measured)))),
    column("measured_against", Text, "", "What it was held against.", |at| Cell::text(evidence(at).and_then(|e| full(&e.threshold)))),
    column("path", Text, "", "The file that shows it.", |at| Cell::owned(evidence(at).map(|e| names::path(&e.path)))),
    column("line", Int, "line", "The line in it; 0 for the file as a whole.", |at| Cell::int(evidence(at).map(|e| e.line))),
    column("excerpt", Text, "", "The head of that line.", |at| Cell::text(evidence(at).and_then(|e| full(&e.excerpt)))),
    column("evidence", Int, "", "Pieces of evidence; explain shows them all.", |at| Cell::int(of(at).map(|f| f.evidence.len()))),
];
