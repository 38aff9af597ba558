//! The launch estimate for people: what it will cost, what it cannot exceed, then where that comes from.

use super::words::{many, money, table, wrap};
use crate::cost::forecast::{Basis, Estimate, Verdict};
use crate::cost::growth::{Caching, Regime};
use crate::diagnose::Health;
use crate::report::escape::terminal;
use crate::report::model::PriceList;
use crate::report::table::{Look, thousands};
use crate::trace::Money;
use std::fmt::Write as _;

/// Renders an estimate.
#[must_use]
pub fn render(estimate: &Estimate, prices: &PriceList, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.palette.bold(&wrap(&headline(estimate), look)));
    budget(estimate, look, &mut out);
    window(estimate, look, &mut out);
    let _ = writeln!(out, "{}\n", look.palette.dim(&wrap(&plan(estimate), look)));
    out.push_str(&cases(estimate, look));
    out.push_str("\n\n");
    let mut notes = vec![thumb(estimate)];
    even(estimate, &mut notes);
    context(estimate, &mut notes);
    for note in notes {
        let _ = writeln!(out, "{}", wrap(&note, look));
    }
    let _ = writeln!(out, "{}", look.palette.dim(&wrap(&priced(estimate, prices), look)));
    out
}

/// What is read first: the planned cases with a warm cache (or as planned), and the ceiling.
fn headline(e: &Estimate) -> String {
    let caching = e.plan.caching.unwrap_or(Caching::Warm);
    let regimes = Regime::ALL.into_iter().filter(|r| e.plan.regime.is_none_or(|planned| planned == *r));
    let parts: Option<Vec<String>> = regimes
        .filter_map(|r| e.case(r, caching))
        .map(|c| c.walk.totals.money.map(|m| format!("{} {}", m.short(), c.regime.id())))
        .collect();
    let expected = match (parts, &e.model) {
        (Some(parts), _) => format!("expected {} ({})", parts.join(" or "), caching.words()),
        (None, Err(miss)) => format!("cost unknown: {}", terminal(&miss.to_string())),
        (None, Ok(_)) => format!("cost unknown ({})", caching.words()),
    };
    let most = match (e.ceiling.money, &e.model) {
        (Some(m), _) => format!("; at most {} ({})", m.short(), terminal(&e.ceiling_words())),
        (None, Err(_)) if matches!(e.ceiling.basis, Basis::Unpriced) => String::new(),
        (None, _) => format!("; no ceiling is known: {}", terminal(&e.ceiling_words())),
    };
    format!("{expected}{most}")
}

fn budget(e: &Estimate, look: Look, out: &mut String) {
    let Some(gate) = &e.gate else { return };
    let words = match gate.verdict() {
        Verdict::Within => "enough for the ceiling",
        Verdict::Beyond => "less than the ceiling",
        Verdict::Unknown => "cannot be held against an unknown ceiling: does not pass",
    };
    let health = match gate.verdict() {
        Verdict::Within => Health::Healthy,
        _ => Health::Failing,
    };
    let line = format!("budget {}: {words}", gate.budget.short());
    let _ = writeln!(out, "{}", look.palette.health(health, &wrap(&line, look)));
}

/// A cost of a session that cannot be had is no forecast, so this stands at the top.
fn window(e: &Estimate, look: Look, out: &mut String) {
    let Some(window) = e.model.as_ref().ok().and_then(|m| m.window) else { return };
    for regime in Regime::ALL.into_iter().filter(|r| e.plan.regime.is_none_or(|planned| planned == *r)) {
        if let Some(n) = e.case(regime, Caching::Warm).and_then(|c| c.walk.beyond_window) {
            let line = format!(
                "{} cannot run like this: from call {n} on its session is longer than the model's window of {} (--compact-at)",
                regime.id(),
                thousands(window)
            );
            let _ = writeln!(out, "{}", look.palette.health(Health::Inconclusive, &wrap(&line, look)));
        }
    }
}

fn plan(e: &Estimate) -> String {
    let s = &e.plan.shape;
    let mut text = format!(
        "{} x {} on {}; a session begins with {}, a call appends {} ({} of it output)",
        many(e.plan.iterations, "iteration"),
        many(s.work_calls, "call"),
        terminal(&e.plan.model),
        thousands(s.start()),
        thousands(s.appended),
        thousands(s.output),
    );
    if s.reorient_calls > 0 || s.disk_state > 0 {
        let _ = write!(
            text,
            "; a fresh session reads {} of state again and needs {} more",
            thousands(s.disk_state),
            many(s.reorient_calls, "call")
        );
    }
    if let Some(c) = &s.compaction {
        let _ = write!(text, "; compacted from {} to {}", thousands(c.at), thousands(c.to));
    }
    if let Some(c) = &s.children {
        let _ = write!(
            text,
            "; an iteration has {} of {}, which return {} each",
            many(c.count, "sub-agent"),
            many(c.calls, "call"),
            thousands(c.returned)
        );
    }
    text
}

fn cases(e: &Estimate, look: Look) -> String {
    let rows = e
        .cases
        .iter()
        .map(|c| {
            let t = &c.walk.totals;
            let cached = |n: u64| if c.caching == Caching::None { "-".to_owned() } else { thousands(n) };
            let each = t.money.and_then(|m| m.0.checked_div(i128::from(e.plan.iterations))).map(Money);
            vec![
                c.regime.id().to_owned(),
                match c.caching {
                    Caching::None => "none".to_owned(),
                    Caching::Warm => "warm".to_owned(),
                    Caching::Expiry => "expires".to_owned(),
                },
                money(t.money),
                money(each),
                thousands(t.input),
                cached(t.read),
                cached(t.write),
                thousands(t.output),
            ]
        })
        .collect();
    table(&["regime", "cache", "cost", "per iter", "input", "read", "written", "output"], rows, 2, look)
}

fn thumb(e: &Estimate) -> String {
    let s = &e.plan.shape;
    let amount = e.thumb.map_or_else(|| format!("{} tokens", thousands(e.thumb_tokens)), Money::short);
    format!(
        "rule of thumb: {amount} = {} x ({} state + {} work) as plain input; it knows no growth, no cache and no output",
        many(e.plan.iterations, "iteration"),
        thousands(s.prefix),
        thousands(s.appended),
    )
}

fn even(e: &Estimate, notes: &mut Vec<String>) {
    match e.break_even {
        Some(n) => notes.push(format!(
            "break-even: after {n:.1} iterations one growing session has read as much input as fresh ones, from there on more (no cache)"
        )),
        None if e.plan.shape.appended == 0 => {
            notes.push("break-even: none, a session to which nothing is appended does not grow".to_owned());
        }
        None => {}
    }
    if e.cases.iter().any(|c| c.walk.totals.money.is_none()) {
        return;
    }
    let last = e.plan.iterations.max(e.plan.cap());
    let words = Caching::ALL.map(|c| match e.dearer_from(c) {
        Some(n) => format!("{} from iteration {n}", c.words()),
        None => format!("{} not within {last}", c.words()),
    });
    notes.push(format!("stateful is dearer than stateless: {}", words.join(", ")));
}

fn context(e: &Estimate, notes: &mut Vec<String>) {
    let cases: Vec<_> = Regime::ALL.into_iter().filter_map(|r| e.case(r, Caching::Warm)).collect();
    let peaks: Vec<String> = cases
        .iter()
        .map(|c| {
            let compacted =
                if c.walk.compactions > 0 { format!(" with {}", many(c.walk.compactions, "compaction")) } else { String::new() };
            format!("{} {}{compacted}", c.regime.id(), thousands(c.walk.peak))
        })
        .collect();
    notes.push(format!("longest context: {}", peaks.join(", ")));
    for case in cases {
        notes.extend(case.walk.tiers.iter().map(|tier| {
            format!(
                "tier: {} requests above {} tokens are billed whole by the long-context tier: from call {} on, {}",
                case.regime.id(),
                thousands(tier.above),
                tier.first_call,
                many(tier.calls, "call"),
            )
        }));
    }
}

fn priced(e: &Estimate, prices: &PriceList) -> String {
    let mut text = match &e.model {
        Ok(m) => format!("prices of {} ({}) as of {}", terminal(&m.listing), m.rule, prices.snapshot),
        Err(_) => format!("no price; list as of {}", prices.snapshot),
    };
    for path in prices.overlaid.keys() {
        let _ = write!(text, ", with {path}");
    }
    let _ = write!(text, "; cache writes live {}", e.plan.class.id());
    if e.tariff.writes_as_input {
        text.push_str("; the list has no price for cache writes, they are billed as plain input");
    }
    if e.tariff.dearer_output {
        text.push_str("; reasoning has a price of its own, output is billed at the dearer one");
    }
    text
}
