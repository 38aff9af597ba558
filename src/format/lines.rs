//! The walk over an agent's lines, with the ledger kept: what each line was is decided here, once for all of them.

use crate::format::json;
use crate::input::Lines;
use crate::trace::{Builder, FaultKind, Place};
use std::io;

/// What a record was, for the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Was {
    /// It is understood, or known to mean nothing here.
    Known,
    /// Of a kind that nothing here knows.
    Unknown,
    /// A copy of what another file of the session has told.
    Copied,
}

impl Was {
    /// Counts the record.
    pub(super) fn count(self, out: &mut Builder) {
        let ledger = out.ledger();
        ledger.unknown += u64::from(self == Self::Unknown);
        ledger.duplicates += u64::from(self == Self::Copied);
    }
}

/// Keeps what is to be seen of a line that cannot be read again: its gist says more than its first bytes.
fn keep(number: u32, line: &[u8], out: &mut Builder) {
    if out.keeps_heads() {
        let gist = out.source().and_then(|s| crate::format::by_id(s.format)).and_then(|f| f.gist(line));
        out.keep_head(number, gist.as_deref().map_or(line, str::as_bytes));
    }
}

/// Hands every line that is not blank to `records`, in the order of the file; it returns `false`, with nothing taken, where
/// the line is not JSON objects. What stands between records is `shell` text where a loop tees its own output into the
/// file; elsewhere it is lost.
pub(super) fn each(
    lines: &mut Lines<'_>,
    out: &mut Builder,
    shell: bool,
    mut records: impl FnMut(&[u8], Place, &mut Builder) -> bool,
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
        if records(line.bytes, place, out) {
            keep(line.number, line.bytes, out);
            out.ledger().read += 1;
        } else if let Some(mended) = json::mended(line.bytes)
            && records(mended.as_bytes(), place, out)
        {
            keep(line.number, mended.as_bytes(), out);
            out.ledger().salvage(FaultKind::BadText, place, 1);
        } else if shell && !line.bytes.trim_ascii_start().starts_with(b"{") {
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
