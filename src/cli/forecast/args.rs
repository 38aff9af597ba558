//! What `forecast` takes.

use crate::cli::args::{LookArgs, ReadArgs};
use clap::{Args, ValueEnum};
use loopmortem::cost::growth::{CacheClass, Caching, Regime};
use loopmortem::trace::Money;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Numbers of tokens may be written 18000, 18_000, 18k or 1.5M.

Examples:
  loopmortem forecast --iterations 20 --calls-per-iteration 12 --state-tokens 15k --work-tokens 2k \\
      --output-tokens 500 --disk-state 8k --reorient-calls 4 --model claude-sonnet-4-5
                                            stateful against stateless, with and without cache
  … --max-iter 40 --budget 25               exit 1 unless 40 iterations are sure to stay within 25 dollars
  … --baseline manual.json                  the ceiling at what a manual run costs an iteration
  … --compact-at 160k --compact-to 40k      with compaction
  loopmortem forecast --from runs/          what past runs cost, and what they say about the next one
  loopmortem forecast --run billing-fix runs/ --iterations 40
                                            a run that is under way, projected to its 40th iteration
  loopmortem forecast --validate calls.csv  how well the forms describe recorded calls

Exit codes:
  0 done   1 --budget is not enough, or it cannot be told   2 usage   3 nothing could be analysed";

#[derive(Args, Clone)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ForecastArgs {
    /// Iterations that are planned
    #[arg(long, value_name = "T", value_parser = count, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) iterations: Option<u64>,
    /// Tokens that every session begins with: system prompt, tools, instructions
    #[arg(long, value_name = "S", value_parser = count, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) state_tokens: Option<u64>,
    /// Tokens that a call appends to its session, its output included
    #[arg(long, value_name = "A", value_parser = count, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) work_tokens: Option<u64>,
    /// Output of a call
    #[arg(long, value_name = "O", value_parser = count, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) output_tokens: Option<u64>,
    /// The model, as it is billed
    #[arg(long, value_name = "MODEL", help_heading = "Launch")]
    pub(crate) model: Option<String>,
    /// Model calls of an iteration [default: 1]
    #[arg(long, value_name = "M", value_parser = count, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) calls_per_iteration: Option<u64>,
    /// State on disk that a fresh iteration reads again
    #[arg(long, value_name = "F", value_parser = count, default_value = "0", allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) disk_state: u64,
    /// Calls that a fresh iteration needs on top to find its way
    #[arg(long, value_name = "E", value_parser = count, default_value = "0", allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) reorient_calls: u64,
    /// The loop's own cap on iterations [default: --iterations]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) max_iter: Option<u64>,
    /// What it may cost, in US dollars: exit 1 where the forecast is above it or cannot tell
    #[arg(long, value_name = "USD", value_parser = budget, allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) budget: Option<Money>,
    /// A baseline: the ceiling is the cap x its cost an iteration
    #[arg(long, value_name = "FILE", help_heading = "Launch")]
    pub(crate) baseline: Option<PathBuf>,
    /// The regime that is planned: only it counts for the ceiling [default: both]
    #[arg(long, value_enum, help_heading = "Launch")]
    pub(crate) regime: Option<RegimeArg>,
    /// What the cache will do: only that counts for the ceiling [default: anything]
    #[arg(long, value_enum, help_heading = "Launch")]
    pub(crate) cache: Option<CacheArg>,
    /// How long cache writes live
    #[arg(long, value_enum, default_value = "5m", help_heading = "Launch")]
    pub(crate) cache_class: ClassArg,
    /// Compact a session before a call with more context than this
    #[arg(long, value_name = "C", value_parser = count, requires = "compact_to", allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) compact_at: Option<u64>,
    /// The context of the first call after a compaction
    #[arg(long, value_name = "C", value_parser = count, requires = "compact_at", allow_negative_numbers = true, help_heading = "Launch")]
    pub(crate) compact_to: Option<u64>,
    /// Sub-agents that an iteration starts
    #[arg(long, value_name = "N", value_parser = count, default_value = "0", allow_negative_numbers = true, help_heading = "Sub-agents")]
    pub(crate) subagents: u64,
    /// Calls of a sub-agent
    #[arg(long, value_name = "N", value_parser = count, default_value = "10", allow_negative_numbers = true, help_heading = "Sub-agents")]
    pub(crate) subagent_calls: u64,
    /// Tokens that a sub-agent begins with [default: --state-tokens]
    #[arg(long, value_name = "S", value_parser = count, allow_negative_numbers = true, help_heading = "Sub-agents")]
    pub(crate) subagent_state: Option<u64>,
    /// Tokens that a sub-agent's call appends [default: --work-tokens]
    #[arg(long, value_name = "A", value_parser = count, allow_negative_numbers = true, help_heading = "Sub-agents")]
    pub(crate) subagent_tokens: Option<u64>,
    /// Output of a sub-agent's call [default: --output-tokens]
    #[arg(long, value_name = "O", value_parser = count, allow_negative_numbers = true, help_heading = "Sub-agents")]
    pub(crate) subagent_output: Option<u64>,
    /// Tokens that a sub-agent returns to its parent [default: its output of a call]
    #[arg(long, value_name = "R", value_parser = count, allow_negative_numbers = true, help_heading = "Sub-agents")]
    pub(crate) subagent_returns: Option<u64>,
    /// Past runs: files or directories
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["run", "validate"], help_heading = "From records")]
    pub(crate) from: Vec<PathBuf>,
    /// Seed of the draws from past runs
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "From records")]
    pub(crate) seed: u64,
    /// A run that is under way: its id, words of it, or a path
    #[arg(long, value_name = "RUN", conflicts_with = "validate", help_heading = "From records")]
    pub(crate) run: Option<String>,
    /// Where to look for --run [default: .]
    #[arg(value_name = "PATH", requires = "run")]
    pub(crate) paths: Vec<PathBuf>,
    /// A CSV of recorded calls (run, turn, prompt_tokens …): how well the forms describe them
    #[arg(long, value_name = "FILE", help_heading = "From records")]
    pub(crate) validate: Option<PathBuf>,
    /// Write the chart into this folder, as SVG and PNG: both regimes with cap and budget; of past runs, how many are green by when
    #[arg(long, value_name = "DIR", conflicts_with_all = ["run", "validate"])]
    pub(crate) charts: Option<PathBuf>,
    /// One JSON document instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RegimeArg {
    Stateful,
    Stateless,
}

impl From<RegimeArg> for Regime {
    fn from(arg: RegimeArg) -> Self {
        match arg {
            RegimeArg::Stateful => Self::Stateful,
            RegimeArg::Stateless => Self::Stateless,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheArg {
    /// No cache
    None,
    /// It never expires within the launch
    Warm,
    /// It expires once before each iteration
    Expiry,
}

impl From<CacheArg> for Caching {
    fn from(arg: CacheArg) -> Self {
        match arg {
            CacheArg::None => Self::None,
            CacheArg::Warm => Self::Warm,
            CacheArg::Expiry => Self::Expiry,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassArg {
    #[value(name = "5m")]
    FiveMinutes,
    #[value(name = "1h")]
    Hour,
}

impl From<ClassArg> for CacheClass {
    fn from(arg: ClassArg) -> Self {
        match arg {
            ClassArg::FiveMinutes => Self::FiveMinutes,
            ClassArg::Hour => Self::Hour,
        }
    }
}

/// A whole number of tokens, calls or iterations: `18000`, `18_000`, `18k`, `1.5M`.
fn count(text: &str) -> Result<u64, String> {
    let bad = || "it takes a whole number: 18000, 18_000, 18k or 1.5M".to_owned();
    let plain: String = text.trim().chars().filter(|c| *c != '_').collect();
    let (digits, zeros) = match plain.strip_suffix(['k', 'K']) {
        Some(rest) => (rest, 3),
        None => plain.strip_suffix(['m', 'M']).map_or((&*plain, 0), |rest| (rest, 6)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let point = digits.contains('.');
    if whole.is_empty() || fraction.len() > zeros || point && fraction.is_empty() {
        return Err(bad());
    }
    if !whole.chars().chain(fraction.chars()).all(|c| c.is_ascii_digit()) {
        return Err(bad());
    }
    format!("{whole}{fraction:0<zeros$}").parse().map_err(|_| "it is far too large".to_owned())
}

/// An amount of money above 0.
fn budget(text: &str) -> Result<Money, String> {
    let plain = text.trim();
    let amount: Option<Money> = plain.strip_prefix('$').unwrap_or(plain).parse().ok();
    amount.filter(|m| *m > Money::ZERO).ok_or_else(|| "it takes an amount in US dollars above 0: 5 or 12.50".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, n) in
            [("18000", 18_000), ("18_000", 18_000), ("18k", 18_000), ("1.5M", 1_500_000), ("0", 0), ("0.25k", 250), ("2m", 2_000_000)]
        {
            assert_eq!(count(text), Ok(n), "{text}");
        }
        for bad in [
            "",
            "-5",
            "NaN",
            "inf",
            "1e30",
            "1.5",
            "5.",
            ".5k",
            "1.2345k",
            "k",
            "5 000",
            "0x10",
            "99999999999999999999",
            "18446744073709551615k",
        ] {
            assert!(count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn budgets_are_amounts_above_nothing() {
        assert_eq!((budget("12.50"), budget("$5")), (Ok(Money(12_500_000_000_000)), Ok(Money::dollars(5))));
        for bad in ["0", "-1", "NaN", "inf", "1e30", "", "five"] {
            assert!(budget(bad).is_err(), "{bad}");
        }
    }
}
