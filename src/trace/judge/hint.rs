//! A quick look that tells most commands from those that may hold a judge, before anything is taken apart.

use std::sync::LazyLock;

use memchr::memmem;

use super::{OwnJudge, names, table};

/// Words that a judge's command line has at least one of.
struct Hints {
    words: Vec<&'static str>,
    /// For each first letter or digit, the lengths that its words have.
    lengths: [u32; 36],
}

static HINTS: LazyLock<Hints> = LazyLock::new(|| {
    let programs = table::programs().map(|program| program.name).filter(|name| !matches!(*name, "R"));
    let tasks = table::TASKS.iter().map(|tasks| tasks.name);
    let packages = ["npm", "pnpm", "yarn"];
    // Of `golangci-lint` one word is enough; the longest is the rarest.
    let named = programs
        .chain(tasks)
        .chain(packages)
        .filter_map(|name| name.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|part| part.len()));
    let mut words: Vec<&str> = named.chain(names::hints()).chain(["pkg", "testthat"]).collect();
    words.sort_unstable();
    words.dedup();
    let mut lengths = [0; 36];
    for word in &words {
        if let Some(slot) = slot(word.as_bytes()).and_then(|at| lengths.get_mut(at)) {
            *slot |= 1u32.checked_shl(u32::try_from(word.len()).unwrap_or(32)).unwrap_or(0);
        }
    }
    Hints { words, lengths }
});

fn slot(word: &[u8]) -> Option<usize> {
    match *word.first()? {
        byte @ b'a'..=b'z' => Some(usize::from(byte - b'a')),
        byte @ b'A'..=b'Z' => Some(usize::from(byte - b'A')),
        byte @ b'0'..=b'9' => Some(26 + usize::from(byte - b'0')),
        _ => None,
    }
}

/// May there be a judge in it? `false` is certain.
pub(super) fn may_judge(command: &str, own: &[OwnJudge]) -> bool {
    let bytes = command.as_bytes();
    let mut start = 0;
    while let Some(from) = bytes.iter().skip(start).position(u8::is_ascii_alphanumeric).map(|at| start + at) {
        let run = bytes.get(from..).unwrap_or(&[]);
        // A word also ends where a capital follows a small letter, as in `runTests`.
        let length = run.windows(2).position(|pair| ends(pair)).map_or(run.len(), |at| at + 1);
        let (word, rest) = run.split_at(length);
        if HINTS.holds(word, rest) {
            return true;
        }
        start = from + length;
    }
    own.iter().any(|judge| judge.pattern.split_whitespace().next().is_some_and(|word| memmem::find(bytes, word.as_bytes()).is_some()))
}

fn ends(pair: &[u8]) -> bool {
    matches!(pair, [a, b] if !b.is_ascii_alphanumeric() || a.is_ascii_lowercase() && b.is_ascii_uppercase())
}

impl Hints {
    fn holds(&self, word: &[u8], rest: &[u8]) -> bool {
        if word.len() == 1 && !rest.starts_with(b"++") {
            // `g` and `c` are compilers only with what follows.
            return false;
        }
        let Some(lengths) = slot(word).and_then(|at| self.lengths.get(at)) else { return false };
        if word.len() > 31 || lengths & (1 << word.len()) == 0 {
            return false;
        }
        let mut lower = [0u8; 32];
        for (to, from) in lower.iter_mut().zip(word) {
            *to = from.to_ascii_lowercase();
        }
        let lower = lower.get(..word.len()).unwrap_or(&[]);
        self.words.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
    }
}
