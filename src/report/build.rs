//! From a trace and its diagnosis to the report that renderers see. Excerpts are fetched and made harmless here.

use crate::cost::{self, RunCost};
use crate::diagnose::{Diagnosis, Ending, Finding, Kind, NextAction};
use crate::format;
use crate::format::json::hash;
use crate::report::escape;
use crate::report::model::{
    At, Checks, Cost, CostStatus, EvidenceReport, FindingReport, LastGreen, RunReport, SignatureCount, SourceReport, TokenReport,
    WasteReport,
};
use crate::settings::Thresholds;
use crate::trace::event::MarkKind;
use crate::trace::rows::Colour;
use crate::trace::tool::ToolClass;
use crate::trace::{Ledger, Place, Trace};
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Characters of a sentence.
const SENTENCE: usize = 400;
/// Characters of an excerpt.
const EXCERPT: usize = 200;
/// Characters of the failure that a table row names.
const GIST: usize = 90;
/// Texts of a trace are at most this long; one cut at a character may be three bytes shorter.
const HEAD: usize = 240;
/// How many failures a run hands up for the sums over runs.
const SIGNATURES: usize = 6;

/// Findings that are worth knowing and say nothing of how a run fared.
const BESIDE: &[Kind] = &[Kind::ParseLoss, Kind::ContextGrowth, Kind::BlastRadius, Kind::CostMismatch];

/// The report of a run.
#[must_use]
pub fn run(trace: &Trace, diagnosis: &Diagnosis, spent: &RunCost, limits: &Thresholds) -> RunReport {
    let colour = |c: Colour| u32::try_from(trace.iterations.iter().filter(|i| i.colour == c).count()).unwrap_or(u32::MAX);
    let started = trace.started().or_else(|| trace.beats.first().and_then(|b| b.at));
    let ended = trace.last_event().or_else(|| trace.last_beat().and_then(|b| b.at));
    let detail = detail(trace, diagnosis);
    let reason = match (&detail, &diagnosis.terminal.detail) {
        (Some(shown), Some(raw)) if diagnosis.next.reason == *raw => shown.clone(),
        _ => inert(&diagnosis.next.reason),
    };
    let models: BTreeSet<&str> = trace.bookings.iter().filter_map(|b| b.model).map(|m| trace.names.text(m)).collect();
    RunReport {
        run: trace.id.as_str().into(),
        agent: agent(trace),
        models: models.into_iter().map(inert).collect(),
        sources: trace.sources.iter().map(|s| source_report(&s.ledger, s.shown.clone(), s.format, s.kept)).collect(),
        ending: diagnosis.terminal.ending,
        ending_detail: detail.clone(),
        mode: diagnosis.verdict.mode,
        confidence: diagnosis.verdict.confidence,
        health: diagnosis.health,
        why: inert(&why(trace, diagnosis, detail.as_deref())),
        findings: diagnosis.verdict.findings.iter().map(|f| finding(trace, f, limits)).collect(),
        iterations: u32::try_from(trace.iterations.len()).unwrap_or(u32::MAX),
        calls: trace.calls(),
        tool_calls: u32::try_from(trace.actions.len()).unwrap_or(u32::MAX),
        gain: diagnosis.gain.letters().map(Into::into),
        checks: Checks { green: colour(Colour::Green), red: colour(Colour::Red), no_verdict: colour(Colour::NoVerdict) },
        tokens: TokenReport { tokens: trace.tokens_from(0), under_reported: trace.under_reported },
        cost: cost(trace, spent),
        waste: waste(trace, diagnosis),
        started,
        ended,
        wall_s: started.zip(ended).map(|(a, b)| b.seconds_since(a)),
        last_green: diagnosis.last_green.map(|k| {
            let row = &trace.iterations[k];
            let place = trace.verdict_place(row);
            LastGreen {
                iteration: row.number,
                commit: row.commit.map(|c| inert(trace.names.text(c))),
                path: path(trace, place),
                line: place.line,
            }
        }),
        next_action: NextAction { kind: diagnosis.next.kind, reason: reason.into() },
        baseline: None,
        signatures: signatures(trace),
        execution: trace.execution,
        workspace: trace.workspace.as_str().into(),
        task: trace.marks.iter().find(|m| m.kind == MarkKind::Person).map(|m| hash(m.text.as_bytes())),
        changed: trace.actions.iter().any(|a| a.class == ToolClass::Edit && a.ok != Some(false)),
        outage: trace
            .iterations
            .iter()
            .rev()
            .find(|i| i.colour != Colour::Unknown)
            .filter(|i| i.colour == Colour::NoVerdict)
            .and_then(|i| i.infra)
            .map(|i| i.name()),
    }
}

/// Words of ours may hold words of a log: a tool's name, a phase, a reason.
fn inert(text: &str) -> Box<str> {
    escape::excerpt(text.as_bytes(), SENTENCE).into()
}

/// What the ending says of itself. Where it is the text of a stop, the trace may have kept only its head.
fn detail(trace: &Trace, diagnosis: &Diagnosis) -> Option<Box<str>> {
    let raw = diagnosis.terminal.detail.as_deref()?;
    let was_cut = trace.ends.iter().any(|e| e.text.len() + 3 >= HEAD && e.text.trim_end().len() == e.text.len() && e.text.trim() == raw);
    Some(escape::cut_excerpt(raw.as_bytes(), SENTENCE, was_cut).into())
}

/// What became of a source's lines.
#[must_use]
pub fn source_report(ledger: &Ledger, path: Arc<str>, format: &'static str, kept: Option<&'static str>) -> SourceReport {
    SourceReport {
        path,
        format,
        bytes: ledger.bytes,
        lines: ledger.lines,
        salvaged: ledger.salvaged,
        lost: ledger.lost,
        duplicates: ledger.duplicates,
        torn_tail: ledger.torn_tail,
        blank: ledger.blank,
        unknown: ledger.unknown,
        lost_bytes: ledger.lost_bytes,
        kept,
        error: None,
    }
}

/// The format that tells the run's course: the first log, else the first source.
fn agent(trace: &Trace) -> &'static str {
    let is_log = |id: &str| format::by_id(id).is_some_and(|f| f.role() == format::Role::Log);
    trace.sources.iter().map(|s| s.format).find(|id| is_log(id)).or(trace.sources.first().map(|s| s.format)).unwrap_or("")
}

fn path(trace: &Trace, place: Place) -> Arc<str> {
    trace.sources.get(place.source as usize).map_or_else(|| "".into(), |s| s.shown.clone())
}

fn finding(trace: &Trace, finding: &Finding, limits: &Thresholds) -> FindingReport {
    FindingReport {
        kind: finding.kind,
        variant: finding.variant,
        confidence: finding.confidence,
        summary: inert(&finding.summary),
        onset: finding.episode.and_then(|e| Some((trace.iteration_number(e.first)?, calls_before(trace, e.first)))),
        evidence: finding
            .evidence()
            .map(|e| EvidenceReport {
                path: path(trace, e.place),
                line: e.place.line,
                excerpt: excerpt(trace, e.place).into(),
                measured: inert(&e.measured),
                threshold: inert(&e.threshold),
            })
            .collect(),
        thresholds: finding.thresholds.iter().filter_map(|name| limits.get(name).map(|v| (*name, v))).collect(),
    }
}

/// Calls up to a step, that step included.
fn calls_before(trace: &Trace, step: u32) -> u32 {
    u32::try_from(trace.steps.iter().take(step as usize + 1).filter(|s| trace.is_call(s.kind)).count()).unwrap_or(u32::MAX)
}

fn excerpt(trace: &Trace, place: Place) -> String {
    let Some(source) = trace.sources.get(place.source as usize) else { return String::new() };
    if place.line == 0 {
        return String::new();
    }
    // A session's record begins with its envelope: what was said or printed stands far behind.
    let session = format::by_id(source.format).is_some_and(|f| matches!(f.role(), format::Role::Transcript | format::Role::Stream));
    if let Some((gist, was_cut)) = session.then(|| words(trace, place)).flatten() {
        return escape::cut_excerpt(gist.as_bytes(), EXCERPT, was_cut);
    }
    let (line, was_cut) = source.line(trace_place(source, place));
    escape::cut_excerpt(&line, EXCERPT, was_cut)
}

/// A place whose line is known but not its offset is found by counting.
fn trace_place(source: &crate::trace::Source, place: Place) -> Place {
    match &source.text {
        crate::trace::SourceText::Kept(bytes) if place.offset == 0 && place.line > 1 => {
            let offset = memchr::memchr_iter(b'\n', bytes).nth(place.line as usize - 2).map_or(0, |at| at as u64 + 1);
            Place { offset, ..place }
        }
        _ => place,
    }
}

/// What a record says in a few words: the format's own gist of it; nothing where it has none.
#[must_use]
pub fn gist(trace: &Trace, place: Place, most: usize) -> String {
    words(trace, place).map_or_else(String::new, |(text, was_cut)| escape::cut_excerpt(text.as_bytes(), most, was_cut))
}

fn words(trace: &Trace, place: Place) -> Option<(String, bool)> {
    let source = trace.sources.get(place.source as usize)?;
    format::gist_at(source, trace_place(source, place))
}

/// The reason in a few words: the primary finding, with the failure that it is about.
fn why(trace: &Trace, diagnosis: &Diagnosis, detail: Option<&str>) -> String {
    let first = diagnosis.verdict.findings.iter().find(|f| f.is_verdict() && !BESIDE.contains(&f.kind));
    let last_red = || {
        let (_, row) = trace.judged().next_back()?;
        (row.colour == Colour::Red).then(|| trace.verdict_place(row))
    };
    match (first, diagnosis.terminal.ending) {
        (Some(f), _) => {
            use crate::diagnose::Kind::{FalseDone, Oscillation, RandomWalk, Runaway, SilentDeath, Stuck};
            let Some(e) = f.evidence().next() else { return f.summary.clone() };
            let place = match f.kind {
                Stuck | Oscillation | RandomWalk => Some(e.place),
                SilentDeath | FalseDone | Runaway => last_red(),
                _ => None,
            };
            let failure = place.map(|p| gist(trace, p, GIST)).filter(|g| !g.is_empty());
            match (f.kind.spec().is_mode, failure) {
                (true, Some(g)) => format!("{}: {g}", e.measured),
                (true, None) => e.measured.clone(),
                (false, _) => f.summary.clone(),
            }
        }
        (None, Some(Ending::Succeeded)) => "green".to_owned(),
        (None, Some(Ending::Running)) => "at work".to_owned(),
        (None, _) => {
            let detail = detail.map(ToOwned::to_owned);
            let red = last_red().map(|p| gist(trace, p, GIST)).filter(|g| !g.is_empty()).map(|g| format!("last failure: {g}"));
            let said = [detail, red].into_iter().flatten().collect::<Vec<_>>().join("; ");
            if said.is_empty() { diagnosis.next.reason.clone() } else { said }
        }
    }
}

fn waste(trace: &Trace, diagnosis: &Diagnosis) -> WasteReport {
    let w = &diagnosis.waste;
    WasteReport {
        state: w.state,
        usd: w.usd,
        tokens: w.tokens,
        seconds: w.seconds,
        dead_s: w.dead_s,
        after: w.after.map(|(iteration, place)| At { iteration, path: path(trace, place), line: place.line }),
    }
}

fn cost(trace: &Trace, run: &RunCost) -> Cost {
    let status = run.sum.status();
    Cost {
        status: match status {
            cost::Cost::Known(_) => CostStatus::Known,
            cost::Cost::AtLeast(_) => CostStatus::AtLeast,
            cost::Cost::Unknown => CostStatus::Unknown,
        },
        usd: status.money(),
        reported_usd: run.reported,
        subagents_usd: trace.bookings.iter().filter(|b| b.side).filter_map(|b| b.spent).reduce(|a, b| a + b),
        source: run.source(),
        unpriced_tokens: run.sum.unpriced_tokens,
        unpriced_models: run.sum.unpriced_models.iter().map(|m| inert(m)).collect(),
    }
}

/// The run's most frequent failures.
fn signatures(trace: &Trace) -> Vec<SignatureCount> {
    let mut order: Vec<SignatureCount> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    for row in trace.iterations.iter().filter(|i| matches!(i.colour, Colour::Red | Colour::NoVerdict) && i.coarse != 0) {
        let at = *known.entry(row.coarse).or_insert_with(|| {
            order.push(SignatureCount { signature: row.coarse, count: 0, place: trace.verdict_place(row) });
            order.len() - 1
        });
        order[at].count += 1;
    }
    order.sort_by_key(|s| std::cmp::Reverse(s.count));
    order.truncate(SIGNATURES);
    order.shrink_to_fit();
    order
}
