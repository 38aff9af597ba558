//! What `query` and `export` take.

use super::{LookArgs, ReadArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
