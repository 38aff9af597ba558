//! What the weekly report and the gate take.

use super::{LookArgs, ReadArgs};
use clap::Args;
use loopmortem::settings::WHEN;
use std::path::PathBuf;

#[derive(Args, Clone)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArgs {
    /// Files, directories (walked, hidden files too), or - for standard input
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder for index.html, summary.md, report.json, junit.xml and charts/; made where it is missing
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Only runs that ended since then
    #[arg(long, value_name = "WHEN", help = format!("Only runs that ended since then: {WHEN} from --as-of"))]
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
    /// Only runs that ended since then
    #[arg(long, value_name = "WHEN", help = format!("Only runs that ended since then: {WHEN} from --as-of"))]
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
