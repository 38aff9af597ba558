//! The table of the morning after: one row a run, worst first, then what the runs have in common, then the sums.

use crate::report::model::{Cost, CostStatus, RunReport, Triage, WasteReport};
use crate::report::style::Palette;
use crate::report::words;
use crate::report::words::wasted_usd;
use crate::report::{escape, workflow};
use crate::trace::span;
use chrono_tz::Tz;
use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};
use std::fmt::Write as _;

/// A line under the head and nothing else: a row is one or two lines of text.
pub(super) const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// How a table is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Columns of the terminal.
    pub width: u16,
    /// Colours.
    pub palette: Palette,
    /// The zone of times.
    pub zone: Tz,
    /// Rows at most.
    pub rows: usize,
}

/// Renders a triage.
#[must_use]
pub fn render(triage: &Triage, look: Look) -> String {
    let mut out = String::new();
    let mut runs: Vec<&RunReport> = triage.runs.iter().collect();
    runs.sort_by_cached_key(|r| r.badness());
    if !runs.is_empty() {
        out.push_str(&workflow::lines(&table(&runs, look)));
        out.push('\n');
    }
    let hidden = triage.summary.totals.runs.saturating_sub(runs.len().min(look.rows) as u64);
    if hidden > 0 {
        let _ = writeln!(out, "{}", look.palette.dim(&format!("… and {hidden} more runs (--rows N shows more)")));
    }
    out + &below(triage, look)
}

/// What is said of all runs together: it stands below their table.
#[must_use]
pub fn below(triage: &Triage, look: Look) -> String {
    let mut out = String::new();
    causes(triage, look, &mut out);
    night(triage, look, &mut out);
    signatures(triage, look, &mut out);
    sums(triage, look, &mut out);
    workflow::lines(&out)
}

fn table(runs: &[&RunReport], look: Look) -> String {
    let mut table = Table::new();
    table.load_style(LINES).set_content_arrangement(ContentArrangement::Dynamic).set_width(look.width);
    if look.palette.on {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let heads = columns(look.width, runs.iter().any(|r| r.baseline.is_some()));
    table.set_header(heads.iter().map(|h| Cell::new(*h).add_attribute(Attribute::Bold)));
    for run in runs.iter().take(look.rows) {
        table.add_row(heads.iter().map(|h| cell(run, h, look)).collect::<Vec<_>>());
    }
    // What must not be broken over lines keeps its width; `why` takes what is left.
    for (k, name) in heads.iter().enumerate() {
        if let Some(column) = table.column_mut(k) {
            column.set_padding((0, 1));
            if matches!(*name, "iter" | "wall" | "tokens" | "cost" | "by hand" | "waste") {
                column.set_cell_alignment(CellAlignment::Right);
            }
            match *name {
                "run" => column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(look.width / 5))),
                "why" => column,
                _ => column.set_constraint(ColumnConstraint::ContentWidth),
            };
        }
    }
    table.trim_fmt()
}

/// A narrow screen shows fewer columns rather than narrow ones.
fn columns(width: u16, baseline: bool) -> Vec<&'static str> {
    let all = [
        ("run", 0),
        ("ending", 0),
        ("mode", 0),
        ("iter", 70),
        ("wall", 150),
        ("tokens", 120),
        ("cost", 90),
        ("by hand", if baseline { 60 } else { u16::MAX }),
        ("waste", 80),
        ("why", 0),
        ("next", 100),
    ];
    all.into_iter().filter(|(_, least)| width >= *least).map(|(name, _)| name).collect()
}

fn cell(run: &RunReport, column: &str, look: Look) -> Cell {
    let coloured = |text: &str| {
        let cell = Cell::new(text);
        if look.palette.on { cell.fg(comfy_colour(run)) } else { cell }
    };
    match column {
        "run" => Cell::new(escape_id(&run.run)),
        "ending" => coloured(run.ending.map_or("-", crate::diagnose::Ending::id)),
        "mode" => match (run.mode, run.confidence) {
            (Some(mode), Some(confidence)) if confidence < crate::diagnose::Confidence::High => coloured(&format!("{}?", mode.id())),
            (Some(mode), _) => coloured(mode.id()),
            (None, _) => Cell::new("-"),
        },
        "iter" => Cell::new(run.iterations),
        "wall" => Cell::new(run.wall_s.map_or_else(|| "-".to_owned(), span)),
        "tokens" => Cell::new(run.tokens.tokens.total().map_or_else(|| "-".to_owned(), thousands)),
        "cost" => Cell::new(money(&run.cost)),
        "by hand" => Cell::new(by_hand(run)),
        "waste" => Cell::new(waste(&run.waste)),
        "why" => Cell::new(clip(&run.why, usize::from(look.width).saturating_sub(95).max(26) * 2)),
        _ => Cell::new(run.next_action.kind.id()),
    }
}

fn comfy_colour(run: &RunReport) -> comfy_table::Color {
    match run.health {
        crate::diagnose::Health::Failing => comfy_table::Color::Red,
        crate::diagnose::Health::Inconclusive => comfy_table::Color::Yellow,
        crate::diagnose::Health::Healthy => comfy_table::Color::Green,
    }
}

/// A folder's name can hold anything. It is spelled as in JSON and in the tables of `query`, so that it can be looked up there.
fn escape_id(id: &str) -> String {
    escape::visible(id).into_owned()
}

fn causes(triage: &Triage, look: Look, out: &mut String) {
    for cause in &triage.summary.common_causes {
        let names: Vec<String> = cause.runs.iter().take(5).map(|r| escape_id(r)).collect();
        let more = if cause.runs.len() > 5 { format!(" and {} more", cause.runs.len() - 5) } else { String::new() };
        let head = look.palette.bold("common cause");
        let _ = writeln!(
            out,
            "{head}: {} runs {} between {} and {}: {} ({}{more})",
            cause.runs.len(),
            cause.ending.id(),
            cause.from.local(look.zone),
            cause.to.local(look.zone),
            cause.cause,
            names.join(", ")
        );
    }
}

/// What is wrong with the night as a whole, run by run invisible.
fn night(triage: &Triage, look: Look, out: &mut String) {
    if let Some(never) = triage.summary.never_started.as_ref().filter(|n| n.found < n.expected) {
        let names: Vec<String> = never.missing.iter().take(10).map(|r| escape_id(r)).collect();
        let named = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let head = look.palette.bold("never started");
        let _ = writeln!(out, "{head}: {} of {} expected runs{named}", never.expected - never.found, never.expected);
    }
    for loops in &triage.summary.restarted_after_done {
        let cost = loops.usd.map(|m| format!(", {}", m.short())).unwrap_or_default();
        let head = look.palette.bold("restarted after done");
        let _ =
            writeln!(out, "{head}: {} had it done, and {} more runs found nothing to do{cost}", escape_id(&loops.done), loops.runs.len());
    }
}

fn signatures(triage: &Triage, look: Look, out: &mut String) {
    if triage.summary.top_signatures.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", look.palette.bold("most frequent failures"));
    for s in triage.summary.top_signatures.iter().take(5) {
        let runs = if s.runs == 1 { "1 run".to_owned() } else { format!("{} runs", s.runs) };
        let _ =
            writeln!(out, "  {:>4}x in {runs:<8} {}", s.iterations, clip(&s.failure, usize::from(look.width).saturating_sub(22).max(20)));
    }
}

fn sums(triage: &Triage, look: Look, out: &mut String) {
    let t = &triage.summary.totals;
    let count = |map: &std::collections::BTreeMap<&str, u64>, skip: &str| {
        let mut rows: Vec<_> = map.iter().filter(|(k, _)| **k != skip).collect();
        rows.sort_by_key(|(k, n)| (std::cmp::Reverse(**n), **k));
        rows.iter().map(|(k, n)| format!("{n} {k}")).collect::<Vec<_>>().join(", ")
    };
    let head = look.palette.bold("total");
    if t.runs == 0 {
        let _ = writeln!(out, "{head}: no runs");
        return accounts(triage, look, out);
    }
    let modes = count(&t.by_mode, "none");
    let modes = if modes.is_empty() { "no mode".to_owned() } else { modes };
    let endings = count(&t.by_ending, "").replace(" none", " without an ending");
    let _ = writeln!(out, "{head}: {}: {endings}; {modes}", words::count(t.runs, "run", "runs"));
    if t.by_ending.get("none") == Some(&t.runs) && t.tokens.total().is_none() && t.cost.usd.is_none() && t.waste.seconds.is_none() {
        let _ = writeln!(out, "what was spent and wasted is not recorded");
        return accounts(triage, look, out);
    }
    let usd = wasted_usd(t);
    let time = t.waste.seconds.map_or_else(|| "unknown".to_owned(), |s| span((s - t.waste.dead_s).max(0.0)));
    let _ = writeln!(
        out,
        "spent {}, {} tokens; wasted {usd}, {time} of work and {} dead; waste unknown for {} of {} runs",
        money(&t.cost),
        t.tokens.total().map_or_else(|| "unknown".to_owned(), thousands),
        span(t.waste.dead_s),
        t.waste.runs_unavailable,
        t.runs
    );
    if t.cost.unpriced_tokens > 0 && !t.cost.unpriced_models.is_empty() {
        let models: Vec<&str> = t.cost.unpriced_models.iter().map(AsRef::as_ref).collect();
        let text = format!("no price for {} tokens of {} (--prices FILE adds one)", thousands(t.cost.unpriced_tokens), models.join(", "));
        let _ = writeln!(out, "{}", clip(&text, usize::from(look.width).max(60)));
    }
    accounts(triage, look, out);
}

/// Every line that was read, and what became of it.
fn accounts(triage: &Triage, look: Look, out: &mut String) {
    let t = &triage.summary.totals;
    if t.understanding_debt.is_some() {
        let _ = writeln!(out, "{}", words::understanding_debt(t));
    }
    let _ = writeln!(
        out,
        "{}",
        look.palette.dim(&format!(
            "read {} lines ({} bytes): {} recovered, {} lost, {} duplicates, {} of unknown kind; {} other files passed over{}; as of {}",
            t.lines,
            t.bytes,
            t.salvaged_lines,
            t.lost_lines,
            t.duplicate_lines,
            t.unknown_records,
            t.files_passed_over,
            words::unread(t),
            triage.summary.as_of.local(look.zone)
        ))
    );
}

/// Money with how sure it is: `>=` where a part has no price.
#[must_use]
pub fn money(cost: &Cost) -> String {
    match (cost.status, cost.usd) {
        (CostStatus::Known, Some(m)) => m.short(),
        (CostStatus::AtLeast, Some(m)) => format!("≥{}", m.short()),
        _ => "-".to_owned(),
    }
}

/// How many times the manual baseline, and of what: money, else tokens, else calls.
fn by_hand(run: &RunReport) -> String {
    let Some(b) = run.baseline.as_deref() else { return "-".to_owned() };
    let known = [(b.usd.ratio, "$"), (b.tokens.ratio, "tok"), (b.calls.ratio, "calls")];
    let Some((r, of)) = known.into_iter().find_map(|(ratio, of)| Some((ratio?, of))) else { return "-".to_owned() };
    if r < 0.1 { format!("<0.1x {of}") } else { format!("{r:.1}x {of}") }
}

/// The best known measure of waste: money, else tokens, else time at work. `~` where it is estimated.
fn waste(w: &WasteReport) -> String {
    let about = if w.state == crate::diagnose::WasteState::Estimated { "~" } else { "" };
    let worked = w.seconds.map(|s| (s - w.dead_s.unwrap_or(0.0)).max(0.0));
    match (w.usd, w.tokens, worked) {
        (Some(m), ..) => format!("{about}{}", m.short()),
        (None, Some(t), _) => format!("{about}{} tok", thousands(t)),
        (None, None, Some(s)) if w.dead_s.is_none() || s > 0.0 => format!("{about}{}", span(s)),
        _ => "-".to_owned(),
    }
}

/// `950`, `12.3k`, `4.5M`.
#[must_use]
pub fn thousands(n: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let v = n as f64;
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1}k", v / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", v / 1e6),
        _ => format!("{:.1}G", v / 1e9),
    }
}

fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most.saturating_sub(1)).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([thousands(999), thousands(12_340), thousands(4_512_000), thousands(2_000_000_000)], ["999", "12.3k", "4.5M", "2.0G"]);
        assert_eq!(clip("abcdef", 4), "abc…");
    }
}
