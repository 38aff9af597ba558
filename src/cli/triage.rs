//! `triage`: the morning after.

use crate::cli::args::TriageArgs;
use crate::cli::exit;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use anyhow::bail;
use loopmortem::analysis;
use loopmortem::diagnose::{Ending, Health, KINDS};
use loopmortem::report::model::{RunReport, Triage};
use loopmortem::report::{json, table};
use loopmortem::settings::suggest;
use std::io::{BufWriter, Write};

pub(crate) fn run(args: &TriageArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    check_fail_on(&args.fail_on)?;
    let setup = Setup::new(&args.read, &args.look, matches, args.rows)?;
    let progress = Progress::new();
    let triage = analysis::triage(&args.paths, &setup.options, &|total| progress.tick(total));
    progress.finish();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    if args.json {
        json::write(&triage, &mut out)?;
    } else {
        out.write_all(table::render(&triage, setup.look).as_bytes())?;
    }
    out.flush()?;
    for error in &triage.errors {
        anstream::eprintln!("loopmortem: {}", loopmortem::report::escape::terminal(error));
    }
    Ok(code(args, &triage))
}

fn code(args: &TriageArgs, triage: &Triage) -> u8 {
    let analysed = triage.runs.iter().any(|r| r.iterations > 0 || r.ending.is_some());
    if !analysed {
        if triage.errors.is_empty() {
            let looked: Vec<String> = args.paths.iter().map(|p| p.display().to_string()).collect();
            anstream::eprintln!(
                "loopmortem: no logs under {}: {} files are of no format that is read; `loopmortem formats` lists what is",
                looked.join(", "),
                triage.totals.files_passed_over
            );
        }
        return exit::NOTHING;
    }
    let found = triage.runs.iter().any(|run| args.fail_on.iter().any(|what| has(run, what)));
    if found { exit::FOUND } else { exit::OK }
}

/// Whether a run has a mode, a finding (not a suspicion), an ending or a health of that name.
fn has(run: &RunReport, what: &str) -> bool {
    run.mode.is_some_and(|m| m.id() == what)
        || run.ending.is_some_and(|e| e.id() == what)
        || run.health.word() == what
        || run.findings.iter().any(|f| f.kind.id() == what && f.confidence > loopmortem::diagnose::Confidence::Low)
}

fn check_fail_on(names: &[String]) -> anyhow::Result<()> {
    let known = || {
        let health = [Health::Failing, Health::Inconclusive, Health::Healthy].map(Health::word);
        KINDS.iter().map(|k| k.id).chain(Ending::ALL.iter().map(|(_, id, _)| *id)).chain(health)
    };
    for name in names {
        if !known().any(|k| k == name) {
            let near = suggest(name, known()).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
            bail!("--fail-on: no mode, finding, ending or health is called `{name}`{near}");
        }
    }
    Ok(())
}
