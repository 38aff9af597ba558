//! A forecast from past runs: for people and as JSON.

use super::json::{Budget, SCHEMA, SCHEMA_VERSION};
use super::words::{many, table, wrap};
use crate::cost::forecast::Verdict;
use crate::cost::forecast::history::{History, Quantile, Quantiles, SPREAD, Settings, TAIL};
use crate::cost::growth::{Caching, Regime};
use crate::diagnose::Health;
use crate::report::escape::{terminal, visible};
use crate::report::model::PriceList;
use crate::report::table::{Look, thousands};
use crate::trace::Money;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The percentiles that are shown, each where there are runs enough for it.
const PERCENTILES: [usize; 6] = [10, 25, 50, 75, 90, 99];

/// Below this share of the variance a line is a poor picture: recorded agents' sessions have 0.99.
const LINE: f64 = 0.5;

/// Renders a history.
#[must_use]
pub fn render(h: &History, settings: &Settings, prices: &PriceList, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.palette.bold(&wrap(&headline(h), look)));
    budget(h, look, &mut out);
    let _ = writeln!(out, "{}\n", look.palette.dim(&wrap(&format!("{} read, {}", many(h.read as u64, "run"), terminal(&h.kind)), look)));
    out.push_str(&costs(h, look));
    out.push_str("\n\n");
    let mut notes = String::new();
    draws(h, settings, &mut notes);
    green(h, &mut notes);
    advice(h, &mut notes);
    growth(h, &mut notes);
    for note in notes.lines() {
        let _ = writeln!(out, "{}", wrap(note, look));
    }
    let _ = writeln!(out, "{}", look.palette.dim(&format!("prices as of {}", prices.snapshot)));
    out
}

fn budget(h: &History, look: Look, out: &mut String) {
    let Some(gate) = &h.gate else { return };
    let (health, words) = match gate.verdict() {
        Verdict::Within => (Health::Healthy, "enough"),
        Verdict::Beyond => (Health::Failing, "not enough"),
        Verdict::Unknown => (Health::Failing, "cannot be told to be enough: does not pass"),
    };
    let figure = gate.figure.map_or_else(String::new, |m| format!("{}, ", m.short()));
    let share = h.draws.as_ref().filter(|d| d.runs >= SPREAD).and_then(|d| d.cost.share_within(gate.budget));
    let share = share.map_or_else(String::new, |s| format!("; {:.0} % of the drawn launches stay within it", 100.0 * s));
    let line = format!("budget {}: {words} ({figure}{}){share}", gate.budget.short(), gate.what);
    let _ = writeln!(out, "{}", look.palette.health(health, &wrap(&line, look)));
}

/// What is read first: what the next launch costs, and how often it gets there.
fn headline(h: &History) -> String {
    let Some(d) = &h.draws else {
        return match shown(&h.cost, 50, h.cost.n) {
            Some(m) => format!("past runs cost {} in the median; no launch can be drawn from them", m.short()),
            None => {
                format!("{}: too few to say what the next one costs", many(h.cost.n as u64, "run of known cost").replace("costs", "cost"))
            }
        };
    };
    let mut text = match shown(&d.cost, 50, d.runs) {
        Some(m) => format!("the next launch costs {} in the median", m.short()),
        None => format!("{} to draw from: too few to say what the next launch costs", many(d.runs as u64, "run")),
    };
    if let Some(m) = shown(&d.cost, 90, d.runs) {
        let _ = write!(text, ", {} in 9 of 10 at most", m.short());
    }
    if d.runs >= SPREAD {
        let _ = write!(text, "; {:.0} % get green within {}", 100.0 * d.green, many(u64::from(d.cap), "iteration"));
        if let Some(m) = d.per_success {
            let _ = write!(text, ", {} per success", m.short());
        }
    }
    text
}

/// A percentile, where `runs` are enough for it.
fn shown(q: &Quantiles, percent: usize, runs: usize) -> Option<Money> {
    q.at(percent).filter(|_| runs >= Quantiles::wants(percent))
}

fn costs(h: &History, look: Look) -> String {
    let row = |name: &str, q: &Quantiles, runs: usize| {
        let cell = |m: Option<Money>| m.map_or_else(|| "-".to_owned(), Money::short);
        let mut cells = vec![name.to_owned(), runs.to_string(), cell(q.min)];
        cells.extend(PERCENTILES.map(|p| cell(shown(q, p, runs))));
        cells.push(cell(q.max));
        cells
    };
    let mut rows = vec![row("past runs", &h.cost, h.cost.n)];
    if let Some(d) = &h.draws {
        rows.push(row("next launch", &d.cost, d.runs));
    }
    table(&["cost", "runs", "least", "P10", "P25", "P50", "P75", "P90", "P99", "most"], rows, 1, look)
}

fn draws(h: &History, settings: &Settings, out: &mut String) {
    if h.cost.n < 100 {
        let _ = writeln!(out, "percentiles want runs: quartiles {SPREAD}, P10 and P90 {TAIL}, P99 100");
    }
    if h.unpriced > 0 {
        let _ = writeln!(out, "left out of past costs: {} whose cost is not wholly known", many(h.unpriced as u64, "run"));
    }
    let Some(d) = &h.draws else {
        let _ = writeln!(out, "no launches are drawn: no run has a line, iterations, output tokens and a priced model");
        return;
    };
    let model = settings.model.as_deref().map_or_else(|| "each run's own model".to_owned(), |m| terminal(m).into_owned());
    let regime = settings.regime.map_or("each run's own regime", Regime::id);
    let _ = writeln!(
        out,
        "next launch: 10,000 launches drawn from {}, {model}, {regime}, {}, cap {}, seed {}",
        many(d.runs as u64, "run"),
        d.caching.map_or("cached as they were", Caching::words),
        d.cap,
        d.seed
    );
    let _ = writeln!(out, "a session is compacted where its run was, at the latest at the model's window");
}

fn quantile(q: Option<Quantile>) -> String {
    match q {
        Some(Quantile::At(n)) => n.to_string(),
        Some(Quantile::Beyond(n)) => format!("> {n}"),
        Some(Quantile::NotReached) => "not reached".to_owned(),
        None => "unknown".to_owned(),
    }
}

fn green(h: &History, out: &mut String) {
    let s = &h.survival;
    if s.runs == 0 {
        return;
    }
    let _ = write!(out, "iterations to green: median {}", quantile(s.quantile(50)));
    if s.runs >= TAIL {
        let _ = write!(out, ", P90 {}", quantile(s.quantile(90)));
    }
    if let Some(last) = s.steps.last().filter(|_| s.unverified > 0) {
        let _ = write!(out, "; {:.0} % get green within {}", 100.0 * last.reached, many(u64::from(last.iterations), "iteration"));
    }
    let _ = writeln!(
        out,
        " ({} over {}: {} green, {} ended without a green check, {} censored)",
        s.estimator(),
        many(s.runs as u64, "run"),
        s.green,
        s.unverified,
        s.censored
    );
}

fn advice(h: &History, out: &mut String) {
    let Some(a) = &h.advice else { return };
    let _ = writeln!(
        out,
        "cap: {} is cheapest per success ({}), {} keeps 95 % of the past successes ({}); per success is what all launches cost, over those that get green: a bound, as a task that failed once is likelier to fail again",
        a.cheapest,
        a.per_success.short(),
        a.keeping,
        a.keeping_per_success.short()
    );
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "shown with three digits")]
fn tokens(n: f64) -> String {
    thousands(n.round().max(0.0) as u64)
}

fn growth(h: &History, out: &mut String) {
    if let Some(g) = &h.growth {
        let _ = write!(out, "growth: a session begins with {}, a call appends {}", tokens(g.prefix), tokens(g.appended),);
        if let Some(o) = g.output {
            let _ = write!(out, " ({} of it output)", tokens(o));
        }
        if let Some(n) = g.calls_per_iteration {
            let _ = write!(out, ", {n:.1} calls an iteration");
        }
        let _ = write!(out, "; medians of {} with {}", many(g.runs as u64, "run"), many(g.calls as u64, "call"));
        if let Some(r2) = g.r2 {
            let _ = write!(out, ", R² {r2:.3}{}", if r2 < LINE { ": a line says little about these runs" } else { "" });
        }
        if g.stateless > 0 {
            let _ = write!(out, "; {} begin a session for each iteration", g.stateless);
        }
        out.push('\n');
    }
    for (why, n) in &h.unfitted {
        let _ = writeln!(out, "no line for {}: {}", many(*n as u64, "run"), why.words());
    }
}

/// A history as JSON.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    schema_version: &'static str,
    history: Body,
    budget: Option<Budget>,
    prices: &'a PriceList,
}

#[derive(Serialize)]
struct Body {
    runs_read: usize,
    runs: usize,
    kind: String,
    past_cost: Costs,
    unpriced_runs: usize,
    growth: Option<Growth>,
    unfitted: BTreeMap<&'static str, usize>,
    iterations_to_green: Green,
    next_launch: Option<Launch>,
    cap: Option<Cap>,
}

#[derive(Serialize)]
struct Costs {
    runs: usize,
    min: Option<Money>,
    p10: Option<Money>,
    p25: Option<Money>,
    p50: Option<Money>,
    p75: Option<Money>,
    p90: Option<Money>,
    p99: Option<Money>,
    max: Option<Money>,
}

#[derive(Serialize)]
struct Growth {
    runs: usize,
    calls: usize,
    state_tokens: f64,
    work_tokens: f64,
    output_tokens: Option<f64>,
    r2: Option<f64>,
    calls_per_iteration: Option<f64>,
    stateless_runs: usize,
}

#[derive(Serialize)]
struct Green {
    runs: usize,
    green: usize,
    unverified: usize,
    censored: usize,
    p50: Option<u32>,
    p90: Option<u32>,
    longest: u32,
    curve: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    iterations: u32,
    at_risk: usize,
    green: usize,
    unverified: usize,
    survivor: f64,
    reached: f64,
}

#[derive(Serialize)]
struct Launch {
    cost: Costs,
    cap: u32,
    seed: u64,
    model: Option<String>,
    regime: Option<&'static str>,
    caching: Option<&'static str>,
    p_green_within_cap: Option<f64>,
    p_cost_within_budget: Option<f64>,
    usd_per_success: Option<Money>,
}

#[derive(Serialize)]
struct Cap {
    cheapest: u32,
    usd_per_success: Money,
    keeps_95_percent: u32,
    keeping_usd_per_success: Money,
}

impl Costs {
    fn of(q: &Quantiles, runs: usize) -> Self {
        let [p10, p25, p50, p75, p90, p99] = PERCENTILES.map(|p| shown(q, p, runs));
        Self { runs, min: q.min, p10, p25, p50, p75, p90, p99, max: q.max }
    }
}

impl<'a> Document<'a> {
    /// Of a history.
    #[must_use]
    pub fn of(h: &History, settings: &Settings, prices: &'a PriceList) -> Self {
        let s = &h.survival;
        let at = |percent, least| match s.quantile(percent) {
            Some(Quantile::At(n)) if s.runs >= least => Some(n),
            _ => None,
        };
        let budget = h.gate.as_ref().map(|g| g.budget);
        let history = Body {
            runs_read: h.read,
            runs: h.runs,
            kind: visible(&h.kind).into_owned(),
            past_cost: Costs::of(&h.cost, h.cost.n),
            unpriced_runs: h.unpriced,
            growth: h.growth.map(|g| Growth {
                runs: g.runs,
                calls: g.calls,
                state_tokens: g.prefix,
                work_tokens: g.appended,
                output_tokens: g.output,
                r2: g.r2,
                calls_per_iteration: g.calls_per_iteration,
                stateless_runs: g.stateless,
            }),
            unfitted: h.unfitted.iter().map(|(why, n)| (why.words(), *n)).collect(),
            iterations_to_green: Green {
                runs: s.runs,
                green: s.green,
                unverified: s.unverified,
                censored: s.censored,
                p50: at(50, 1),
                p90: at(90, TAIL),
                longest: s.longest,
                curve: s.steps.iter().map(Point::of).collect(),
            },
            next_launch: h.draws.as_ref().map(|d| Launch {
                cost: Costs::of(&d.cost, d.runs),
                cap: d.cap,
                seed: d.seed,
                model: settings.model.as_deref().map(|m| visible(m).into_owned()),
                regime: settings.regime.map(Regime::id),
                caching: d.caching.map(Caching::id),
                p_green_within_cap: (d.runs >= SPREAD).then_some(d.green),
                p_cost_within_budget: budget.filter(|_| d.runs >= SPREAD).and_then(|b| d.cost.share_within(b)),
                usd_per_success: d.per_success.filter(|_| d.runs >= SPREAD),
            }),
            cap: h.advice.map(|a| Cap {
                cheapest: a.cheapest,
                usd_per_success: a.per_success,
                keeps_95_percent: a.keeping,
                keeping_usd_per_success: a.keeping_per_success,
            }),
        };
        Self { schema: SCHEMA, schema_version: SCHEMA_VERSION, history, budget: h.gate.as_ref().map(Budget::of), prices }
    }
}

impl Point {
    fn of(s: &crate::cost::forecast::history::Step) -> Self {
        Self {
            iterations: s.iterations,
            at_risk: s.at_risk,
            green: s.green,
            unverified: s.unverified,
            survivor: s.survivor,
            reached: s.reached,
        }
    }
}
