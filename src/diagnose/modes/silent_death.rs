//! The run stopped without an end record. The death itself is decided with the ending; here it is told how.

use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::event::MarkKind;
use crate::trace::rows::{CallFault, StepKind};
use crate::trace::signature::Infra;
use crate::trace::{FaultKind, Place, Time, span};

/// What is known of a run's silence.
pub(crate) struct Silence {
    /// The newest event.
    pub(crate) since: Time,
    /// How long, in seconds, at the observation time.
    pub(crate) seconds: f64,
    /// The time is the file's, because no record has one.
    pub(crate) by_file: bool,
    /// Where the newest event is written.
    pub(crate) place: Place,
}

/// The silence of a run that is not finished; `None` where no witness has a time.
pub(crate) fn silence(ctx: &Context<'_>) -> Option<Silence> {
    let trace = ctx.trace;
    let newest = trace.steps.iter().enumerate().filter_map(|(k, s)| s.at.map(|at| (at, k))).max();
    let (since, place, by_file) = match newest {
        Some((at, k)) => (trace.alive.map_or(at, |alive| alive.max(at)), trace.steps[k].place, false),
        None if trace.alive.is_some() && !trace.steps.is_empty() => (trace.alive?, trace.steps.last()?.place, false),
        // A heartbeat alone is a run too.
        None => match trace.last_beat() {
            Some(beat) if trace.steps.is_empty() => (beat.at?, beat.place, false),
            _ => {
                let (k, at) = trace.sources.iter().enumerate().filter_map(|(k, s)| s.modified.map(|m| (k, m))).max_by_key(|(_, m)| *m)?;
                let last = trace.steps.last().map_or(Place { source: u16::try_from(k).ok()?, line: 0, offset: 0 }, |s| s.place);
                (at, last, true)
            }
        },
    };
    Some(Silence { since, seconds: ctx.as_of.seconds_since(since), by_file, place })
}

/// Infrastructure whose failure at the end means that the other side was gone. A missing permission, credential or command
/// (`Infra::Access`) is not among them: the other side answered, and said no. Recorded with a stop such a run is blocked;
/// broken off it merely stopped.
const OUTAGES: &[Infra] = &[Infra::Network, Infra::Server, Infra::RateLimit];

pub(super) fn examine(ctx: &Context<'_>) -> Vec<Finding> {
    let trace = ctx.trace;
    if ctx.finished.is_some() || ctx.cut_off() || ctx.copied_at().is_some() || trace.steps.is_empty() && trace.beats.is_empty() {
        return Vec::new();
    }
    // Started over within minutes: a person stopped it.
    if trace
        .restarted_at
        .is_some_and(|at| trace.last_event().is_some_and(|last| (0.0..=ctx.limits.restart_s).contains(&at.seconds_since(last))))
    {
        return Vec::new();
    }
    let Some(silence) = silence(ctx) else { return Vec::new() };
    let horizon = &ctx.horizon;
    // The beats went on: the log was silent beyond the horizon at the last beat already.
    let zombie = trace
        .last_beat()
        // What lies behind the observation time has not happened yet.
        .and_then(|beat| beat.at.map(|at| (beat, at.min(ctx.as_of).seconds_since(silence.since))))
        .filter(|(_, gap)| *gap > horizon.verdict_s && !trace.steps.is_empty());
    let verdict = silence.seconds > horizon.verdict_s || zombie.is_some();
    if !verdict && silence.seconds <= horizon.suspect_s {
        return Vec::new();
    }
    let structure = structure(ctx);
    let confidence = match (verdict, &structure) {
        (false, _) => Confidence::Low,
        (true, Some(_)) if !silence.by_file => Confidence::High,
        (true, _) => Confidence::Medium,
    };
    let last = u32::try_from(trace.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let number = trace.iteration_number(last).or(trace.last_beat().and_then(|b| b.iter));
    let (variant, detail) = variant(ctx, zombie.is_some());
    let at = number.map_or_else(String::new, |n| format!(" in iteration {n}"));
    let witness = if silence.by_file { " (by the file's modification time: no record has a time)" } else { "" };
    let how = structure.as_ref().map_or("", |(how, _)| how);
    let summary = format!(
        "silent since {}{at}, {} at the observation time{witness}{}{}{}",
        silence.since,
        span(silence.seconds),
        if how.is_empty() { "" } else { "; " },
        how,
        detail.as_deref().map(|d| format!("; {d}")).unwrap_or_default()
    );
    let threshold = if verdict {
        format!("{} ({})", span(horizon.verdict_s), horizon.basis)
    } else {
        format!("suspect from {}", span(horizon.suspect_s))
    };
    let mut more = Vec::new();
    if let Some((beat, gap)) = zombie {
        more.push(Evidence::new(beat.place, format!("last beat {} after the last event", span(gap)), span(horizon.verdict_s)));
    }
    if let Some((how, place)) = structure.filter(|(_, place)| *place != silence.place) {
        more.push(Evidence::new(place, how, ""));
    }
    let finding = Finding::new(
        Kind::SilentDeath,
        Some(variant),
        confidence,
        summary,
        Evidence::new(silence.place, format!("{} of silence", span(silence.seconds)), threshold),
    );
    let finding = finding.by(horizon.threshold);
    let finding = if horizon.threshold == "death_verdict_s" { finding.by("death_suspect_s").by("death_intervals") } else { finding };
    let finding = match variant {
        "api_outage" => finding.by("outage_retries"),
        "context_full" => finding.by("window_share"),
        _ => finding,
    };
    vec![finding.over(Episode { first: last, last, overcome: false }).and(more)]
}

/// What in the log itself shows that it was cut off.
fn structure(ctx: &Context<'_>) -> Option<(&'static str, Place)> {
    let trace = ctx.trace;
    let last = trace.steps.iter().rev().find(|s| !matches!(s.kind, StepKind::Mark(_)));
    if let Some(action) = trace.actions.last()
        && action.result_step.is_none()
        && !trace.steps[action.step as usize..]
            .iter()
            .any(|s| matches!(s.kind, StepKind::ToolResult(_) | StepKind::Said(_) | StepKind::Check(_)))
    {
        return Some(("the last tool call has no result", trace.place(action.step)));
    }
    if let Some(source) = trace.sources.iter().position(|s| s.ledger.torn_tail && !s.ledger.grew) {
        let place = trace.sources[source].ledger.faults.iter().find(|f| f.kind == FaultKind::Torn).map(|f| f.place);
        return Some(("the last line is torn", place.or(last.map(|s| s.place))?));
    }
    let step = last?;
    (step.kind == StepKind::AgentCall).then_some(("the agent was called and nothing came after", step.place))
}

fn variant(ctx: &Context<'_>, zombie: bool) -> (&'static str, Option<String>) {
    let trace = ctx.trace;
    let code = trace.steps.iter().rev().take(4).find_map(|s| match s.kind {
        StepKind::ToolResult(a) => trace.actions[a as usize].exit_code,
        StepKind::Check(c) => trace.checks[c as usize].exit_code,
        StepKind::ModelCall(b) => trace.bookings[b as usize].exit_code,
        StepKind::CallSeenTwice(b) => trace.twice[b as usize].exit_code,
        StepKind::Mark(m) => trace.marks[m as usize].exit_code,
        _ => None,
    });
    if let Some(code @ (124 | 137)) = code {
        return ("killed", Some(format!("the last exit code was {code}")));
    }
    let refused = |m: &&crate::trace::rows::Mark| m.kind == MarkKind::ApiError && m.text.to_lowercase().contains("prompt is too long");
    let newest = [trace.bookings.last(), trace.twice.last()].into_iter().flatten().max_by_key(|b| b.step);
    if newest.is_some_and(|b| b.fault == Some(CallFault::ContextFull)) || trace.marks.last().filter(refused).is_some() {
        return ("context_full", Some("the last call was longer than the model's window".to_owned()));
    }
    if let Some((context, window)) = at_the_limit(ctx) {
        return ("context_full", Some(format!("the last calls held {context} of the window's {window} tokens")));
    }
    let failing = outages_at_end(ctx);
    if failing >= ctx.limits.outage_retries {
        return ("api_outage", Some(format!("{failing} retries or API errors at the end")));
    }
    if zombie { ("zombie", Some("the heartbeat went on".to_owned())) } else { ("stopped", None) }
}

/// The last calls' context, where it stands at the window's limit.
fn at_the_limit(ctx: &Context<'_>) -> Option<(u64, u64)> {
    let window = ctx.trace.window?;
    let context = |b: &crate::trace::rows::Booking| {
        let t = &b.tokens;
        [t.input_uncached, t.cache_read, t.cache_write_5m, t.cache_write_1h].into_iter().flatten().sum::<u64>()
    };
    let mut last = ctx.trace.bookings.iter().rev().filter(|b| !b.side && ctx.trace.books_one_call(b)).map(context).filter(|c| *c > 0);
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let full = |c: u64| c as f64 >= ctx.limits.window_share * window as f64 && c <= window;
    let newest = last.next().filter(|c| full(*c))?;
    last.next().is_none_or(full).then_some((newest, window))
}

/// Retries and iterations failed by the other side, counted from the end until something worked.
fn outages_at_end(ctx: &Context<'_>) -> u32 {
    let trace = ctx.trace;
    let unjudged: Vec<usize> = ctx.trailing_unjudged().filter(|k| ctx.iteration(*k).infra.is_some_and(|i| OUTAGES.contains(&i))).collect();
    let first = unjudged.last().map(|k| ctx.iteration(*k).first_step);
    let mut count = u32::try_from(unjudged.len()).unwrap_or(u32::MAX);
    for (k, step) in trace.steps.iter().enumerate().rev() {
        match step.kind {
            StepKind::Mark(m) if matches!(trace.marks[m as usize].kind, MarkKind::Retry | MarkKind::ApiError) => count += 1,
            StepKind::Mark(_) | StepKind::IterStart => {}
            _ if first.is_some_and(|f| k >= f as usize) => {}
            // the call that is being retried
            StepKind::ModelCall(b) if matches!(trace.bookings[b as usize].fault, Some(CallFault::Infrastructure(i)) if OUTAGES.contains(&i)) => {
                count += 1
            }
            StepKind::CallSeenTwice(_) => {}
            StepKind::AgentCall | StepKind::ModelCall(_) | StepKind::ToolCall(_) if count > 0 => {}
            _ => break,
        }
    }
    count
}
