//! What an output says as a whole: which of two witnesses of the same failure is kept, whether the surroundings are to
//! blame, and the verdict.

use super::super::infra::{self, Infra};
use super::super::runners::{Family, Kind, Tier};
use super::super::text::{byte, clean, has, is_diff_or_code};
use super::super::{Reading, last_lines};
use super::{Collector, Entry};

impl Collector<'_> {
    /// What the whole output says.
    pub(in super::super) fn finish(mut self, text: &[u8]) -> Reading {
        self.summary.finish();
        let (red, green) = (self.summary.red, self.summary.green & !self.summary.red);
        // A runner that says it is green has printed no failure of its own: what looks like one was a test's output.
        self.entries.retain(|e| green & e.family.bit() == 0);
        let top = self.entries.iter().map(|e| e.tier).max();
        if top != Some(Tier::Named) && green != 0 && red == 0 {
            self.entries.clear();
        }
        keep_best(&mut self.entries);
        let named = top == Some(Tier::Named) && !self.entries.is_empty();
        let tests_red = red & !(Family::Error.bit() | Family::Rustc.bit() | Family::Go.bit()) != 0;
        let infrastructure = if named || tests_red || green != 0 { None } else { self.surroundings(text) };
        let verdict = if infrastructure.is_some() {
            None
        } else if red != 0 || named || self.entries.iter().any(|e| e.family == Family::Bare) {
            Some(false)
        } else {
            (green != 0).then_some(true)
        };
        Reading {
            stage: self.entries.iter().filter_map(|e| e.stage).min(),
            failures: self.entries.into_iter().map(|e| e.failure).collect(),
            failed: self.summary.failed,
            passed: self.summary.passed,
            infrastructure,
            verdict,
            capped: self.capped,
            guessed: self.guessed,
            built: self.summary.built,
        }
    }

    /// Which failure of the surroundings explains an output without any named failure.
    fn surroundings(&self, text: &[u8]) -> Option<Infra> {
        let asserted = |f: Family| matches!(f, Family::Pytest | Family::Unittest);
        if self.entries.iter().any(|e| asserted(e.family)) {
            return None;
        }
        let found = self.entries.iter().rev().find_map(|e| e.infra);
        // The last exception is what ended the program; earlier lines are its log.
        if let Some(last) = self.entries.iter().rev().find(|e| e.family == Family::Exception) {
            return last.infra;
        }
        if found.is_some() || self.alone {
            return found;
        }
        let decided = self.entries.iter().any(|e| e.tier == Tier::Loose && !e.neutral);
        if decided { None } else { last_lines(text).find_map(infra_of) }
    }
}

fn infra_of(line: &[u8]) -> Option<Infra> {
    let mut buf = Vec::new();
    let t = clean(line, &mut buf).trim_ascii();
    let json_error = byte(t, 0) == b'{' && has(t, b"\"error\"");
    if is_diff_or_code(t) && !json_error { None } else { infra::find(t) }
}

/// Keeps the highest tier, of each family the highest rank, and each failure once.
fn keep_best(entries: &mut Vec<Entry>) {
    if entries.len() < 2 {
        return;
    }
    let top = entries.iter().map(|e| e.tier).max();
    entries.retain(|e| Some(e.tier) == top);
    let mut ranks = [0u8; 32];
    for e in entries.iter() {
        if let Some(rank) = ranks.get_mut(e.family as usize) {
            *rank = (*rank).max(e.rank);
        }
    }
    entries.retain(|e| ranks.get(e.family as usize) == Some(&e.rank));
    // The same test seen twice is one failure, with the words of the one that says more. Two faults may share a key and
    // differ in what they say.
    let detail = |e: &Entry| {
        if e.kind == Kind::Test { 0 } else { e.failure.fine }
    };
    entries.sort_by_key(|e| (e.failure.key, detail(e), u8::MAX - e.notes, e.failure.span));
    entries.dedup_by_key(|e| (e.failure.key, detail(e)));
    entries.sort_by_key(|e| e.failure.span);
}
