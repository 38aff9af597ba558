//! From lines to records: shared by transcripts and streams.

use super::record::Record;
use crate::format::json;
pub(super) use crate::format::lines::Was;
use crate::input::Lines;
use crate::trace::{Builder, Place};
use std::io;

/// Hands every record to `take`, in the order of the file.
pub(super) fn each(
    lines: &mut Lines<'_>,
    out: &mut Builder,
    shell: bool,
    mut take: impl FnMut(&Record<'_>, Place, &mut Builder) -> Was,
) -> io::Result<()> {
    crate::format::lines::each(lines, out, shell, |line, place, out| {
        records(line, place, out, &mut take) || last_of_duplicates(line).is_some_and(|once| records(once.as_bytes(), place, out, &mut take))
    })
}

/// Reads the records of a line; two may stand on one. `false`, with nothing taken, where the line is not JSON objects.
fn records(line: &[u8], place: Place, out: &mut Builder, take: &mut impl FnMut(&Record<'_>, Place, &mut Builder) -> Was) -> bool {
    // A typed reader would take an array for a record's fields in order.
    if line.trim_ascii_start().first() != Some(&b'{') {
        return false;
    }
    let mut values = json::values::<Record<'_>>(line);
    let Some(Ok(first)) = values.next() else { return false };
    let mut more = Vec::new();
    for value in values {
        match value {
            Ok(record) => more.push(record),
            Err(_) => return false,
        }
    }
    for record in std::iter::once(first).chain(more) {
        take(&record, place, out).count(out);
    }
    true
}

/// A record with a key twice is refused by typed reading; the last value counts.
pub(super) fn last_of_duplicates(line: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(line).ok()?;
    value.is_object().then(|| value.to_string())
}
