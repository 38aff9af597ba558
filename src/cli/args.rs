//! What the command line takes. Thresholds become flags from their one table.

use crate::cli::forecast::ForecastArgs;
use clap::{Arg, Args, ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};
use loopmortem::settings::TABLE;
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
    /// Observation time: RFC 3339 or Unix seconds [default: SOURCE_DATE_EPOCH, else now]
    #[arg(long, value_name = "TIME")]
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
#[command(after_help = "RUN is an id from the table, a part of one that fits a single run, or a path.")]
pub(crate) struct ExplainArgs {
    /// The run: its id, a part of it, or a path
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

#[derive(Args, Clone)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArgs {
    /// Files, directories (walked, hidden files too), or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder for index.html, summary.md, report.json, junit.xml and charts/; made where it is missing
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Only runs that ended since then: a span before the observation time (7d, 36h) or a time (2026-11-22)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// An older report.json (or triage --json) to compare with, runs matched by id
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// What the report is called
    #[arg(long, value_name = "TEXT", default_value = "Agent loops, weekly report")]
    pub(crate) title: String,
    /// Hold runs against a manual baseline (see `baseline record`)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// A repository whose history shows how much of what loops added a person reviewed, week by week (needs git)
    #[arg(long, value_name = "DIR")]
    pub(crate) repo: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  loopmortem report runs/ --out week                     everything under runs/
  loopmortem report runs/ --out week --since 7d          the last seven days
  loopmortem report runs/ --out week --since 7d --compare last/report.json
                                                         week over week
  cat week/summary.md >> \"$GITHUB_STEP_SUMMARY\"        as a job summary";

#[derive(Args, Clone)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Files, directories (walked, hidden files too), or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The policy, in TOML
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Only runs that ended since then: a span before the observation time (7d, 36h) or a time (2026-11-22)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// One JSON document instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Write JUnit: a test case a rule and a run
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print GitHub annotations [default: only where GITHUB_ACTIONS is set]
    #[arg(long)]
    pub(crate) annotations: bool,
    /// Hold runs against a manual baseline (see `baseline record`)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  loopmortem check runs/ --policy loop-policy.toml
  loopmortem check runs/ --policy loop-policy.toml --junit check.xml
  loopmortem check runs/ --policy loop-policy.toml --json | jq .rules

A policy:
  [forbid]
  modes = [\"reward_hack\", \"runaway\"]     # also findings, endings, health
  min_confidence = \"medium\"               # low: suspicions count too
  [max]
  run_usd = 5                             # also total_usd, waste_usd, waste_share, dead, run_iterations,
  lost_lines = 0                          # run_wall, baseline_ratio
  [min]
  greens = 1                              # also green_share, runs

A sum of money that is not known passes no rule. Exit codes: 0 all rules pass, 1 one does not, 2 the policy
cannot be used, 3 nothing could be analysed.";

#[derive(Args, Clone)]
pub(crate) struct SchemaArgs {
    /// triage, report or check; without a name the list of them
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Args, Clone)]
pub(crate) struct FormatsArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const QUESTIONS: &str = "\
Questions a lead asks:
  what did each ending cost?
    SELECT ending, COUNT(*) AS runs, SUM(cost_pico_usd) / 1e12 AS usd, SUM(waste_pico_usd) / 1e12 AS wasted
    FROM runs GROUP BY ending ORDER BY usd DESC NULLS LAST
  which loops are dear for what they bring?
    SELECT loop, COUNT(*) AS runs, SUM(CASE WHEN ending = 'succeeded' THEN 1 ELSE 0 END) AS greens,
           SUM(cost_pico_usd) / 1e12 AS usd FROM runs GROUP BY loop ORDER BY usd DESC NULLS LAST LIMIT 10
  which failure costs most iterations?
    SELECT failure, COUNT(DISTINCT run) AS runs, COUNT(*) AS iterations
    FROM iterations WHERE colour = 'red' GROUP BY failure ORDER BY iterations DESC, failure LIMIT 10
  which model spends what, in how many calls?
    SELECT model, COUNT(*) AS calls, SUM(tokens) AS tokens, SUM(cost_pico_usd) / 1e12 AS usd
    FROM calls GROUP BY model ORDER BY usd DESC NULLS LAST
  which verdicts were there, and where can I read them up?
    SELECT f.run, f.kind, f.variant, f.path, f.line FROM findings AS f
    JOIN runs AS r ON f.run = r.run WHERE f.is_verdict AND r.health = 'failing' ORDER BY f.run, f.finding

Rows keep the order of runs wherever SQL leaves the order open, so the same question gives the same bytes. Spans of
time (ended - started) are seconds. Null is \"not known\", never zero; docs/tables.md says what each column holds.";

/// How an answer is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For people
    Table,
    /// RFC 4180, inert in spreadsheets
    Csv,
    /// One JSON object a line
    Ndjson,
    /// One JSON array
    Json,
}

#[derive(Args, Clone)]
#[command(after_help = QUESTIONS)]
pub(crate) struct QueryArgs {
    /// One SELECT statement
    #[arg(value_name = "SQL", required_unless_present = "tables")]
    pub(crate) sql: Option<String>,
    /// Files, directories (walked, hidden files too), or - for standard input [default: .]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print the tables with their columns, types and units instead
    #[arg(long, conflicts_with_all = ["sql", "paths"])]
    pub(crate) tables: bool,
    /// How the answer is written
    #[arg(id = "answer", long = "format", value_enum, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: AnswerFormat,
    /// Rows of the table at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) rows: usize,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// RFC 4180, inert in spreadsheets
    Csv,
    /// One JSON object a line
    Ndjson,
    /// Apache Parquet
    Parquet,
}

const EXPORTS: &str = "\
Examples:
  loopmortem export runs/ --to parquet --out night/              all six tables as night/runs.parquet and so on
  loopmortem export runs/ --to csv --table runs --out runs.csv   one table as one file
  loopmortem export runs/ --to ndjson --table findings --out -   one table on standard output

CSV cells cannot be taken for formulas: a text that begins with = + - @, a tab, a line break or an apostrophe gets an
apostrophe in front. docs/tables.md says what each column holds.";

#[derive(Args, Clone)]
#[command(after_help = EXPORTS)]
pub(crate) struct ExportArgs {
    /// Files, directories (walked, hidden files too), or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// How tables are written
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: ExportFormat,
    /// Which tables (several by comma): runs, iterations, calls, actions, checks, findings or all
    #[arg(long, value_name = "TABLE", value_delimiter = ',', default_value = "all")]
    pub(crate) table: Vec<String>,
    /// A folder, which is made if need be; with one table also a file, or - for standard output
    #[arg(long, value_name = "OUT")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Args, Clone)]
#[command(after_help = "Example: loopmortem completions bash > ~/.local/share/bash-completion/completions/loopmortem")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Clone)]
#[command(after_help = "Example: loopmortem man | man -l -")]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder, which is made if need be [default: the main page, on standard output]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
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
