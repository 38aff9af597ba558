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

/// The most frequent failure signatures over all runs: by runs, then by iterations. A failure of one run only is
/// listed where it stood at least twice.
#[must_use]
pub fn top_signatures(runs: &[RunReport], groups: &[Group]) -> Vec<TopSignature> {
    let mut sums: HashMap<u64, (u32, u32, usize, Place)> = HashMap::new();
    for (k, run) in runs.iter().enumerate() {
        for s in &run.signatures {
            let sum = sums.entry(s.signature).or_insert((0, 0, k, s.place));
            sum.0 += 1;
            sum.1 = sum.1.saturating_add(s.count);
        }
    }
    let mut order: Vec<_> = sums.into_iter().filter(|(_, (_, iterations, ..))| *iterations > 1).collect();
    // The signature itself breaks ties, so that the list never depends on a hash table's order.
    order.sort_unstable_by_key(|(signature, (runs, iterations, ..))| (std::cmp::Reverse((*runs, *iterations)), *signature));
    order.truncate(LISTED);
    let by_id: HashMap<&str, &Group> = groups.iter().map(|g| (g.id.as_str(), g)).collect();
    order
        .into_iter()
        .map(|(_, (count, iterations, run, place))| {
            let failure = text(&runs[run], place, &by_id).unwrap_or_else(|| runs[run].why.to_string());
            TopSignature { failure: failure.into(), runs: count, iterations }
        })
        .collect()
}

/// The normalised failure, from its place.
fn text(run: &RunReport, place: Place, groups: &HashMap<&str, &Group>) -> Option<String> {
    let id = run.run.split('#').next()?;
    let file = groups.get(id)?.files.get(place.source as usize)?;
    let bytes = input::read_at(&file.path, place.offset, WINDOW).ok()?;
    let line = bytes.split(|b| *b == b'\n').next()?;
    let gist = format::by_id(file.format.id())?.gist(line)?;
    Some(escape::excerpt(signature::coarse_text(gist.lines().next()?.as_bytes(), &[]).as_bytes(), 100))
}
