//! The one table of modes and findings. Detection, `explain --mode`, JSON, the README and the documentation use it.

use serde::{Serialize, Serializer};

/// A mode or a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The check was weakened instead of satisfied.
    RewardHack,
    /// The run stopped and nobody said so.
    SilentDeath,
    /// The same failure or the same call again and again.
    Stuck,
    /// Back and forth between a few states.
    Oscillation,
    /// Ever new failures, no gain.
    RandomWalk,
    /// Spending on, without end or after it.
    Runaway,
    /// Success claimed and not evidenced.
    FalseDone,
    /// A mode that was seen and overcome.
    Recovered,
    /// A limit of the budget was crossed.
    BudgetOverrun,
    /// Green and red on an identical tree.
    FlakyCheck,
    /// The context swells from call to call.
    ContextGrowth,
    /// A recovery that bites itself.
    RecoveryLoop,
    /// Paid twice.
    RebilledResume,
    /// Done without permission.
    PermissionBreach,
    /// The frozen scope was changed.
    ScopeTamper,
    /// The change reaches further and further.
    BlastRadius,
    /// Hypotheses stay unknown.
    NoHypothesisGain,
    /// Log, heartbeat and state tell different stories.
    WitnessesDisagree,
    /// A call without a result, a result without a call.
    LedgerGap,
    /// Nobody outside the model judged the work.
    NoExternalCheck,
    /// Work was wiped, or nearly.
    DestructiveAction,
    /// The log was copied while it was written.
    Snapshot,
    /// The log's own cost and ours differ.
    CostMismatch,
    /// Several times what the task took by hand.
    BaselineAnomaly,
    /// Lines were salvaged or lost.
    ParseLoss,
}

/// What is said about a kind, everywhere.
#[derive(Debug, Clone, Copy)]
pub struct KindSpec {
    /// Which.
    pub kind: Kind,
    /// The name in JSON, on the command line and in configuration.
    pub id: &'static str,
    /// Whether it can be a run's primary mode. The table's order is then the order of precedence.
    pub is_mode: bool,
    /// One line: what it is.
    pub what: &'static str,
    /// How it is recognised.
    pub how: &'static str,
    /// Its variants, with what each means.
    pub variants: &'static [(&'static str, &'static str)],
    /// The thresholds that decide it.
    pub thresholds: &'static [&'static str],
    /// What to do about it.
    pub remedy: &'static str,
}

/// Every kind, modes first and in the order in which one becomes primary.
pub static KINDS: &[KindSpec] = &[
    KindSpec {
        kind: Kind::RewardHack,
        id: "reward_hack",
        is_mode: true,
        what: "The check was weakened instead of satisfied.",
        how: "The loop's own gate saw the test tree change, reverted it and stopped. Or, between the last red and the next green (in the whole run where it was never green), a test, golden file, check or runner configuration that was there before was weakened: assertions or tests removed, skips added, expected values rewritten, mocks in place of logic, exceptions swallowed, the runner narrowed, `|| true` or `exit 0` added. What the task asks for, new tests and the run's own temporary tests do not count.",
        variants: &[
            ("own_gate", "the loop's own gate said so"),
            ("weakened", "a write shows it"),
            ("acceptance", "acceptance items disappeared and the gate turned green"),
        ],
        thresholds: &[],
        remedy: "Discard the iteration, keep the tests read-only for the agent, and restart from the last green commit.",
    },
    KindSpec {
        kind: Kind::SilentDeath,
        id: "silent_death",
        is_mode: true,
        what: "The run stopped without an end record and nobody was told.",
        how: "Not finished, and the newest event is older than the horizon: 3 x the usual interval between beats or iterations, at least 90 s; 15 min where no rhythm is known. A call without its answer, a final agent_call with nothing after it or a torn last line make it certain. A verdict by content (stuck, oscillation, random walk, runaway) takes precedence as the mode.",
        variants: &[
            ("stopped", "log and heartbeat fell silent together"),
            ("zombie", "the heartbeat went on while no event came"),
            ("api_outage", "retries or API errors were the last thing to happen"),
            ("killed", "the last exit code was 124 or 137: a timeout or a kill"),
            ("context_full", "the last calls stood at the window's limit"),
        ],
        thresholds: &[
            "death_factor",
            "death_floor_s",
            "death_intervals",
            "death_suspect_s",
            "death_verdict_s",
            "death_timeout_factor",
            "outage_retries",
            "window_share",
        ],
        remedy: "Run the loop under a supervisor that restarts it, and alert when the heartbeat is older than three intervals.",
    },
    KindSpec {
        kind: Kind::Stuck,
        id: "stuck",
        is_mode: true,
        what: "The same failure, or the same call with the same answer, again and again.",
        how: "The same coarse failure signature in 4 red iterations in a row (3 is suspect) with no failure gone and no more tests passed; or the same call with the same result 4 times in a row (3 is suspect) or in 6 of 10 steps; or the same tool failing with the same error 4 times in a row; an unchanged poll only at 20 (10 is suspect); or 10 calls that should change files, with empty answers and nothing changed. Infrastructure failures do not count and do not interrupt. The loop's own `stuck` event is taken at its word.",
        variants: &[
            ("own", "the loop's own repeat detector fired"),
            ("check", "the same failure signature"),
            ("call", "the same call with the same result, or the same tool with the same error whatever the arguments"),
            ("text", "the same words with no result between"),
            ("no_effect", "call after call that changes files, and nothing changes"),
            ("poll", "a poll that never changed"),
            ("subagent", "a sub-agent made the same call with the same result, and the run did not go on to anything else"),
        ],
        thresholds: &[
            "stuck_suspect",
            "stuck_verdict",
            "call_suspect",
            "call_verdict",
            "call_window",
            "call_window_hits",
            "error_repeat",
            "poll_suspect",
            "poll_verdict",
            "text_repeat",
            "no_effect_calls",
            "no_effect_share",
        ],
        remedy: "Stop at the third equal failure, give the next attempt the history of what did not work, or split the task.",
    },
    KindSpec {
        kind: Kind::Oscillation,
        id: "oscillation",
        is_mode: true,
        what: "Back and forth between a few states: one fix undoes the other.",
        how: "Failure signatures or checked trees cycle with period 2 to 4 and return twice in full (A B A B A), or calls with equal results go round three times (A B A B A B), with no gain meanwhile. One return is a rollback.",
        variants: &[
            ("signature", "the failures cycle"),
            ("content", "the checked trees cycle, or a file comes back to an earlier content again and again"),
            ("call", "calls with equal results cycle"),
        ],
        thresholds: &["oscillation_period", "oscillation_returns", "oscillation_rounds"],
        remedy: "Run both failing checks together in one iteration, and put the two requirements that exclude each other before a person.",
    },
    KindSpec {
        kind: Kind::RandomWalk,
        id: "random_walk",
        is_mode: true,
        what: "Ever new failures and no gain: the loop changes things, it does not come closer.",
        how: "At least 5 red iterations in a row, 80 % of their signatures distinct, no gain in the last 6. Certain where a fixed failure or an earlier tree comes back or the failure count rises. Where the log shows one error line at a time and no counts, it is suspect from 5 and a verdict from 10.",
        variants: &[],
        thresholds: &["walk_reds", "walk_distinct", "walk_window", "walk_single"],
        remedy: "Restart from the last green commit with a smaller task and a check that counts failures.",
    },
    KindSpec {
        kind: Kind::Runaway,
        id: "runaway",
        is_mode: true,
        what: "Spending on with no end in sight, or on after the end.",
        how: "Never green after 10 or more iterations, and the cost is above the budget, 3 times the manual baseline's, or 3 times the median of the same loop's green runs where 20 are known (then also more iterations than 95 % of them); or, with none of these known, above 3 USD; or, with neither cost nor tokens in the log, 20 red iterations or 3 times the baseline's calls. Or the run went on for 3 or more iterations after a lasting green. Length alone never suffices.",
        variants: &[
            ("budget", "above the budget"),
            ("baseline", "far above the manual baseline"),
            ("peers", "far above the same loop's green runs"),
            ("cost", "above the fallback sum, nothing else known"),
            ("length", "many red iterations, cost unknown"),
            ("after_done", "the work was done and the loop went on"),
        ],
        thresholds: &[
            "runaway_iterations",
            "runaway_baseline",
            "runaway_peers",
            "runaway_peer_runs",
            "runaway_usd",
            "runaway_reds",
            "runaway_after_green",
        ],
        remedy: "Cap iterations and cost per run, and stop at the first lasting green.",
    },
    KindSpec {
        kind: Kind::FalseDone,
        id: "false_done",
        is_mode: false,
        what: "Success was claimed and is not evidenced.",
        how: "The run says that it is done, and the last check is red, older than the last edit, or was never run. A claim without any check is a suspicion: nothing speaks for it, nothing against it. So is a red after which a person went on, or a like check was green. Prose that is written later makes no green old.",
        variants: &[
            ("red", "the last check is red"),
            ("stale", "the last check is older than the last edit"),
            ("unchecked", "no check was ever run"),
            ("gates", "a hard gate is red"),
        ],
        thresholds: &[],
        remedy: "Let only the check's exit code end the loop.",
    },
    KindSpec {
        kind: Kind::Recovered,
        id: "recovered",
        is_mode: false,
        what: "A mode was seen and overcome: the run went on to something new for as long again, or to green.",
        how: "The variant names the mode.",
        variants: &[("stuck", "was stuck"), ("oscillation", "was oscillating"), ("random_walk", "was walking")],
        thresholds: &[],
        remedy: "Look at what ended it: that is what a guard should do earlier.",
    },
    KindSpec {
        kind: Kind::BudgetOverrun,
        id: "budget_overrun",
        is_mode: false,
        what: "A hard limit of the budget was reached and the run went on.",
        how: "Use per dimension against the budget file; the variant names the dimension, `reserve` the calls kept for the final verification.",
        variants: &[
            ("reserve", "the calls kept for the final verification were spent"),
            ("costUsd_per_iteration", "one iteration spent more than each may"),
        ],
        thresholds: &[],
        remedy: "Check the budget before each call, not after each iteration.",
    },
    KindSpec {
        kind: Kind::FlakyCheck,
        id: "flaky_check",
        is_mode: false,
        what: "The check answered differently on an identical tree: the stop condition itself is broken.",
        how: "Two executions of the same check with other answers, on a tree that the log names as the same, or with nothing between them that could have changed it. What comes and goes like that is left out of the failing sets.",
        variants: &[("colour", "green and red"), ("failures", "red both times, with other failures")],
        thresholds: &[],
        remedy: "Run the check ten times on one state and repair it before the loop runs again.",
    },
    KindSpec {
        kind: Kind::ContextGrowth,
        id: "context_growth",
        is_mode: false,
        what: "The context swells from call to call.",
        how: "Robust slope (Theil-Sen) of the context over the calls, split at compactions. Every session grows: that it grew a lot is a suspicion, and a verdict where a loop goes on in one session or a session came to the end of its window; a stateless loop that begins each iteration with more than the one before swells through its files; a context file over its ceiling says so itself.",
        variants: &[
            ("stateful", "one session that grows"),
            ("stateless", "iterations that begin with more each time"),
            ("files", "a context file over its ceiling, or with files left out"),
        ],
        thresholds: &["growth_calls", "growth_factor", "growth_tokens", "growth_stateless", "window_share", "context_ceiling"],
        remedy: "Start each iteration fresh with a state file of fixed size, or compact earlier.",
    },
    KindSpec {
        kind: Kind::RecoveryLoop,
        id: "recovery_loop",
        is_mode: false,
        what: "Compaction, retry or stop-hook feedback that bites itself.",
        how: "Compactions that fail, or follow each other with no work between; retries without end; a stop hook that feeds the prompt back while no call is made; answers that are cut at their longest again and again.",
        variants: &[
            ("compaction", "compactions with nothing between, or failed ones"),
            ("retry", "retries with nothing between"),
            ("stop_hook", "a prompt fed back with no call between"),
            ("output_limit", "answers cut at their longest"),
        ],
        thresholds: &["recovery_failed", "recovery_suspect", "recovery_verdict", "recovery_retries", "recovery_hooks", "recovery_output"],
        remedy: "Cap recoveries and end the run at the cap: what recovers must make room for work.",
    },
    KindSpec {
        kind: Kind::RebilledResume,
        id: "rebilled_resume",
        is_mode: false,
        what: "A resume or replay paid again for model calls that were paid for.",
        how: "The same call's id is billed twice, on both sides of a resume or in another pass.",
        variants: &[],
        thresholds: &[],
        remedy: "Resume from the ledger: a call with a recorded answer is not made again.",
    },
    KindSpec {
        kind: Kind::PermissionBreach,
        id: "permission_breach",
        is_mode: false,
        what: "Something was done that nobody had allowed.",
        how: "An `ask` that became `allow`, or was simply carried out, with nobody deciding; a denied action that was done all the same, under its own or another name; an approval for one action used for several.",
        variants: &[
            ("undecided", "asked, and done with nobody deciding"),
            ("renamed", "denied, and done under another name"),
            ("denied", "denied, and done"),
            ("reused", "one approval, several actions"),
        ],
        thresholds: &[],
        remedy: "Decide by what an action does, not by what the tool is called, and let an approval expire with its use.",
    },
    KindSpec {
        kind: Kind::ScopeTamper,
        id: "scope_tamper",
        is_mode: false,
        what: "The frozen scope was changed instead of fulfilled.",
        how: "Between two snapshots of the acceptance matrix, or in the run's own writes: items dropped, descriptions weakened, items marked done with no green check; or blocked paths were changed.",
        variants: &[
            ("dropped", "an item is gone"),
            ("weakened", "a description asks for less"),
            ("unchecked", "done, says the matrix, and no check was green"),
            ("blocked_path", "a blocked path was changed"),
        ],
        thresholds: &[],
        remedy: "Keep the matrix read-only for the agent and compare it with its first snapshot before each gate.",
    },
    KindSpec {
        kind: Kind::BlastRadius,
        id: "blast_radius",
        is_mode: false,
        what: "The change reaches further and further.",
        how: "Changed files grew over the iterations and never fell; or edits left the declared scope; or something was published or deployed that nobody had asked for.",
        variants: &[
            ("growing", "changed files keep growing"),
            ("outside", "edits outside the declared scope"),
            ("external", "published or deployed unasked"),
        ],
        thresholds: &["blast_iterations", "blast_factor", "blast_files"],
        remedy: "Declare the paths that a loop may touch, and cap changed files.",
    },
    KindSpec {
        kind: Kind::NoHypothesisGain,
        id: "no_hypothesis_gain",
        is_mode: false,
        what: "Hypotheses are tried and none is decided.",
        how: "Hypotheses in a row whose finding stays unknown. New logs, new commands or an error that moved are no progress.",
        variants: &[],
        thresholds: &["hypothesis_unknown"],
        remedy: "Name for each hypothesis the signal that would refute it before it is tried.",
    },
    KindSpec {
        kind: Kind::WitnessesDisagree,
        id: "witnesses_disagree",
        is_mode: false,
        what: "Log, heartbeat, state file and sessions tell different stories.",
        how: "Iteration, money spent, or done-or-not differ by more than one write can explain; what the log books differs from what its sessions book; or records name another run.",
        variants: &[
            ("iteration", "the iteration differs"),
            ("spent", "the money differs"),
            ("done", "done or not differs"),
            ("cost", "the log's cost differs from its sessions'"),
            ("tokens", "the log's tokens differ from its sessions'"),
            ("stray", "records of another run"),
            ("status", "the runner's own word for the end is not what happened"),
        ],
        thresholds: &["cost_mismatch"],
        remedy: "Write state, heartbeat and log from one place, after the check.",
    },
    KindSpec {
        kind: Kind::LedgerGap,
        id: "ledger_gap",
        is_mode: false,
        what: "A call without a result, a result without a call, or a sub-agent that started and never stopped.",
        how: "Every call is paired with its answer by id; a last call that is still open is no gap.",
        variants: &[
            ("no_result", "a call was never answered and the work went on"),
            ("no_call", "an answer to a call that is not in the log"),
            ("subagent", "a sub-agent has no end"),
            ("turn_back", "a record's turn is one that was left before"),
            ("after_abort", "work went on after the run was aborted"),
        ],
        thresholds: &[],
        remedy: "Look at the log there: records are missing, so its sums may be too small.",
    },
    KindSpec {
        kind: Kind::NoExternalCheck,
        id: "no_external_check",
        is_mode: false,
        what: "Files were changed and nobody outside the model judged the result.",
        how: "Edits, and no known check in the whole run; or every review was made by the model whose work it was.",
        variants: &[("same_model", "judge and author are the same model")],
        thresholds: &[],
        remedy: "Let the loop run tests, a build or a linter itself and end on their exit code.",
    },
    KindSpec {
        kind: Kind::DestructiveAction,
        id: "destructive_action",
        is_mode: false,
        what: "Work was wiped, or nearly, and nobody had asked for it.",
        how: "reset --hard, checkout or restore over files, clean -f, rm -rf outside temporary and build folders, force push, or a package published as a check; what a person's words ask for does not count.",
        variants: &[],
        thresholds: &[],
        remedy: "Deny these commands to the agent and commit before each iteration.",
    },
    KindSpec {
        kind: Kind::Snapshot,
        id: "snapshot",
        is_mode: false,
        what: "The log was copied while it was written: how the run ended is not in it.",
        how: "The last call is open and commits or pushes, which is when archives copy sessions.",
        variants: &[],
        thresholds: &[],
        remedy: "Look for a later copy of the same session.",
    },
    KindSpec {
        kind: Kind::CostMismatch,
        id: "cost_mismatch",
        is_mode: false,
        what: "The log's own cost and the computed one differ.",
        how: "Over the calls that have both, by more than 5 %.",
        variants: &[],
        thresholds: &["cost_mismatch"],
        remedy: "Check the price list's date, discounts, and whether the log counts cached tokens twice.",
    },
    KindSpec {
        kind: Kind::BaselineAnomaly,
        id: "baseline_anomaly",
        is_mode: false,
        what: "The run took several times what the task took by hand.",
        how: "Three times the manual baseline or more, in money, tokens or calls (`--baseline FILE`).",
        variants: &[("usd", "in money"), ("tokens", "in tokens"), ("calls", "in model calls")],
        thresholds: &["baseline_anomaly"],
        remedy: "See with `baseline compare` whether single calls or their number grew, and which failures the manual run did not have.",
    },
    KindSpec {
        kind: Kind::ParseLoss,
        id: "parse_loss",
        is_mode: false,
        what: "Lines had to be recovered, or could not be.",
        how: "Counted line by line: recovered, lost, torn, times that go back.",
        variants: &[],
        thresholds: &[],
        remedy: "Write the log with a tool that escapes, `jq -nc --arg` for one.",
    },
];

impl Kind {
    /// Its row of the table.
    #[must_use]
    pub fn spec(self) -> &'static KindSpec {
        // The table has a row for each kind, in the enum's order; a test holds it to that.
        &KINDS[self as usize]
    }

    /// Its name.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.spec().id
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TABLE;

    #[test]
    fn the_table_has_a_row_for_each_kind_in_order() {
        for (k, row) in KINDS.iter().enumerate() {
            assert_eq!(row.kind as usize, k, "{}", row.id);
        }
        assert_eq!(KINDS.len(), Kind::ParseLoss as usize + 1);
    }

    #[test]
    fn every_threshold_named_exists() {
        for row in KINDS {
            for name in row.thresholds {
                assert!(TABLE.iter().any(|s| s.name == *name), "{name} of {}", row.id);
            }
        }
    }
}
