//! From paths to reports: the pipeline, run by run and in parallel. The order of the result never depends on the
//! number of threads or the order of a directory.

use crate::cost::{self, Prices};
use crate::diagnose;
use crate::error::ReadError;
use crate::fleet::Fleet;
use crate::format::{self, Format};
use crate::input::{self, Discovery, Found, Group, Lines, Opened};
use crate::report::build;
use crate::report::model::{PriceList, RunReport, SourceReport, Summary, Triage};
use crate::settings::Thresholds;
use crate::trace::judge::OwnJudge;
use crate::trace::{Builder, Ledger, Source, SourceText, Time, Trace};
use rayon::prelude::*;
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

/// What was kept of a group's runs (of one that is not wanted its id), and what could not be read.
type ReadGroup<T> = (Vec<Result<(RunReport, T), Box<str>>>, Vec<Fault>);

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
    let mut fleet = Fleet::new(discovery.passed_over);
    for (batch, part) in groups.chunks(BATCH).enumerate() {
        let read: Vec<ReadGroup<T>> = part
            .par_iter()
            .map(|group| {
                let (traces, faults) = read_group(group, options);
                let take = |examined: Examined| if wanted(&examined.report) { Ok(keep(examined)) } else { Err(examined.report.run) };
                let kept = traces.into_iter().filter(|t| tells(t, group)).map(|trace| take(examine(trace, &faults, options))).collect();
                tick(total);
                (kept, faults)
            })
            .collect();
        for (k, (kept, faults)) in read.into_iter().enumerate() {
            errors.extend(faults.iter().map(|(_, e)| e.to_string()));
            for run in kept {
                match run {
                    Ok((report, rest)) => {
                        fleet.add(&report, batch * BATCH + k);
                        sink(report, rest)?;
                    }
                    Err(id) => left_out.push(id),
                }
            }
        }
    }
    let (totals, common_causes, top_signatures) = fleet.finish(&groups, &options.thresholds);
    let summary = Summary {
        common_causes,
        top_signatures,
        totals,
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

/// The runs under `paths` whose id fits `wanted`: equal to it, or ending in it, or holding it.
#[must_use]
pub fn examine_matching(paths: &[PathBuf], options: &Options, wanted: Option<&str>) -> (Vec<Examined>, Vec<String>) {
    let (groups, discovery) = find(paths, options);
    let mut errors: Vec<String> = discovery.errors.iter().map(ToString::to_string).collect();
    // An id as it stands comes first; one with a number behind `#` may be an execution within a log.
    let stem =
        |id: &str| id.rsplit_once('#').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit())).map_or(id, |(stem, _)| stem).to_owned();
    let fits = |id: &str, level: u8| match (wanted, level) {
        (None, _) => true,
        (Some(w), 0) => id == w,
        (Some(w), 1) => id == stem(w),
        (Some(w), 2) => id.ends_with(w),
        (Some(w), _) => id.contains(w),
    };
    let level = (0..4).find(|level| groups.iter().any(|g| fits(&g.id, *level))).unwrap_or(0);
    let mut examined = Vec::new();
    for group in groups.iter().filter(|g| fits(&g.id, level)) {
        let (traces, faults) = read_group(group, options);
        let part: Vec<Examined> = traces.into_iter().map(|t| examine(t, &faults, options)).collect();
        let exact = wanted.filter(|w| part.iter().any(|e| e.trace.id == *w));
        examined.extend(part.into_iter().filter(|e| exact.is_none_or(|w| e.trace.id == w)));
        errors.extend(faults.into_iter().map(|(_, e)| e.to_string()));
    }
    (examined, errors)
}

fn find(paths: &[PathBuf], options: &Options) -> (Vec<Group>, Discovery) {
    let mut discovery = input::discover(paths, input::Options { format: options.format });
    let groups = input::group(std::mem::take(&mut discovery.files), paths);
    (groups, discovery)
}

/// A file that is only called like a budget or a heartbeat, beside no log, is no run.
fn tells(trace: &Trace, group: &Group) -> bool {
    let log = group.files.iter().any(|f| f.format.role() != format::Role::Companion || f.below.is_empty());
    log || !trace.beats.is_empty() || !trace.states.is_empty() || trace.budget.as_ref().is_some_and(|b| !b.limits.is_empty())
}

/// A fault in one source, with the source's name as it is shown.
type Fault = (Arc<str>, ReadError);

fn examine(mut trace: Trace, faults: &[Fault], options: &Options) -> Examined {
    let spent = cost::of_run(&mut trace, &options.prices);
    let diagnosis = diagnose::diagnose(&trace, &options.thresholds, options.as_of);
    let mut report = build::run(&trace, &diagnosis, &spent, &options.thresholds);
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
        trace.id = if many { format!("{}#{}", group.id, k + 1) } else { group.id.clone() };
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
            format = format::by_content(seen).map_or(format, |(format, _)| format);
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
