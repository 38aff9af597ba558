//! `report`: the weekly report, as files in a folder.

use crate::cli::args::ReportArgs;
use crate::cli::debt;
use crate::cli::exit;
use crate::cli::message::say;
use crate::cli::old::Newest;
use crate::cli::outputs;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use crate::cli::window;
use anyhow::Context as _;
use loopmortem::analysis;
use loopmortem::fleet::week::{Earlier, Week};
use loopmortem::report::chart::{Frame, png, svg};
use loopmortem::report::escape::terminal;
use loopmortem::report::html::Page;
use loopmortem::report::section::Section;
use loopmortem::report::{html, junit, markdown, weekly};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ReportArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let mut setup = Setup::new(&args.read, &args.look, matches, 0)?.against(args.baseline.as_deref())?;
    let repo = debt::open(args.repo.as_deref())?;
    let mut window = window::of(args.since.as_deref(), &setup)?;
    let earlier = args.compare.as_deref().map(Earlier::read).transpose()?;
    // What cannot be written shall show before the long run, not after it.
    std::fs::create_dir_all(&args.out).with_context(|| format!("--out: {}: cannot be made", args.out.display()))?;
    let files = ["index.html", "summary.md", "report.json", "junit.xml"].map(|name| args.out.join(name));
    setup.options.apart = outputs::apart("--out", &args.paths, &files, &[&args.out.join("charts")])?;
    let mut week = gather(args, &setup, &mut window, earlier.as_ref());
    let began = week.runs.iter().fold(None, |began, (run, _)| debt::earlier(began, run.started));
    week.summary.totals.understanding_debt = debt::of(repo.as_ref(), began, week.summary.as_of)?;
    for error in &week.summary.errors {
        say(error);
    }
    let mut newest = Newest::default();
    week.runs.iter().for_each(|(run, _)| newest.add(run));
    newest.hint(&setup);
    let written = write(&args.out, &week, &setup)?;
    say_what(&week, &written)?;
    let analysed = week.runs.iter().any(|(r, _)| r.iterations > 0 || r.ending.is_some());
    if !analysed {
        say("no run could be analysed; the report says so");
        return Ok(exit::NOTHING);
    }
    Ok(exit::of_all(exit::OK, &week.summary.totals))
}

fn gather(args: &ReportArgs, setup: &Setup, window: &mut Option<loopmortem::fleet::week::Window>, earlier: Option<&Earlier>) -> Week {
    let progress = Progress::new();
    let mut runs = Vec::new();
    let held = window.clone();
    let result: Result<_, Infallible> = analysis::examine_where(
        &args.paths,
        &setup.options,
        &|total| progress.tick(total),
        |run| held.as_ref().is_none_or(|w| w.holds(run)),
        |examined| {
            let section = Section::of(&examined);
            (examined.report, section)
        },
        |run, section| {
            runs.push((run, section));
            Ok(())
        },
    );
    progress.finish();
    let (summary, left_out) = match result {
        Ok(found) => found,
        Err(never) => match never {},
    };
    if let Some(window) = window {
        window.left_out = left_out;
        window.undated = runs.iter().filter(|(r, _)| r.started.is_none() && r.ended.is_none()).count() as u64;
    }
    Week::new(args.title.clone(), runs, summary, window.clone(), earlier)
}

/// Writes every file, and gives their names.
fn write(out: &Path, week: &Week, setup: &Setup) -> anyhow::Result<Vec<PathBuf>> {
    let zone = setup.look.zone;
    let mut json = Vec::new();
    weekly::write(week, &mut json)?;
    let junit = junit::render(&week.title, week.runs.iter().map(|(r, _)| r), week.summary.as_of)?;
    let mut files: Vec<(PathBuf, Vec<u8>)> = vec![
        ("index.html".into(), html::render(week, Page { zone }).into_bytes()),
        ("summary.md".into(), markdown::render(week, zone).into_bytes()),
        ("report.json".into(), json),
        ("junit.xml".into(), junit.into_bytes()),
    ];
    files.extend(charts(week)?);
    outputs::unlink(&out.join("charts")).context("--out")?;
    forget(&out.join("charts"));
    let mut written = Vec::new();
    for (name, bytes) in files {
        let path = out.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        }
        outputs::write(&path, &bytes).with_context(|| format!("{}: cannot be written", path.display()))?;
        written.push(path);
    }
    Ok(written)
}

/// Runs whose charts become files of their own: the worst.
const CHARTED: usize = 40;

/// The charts as files of their own, for mails and slides: those over all runs also as PNG. Runs are numbered as in the page.
fn charts(week: &Week) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    let frame = Frame::default();
    let folder = Path::new("charts");
    let mut files = Vec::new();
    for chart in &week.charts {
        files.push((folder.join(format!("{}.svg", chart.id)), svg(chart, &frame).into_bytes()));
        files.push((folder.join(format!("{}.png", chart.id)), png(chart, &frame)?));
    }
    let numbers: BTreeMap<&str, usize> = week.runs.iter().enumerate().map(|(k, (run, _))| (&*run.run, k + 1)).collect();
    for (run, section) in week.worst_first().into_iter().filter(|(_, s)| !s.charts.is_empty()).take(CHARTED) {
        let Some(number) = numbers.get(&*run.run) else { continue };
        for chart in &section.charts {
            files.push((folder.join(format!("run-{number}-{}.svg", chart.id)), svg(chart, &frame).into_bytes()));
        }
    }
    Ok(files)
}

/// Removes the charts of runs that an earlier report left here: their numbers mean other runs now.
fn forget(charts: &Path) {
    for entry in std::fs::read_dir(charts).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().strip_prefix("run-").is_some_and(|rest| rest.ends_with(".svg")) {
            // One that cannot be removed is overwritten or stays; the page does not need it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn say_what(week: &Week, written: &[PathBuf]) -> anyhow::Result<()> {
    let t = &week.summary.totals;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} runs, {} green, {} failing; spent {}, wasted {}",
        t.runs,
        week.headline.greens,
        week.headline.failing,
        loopmortem::report::words::spent(&t.cost),
        loopmortem::report::words::wasted(t).0
    )?;
    match week.window.as_ref().map_or(0, |w| w.left_out.len()) {
        0 => {}
        1 => writeln!(out, "1 run outside that time left out")?,
        n => writeln!(out, "{n} runs outside that time left out")?,
    }
    let (charts, files): (Vec<_>, Vec<_>) = written.iter().partition(|p| p.parent().is_some_and(|f| f.ends_with("charts")));
    for path in files {
        writeln!(out, "{}", terminal(&path.to_string_lossy()))?;
    }
    if let Some(folder) = charts.first().and_then(|p| p.parent()) {
        writeln!(out, "{} ({} files)", terminal(&folder.to_string_lossy()), charts.len())?;
    }
    Ok(())
}
