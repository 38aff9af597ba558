//! A quick look that tells most commands from those that may hold a judge, before anything is taken apart.

use std::sync::LazyLock;

use memchr::memmem;

use super::{OwnJudge, names, table};

/// Words that a judge's command line has at least one of.
struct Hints {
    words: Vec<&'static str>,
    /// For each first letter or digit, the lengths that its words have.
    lengths: [u32; 36],
    /// And their second letters.
    seconds: [u32; 36],
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
    let mut words: Vec<&str> = named.chain(names::hints()).chain(["perl", "php", "pkg", "ruby", "testthat"]).collect();
    words.sort_unstable();
    words.dedup();
    let (mut lengths, mut seconds) = ([0; 36], [0; 36]);
    for word in words.iter().map(|word| word.as_bytes()) {
        let Some(at) = slot(word) else { continue };
        if let (Some(length), Some(second)) = (lengths.get_mut(at), seconds.get_mut(at)) {
            *length |= 1u32.checked_shl(u32::try_from(word.len()).unwrap_or(32)).unwrap_or(0);
            *second |= second_letter(word);
        }
    }
    Hints { words, lengths, seconds }
});

fn slot(word: &[u8]) -> Option<usize> {
    match *word.first()? {
        byte @ b'a'..=b'z' => Some(usize::from(byte - b'a')),
        byte @ b'A'..=b'Z' => Some(usize::from(byte - b'A')),
        byte @ b'0'..=b'9' => Some(26 + usize::from(byte - b'0')),
        _ => None,
    }
}

/// One bit for the second letter; all that are none share one.
fn second_letter(word: &[u8]) -> u32 {
    match word.get(1).map(u8::to_ascii_lowercase) {
        Some(byte @ b'a'..=b'z') => 1 << (byte - b'a'),
        _ => 1 << 26,
    }
}

/// May there be a judge in it? `false` is certain.
pub(super) fn may_judge(command: &str, own: &[OwnJudge]) -> bool {
    let bytes = command.as_bytes();
    let hints = &*HINTS;
    let mut start = None;
    let mut before = b' ';
    for (at, byte) in bytes.iter().copied().chain([b' ']).enumerate() {
        let inside = byte.is_ascii_alphanumeric();
        // A word also ends where a capital follows a small letter, as in `runTests`.
        let ends = !inside || byte.is_ascii_uppercase() && before.is_ascii_lowercase();
        match start {
            Some(from) if ends => {
                if bytes.get(from..at).is_some_and(|word| hints.hold(word, byte)) {
                    return true;
                }
                start = inside.then_some(at);
            }
            None if inside => start = Some(at),
            _ => {}
        }
        before = byte;
    }
    // `bash -n` reads a script without running it, and has no telling word.
    memmem::find(bytes, b"sh -n").is_some()
        || own
            .iter()
            .any(|judge| judge.pattern.split_whitespace().next().is_some_and(|word| memmem::find(bytes, word.as_bytes()).is_some()))
}

impl Hints {
    /// `after`: the byte behind the word.
    fn hold(&self, word: &[u8], after: u8) -> bool {
        if word.len() == 1 && after != b'+' {
            // `g` and `c` are compilers only with what follows.
            return false;
        }
        let Some(at) = slot(word) else { return false };
        let (Some(lengths), Some(seconds)) = (self.lengths.get(at), self.seconds.get(at)) else { return false };
        if word.len() > 31 || lengths & (1 << word.len()) == 0 || seconds & second_letter(word) == 0 {
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
