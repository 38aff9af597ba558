//! `explain`: one run as text. What happened when, what was found with its evidence, and why this mode and not another.

mod depth;

use crate::analysis::Examined;
use crate::diagnose::{self, Confidence};
use crate::report::build::gist;
use crate::report::escape::{terminal, visible};
use crate::report::model::{FindingReport, RunReport};
use crate::report::strip::letter;
use crate::report::table::{Look, money, thousands};
use crate::settings::Thresholds;
use crate::trace::Time;
use crate::trace::rows::Colour;
use crate::trace::span;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Renders one run.
#[must_use]
pub fn render(run: &Examined, limits: &Thresholds, as_of: Time, look: Look) -> String {
    let mut out = String::new();
    head(run, look, &mut out);
    timeline(run, look, &mut out);
    depth::gain(run, look, &mut out);
    depth::gates(run, limits.design_score, limits.design_passes, look, &mut out);
    beats(run, look, &mut out);
    findings(run, limits, look, &mut out);
    if run.report.iterations > 0 || run.report.ending.is_some() {
        depth::chain(&diagnose::chain(&run.trace, limits, as_of, &run.diagnosis), look, &mut out);
    }
    depth::facts(run, &diagnose::facts(&run.trace), look, &mut out);
    depth::notes(run, look, &mut out);
    let next = &run.report.next_action;
    let _ = writeln!(out, "{}: {}: {}", look.palette.bold("next"), next.kind.id(), next.reason);
    out
}

fn head(run: &Examined, look: Look, out: &mut String) {
    let r = &run.report;
    let p = look.palette;
    let mode = match (r.mode, r.confidence) {
        (Some(mode), Some(c)) => format!("{} ({} confidence)", mode.id(), c.word()),
        _ => "no mode".to_owned(),
    };
    let ending = r.ending.map_or("no ending", crate::diagnose::Ending::id);
    let detail = r.ending_detail.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
    let name = visible(&r.run);
    let _ = writeln!(out, "{}  {}", p.bold(&name), p.health(r.health, &format!("{ending}{detail}, {mode}, {}", r.health.word())));
    if run.trace.steps.is_empty() && run.trace.beats.is_empty() {
        let _ = writeln!(out, "nothing is recorded");
        return sources(r, look, out);
    }
    let when = |t: Option<crate::trace::Time>| t.map_or_else(|| "unknown".to_owned(), |t| t.local(look.zone));
    let _ = writeln!(out, "{} to {}, {}", when(r.started), when(r.ended), r.wall_s.map_or_else(|| "duration unknown".to_owned(), span));
    let _ = writeln!(
        out,
        "{} iterations ({} red, {} green, {} without verdict), {} calls, {} tool calls, {} tokens, cost {}",
        r.iterations,
        r.checks.red,
        r.checks.green,
        r.checks.no_verdict,
        r.calls,
        r.tool_calls,
        r.tokens.tokens.total().map_or_else(|| "unknown".to_owned(), thousands),
        money(&r.cost)
    );
    if let Some(part) = r.cost.subagents_usd {
        let _ = writeln!(out, "of the cost, sub-agents spent {}", part.short());
    }
    let w = &r.waste;
    let parts: Vec<String> = [
        w.usd.map(crate::trace::Money::short),
        w.tokens.map(|t| format!("{} tokens", thousands(t))),
        w.seconds.map(|s| span((s - w.dead_s.unwrap_or(0.0)).max(0.0))),
        w.dead_s.map(|s| format!("{} dead", span(s))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let after =
        w.after.as_ref().map(|a| format!(" after iteration {} ({}:{})", a.iteration, terminal(&a.path), a.line)).unwrap_or_default();
    let known = if parts.is_empty() { "nothing can be said".to_owned() } else { parts.join(", ") };
    let _ = writeln!(out, "wasted: {known}{after}, {}", w.state.word());
    if let Some(context) = crate::diagnose::context_growth::described(&run.trace) {
        let _ = writeln!(out, "context: {context}");
    }
    if let Some(baseline) = &r.baseline {
        let _ = writeln!(out, "{}", crate::report::baseline::about(baseline));
    }
    sources(r, look, out);
}

/// What was read of each source.
fn sources(r: &RunReport, look: Look, out: &mut String) {
    for s in &r.sources {
        let error = s.error.as_deref().map(|e| format!("; {}", terminal(e))).unwrap_or_default();
        let torn = if s.torn_tail { ", torn at the end" } else { "" };
        let kept = s.kept.map(|k| format!("; {k}")).unwrap_or_default();
        let (path, format) = (terminal(&s.path), s.format);
        let line = format!("  {path} ({format}): {} lines, {} recovered, {} lost{torn}{kept}{error}", s.lines, s.salvaged, s.lost);
        let _ = writeln!(out, "{}", look.palette.dim(&line));
    }
    out.push('\n');
}

/// One letter an iteration: equal letters are equal failures.
fn timeline(run: &Examined, look: Look, out: &mut String) {
    let trace = &run.trace;
    if trace.iterations.is_empty() {
        return;
    }
    let mut letters: HashMap<u64, usize> = HashMap::new();
    let mut shown: Vec<(char, u32, crate::trace::Place)> = Vec::new();
    let mut strip = String::new();
    let mut marks = String::new();
    for (k, row) in trace.iterations.iter().enumerate() {
        let cell = match row.colour {
            Colour::Green => '✓',
            Colour::NoVerdict => '!',
            Colour::Unknown => '·',
            Colour::Red => {
                let next = letters.len();
                let at = *letters.entry(row.coarse).or_insert(next);
                let letter = letter(u32::try_from(at).unwrap_or(u32::MAX));
                match shown.get_mut(at) {
                    Some(entry) => entry.1 += 1,
                    None => shown.push((letter, 1, trace.verdict_place(row))),
                }
                letter
            }
        };
        strip.push(cell);
        marks.push(if run.diagnosis.gain.by_iteration.get(k).is_some_and(Option::is_some) { '+' } else { ' ' });
    }
    let _ = writeln!(out, "{} (a letter is a failure, ✓ green, ! no verdict, · not judged; + below: gain)", look.palette.bold("timeline"));
    let width = usize::from(look.width).saturating_sub(10).max(20);
    let cells: Vec<char> = strip.chars().collect();
    let gains: Vec<char> = marks.chars().collect();
    for (k, part) in cells.chunks(width).enumerate() {
        let first = trace.iterations[k * width].number;
        let _ = writeln!(out, "  {first:>5} {}", part.iter().collect::<String>());
        let below: String = gains[k * width..k * width + part.len()].iter().collect();
        if !below.trim().is_empty() {
            let _ = writeln!(out, "        {}", below.trim_end());
        }
    }
    shown.sort_by_key(|(_, n, place)| (std::cmp::Reverse(*n), *place));
    for (letter, n, place) in shown.iter().take(8) {
        let text = gist(trace, *place, usize::from(look.width).saturating_sub(16).max(20));
        let _ = writeln!(out, "  {letter} {n:>4}x {text}");
    }
    if shown.len() > 8 {
        let _ = writeln!(out, "  … and {} more failures", shown.len() - 8);
    }
    out.push('\n');
}

/// The heartbeat's gaps beyond the horizon, and how far it reaches.
fn beats(run: &Examined, look: Look, out: &mut String) {
    let beats: Vec<_> = run.trace.beats.iter().filter_map(|b| b.at.map(|at| (at, b))).collect();
    let Some((last, beat)) = beats.last() else { return };
    let told = beat.iter.map(|n| format!(", in iteration {n}")).unwrap_or_default();
    let _ = writeln!(
        out,
        "{}: {} known, the last at {}{told}; horizon {}",
        look.palette.bold("heartbeat"),
        beats.len(),
        last.local(look.zone),
        run.diagnosis.horizon
    );
    let mut gaps: Vec<_> = beats.windows(2).map(|w| (w[1].0.seconds_since(w[0].0), w[0].0)).collect();
    gaps.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (gap, from) in gaps.iter().take(3) {
        let _ = writeln!(out, "  gap of {} from {}", span(*gap), from.local(look.zone));
    }
    out.push('\n');
}

fn findings(run: &Examined, limits: &Thresholds, look: Look, out: &mut String) {
    if run.report.findings.is_empty() {
        let _ = writeln!(out, "{}: none\n", look.palette.bold("findings"));
        return;
    }
    let _ = writeln!(out, "{}", look.palette.bold("findings"));
    for finding in &run.report.findings {
        one(finding, limits, look, out);
    }
    out.push('\n');
}

fn one(f: &FindingReport, limits: &Thresholds, look: Look, out: &mut String) {
    let variant = f.variant.map(|v| format!("/{v}")).unwrap_or_default();
    let word = if f.confidence == Confidence::Low { "suspect".to_owned() } else { f.confidence.word().to_owned() };
    let onset = f.onset.map(|(iteration, _)| format!(", from iteration {iteration}")).unwrap_or_default();
    let _ = writeln!(out, "  {} ({word}{onset}): {}", look.palette.bold(&format!("{}{variant}", f.kind.id())), f.summary);
    for e in &f.evidence {
        let held = if e.threshold.is_empty() { String::new() } else { format!(" against {}", e.threshold) };
        let at = if e.line == 0 { e.path.to_string() } else { format!("{}:{}", e.path, e.line) };
        let _ = writeln!(out, "    {}  {}{held}", terminal(&at), e.measured);
        if !e.excerpt.is_empty() {
            let _ = writeln!(out, "      {}", look.palette.dim(&e.excerpt));
        }
    }
    for (name, value) in &f.thresholds {
        let value = limits.get(name).unwrap_or(*value);
        let _ = writeln!(out, "    threshold: {name} = {value}");
    }
    let _ = writeln!(out, "    remedy: {}", f.kind.spec().remedy);
}
