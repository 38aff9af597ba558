//! What a run established, whatever became of it: confirmed facts, open hypotheses, what failed the same way before.

use crate::trace::governance::Found;
use crate::trace::rows::{Budget, Colour, Dimension};
use crate::trace::tool::ToolClass;
use crate::trace::{Place, Time, Trace};
use std::collections::{BTreeMap, HashMap};

/// A sentence with its place in the log.
#[derive(Debug, Clone)]
pub struct Fact {
    /// What.
    pub text: String,
    /// Where it is written.
    pub place: Place,
}

/// A call that stands out.
#[derive(Debug, Clone)]
pub struct Standout {
    /// The tool.
    pub tool: String,
    /// How often, or how long in seconds.
    pub figure: f64,
    /// One of them.
    pub place: Place,
}

/// What a run established.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Checks with their newest result.
    pub confirmed: Vec<Fact>,
    /// Hypotheses that nothing decided.
    pub open: Vec<Fact>,
    /// Actions that failed the same way at least twice: not to be repeated.
    pub not_again: Vec<Fact>,
    /// Files changed last, newest first.
    pub changed: Vec<Fact>,
    /// What is left of each limit.
    pub left: Vec<Fact>,
    /// The slowest calls, in seconds from call to result.
    pub slowest: Vec<Standout>,
    /// The most repeated calls, by how often.
    pub repeated: Vec<Standout>,
}

/// How many of each are told.
const MOST: usize = 5;

/// Works them out. Linear.
#[must_use]
pub fn facts(trace: &Trace) -> Facts {
    Facts {
        confirmed: confirmed(trace),
        open: open(trace),
        not_again: not_again(trace),
        changed: changed(trace),
        left: trace.budget.as_ref().map(|b| left(trace, b)).unwrap_or_default(),
        slowest: slowest(trace),
        repeated: repeated(trace),
    }
}

fn confirmed(trace: &Trace) -> Vec<Fact> {
    let word = |c: Colour| match c {
        Colour::Green => "green",
        Colour::Red => "red",
        Colour::NoVerdict => "without verdict",
        Colour::Unknown => "unclear",
    };
    let mut newest: BTreeMap<&str, (u32, Colour)> = BTreeMap::new();
    for check in &trace.checks {
        newest.insert(check.name.map_or("", |n| trace.names.text(n)), (check.step, check.colour));
    }
    let mut all: Vec<Fact> = newest
        .into_iter()
        .map(|(name, (step, colour))| {
            let name = match name.trim() {
                "" => "the check".to_owned(),
                name => format!("check {name}"),
            };
            let number = trace.iteration_number(step).unwrap_or(0);
            Fact { text: format!("{name} is {} (iteration {number})", word(colour)), place: trace.place(step) }
        })
        .collect();
    if all.is_empty()
        && let Some((_, row)) = trace.judged().next_back()
    {
        let counts = row.failed.map(|n| format!(", {n} failures")).unwrap_or_default();
        all.push(Fact {
            text: format!("the check is {}{counts} (iteration {})", word(row.colour), row.number),
            place: trace.verdict_place(row),
        });
    }
    let decided = trace.hypotheses.iter().filter_map(|h| {
        let how = match h.found? {
            Found::Supported => "supported",
            Found::Refuted => "refuted",
            Found::Unknown => return None,
        };
        Some(Fact { text: format!("{how}: {}", h.text), place: trace.place(h.step) })
    });
    all.extend(decided);
    all
}

fn open(trace: &Trace) -> Vec<Fact> {
    let mut newest: HashMap<&str, usize> = HashMap::new();
    for (k, h) in trace.hypotheses.iter().enumerate() {
        newest.insert(&h.text, k);
    }
    let undecided = |k: &usize| !matches!(trace.hypotheses[*k].found, Some(Found::Supported | Found::Refuted));
    let mut all: Vec<usize> = newest.into_values().filter(undecided).collect();
    all.sort_unstable();
    all.into_iter().map(|k| &trace.hypotheses[k]).map(|h| Fact { text: h.text.to_string(), place: trace.place(h.step) }).collect()
}

fn not_again(trace: &Trace) -> Vec<Fact> {
    let mut failed: HashMap<(u64, u64), (u32, u32)> = HashMap::new();
    for a in trace.actions.iter().filter(|a| a.error_key != 0 && a.call_key != 0) {
        let entry = failed.entry((a.call_key, a.error_key)).or_insert((0, a.step));
        entry.0 += 1;
    }
    let mut all: Vec<(u32, u32)> = failed.into_values().filter(|(n, _)| *n >= 2).collect();
    all.sort_by_key(|(n, step)| (std::cmp::Reverse(*n), *step));
    let mut facts: Vec<Fact> = all
        .into_iter()
        .take(MOST)
        .map(|(n, step)| {
            let tool = trace.actions.iter().find(|a| a.step == step).map_or("", |a| trace.names.text(a.tool));
            Fact { text: format!("this call of {tool} failed the same way {n} times"), place: trace.place(step) }
        })
        .collect();
    let mut reds: BTreeMap<u64, (u32, u32, u32)> = BTreeMap::new();
    for row in trace.iterations.iter().filter(|i| i.colour == Colour::Red && i.coarse != 0) {
        let entry = reds.entry(row.coarse).or_insert((0, row.verdict_step.unwrap_or(row.first_step), row.number));
        entry.0 += 1;
    }
    let mut reds: Vec<_> = reds.into_values().filter(|(n, ..)| *n >= 3).collect();
    reds.sort_by_key(|(n, step, _)| (std::cmp::Reverse(*n), *step));
    facts.extend(reds.into_iter().take(MOST).map(|(n, step, number)| Fact {
        text: format!("{n} iterations from {number} on left this failure as it was"),
        place: trace.place(step),
    }));
    facts
}

fn changed(trace: &Trace) -> Vec<Fact> {
    let mut seen = Vec::new();
    let edits = trace.actions.iter().rev().filter(|a| a.class == ToolClass::Edit && a.ok != Some(false));
    let mut all = Vec::new();
    for a in edits {
        let path = trace.names.text(a.path);
        if !path.is_empty() && !seen.contains(&path) {
            seen.push(path);
            all.push(Fact { text: path.to_owned(), place: trace.place(a.step) });
        }
        if all.len() == MOST {
            break;
        }
    }
    all
}

#[expect(clippy::cast_precision_loss, reason = "counts and tokens are far below 2^52")]
fn left(trace: &Trace, budget: &Budget) -> Vec<Fact> {
    let used = |d: Dimension| -> Option<f64> {
        Some(match d {
            Dimension::CostUsd => trace.spent_from(0)?.to_f64(),
            Dimension::TotalTokens => trace.tokens_from(0).total()? as f64,
            Dimension::ToolCalls => trace.actions.len() as f64,
            Dimension::ModelTurns => f64::from(trace.calls()),
            Dimension::MaxIterations => trace.iterations.len() as f64,
            Dimension::WallClock => trace.last_event()?.seconds_since(trace.started()?),
            _ => return None,
        })
    };
    let tell = |l: &crate::trace::rows::Limit| {
        let rest = l.limit - used(l.dimension)?;
        let show = |n: f64| match l.dimension {
            Dimension::CostUsd => format!("${n:.2}"),
            Dimension::WallClock => crate::trace::span(n),
            _ => format!("{n:.0}"),
        };
        let rest = if rest < 0.0 { format!("{} over", show(-rest)) } else { format!("{} left", show(rest)) };
        Some(Fact { text: format!("{}: {rest} of {}", l.dimension.key(), show(l.limit)), place: l.place })
    };
    budget.limits.iter().filter(|l| !l.each).filter_map(tell).collect()
}

fn slowest(trace: &Trace) -> Vec<Standout> {
    let at = |step: u32| -> Option<Time> { trace.step(step)?.at };
    let mut all: Vec<Standout> = trace
        .actions
        .iter()
        .filter_map(|a| {
            let figure = at(a.result_step?)?.seconds_since(at(a.step)?);
            (figure > 0.0).then(|| Standout { tool: trace.names.text(a.tool).to_owned(), figure, place: trace.place(a.step) })
        })
        .collect();
    all.sort_by(|a, b| b.figure.total_cmp(&a.figure).then(a.place.cmp(&b.place)));
    all.truncate(MOST);
    all
}

fn repeated(trace: &Trace) -> Vec<Standout> {
    let mut counts: HashMap<u64, (u32, u32, crate::trace::Name)> = HashMap::new();
    for a in trace.actions.iter().filter(|a| a.call_key != 0 && a.class != ToolClass::Plan) {
        counts.entry(a.call_key).or_insert((0, a.step, a.tool)).0 += 1;
    }
    let mut all: Vec<_> = counts.into_values().filter(|(n, ..)| *n >= 2).collect();
    all.sort_by_key(|(n, step, _)| (std::cmp::Reverse(*n), *step));
    all.into_iter()
        .take(MOST)
        .map(|(n, step, tool)| Standout { tool: trace.names.text(tool).to_owned(), figure: f64::from(n), place: trace.place(step) })
        .collect()
}
