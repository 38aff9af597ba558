//! Words and cells that the tables of a forecast share.

use crate::report::table::Look;
use crate::trace::Money;
use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// A line under the head and nothing else.
const LINES: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Money, or that it is not known.
pub(super) fn money(money: Option<Money>) -> String {
    money.map_or_else(|| "unknown".to_owned(), Money::short)
}

/// `1 call`, `3 calls`.
pub(super) fn many(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A table whose first `left` columns are words and the others numbers.
pub(super) fn table(heads: &[&str], rows: Vec<Vec<String>>, left: usize, look: Look) -> String {
    let mut table = Table::new();
    table.load_style(LINES).set_content_arrangement(ContentArrangement::Dynamic).set_width(look.width);
    if look.palette.on {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table.set_header(heads.iter().map(|h| Cell::new(*h).add_attribute(Attribute::Bold)));
    for row in rows {
        table.add_row(row);
    }
    for k in 0..heads.len() {
        if let Some(column) = table.column_mut(k) {
            column.set_padding((0, 2));
            if k >= left {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    table.trim_fmt()
}
