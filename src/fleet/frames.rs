//! Rows as polars frames. Money is a double and, beside it, an integer of pico-dollars; instants are in UTC.

use crate::fleet::cell::{Type, Values, nearest};
use crate::fleet::tables::{Batch, Table};
use polars::prelude::{
    BooleanChunked, Column, DataFrame, DataType, Field, Float64Chunked, Int64Chunked, IntoSeries as _, NewChunkedArray as _, PlSmallStr,
    PolarsResult, Schema, Series, StringChunked, TimeUnit, TimeZone,
};

/// How instants stand in a frame. They are in UTC in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// With their zone, for files.
    Utc,
    /// Without: in SQL they are compared with literals, which have none.
    Naive,
}

impl Zone {
    fn zone(self) -> Option<TimeZone> {
        (self == Self::Utc).then_some(TimeZone::UTC)
    }
}

/// The type of a column in polars.
fn dtype(ty: Type, zone: Zone) -> DataType {
    match ty {
        Type::Text => DataType::String,
        Type::Int => DataType::Int64,
        Type::Real | Type::Usd => DataType::Float64,
        Type::Flag => DataType::Boolean,
        Type::Time => DataType::Datetime(TimeUnit::Milliseconds, zone.zone()),
    }
}

/// The columns of a table.
#[must_use]
pub fn schema(table: &Table, zone: Zone) -> Schema {
    table.columns.iter().map(|c| Field::new(c.name.into(), dtype(c.ty, zone))).collect()
}

/// A batch as a frame.
///
/// # Errors
/// polars', where columns differ in length, which they cannot.
pub fn frame(batch: &Batch, zone: Zone) -> PolarsResult<DataFrame> {
    let columns = batch.table.columns.iter().zip(&batch.columns).map(|(c, values)| Column::from(series(c.name.into(), values, zone)));
    DataFrame::new(batch.rows, columns.collect())
}

fn series(name: PlSmallStr, values: &Values, zone: Zone) -> Series {
    match values {
        Values::Text(v) => StringChunked::from_iter_options(name, v.iter()).into_series(),
        Values::Int(v) => Int64Chunked::from_iter_options(name, v.iter().copied()).into_series(),
        Values::Real(v) => Float64Chunked::from_iter_options(name, v.iter().copied()).into_series(),
        Values::Usd(v) => Float64Chunked::from_iter_options(name, v.iter().map(|m| m.map(nearest))).into_series(),
        Values::Flag(v) => BooleanChunked::from_iter_options(name, v.iter().copied()).into_series(),
        Values::Time(v) => Int64Chunked::from_iter_options(name, v.iter().map(|t| t.map(|t| t.0)))
            .into_datetime(TimeUnit::Milliseconds, zone.zone())
            .into_series(),
    }
}
