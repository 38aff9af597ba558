//! What `baseline record` and `baseline compare` take.

use super::{LookArgs, ReadArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args, Clone)]
pub(crate) struct BaselineArgs {
    #[command(subcommand)]
    pub(crate) command: BaselineCommand,
}

#[derive(Subcommand, Clone)]
pub(crate) enum BaselineCommand {
    /// Record a run that a person steered by hand until its check was green
    Record(RecordArgs),
    /// Hold loops against a recorded baseline
    Compare(CompareArgs),
}

#[derive(Args, Clone)]
#[command(after_help = RECORD_EXAMPLES)]
pub(crate) struct RecordArgs {
    /// Log or transcript of the manual run, or a folder of such runs
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// What was done; loops whose id names it are held against it
    #[arg(long, value_name = "NAME")]
    pub(crate) task: String,
    /// Write here, or add the run to the baseline that is there [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// EXECUTE this check with `sh -c`, --repeat times, to see whether it gives the same answer each time
    #[arg(long, value_name = "CMD")]
    pub(crate) check: Option<String>,
    /// How often the check is executed
    #[arg(long, value_name = "N", default_value_t = 10, requires = "check", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) repeat: u32,
    /// Where the check is executed [default: .]
    #[arg(long, value_name = "DIR", requires = "check")]
    pub(crate) cwd: Option<PathBuf>,
    /// How long one execution may take: 90s, 10m
    #[arg(long, value_name = "TIME", default_value = "10m", requires = "check")]
    pub(crate) timeout: String,
    /// Who steered
    #[arg(long, value_name = "NAME")]
    pub(crate) who: Option<String>,
    /// The commit that was worked on
    #[arg(long, value_name = "SHA")]
    pub(crate) repo_sha: Option<String>,
    /// The day, 2026-11-28 [default: the run's]
    #[arg(long, value_name = "DAY")]
    pub(crate) date: Option<String>,
    /// Minutes that the person spent on it
    #[arg(long, value_name = "N")]
    pub(crate) human_minutes: Option<f64>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

const RECORD_EXAMPLES: &str = "\
Nothing is ever executed without --check. With it, the command runs on this machine, with your rights, as often as
--repeat says: name one that changes nothing.

Examples:
  loopmortem baseline record session.jsonl --task billing-fix --out billing.json
  loopmortem baseline record session.jsonl --task billing-fix --human-minutes 25 --check 'make test' --repeat 10";

#[derive(Args, Clone)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct CompareArgs {
    /// The baseline
    #[arg(value_name = "BASELINE")]
    pub(crate) baseline: PathBuf,
    /// Loops' files and directories
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Write the chart into this folder, as SVG and PNG: by hand against the loop
    #[arg(long, value_name = "DIR")]
    pub(crate) charts: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Show the figures that cannot be compared, too
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Exit 1 if loops certainly take more than X times the baseline: the interval's lower end lies above X
    #[arg(long, value_name = "X")]
    pub(crate) max_ratio: Option<f64>,
    /// Which figures a run --max-ratio is for: usd, tokens, calls, iterations, time (several by comma)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "usd,tokens,calls", requires = "max_ratio")]
    pub(crate) of: Vec<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  loopmortem baseline compare billing.json runs/
  loopmortem baseline compare billing.json runs/ --max-ratio 3 --of usd   a gate: exit 1 above three times

Exit codes:
  0 compared   1 --max-ratio is exceeded   2 usage, or the baseline cannot be used   3 no run to compare";
