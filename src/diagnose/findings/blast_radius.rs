//! How far the change reaches.

use crate::diagnose::ending::Terminal;
use crate::diagnose::finding::Episode;
use crate::diagnose::{Confidence, Context, Evidence, Finding, Kind, scope};
use crate::trace::Place;
use crate::trace::event::MarkKind;
use crate::trace::external::External;
use crate::trace::tool::ToolClass;

pub(super) fn examine(ctx: &Context<'_>, _: &Terminal) -> Vec<Finding> {
    [growing(ctx), outside(ctx), external(ctx)].into_iter().flatten().collect()
}

/// Changed files, iteration by iteration: they grow and never fall.
fn growing(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let limits = ctx.limits;
    let counts: Vec<(usize, u32)> = trace.iterations.iter().enumerate().filter_map(|(k, i)| i.files_changed.map(|n| (k, n))).collect();
    let stretch = counts.chunk_by(|a, b| a.1 <= b.1).max_by_key(|s| s.len())?;
    let ((first, few), (last, many)) = (*stretch.first()?, *stretch.last()?);
    let grown = f64::from(many) >= limits.blast_factor * f64::from(few.max(1));
    if stretch.len() < limits.blast_iterations as usize || !grown || many < limits.blast_files {
        return None;
    }
    let (a, b) = (ctx.iteration(first), ctx.iteration(last));
    let summary = format!("changed files grew from {few} to {many} over iterations {} to {} and never fell", a.number, b.number);
    let evidence = Evidence::new(trace.place(b.first_step), format!("{many} files changed"), format!("{} x {few}", limits.blast_factor));
    let begin = Evidence::new(trace.place(a.first_step), format!("{few} files changed"), "");
    Some(
        Finding::new(Kind::BlastRadius, Some("growing"), Confidence::Medium, summary, evidence)
            .by("blast_factor")
            .by("blast_files")
            .by("blast_iterations")
            .over(Episode { first: a.first_step, last: b.first_step, overcome: false })
            .and([begin]),
    )
}

/// Edits outside the paths that the loop declared.
fn outside(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let (state, paths, line) =
        trace.states.iter().find_map(|s| s.allowed_paths.as_ref().filter(|(p, _)| !p.is_empty()).map(|(p, l)| (s, p, *l)))?;
    let edits = trace.actions.iter().filter(|a| a.class == ToolClass::Edit && a.ok != Some(false));
    let out: Vec<_> = edits
        .map(|a| (a, trace.names.text(a.path)))
        .filter(|(_, path)| !path.is_empty() && !["/tmp/", "/var/tmp/", "$"].iter().any(|t| path.starts_with(t)))
        .filter(|(_, path)| !paths.iter().any(|p| scope::lies_in(path, p)))
        .collect();
    let (first, path) = out.first()?;
    let summary = format!("{} edits outside the declared scope; the first changes {path}", out.len());
    let evidence = Evidence::new(trace.place(first.step), format!("changes {path}"), format!("declared: {}", paths.join(", ")));
    let written = Evidence::new(Place { source: state.source, line, offset: 0 }, "the declared scope", "");
    Some(Finding::new(Kind::BlastRadius, Some("outside"), Confidence::High, summary, evidence).and([written]))
}

/// Published or deployed, and nobody had asked for it. Pushes and pull requests are how work is handed in.
fn external(ctx: &Context<'_>) -> Option<Finding> {
    let trace = ctx.trace;
    let tasks: Vec<String> = trace.marks.iter().filter(|m| m.kind == MarkKind::Person).map(|m| m.text.to_lowercase()).collect();
    // Without a person's words in the log nobody can say what was asked for.
    if tasks.is_empty() {
        return None;
    }
    let far = |e: External| matches!(e, External::Publish | External::Deploy);
    let asked = |e: External| tasks.iter().any(|t| e.asked_by().iter().any(|w| t.contains(w)));
    let (action, what) = trace
        .actions
        .iter()
        .filter_map(|a| Some((a, a.external?)))
        .find(|(a, e)| far(*e) && a.ok != Some(false) && a.result_step.is_some() && !asked(*e))?;
    let summary = format!("a call {}, and nobody had asked for it", what.words());
    let evidence = Evidence::new(trace.place(action.step), what.words(), "not asked for");
    Some(Finding::new(Kind::BlastRadius, Some("external"), Confidence::High, summary, evidence))
}
