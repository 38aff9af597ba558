//! The fleet tables: one table of columns, from which frames, exports, SQL, help and `docs/tables.md` are made.

mod actions;
mod calls;
mod checks;
mod docs;
mod findings;
mod iterations;
mod runs;
mod view;

pub use docs::markdown;
pub use view::View;

use crate::fleet::cell::{Cell, Type, Values};
use view::At;

/// A column: what it is called, what it holds, and how it is read off a run.
pub struct Column {
    /// Its name, the same in SQL, CSV, NDJSON and Parquet. Names and meanings are stable: columns are only added.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// Its unit, empty where there is none.
    pub unit: &'static str,
    /// What it says, in one sentence.
    pub about: &'static str,
    get: for<'a> fn(At<'a>) -> Cell<'a>,
}

const fn column(name: &'static str, ty: Type, unit: &'static str, about: &'static str, get: for<'a> fn(At<'a>) -> Cell<'a>) -> Column {
    Column { name, ty, unit, about, get }
}

/// The unit of the exact money columns.
const PICO: &str = "1e-12 USD";
/// What every exact money column is there for.
const EXACT: &str = "The same, exact: sum this one.";

/// A table.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// Its columns, in order.
    pub columns: &'static [Column],
    rows: fn(&View<'_>) -> usize,
}

/// All tables. Rows stand in the order of run ids, within a run in the order of its log (findings: the most important first).
pub static TABLES: [Table; 6] = [
    Table { name: "runs", about: "one row a run", columns: runs::COLUMNS, rows: |_| 1 },
    Table { name: "iterations", about: "one row a pass of a loop", columns: iterations::COLUMNS, rows: |v| v.iterations() },
    Table {
        name: "calls",
        about: "one row a model call (in logs without any: a call of the loop to its agent), and one a record that books tokens or money without being a call",
        columns: calls::COLUMNS,
        rows: |v| v.calls(),
    },
    Table { name: "actions", about: "one row a tool call", columns: actions::COLUMNS, rows: |v| v.actions() },
    Table { name: "checks", about: "one row an execution of a check that the log records", columns: checks::COLUMNS, rows: |v| v.checks() },
    Table {
        name: "findings",
        about: "one row a finding, with its first piece of evidence",
        columns: findings::COLUMNS,
        rows: |v| v.findings(),
    },
];

/// The table of a name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|t| t.name == name)
}

/// Rows of one table, column by column.
pub struct Batch {
    /// Whose rows they are.
    pub table: &'static Table,
    /// The cells, a vector a column.
    pub columns: Vec<Values>,
    /// How many rows.
    pub rows: usize,
}

impl Batch {
    /// No rows yet.
    #[must_use]
    pub fn new(table: &'static Table) -> Self {
        Self { table, columns: table.columns.iter().map(|c| Values::new(c.ty)).collect(), rows: 0 }
    }

    /// A run's rows.
    #[must_use]
    pub fn of(table: &'static Table, run: &View<'_>) -> Self {
        let mut batch = Self::new(table);
        batch.add(run);
        batch
    }

    /// Adds a run's rows.
    pub fn add(&mut self, run: &View<'_>) {
        let rows = (self.table.rows)(run);
        for (column, values) in self.table.columns.iter().zip(&mut self.columns) {
            for row in 0..rows {
                values.push((column.get)(At { run, row }));
            }
        }
        self.rows += rows;
    }

    /// Moves another batch's rows of the same table to the end of this one.
    pub fn append(&mut self, mut other: Self) {
        debug_assert_eq!(self.table.name, other.table.name);
        for (mine, theirs) in self.columns.iter_mut().zip(&mut other.columns) {
            mine.append(theirs);
        }
        self.rows += other.rows;
    }

    /// Takes the rows from `row` on away.
    #[must_use]
    pub fn split_off(&mut self, row: usize) -> Self {
        let row = row.min(self.rows);
        let rows = std::mem::replace(&mut self.rows, row) - row;
        Self { table: self.table, columns: self.columns.iter_mut().map(|c| c.split_off(row)).collect(), rows }
    }

    /// The cells of a row, in the order of columns.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Cell<'_>> {
        self.columns.iter().map(move |c| c.get(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_column_says_what_it_is() {
        for table in &TABLES {
            let mut names: Vec<&str> = table.columns.iter().map(|c| c.name).collect();
            assert_eq!(names.first(), Some(&"run"), "{}", table.name);
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns.len(), "{}", table.name);
            for c in table.columns {
                assert!(c.about.ends_with('.') && !c.about.contains('|'), "{}.{}", table.name, c.name);
                assert!(c.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{}", c.name);
                assert_eq!(c.unit == PICO, c.name.ends_with("_pico_usd"), "{}", c.name);
                assert_eq!(c.ty == Type::Usd, c.name.ends_with("_usd") && c.unit != PICO, "{}", c.name);
            }
        }
    }
}
