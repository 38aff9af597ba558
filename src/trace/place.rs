//! Where something came from, so that a reader can open the raw log there.

/// A place in one of a run's sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Index into the run's sources.
    pub source: u16,
    /// Line, from 1; 0 for the file as a whole.
    pub line: u32,
    /// Byte offset of the line's start in the (decompressed) file.
    pub offset: u64,
}
