//! `summary.md`: the report as a GitHub job summary. A summary beyond 1,024 KiB is dropped as a whole, and pictures are
//! stripped from it: so whole sections are cut before that, and shares are bars of text.

mod parts;
mod run;
pub mod text;

use crate::fleet::week::Week;
use chrono_tz::Tz;

/// Bytes of a summary: GitHub drops one beyond 1,024 KiB, and other steps may have written to the same file.
pub const BUDGET: usize = 900 << 10;

/// Renders the summary within [`BUDGET`].
#[must_use]
pub fn render(week: &Week, zone: Tz) -> String {
    within(week, zone, BUDGET)
}

/// Renders the summary within so many bytes: whole sections are cut, the less bad runs first, and it is said so. The head
/// and what the figures rest on always stand.
#[must_use]
pub fn within(week: &Week, zone: Tz, budget: usize) -> String {
    /// What the sentence about cuts may take.
    const SAID: usize = 400;
    let mut out = parts::head(week, zone);
    let foot = parts::honest(week, zone);
    let mut room = budget.saturating_sub(out.len() + foot.len() + SAID);
    let mut cut: Vec<String> = Vec::new();
    let mut add = |out: &mut String, part: String, name: &str| {
        if part.len() <= room {
            room -= part.len();
            out.push_str(&part);
        } else {
            cut.push(name.to_owned());
        }
    };
    add(&mut out, parts::comparison(week, zone), "the comparison");
    // A table may take a third; the details are worth more than its last rows.
    add(&mut out, parts::runs(week, budget / 3), "the table of runs");
    add(&mut out, parts::failures(week), "the most frequent failures");
    let mut left = 0_u64;
    let mut heading = Some("## Run by run\n\n");
    for (report, section) in week.worst_first() {
        let part = run::section(report, section, zone);
        if part.is_empty() {
            continue;
        }
        let needed = part.len() + heading.map_or(0, str::len);
        // The order is the worth: nothing less bad is shown once something is cut.
        if left > 0 || needed > room {
            left += 1;
            continue;
        }
        out.push_str(heading.take().unwrap_or_default());
        out.push_str(&part);
        room -= needed;
    }
    if left > 0 {
        cut.push(format!("the sections of {left} less bad runs"));
    }
    if !cut.is_empty() {
        out.push_str(&format!(
            "> Cut to stay within {} KiB: {}. `index.html` and `report.json` hold all of it.\n\n",
            budget >> 10,
            cut.join(", ")
        ));
    }
    out.push_str(&foot);
    out
}
