//! `forecast --json`: one document, the same bytes for the same input. Field names are a published contract.

use crate::cost::forecast::{Basis, Estimate, Gate};
use crate::cost::growth::{Caching, Regime, Totals};
use crate::report::escape::visible;
use crate::report::model::PriceList;
use crate::trace::Money;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The document's name.
pub const SCHEMA: &str = "loopmortem/forecast";
/// Its version. Within a major version fields are only added.
pub const SCHEMA_VERSION: &str = "1.0";

/// The whole document. Money is a decimal string in US dollars; what is not known is null.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    schema_version: &'static str,
    plan: Plan,
    model: Model,
    launch_estimate: Option<Money>,
    launch_estimate_tokens: u64,
    regimes: BTreeMap<&'static str, BTreeMap<&'static str, Case>>,
    break_even_iteration: Option<f64>,
    stateful_dearer_from: BTreeMap<&'static str, Option<u64>>,
    context: BTreeMap<&'static str, Context>,
    ceiling: Option<Money>,
    ceiling_iterations: u64,
    ceiling_basis: CeilingBasis,
    budget: Option<Budget>,
    prices: &'a PriceList,
}

#[derive(Serialize)]
struct Plan {
    iterations: u64,
    max_iter: u64,
    state_tokens: u64,
    work_tokens: u64,
    output_tokens: u64,
    calls_per_iteration: u64,
    disk_state: u64,
    reorient_calls: u64,
    cache_class: &'static str,
    regime: Option<&'static str>,
    caching: Option<&'static str>,
    compaction: Option<Compaction>,
    subagents: Option<Children>,
}

#[derive(Serialize)]
struct Compaction {
    at: u64,
    to: u64,
}

#[derive(Serialize)]
struct Children {
    per_iteration: u64,
    calls: u64,
    state_tokens: u64,
    work_tokens: u64,
    output_tokens: u64,
    returned_tokens: u64,
}

#[derive(Serialize)]
struct Model {
    name: String,
    listing: Option<String>,
    rule: Option<String>,
    context_window: Option<u64>,
    missing: Option<String>,
    cache_writes_as_input: bool,
}

#[derive(Serialize)]
struct Case {
    input_tokens: u64,
    cache_read: u64,
    cache_write: u64,
    output_tokens: u64,
    usd: Option<Money>,
}

#[derive(Serialize)]
struct Context {
    peak_tokens: u64,
    compactions: u64,
    beyond_window_at_call: Option<u64>,
    tiers: Vec<Tier>,
}

#[derive(Serialize)]
struct Tier {
    above: u64,
    first_call: u64,
    calls: u64,
}

#[derive(Serialize)]
struct CeilingBasis {
    kind: &'static str,
    regime: Option<&'static str>,
    caching: Option<&'static str>,
    words: String,
}

/// A budget and its verdict.
#[derive(Serialize)]
pub struct Budget {
    usd: Money,
    verdict: &'static str,
    figure: Option<Money>,
    what: String,
}

impl Budget {
    /// Of a gate.
    #[must_use]
    pub fn of(gate: &Gate) -> Self {
        Self { usd: gate.budget, verdict: gate.verdict().id(), figure: gate.figure, what: visible(&gate.what).into_owned() }
    }
}

impl Case {
    fn of(t: &Totals) -> Self {
        Self { input_tokens: t.input, cache_read: t.read, cache_write: t.write, output_tokens: t.output, usd: t.money }
    }
}

impl<'a> Document<'a> {
    /// Of an estimate.
    #[must_use]
    pub fn of(e: &Estimate, prices: &'a PriceList) -> Self {
        let regimes = Regime::ALL.map(|regime| {
            let cases = e.cases.iter().filter(|c| c.regime == regime);
            (regime.id(), cases.map(|c| (c.caching.id(), Case::of(&c.walk.totals))).collect())
        });
        let (kind, of) = match &e.ceiling.basis {
            Basis::Baseline(_) => ("baseline", None),
            Basis::Dearest(regime, caching) => ("dearest", Some((regime.id(), caching.id()))),
            Basis::Unpriced => ("unpriced", None),
        };
        let words = visible(&e.ceiling_words()).into_owned();
        Self {
            schema: SCHEMA,
            schema_version: SCHEMA_VERSION,
            plan: plan(e),
            model: model(e),
            launch_estimate: e.thumb,
            launch_estimate_tokens: e.thumb_tokens,
            regimes: regimes.into(),
            break_even_iteration: e.break_even,
            stateful_dearer_from: Caching::ALL.map(|c| (c.id(), e.dearer_from(c))).into(),
            context: Regime::ALL.into_iter().filter_map(|r| Some((r.id(), context(e, r)?))).collect(),
            ceiling: e.ceiling.money,
            ceiling_iterations: e.ceiling.iterations,
            ceiling_basis: CeilingBasis { kind, regime: of.map(|o| o.0), caching: of.map(|o| o.1), words },
            budget: e.gate.as_ref().map(Budget::of),
            prices,
        }
    }
}

fn plan(e: &Estimate) -> Plan {
    let (p, s) = (&e.plan, &e.plan.shape);
    Plan {
        iterations: p.iterations,
        max_iter: p.cap(),
        state_tokens: s.prefix,
        work_tokens: s.appended,
        output_tokens: s.output,
        calls_per_iteration: s.work_calls,
        disk_state: s.disk_state,
        reorient_calls: s.reorient_calls,
        cache_class: p.class.id(),
        regime: p.regime.map(Regime::id),
        caching: p.caching.map(Caching::id),
        compaction: s.compaction.map(|c| Compaction { at: c.at, to: c.to }),
        subagents: s.children.map(|c| Children {
            per_iteration: c.count,
            calls: c.calls,
            state_tokens: c.prefix,
            work_tokens: c.appended,
            output_tokens: c.output,
            returned_tokens: c.returned,
        }),
    }
}

fn model(e: &Estimate) -> Model {
    let found = e.model.as_ref().ok();
    Model {
        name: visible(&e.plan.model).into_owned(),
        listing: found.map(|m| visible(&m.listing).into_owned()),
        rule: found.map(|m| m.rule.clone()),
        context_window: found.and_then(|m| m.window),
        missing: e.model.as_ref().err().map(|miss| visible(&miss.to_string()).into_owned()),
        cache_writes_as_input: e.tariff.writes_as_input,
    }
}

fn context(e: &Estimate, regime: Regime) -> Option<Context> {
    let w = &e.case(regime, Caching::Warm)?.walk;
    Some(Context {
        peak_tokens: w.peak,
        compactions: w.compactions,
        beyond_window_at_call: w.beyond_window,
        tiers: w.tiers.iter().map(|t| Tier { above: t.above, first_call: t.first_call, calls: t.calls }).collect(),
    })
}

/// Writes a document on lines that a person can read.
///
/// # Errors
/// The writer's.
pub fn write(mut out: impl Write, document: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, document)?;
    out.write_all(b"\n")?;
    out.flush()
}
