//! The intake ledger: every line of every source ends in exactly one class, and what was not understood is shown.

use crate::trace::place::Place;

/// Why a line could not be read as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The writer did not escape its text; the fields were recovered.
    Unescaped,
    /// Bytes that are no UTF-8, or half a surrogate pair; read with replacement characters.
    BadText,
    /// The last line has no end: the writer died or is still writing.
    Torn,
    /// Not JSON, and not recoverable.
    NotJson,
    /// Longer than the line cap.
    TooLong,
    /// JSON, but no record of this format.
    NoRecord,
    /// A time earlier than the one before.
    ClockBack,
}

impl FaultKind {
    /// In words, for findings.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Unescaped => "text not escaped by its writer, recovered",
            Self::BadText => "broken UTF-8, read with replacement characters",
            Self::Torn => "last line is torn",
            Self::NotJson => "not JSON, lost",
            Self::TooLong => "line longer than 64 MiB, lost",
            Self::NoRecord => "JSON without a known event, kept uninterpreted",
            Self::ClockBack => "time goes back",
        }
    }
}

/// One fault and where it is.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where.
    pub place: Place,
}

/// How many faults keep their place; the counters know all.
const KEPT_FAULTS: usize = 8;

/// What became of a source's lines. `lines = read + blank + salvaged + lost`.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Bytes of the source, after decompression.
    pub bytes: u64,
    /// Lines, the last one without a newline included.
    pub lines: u64,
    /// Lines that were read as they stand.
    pub read: u64,
    /// Lines without content.
    pub blank: u64,
    /// Lines that were recovered.
    pub salvaged: u64,
    /// Lines whose content is not in the trace.
    pub lost: u64,
    /// Bytes of the lost lines.
    pub lost_bytes: u64,
    /// Read lines that repeat the line before and were not counted again.
    pub duplicates: u64,
    /// Read records of a kind that is not known.
    pub unknown: u64,
    /// Records whose time is earlier than the one before.
    pub clock_back: u64,
    /// The last line has no end and does not parse.
    pub torn_tail: bool,
    /// The file grew while it was read; what came later is not in here.
    pub grew: bool,
    /// Reading broke off before the end.
    pub cut_off: bool,
    /// The first few faults.
    pub faults: Vec<Fault>,
}

impl Ledger {
    /// Remembers a fault, if there is room.
    pub fn fault(&mut self, kind: FaultKind, place: Place) {
        if self.faults.len() < KEPT_FAULTS && self.faults.iter().filter(|f| f.kind == kind).count() < 3 {
            self.faults.push(Fault { kind, place });
        }
    }

    /// A line is given up.
    pub fn lose(&mut self, kind: FaultKind, place: Place, bytes: u64) {
        self.lost += 1;
        self.lost_bytes += bytes;
        self.fault(kind, place);
    }

    /// `lines` lines were recovered.
    pub fn salvage(&mut self, kind: FaultKind, place: Place, lines: u64) {
        self.salvaged += lines;
        self.fault(kind, place);
    }
}
