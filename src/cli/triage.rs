//! `triage`: the morning after.

use crate::cli::args::TriageArgs;
use crate::cli::charts::Fleet;
use crate::cli::debt;
use crate::cli::exit;
use crate::cli::expected::Expected;
use crate::cli::message::{nothing, say};
use crate::cli::old::Newest;
use crate::cli::outputs;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use anyhow::bail;
use loopmortem::analysis::{self, Examined};
use loopmortem::diagnose::{Ending, Health, KINDS};
use loopmortem::fleet::debt::Repo;
use loopmortem::fleet::groups::{self, Groups, KEYS, Key};
use loopmortem::report::chart::runs::Cells;
use loopmortem::report::model::{RunReport, Summary, Triage};
use loopmortem::report::{grid, json, table};
use loopmortem::settings::suggest;
use loopmortem::trace::Time;
use std::io::{BufWriter, Write};

pub(crate) fn run(args: &TriageArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    check_fail_on(&args.fail_on)?;
    let mut setup = Setup::new(&args.read, &args.look, matches, args.rows)?.against(args.baseline.as_deref())?;
    setup.options.apart = outputs::apart("--charts", &args.paths, &[], args.charts.as_deref().as_slice())?;
    let repo = debt::open(args.repo.as_deref())?;
    let expected = args.expect.as_deref().map(Expected::read).transpose()?;
    let progress = Progress::new();
    let tick = |total| progress.tick(total);
    let mut seen = Seen { groups: grouping(&args.group_by, &setup)?, ..Seen::default() };
    let out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let summary = if args.json {
        let mut writer = json::Writer::begin(out, setup.options.as_of)?;
        let summary = analysis::examine_each(&args.paths, &setup.options, &tick, keep(args), |run, cells| {
            seen.add(&run, &args.fail_on);
            seen.chart(&run, cells);
            writer.run(&run)
        })?;
        progress.finish();
        let mut summary = Summary { never_started: expected.as_ref().map(|e| e.missing(&seen.started)), ..summary };
        summary.totals.understanding_debt = debt::of(repo.as_ref(), seen.began, summary.as_of)?;
        writer.end(&summary, seen.groups.take().map(Groups::finish).as_deref())?;
        summary
    } else {
        table(args, &setup, &tick, &mut seen, out, &progress, expected.as_ref(), repo.as_ref())?
    };
    for error in &summary.errors {
        say(error);
    }
    seen.newest.hint(&setup);
    if let Some(dir) = &args.charts {
        std::mem::take(&mut seen.fleet).write(dir)?;
    }
    Ok(exit::of_all(code(args, &summary, &seen), &summary.totals))
}

/// What charts need of a run beside its report, where charts are wanted.
fn keep(args: &TriageArgs) -> impl Fn(Examined) -> (RunReport, Option<Cells>) + Sync + use<> {
    let charts = args.charts.is_some();
    move |run| {
        let cells = charts.then(|| Cells::of(&run));
        (run.report, cells)
    }
}

/// Only the worst runs are shown, so only these are kept.
#[expect(clippy::too_many_arguments, reason = "what the table is made of")]
fn table(
    args: &TriageArgs,
    setup: &Setup,
    tick: &(dyn Fn(u64) + Sync),
    seen: &mut Seen,
    mut out: impl Write,
    progress: &Progress,
    expected: Option<&Expected>,
    repo: Option<&Repo>,
) -> anyhow::Result<Summary> {
    let mut runs: Vec<RunReport> = Vec::new();
    let summary = analysis::examine_each(&args.paths, &setup.options, tick, keep(args), |run, cells| {
        seen.add(&run, &args.fail_on);
        seen.chart(&run, cells);
        if seen.groups.is_some() {
            // Groups stand in for the rows.
            return Ok(());
        }
        runs.push(run);
        if runs.len() > args.rows.saturating_mul(4).saturating_add(1_000) {
            runs.sort_by_cached_key(RunReport::badness);
            runs.truncate(args.rows);
        }
        Ok::<(), std::io::Error>(())
    })?;
    progress.finish();
    let mut summary = Summary { never_started: expected.map(|e| e.missing(&seen.started)), ..summary };
    summary.totals.understanding_debt = debt::of(repo, seen.began, summary.as_of)?;
    let triage = Triage { runs, summary };
    let text = match seen.groups.take() {
        Some(groups) => {
            let keys: Vec<&'static str> = groups.keys().collect();
            grid::groups(&groups.finish(), &keys, setup.look) + &table::below(&triage, setup.look)
        }
        None => table::render(&triage, setup.look),
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(triage.summary)
}

/// What decides the exit code, and what the charts show.
#[derive(Default)]
struct Seen {
    analysed: bool,
    failed: bool,
    fleet: Fleet,
    started: Vec<Box<str>>,
    /// When the first of the runs began.
    began: Option<Time>,
    newest: Newest,
    groups: Option<Groups>,
}

impl Seen {
    fn add(&mut self, run: &RunReport, fail_on: &[String]) {
        self.newest.add(run);
        self.began = debt::earlier(self.began, run.started);
        let there = run.iterations > 0 || run.ending.is_some();
        self.analysed |= there;
        if there {
            self.started.push(run.run.clone());
        }
        self.failed |= fail_on.iter().any(|what| has(run, what));
        if let Some(groups) = &mut self.groups {
            groups.add(run);
        }
    }

    fn chart(&mut self, run: &RunReport, cells: Option<Cells>) {
        if let Some(cells) = cells {
            self.fleet.add(run, cells);
        }
    }
}

fn code(args: &TriageArgs, summary: &Summary, seen: &Seen) -> u8 {
    if !seen.analysed {
        if summary.errors.is_empty() {
            say(&nothing(&args.paths, &summary.totals));
        }
        return exit::NOTHING;
    }
    let night = |what: &str| match what {
        "never_started" => summary.never_started.as_ref().is_some_and(|n| n.found < n.expected),
        "restarted_after_done" => !summary.restarted_after_done.is_empty(),
        "common_cause" => !summary.common_causes.is_empty(),
        _ => false,
    };
    if seen.failed || args.fail_on.iter().any(|what| night(what)) { exit::FOUND } else { exit::OK }
}

/// Whether a run has a mode, a finding (not a suspicion), an ending or a health of that name.
fn has(run: &RunReport, what: &str) -> bool {
    run.mode.is_some_and(|m| m.id() == what)
        || run.ending.is_some_and(|e| e.id() == what)
        || run.health.word() == what
        || run.findings.iter().any(|f| f.kind.id() == what && f.confidence > loopmortem::diagnose::Confidence::Low)
}

/// What can be wrong with all runs together.
const NIGHT: &[&str] = &["never_started", "restarted_after_done", "common_cause"];

/// What `--group-by` asks for.
fn grouping(names: &[String], setup: &Setup) -> anyhow::Result<Option<Groups>> {
    let mut keys: Vec<&'static Key> = Vec::new();
    for name in names {
        let Some(key) = groups::key(name) else {
            let near = suggest(name, KEYS.iter().map(|k| k.name)).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
            let all = KEYS.iter().map(|k| k.name).collect::<Vec<_>>().join(", ");
            bail!("--group-by: runs cannot be grouped by `{name}`{near} ({all})");
        };
        if !keys.iter().any(|k| k.name == key.name) {
            keys.push(key);
        }
    }
    Ok((!keys.is_empty()).then(|| Groups::new(keys, setup.look.zone)))
}

fn check_fail_on(names: &[String]) -> anyhow::Result<()> {
    let known = || {
        let health = [Health::Failing, Health::Inconclusive, Health::Healthy].map(Health::word);
        KINDS.iter().map(|k| k.id).chain(Ending::ALL.iter().map(|(_, id, _)| *id)).chain(health).chain(NIGHT.iter().copied())
    };
    for name in names {
        if !known().any(|k| k == name) {
            let near = suggest(name, known()).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
            bail!("--fail-on: no mode, finding, ending or health is called `{name}`{near}");
        }
    }
    Ok(())
}
