//! From lines to records, with the ledger kept: shared by transcripts and streams.

use super::record::Record;
use crate::format::json;
use crate::input::Lines;
use crate::trace::{Builder, FaultKind, Place};
use std::io;

/// What a line was, for the ledger.
pub(super) enum Was {
    /// A record that is understood.
    Known,
    /// A record of a kind that nothing here knows.
    Unknown,
}

/// Hands every record to `take`, in the order of the file. What stands between records is `shell` text where a loop tees its
/// own output into the file; elsewhere it is lost.
pub(super) fn each(
    lines: &mut Lines<'_>,
    out: &mut Builder,
    shell: bool,
    mut take: impl FnMut(&Record<'_>, Place, &mut Builder) -> Was,
) -> io::Result<()> {
    while let Some(line) = lines.next_line()? {
        let place = out.place(line.number, line.offset);
        out.ledger().lines += 1;
        if line.too_long {
            out.ledger().lose(FaultKind::TooLong, place, line.taken);
            continue;
        }
        if line.bytes.iter().all(u8::is_ascii_whitespace) {
            out.ledger().blank += 1;
            continue;
        }
        if records(line.bytes, place, out, &mut take) {
            out.keep_head(line.number, line.bytes);
            out.ledger().read += 1;
        } else if let Some(mended) = json::mended(line.bytes)
            && records(mended.as_bytes(), place, out, &mut take)
        {
            out.ledger().salvage(FaultKind::BadText, place, 1);
        } else if let Some(doubled) = last_of_duplicates(line.bytes)
            && records(doubled.as_bytes(), place, out, &mut take)
        {
            out.ledger().salvage(FaultKind::Unescaped, place, 1);
        } else if shell && line.ended && !line.bytes.trim_ascii_start().starts_with(b"{") {
            let ledger = out.ledger();
            ledger.read += 1;
            ledger.unknown += 1;
        } else {
            let ledger = out.ledger();
            ledger.torn_tail |= !line.ended;
            ledger.lose(if line.ended { FaultKind::NotJson } else { FaultKind::Torn }, place, line.taken);
        }
    }
    Ok(())
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
        if matches!(take(&record, place, out), Was::Unknown) {
            out.ledger().unknown += 1;
        }
    }
    true
}

/// A record with a key twice is refused by typed reading; the last value counts.
fn last_of_duplicates(line: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(line).ok()?;
    value.is_object().then(|| value.to_string())
}
