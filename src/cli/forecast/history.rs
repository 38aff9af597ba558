//! `forecast --from`: the next launch, from past runs.

use super::{ForecastArgs, cost, gate};
use crate::cli::message::say;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use crate::cli::{charts, exit};
use anyhow::bail;
use loopmortem::analysis::{self, Examined};
use loopmortem::cost::forecast::history::{Fate, MOST, PastRun, Settings, history};
use loopmortem::diagnose::Ending;
use loopmortem::report::forecast::{self, json};
use loopmortem::report::model::{PriceList, RunReport};
use std::convert::Infallible;
use std::io::Write as _;

pub(super) fn run(args: &ForecastArgs, setup: &Setup) -> anyhow::Result<u8> {
    let cap = cap(args)?;
    let progress = Progress::new();
    let mut runs: Vec<PastRun> = Vec::new();
    let keep = |examined: Examined| {
        let past = past(&examined);
        (examined.report, past)
    };
    let result: Result<_, Infallible> =
        analysis::examine_each(&args.from, &setup.options, &|total| progress.tick(total), keep, |report, past| {
            // What is nothing but a heartbeat or an empty file has not run.
            if report.ending.is_some() || report.iterations > 0 {
                runs.push(past);
            }
            Ok(())
        });
    progress.finish();
    let Ok(summary) = result;
    for error in &summary.errors {
        say(error);
    }
    if runs.is_empty() {
        say("no runs were found; `loopmortem formats` lists what is read");
        return Ok(exit::NOTHING);
    }
    let settings = Settings {
        model: args.model.clone(),
        regime: args.regime.map(Into::into),
        caching: args.cache.map(Into::into),
        class: args.cache_class.into(),
        cap,
        seed: args.seed,
    };
    let prices = &setup.options.prices;
    let history = history(runs, &settings, prices, args.budget);
    let list = PriceList::of(prices);
    let mut out = std::io::stdout().lock();
    if args.json {
        json::write(out, &forecast::history::Document::of(&history, &settings, &list))?;
    } else {
        out.write_all(forecast::history::render(&history, &settings, &list, setup.look).as_bytes())?;
    }
    if let Some(dir) = &args.charts {
        charts::write(forecast::chart::survival(&history).as_slice(), dir)?;
    }
    Ok(exit::of_all(gate(history.gate.as_ref()), &summary.totals))
}

/// The cap of the next launch.
fn cap(args: &ForecastArgs) -> anyhow::Result<Option<u32>> {
    let (flag, n) = match (args.max_iter, args.iterations) {
        (Some(n), _) => ("--max-iter", n),
        (None, Some(n)) => ("--iterations", n),
        (None, None) => return Ok(None),
    };
    match u32::try_from(n) {
        Ok(n @ 1..=MOST) => Ok(Some(n)),
        _ => bail!("{flag} is {n}: with --from it takes a whole number from 1 to {MOST}"),
    }
}

fn past(examined: &Examined) -> PastRun {
    PastRun::of(&examined.trace, fate(&examined.report), cost(&examined.report))
}

fn fate(report: &RunReport) -> Fate {
    match report.ending {
        Some(Ending::Succeeded) => Fate::Green,
        Some(Ending::Unverified) => Fate::Unverified,
        _ => Fate::Censored,
    }
}
