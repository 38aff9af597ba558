//! Arguments, settings, commands, exit codes.

mod args;
mod baseline;
mod charts;
mod check;
mod debt;
mod expected;
mod explain;
mod export;
mod forecast;
mod formats;
mod message;
mod old;
mod outputs;
mod pages;
mod progress;
mod query;
mod report;
mod schema;
mod setup;
mod triage;
mod wanted;
mod window;

use args::{Cli, Command};
use clap::FromArgMatches;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// Exit codes, as documented in `--help` and the README.
pub(crate) mod exit {
    /// Done, with findings or without.
    pub(crate) const OK: u8 = 0;
    /// `--fail-on` or a policy asked to fail on what was found; `--budget` is not enough or cannot be told to be.
    pub(crate) const FOUND: u8 = 1;
    /// Arguments, environment or configuration cannot be used.
    pub(crate) const USAGE: u8 = 2;
    /// Nothing could be analysed, or a path that was named could not be read.
    pub(crate) const NOTHING: u8 = 3;

    /// The code of a result that stands, unless something that was named is not in it: who counts on the code shall not take
    /// the part for the whole. What was found in the part goes first.
    pub(crate) fn of_all(code: u8, totals: &loopmortem::report::model::Totals) -> u8 {
        if code == OK && totals.paths_unread > 0 { NOTHING } else { code }
    }
}

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let matches = match args::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // help and version are no faults
            let code = if error.use_stderr() { exit::USAGE } else { exit::OK };
            message::usage(&error);
            return ExitCode::from(code);
        }
    };
    let result = Cli::from_arg_matches(&matches).map_err(anyhow::Error::from).and_then(|cli| run(cli, &matches));
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // A reader that has seen enough closes the pipe: that is no error.
            if error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)) {
                return ExitCode::from(exit::OK);
            }
            message::fail(&error);
            ExitCode::from(exit::USAGE)
        }
    }
}

fn run(cli: Cli, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    match cli.command {
        None => triage::run(&cli.triage, matches),
        Some(Command::Triage(args)) => triage::run(&args, sub(matches)),
        Some(Command::Explain(args)) => explain::run(&args, sub(matches)),
        Some(Command::Report(args)) => report::run(&args, sub(matches)),
        Some(Command::Check(args)) => check::run(&args, sub(matches)),
        Some(Command::Forecast(args)) => forecast::run(&args, sub(matches)),
        Some(Command::Baseline(args)) => baseline::run(&args, sub(sub(matches))),
        Some(Command::Query(args)) => query::run(&args, sub(matches)),
        Some(Command::Export(args)) => export::run(&args, sub(matches)),
        Some(Command::Formats(args)) => formats::run(&args),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Completions(args)) => pages::completions(&args),
        Some(Command::Man(args)) => pages::man(&args),
    }
}

/// The matches of the subcommand that was given.
fn sub(matches: &clap::ArgMatches) -> &clap::ArgMatches {
    matches.subcommand().map_or(matches, |(_, sub)| sub)
}
