//! SQL over the tables.

mod heads;
mod literal;
mod plan;

use crate::error::QueryError;
use crate::fleet::cell::Cell;
use crate::fleet::frames::{Zone, frame, schema};
use crate::fleet::tables::{Batch, TABLES, Table};
use crate::report::escape::terminal;
use crate::settings::suggest;
use crate::trace::Time;
use polars::prelude::{AnyValue, DataFrame, IntoLazy as _, PolarsError, PolarsResult, TimeUnit};
use polars::sql::{SQLContext, extract_table_identifiers};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rows that are gathered before they become a frame.
const CHUNK: usize = 1 << 16;

/// The tables that a question names, filled as runs go by.
pub struct Database {
    sql: String,
    written: String,
    tables: Vec<(Batch, Vec<DataFrame>)>,
}

impl Database {
    /// Takes a question. It is held against empty tables first, so that what is wrong with it is said before logs are read.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn new(sql: &str) -> Result<Self, QueryError> {
        let first: String =
            sql.trim_start_matches(|c: char| c.is_whitespace() || c == '(').chars().take_while(char::is_ascii_alphabetic).collect();
        if !["select", "with", "from", "values"].iter().any(|w| first.eq_ignore_ascii_case(w)) {
            return Err(QueryError::NoQuestion);
        }
        let written = sql;
        let sql = &*literal::without_exponents(sql);
        let named = guarded(|| extract_table_identifiers(sql, false, true)).map_err(|e| said(&e, &[]))?;
        let used: Vec<&'static Table> = TABLES.iter().filter(|t| named.iter().any(|n| n == t.name)).collect();
        let plan = |sql: &str| {
            let empty = used.iter().map(|t| (t.name, DataFrame::empty_with_schema(&schema(t, Zone::Naive)))).collect();
            guarded(|| context(empty).execute(sql)?.collect_schema())
        };
        let sql = match plan(sql) {
            Ok(_) => sql.to_owned(),
            // Two expressions over one column are both called like it; named apart they may well be answered.
            Err(e) => Some(heads::named(sql)).filter(|named| plan(named).is_ok()).ok_or_else(|| said(&e, &used))?,
        };
        Ok(Self { sql, written: written.to_owned(), tables: used.into_iter().map(|t| (Batch::new(t), Vec::new())).collect() })
    }

    /// The tables that it wants.
    pub fn tables(&self) -> impl Iterator<Item = &'static Table> {
        self.tables.iter().map(|(waiting, _)| waiting.table)
    }

    /// Takes a run's rows, a batch a table, in the order of [`Database::tables`].
    ///
    /// # Errors
    /// polars'.
    pub fn add(&mut self, rows: Vec<Batch>) -> Result<(), QueryError> {
        for ((waiting, frames), rows) in self.tables.iter_mut().zip(rows) {
            waiting.append(rows);
            if waiting.rows >= CHUNK {
                let full = std::mem::replace(waiting, Batch::new(waiting.table));
                frames.push(frame(&full, Zone::Naive).map_err(|e| said(&e, &[]))?);
            }
        }
        Ok(())
    }

    /// Answers.
    ///
    /// # Errors
    /// What polars says against it.
    pub fn answer(self) -> Result<Answer, QueryError> {
        let used: Vec<&'static Table> = self.tables().collect();
        let ask = || {
            let mut full = Vec::new();
            for (waiting, frames) in self.tables {
                let mut whole = DataFrame::empty_with_schema(&schema(waiting.table, Zone::Naive));
                for part in frames.into_iter().chain([frame(&waiting, Zone::Naive)?]) {
                    whole.vstack_mut_owned(part)?;
                }
                full.push((waiting.table.name, whole));
            }
            let asked = context(full).execute(&self.sql)?.logical_plan;
            plan::frame(asked).collect()
        };
        let frame = guarded(ask).map_err(|e| said(&e, &used))?;
        let polars: Vec<&str> = frame.columns().iter().map(|c| c.name().as_str()).collect();
        let names = heads::of(&self.written, &polars);
        Ok(Answer { names, frame })
    }
}

fn context(frames: Vec<(&'static str, DataFrame)>) -> SQLContext {
    let context = SQLContext::new();
    for (name, frame) in frames {
        context.register(name, frame.lazy());
    }
    context
}

/// polars panics where a rarely used function was left out of the build.
fn guarded<T>(ask: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(PolarsError::InvalidOperation(words.unwrap_or("this cannot be answered").to_owned().into()))
    })
}

/// What polars says, in our words where it is one of the usual slips.
fn said(error: &PolarsError, used: &[&'static Table]) -> QueryError {
    let text = match error {
        PolarsError::Context { error, .. } | PolarsError::ExprContext { error, .. } => return said(error, used),
        PolarsError::ColumnNotFound(t) | PolarsError::SchemaFieldNotFound(t) | PolarsError::SQLInterface(t) | PolarsError::SQLSyntax(t) => {
            t.to_string()
        }
        other => other.to_string(),
    };
    let quoted = |behind: &str| {
        let rest = text.split_once(behind)?.1.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        Some(rest.get(1..)?.split_once(quote)?.0.to_owned())
    };
    if let Some(table) = quoted("relation") {
        let near = suggest(&table, TABLES.iter().map(|t| t.name));
        return QueryError::UnknownTable { table, suggestion: near };
    }
    let column = quoted("unable to find column").or_else(|| quoted("no column named")).or_else(|| quoted("column not found:")).or_else(
        || match error {
            PolarsError::ColumnNotFound(t) | PolarsError::SchemaFieldNotFound(t) => {
                Some(t.trim_matches(['"', '\'', '`']).to_owned()).filter(|t| !t.contains(' '))
            }
            _ => None,
        },
    );
    if let Some(column) = column {
        let near = suggest(&column, used.iter().flat_map(|t| t.columns).map(|c| c.name));
        let tables = used.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
        return QueryError::UnknownColumn { column, tables, suggestion: near };
    }
    // Only the head: polars adds the whole plan to some of its errors.
    let head = text.lines().next().unwrap_or_default().trim();
    if head.contains("duplicate output name") {
        // What follows speaks of polars' own interface.
        let what = head.split_once(". ").map_or(head, |(what, _)| what);
        return QueryError::Failed(format!("{what}; name one of them with AS"));
    }
    QueryError::Failed(head.to_owned())
}

/// The answer to a question.
pub struct Answer {
    names: Vec<String>,
    frame: DataFrame,
}

impl Answer {
    /// The names of its columns: as the question gives them, and what was written where it gives none.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// How many rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.frame.height()
    }

    /// The cells of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Cell<'_>> {
        self.frame.columns().iter().map(move |c| c.get(row).map_or(Cell::Null, |value| cell(&value)))
    }
}

/// A value as a cell. Spans become seconds, dates and what else has no cell of its own become text.
fn cell(value: &AnyValue<'_>) -> Cell<'static> {
    match value {
        AnyValue::Null => Cell::Null,
        AnyValue::Boolean(b) => Cell::Flag(*b),
        AnyValue::String(t) => Cell::Text(Cow::Owned(terminal(t).into_owned())),
        AnyValue::StringOwned(t) => Cell::Text(Cow::Owned(terminal(t).into_owned())),
        AnyValue::Float64(n) => Cell::Real(*n),
        AnyValue::Float32(n) => Cell::Real(f64::from(*n)),
        AnyValue::Datetime(n, unit, _) => instant(*n, *unit),
        AnyValue::DatetimeOwned(n, unit, _) => instant(*n, *unit),
        AnyValue::Duration(n, unit) => {
            #[expect(clippy::cast_precision_loss, reason = "a span of logs is far below 2^52 units")]
            let seconds = *n as f64 / per_second(*unit);
            Cell::Real(seconds)
        }
        AnyValue::List(values) => {
            let texts = (0..values.len()).map(|k| values.get(k).map_or(Cell::Null, |v| cell(&v)));
            Cell::owned(Some(format!("[{}]", texts.map(|c| plain(&c)).collect::<Vec<_>>().join(", "))))
        }
        other => match other.extract::<i128>() {
            Some(n) if other.is_integer() => i64::try_from(n).map_or_else(|_| Cell::owned(Some(n.to_string())), Cell::Int),
            _ => Cell::owned(Some(terminal(&other.to_string()).into_owned())),
        },
    }
}

/// A cell within a list.
fn plain(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Text(t) => t.to_string(),
        Cell::Int(n) => n.to_string(),
        Cell::Real(n) => n.to_string(),
        Cell::Usd(m) => m.exact(),
        Cell::Flag(b) => b.to_string(),
        Cell::Time(t) => t.to_string(),
    }
}

fn per_second(unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::Milliseconds => 1e3,
        TimeUnit::Microseconds => 1e6,
        TimeUnit::Nanoseconds => 1e9,
    }
}

fn instant(n: i64, unit: TimeUnit) -> Cell<'static> {
    Cell::Time(Time(match unit {
        TimeUnit::Milliseconds => n,
        TimeUnit::Microseconds => n.div_euclid(1_000),
        TimeUnit::Nanoseconds => n.div_euclid(1_000_000),
    }))
}
