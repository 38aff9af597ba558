//! The section of a run in a summary. Healthy runs stand in the table only.

use crate::diagnose::{Confidence, Health};
use crate::report::chart::spec::Cell;
use crate::report::markdown::text::{code, html};
use crate::report::model::RunReport;
use crate::report::section::Section;
use crate::report::strip;
use crate::report::table::thousands;
use crate::report::words;
use crate::trace::span;
use chrono_tz::Tz;
use std::fmt::Write as _;

/// Pieces of evidence of a finding.
const EVIDENCE: usize = 3;
/// Iterations of a strip.
const CELLS: usize = 120;

pub(super) fn section(run: &RunReport, section: &Section, zone: Tz) -> String {
    if run.health == Health::Healthy && run.findings.is_empty() {
        return String::new();
    }
    let ending = run.ending.map_or("no ending", crate::diagnose::Ending::id);
    let mut out = format!("<details><summary>{} {ending}, {}</summary>\n\n", html(&run.run), words::mode(run));
    let when = |t: Option<crate::trace::Time>| t.map_or_else(|| "unknown".to_owned(), |t| t.local(zone));
    if !run.why.is_empty() {
        let _ = writeln!(out, "Why: {}\n", code(&run.why));
    }
    let _ = writeln!(out, "**Next: {}**, {}\n", run.next_action.kind.id(), code(&run.next_action.reason));
    let _ = writeln!(
        out,
        "{} to {}, {}; {} iterations ({} red, {} green, {} without verdict), {} calls, {} tokens; cost {}, waste {}\n",
        when(run.started),
        when(run.ended),
        run.wall_s.map_or_else(|| "duration unknown".to_owned(), span),
        run.iterations,
        run.checks.red,
        run.checks.green,
        run.checks.no_verdict,
        run.calls,
        run.tokens.tokens.total().map_or_else(|| "unknown".to_owned(), thousands),
        words::spent(&run.cost),
        words::waste_parts(&run.waste)
    );
    course(section, &mut out);
    for f in &run.findings {
        let variant = f.variant.map(|v| format!("/{v}")).unwrap_or_default();
        let sure = if f.confidence == Confidence::Low { "suspect" } else { f.confidence.word() };
        let _ = writeln!(out, "- **{}{variant}** ({sure}): {}", f.kind.id(), code(&f.summary));
        for e in f.evidence.iter().take(EVIDENCE) {
            let at = if e.line == 0 { e.path.to_string() } else { format!("{}:{}", e.path, e.line) };
            let held = if e.threshold.is_empty() { String::new() } else { format!(" against {}", code(&e.threshold)) };
            let _ = writeln!(out, "  - {}: {}{held}", code(&at), code(&e.measured));
            if !e.excerpt.is_empty() {
                let _ = writeln!(out, "    {}", code(&e.excerpt));
            }
        }
        if f.evidence.len() > EVIDENCE {
            let _ = writeln!(out, "  - … and {} more pieces of evidence", f.evidence.len() - EVIDENCE);
        }
        let _ = writeln!(out, "  - remedy: {}", f.kind.spec().remedy.replace('|', "\\|"));
    }
    out.push_str("\n</details>\n\n");
    out
}

fn course(section: &Section, out: &mut String) {
    if section.passes.is_empty() {
        return;
    }
    let strip: String = section.passes.iter().take(CELLS).map(|p| strip::sign(p.cell)).collect();
    let more = section.passes.len().saturating_sub(CELLS);
    let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
    let _ = writeln!(out, "{}{more}\n", code(&strip));
    let mut told: Vec<(u32, u32, &str)> =
        (0_u32..).zip(&section.failures).filter(|(_, f)| !f.text.is_empty()).map(|(k, f)| (f.count, k, &*f.text)).collect();
    told.sort_by_key(|(n, k, _)| (std::cmp::Reverse(*n), *k));
    for (n, k, text) in told.into_iter().take(3) {
        let _ = writeln!(out, "- {} {n}× {}", strip::sign(Cell::Red(k)), code(text));
    }
    out.push('\n');
}
