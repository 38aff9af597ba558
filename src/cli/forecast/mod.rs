//! `forecast`: what a launch will cost.

mod args;
mod history;
mod launch;
mod running;
mod validate;

pub(crate) use args::ForecastArgs;

use crate::cli::exit;
use crate::cli::message::say;
use crate::cli::setup::Setup;
use loopmortem::cost::Cost;
use loopmortem::cost::forecast::{Gate, Verdict};
use loopmortem::report::model::{CostStatus, RunReport};

pub(crate) fn run(args: &ForecastArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let setup = Setup::new(&args.read, &args.look, matches, 0)?;
    if let Some(file) = &args.validate {
        return validate::run(file, args.json, &setup);
    }
    if let Some(wanted) = &args.run {
        return running::run(wanted, args, &setup);
    }
    if !args.from.is_empty() {
        return history::run(args, &setup);
    }
    launch::run(args, &setup)
}

/// The exit code of a budget, with the reason on stderr where it does not pass.
fn gate(gate: Option<&Gate>) -> u8 {
    let Some(gate) = gate else { return exit::OK };
    let budget = gate.budget.short();
    match (gate.verdict(), gate.figure) {
        (Verdict::Within, _) => return exit::OK,
        (_, Some(figure)) => say(&format!("--budget {budget} is exceeded: {} ({})", figure.short(), gate.what)),
        (_, None) => say(&format!("--budget {budget} does not pass, the cost is not known: {}", gate.what)),
    }
    exit::FOUND
}

/// A run's cost as its report has it.
fn cost(report: &RunReport) -> Cost {
    match (report.cost.status, report.cost.usd) {
        (CostStatus::Known, Some(money)) => Cost::Known(money),
        (CostStatus::AtLeast, Some(money)) => Cost::AtLeast(money),
        _ => Cost::Unknown,
    }
}
