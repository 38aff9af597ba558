//! Figures as a reader of a report sees them, the same in HTML and Markdown.

use crate::diagnose::WasteState;
use crate::fleet::week::{Change, Direction, Guard, PerGreen, Row, Saving, Value};
use crate::report::escape::visible;
use crate::report::model::{Cost, CostStatus, DebtWeek, RunReport, Totals, WasteReport};
use crate::report::redact::redact;
use crate::report::table::{money, thousands};
use crate::trace::{Money, span};

/// A number of things: `1 run`, `3 runs`.
#[must_use]
pub fn count(n: u64, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// Paths that were named and could not be read, as the end of a sentence about what was; nothing where there are none.
#[must_use]
pub fn unread(t: &Totals) -> String {
    match t.paths_unread {
        0 => String::new(),
        n => format!("; {} could not be read", count(n, "path that was named", "paths that were named")),
    }
}

/// The understanding debt in a sentence: what a repository's history shows of it, or that nothing does.
#[must_use]
pub fn understanding_debt(t: &Totals) -> String {
    const WHAT: &str = "Understanding debt (the repository grows faster than anyone reads it)";
    let Some(debt) = &t.understanding_debt else {
        return format!("{WHAT} is not visible in any log; --repo DIR shows the only proxy there is, from git's history.");
    };
    let sum = |of: fn(&DebtWeek) -> u64| debt.weeks.iter().map(of).fold(0, u64::saturating_add);
    let (loops, read, both) = (sum(|w| w.by_loops), sum(|w| w.reviewed), sum(|w| w.by_loops_reviewed));
    format!(
        "{WHAT}, by its proxy in the history of {} over {}: loops added {} lines; commits that a person reviewed added {}; of the \
         loops' lines {} were in no reviewed commit. A review is a trailer, a person's merge or a person as co-author; whether it \
         was understood no history tells.",
        visible(&redact(&debt.repo)),
        count(debt.weeks.len() as u64, "week", "weeks"),
        thousands(loops),
        thousands(read),
        thousands(loops.saturating_sub(both)),
    )
}

/// What was spent, or that it is not known.
#[must_use]
pub fn spent(cost: &Cost) -> String {
    if cost.usd.is_none() { "unknown".to_owned() } else { money(cost) }
}

/// What was wasted in money, else in tokens, else in time at work; `~` where it is estimated.
#[must_use]
pub fn waste(w: &WasteReport) -> String {
    let about = if w.state == WasteState::Estimated { "~" } else { "" };
    let worked = w.seconds.map(|s| (s - w.dead_s.unwrap_or(0.0)).max(0.0));
    match (w.usd, w.tokens, worked) {
        (Some(m), ..) => format!("{about}{}", m.short()),
        (None, Some(t), _) => format!("{about}{} tokens", thousands(t)),
        (None, None, Some(s)) if w.dead_s.is_none() || s > 0.0 => format!("{about}{}", span(s)),
        _ => "unknown".to_owned(),
    }
}

/// All parts of a run's waste.
#[must_use]
pub fn waste_parts(w: &WasteReport) -> String {
    let parts: Vec<String> = [
        w.usd.map(Money::short),
        w.tokens.map(|t| format!("{} tokens", thousands(t))),
        w.seconds.map(|s| (s - w.dead_s.unwrap_or(0.0)).max(0.0)).filter(|s| w.dead_s.is_none() || *s > 0.0).map(span),
        w.dead_s.map(|s| format!("{} dead", span(s))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { "unknown".to_owned() } else { format!("{} ({})", parts.join(", "), w.state.word()) }
}

/// The waste of all runs in money; `≥` where it is not known of some of them.
#[must_use]
pub fn wasted_usd(t: &Totals) -> String {
    let part = if t.waste.runs_unavailable > 0 { "≥" } else { "" };
    t.waste.usd.map_or_else(|| "unknown".to_owned(), |m| format!("{part}{}", m.short()))
}

/// The waste of all runs in money, and what is missing from it.
#[must_use]
pub fn wasted(t: &Totals) -> (String, String) {
    let figure = wasted_usd(t);
    let work = t.waste.seconds.map(|s| (s - t.waste.dead_s).max(0.0));
    let mut parts: Vec<String> = work.map(|s| format!("{} of work", span(s))).into_iter().collect();
    if t.waste.dead_s > 0.0 {
        parts.push(format!("{} dead", span(t.waste.dead_s)));
    }
    if t.waste.runs_unavailable > 0 {
        parts.push(format!("unknown for {}", count(t.waste.runs_unavailable, "run", "runs")));
    }
    (figure, parts.join(", "))
}

/// What a green cost.
#[must_use]
pub fn per_green(per: Option<PerGreen>) -> String {
    match per {
        None => "no green".to_owned(),
        Some(PerGreen { usd: None, .. }) => "unknown".to_owned(),
        Some(PerGreen { usd: Some(m), status: CostStatus::AtLeast }) => format!("≥{}", m.short()),
        Some(PerGreen { usd: Some(m), .. }) => m.short(),
    }
}

/// A figure of a comparison; `≥` where it is not all of it.
#[must_use]
pub fn value(v: Option<Value>, complete: bool) -> String {
    match v {
        None => "unknown".to_owned(),
        Some(Value::Count(n)) => n.to_string(),
        Some(Value::Usd(m)) => format!("{}{}", if complete { "" } else { "≥" }, m.short()),
        Some(Value::Seconds(s)) => format!("{}{}", if complete { "" } else { "≥" }, span(s)),
    }
}

/// How a figure changed: `+$1.20 (+14 %)`.
#[must_use]
pub fn change(row: &Row) -> String {
    let Some(Change { by, share, direction }) = row.change else {
        return "not known".to_owned();
    };
    if direction == Direction::Same || by == 0.0 {
        return "no change".to_owned();
    }
    let sign = if by < 0.0 { "−" } else { "+" };
    let size = match row.after {
        Some(Value::Usd(_)) => Money::from_f64(by.abs()).map_or_else(String::new, Money::short),
        Some(Value::Seconds(_)) => span(by.abs()),
        _ => format!("{:.0}", by.abs()),
    };
    let share = share.map_or_else(String::new, |s| format!(" ({}{:.0} %)", if s < 0.0 { "−" } else { "+" }, s.abs() * 100.0));
    format!("{sign}{size}{share}")
}

/// What a figure was, and how it changed: `then 5, −2 (−40 %), worse`.
#[must_use]
pub fn then_and_change(row: &Row) -> String {
    let word = match direction(row) {
        word @ ("better" | "worse") => format!(", {word}"),
        _ => String::new(),
    };
    let then = value(row.before, row.complete.0);
    match row.change {
        Some(_) => format!("last report {then}: {}{word}", change(row)),
        None => format!("last report {then}; the change is not known"),
    }
}

/// What a change means.
#[must_use]
pub fn direction(row: &Row) -> &'static str {
    match row.change.map(|c| c.direction) {
        Some(Direction::Better) => "better",
        Some(Direction::Worse) => "worse",
        Some(Direction::Same) => "same",
        Some(Direction::Neutral) | None => "",
    }
}

/// A saving in all that is known of it.
#[must_use]
pub fn saving(s: &Saving) -> String {
    let parts: Vec<String> = [
        s.usd.filter(|m| *m > Money::ZERO).map(Money::short),
        s.tokens.filter(|t| *t > 0).map(|t| format!("{} tokens", thousands(t))),
        s.seconds.filter(|t| *t > 0.0).map(span),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// What a guard would have done, in sentences.
#[must_use]
pub fn guard_effect(g: &Guard) -> String {
    let mut out = String::new();
    match &g.saving {
        Some(s) if g.cause == "silent_death" => {
            out.push_str(&format!("{} lay dead for {} in all.", count(g.stops.len() as u64, "run", "runs"), saving(s)));
        }
        Some(s) => {
            out.push_str(&format!(
                "Here it would have stopped {} that did not succeed and saved {} as far as that is known.",
                count(g.stops.len() as u64, "run", "runs"),
                saving(s)
            ));
        }
        None => out.push_str("What it would have saved cannot be read off these logs."),
    }
    if let Some(bound) = g.kill_bound() {
        let of = if g.greens == 1 { "the one green run".to_owned() } else { format!("any of the {} green runs", g.greens) };
        out.push_str(&format!(
            " It would not have stopped {of} that can be judged (0 of {} still allows {:.0} %).",
            g.greens,
            bound * 100.0
        ));
    } else if g.greens > 0 {
        out.push_str(&format!(" It would also have stopped {} of {} green runs before their end.", g.kills.len(), g.greens));
    }
    out
}

/// `stuck, high` or a dash.
#[must_use]
pub fn mode(run: &RunReport) -> String {
    match (run.mode, run.confidence) {
        (Some(mode), Some(confidence)) => format!("{} ({})", mode.id(), confidence.word()),
        (Some(mode), None) => mode.id().to_owned(),
        _ => "no mode".to_owned(),
    }
}

/// Why a run is what it is; where nothing says it, what is to be done about it.
#[must_use]
pub fn why(run: &RunReport) -> &str {
    if run.why.is_empty() { &run.next_action.reason } else { &run.why }
}

/// A bar of eight cells for a share, where pictures are not shown.
#[must_use]
pub fn bar(share: f64) -> String {
    const CELLS: usize = 8;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 8")]
    let full = (share.clamp(0.0, 1.0) * 8.0).round() as usize;
    "█".repeat(full) + &"░".repeat(CELLS - full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_read_well() {
        let row = |before: &str, after: &str| Row {
            name: "spent",
            before: before.parse().ok().map(Value::Usd),
            after: after.parse().ok().map(Value::Usd),
            complete: (true, true),
            change: Some(Change {
                by: after.parse::<f64>().unwrap() - before.parse::<f64>().unwrap(),
                share: Some((after.parse::<f64>().unwrap() - before.parse::<f64>().unwrap()) / before.parse::<f64>().unwrap()),
                direction: Direction::Neutral,
            }),
        };
        assert_eq!(change(&row("4", "3")), "−$1.00 (−25 %)");
        assert_eq!(change(&row("4", "6")), "+$2.00 (+50 %)");
        assert_eq!(change(&Row { change: None, complete: (true, false), ..row("4", "6") }), "not known");
        assert_eq!([bar(0.0), bar(0.5), bar(1.0), bar(7.0)], ["░░░░░░░░", "████░░░░", "████████", "████████"]);
    }
}
