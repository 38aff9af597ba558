//! Sessions that another file names: a loop's log or state, or the stream of a loop's agent behind what a first look sees.

use crate::format::Role;
use crate::input::{Found, Lines, Opened, STDIN, open};
use std::collections::{BTreeSet, HashSet};

/// Words beside which an id is one of a session.
const WORDS: &[&[u8]] = &[b"session", b"thread", b"conversation", b"transcript"];

/// The shortest id that is taken for one.
const SHORTEST: usize = 8;

/// Length of a UUID.
const UUID: usize = 36;

/// Which of the `wanted` sessions a file names. What cannot be read names none: reading it for its own sake tells why.
pub(super) fn sessions(found: &Found, wanted: &HashSet<String>) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    // A stream holds other tools' output, which may name anything.
    let words: &[&[u8]] = if found.format.role() == Role::Stream { &[b"\"thread.started\""] } else { WORDS };
    // What can be read only once is not read for this.
    if found.guessed || found.path().as_os_str() == STDIN {
        return named;
    }
    let mut buffer = Vec::new();
    let Ok(opened) = open(&found.path(), &mut buffer) else { return named };
    let mut lines = match opened.content {
        Opened::Whole => Lines::in_memory(&mut buffer),
        Opened::Stream(reader) => Lines::streamed(reader, &mut buffer),
    };
    while let Ok(Some(line)) = lines.next_line() {
        if words.iter().any(|w| memchr::memmem::find(line.bytes, w).is_some()) {
            named.extend(ids(line.bytes).filter(|id| wanted.contains(*id)).map(ToOwned::to_owned));
        }
    }
    named
}

/// Whether an id can be looked for at all.
pub(super) fn is_telling(id: &str) -> bool {
    id.len() >= SHORTEST && id.bytes().all(is_id)
}

fn ids(line: &[u8]) -> impl Iterator<Item = &str> {
    let words = line.split(|b| !is_id(*b)).filter(|word| word.len() >= SHORTEST);
    // A rollout's name ends in its thread's id.
    words
        .flat_map(|word| [Some(word), word.len().checked_sub(UUID).filter(|at| *at > 0).and_then(|at| word.get(at..))])
        .flatten()
        .filter_map(|word| std::str::from_utf8(word).ok())
}

fn is_id(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}
