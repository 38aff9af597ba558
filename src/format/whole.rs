//! Files that are one document: read whole, accounted for whole.

use crate::format::json;
use crate::input::Lines;
use crate::trace::{Builder, FaultKind, Place};
use serde_json::Value;
use std::io;

/// The bytes of a document and where it begins; its lines are counted, not yet judged.
pub(super) fn document(lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<(Vec<u8>, Place, u64)> {
    let bytes = lines.rest()?.to_vec();
    let count = bytes.split_inclusive(|b| *b == b'\n').count() as u64;
    out.ledger().lines += count;
    Ok((bytes, out.place(1, 0), count))
}

/// A document that is one JSON object. Where it is not, it is counted as lost.
pub(super) fn object(lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<Option<(Value, Vec<u8>, Place)>> {
    let (bytes, place, count) = document(lines, out)?;
    let ledger = out.ledger();
    match json::values::<Value>(&bytes).next() {
        Some(Ok(value @ Value::Object(_))) => {
            ledger.read += count;
            Ok(Some((value, bytes, place)))
        }
        _ => {
            ledger.lost += count;
            ledger.lost_bytes += bytes.len() as u64;
            if count > 0 {
                ledger.fault(FaultKind::NotJson, place);
            }
            Ok(None)
        }
    }
}

/// The last number in a file's name: `ac-matrix.3.json` is the third snapshot.
pub(super) fn number_in(name: &str) -> Option<u64> {
    let digits = |c: char| !c.is_ascii_digit();
    name.split(digits).rfind(|part| !part.is_empty()).and_then(|part| part.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn numbers_of_snapshots() {
        assert_eq!(number_in("ac-matrix.json"), None);
        assert_eq!(number_in("ac-matrix.iter-12.json"), Some(12));
        assert_eq!(number_in(".loop_context.3.md"), Some(3));
    }
}
