//! `forecast --run`: a run that is under way.

use super::{ForecastArgs, cost, gate};
use crate::cli::exit;
use crate::cli::message::say;
use crate::cli::setup::Setup;
use anyhow::bail;
use loopmortem::analysis;
use loopmortem::cost::Cost;
use loopmortem::cost::forecast::running::{Settings, running};
use loopmortem::report::forecast::{self, json};
use loopmortem::report::model::PriceList;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(super) fn run(wanted: &str, args: &ForecastArgs, setup: &Setup) -> anyhow::Result<u8> {
    let is_path = args.paths.is_empty() && (wanted == "-" || Path::new(wanted).exists());
    let (examined, errors) = if is_path {
        analysis::examine_matching(&[PathBuf::from(wanted)], &setup.options, None)
    } else {
        let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
        analysis::examine_matching(&paths, &setup.options, Some(wanted))
    };
    for error in errors {
        say(&error);
    }
    let one = match examined.as_slice() {
        [one] => one,
        [] => {
            say(&format!("no run is called `{wanted}`; `loopmortem PATH` lists the runs"));
            return Ok(exit::NOTHING);
        }
        many => {
            let names: Vec<&str> = many.iter().take(10).map(|e| &*e.report.run).collect();
            bail!("`{wanted}` fits {} runs: {}{}", many.len(), names.join(", "), if many.len() > 10 { ", …" } else { "" });
        }
    };
    let spent = if let Cost::Known(money) = cost(&one.report) { Some(money) } else { None };
    let settings = Settings {
        iteration: args.iterations.or(args.max_iter),
        budget: args.budget,
        class: args.cache_class.into(),
        caching: args.cache.map(Into::into),
    };
    let found = running(&one.trace, spent, &settings, &setup.options.prices);
    let list = PriceList::of(&setup.options.prices);
    let mut out = std::io::stdout().lock();
    if args.json {
        json::write(out, &forecast::running::Document::of(&found, &settings, &list))?;
    } else {
        out.write_all(forecast::running::render(&found, &settings, &list, setup.look).as_bytes())?;
    }
    // A budget in the run's own folder is shown; only the flag asks to fail.
    Ok(gate(found.gate.as_ref().filter(|_| args.budget.is_some())))
}
