//! Rows as a Parquet file, row group by row group.

use crate::fleet::frames::{Zone, frame, schema};
use crate::fleet::tables::{Batch, Table};
use polars::prelude::PolarsError;
use polars_io::parquet::write::{BatchedWriter, ParquetCompression, ParquetWriter};
use std::io::{self, Write};

/// Rows of a row group. Groups are cut by rows alone, so that the bytes depend on nothing else.
const ROW_GROUP: usize = 1 << 16;

/// Writes a table.
pub struct Writer<W: Write> {
    out: BatchedWriter<W>,
    waiting: Batch,
}

fn failed(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error),
        other => io::Error::other(other.to_string()),
    }
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The writer's, as in all that follows.
    pub fn begin(out: W, table: &'static Table) -> io::Result<Self> {
        // One thread a file: the bytes are the same for any number, and runs are read in parallel anyway.
        let writer = ParquetWriter::new(out).with_compression(ParquetCompression::Zstd(None)).set_parallel(false);
        Ok(Self { out: writer.batched(&schema(table, Zone::Utc)).map_err(failed)?, waiting: Batch::new(table) })
    }

    /// Takes rows of the table.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&mut self, rows: Batch) -> io::Result<()> {
        self.waiting.append(rows);
        while self.waiting.rows >= ROW_GROUP {
            let rest = self.waiting.split_off(ROW_GROUP);
            self.flush()?;
            self.waiting = rest;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_batch(&frame(&self.waiting, Zone::Utc).map_err(failed)?).map_err(failed)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The writer's.
    pub fn end(mut self) -> io::Result<()> {
        if self.waiting.rows > 0 {
            self.flush()?;
        }
        self.out.finish().map(|_| ()).map_err(failed)
    }
}
