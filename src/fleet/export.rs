//! Tables as files: rows are formatted run by run and in parallel, and written in the order of runs.

#[cfg(feature = "fleet")]
use crate::fleet::parquet;
use crate::fleet::tables::{Batch, Table, View};
use crate::fleet::text;
use std::io::{self, Write};

/// What tables can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// Apache Parquet; wants the feature `fleet`.
    Parquet,
}

impl Format {
    /// The ending of its files.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
        }
    }

    /// Whether this program can write it.
    #[must_use]
    pub fn is_built_in(self) -> bool {
        self != Self::Parquet || cfg!(feature = "fleet")
    }
}

/// A run's rows of one table, as they wait to be written.
pub enum Piece {
    /// Formatted.
    Text(Vec<u8>),
    /// Still in columns.
    Rows(Batch),
}

impl Piece {
    /// A run's rows.
    #[must_use]
    pub fn of(run: &View<'_>, table: &'static Table, format: Format) -> Self {
        let rows = Batch::of(table, run);
        if format == Format::Parquet {
            return Self::Rows(rows);
        }
        let mut out = Vec::new();
        for row in 0..rows.rows {
            // A vector takes everything.
            let _ = match format {
                Format::Csv => text::csv(&mut out, rows.row(row)),
                _ => text::ndjson(&mut out, table.columns.iter().map(|c| c.name), rows.row(row)),
            };
        }
        Self::Text(out)
    }
}

/// A table's file.
pub enum Writer<W: Write> {
    /// CSV and NDJSON.
    Text(W),
    /// Parquet.
    #[cfg(feature = "fleet")]
    Parquet(Box<parquet::Writer<W>>),
}

impl<W: Write> Writer<W> {
    /// Begins a table.
    ///
    /// # Errors
    /// The writer's, as in all that follows; `Unsupported` for Parquet without the feature.
    pub fn begin(mut out: W, table: &'static Table, format: Format) -> io::Result<Self> {
        match format {
            Format::Csv => text::csv_head(&mut out, table.columns.iter().map(|c| c.name))?,
            Format::Ndjson => {}
            #[cfg(feature = "fleet")]
            Format::Parquet => return Ok(Self::Parquet(Box::new(parquet::Writer::begin(out, table)?))),
            #[cfg(not(feature = "fleet"))]
            Format::Parquet => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(Self::Text(out))
    }

    /// Takes a run's rows.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&mut self, piece: Piece) -> io::Result<()> {
        match (self, piece) {
            (Self::Text(out), Piece::Text(bytes)) => out.write_all(&bytes),
            #[cfg(feature = "fleet")]
            (Self::Parquet(out), Piece::Rows(rows)) => out.write(rows),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Ends the table.
    ///
    /// # Errors
    /// The writer's.
    pub fn end(self) -> io::Result<()> {
        match self {
            Self::Text(mut out) => out.flush(),
            #[cfg(feature = "fleet")]
            Self::Parquet(out) => out.end(),
        }
    }
}
