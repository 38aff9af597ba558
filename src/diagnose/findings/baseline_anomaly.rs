//! Far above what the task took by hand.

use crate::diagnose::ending::Terminal;
use crate::diagnose::modes::{crossing, nth_call, token_crossing};
use crate::diagnose::norms::rounded;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::Money;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    let Some(norm) = ctx.norms.baseline else { return Vec::new() };
    let trace = ctx.trace;
    let limit = ctx.limits.baseline_anomaly;
    let usd = trace.spent_from(0).or(trace.stated).map(Money::to_f64);
    let tokens = trace.tokens_from(0).total().map(as_f64);
    let calls = Some(f64::from(trace.calls())).filter(|n| *n > 0.0);
    let dollars = |v: f64| Money::from_f64(v).map_or_else(|| format!("${v}"), Money::short);
    let whole = |what: &'static str| move |v: f64| format!("{v:.0} {what}");
    let last = trace.steps.len().checked_sub(1).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let mut findings = Vec::new();
    for (variant, spent, by_hand) in [("usd", usd, norm.usd), ("tokens", tokens, norm.tokens), ("calls", calls, norm.calls)] {
        let Some((spent, by_hand)) = spent.zip(by_hand).filter(|(_, b)| *b > 0.0) else { continue };
        let factor = rounded(spent / by_hand);
        if factor < limit {
            continue;
        }
        let cap = by_hand * limit;
        let (shown, crossed): (&dyn Fn(f64) -> String, _) = match variant {
            "usd" => (&dollars, crossing(ctx, cap)),
            "tokens" => (&whole("tokens"), token_crossing(ctx, cap)),
            _ => (&whole("calls"), nth_call(ctx, cap)),
        };
        let step = crossed.unwrap_or(last);
        let at = trace.iteration_number(step).map_or_else(String::new, |n| format!("; {limit} times was passed in iteration {n}"));
        let summary = format!("{}, {factor:.1} times the {} that it took by hand{at}", shown(spent), shown(by_hand));
        let evidence = Evidence::new(trace.place(step), shown(spent), format!("{limit} x {}", shown(by_hand)));
        findings.push(Finding::new(Kind::BaselineAnomaly, Some(variant), Confidence::High, summary, evidence).by("baseline_anomaly"));
    }
    findings
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn as_f64(n: u64) -> f64 {
    n as f64
}
