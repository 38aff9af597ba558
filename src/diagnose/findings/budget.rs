//! The budget: where each limit was reached, and what ran on after it.

use crate::diagnose::ending::Terminal;
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::governance::Gate;
use crate::trace::rows::{Budget, Colour, Dimension, Limit, StepKind};
use crate::trace::{Time, Trace, span};
use std::collections::HashMap;

/// What a limit was used for, step by step.
struct Use<'t> {
    trace: &'t Trace,
    limit: &'t Limit,
    /// The attempts at the design gate, by their steps.
    designs: HashMap<u32, &'t Gate>,
    used: f64,
    since: Option<Time>,
    streak: (u64, u32),
    booking: usize,
}

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let Some(budget) = &ctx.trace.budget else { return Vec::new() };
    let mut findings: Vec<Finding> = budget.limits.iter().filter_map(|limit| overrun(ctx, limit)).collect();
    findings.extend(reserve(ctx, budget));
    findings
}

impl Use<'_> {
    /// Takes a step in. `true` where it goes beyond the limit: an automatic action after the limit was reached.
    fn goes_beyond(&mut self, k: usize) -> bool {
        let step = &self.trace.steps[k];
        if let StepKind::Mark(m) = step.kind
            && matches!(self.trace.marks[m as usize].kind, MarkKind::Revision)
        {
            // A person's decision starts a new budget.
            (self.used, self.since, self.streak) = (0.0, step.at, (0, 0));
            return false;
        }
        let fresh = self.limit.each && self.trace.iterations.get(step.iteration as usize).is_some_and(|i| i.first_step as usize == k);
        if fresh {
            (self.used, self.since, self.streak) = (0.0, step.at, (0, 0));
        }
        let acts = matches!(step.kind, StepKind::AgentCall | StepKind::ModelCall(_) | StepKind::ToolCall(_) | StepKind::IterStart);
        match self.limit.dimension {
            Dimension::WallClock => {
                self.since = self.since.or(step.at);
                if let (Some(at), Some(since)) = (step.at, self.since) {
                    self.used = at.seconds_since(since).max(self.used);
                }
                return acts && self.used > self.limit.limit;
            }
            Dimension::ModelTurns => self.used += f64::from(u8::from(self.trace.is_call(step.kind))),
            Dimension::ToolCalls => self.used += f64::from(u8::from(matches!(step.kind, StepKind::ToolCall(_)))),
            Dimension::MaxIterations => {
                let row = &self.trace.iterations[step.iteration as usize];
                self.used += f64::from(u8::from(row.first_step as usize == k));
            }
            Dimension::TotalTokens | Dimension::CostUsd => {
                // What was booked up to here decides whether this action may still start.
                let reached = acts && self.used >= self.limit.limit;
                while let Some(b) = self.trace.bookings.get(self.booking).filter(|b| b.step as usize <= k) {
                    self.booking += 1;
                    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
                    let tokens = b.tokens.total().unwrap_or(0) as f64;
                    self.used += if self.limit.dimension == Dimension::CostUsd { b.spent.unwrap_or_default().to_f64() } else { tokens };
                }
                return reached || self.used > self.limit.limit;
            }
            Dimension::SameFailureSignature => {
                let row = &self.trace.iterations[step.iteration as usize];
                if row.verdict_step.map(|v| v as usize) == Some(k) && row.colour != Colour::NoVerdict {
                    self.streak =
                        if row.coarse != 0 && self.streak.0 == row.coarse { (row.coarse, self.streak.1 + 1) } else { (row.coarse, 1) };
                    if row.colour == Colour::Green {
                        self.streak = (0, 0);
                    }
                    self.used = f64::from(self.streak.1);
                    // `agent_call` reports the failure with which the limit is reached: going on is what comes next.
                    return self.used > self.limit.limit;
                }
                return acts && self.used >= self.limit.limit;
            }
            Dimension::ChangedFiles => {
                let changed = self.trace.iterations[step.iteration as usize].files_changed.unwrap_or(0);
                self.used = self.used.max(f64::from(changed));
            }
            Dimension::ExternalWrites => {
                let writes = matches!(step.kind, StepKind::ToolCall(a) if self.trace.actions[a as usize].external.is_some() && self.trace.actions[a as usize].ok != Some(false));
                self.used += f64::from(u8::from(writes));
            }
            Dimension::DesignPasses => {
                let step = u32::try_from(k).unwrap_or(u32::MAX);
                if let Some(gate) = self.designs.get(&step) {
                    self.used = gate.attempt.map_or(self.used + 1.0, f64::from);
                }
            }
        }
        self.used > self.limit.limit
    }
}

fn designs(trace: &Trace) -> HashMap<u32, &Gate> {
    let design = |g: &&Gate| trace.names.text(g.name).to_ascii_lowercase().contains("design");
    // Of several at one step the first counts.
    trace.gates.iter().rev().filter(design).map(|g| (g.step, g)).collect()
}

fn overrun(ctx: &Context<'_>, limit: &Limit) -> Option<Finding> {
    let trace = ctx.trace;
    let designs = match limit.dimension {
        Dimension::DesignPasses => designs(trace),
        _ => HashMap::new(),
    };
    let mut using = Use { trace, limit, designs, used: 0.0, since: None, streak: (0, 0), booking: 0 };
    let mut first = None;
    let mut most = 0.0_f64;
    for k in 0..trace.steps.len() {
        if using.goes_beyond(k) {
            first = first.or(Some(k));
        }
        most = most.max(using.used);
    }
    let first = first?;
    let step = u32::try_from(first).ok()?;
    let last = u32::try_from(trace.steps.len() - 1).ok()?;
    let from = trace.iteration_number(step).unwrap_or(0);
    let on = trace.iterations.last().map_or(0, |i| i.number.saturating_sub(from));
    let cost = trace.spent_from(step + 1).map(|m| format!(", {} spent after it", m.short())).unwrap_or_default();
    let tokens =
        trace.tokens_from(step + 1).total().filter(|_| cost.is_empty()).map(|t| format!(", {t} tokens after it")).unwrap_or_default();
    let time = match (trace.step(step).and_then(|s| s.at), trace.last_event()) {
        (Some(a), Some(b)) => format!(" and {}", span(b.seconds_since(a))),
        _ => String::new(),
    };
    let show = |n: f64| match limit.dimension {
        Dimension::WallClock => span(n),
        Dimension::CostUsd => format!("${n:.2}"),
        _ => format!("{n}"),
    };
    let key = if limit.each { limit.dimension.key_each() } else { limit.dimension.key() };
    let after = trace.steps.get(first + 1..).unwrap_or(&[]);
    let count = |of: &dyn Fn(StepKind) -> bool| after.iter().filter(|s| of(s.kind)).count();
    let calls = (count(&|k| trace.is_call(k)), count(&|k| matches!(k, StepKind::ToolCall(_))));
    let acts = match calls {
        (0, 0) => String::new(),
        (m, 0) => format!(" with {m} model calls"),
        (0, t) => format!(" with {t} tool calls"),
        (m, t) => format!(" with {m} model and {t} tool calls"),
    };
    let summary = format!(
        "{key}: limit {} passed in iteration {from}, {} used; the run went on for {on} more iterations{acts}{time}{cost}{tokens}",
        show(limit.limit),
        show(most)
    );
    let evidence = Evidence::new(trace.place(step), format!("{} used", show(most)), format!("{key} {}", show(limit.limit)));
    let written = Evidence::new(limit.place, format!("{key}: {}", show(limit.limit)), "");
    Some(
        Finding::new(Kind::BudgetOverrun, Some(key), Confidence::High, summary, evidence)
            .over(Episode { first: step, last, overcome: false })
            .and([written]),
    )
}

/// Whether the calls kept for the final verification were still there at the end.
fn reserve(ctx: &Context<'_>, budget: &Budget) -> Option<Finding> {
    let trace = ctx.trace;
    let (kept, written) = budget.reserve_tool_calls?;
    let limit = budget.limits.iter().find(|l| l.dimension == Dimension::ToolCalls)?;
    let since = trace.marks.iter().rev().find(|m| m.kind == MarkKind::Revision).map_or(0, |m| m.step);
    let calls: Vec<u32> = trace.actions.iter().map(|a| a.step).filter(|s| *s >= since).collect();
    #[expect(clippy::cast_precision_loss, reason = "a count of calls")]
    let eaten = calls.iter().enumerate().find(|(n, _)| (n + 1) as f64 > limit.limit - kept).map(|(_, step)| *step)?;
    let left = (limit.limit - f64::from(u32::try_from(calls.len()).ok()?)).max(0.0);
    let number = trace.iteration_number(eaten).unwrap_or(0);
    let summary = format!(
        "of {kept} tool calls kept for the final verification {left} were left at the end; the first was taken in iteration {number}"
    );
    let evidence =
        Evidence::new(trace.place(eaten), format!("{left} left of {kept}"), format!("toolCalls {} less {kept} reserved", limit.limit));
    Some(Finding::new(Kind::BudgetOverrun, Some("reserve"), Confidence::High, summary, evidence).and([Evidence::new(
        written,
        format!("reserved: {kept}"),
        "",
    )]))
}
