//! What the command line takes. Thresholds become flags from their one table.

mod about;
mod baseline;
mod tables;
mod week;

pub(crate) use about::{CompletionsArgs, FormatsArgs, ManArgs, SchemaArgs};
pub(crate) use baseline::{BaselineArgs, BaselineCommand, CompareArgs, RecordArgs};
#[cfg(feature = "fleet")]
pub(crate) use tables::AnswerFormat;
pub(crate) use tables::{ExportArgs, ExportFormat, QueryArgs};
pub(crate) use week::{CheckArgs, ReportArgs};

use crate::cli::forecast::ForecastArgs;
use clap::{Arg, Args, ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};
use loopmortem::settings::{TABLE, WHEN};
use std::path::PathBuf;

/// Post-mortems and pre-mortems for autonomous coding-agent loops.
#[derive(Parser)]
#[command(
    name = "loopmortem",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    arg_required_else_help = true,
    after_help = EXAMPLES
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) triage: TriageArgs,
}

const EXAMPLES: &str = "\
Examples:
  loopmortem runs/                          what happened to each run under runs/
  loopmortem triage --json runs/ | jq .     the same as data
  loopmortem explain billing-fix runs/      one run, with its evidence
  loopmortem forecast --from runs/          what the next run will cost (forecast --help)
  loopmortem --group-by agent,ending runs/  what groups of runs cost, wasted and brought
  loopmortem query \"SELECT run, cost_usd FROM runs ORDER BY cost_usd DESC NULLS LAST LIMIT 5\" runs/
  loopmortem explain --mode stuck           what a mode means and how it is recognised
  loopmortem report runs/ --out week        the weekly report: HTML, Markdown, JSON, JUnit
  loopmortem check runs/ --policy ci.toml   a gate: exit 1 on what the policy forbids
  zcat night.jsonl.gz | loopmortem -        a log from a pipe
  loopmortem --baseline billing.json runs/  runs against what the task took by hand
  loopmortem --stuck-verdict 3 runs/        another threshold (all of them: --help)

Exit codes:
  0 done, also with findings   1 --fail-on or a policy found something, --budget exceeded   2 usage or configuration
  3 nothing could be analysed";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// What happened to each run, what it cost, what was wasted, what to look at first (the default)
    Triage(TriageArgs),
    /// One run: timeline, heartbeat gaps, every finding with file and line, the remedy
    Explain(ExplainArgs),
    /// What a launch will cost, from its plan, from past runs, or of a run under way
    Forecast(Box<ForecastArgs>),
    /// What a task takes by hand, and how far loops are from it
    Baseline(BaselineArgs),
    /// The weekly report: one HTML file, a job summary, JSON, JUnit and charts in a folder
    Report(ReportArgs),
    /// A gate: exit 1 on what a policy forbids
    Check(CheckArgs),
    /// SQL over the runs: tables runs, iterations, calls, actions, checks, findings
    Query(QueryArgs),
    /// The same tables as CSV, NDJSON or Parquet files
    Export(ExportArgs),
    /// The log formats that are read
    Formats(FormatsArgs),
    /// The JSON Schemas of what is printed
    Schema(SchemaArgs),
    /// A completion script for a shell
    Completions(CompletionsArgs),
    /// Man pages
    Man(ManArgs),
}

/// How results look.
#[derive(Args, Clone)]
pub(crate) struct LookArgs {
    /// Colours: auto, always or never; NO_COLOR and CLICOLOR_FORCE are honoured
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(crate) color: Option<Color>,
    /// Zone of times in tables, by name [default: UTC]
    #[arg(long, value_name = "ZONE")]
    pub(crate) tz: Option<String>,
    /// Columns of tables [default: the terminal's]
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<u16>,
}

/// How input is read and judged.
#[derive(Args, Clone)]
pub(crate) struct ReadArgs {
    /// Observation time
    #[arg(long, value_name = "WHEN", help = format!("Observation time: {WHEN} from now [default: SOURCE_DATE_EPOCH, else now]"))]
    pub(crate) as_of: Option<String>,
    /// Read named files and standard input as this format (see `formats`)
    #[arg(id = "read_as", long = "format", visible_alias = "read-as", value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Configuration [default: loopmortem.toml, here or in a folder above]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Prices laid over the embedded list: our form, or LiteLLM's JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Args, Clone)]
pub(crate) struct TriageArgs {
    /// Files, directories (walked, hidden files too), or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// One JSON document instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit 1 if any run has this mode, finding, ending or health (several by comma)
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) fail_on: Vec<String>,
    /// Runs that should be there: a number, or a file with one run's name a line
    #[arg(long, value_name = "N|FILE")]
    pub(crate) expect: Option<String>,
    /// Groups instead of runs (several by comma): agent, model, ending, mode, health, confidence, next, loop, folder,
    /// project, day, week
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    pub(crate) group_by: Vec<String>,
    /// Rows of the table at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) rows: usize,
    /// Hold runs against a manual baseline (see `baseline record`)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write charts into this folder, as SVG and PNG: the runs' iterations side by side, waste by mode
    #[arg(long, value_name = "DIR")]
    pub(crate) charts: Option<PathBuf>,
    /// A repository whose history shows how much of what loops added a person reviewed, week by week (needs git)
    #[arg(long, value_name = "DIR")]
    pub(crate) repo: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Args, Clone)]
#[command(after_help = "RUN is an id from the table, whole words of one (or the head of a word) that fit a single run, or a path.")]
pub(crate) struct ExplainArgs {
    /// The run: its id, words of it, or a path
    #[arg(value_name = "RUN", required_unless_present = "mode")]
    pub(crate) run: Option<String>,
    /// Where to look for it [default: .]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Explain a mode or a finding instead of a run; `all` lists them
    #[arg(long, value_name = "MODE", conflicts_with_all = ["run", "paths"])]
    pub(crate) mode: Option<String>,
    /// Hold the run against a manual baseline (see `baseline record`)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write charts into this folder, as SVG and PNG: spending, context, timeline
    #[arg(long, value_name = "DIR", conflicts_with = "mode")]
    pub(crate) charts: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// The subcommands that judge runs.
const JUDGING: &[&str] = &["triage", "explain", "forecast", "report", "check", "query", "export"];

/// The whole command, with a flag for each threshold where runs are judged.
pub(crate) fn command() -> clap::Command {
    let with_thresholds = |mut command: clap::Command| {
        for setting in TABLE {
            command = command.arg(
                Arg::new(setting.name)
                    .long(setting.name.replace('_', "-"))
                    .value_name("N")
                    .help_heading("Thresholds")
                    .hide_short_help(true)
                    .help(format!("{} [{}; default: {}]", setting.help, setting.unit, setting.default)),
            );
        }
        command
    };
    let command = with_thresholds(Cli::command());
    let command = JUDGING.iter().fold(command, |command, name| command.mut_subcommand(*name, with_thresholds));
    command
        .mut_subcommand("baseline", |c| c.mut_subcommand("record", with_thresholds).mut_subcommand("compare", with_thresholds))
        // There `--format` is the answer's.
        .mut_subcommand("query", |query| query.mut_arg("read_as", |arg| arg.long("read-as").visible_alias(None)))
}

/// The thresholds that were given as flags.
pub(crate) fn threshold_flags(matches: &clap::ArgMatches) -> Vec<(String, String)> {
    TABLE.iter().filter_map(|s| matches.get_one::<String>(s.name).map(|v| (s.name.to_owned(), v.clone()))).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_is_sound() {
        super::command().debug_assert();
    }
}
