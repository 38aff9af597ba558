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

/// Prose on lines that fit, each but the first indented. A word that is longer than a line stands alone.
pub(super) fn wrap(text: &str, look: Look) -> String {
    let width = usize::from(look.width);
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let len = word.chars().count();
        if used > 0 && used + 1 + len > width {
            out.push_str("\n  ");
            used = 2;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += len;
    }
    out
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::style::Palette;

    #[test]
    fn prose_is_wrapped_between_words() {
        let look = Look { width: 12, palette: Palette { on: false }, zone: chrono_tz::UTC, rows: 0 };
        assert_eq!(wrap("one two three four averyveryverylongword", look), "one two\n  three four\n  averyveryverylongword");
        assert_eq!((wrap("", look).as_str(), wrap("one", look).as_str()), ("", "one"));
    }
}
