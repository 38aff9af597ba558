//! The failures that many runs saw.

use crate::input::Group;
use crate::report::escape;
use crate::report::model::{RunReport, TopSignature};
use crate::trace::{Place, signature};
use crate::{format, input};
use std::collections::HashMap;

/// How many are listed.
const LISTED: usize = 10;
/// Bytes that are read again to show one.
const WINDOW: usize = 4 << 10;

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
    let bytes = input::read_at(&path, place.offset, WINDOW).ok()?;
    let line = bytes.split(|b| *b == b'\n').next()?;
    let gist = format::by_id(file.format.id())?.gist(line)?;
    Some(escape::excerpt(signature::coarse_text(gist.lines().next()?.as_bytes(), &[]).as_bytes(), 100))
}
