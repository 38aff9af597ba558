//! From everything that was seen to one primary mode and the findings beside it.

use crate::diagnose::ending::{Ending, Terminal};
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind};
use crate::trace::rows::Colour;

/// The primary mode with all findings, the most important first.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The primary mode.
    pub mode: Option<Kind>,
    /// How sure it is.
    pub confidence: Option<Confidence>,
    /// All findings; the primary one first.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// The finding that the primary mode rests on.
    #[must_use]
    pub fn primary(&self) -> Option<&Finding> {
        self.findings.first().filter(|f| Some(f.kind) == self.mode)
    }
}

/// Decides the primary mode: the first in the table's order that holds as a verdict, but a silent death yields to a
/// verdict by content. What was overcome becomes `recovered`.
#[must_use]
pub(super) fn resolve(ctx: &Context<'_>, terminal: &Terminal, found: Vec<Finding>) -> Verdict {
    let mut findings: Vec<Finding> = found.into_iter().map(|f| outdone(terminal, f)).filter(worth_telling).collect();
    // A silent death is one only where the run is dead by its ending too.
    if terminal.ending != Some(Ending::Died) {
        findings.retain(|f| f.kind != Kind::SilentDeath || !f.is_verdict());
    }
    findings = merged(ctx, findings);
    // What came after the break may have been green.
    let partial = ctx.cut_off() && ctx.finished.is_none();
    let candidate = |skip_death: bool| {
        findings
            .iter()
            .filter(|_| !partial)
            .filter(|f| f.kind.spec().is_mode && f.is_verdict() && !(skip_death && f.kind == Kind::SilentDeath))
            .min_by_key(|f| (f.kind, std::cmp::Reverse(f.confidence)))
    };
    let first = candidate(false);
    let primary = match first {
        Some(f) if f.kind == Kind::SilentDeath => candidate(true).or(first),
        other => other,
    };
    let chosen = primary.map(|f| (f.kind, f.confidence, f.variant, f.episode));
    findings.sort_by_key(|f| {
        (Some((f.kind, f.confidence, f.variant, f.episode)) != chosen, !f.is_verdict(), f.kind, f.episode.map(|e| e.first))
    });
    Verdict { mode: chosen.map(|c| c.0), confidence: chosen.map(|c| c.1), findings }
}

/// A run whose work is done and judged does not fail by a streak of empty calls beside it; endless waiting is no such
/// streak.
fn outdone(terminal: &Terminal, mut finding: Finding) -> Finding {
    if terminal.ending == Some(Ending::Succeeded)
        && matches!(finding.kind, Kind::Stuck | Kind::Oscillation)
        && finding.variant != Some("poll")
        && let Some(episode) = finding.episode.as_mut()
    {
        episode.overcome = true;
    }
    finding
}

/// A mere suspicion that passed is not worth a word: three failures and then the repair is how repair looks. Three equal calls
/// are.
fn worth_telling(finding: &Finding) -> bool {
    !is_overcome(finding) || finding.is_verdict() || finding.variant == Some("call")
}

fn is_overcome(finding: &Finding) -> bool {
    finding.episode.is_some_and(|e| e.overcome)
}

/// What was overcome is no failure of the run, but worth knowing.
fn overcome(ctx: &Context<'_>, finding: Finding) -> Option<Finding> {
    let Some(episode) = finding.episode.filter(|e| e.overcome) else { return Some(finding) };
    let id = finding.kind.id();
    let how = match (ctx.green_after(episode.last), ctx.trace.actions.iter().any(|a| a.step > episode.last)) {
        (true, _) => "the run went on to green",
        (false, true) => "the run went on to something else",
        (false, false) => "the work was green before",
    };
    let inside = ctx.trace.bookings.iter().filter(|b| b.step >= episode.first && b.step <= episode.last);
    let cost = inside.filter_map(|b| b.spent).reduce(|a, b| a + b).map(|m| format!("; it cost {}", m.short())).unwrap_or_default();
    let summary = format!("{}; {how}{cost}", finding.summary);
    let ended = ended_by(ctx, episode);
    let mut evidence = finding.evidence().cloned();
    let first = evidence.next()?;
    let more: Vec<_> = evidence.collect();
    let mut recovered = Finding::new(Kind::Recovered, Some(id), finding.confidence, summary, first).over(episode).and(more).and(ended);
    recovered.thresholds.clone_from(&finding.thresholds);
    Some(recovered)
}

/// What ended an episode: the green that came, or what was done instead.
fn ended_by(ctx: &Context<'_>, episode: Episode) -> Option<Evidence> {
    let trace = ctx.trace;
    let green = trace.judged().filter(|(_, i)| i.colour == Colour::Green).filter_map(|(_, i)| i.verdict_step).find(|s| *s > episode.last);
    let other = trace.actions.iter().find(|a| a.step > episode.last).map(|a| a.step);
    let judged = trace.judged().filter_map(|(_, i)| i.verdict_step).find(|s| *s > episode.last);
    let step = other.or(judged).or(green)?;
    let what = if Some(step) == green { "what ended it: green" } else { "what ended it: the next thing that was done" };
    Some(Evidence::new(trace.place(step), what, ""))
}

/// Several findings of one kind and variant are told once: the surest and longest, with how many more there are. What was
/// overcome is one kind for each mode. Only what is kept is worked out further, since there may be thousands.
fn merged(ctx: &Context<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<(Finding, u32)> = Vec::new();
    let length = |e: Option<Episode>| e.map_or(0, |e| e.last - e.first);
    let variant = |f: &Finding| if is_overcome(f) { None } else { f.variant };
    for finding in findings {
        let same = |f: &Finding| {
            f.kind == finding.kind
                && is_overcome(f) == is_overcome(&finding)
                && variant(f) == variant(&finding)
                && f.is_verdict() == finding.is_verdict()
        };
        match kept.iter_mut().find(|(f, _)| same(f)) {
            Some((best, more)) => {
                *more += 1;
                if (finding.confidence, length(finding.episode)) > (best.confidence, length(best.episode)) {
                    *best = finding;
                }
            }
            None => kept.push((finding, 0)),
        }
    }
    kept.into_iter()
        .filter_map(|(f, more)| {
            let mut f = overcome(ctx, f)?;
            if more > 0 {
                f.summary = format!("{} ({more} more like it)", f.summary);
            }
            Some(f)
        })
        .collect()
}
