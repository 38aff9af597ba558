//! The projection of a run under way: for people and as JSON.

use super::json::{Budget, SCHEMA, SCHEMA_VERSION};
use super::words::{many, money, table, wrap};
use crate::cost::forecast::Verdict;
use crate::cost::forecast::running::{Running, Settings, Until};
use crate::cost::growth::Caching;
use crate::diagnose::Health;
use crate::report::escape::{terminal, visible};
use crate::report::model::PriceList;
use crate::report::table::{Look, thousands};
use crate::trace::Money;
use serde::Serialize;
use std::fmt::Write as _;

/// Renders a projection.
#[must_use]
pub fn render(r: &Running, settings: &Settings, prices: &PriceList, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.palette.bold(&wrap(&headline(r), look)));
    if let (Some(budget), Some(gate)) = (r.budget, &r.gate) {
        let (health, words) = match gate.verdict() {
            Verdict::Within => (Health::Healthy, "enough".to_owned()),
            Verdict::Beyond => (Health::Failing, "not enough".to_owned()),
            Verdict::Unknown => (Health::Failing, format!("cannot be told to be enough: {}", gate.what)),
        };
        let left = r.left.map_or_else(|| "what is left is not known".to_owned(), |m| format!("{} left", m.short()));
        let mut line = format!("budget {}: {left}, {words}", budget.short());
        if let Some(n) = r.spent_at_call {
            let _ = write!(line, "; by the growth so far it is spent at call {n}, {} from here", many(n.saturating_sub(r.calls), "call"));
        }
        let _ = writeln!(out, "{}", look.palette.health(health, &wrap(&line, look)));
    }
    out.push('\n');
    let now = vec!["so far".to_owned(), r.calls.to_string(), thousands(r.input), money(r.spent)];
    let mut rows = vec![now];
    if let Some(p) = &r.projection {
        rows.push(vec!["quadratic form".to_owned(), p.calls.to_string(), thousands(p.quadratic_input), money(p.quadratic)]);
        rows.push(vec!["linear pace".to_owned(), p.calls.to_string(), thousands(p.linear_input), money(p.linear)]);
    }
    out.push_str(&table(&["", "calls", "input", "cost"], rows, 1, look));
    out.push_str("\n\n");
    let mut notes = String::new();
    growth(r, &mut notes);
    for note in notes.lines() {
        let _ = writeln!(out, "{}", wrap(note, look));
    }
    let _ = writeln!(
        out,
        "{}",
        look.palette.dim(&format!(
            "further calls: {}, prices as of {}",
            settings.caching.map_or("cached as those so far", Caching::words),
            prices.snapshot
        ))
    );
    out
}

fn headline(r: &Running) -> String {
    let so_far = format!("{}: {} after {}", terminal(&r.id), spent(r), many(r.calls, "call"));
    let iterations = if r.iterations > 0 { format!(" in {}", many(r.iterations, "iteration")) } else { String::new() };
    let target = match r.until {
        Some(Until::Iteration(n)) => format!("by iteration {n}"),
        Some(Until::Call(n)) => format!("by call {n}"),
        None => return format!("{so_far}{iterations}; nothing says how far it may go (--iterations T)"),
    };
    match &r.projection {
        Some(p) => match p.quadratic {
            Some(m) => format!("{so_far}{iterations}; {} {target}", m.short()),
            None => format!("{so_far}{iterations}; {} input tokens {target}", thousands(p.quadratic_input)),
        },
        None => format!("{so_far}{iterations}; no projection {target}"),
    }
}

fn spent(r: &Running) -> String {
    r.spent.map_or_else(|| "a cost that is not known".to_owned(), Money::short)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "shown with three digits")]
fn tokens(n: f64) -> String {
    thousands(n.round().max(0.0) as u64)
}

fn growth(r: &Running, out: &mut String) {
    match &r.growth {
        Ok(g) => {
            let r2 = g.fit.r2.map_or_else(String::new, |r2| format!(", R² {r2:.3}"));
            let sessions = if g.stateless { "a session for each iteration" } else { "one session" };
            let _ = writeln!(
                out,
                "growth: {sessions}, begins with {}, a call appends {}{r2}; {}",
                tokens(g.fit.prefix),
                tokens(g.fit.appended),
                if g.fit.segments > 1 { format!("cut {}", many(g.fit.segments as u64 - 1, "time")) } else { "never cut".to_owned() }
            );
            if r.calls < FEW {
                let _ =
                    writeln!(out, "few calls: on recorded runs the form errs by 17 % after 10 calls and by 4 % after 40, in the median");
            }
        }
        Err(why) => {
            let _ = writeln!(out, "no projection: {}", why.words());
        }
    }
}

/// Calls below which the error of a projection is said.
const FEW: u64 = 40;

/// A projection as JSON.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    schema_version: &'static str,
    running: Body,
    budget: Option<Budget>,
    prices: &'a PriceList,
}

#[derive(Serialize)]
struct Body {
    run: String,
    model: Option<String>,
    calls: u64,
    iterations: u64,
    input_tokens: u64,
    spent_usd: Option<Money>,
    growth: Option<Growth>,
    no_growth: Option<&'static str>,
    until: Option<Target>,
    caching: Option<&'static str>,
    projection: Option<Projection>,
    left_usd: Option<Money>,
    spent_at_call: Option<u64>,
}

#[derive(Serialize)]
struct Growth {
    state_tokens: f64,
    work_tokens: f64,
    output_tokens: Option<f64>,
    r2: Option<f64>,
    stateless: bool,
    cuts: usize,
}

#[derive(Serialize)]
struct Target {
    kind: &'static str,
    at: u64,
}

#[derive(Serialize)]
struct Projection {
    calls: u64,
    quadratic: Sum,
    linear: Sum,
}

#[derive(Serialize)]
struct Sum {
    input_tokens: u64,
    usd: Option<Money>,
}

impl<'a> Document<'a> {
    /// Of a run.
    #[must_use]
    pub fn of(r: &Running, settings: &Settings, prices: &'a PriceList) -> Self {
        let running = Body {
            run: visible(&r.id).into_owned(),
            model: r.model.as_deref().map(|m| visible(m).into_owned()),
            calls: r.calls,
            iterations: r.iterations,
            input_tokens: r.input,
            spent_usd: r.spent,
            growth: r.growth.as_ref().ok().map(|g| Growth {
                state_tokens: g.fit.prefix,
                work_tokens: g.fit.appended,
                output_tokens: g.output,
                r2: g.fit.r2,
                stateless: g.stateless,
                cuts: g.fit.segments.saturating_sub(1),
            }),
            no_growth: r.growth.as_ref().err().map(|why| why.words()),
            until: r.until.map(|u| match u {
                Until::Iteration(at) => Target { kind: "iteration", at },
                Until::Call(at) => Target { kind: "call", at },
            }),
            caching: settings.caching.map(Caching::id),
            projection: r.projection.as_ref().map(|p| Projection {
                calls: p.calls,
                quadratic: Sum { input_tokens: p.quadratic_input, usd: p.quadratic },
                linear: Sum { input_tokens: p.linear_input, usd: p.linear },
            }),
            left_usd: r.left,
            spent_at_call: r.spent_at_call,
        };
        Self { schema: SCHEMA, schema_version: SCHEMA_VERSION, running, budget: r.gate.as_ref().map(Budget::of), prices }
    }
}
