//! The failures that many runs saw.

use crate::input::Group;
use crate::report::escape;
use crate::report::model::{RunReport, TopSignature};
use crate::trace::{Ledger, Place, Source, SourceText, signature};
use crate::{format, input};
use std::collections::HashMap;

/// How many are listed.
const LISTED: usize = 10;
/// Characters of a line that are normalised, and that are shown.
const LINE: usize = 400;
const SHOWN: usize = 100;

/// How often each failure was seen.
#[derive(Default)]
pub(super) struct Signatures {
    sums: HashMap<u64, Sum>,
}

struct Sum {
    runs: u32,
    iterations: u32,
    group: usize,
    place: Place,
}

impl Signatures {
    pub(super) fn add(&mut self, run: &RunReport, group: usize) {
        for s in &run.signatures {
            let sum = self.sums.entry(s.signature).or_insert(Sum { runs: 0, iterations: 0, group, place: s.place });
            sum.runs += 1;
            sum.iterations = sum.iterations.saturating_add(s.count);
        }
    }

    /// The most frequent: by runs, then by iterations. A failure that stood only once is not listed.
    pub(super) fn finish(self, groups: &[Group]) -> Vec<TopSignature> {
        let mut order: Vec<_> = self.sums.into_iter().filter(|(_, s)| s.iterations > 1).collect();
        // The signature itself breaks ties, so that the list never depends on a hash table's order.
        order.sort_unstable_by_key(|(signature, s)| (std::cmp::Reverse((s.runs, s.iterations)), *signature));
        order.truncate(LISTED);
        let shown = |s: &Sum| text(groups.get(s.group)?, s.place);
        order
            .into_iter()
            .map(|(signature, s)| {
                let failure = shown(&s).unwrap_or_else(|| format!("signature {signature:016x}"));
                TopSignature { failure: failure.into(), runs: s.runs, iterations: s.iterations }
            })
            .collect()
    }
}

/// The normalised failure, from its place. Standard input cannot be read again.
fn text(group: &Group, place: Place) -> Option<String> {
    let file = group.files.get(place.source as usize)?;
    let path = file.path();
    if path.as_os_str() == input::STDIN {
        return None;
    }
    let source = Source {
        shown: "".into(),
        format: file.format.id(),
        ledger: Ledger::default(),
        text: SourceText::File(path),
        modified: None,
        kept: None,
    };
    let (gist, was_cut) = format::gist_at(&source, place)?;
    let mut lines = gist.lines();
    let first = lines.next()?;
    Some(shown(first, was_cut && lines.next().is_none()))
}

/// A failure's line in its normalised form. Secrets go first: what normalising changes they would no longer be known by.
fn shown(line: &str, was_cut: bool) -> String {
    let clean = escape::cut_excerpt(line.as_bytes(), LINE, was_cut);
    escape::excerpt(signature::coarse_text(clean.as_bytes(), &[]).as_bytes(), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_go_before_numbers_do() {
        // Put together, so that scanners stay quiet. Normalised first it would be `ghp_` with hashes taken out.
        let token = ["gh", "p_", "1234567890abcdefghij", "1234567890ABCDEF"].concat();
        let text = shown(&format!("error: 401 for {token} after 17 s"), false);
        assert!(!text.contains("ghp_") && !text.contains("abcdefghij") && text.contains("[redacted"), "{text}");
    }

    #[test]
    fn a_word_that_touches_the_cut_is_dropped() {
        let part = ["gh", "p_", "12345"].concat();
        let text = shown(&format!("error: refused token {part}"), true);
        assert!(!text.contains("12345") && text.ends_with('…'), "{text}");
        assert_eq!(shown("FAILED tests/test_a.py::test_x - assert 3 == 4", false), "FAILED tests/test_a.py::test_x - assert # == #");
    }
}
