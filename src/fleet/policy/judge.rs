//! Runs under a policy. What is not known passes no rule that asks for it.

use crate::diagnose::{Confidence, Ending, Health, Kind};
use crate::fleet::policy::{Amount, Bound, Forbidden, Limit, Measure, Policy, Rule};
use crate::report::model::{Cost, CostStatus, RunReport, Summary};
use crate::report::table::money;
use crate::trace::{Money, span};
use serde::Serialize;

/// What a rule came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It holds.
    Pass,
    /// It cannot be said whether it holds; that does not pass.
    Unknown,
    /// It is broken.
    Fail,
}

impl State {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Unknown => "unknown",
            Self::Fail => "fail",
        }
    }
}

/// A run that stands behind a rule's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offender {
    /// Its id.
    pub run: Box<str>,
    /// What it makes of the rule.
    pub state: State,
    /// What was measured or found, harmless.
    pub what: Box<str>,
    /// Where to look: source and line; line 0 for the file as a whole.
    pub place: Option<(Box<str>, u32)>,
}

/// What became of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// `forbid.modes stuck`, `max.run_usd`.
    pub rule: String,
    /// What it allows, in words.
    pub limit: String,
    /// What was measured, in words.
    pub measured: String,
    /// The result.
    pub state: State,
    /// The runs that are behind it, by id.
    pub runs: Vec<Offender>,
}

/// A policy's results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// A rule each.
    pub outcomes: Vec<Outcome>,
    /// The worst of them.
    pub state: State,
    /// Over so many runs.
    pub runs: u64,
}

/// Judges the runs. `analysed` says whether anything was read at all: over nothing, what would pass is unknown.
#[must_use]
pub fn judge(policy: &Policy, runs: &[RunReport], summary: &Summary, analysed: bool) -> Judged {
    let outcomes: Vec<Outcome> = policy
        .rules
        .iter()
        .map(|rule| match rule {
            Rule::Forbid(what) => forbid(*what, policy.min_confidence, runs),
            Rule::Limit(limit, amount) => held(limit, *amount, runs, summary),
        })
        .map(|o| {
            if analysed || o.state == State::Fail {
                o
            } else {
                Outcome { state: State::Unknown, measured: "nothing to judge".to_owned(), ..o }
            }
        })
        .collect();
    let state = outcomes.iter().map(|o| o.state).max().unwrap_or(State::Pass);
    Judged { outcomes, state, runs: runs.len() as u64 }
}

fn forbid(what: Forbidden, least: Confidence, runs: &[RunReport]) -> Outcome {
    let (part, name) = match what {
        Forbidden::Mode(kind, variant) => ("modes", with(kind, variant)),
        Forbidden::Finding(kind, variant) => ("findings", with(kind, variant)),
        Forbidden::Ending(id) => ("endings", id.to_owned()),
        Forbidden::Health(word) => ("health", word.to_owned()),
    };
    let found: Vec<Offender> = runs.iter().filter_map(|run| is(run, what, least)).collect();
    Outcome {
        rule: format!("forbid.{part} {name}"),
        limit: "none".to_owned(),
        measured: match found.len() {
            0 => "none".to_owned(),
            1 => "1 run".to_owned(),
            n => format!("{n} runs"),
        },
        state: if found.is_empty() { State::Pass } else { State::Fail },
        runs: found,
    }
}

fn with(kind: Kind, variant: Option<&str>) -> String {
    variant.map_or_else(|| kind.id().to_owned(), |v| format!("{}/{v}", kind.id()))
}

/// Whether a run is what is forbidden, with the place that shows it.
fn is(run: &RunReport, what: Forbidden, least: Confidence) -> Option<Offender> {
    let shown = |kind: Kind, variant: Option<&str>| {
        run.findings.iter().find(|f| f.kind == kind && f.confidence >= least && (variant.is_none() || f.variant == variant))
    };
    let at =
        |finding: &crate::report::model::FindingReport| finding.evidence.first().map(|e| (e.path.to_string().into_boxed_str(), e.line));
    let (text, place): (Box<str>, _) = match what {
        // A suspicion is never the mode, so with `low` it counts by its finding.
        Forbidden::Mode(kind, variant) => {
            let finding = shown(kind, variant).filter(|_| run.mode == Some(kind) || least == Confidence::Low)?;
            (finding.summary.clone(), at(finding))
        }
        Forbidden::Finding(kind, variant) => {
            let finding = shown(kind, variant)?;
            (finding.summary.clone(), at(finding))
        }
        Forbidden::Ending(id) => {
            run.ending.filter(|e| e.id() == id)?;
            let detail = run.ending_detail.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
            (format!("{id}{detail}: {}", run.why).into(), whole(run))
        }
        Forbidden::Health(word) => {
            (run.health.word() == word).then_some(())?;
            (format!("{}: {}", run.ending.map_or("no ending", Ending::id), run.why).into(), whole(run))
        }
    };
    Some(Offender { run: run.run.clone(), state: State::Fail, what: text, place })
}

/// The first source of a run, or where its first finding stands.
fn whole(run: &RunReport) -> Option<(Box<str>, u32)> {
    let finding = run.findings.first().and_then(|f| f.evidence.first()).map(|e| (e.path.to_string().into_boxed_str(), e.line));
    finding.or_else(|| run.sources.first().map(|s| (s.path.to_string().into_boxed_str(), 0)))
}

/// A figure that may be known, known in part, or not known.
#[derive(Clone, Copy)]
enum Figure {
    Known(Amount),
    AtLeast(Amount),
    Unknown,
}

impl Figure {
    fn cost(cost: &Cost) -> Self {
        match (cost.status, cost.usd) {
            (CostStatus::Known, Some(m)) => Self::Known(Amount::Usd(m)),
            (CostStatus::AtLeast, Some(m)) => Self::AtLeast(Amount::Usd(m)),
            _ => Self::Unknown,
        }
    }

    fn count(n: usize) -> Self {
        Self::Known(Amount::Count(n as u64))
    }

    fn words(self) -> String {
        match self {
            Self::Known(a) => a.words(),
            Self::AtLeast(a) => format!("≥{}", a.words()),
            Self::Unknown => "unknown".to_owned(),
        }
    }

    /// Against a value. What is at least so much fails a maximum below it, and passes none.
    fn against(self, bound: Bound, limit: Amount) -> State {
        let beyond = |a: Amount| match bound {
            Bound::Max => a.exceeds(limit),
            Bound::Min => limit.exceeds(a),
        };
        match self {
            Self::Known(a) if beyond(a) => State::Fail,
            Self::Known(_) => State::Pass,
            Self::AtLeast(a) if bound == Bound::Max && beyond(a) => State::Fail,
            Self::AtLeast(_) | Self::Unknown => State::Unknown,
        }
    }
}

impl Amount {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Usd(m) => m.short(),
            Self::Seconds(s) => span(s),
            Self::Count(n) => n.to_string(),
            Self::Ratio(r) => format!("{r:.2}"),
        }
    }

    /// Money and counts are compared as the integers that they are.
    fn exceeds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Usd(a), Self::Usd(b)) => a > b,
            (Self::Count(a), Self::Count(b)) => a > b,
            (Self::Seconds(a), Self::Seconds(b)) | (Self::Ratio(a), Self::Ratio(b)) => a > b,
            // The table gives a measure and its limit the same unit.
            _ => true,
        }
    }
}

fn held(limit: &Limit, amount: Amount, runs: &[RunReport], summary: &Summary) -> Outcome {
    let per_run = |figure: &dyn Fn(&RunReport) -> Figure, blame: &dyn Fn(Figure) -> String| {
        let mut found: Vec<Offender> = Vec::new();
        for run in runs {
            let figure = figure(run);
            let state = figure.against(limit.bound, amount);
            if state != State::Pass {
                found.push(Offender { run: run.run.clone(), state, what: blame(figure).into(), place: whole(run) });
            }
        }
        // What is broken before what is not known; the sort keeps the order of ids.
        found.sort_by_key(|o| std::cmp::Reverse(o.state));
        let state = found.first().map_or(State::Pass, |o| o.state);
        let count = |state: State| found.iter().filter(|o| o.state == state).count();
        let measured = match (count(State::Fail), count(State::Unknown)) {
            (0, 0) => format!("none of {} runs beyond", runs.len()),
            (0, n) => format!("unknown for {n} of {} runs", runs.len()),
            (n, 0) => format!("{n} of {} runs beyond", runs.len()),
            (n, m) => format!("{n} of {} runs beyond, unknown for {m}", runs.len()),
        };
        (measured, state, found)
    };
    let (measured, state, runs) = match limit.measure {
        Measure::RunUsd => per_run(&|r| Figure::cost(&r.cost), &|f| format!("cost {}", f.words())),
        Measure::RunIterations => per_run(&|r| Figure::Known(Amount::Count(r.iterations.into())), &|f| format!("{} iterations", f.words())),
        Measure::RunWall => {
            per_run(&|r| r.wall_s.map_or(Figure::Unknown, |s| Figure::Known(Amount::Seconds(s))), &|f| format!("took {}", f.words()))
        }
        Measure::BaselineRatio => per_run(&baseline, &|f| format!("{} x the baseline", f.words())),
        whole => {
            let figure = total(whole, runs, summary);
            let state = figure.against(limit.bound, amount);
            let behind = if state == State::Pass { Vec::new() } else { behind(whole, state, runs) };
            (figure.words(), state, behind)
        }
    };
    let word = match limit.bound {
        Bound::Max => "at most",
        Bound::Min => "at least",
    };
    Outcome { rule: limit.name(), limit: format!("{word} {}", amount.words()), measured, state, runs }
}

/// The largest of a run's ratios in money, tokens and calls, each by the lower end of its interval: only what is certainly
/// beyond a limit fails it. With one manual run there is a ratio and no interval; then it is the ratio. Without a
/// baseline, or where no side knows a figure, nothing is known.
fn baseline(run: &RunReport) -> Figure {
    let Some(b) = &run.baseline else { return Figure::Unknown };
    let ratios = [b.usd, b.tokens, b.calls].into_iter().filter_map(|r| r.low.or(r.ratio));
    ratios.max_by(f64::total_cmp).map_or(Figure::Unknown, |r| Figure::Known(Amount::Ratio(r)))
}

fn total(measure: Measure, runs: &[RunReport], summary: &Summary) -> Figure {
    let t = &summary.totals;
    let greens = || runs.iter().filter(|r| r.ending == Some(Ending::Succeeded)).count();
    #[expect(clippy::cast_precision_loss, reason = "a share of runs")]
    let share =
        |part: usize, whole: usize| if whole == 0 { Figure::Unknown } else { Figure::Known(Amount::Ratio(part as f64 / whole as f64)) };
    match measure {
        Measure::TotalUsd if runs.is_empty() => Figure::Known(Amount::Usd(Money::ZERO)),
        Measure::TotalUsd => Figure::cost(&t.cost),
        Measure::WasteUsd => wasted(runs)
            .map_or(Figure::Unknown, |(m, whole)| if whole { Figure::Known(Amount::Usd(m)) } else { Figure::AtLeast(Amount::Usd(m)) }),
        Measure::WasteShare => match (wasted(runs), t.cost.status, t.cost.usd) {
            (Some((m, true)), CostStatus::Known, Some(spent)) if spent > Money::ZERO => {
                Figure::Known(Amount::Ratio(m.to_f64() / spent.to_f64()))
            }
            _ => Figure::Unknown,
        },
        Measure::Dead => Figure::Known(Amount::Seconds(t.waste.dead_s)),
        Measure::LostLines => Figure::Known(Amount::Count(t.lost_lines)),
        Measure::Unreadable => Figure::count(summary.errors.len()),
        Measure::Failing => Figure::count(runs.iter().filter(|r| r.health == Health::Failing).count()),
        Measure::Greens => Figure::count(greens()),
        Measure::GreenShare => share(greens(), runs.len()),
        _ => Figure::count(runs.len()),
    }
}

/// What all runs wasted, and whether that is known of every one of them.
fn wasted(runs: &[RunReport]) -> Option<(Money, bool)> {
    if runs.is_empty() {
        return Some((Money::ZERO, true));
    }
    let known = runs.iter().filter_map(|r| r.waste.usd).reduce(|a, b| a + b)?;
    Some((known, runs.iter().all(|r| r.waste.usd.is_some() && r.cost.status == CostStatus::Known)))
}

/// The runs that make a sum what it is, the largest part first.
fn behind(measure: Measure, state: State, runs: &[RunReport]) -> Vec<Offender> {
    let mut parts: Vec<(i128, Offender)> = Vec::new();
    for run in runs {
        let part = match measure {
            Measure::TotalUsd if run.cost.status != CostStatus::Known => Some((i128::MAX, format!("cost {}", money_or_unknown(&run.cost)))),
            Measure::TotalUsd => run.cost.usd.map(|m| (m.0, format!("cost {}", m.short()))),
            Measure::WasteUsd | Measure::WasteShare => match run.waste.usd {
                Some(m) => Some((m.0, format!("wasted {}", m.short()))),
                None => Some((i128::MAX, "waste unknown".to_owned())),
            },
            Measure::Dead => {
                run.waste.dead_s.filter(|s| *s > 0.0).map(|s| (Money::from_f64(s).unwrap_or_default().0, format!("dead for {}", span(s))))
            }
            Measure::LostLines => {
                let lost: u64 = run.sources.iter().map(|s| s.lost).sum();
                (lost > 0).then(|| (i128::from(lost), format!("{lost} lines lost")))
            }
            Measure::Unreadable => {
                run.sources.iter().find_map(|s| s.error.as_deref()).map(|e| (1, crate::report::escape::terminal(e).into_owned()))
            }
            Measure::Failing => (run.health == Health::Failing).then(|| (1, run.why.to_string())),
            Measure::Greens | Measure::GreenShare => {
                (run.ending != Some(Ending::Succeeded)).then(|| (1, run.ending.map_or("no ending", Ending::id).to_owned()))
            }
            _ => None,
        };
        if let Some((size, what)) = part.filter(|(size, _)| *size != 0) {
            parts.push((size, Offender { run: run.run.clone(), state, what: what.into(), place: whole(run) }));
        }
    }
    parts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.run.cmp(&b.1.run)));
    parts.into_iter().map(|(_, offender)| offender).collect()
}

fn money_or_unknown(cost: &Cost) -> String {
    if cost.usd.is_some() { money(cost) } else { "unknown".to_owned() }
}
