//! `baseline`: recording a manual run, and holding loops against it.

use crate::cli::args::{BaselineArgs, BaselineCommand, Color, CompareArgs, LookArgs, RecordArgs};
use crate::cli::message::say;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use crate::cli::{charts, exit};
use anyhow::{Context as _, bail};
use loopmortem::analysis::{self, Examined};
use loopmortem::cost::baseline::compare::Measure;
use loopmortem::cost::baseline::repeat::{Repeat, repeat};
use loopmortem::cost::baseline::{Assignment, Baseline, Run, Side, compare};
use loopmortem::cost::prices::plain_name;
use loopmortem::report::baseline::{Compared, dumbbell, errors, json, measure, price_list, record, table};
use loopmortem::report::escape::terminal;
use loopmortem::report::model::Totals;
use loopmortem::settings::suggest;
use loopmortem::trace::Time;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn run(args: &BaselineArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    match &args.command {
        BaselineCommand::Record(args) => recorded(args, matches),
        BaselineCommand::Compare(args) => compared(args, matches),
    }
}

/// A run as both commands see it.
struct Measured {
    run: Run,
    agent: &'static str,
    models: Vec<String>,
    started: Option<Time>,
}

/// Measures every run under `paths`, in the order of ids; with the sums over all of them.
fn measured(paths: &[PathBuf], setup: &Setup) -> (Vec<Measured>, Totals) {
    let progress = Progress::new();
    let tick = |total| progress.tick(total);
    let prices = price_list(&setup.options.prices);
    let keep = |examined: Examined| {
        let mut run = measure(&examined.trace, &examined.report, &setup.options.thresholds, &prices);
        run.errors = Some(errors(&examined.trace));
        (examined.report, run)
    };
    let mut all = Vec::new();
    let result: Result<_, Infallible> = analysis::examine_each(paths, &setup.options, &tick, keep, |report, run| {
        if report.iterations > 0 || report.ending.is_some() {
            let models = report.models.iter().map(ToString::to_string).collect();
            all.push(Measured { run, agent: report.agent, models, started: report.started });
        }
        Ok(())
    });
    progress.finish();
    let Ok(summary) = result;
    summary.errors.iter().for_each(|e| say(e));
    (all, summary.totals)
}

fn recorded(args: &RecordArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let plain = LookArgs { color: Some(Color::Never), tz: None, width: None };
    let setup = Setup::new(&args.read, &plain, matches, 0)?;
    let timeout = humantime::parse_duration(&args.timeout).ok().filter(|t| !t.is_zero());
    let timeout = timeout.with_context(|| format!("--timeout: `{}` is no time; write 90s or 10m", args.timeout))?;
    let human_s = args.human_minutes.map(|m| m * 60.0);
    if human_s.is_some_and(|s| !(s > 0.0 && s <= 366.0 * 86_400.0)) {
        bail!("--human-minutes: it takes minutes above 0, at most a year");
    }
    // What is there is looked at before anything takes long.
    let known = match &args.out {
        Some(path) if path.exists() => Some(Baseline::read(path)?),
        _ => None,
    };
    let (found, totals) = measured(&args.paths, &setup);
    if found.is_empty() {
        say("no run to record: `loopmortem formats` lists the logs that are read");
        return Ok(exit::NOTHING);
    }
    let mut baseline = joined(known, &found, args)?;
    let first = baseline.runs.len() - found.len();
    for run in &mut baseline.runs[first..] {
        run.human_s = human_s;
        run.task = Some(args.task.clone()).filter(|t| *t != baseline.task);
    }
    // What a person typed is held to the same rules as what a person writes into the file.
    let shown = args.out.as_deref().unwrap_or(Path::new("baseline")).display().to_string();
    Baseline::parse(&shown, &baseline.text())?;
    if let Some(cmd) = &args.check {
        let runs = checked(cmd, timeout, args)?;
        if let Some(run) = baseline.runs.last_mut() {
            run.check = Some(runs);
        }
    }
    let text = baseline.text();
    let said = record(&baseline, &baseline.runs[first..]);
    let mut out = std::io::stdout().lock();
    match &args.out {
        Some(path) => {
            write(path, &text)?;
            out.write_all(said.as_bytes())?;
            let n = baseline.runs.len();
            writeln!(out, "{}: {n} {}", terminal(&path.display().to_string()), if n == 1 { "run" } else { "runs" })?;
        }
        None => {
            said.lines().for_each(say);
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(exit::of_all(exit::OK, &totals))
}

/// The runs behind those that are in the baseline already.
fn joined(known: Option<Baseline>, found: &[Measured], args: &RecordArgs) -> anyhow::Result<Baseline> {
    let agents: BTreeSet<&str> = found.iter().map(|f| f.agent).collect();
    let harness = agents.first().filter(|_| agents.len() == 1).map(|a| (*a).to_owned());
    let day = || found.iter().filter_map(|f| f.started).min().map(|t| t.rfc3339().chars().take(10).collect());
    let mut baseline = known.unwrap_or_else(|| Baseline {
        task: args.task.clone(),
        repo_sha: args.repo_sha.clone(),
        who: args.who.clone(),
        date: args.date.clone().or_else(day),
        harness: harness.clone(),
        models: Vec::new(),
        runs: Vec::new(),
    });
    let clash = |name: &str, there: &Option<String>, given: &Option<String>| match (there, given) {
        (Some(a), Some(b)) if a != b => {
            Err(anyhow::anyhow!("{name}: the baseline has `{a}`, this is `{b}`; record it into another file with --out"))
        }
        _ => Ok(()),
    };
    clash("--repo-sha", &baseline.repo_sha, &args.repo_sha)?;
    clash("--who", &baseline.who, &args.who)?;
    clash("harness", &baseline.harness, &harness)?;
    baseline.repo_sha = baseline.repo_sha.or_else(|| args.repo_sha.clone());
    baseline.who = baseline.who.or_else(|| args.who.clone());
    let models: BTreeSet<String> = baseline.models.iter().chain(found.iter().flat_map(|f| &f.models)).cloned().collect();
    baseline.models = models.into_iter().collect();
    for f in found {
        let same = |r: &Run| r.run == f.run.run && r.wall_s == f.run.wall_s && r.tokens == f.run.tokens && r.calls == f.run.calls;
        if baseline.runs.iter().any(same) {
            bail!(
                "{} is in the baseline already; record another run of the task, or this one into a new file (another --out, or remove \
                 the old file) with all of its options at once",
                f.run.run.as_deref().unwrap_or("this run")
            );
        }
    }
    baseline.runs.extend(found.iter().map(|f| f.run.clone()));
    Ok(baseline)
}

fn checked(cmd: &str, timeout: Duration, args: &RecordArgs) -> anyhow::Result<loopmortem::cost::baseline::CheckRuns> {
    let dir = args.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
    let how = Repeat { cmd, dir: &dir, times: args.repeat, timeout };
    say(&format!("executing `{cmd}` {} times in {}", args.repeat, dir.display()));
    let told =
        |k, passed, seconds| say(&format!("check {k} of {}: {} in {seconds:.1} s", args.repeat, if passed { "passed" } else { "failed" }));
    repeat(&how, told).with_context(|| format!("--check: `{cmd}` cannot be executed in {}", dir.display()))
}

/// All of it or nothing: a baseline that is half written is none.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let result = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if result.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    result.with_context(|| format!("{}: cannot be written", path.display()))
}

fn compared(args: &CompareArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let gated = measures(&args.of)?;
    if args.max_ratio.is_some_and(|x| !(x.is_finite() && x > 0.0)) {
        bail!("--max-ratio: it takes a number above 0");
    }
    let setup = Setup::new(&args.read, &args.look, matches, 0)?;
    let baseline = Baseline::read(&args.baseline)?;
    let by_hand = Side::of(&baseline);
    // A recorded baseline may stand on the other side too: its logs need not be there any more.
    let (recorded, logs): (Vec<PathBuf>, Vec<PathBuf>) = args.paths.iter().cloned().partition(|p| is_baseline(p));
    let (found, totals) = if logs.is_empty() { Default::default() } else { measured(&logs, &setup) };
    let assignment = Assignment::new(&baseline, found.iter().filter_map(|f| f.run.run.as_deref()));
    let (mut loops, mut others) = (Side::default(), Side::default());
    for f in found {
        let id = f.run.run.clone().unwrap_or_default();
        let (side, task) = match assignment.of(&id) {
            Some(task) => (&mut loops, task.to_owned()),
            None => (&mut others, id),
        };
        side.runs.push((task, f.run));
        side.models.extend(f.models.iter().map(|m| plain_name(m)));
    }
    for path in &recorded {
        let side = Side::of(&Baseline::read(path)?);
        loops.runs.extend(side.runs);
        loops.models.extend(side.models);
    }
    let left_out = if loops.runs.is_empty() { 0 } else { others.runs.len() };
    // None of them is about a task of the baseline: shown all the same, as not comparable.
    let loops = if loops.runs.is_empty() { others } else { loops };
    let comparison = compare(&by_hand, &loops);
    let file = args.baseline.display().to_string();
    let compared = Compared {
        comparison: &comparison,
        file: &file,
        runs: (by_hand.runs.len(), loops.runs.len()),
        left_out,
        assumed: assignment.is_assumed() && recorded.is_empty() && !loops.runs.is_empty(),
        verbose: args.verbose,
        anomaly: setup.options.thresholds.baseline_anomaly,
        gate: args.max_ratio.map(|most| (most, gated.as_slice())),
    };
    let text = if args.json { json(&compared) } else { table(&compared, setup.look.palette) };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    if let Some(dir) = &args.charts {
        charts::write(dumbbell(&comparison).as_slice(), dir)?;
    }
    if loops.runs.is_empty() {
        say("no run to compare: `loopmortem formats` lists the logs that are read");
        return Ok(exit::NOTHING);
    }
    let code = if compared.fired().next().is_some() { exit::FOUND } else { exit::OK };
    Ok(exit::of_all(code, &totals))
}

/// Whether a file is a baseline and no log.
fn is_baseline(path: &Path) -> bool {
    /// Longer than any baseline.
    const MOST: u64 = 16 << 20;
    let json = path.extension().is_some_and(|e| e == "json") && std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST);
    json && std::fs::read(path).is_ok_and(|bytes| {
        let packed: Vec<u8> = bytes.into_iter().filter(|b| !b.is_ascii_whitespace()).collect();
        let mark = b"\"schema\":\"baseline/";
        packed.windows(mark.len()).any(|w| w == mark)
    })
}

fn measures(names: &[String]) -> anyhow::Result<Vec<Measure>> {
    let known = || Measure::ALL.iter().map(|m| m.id());
    let one = |name: &String| {
        Measure::ALL.into_iter().find(|m| m.id() == name).with_context(|| {
            let near = suggest(name, known()).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
            format!("--of: no figure is called `{name}`{near}; there are {}", known().collect::<Vec<_>>().join(", "))
        })
    };
    names.iter().map(one).collect()
}
