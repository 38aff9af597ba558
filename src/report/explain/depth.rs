//! The parts of `explain` that go beyond timeline and findings: the chain of reasons, calls that stand out, what is
//! established, the gates.

use crate::analysis::Examined;
use crate::diagnose::{Considered, Fact, Facts, Standing, Standout};
use crate::report::build::gist;
use crate::report::escape::{excerpt, terminal};
use crate::report::table::Look;
use crate::trace::{Place, Trace, span};
use std::fmt::Write as _;

/// Characters of a text from a log.
const TEXT: usize = 160;

/// Why this mode and not another, mode by mode.
pub(super) fn chain(chain: &[Considered], look: Look, out: &mut String) {
    let _ = writeln!(out, "{} (in the order in which a mode comes first)", look.palette.bold("why this mode and not another"));
    for c in chain {
        let name = if c.standing == Standing::Primary { look.palette.bold(c.kind.id()) } else { c.kind.id().to_owned() };
        let sure = c.confidence.as_deref().map(|s| format!("; confidence {s}")).unwrap_or_default();
        let _ = writeln!(out, "  {name} {}{sure}", c.standing.words());
        // For a mode that is not seen the measure says it all.
        if c.standing != Standing::NotSeen {
            for text in &c.pro {
                let _ = writeln!(out, "    + {}", safe(text));
            }
        }
        for text in &c.contra {
            let _ = writeln!(out, "    - {}", safe(text));
        }
        let _ = writeln!(out, "    {} {}", look.palette.dim("otherwise:"), c.otherwise);
    }
    out.push('\n');
}

/// Calls that stand out, and what the run established.
pub(super) fn facts(run: &Examined, facts: &Facts, look: Look, out: &mut String) {
    standouts(run, "slowest calls", &facts.slowest, look, out, |s| span(s.figure));
    standouts(run, "most repeated calls", &facts.repeated, look, out, |s| format!("{:.0}x", s.figure));
    list(run, "confirmed", &facts.confirmed, look, out);
    list(run, "open hypotheses", &facts.open, look, out);
    list(run, "not to be repeated", &facts.not_again, look, out);
    list(run, "changed last", &facts.changed, look, out);
    list(run, "budget", &facts.left, look, out);
}

fn standouts(run: &Examined, title: &str, all: &[Standout], look: Look, out: &mut String, figure: impl Fn(&Standout) -> String) {
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", look.palette.bold(title));
    for s in all {
        let _ = writeln!(out, "  {:>8}  {:<12} {}", figure(s), safe(&s.tool), at(&run.trace, s.place));
    }
    out.push('\n');
}

fn list(run: &Examined, title: &str, all: &[Fact], look: Look, out: &mut String) {
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", look.palette.bold(title));
    for fact in all {
        let _ = writeln!(out, "  {}  {}", safe(&fact.text), look.palette.dim(&at(&run.trace, fact.place)));
        let said = gist(&run.trace, fact.place, TEXT);
        if title == "not to be repeated" && !said.is_empty() {
            let _ = writeln!(out, "    {}", look.palette.dim(&said));
        }
    }
    out.push('\n');
}

/// The gates, attempt by attempt; all hard gates must pass in the same turn, the design gate is soft and capped.
pub(super) fn gates(run: &Examined, score: f64, passes: u32, look: Look, out: &mut String) {
    let trace = &run.trace;
    if trace.gates.is_empty() {
        return;
    }
    let _ = writeln!(out, "{} (design is soft: {score} or more, at most {passes} passes)", look.palette.bold("gates"));
    let mut tried = 0;
    let mut line = (None, String::new());
    for gate in &trace.gates {
        let number = trace.iteration_number(gate.step);
        if line.0 != number {
            flush(&mut line, out);
            line.0 = number;
        }
        let name = trace.names.text(gate.name);
        let design = name.to_ascii_lowercase().contains("design");
        tried += u32::from(design);
        let passed = gate.passed.or(gate.score.filter(|_| design).map(|s| s >= score));
        let word = match passed {
            Some(true) => "pass",
            Some(false) => "FAIL",
            None => "?",
        };
        let scored = gate.score.map(|s| format!(" {s}")).unwrap_or_default();
        let pass = if design {
            format!(" (pass {} of {passes}{})", gate.attempt.unwrap_or(tried), if tried > passes { ", over the cap" } else { "" })
        } else {
            String::new()
        };
        let _ = write!(line.1, "  {} {word}{scored}{pass}", safe(name));
    }
    flush(&mut line, out);
    out.push('\n');
}

fn flush(line: &mut (Option<u32>, String), out: &mut String) {
    if let Some(number) = line.0 {
        let _ = writeln!(out, "  {number:>5}{}", line.1);
    }
    line.1.clear();
}

/// The gain series in words: which iteration gained what.
pub(super) fn gain(run: &Examined, look: Look, out: &mut String) {
    let gain = &run.diagnosis.gain;
    let rows: Vec<String> = gain
        .by_iteration
        .iter()
        .zip(&run.trace.iterations)
        .filter_map(|(g, i)| g.map(|g| format!("{}: {}", i.number, g.words())))
        .collect();
    if run.trace.iterations.is_empty() {
        return;
    }
    let head = look.palette.bold("gain");
    if rows.is_empty() {
        let why = if gain.measurable { "none in any iteration" } else { "nothing in the log can show it: no counts, no known sets" };
        let _ = writeln!(out, "{head}: {why}\n");
        return;
    }
    let shown = rows.len().min(12);
    let more = if rows.len() > shown { format!("; and {} more", rows.len() - shown) } else { String::new() };
    let last = &rows[rows.len() - shown..];
    let _ = writeln!(out, "{head}: {}{more}\n", last.join("; "));
}

/// What status files say to people.
pub(super) fn notes(run: &Examined, look: Look, out: &mut String) {
    for notes in &run.trace.notes {
        let Some(source) = run.trace.sources.get(notes.source as usize) else { continue };
        let _ = writeln!(out, "{} {} (for people; it decides nothing)", look.palette.bold("notes in"), terminal(&source.shown));
        for (title, points) in &notes.sections {
            let texts: Vec<String> = points.iter().take(5).map(|(text, _)| safe(text)).collect();
            let more = if points.len() > 5 { format!(" … and {} more", points.len() - 5) } else { String::new() };
            let _ = writeln!(out, "  {}: {}{more}", safe(title), texts.join("; "));
        }
        out.push('\n');
    }
}

fn safe(text: &str) -> String {
    excerpt(text.as_bytes(), 2 * TEXT)
}

fn at(trace: &Trace, place: Place) -> String {
    let shown = trace.sources.get(place.source as usize).map_or("", |s| &*s.shown);
    if place.line == 0 { terminal(shown).into_owned() } else { format!("{}:{}", terminal(shown), place.line) }
}
