//! From paths to reports: the pipeline, run by run and in parallel. The order of the result never depends on the
//! number of threads or the order of a directory.

use crate::cost::baseline::Baseline;
use crate::cost::{self, Prices};
use crate::diagnose::{self, Kind, Norms, Peers};
use crate::error::ReadError;
use crate::fleet::{Fleet, PeerBook, may_be_of_one};
use crate::format::{self, Format};
use crate::input::{self, Apart, Discovery, Found, Group, Lines, Opened};
use crate::report::baseline::{self, Beside};
use crate::report::build;
use crate::report::model::{PriceList, RunReport, SourceReport, Summary, Triage};
use crate::settings::Thresholds;
use crate::trace::judge::OwnJudge;
use crate::trace::{Builder, Ledger, Source, SourceText, Time, Trace};
use rayon::prelude::*;
use std::collections::HashMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;

/// What an analysis needs to know.
#[derive(Clone)]
pub struct Options {
    /// The thresholds in force.
    pub thresholds: Thresholds,
    /// The observation time.
    pub as_of: Time,
    /// Read named files and standard input as this format.
    pub format: Option<&'static dyn Format>,
    /// Commands that are checks by the user's own word.
    pub judges: Arc<[OwnJudge]>,
    /// What models cost.
    pub prices: Arc<Prices>,
    /// The manual runs that runs are held against.
    pub baseline: Option<Arc<Baseline>>,
    /// What is no input although it may lie within.
    pub apart: Apart,
}

/// One run with everything that is known of it, for `explain`.
pub struct Examined {
    /// Its rows.
    pub trace: Trace,
    /// Its diagnosis.
    pub diagnosis: diagnose::Diagnosis,
    /// Its report.
    pub report: RunReport,
}

/// How many groups are at work at once; the reports of one batch are handed on before the next begins, so that memory
/// does not grow with the number of runs.
const BATCH: usize = 1024;

/// What was kept of a run; of one that is not wanted its report, which still counts among its loop's peers.
type Kept<T> = Result<(RunReport, T), Box<RunReport>>;

/// What was kept of a group's runs, and what could not be read.
type ReadGroup<T> = (Vec<Kept<T>>, Vec<Fault>);

fn report_of<T>(run: &Kept<T>) -> &RunReport {
    match run {
        Ok((report, _)) => report,
        Err(report) => report,
    }
}

/// Reads and diagnoses everything under `paths`, handing each run's report to `sink` in the order of ids. `tick` is
/// called after each group of files, with how many there are.
///
/// # Errors
/// The sink's; the analysis then stops.
pub fn triage_each<E>(
    paths: &[PathBuf],
    options: &Options,
    tick: &(dyn Fn(u64) + Sync),
    mut sink: impl FnMut(RunReport) -> Result<(), E>,
) -> Result<Summary, E> {
    examine_each(paths, options, tick, |examined| (examined.report, ()), |report, ()| sink(report))
}

/// The same for those who need more of a run than its report: `keep` takes it from the rows, in parallel, before they
/// are dropped.
///
/// # Errors
/// The sink's; the analysis then stops.
pub fn examine_each<T: Send, E>(
    paths: &[PathBuf],
    options: &Options,
    tick: &(dyn Fn(u64) + Sync),
    keep: impl Fn(Examined) -> (RunReport, T) + Sync,
    sink: impl FnMut(RunReport, T) -> Result<(), E>,
) -> Result<Summary, E> {
    examine_where(paths, options, tick, |_| true, keep, sink).map(|(summary, _)| summary)
}

/// The same for the runs that are `wanted`; the others count in no sum. Their ids are returned, in order.
///
/// # Errors
/// The sink's; the analysis then stops.
pub fn examine_where<T: Send, E>(
    paths: &[PathBuf],
    options: &Options,
    tick: &(dyn Fn(u64) + Sync),
    wanted: impl Fn(&RunReport) -> bool + Sync,
    keep: impl Fn(Examined) -> (RunReport, T) + Sync,
    mut sink: impl FnMut(RunReport, T) -> Result<(), E>,
) -> Result<(Summary, Vec<Box<str>>), E> {
    let mut left_out = Vec::new();
    let (mut groups, discovery) = find(paths, options);
    groups.sort_by(|a, b| a.id.cmp(&b.id));
    let total = groups.len() as u64;
    let mut errors: Vec<String> = discovery.errors.iter().map(ToString::to_string).collect();
    let mut fleet = Fleet::new(discovery.passed_over, discovery.unread);
    let beside = beside(&groups, options);
    let mut peers = PeerBook::default();
    for (batch, part) in groups.chunks(BATCH).enumerate() {
        let look = |group: &Group, peers: &HashMap<Box<str>, Peers>| {
            let (traces, faults) = read_group(group, options);
            let told = traces.into_iter().filter(|t| tells(t, group));
            let take = |examined: Examined| if wanted(&examined.report) { Ok(keep(examined)) } else { Err(Box::new(examined.report)) };
            let kept = told.map(|trace| take(examine(trace, &faults, options, beside.as_ref(), peers))).collect();
            (kept, faults)
        };
        let mut read: Vec<ReadGroup<T>> = part
            .par_iter()
            .map(|group| {
                let seen = look(group, &HashMap::new());
                tick(total);
                seen
            })
            .collect();
        // What the same loop's green runs took is known only now. The few runs of which it changes what is said are read
        // once more, so that no trace has to be kept.
        read.iter().flat_map(|(kept, _)| kept).for_each(|run| peers.add(report_of(run)));
        let again: Vec<(usize, HashMap<Box<str>, Peers>)> = (read.iter().zip(part).enumerate())
            .map(|(k, ((kept, _), group))| (k, group, concerned(kept.iter().map(report_of), &mut peers, options)))
            .filter(|(_, group, known)| !known.is_empty() && group.files.iter().all(|f| f.path().is_file()))
            .map(|(k, _, known)| (k, known))
            .collect();
        let anew: Vec<(usize, ReadGroup<T>)> = again.par_iter().filter_map(|(k, known)| Some((*k, look(part.get(*k)?, known)))).collect();
        for (k, seen) in anew {
            if let Some(slot) = read.get_mut(k) {
                *slot = seen;
            }
        }
        for (k, (kept, faults)) in read.into_iter().enumerate() {
            errors.extend(faults.iter().map(|(_, e)| e.to_string()));
            for run in kept {
                match run {
                    Ok((report, rest)) => {
                        fleet.add(&report, batch * BATCH + k);
                        sink(report, rest)?;
                    }
                    Err(report) => left_out.push(report.run),
                }
            }
        }
    }
    let over = fleet.finish(&groups, &options.thresholds);
    let summary = Summary {
        common_causes: over.common_causes,
        restarted_after_done: over.restarted_after_done,
        never_started: None,
        top_signatures: over.top_signatures,
        totals: over.totals,
        errors,
        as_of: options.as_of,
        thresholds: options.thresholds.clone(),
        prices: PriceList::of(&options.prices),
    };
    Ok((summary, left_out))
}

/// The same with all reports kept.
#[must_use]
pub fn triage(paths: &[PathBuf], options: &Options, tick: &(dyn Fn(u64) + Sync)) -> Triage {
    let mut runs = Vec::new();
    let result: Result<Summary, Infallible> = triage_each(paths, options, tick, |run| {
        runs.push(run);
        Ok(())
    });
    match result {
        Ok(summary) => Triage { runs, summary },
        Err(never) => match never {},
    }
}

/// What a look for one run found.
#[derive(Default)]
pub struct Matching {
    /// The runs, read. More than one only where a log holds several.
    pub examined: Vec<Examined>,
    /// What could not be read.
    pub errors: Vec<String>,
    /// The ids of several runs that fit equally well, none of which was read; or, where none fits, of those that come near.
    pub candidates: Vec<Box<str>>,
}

/// The run under `paths` that `wanted` names (see [`input::fitting`]); all of them where nothing is wanted.
#[must_use]
pub fn examine_matching(paths: &[PathBuf], options: &Options, wanted: Option<&str>) -> Matching {
    let (groups, discovery) = find(paths, options);
    let mut errors: Vec<String> = discovery.errors.iter().map(ToString::to_string).collect();
    let chosen: Vec<&Group> = match wanted {
        None => groups.iter().collect(),
        Some(wanted) => {
            let (fitting, near) = input::fitting(wanted, groups.iter().map(|g| &*g.id));
            if fitting.len() != 1 {
                let candidates = if fitting.is_empty() { near } else { fitting };
                return Matching { errors, candidates: candidates.into_iter().map(Into::into).collect(), ..Matching::default() };
            }
            groups.iter().filter(|g| fitting.contains(&&*g.id)).collect()
        }
    };
    let mut examined = Vec::new();
    let beside = beside(&groups, options);
    for group in chosen {
        let look = |peers: &HashMap<Box<str>, Peers>| {
            let (traces, faults) = read_group(group, options);
            let part: Vec<Examined> = traces.into_iter().map(|t| examine(t, &faults, options, beside.as_ref(), peers)).collect();
            (part, faults)
        };
        let (mut part, mut faults) = look(&HashMap::new());
        // One run is judged as it is among all of them, but the others are read only where they may matter.
        if part.iter().any(|e| PeerBook::may_concern(&e.report, &options.thresholds)) {
            let mut book = same_loop(&groups, group, options);
            let known = concerned(part.iter().map(|e| &e.report), &mut book, options);
            if !known.is_empty() {
                (part, faults) = look(&known);
            }
        }
        let exact = wanted.filter(|w| part.iter().any(|e| e.trace.id == *w));
        examined.extend(part.into_iter().filter(|e| exact.is_none_or(|w| e.trace.id == w)));
        errors.extend(faults.into_iter().map(|(_, e)| e.to_string()));
    }
    Matching { examined, errors, candidates: Vec::new() }
}

fn find(paths: &[PathBuf], options: &Options) -> (Vec<Group>, Discovery) {
    let mut discovery = input::discover(paths, input::Options { format: options.format, apart: Some(&options.apart) });
    let groups = input::group(std::mem::take(&mut discovery.files), paths);
    (groups, discovery)
}

/// A file that is only called like a budget or a heartbeat, beside no log, is no run.
fn tells(trace: &Trace, group: &Group) -> bool {
    let log = group.files.iter().any(|f| f.format.role() != format::Role::Companion || f.below.is_empty());
    log || !trace.steps.is_empty()
        || !trace.beats.is_empty()
        || !trace.states.is_empty()
        || trace.budget.as_ref().is_some_and(|b| !b.limits.is_empty())
}

/// The baseline, where there is one, with the runs that it is about.
fn beside(groups: &[Group], options: &Options) -> Option<Beside> {
    let baseline = options.baseline.as_ref()?;
    Some(Beside::new(baseline, groups.iter().map(|g| g.id.as_str())))
}

/// The runs of which the green runs of their loop change what is said, with what those took.
fn concerned<'r>(reports: impl Iterator<Item = &'r RunReport>, peers: &mut PeerBook, options: &Options) -> HashMap<Box<str>, Peers> {
    reports.filter_map(|r| Some((r.run.clone(), peers.concerning(r, &options.thresholds)?))).collect()
}

/// The green runs of the loop that a group's runs may be of.
fn same_loop(groups: &[Group], of: &Group, options: &Options) -> PeerBook {
    let known = |g: &Group| g.files.iter().map(|f| f.format.role()).min_by_key(|role| *role != format::Role::Log);
    let of = (of.id.as_str(), known(of).unwrap_or(format::Role::Companion));
    let others: Vec<&Group> = groups.iter().filter(|g| known(g).is_some_and(|role| may_be_of_one(of, (&g.id, role)))).collect();
    let none = HashMap::new();
    let reports: Vec<Vec<RunReport>> = others
        .par_iter()
        .map(|g| read_group(g, options).0.into_iter().map(|trace| examine(trace, &[], options, None, &none).report).collect())
        .collect();
    let mut book = PeerBook::default();
    reports.iter().flatten().for_each(|report| book.add(report));
    book
}

/// A fault in one source, with the source's name as it is shown.
type Fault = (Arc<str>, ReadError);

fn examine(mut trace: Trace, faults: &[Fault], options: &Options, beside: Option<&Beside>, peers: &HashMap<Box<str>, Peers>) -> Examined {
    let spent = cost::of_run(&mut trace, &options.prices);
    let norms = Norms { baseline: beside.and_then(|b| b.norm(&trace.id)), peers: peers.get(trace.id.as_str()).copied() };
    let diagnosis = diagnose::diagnose_against(&trace, &options.thresholds, options.as_of, norms);
    let mut report = build::run(&trace, &diagnosis, &spent, &options.thresholds);
    if let Some(beside) = beside {
        let run = baseline::measure(&trace, &report, &options.thresholds, &baseline::price_list(&options.prices));
        let anomaly = diagnosis.verdict.findings.iter().any(|f| f.kind == Kind::BaselineAnomaly);
        report.baseline = beside.report(&trace.id, &run, &report.models, anomaly).map(Box::new);
    }
    for (shown, error) in faults {
        let error: Box<str> = error.to_string().into();
        match report.sources.iter_mut().find(|s| s.path == *shown) {
            Some(source) => source.error = Some(error),
            None => report
                .sources
                .push(SourceReport { error: Some(error), ..build::source_report(&Ledger::default(), shown.clone(), "", None) }),
        }
    }
    Examined { trace, diagnosis, report }
}

/// Reads the files of one group. A file that cannot be read costs itself, not the group.
fn read_group(group: &Group, options: &Options) -> (Vec<Trace>, Vec<Fault>) {
    let mut builder = Builder::with_judges(options.judges.clone());
    let mut faults = Vec::new();
    for found in &group.files {
        if let Err(fault) = read_file(found, &mut builder) {
            faults.push(fault);
        }
    }
    let mut traces = builder.finish();
    let many = traces.len() > 1;
    for (k, trace) in traces.iter_mut().enumerate() {
        trace.execution = u32::try_from(k + 1).ok().filter(|_| many);
        trace.id = trace.execution.map_or_else(|| group.id.clone(), |n| format!("{}#{n}", group.id));
    }
    (traces, faults)
}

/// How a file is named in reports: below its argument, or as the user gave it.
fn shown(found: &Found) -> Arc<str> {
    if found.below.is_empty() { found.root.display().to_string().into() } else { (&*found.below).into() }
}

fn read_file(found: &Found, builder: &mut Builder) -> Result<(), Fault> {
    let shown = shown(found);
    let file = found.path();
    let path = file.display().to_string();
    let io = |e: &std::io::Error| (shown.clone(), ReadError::Io { path: path.clone(), reason: e.to_string() });
    let mut buffer = Vec::new();
    let opened = input::open(&file, &mut buffer).map_err(|e| io(&e))?;
    let modified = opened
        .modified
        .and_then(|m| m.duration_since(std::time::UNIX_EPOCH).ok())
        .and_then(|d| i64::try_from(d.as_millis()).ok())
        .map(Time);
    let text = match opened.content {
        Opened::Whole => SourceText::Kept(Arc::new(Vec::new())),
        Opened::Stream(_) if found.guessed || file.as_os_str() == input::STDIN => SourceText::Heads(Arc::default()),
        Opened::Stream(_) => SourceText::File(file.clone()),
    };
    builder.open_source(Source { shown: shown.clone(), format: found.format.id(), ledger: Ledger::default(), text, modified, kept: None });
    let (result, consumed) = {
        let mut lines = match opened.content {
            Opened::Whole => Lines::in_memory(&mut buffer),
            Opened::Stream(reader) => Lines::streamed(reader, &mut buffer),
        };
        let mut format = found.format;
        if found.guessed {
            let seen = lines.head(format::HEAD).map_err(|e| io(&e))?;
            match format::by_content(seen) {
                Some((known, _)) => format = known,
                // As much of a file would not be read on either.
                None if seen.len() >= format::HEAD => {
                    return Err((shown, ReadError::UnknownFormat { path, hint: "no line is a known record" }));
                }
                None => {}
            }
            if let Some(source) = builder.source() {
                source.format = format.id();
            }
        }
        (format.decode(&mut lines, builder), lines.consumed())
    };
    let Some(source) = builder.source() else { return Ok(()) };
    source.ledger.bytes += consumed;
    if let SourceText::Kept(_) = source.text {
        source.text = SourceText::Kept(Arc::new(buffer));
    }
    if source.ledger.torn_tail {
        // A writer that is still at work leaves a torn line too.
        let now = std::fs::metadata(&file).map_or(0, |m| m.len());
        source.ledger.grew = input::compression(&file).is_none() && now > consumed;
    }
    if let Err(e) = result {
        source.ledger.cut_off = true;
        return Err(io(&e));
    }
    let ledger = &source.ledger;
    if ledger.read + ledger.salvaged == 0 && ledger.lost > 0 {
        let fault = ledger.faults.first();
        let line = fault.map_or(1, |f| f.place.line);
        let reason = fault.map_or("nothing could be read", |f| f.kind.words()).to_owned();
        return Err((shown.clone(), ReadError::Malformed { path, line, format: found.format.id(), reason }));
    }
    Ok(())
}
