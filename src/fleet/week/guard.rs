//! One guard that would have helped, with what it would have saved and which green runs it would have stopped.
//!
//! Exact for what it says: the guards here only stop a run, so what was spent after the stop is what they save.

use crate::diagnose::{Ending, Kind};
use crate::fleet::week::cause::{Cause, plus};
use crate::report::model::{CostStatus, RunReport};
use crate::report::section::Section;
use crate::settings::Thresholds;
use crate::trace::Money;
use serde::Serialize;

/// What a guard saves, or what was spent after it would have fired. Unknown is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Saving {
    /// Money.
    pub usd: Option<Money>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Seconds.
    pub seconds: Option<f64>,
}

impl Saving {
    fn add(self, other: Self) -> Self {
        Self {
            usd: plus(self.usd, other.usd, |a, b| a + b),
            tokens: plus(self.tokens, other.tokens, u64::saturating_add),
            seconds: plus(self.seconds, other.seconds, |a, b| a + b),
        }
    }

    fn is_known(self) -> bool {
        self != Self::default()
    }
}

/// Sums of money that are tried as a cap on a run, in US dollars.
pub(crate) const CAPS: [u32; 8] = [1, 2, 3, 5, 10, 20, 50, 100];

/// Where a guard would have stopped a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// In this iteration, by number.
    pub iteration: u32,
    /// What came after.
    pub after: Saving,
}

/// How many equal failures in a row are tried as a limit.
pub(crate) const EQUAL: [u32; 4] = [3, 4, 5, 6];
/// How many red iterations without gain are tried as a limit.
pub(crate) const NO_GAIN: [u32; 3] = [6, 8, 10];

/// Where each guard that can be suggested would have stopped a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trials {
    /// At the n-th equal failure in a row, for 3, 4, 5 and 6.
    pub equal: [Option<Stop>; EQUAL.len()],
    /// At the n-th red iteration without gain, for 6, 8 and 10.
    pub no_gain: [Option<Stop>; NO_GAIN.len()],
    /// At a sum of money, for each of the sums that are tried.
    pub cost: [Option<Stop>; CAPS.len()],
}

/// A guard, and what it would have done to these runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guard {
    /// The cause that it is for.
    pub cause: &'static str,
    /// What to do.
    pub guard: String,
    /// A line for the loop's budget file, where there is one.
    pub setting: Option<String>,
    /// Why.
    pub reason: String,
    /// What it would have saved in runs that did not succeed, as far as it is known.
    pub saving: Option<Saving>,
    /// Those runs, by id.
    pub stops: Vec<Box<str>>,
    /// Green runs that it would have stopped before their end.
    pub kills: Vec<Box<str>>,
    /// Green runs of which it can be said what it would have done to them.
    pub greens: u64,
}

type Runs<'a> = &'a [(RunReport, Section)];

/// A guard for the heaviest cause that has one.
pub(super) fn suggest(causes: &[Cause], runs: Runs<'_>, limits: &Thresholds) -> Option<Guard> {
    causes.iter().find_map(|cause| {
        let kind = crate::diagnose::KINDS.iter().find(|k| k.id == cause.cause).map(|k| k.kind);
        let own = |r: &RunReport| cause.runs.contains(&r.run);
        match kind {
            Some(Kind::Stuck) => Some(best(cause, runs, &EQUAL, |s| &s.trials.equal, equal)),
            Some(Kind::Oscillation | Kind::RandomWalk) => Some(best(cause, runs, &NO_GAIN, |s| &s.trials.no_gain, no_gain)),
            Some(Kind::Runaway) if runs.iter().filter(|(r, _)| own(r)).all(|(r, _)| is_after_done(r)) => Some(after_done(cause, runs)),
            Some(Kind::Runaway) => Some(cost_cap(cause, runs, limits)),
            Some(Kind::SilentDeath) => Some(supervisor(cause, runs)),
            Some(Kind::RewardHack) => Some(plain(
                cause,
                "make tests, golden files and the runner's configuration read-only for the agent, and let the loop compare them after each iteration",
                "a check that can be rewritten judges nothing",
            )),
            Some(Kind::FalseDone) => {
                Some(plain(cause, "let only the check's exit code end the loop", "success was claimed that no check confirms"))
            }
            _ if cause.cause == Ending::Blocked.id() && !cause.common.is_empty() => Some(plain(
                cause,
                "while the back-end answers with errors, wait with growing pauses and resume, instead of counting iterations",
                "one outage ended several runs at once",
            )),
            _ => None,
        }
    })
}

fn is_after_done(run: &RunReport) -> bool {
    run.findings.iter().any(|f| f.kind == Kind::Runaway && f.variant == Some("after_done"))
}

fn plain(cause: &Cause, guard: &str, reason: &str) -> Guard {
    Guard {
        cause: cause.cause,
        guard: guard.to_owned(),
        setting: None,
        reason: reason.to_owned(),
        saving: None,
        stops: Vec::new(),
        kills: Vec::new(),
        greens: 0,
    }
}

/// Holds a guard against every run of which it `can` be said what it would have done.
fn tried(mut guard: Guard, runs: Runs<'_>, can: impl Fn(&RunReport) -> bool, stop: impl Fn(&Section) -> Option<Stop>) -> Guard {
    let mut saving = Saving::default();
    for (run, section) in runs.iter().filter(|(run, _)| can(run)) {
        let green = run.ending == Some(Ending::Succeeded);
        guard.greens += u64::from(green);
        match (stop(section), green) {
            (Some(_), true) => guard.kills.push(run.run.clone()),
            (Some(stop), false) => {
                saving = saving.add(stop.after);
                guard.stops.push(run.run.clone());
            }
            (None, _) => {}
        }
    }
    guard.saving = saving.is_known().then_some(saving);
    guard
}

/// Of several limits the one that stops the fewest green runs, then the one that saves most.
fn best<const N: usize>(
    cause: &Cause,
    runs: Runs<'_>,
    limits: &[u32; N],
    trial: impl Fn(&Section) -> &[Option<Stop>; N],
    name: impl Fn(&Cause, u32) -> Guard,
) -> Guard {
    let mut chosen: Option<Guard> = None;
    for (k, n) in limits.iter().enumerate() {
        let judged = |r: &RunReport| r.checks.red + r.checks.green > 0;
        let guard = tried(name(cause, *n), runs, judged, |s| trial(s).get(k).copied().flatten());
        let stops_own = guard.stops.iter().any(|r| cause.runs.contains(r));
        if chosen.as_ref().is_none_or(|c| stops_own && guard.kills.len() < c.kills.len()) {
            chosen = Some(guard);
        }
    }
    chosen.unwrap_or_else(|| name(cause, limits.first().copied().unwrap_or(1)))
}

fn equal(cause: &Cause, n: u32) -> Guard {
    Guard {
        setting: Some(format!("sameFailureSignature: {n}")),
        ..plain(cause, &format!("stop at the {n}th equal failure in a row").replace("3th", "3rd"), "the same failure came back each time")
    }
}

fn no_gain(cause: &Cause, n: u32) -> Guard {
    plain(cause, &format!("stop after {n} red iterations without gain"), "it changed things and came no closer")
}

fn after_done(cause: &Cause, runs: Runs<'_>) -> Guard {
    let mut guard = plain(cause, "stop at the first lasting green", "the work was done and the loop went on");
    let mut saving = Saving::default();
    for (run, _) in runs.iter().filter(|(r, _)| cause.runs.contains(&r.run)) {
        saving = saving.add(Saving { usd: run.waste.usd, tokens: run.waste.tokens, seconds: run.waste.seconds });
        guard.stops.push(run.run.clone());
    }
    guard.saving = saving.is_known().then_some(saving);
    guard
}

/// A cap at twice what the dearest green run cost, at least what makes a runaway: of the sums that are tried the next one.
fn cost_cap(cause: &Cause, runs: Runs<'_>, limits: &Thresholds) -> Guard {
    let priced = |r: &RunReport| r.cost.status == CostStatus::Known;
    let greens = runs.iter().filter(|(r, _)| priced(r) && r.ending == Some(Ending::Succeeded));
    let dearest = greens.filter_map(|(r, _)| r.cost.usd).max();
    let least = dearest.map_or(0.0, |m| 2.0 * m.to_f64()).max(limits.runaway_usd);
    let chosen = CAPS.iter().enumerate().find(|(_, cap)| f64::from(**cap) >= least).or(CAPS.iter().enumerate().next_back());
    let Some((k, cap)) = chosen else { return plain(cause, "cap the cost of a run", "spending had no end in sight") };
    let why = match dearest {
        Some(m) => format!("spending had no end in sight; the dearest green run cost {}", m.short()),
        None => "spending had no end in sight".to_owned(),
    };
    let guard = Guard { setting: Some(format!("costUsd: {cap}")), ..plain(cause, &format!("cap the cost of a run at ${cap}"), &why) };
    tried(guard, runs, priced, |s| s.trials.cost.get(k).copied().flatten())
}

fn supervisor(cause: &Cause, runs: Runs<'_>) -> Guard {
    let dead: f64 = runs.iter().filter(|(r, _)| cause.runs.contains(&r.run)).filter_map(|(r, _)| r.waste.dead_s).sum();
    Guard {
        saving: (dead > 0.0).then_some(Saving { seconds: Some(dead), ..Saving::default() }),
        stops: cause.runs.clone(),
        ..plain(
            cause,
            "run the loop under a supervisor that restarts it, and alert when the heartbeat is older than three intervals",
            "nobody noticed that the runs had stopped",
        )
    }
}

impl Guard {
    /// What the green runs say about its risk: with 0 of n stopped, a true rate of up to this is still possible (one-sided
    /// 95 %, exact binomial).
    #[must_use]
    pub fn kill_bound(&self) -> Option<f64> {
        if self.greens == 0 || !self.kills.is_empty() {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "a number of runs")]
        let n = self.greens as f64;
        Some(1.0 - 0.05_f64.powf(1.0 / n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_kill_in_42_still_allows_6_9_percent() {
        let cause = super::super::cause::rank(std::iter::empty(), &[]);
        assert!(cause.is_empty());
        let guard = Guard {
            cause: "stuck",
            guard: String::new(),
            setting: None,
            reason: String::new(),
            saving: None,
            stops: Vec::new(),
            kills: Vec::new(),
            greens: 42,
        };
        assert!((guard.kill_bound().unwrap() - 0.069).abs() < 0.0005);
        assert_eq!(Guard { greens: 0, ..guard }.kill_bound(), None);
    }
}
