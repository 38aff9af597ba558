//! From a trace and its diagnosis to the report that renderers see. Excerpts are fetched and made harmless here.

use crate::diagnose::{Diagnosis, Ending, Finding};
use crate::format;
use crate::report::escape;
use crate::report::model::{At, Checks, Cost, CostStatus, EvidenceReport, FindingReport, LastGreen, RunReport, SignatureCount, SourceReport, TokenReport, WasteReport};
use crate::settings::Thresholds;
use crate::trace::rows::{Colour, StepKind};
use crate::trace::{Ledger, Place, Trace};
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Characters of an excerpt.
const EXCERPT: usize = 200;
/// Characters of the failure that a table row names.
const GIST: usize = 90;
/// How many failures a run hands up for the sums over runs.
const SIGNATURES: usize = 8;

/// The report of a run.
#[must_use]
pub fn run(trace: &Trace, diagnosis: &Diagnosis, limits: &Thresholds) -> RunReport {
    let colour = |c: Colour| u32::try_from(trace.iterations.iter().filter(|i| i.colour == c).count()).unwrap_or(u32::MAX);
    let started = trace.started().or_else(|| trace.beats.first().and_then(|b| b.at));
    let ended = trace.last_event().or_else(|| trace.last_beat().and_then(|b| b.at));
    let models: BTreeSet<&str> = trace.bookings.iter().filter_map(|b| b.model).map(|m| trace.names.text(m)).collect();
    RunReport {
        run: trace.id.as_str().into(),
        agent: agent(trace),
        models: models.into_iter().map(Into::into).collect(),
        sources: trace.sources.iter().map(|s| source_report(&s.ledger, s.shown.clone(), s.format)).collect(),
        ending: diagnosis.terminal.ending,
        ending_detail: diagnosis.terminal.detail.as_deref().map(Into::into),
        mode: diagnosis.verdict.mode,
        confidence: diagnosis.verdict.confidence,
        health: diagnosis.health,
        why: why(trace, diagnosis).into(),
        findings: diagnosis.verdict.findings.iter().map(|f| finding(trace, f, limits)).collect(),
        iterations: u32::try_from(trace.iterations.len()).unwrap_or(u32::MAX),
        calls: trace.calls(),
        tool_calls: u32::try_from(trace.actions.len()).unwrap_or(u32::MAX),
        checks: Checks { green: colour(Colour::Green), red: colour(Colour::Red), no_verdict: colour(Colour::NoVerdict) },
        tokens: TokenReport { tokens: trace.tokens_from(0), under_reported: false },
        cost: cost(trace),
        waste: waste(trace, diagnosis),
        started,
        ended,
        wall_s: started.zip(ended).map(|(a, b)| b.seconds_since(a)),
        last_green: diagnosis.last_green.map(|k| {
            let row = &trace.iterations[k];
            let place = trace.verdict_place(row);
            LastGreen { iteration: row.number, commit: row.commit.map(|c| trace.names.text(c).into()), path: path(trace, place), line: place.line }
        }),
        next_action: diagnosis.next.clone(),
        baseline: None,
        signatures: signatures(trace),
        outage: trace.iterations.iter().rev().find(|i| i.colour != Colour::Unknown).filter(|i| i.colour == Colour::NoVerdict).and_then(|i| i.infra).map(|i| i.name()),
    }
}

/// What became of a source's lines.
#[must_use]
pub fn source_report(ledger: &Ledger, path: Arc<str>, format: &'static str) -> SourceReport {
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
        summary: finding.summary.as_str().into(),
        onset: finding.episode.and_then(|e| Some((trace.iteration_number(e.first)?, calls_before(trace, e.first)))),
        evidence: finding
            .evidence()
            .map(|e| EvidenceReport {
                path: path(trace, e.place),
                line: e.place.line,
                excerpt: excerpt(trace, e.place).into(),
                measured: e.measured.as_str().into(),
                threshold: e.threshold.as_str().into(),
            })
            .collect(),
        threshold: finding.threshold.and_then(|name| limits.get(name).map(|v| (name, v))),
    }
}

/// Calls up to a step, that step included.
fn calls_before(trace: &Trace, step: u32) -> u32 {
    let counts = |kind: StepKind| if trace.model_calls > 0 { matches!(kind, StepKind::ModelCall(_)) } else { kind == StepKind::AgentCall };
    u32::try_from(trace.steps.iter().take(step as usize + 1).filter(|s| counts(s.kind)).count()).unwrap_or(u32::MAX)
}

fn excerpt(trace: &Trace, place: Place) -> String {
    let Some(source) = trace.sources.get(place.source as usize) else { return String::new() };
    if place.line == 0 { String::new() } else { escape::excerpt(&source.line(trace_place(source, place)), EXCERPT) }
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

/// What a record says in a few words: the format's own gist of it, else the line.
#[must_use]
pub fn gist(trace: &Trace, place: Place, most: usize) -> String {
    let Some(source) = trace.sources.get(place.source as usize) else { return String::new() };
    let line = source.line(place);
    match format::by_id(source.format).and_then(|f| f.gist(&line)) {
        Some(gist) => escape::excerpt(gist.as_bytes(), most),
        None => String::new(),
    }
}

/// The reason in a few words: the primary finding, with the failure that it is about.
fn why(trace: &Trace, diagnosis: &Diagnosis) -> String {
    let first = diagnosis.verdict.findings.iter().find(|f| f.is_verdict() && f.kind != crate::diagnose::Kind::ParseLoss);
    let last_red = || {
        let (_, row) = trace.judged().next_back()?;
        (row.colour == Colour::Red).then(|| trace.verdict_place(row))
    };
    match (first, diagnosis.terminal.ending) {
        (Some(f), _) => {
            use crate::diagnose::Kind::{Oscillation, RandomWalk, Runaway, Stuck};
            let place = f.evidence().next().map(|e| e.place);
            let named = matches!(f.kind, Stuck | Oscillation | RandomWalk | Runaway).then_some(place).flatten().map(|p| gist(trace, p, GIST)).filter(|g| !g.is_empty());
            named.map_or_else(|| f.summary.clone(), |g| format!("{}: {g}", f.summary))
        }
        (None, Some(Ending::Succeeded)) => "green".to_owned(),
        (None, Some(Ending::Running)) => "at work".to_owned(),
        (None, _) => {
            let detail = diagnosis.terminal.detail.clone();
            let red = last_red().map(|p| gist(trace, p, GIST)).filter(|g| !g.is_empty()).map(|g| format!("last failure: {g}"));
            [detail, red].into_iter().flatten().collect::<Vec<_>>().join("; ")
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

/// What the log itself says that it cost. A figure of 0 beside tokens is no figure.
fn cost(trace: &Trace) -> Cost {
    let mut cost = Cost::default();
    let mut models = BTreeSet::new();
    for b in &trace.bookings {
        let tokens = b.tokens.total().unwrap_or(0);
        match b.reported.filter(|m| m.0 > 0 || tokens == 0) {
            Some(money) => cost.reported_usd = Some(cost.reported_usd.unwrap_or_default() + money),
            None if tokens > 0 => {
                cost.unpriced_tokens = cost.unpriced_tokens.saturating_add(tokens);
                models.extend(b.model.map(|m| trace.names.text(m)));
            }
            None => {}
        }
    }
    cost.unpriced_models = models.into_iter().map(Into::into).collect();
    cost.usd = cost.reported_usd;
    cost.source = cost.usd.map(|_| "reported");
    cost.status = match (cost.usd, cost.unpriced_tokens) {
        (None, _) => CostStatus::Unknown,
        (Some(_), 0) => CostStatus::Known,
        (Some(_), _) => CostStatus::AtLeast,
    };
    cost
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
