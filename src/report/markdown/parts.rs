//! The parts of a summary beside the runs' own sections.

use crate::diagnose::Health;
use crate::fleet::week::Week;
use crate::report::markdown::text::{cell, code, plain};
use crate::report::model::RunReport;
use crate::report::table::thousands;
use crate::report::words;
use crate::trace::span;
use chrono_tz::Tz;
use std::fmt::Write as _;

/// Causes on the first screen.
const CAUSES: usize = 3;

pub(super) fn head(week: &Week, zone: Tz) -> String {
    let (t, h) = (&week.summary.totals, &week.headline);
    let mut out = format!("# {}\n\n", plain(&week.title));
    let _ = write!(out, "{}", words::count(t.runs, "run", "runs"));
    match &week.window {
        Some(w) => {
            let _ = write!(out, ", {} to {}", w.from.local(zone), w.to.local(zone));
            if !w.left_out.is_empty() {
                let _ = write!(out, "; {} outside that time left out", words::count(w.left_out.len() as u64, "run", "runs"));
            }
        }
        None => {
            let _ = write!(out, ", as of {}", week.summary.as_of.local(zone));
        }
    }
    let _ = writeln!(out, " ({})\n", zone.name());
    let change = |name: &str| match week.comparison.as_ref().and_then(|c| c.figure(name)) {
        Some(row) => words::then_and_change(row),
        None => "no earlier report".to_owned(),
    };
    let (wasted, parts) = words::wasted(t);
    let parts = if parts.is_empty() { String::new() } else { format!("; {parts}") };
    let tokens = t.tokens.total().map_or_else(String::new, |n| format!("; {} tokens", thousands(n)));
    let _ = writeln!(out, "| | | against the last report |\n|---|---|---|");
    let _ = writeln!(out, "| spent | **{}**{tokens} | {} |", words::spent(&t.cost), change("spent"));
    let _ = writeln!(out, "| wasted | **{wasted}**{parts} | {} |", change("wasted"));
    let _ = writeln!(
        out,
        "| greens | **{} of {}**; {} failing, {} inconclusive | {} |",
        h.greens,
        t.runs,
        h.failing,
        h.inconclusive,
        change("greens")
    );
    let _ = writeln!(out, "| cost per green | **{}** | {} |\n", words::per_green(h.per_green), change("cost per green"));
    causes(week, &mut out);
    guard(week, &mut out);
    for c in &week.summary.common_causes {
        let _ = writeln!(
            out,
            "> **Common cause:** {} runs {} between {} and {}: {} ({})\n",
            c.runs.len(),
            c.ending.id(),
            c.from.local(zone),
            c.to.local(zone),
            code(&c.cause),
            ids(&c.runs, 5)
        );
    }
    out
}

fn ids(runs: &[Box<str>], most: usize) -> String {
    let mut out = runs.iter().take(most).map(|r| code(r)).collect::<Vec<_>>().join(", ");
    if runs.len() > most {
        let _ = write!(out, " and {} more", runs.len() - most);
    }
    out
}

fn causes(week: &Week, out: &mut String) {
    let causes = &week.headline.causes;
    if causes.is_empty() {
        out.push_str("No run failed.\n\n");
        return;
    }
    out.push_str("## Top causes\n\n| cause | share | runs | spent | wasted | time lost |\n|---|---|--:|--:|--:|--:|\n");
    let money = |m: Option<crate::trace::Money>| m.map_or_else(|| "–".to_owned(), crate::trace::Money::short);
    for c in causes.iter().take(CAUSES) {
        let _ = writeln!(
            out,
            "| `{}` | {} {:.0} % {} | {} | {} | {} | {} |",
            c.cause,
            words::bar(c.share),
            c.share * 100.0,
            c.of.words(),
            c.runs.len(),
            money(c.spent_usd),
            money(c.waste_usd),
            c.waste_s.map_or_else(|| "–".to_owned(), span)
        );
    }
    out.push('\n');
    if causes.len() > CAUSES {
        let rest: Vec<String> = causes.iter().skip(CAUSES).map(|c| format!("`{}` ({})", c.cause, c.runs.len())).collect();
        let _ = writeln!(out, "Others: {}.\n", rest.join(", "));
    }
}

fn guard(week: &Week, out: &mut String) {
    let Some(g) = &week.headline.guard else { return };
    let setting = g.setting.as_ref().map(|s| format!(" (`{s}`)")).unwrap_or_default();
    let _ =
        writeln!(out, "**One guard to set:** {}{setting}. Because of `{}`: {}. {}\n", g.guard, g.cause, g.reason, words::guard_effect(g));
}

pub(super) fn comparison(week: &Week, zone: Tz) -> String {
    let Some(c) = &week.comparison else { return String::new() };
    let mut out = String::from("## Against the last report\n\n");
    let as_of = c.as_of.map_or_else(|| "unknown".to_owned(), |t| t.local(zone));
    let _ = write!(
        out,
        "{}, as of {as_of}. {} runs stand in both, {} only in this one, {} only in that one.",
        code(&c.file),
        c.common_runs,
        c.new_runs,
        c.gone_runs
    );
    for note in &c.notes {
        let _ = write!(out, " Note: {}.", plain(note));
    }
    out.push_str("\n\n| figure | then | now | change |\n|---|--:|--:|---|\n");
    for row in &c.figures {
        let (then, now) = (words::value(row.before, row.complete.0), words::value(row.after, row.complete.1));
        let word = words::direction(row);
        let word = if matches!(word, "better" | "worse") { format!(", {word}") } else { String::new() };
        let _ = writeln!(out, "| {} | {then} | {now} | {}{word} |", row.name, words::change(row));
    }
    out.push_str("\n| mode | then | now |\n|---|--:|--:|\n");
    for (mode, (then, now)) in &c.by_mode {
        let _ = writeln!(out, "| {} | {then} | {now} |", if mode == "none" { "no mode".to_owned() } else { cell(mode) });
    }
    let list = |causes: &[String]| {
        if causes.is_empty() { "none".to_owned() } else { causes.iter().map(|c| code(c)).collect::<Vec<_>>().join(", ") }
    };
    let _ = writeln!(out, "\nNew causes: {}. Vanished: {}.\n", list(&c.new_causes), list(&c.vanished_causes));
    if !c.moved.is_empty() {
        out.push_str("| run | then | now |\n|---|---|---|\n");
        for m in &c.moved {
            let _ = writeln!(out, "| {} | {} | {} |", cell(&m.run), cell(&m.before), cell(&m.after));
        }
        out.push('\n');
    }
    out
}

/// The table of runs, the worst first, within so many bytes.
pub(super) fn runs(week: &Week, room: usize) -> String {
    let order = week.worst_first();
    if order.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "## All runs\n\n| run | health | ending | mode | iter | cost | waste | why | next |\n|---|---|---|---|--:|--:|--:|---|---|\n",
    );
    let mut hidden = 0_u64;
    for (run, _) in order {
        let row = row(run);
        if hidden > 0 || out.len() + row.len() > room {
            hidden += 1;
        } else {
            out.push_str(&row);
        }
    }
    if hidden > 0 {
        let _ = writeln!(out, "\n{hidden} less bad runs are in `report.json` only.");
    }
    out.push('\n');
    out
}

fn row(run: &RunReport) -> String {
    let health = match run.health {
        Health::Failing => "❌ failing",
        Health::Inconclusive => "❔ inconclusive",
        Health::Healthy => "✅ healthy",
    };
    format!(
        "| {} | {health} | {} | {} | {} | {} | {} | {} | {} |\n",
        cell(&run.run),
        run.ending.map_or("–", crate::diagnose::Ending::id),
        run.mode.map_or("–", crate::diagnose::Kind::id),
        run.iterations,
        words::spent(&run.cost).replace("unknown", "–"),
        words::waste(&run.waste).replace("unknown", "–").replace('~', "\\~"),
        cell(words::why(run)),
        run.next_action.kind.id()
    )
}

pub(super) fn failures(week: &Week) -> String {
    let top = &week.summary.top_signatures;
    if top.is_empty() {
        return String::new();
    }
    let mut out = String::from("## Most frequent failures\n\n| failure | iterations | runs |\n|---|--:|--:|\n");
    for s in top {
        let _ = writeln!(out, "| {} | {} | {} |", cell(&s.failure), s.iterations, s.runs);
    }
    out.push('\n');
    out
}

pub(super) fn honest(week: &Week, zone: Tz) -> String {
    let (s, t) = (&week.summary, &week.summary.totals);
    let mut out = String::from("## What these figures rest on\n\n");
    let _ = writeln!(
        out,
        "- Read: {} lines ({} bytes), {} recovered, {} lost, {} repeats, {} of unknown kind; {} other files passed over{}.",
        t.lines,
        t.bytes,
        t.salvaged_lines,
        t.lost_lines,
        t.duplicate_lines,
        t.unknown_records,
        t.files_passed_over,
        words::unread(t)
    );
    let source = match t.cost.source {
        Some("computed") => "computed from tokens",
        Some(other) => other,
        None => "none is known",
    };
    let _ =
        write!(out, "- Money: {source}, prices of {} ({})", s.prices.snapshot, code(s.prices.sha256.get(..12).unwrap_or(&s.prices.sha256)));
    for (file, hash) in &s.prices.overlaid {
        let _ = write!(out, ", {} laid over them ({})", code(file), code(hash.get(..12).unwrap_or(hash)));
    }
    out.push_str(".\n");
    if t.cost.unpriced_tokens > 0 {
        let models: Vec<String> = t.cost.unpriced_models.iter().map(|m| code(m)).collect();
        let _ = writeln!(out, "- Without a price: {} tokens of {}.", thousands(t.cost.unpriced_tokens), models.join(", "));
    }
    if t.waste.runs_unavailable > 0 {
        let _ = writeln!(
            out,
            "- Waste cannot be said for {} of {} runs; they count as unknown, not as nothing.",
            t.waste.runs_unavailable, t.runs
        );
    }
    let _ = writeln!(out, "- Observed at {} {}: what was silent then counts as dead.", s.as_of.local(zone), zone.name());
    if let Some(w) = &week.window {
        let _ = writeln!(
            out,
            "- Runs that ended before {} or began after {} are left out: {}; {} without any time are in.",
            w.from.local(zone),
            w.to.local(zone),
            w.left_out.len(),
            w.undated
        );
    }
    let _ = writeln!(out, "- {}", plain(&words::understanding_debt(t)));
    if let Some(debt) = t.understanding_debt.as_ref().filter(|d| !d.weeks.is_empty()) {
        out.push_str("\n| week of | lines by loops | lines reviewed | both |\n|---|--:|--:|--:|\n");
        for w in &debt.weeks {
            let figures = [w.by_loops, w.reviewed, w.by_loops_reviewed].map(thousands);
            let _ = writeln!(out, "| {} | {} |", w.week, figures.join(" | "));
        }
        out.push('\n');
    }
    let changed = changed(week);
    if !changed.is_empty() {
        let _ = writeln!(out, "- Thresholds that are not the default: {}.", changed.join(", "));
    }
    for e in s.errors.iter().take(20) {
        let _ = writeln!(out, "- Could not be read: {}", code(e));
    }
    if s.errors.len() > 20 {
        let _ = writeln!(out, "- … and {} more that could not be read.", s.errors.len() - 20);
    }
    out
}

fn changed(week: &Week) -> Vec<String> {
    let value = |name: &str| week.summary.thresholds.get(name);
    let rows = crate::settings::TABLE.iter().filter(|row| value(row.name) != Some(row.default));
    rows.map(|row| format!("`{} = {}`", row.name, value(row.name).unwrap_or(row.default))).collect()
}
