//! `check`: a gate for CI.

use crate::cli::args::CheckArgs;
use crate::cli::exit;
use crate::cli::message::{nothing, say};
use crate::cli::old::Newest;
use crate::cli::outputs;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use crate::cli::window;
use anyhow::Context as _;
use loopmortem::analysis;
use loopmortem::fleet::policy::{self, Judged, State};
use loopmortem::report::escape::terminal;
use loopmortem::report::gate::{annotations, json, junit, summary, table};
use loopmortem::report::markdown;
use loopmortem::report::model::{RunReport, Summary};
use loopmortem::report::words::count;
use std::convert::Infallible;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &CheckArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let policy = policy::read(&args.policy)?;
    let mut setup = Setup::new(&args.read, &args.look, matches, 0)?.against(args.baseline.as_deref())?;
    setup.options.apart = outputs::apart("--junit", &args.paths, args.junit.as_slice(), &[])?;
    let held = window::of(args.since.as_deref(), &setup)?;
    let progress = Progress::new();
    let mut runs: Vec<RunReport> = Vec::new();
    let result: Result<_, Infallible> = analysis::examine_where(
        &args.paths,
        &setup.options,
        &|total| progress.tick(total),
        |run| held.as_ref().is_none_or(|w| w.holds(run)),
        |examined| (examined.report, ()),
        |run, ()| {
            runs.push(run);
            Ok(())
        },
    );
    progress.finish();
    let (found, left_out) = match result {
        Ok(found) => found,
        Err(never) => match never {},
    };
    for error in &found.errors {
        say(error);
    }
    // Where runs were left out there is something, and none of it is wanted: a quiet week passes.
    let analysed = !left_out.is_empty() || runs.iter().any(|r| r.iterations > 0 || r.ending.is_some());
    let mut newest = Newest::default();
    runs.iter().for_each(|run| newest.add(run));
    newest.hint(&setup);
    let judged = policy::judge(&policy, &runs, &found, analysed);
    if let Some(path) = &args.junit {
        let text = junit::render(&judged, &runs, found.as_of)?;
        std::fs::write(path, text).with_context(|| format!("--junit: {}: cannot be written", path.display()))?;
    }
    print(args, &setup, &policy, &judged, &found, left_out.len() as u64)?;
    job_summary(&args.policy, &judged);
    if !analysed {
        if found.errors.is_empty() {
            say(&nothing(&args.paths, &found.totals));
        }
        say("nothing was judged, so nothing passed");
        return Ok(exit::NOTHING);
    }
    if runs.is_empty() {
        say(&format!(
            "nothing was judged: --since leaves out {}",
            count(left_out.len() as u64, "run, the only one", "runs, all there are")
        ));
    }
    let code = if judged.state == State::Pass { exit::OK } else { exit::FOUND };
    Ok(exit::of_all(code, &found.totals))
}

fn print(args: &CheckArgs, setup: &Setup, policy: &policy::Policy, judged: &Judged, found: &Summary, left_out: u64) -> anyhow::Result<()> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    let notes = if args.annotations || set("GITHUB_ACTIONS") {
        annotations::render(judged, |path| locate(&args.paths, path))
    } else {
        String::new()
    };
    let mut out = std::io::stdout().lock();
    if args.json {
        json::write(policy, judged, found, left_out, &mut out)?;
        // The runner reads both streams; on stdout they would break the document.
        std::io::stderr().lock().write_all(notes.as_bytes())?;
    } else {
        out.write_all(table::render(judged, setup.look).as_bytes())?;
        out.write_all(notes.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// A source as the checkout has it: reports name it below the argument under which it was found.
fn locate(arguments: &[PathBuf], source: &str) -> Option<String> {
    let below = arguments.iter().map(|a| a.join(source)).find(|p| p.is_file());
    let file = below.or_else(|| Some(PathBuf::from(source)).filter(|p| p.is_file()))?;
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| file.strip_prefix(here).ok().map(Path::to_path_buf)).unwrap_or(file);
    let text = relative.to_string_lossy().into_owned();
    // A name that had to be made harmless is no longer the file's.
    (terminal(&text) == text).then(|| text.trim_start_matches("./").to_owned())
}

/// Appends to the job summary, as long as the runner would keep it. A summary is an extra: that it cannot be written is said
/// and changes no result.
fn job_summary(policy: &Path, judged: &Judged) {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|v| !v.is_empty()).map(PathBuf::from) else { return };
    let taken = std::fs::metadata(&path).map_or(0, |m| usize::try_from(m.len()).unwrap_or(usize::MAX));
    let room = markdown::BUDGET.saturating_sub(taken);
    let text = summary::render(&policy.to_string_lossy(), judged, room);
    if text.len() > room {
        say("GITHUB_STEP_SUMMARY: it is full; this check's part is left out");
        return;
    }
    let written = OpenOptions::new().append(true).create(true).open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(e) = written {
        say(&format!("GITHUB_STEP_SUMMARY: {}: cannot be written: {e}", path.display()));
    }
}
