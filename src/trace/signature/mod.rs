//! Failure signatures: what failed, in a form that tells whether two failures are the same.
//!
//! The input is what a failing check printed: often one line, sometimes a runner's whole output. Three hashes come out
//! for each failure. `key` is its identity without its message (a test's id; a fault's file, code and symbol). `coarse`
//! adds the message without its numbers, `fine` the message with them. All three are free of what changes from run to
//! run: times, durations, addresses, paths, line numbers, ids. They are xxh3 over bytes, so they are the same on every
//! platform and in every release.

mod collect;
mod infra;
mod normalise;
mod runners;
mod summary;
mod text;

#[cfg(test)]
mod tests;

use memchr::{memchr, memrchr};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

pub use infra::Infra;

use collect::Collector;
use normalise::{Level, hashes, normalise};
use text::{Lines, clean, cut, tail, undated};

/// At most so many failures are collected from one output; `Reading::capped` says that there were more.
pub const MAX_FAILURES: usize = 10_000;
/// How many lines at an output's end are asked for a failure of the surroundings.
const LAST_LINES: usize = 100;

/// What a check's output says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What failed, in the order of the text, each once.
    pub failures: Vec<Failure>,
    /// Failures by the runner's own count.
    pub failed: Option<u32>,
    /// Passed tests by the runner's own count.
    pub passed: Option<u32>,
    /// The earliest stage at which something failed.
    pub stage: Option<Stage>,
    /// The surroundings failed, not the code: there is no verdict. The failures are kept as evidence.
    pub infrastructure: Option<Infra>,
    /// The runner's own summary, or failures that a runner named: `Some(true)` is green. `None`: the text does not say.
    pub verdict: Option<bool>,
    /// There were more than [`MAX_FAILURES`] failures.
    pub capped: bool,
    /// The text is one line that nothing marks as a failure: it stands for one only where it is known that the check failed.
    pub guessed: bool,
    /// The last word of a builder, a linter or a formatter: `Some(true)` is green. It says nothing of tests, which print
    /// it on their way.
    pub built: Option<bool>,
}

impl Reading {
    /// Signature of the whole with the numbers in its messages; the order of the failures does not matter.
    /// A reading without failures has the signature of the empty set.
    #[must_use]
    pub fn fine(&self) -> u64 {
        set_hash(self.failures.iter().map(|f| f.fine))
    }

    /// Signature of the whole without the numbers in its messages.
    #[must_use]
    pub fn coarse(&self) -> u64 {
        set_hash(self.failures.iter().map(|f| f.coarse))
    }
}

/// One failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    /// Identity without the message: tells whether a failure is gone for good or has come back.
    pub key: u64,
    /// Identity and message, numbers and all.
    pub fine: u64,
    /// Identity and message, numbers taken out.
    pub coarse: u64,
    /// Where its line stands in the text that was read: first byte, and one past the last.
    pub span: (u32, u32),
}

/// How far a check came before it failed; later is further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The source could not be read.
    Parse,
    /// It could not be built, imported or collected.
    Compile,
    /// Types or style.
    Types,
    /// A unit test.
    Unit,
    /// A test of more than one part, by its path.
    Integration,
}

/// Reads a check's output. `roots` are directories that stand for the workspace; they are left out of every path.
///
/// It knows nothing of exit codes: of a check that passed, only the counts mean anything.
///
/// A text of one line that no runner claims is itself the failure. In a longer text without any sign of a failure
/// nothing is found: see [`last_line`].
#[must_use]
pub fn read(text: &[u8], roots: &[&str]) -> Reading {
    let body = text.trim_ascii();
    if body.is_empty() {
        return Reading::default();
    }
    let alone = memchr(b'\n', body).is_none();
    let mut collector = Collector::new(roots, alone);
    let mut buf = Vec::new();
    for range in Lines::new(text) {
        let span = (offset(range.start), offset(range.end));
        collector.line(undated(clean(cut(text, range.start, range.end), &mut buf)), span);
    }
    collector.finish(text)
}

/// The last line that is not empty, as a failure: what is left to go by when a check is red and its output names nothing.
/// The exit code belongs to its identity. `None` for an empty text without an exit code.
#[must_use]
pub fn last_line(text: &[u8], roots: &[&str], exit_code: Option<i32>) -> Option<Failure> {
    let mut buf = Vec::new();
    let raw = last_lines(text).next().unwrap_or_default();
    if raw.is_empty() && exit_code.is_none() {
        return None;
    }
    let line = undated(clean(raw, &mut buf)).trim_ascii();
    let start = text::range_of(text, raw).start;
    let seed = exit_code.map_or(0, |c| u64::from(c.unsigned_abs()) << 1 | 1);
    let (fine, coarse) = hashes(line, seed, roots, &mut Vec::new());
    Some(Failure { key: coarse, fine, coarse, span: (offset(start), offset(start + raw.len())) })
}

/// Key of a whole result, for telling a repeated call from one that made progress: percentages, counts and sizes stay,
/// times, paths, ids and the like do not.
#[must_use]
pub fn result_key(text: &[u8], roots: &[&str]) -> u64 {
    /// The hasher is fed in pieces of about this size.
    const PIECE: usize = 32 * 1024;
    let (mut buf, mut out) = (Vec::new(), Vec::new());
    let mut hasher: Option<Box<Xxh3>> = None;
    for range in Lines::new(text) {
        let line = clean(cut(text, range.start, range.end), &mut buf);
        normalise(line, 0..0, Level::Result, roots, &mut out);
        out.push(b'\n');
        if out.len() >= PIECE {
            hasher.get_or_insert_default().update(&out);
            out.clear();
        }
    }
    match hasher {
        None => xxh3_64(&out),
        Some(mut hasher) => {
            hasher.update(&out);
            hasher.digest()
        }
    }
}

/// A line as tables show it: what is equal in this form is equal in its coarse signature, save that the mark before a
/// test's name (`FAILED`, `not ok 3`) does not count there.
#[must_use]
pub fn coarse_text(line: &[u8], roots: &[&str]) -> String {
    let mut buf = Vec::new();
    let line = undated(clean(line, &mut buf)).trim_ascii();
    let keep = runners::claim(line, 0, true).map_or(0..0, |hit| hit.id);
    let mut out = Vec::with_capacity(line.len());
    normalise(line, keep, Level::Coarse, roots, &mut out);
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// The last lines that are not empty, from the end.
fn last_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let body = rest?;
        match memrchr(b'\n', body) {
            Some(at) => {
                rest = Some(cut(body, 0, at));
                Some(tail(body, at + 1))
            }
            None => {
                rest = None;
                Some(body)
            }
        }
    })
    .filter(|line| !line.trim_ascii().is_empty())
    .take(LAST_LINES)
}

/// Hash of a set: sorted, each once.
fn set_hash(hashes: impl ExactSizeIterator<Item = u64>) -> u64 {
    let mut all = hashes;
    if all.len() == 1
        && let Some(one) = all.next()
    {
        return xxh3_64(&one.to_le_bytes());
    }
    let mut sorted: Vec<u64> = all.collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut bytes = Vec::with_capacity(sorted.len() * 8);
    for hash in sorted {
        bytes.extend_from_slice(&hash.to_le_bytes());
    }
    xxh3_64(&bytes)
}

/// A place in a text; texts beyond 4 GiB point to their end.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
