//! Rows and columns for people: answers of `query`, and runs by group.

use crate::fleet::cell::Cell;
use crate::fleet::groups::{Group, GroupCost, GroupWaste};
use crate::report::escape::terminal;
use crate::report::model::{Cost, CostStatus};
use crate::report::table::{LINES, Look, money, thousands};
use crate::report::workflow;
use crate::trace::{Money, span};
use comfy_table::{Attribute, Cell as Box, CellAlignment, ContentArrangement, Table};

/// A column's head, and whether it holds numbers.
pub type Head<'a> = (&'a str, bool);

/// Rows under their heads, as wide as the terminal.
#[must_use]
pub fn render(heads: &[Head<'_>], rows: &[Vec<String>], look: Look) -> String {
    let mut table = Table::new();
    table.load_style(LINES).set_content_arrangement(ContentArrangement::Dynamic).set_width(look.width);
    if look.palette.on {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table.set_header(heads.iter().map(|(name, _)| Box::new(terminal(name)).add_attribute(Attribute::Bold)));
    for row in rows {
        table.add_row(row.iter().map(Box::new));
    }
    for (k, (_, number)) in heads.iter().enumerate() {
        if let Some(column) = table.column_mut(k) {
            column.set_padding((0, 1));
            if *number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    // A word that a narrow column breaks may begin a line with what a CI runner obeys.
    workflow::lines(&(table.trim_fmt() + "\n"))
}

/// Columns of the terminal below which a longer column is not to be squeezed.
const READABLE: usize = 12;

/// Rows under their heads; where they are too many columns to be read side by side, a record a row: `column: value`, with a
/// blank line between two.
#[must_use]
pub fn answer(heads: &[Head<'_>], rows: &[Vec<String>], look: Look) -> String {
    let least = |(k, (name, _)): (usize, &Head<'_>)| {
        let cells = rows.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count());
        cells.chain([name.chars().count()]).max().unwrap_or(0).min(READABLE) + 1
    };
    if heads.iter().enumerate().map(least).sum::<usize>() <= usize::from(look.width) + 1 {
        return render(heads, rows, look);
    }
    let record = |row: &Vec<String>| -> String {
        heads.iter().zip(row).map(|((name, _), cell)| format!("{} {cell}\n", look.palette.bold(&format!("{}:", terminal(name))))).collect()
    };
    workflow::lines(&rows.iter().map(record).collect::<Vec<_>>().join("\n"))
}

/// A cell for people: times in their zone, numbers with six decimals at most, `-` for what is not known.
#[must_use]
pub fn shown(cell: &Cell<'_>, look: Look) -> String {
    match cell {
        Cell::Null => "-".to_owned(),
        Cell::Text(text) => terminal(text).into_owned(),
        Cell::Int(n) => n.to_string(),
        Cell::Real(n) => decimals(*n),
        Cell::Usd(m) => m.exact(),
        Cell::Flag(b) => b.to_string(),
        Cell::Time(t) => t.local(look.zone),
    }
}

fn decimals(n: f64) -> String {
    let text = format!("{n:.6}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    // Too small for six decimals is not nothing.
    if n != 0.0 && matches!(text, "0" | "-0") { format!("{n:e}") } else { text.to_owned() }
}

/// Runs by group, the most expensive group first.
#[must_use]
pub fn groups(groups: &[Group], keys: &[&'static str], look: Look) -> String {
    let figures = ["runs", "green", "iter", "tokens", "cost", "waste", "per green", "cost p50", "cost p90", "iter p50", "iter p90"];
    let heads: Vec<Head<'_>> = keys.iter().map(|k| (*k, false)).chain(figures.map(|f| (f, true))).collect();
    let known = |m: Option<Money>| m.map_or_else(|| "-".to_owned(), Money::short);
    let count = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let rows: Vec<Vec<String>> = groups
        .iter()
        .map(|g| {
            let key = keys.iter().map(|k| g.key.get(k).cloned().flatten().map_or_else(|| "-".to_owned(), |v| terminal(&v).into_owned()));
            let at_least = if g.cost.status == CostStatus::AtLeast { "≥" } else { "" };
            let per_green = g.usd_per_green.map_or_else(|| "-".to_owned(), |m| format!("{at_least}{}", m.short()));
            let figures = [
                g.runs.to_string(),
                g.green.to_string(),
                g.iterations.to_string(),
                g.tokens.map_or_else(|| "-".to_owned(), thousands),
                group_cost(&g.cost),
                group_waste(&g.waste),
                per_green,
                known(g.cost_quantiles.p50),
                known(g.cost_quantiles.p90),
                count(g.iteration_quantiles.p50),
                count(g.iteration_quantiles.p90),
            ];
            key.chain(figures).collect()
        })
        .collect();
    render(&heads, &rows, look)
}

fn group_cost(cost: &GroupCost) -> String {
    money(&Cost { status: cost.status, usd: cost.usd, ..Cost::default() })
}

/// Money, else tokens, else time.
fn group_waste(waste: &GroupWaste) -> String {
    match (waste.usd, waste.tokens, waste.seconds) {
        (Some(m), ..) => m.short(),
        (None, Some(t), _) => format!("{} tok", thousands(t)),
        (None, None, Some(s)) => span(s),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::style::Palette;

    fn look(width: u16) -> Look {
        Look { width, palette: Palette { on: false }, zone: chrono_tz::UTC, rows: 100 }
    }

    #[test]
    fn no_line_is_a_command() {
        let rows = vec![vec!["x::error file=a::no".to_owned(), "1".to_owned()], vec!["abcdefgh::warning::no".to_owned(), "2".to_owned()]];
        let hostile = ["::error::head", "x::error ::no", "a::notice::no"];
        for head in hostile {
            for width in 1..60 {
                let text = render(&[(head, false), ("n", true)], &rows, look(width));
                assert!(!text.lines().any(|l| l.trim_start().starts_with("::")), "{width}: {text}");
            }
        }
    }

    #[test]
    fn many_columns_become_records() {
        let names: Vec<String> = (0..8).map(|k| format!("a_long_name_{k}")).collect();
        let heads: Vec<Head<'_>> = names.iter().map(|n| (n.as_str(), false)).collect();
        let rows = vec![vec!["1".to_owned(); 8], vec!["2".to_owned(); 8]];
        let text = answer(&heads, &rows, look(80));
        assert!(text.starts_with("a_long_name_0: 1\na_long_name_1: 1\n"), "{text}");
        assert!(text.contains("a_long_name_7: 1\n\na_long_name_0: 2\n") && text.ends_with("a_long_name_7: 2\n"), "{text}");
        // Eight columns of twelve signs and a blank each.
        assert_eq!(answer(&heads, &rows, look(104)), render(&heads, &rows, look(104)));
        let hostile = answer(&[("::error::a", false), ("x", false)], &[vec!["::error::b".to_owned(), String::new()]], look(4));
        assert!(!hostile.lines().any(|l| l.trim_start().starts_with("::")), "{hostile}");
        assert_eq!(answer(&heads, &[], look(20)), "");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!([2.0, 0.1 + 0.2, 1234.5, 1e-9, 0.0, -0.25].map(decimals), ["2", "0.3", "1234.5", "1e-9", "0", "-0.25"]);
    }
}
