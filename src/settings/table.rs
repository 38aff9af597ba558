//! The one table of thresholds. Flags, environment, configuration file, the figures printed with each finding
//! and the documentation are all made from it.

use crate::settings::limits;

/// One threshold: what it is called everywhere, what it means, and where its default comes from.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in findings and in `loopmortem.toml`; `LOOPMORTEM_` + upper case in the environment; `--` + dashes as a flag.
    pub name: &'static str,
    /// What the number counts.
    pub unit: &'static str,
    /// Whether only whole numbers make sense.
    pub whole: bool,
    /// The value where nobody says otherwise.
    pub default: f64,
    /// What it decides.
    pub help: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

macro_rules! thresholds {
    ($($name:ident: $kind:ident = $default:literal, $unit:literal, $help:literal, $source:literal;)*) => {
        /// The thresholds of a diagnosis. Every field is documented in [`TABLE`].
        #[derive(Debug, Clone, PartialEq)]
        pub struct Thresholds {
            $(#[doc = concat!($help, " Unit: ", $unit, ". Default: ", stringify!($default), ". ", $source)] pub $name: $kind,)*
        }

        impl Default for Thresholds {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        /// Every threshold, in the order of the documentation.
        pub static TABLE: &[Setting] = &[
            $(Setting { name: stringify!($name), unit: $unit, whole: whole!($kind), default: $default as f64, help: $help, source: $source },)*
        ];

        impl Thresholds {
            /// The value in force, for printing.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(f64::from(self.$name)),)*
                    _ => None,
                }
            }

            /// Sets a threshold from text.
            ///
            /// # Errors
            /// What the threshold takes, where `value` is not that. `Ok(false)` where no threshold has the name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
                let Some(row) = limits::row(name) else { return Ok(false) };
                match name {
                    $(stringify!($name) => {
                        let value = parse::$kind(value)?;
                        limits::sensible(row, f64::from(value))?;
                        self.$name = value;
                    })*
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }
    };
}

macro_rules! whole {
    (u32) => {
        true
    };
    (f64) => {
        false
    };
}

mod parse {
    pub(super) fn u32(value: &str) -> Result<u32, String> {
        value.trim().parse::<u32>().ok().filter(|n| *n > 0).ok_or_else(|| "it takes a whole number from 1".to_owned())
    }

    pub(super) fn f64(value: &str) -> Result<f64, String> {
        value.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0).ok_or_else(|| "it takes a number above 0".to_owned())
    }
}

thresholds! {
    death_factor: f64 = 3.0, "x the usual interval", "Silent beyond this many median intervals between beats (else between iteration starts) is a death.", "Three missed beats are the usual heartbeat rule.";
    death_floor_s: f64 = 90.0, "seconds", "The horizon of a silent death is never below this.", "A model call alone may take a minute.";
    death_intervals: u32 = 3, "intervals", "With fewer known intervals the horizon is death_suspect_s and death_verdict_s.", "A median of two is no median.";
    death_suspect_s: f64 = 600.0, "seconds", "Without a known rhythm, silence this long is suspect.", "p99 of the longest silence in 284 normal sessions was 641 s.";
    death_verdict_s: f64 = 900.0, "seconds", "Without a known rhythm, silence this long is a death.", "The longest silence in 284 normal sessions was 1,217 s.";
    death_timeout_factor: f64 = 1.2, "x the tool timeout", "The horizon is never below this multiple of a declared tool timeout.", "A tool may use its whole timeout and must then report.";
    outage_retries: u32 = 3, "retries", "This many retries, 5xx or 429 at the end make a silent death an API outage.", "Clients retry a passing error once or twice.";
    stuck_suspect: u32 = 3, "red iterations", "The same failure this often in a row is suspect.", "Shell loops stop at 3.";
    stuck_verdict: u32 = 4, "red iterations", "The same failure this often in a row is stuck.", "Other tools use 3 to 5.";
    call_suspect: u32 = 3, "calls", "The same call with the same result this often in a row is suspect.", "On 80 runs labelled by people 3 gives precision 0.62.";
    call_verdict: u32 = 4, "calls", "The same call with the same result this often in a row is stuck.", "On 80 runs labelled by people 4 gives precision 1.00.";
    call_window: u32 = 10, "steps", "The window in which call_window_hits equal calls are stuck.", "A ten-step window is common in loop guards.";
    call_window_hits: u32 = 6, "calls", "The same call with the same result this often within call_window steps is stuck.", "More than five of ten.";
    error_repeat: u32 = 4, "calls", "The same tool failing with the same coarse error this often in a row is stuck, whatever the arguments.", "One more than the usual three retries.";
    text_repeat: u32 = 3, "messages", "The same assistant text this often in a row, with no result between, is stuck.", "Three is the usual monologue rule.";
    poll_suspect: u32 = 10, "calls", "An unchanged poll this often in a row is suspect.", "Polling guards warn at 10.";
    poll_verdict: u32 = 20, "calls", "An unchanged poll this often in a row is stuck.", "Polling guards stop at 20.";
    no_effect_calls: u32 = 10, "calls", "So many calls that should change files, with nothing changed, are stuck.", "Two windows of five.";
    no_effect_share: f64 = 0.8, "share", "At least this share of them answers nothing.", "A call that works says so.";
    oscillation_period: u32 = 4, "steps", "The longest cycle that is looked for.", "Longer cycles do not occur in recorded runs.";
    oscillation_returns: u32 = 2, "returns", "A cycle of failures or contents with this many full returns is an oscillation (A B A B A).", "One return is a rollback.";
    oscillation_rounds: u32 = 3, "rounds", "A cycle of calls with equal results repeated this often is an oscillation (A B A B A B).", "Six alternating steps are the usual rule.";
    walk_reds: u32 = 5, "red iterations", "A random walk needs at least this many red iterations in a row.", "Fewer are ordinary debugging.";
    walk_distinct: f64 = 0.8, "share", "At least this share of their failures is distinct.", "Below it failures repeat: stuck or oscillating.";
    walk_window: u32 = 6, "red iterations", "No gain in the last so many reds.", "Healthy churn gains within six.";
    walk_single: u32 = 10, "red iterations", "With one error line at a time and no counts, a random walk is a verdict only from here.", "A first error line hides progress behind it.";
    runaway_iterations: u32 = 10, "iterations", "Below this no run is a runaway.", "Most green runs need fewer.";
    runaway_baseline: f64 = 3.0, "x the baseline", "Spending this much more than one manual run is a runaway.", "Three times the baseline is the anomaly line.";
    runaway_peers: f64 = 3.0, "x the median", "Spending this much more than the median green run of the same loop is a runaway.", "As for the baseline.";
    runaway_peer_runs: u32 = 20, "green runs", "The same loop's green runs count from this many.", "A 95th percentile wants 20.";
    runaway_usd: f64 = 3.0, "US dollars", "With no budget, baseline or green runs known, a run that was never green is a runaway above this.", "A usual cost cap of one task.";
    runaway_reds: u32 = 20, "red iterations", "With neither cost nor tokens in the log, a run with so many reds is a runaway.", "The shell preset's MAX_ITER.";
    runaway_after_green: u32 = 3, "iterations", "Going on so long after a lasting green is a runaway.", "One or two may tidy up.";
    blocked_iterations: u32 = 3, "iterations", "A guard that stopped on so many iterations without work found the run blocked.", "Guards fire at the third.";
    blocked_iteration_s: f64 = 60.0, "seconds", "An iteration without work is at most this long in the median.", "An API refusal takes seconds, retries included.";
    restart_s: f64 = 600.0, "seconds", "A run without an end record that is started again this soon was stopped by a person.", "Nobody restarts a death before noticing it.";
    cost_mismatch: f64 = 0.05, "share", "The log's own cost and the computed one may differ by this much.", "Rounding and discounts stay below 5 %.";
    baseline_anomaly: f64 = 3.0, "x the baseline", "Taking this much more than the manual baseline, in money, tokens or calls, is an anomaly.", "Three times the baseline is the anomaly line.";
    baseline_pause_s: f64 = 300.0, "seconds", "A gap between two records that is longer is a pause and no active time.", "A cache entry lives for five minutes; nobody reads an answer for longer.";
    window_share: f64 = 0.95, "share of the window", "Last calls that fill the model's window this far make a silent death one of a full context.", "Clients compact at 80 to 92 %.";
    growth_calls: u32 = 10, "model calls", "Context growth is told from so many calls.", "Fewer give no slope.";
    growth_factor: f64 = 3.0, "x the first context", "A context that grew by this factor is growth worth telling.", "A session that reads its files once doubles.";
    growth_tokens: f64 = 20000.0, "tokens", "and by at least this much.", "Below it the cost does not matter.";
    growth_stateless: f64 = 1.5, "x the first context", "A stateless loop whose iterations begin with this much more context swells through its files.", "Each iteration should begin alike.";
    context_ceiling: f64 = 8000.0, "tokens", "The ceiling of a context file, at 4 characters a token.", "The usual ceiling of such writers.";
    recovery_failed: u32 = 3, "compactions", "So many failed compactions in a row bite themselves.", "One more than a retry.";
    recovery_suspect: u32 = 3, "compactions", "So many compactions in a row with nothing between are suspect.", "A compaction should make room for work.";
    recovery_verdict: u32 = 10, "compactions", "So many compactions in a row with nothing between are a recovery loop.", "A guard of a large agent stops at 10.";
    recovery_retries: u32 = 10, "retries", "So many retries in a row with nothing between are a recovery loop.", "Clients give up at 10.";
    recovery_hooks: u32 = 5, "prompts", "A stop hook that feeds the prompt back so often with no call between feeds itself.", "Recorded hook loops run to hundreds.";
    recovery_output: u32 = 3, "calls", "So many answers cut at their longest, with none whole between, are a recovery loop.", "The same request is cut at the same length.";
    hypothesis_unknown: u32 = 3, "hypotheses", "So many hypotheses in a row that stay unknown are no gain.", "Three is the usual patience.";
    blast_iterations: u32 = 5, "iterations", "Changed files are watched over so many iterations.", "Fewer give no trend.";
    blast_factor: f64 = 3.0, "x the first", "Changed files that grew by this factor and never fell.", "A fix touches what it touched before.";
    blast_files: u32 = 10, "files", "and are at least so many.", "Below it the reach is small.";
    design_score: f64 = 8.5, "score", "The design gate passes from here.", "The application builders' preset.";
    design_passes: u32 = 3, "passes", "The design gate may be tried so often.", "The application builders' preset.";
    restart_runs: u32 = 3, "runs", "So many further runs of a loop that found nothing to do were started after its work was done.", "One or two are a schedule.";
    common_cause_runs: u32 = 3, "runs", "So many runs that ended alike within common_cause_s of each other have one cause.", "Two may be chance.";
    common_cause_s: f64 = 300.0, "seconds", "The window of a common cause.", "Rate limits and outages hit parallel loops within minutes.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_reachable_by_its_name() {
        let mut t = Thresholds::default();
        for row in TABLE {
            assert_eq!(t.get(row.name), Some(row.default), "{}", row.name);
            let share = row.unit.starts_with("share");
            let (text, value) = if share { ("0.7", 0.7) } else { ("7", 7.0) };
            assert!(t.set(row.name, text).unwrap(), "{}", row.name);
            assert_eq!(t.get(row.name), Some(value), "{}", row.name);
            for bad in ["-1", "0", "-0", "many", "", "NaN", "inf", "1e999", if share { "1.01" } else { "-7" }] {
                assert!(t.set(row.name, bad).is_err(), "{} {bad}", row.name);
            }
            assert_eq!(t.get(row.name), Some(value), "{}: what is refused changes nothing", row.name);
        }
        assert!(!t.set("no_such", "1").unwrap());
    }
}
