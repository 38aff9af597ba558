//! `forecast --run`: a run that is under way.

use super::{ForecastArgs, cost, gate};
use crate::cli::setup::Setup;
use crate::cli::{exit, wanted};
use loopmortem::cost::Cost;
use loopmortem::cost::forecast::running::{Settings, running};
use loopmortem::report::forecast::{self, json};
use loopmortem::report::model::PriceList;
use std::io::Write as _;

pub(super) fn run(wanted: &str, args: &ForecastArgs, setup: &Setup) -> anyhow::Result<u8> {
    let Some(one) = wanted::run(wanted, &args.paths, setup)? else { return Ok(exit::NOTHING) };
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
