//! Tests that are gone, and how to tell them from tests that were renamed, merged or written anew.

use std::collections::{HashMap, HashSet};

use super::claims::ClaimKind;
use super::compare::Fate;
use super::util::{hash, words};
use super::view::View;
use super::{Weakening, WeakeningKind};

/// What became of the old tests.
pub(super) struct Removed {
    pub(super) found: Vec<Weakening>,
    /// Old tests that have no counterpart of the same name: their claims are judged here.
    pub(super) gone: HashSet<usize>,
}

/// Words by which a test is renamed so that the runner no longer finds it.
const DISABLING: &[&str] = &[
    "_",
    "disabled_",
    "disabled",
    "skip_",
    "skip",
    "no_",
    "no",
    "x",
    "off_",
    "broken_",
    "old_",
    "todo_",
    "dont_",
    "ignore_",
    "hidden_",
    "not_a_",
    "dontrun_",
];

/// Finds the tests that are gone.
pub(super) fn removed_tests(old: &View<'_>, new: &View<'_>, fate: &mut Fate, skipped: &HashSet<String>) -> Removed {
    let mut removed = Removed { found: Vec::new(), gone: HashSet::new() };
    let (old_ids, new_ids) = (old.ids(), new.ids());
    let missing: Vec<usize> = old.blocks.tests().filter(|(_, b)| !new_ids.contains(b.id.as_str())).map(|(i, _)| i).collect();
    if missing.is_empty() {
        return removed;
    }
    let added = |id: &str| !id.is_empty() && !old_ids.contains(id);
    let mut spare = Spare::of(old, new, fate, added, missing.len());
    let functions = plain_functions(new);
    let mut of_block: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, c) in old.claims.iter().enumerate() {
        if let Some(b) = c.block {
            of_block.entry(b).or_default().push(i);
        }
    }
    for index in missing {
        let Some(block) = old.blocks.list.get(index) else { continue };
        removed.gone.insert(index);
        let claims = of_block.get(&index).map(Vec::as_slice).unwrap_or_default();
        if skipped.contains(block.id.as_str()) {
            continue;
        }
        if let Some(line) = disabled_as(&functions, &block.name) {
            removed.found.push(Weakening { kind: WeakeningKind::Skipped, line: new.evidence(line), tests: old.names(Some(index)) });
            continue;
        }
        let worth = claims
            .iter()
            .filter_map(|i| old.claims.get(*i))
            .filter(|c| c.strength > 0 && matches!(c.kind, ClaimKind::Assertion | ClaimKind::Row))
            .count();
        let hollow = worth == 0 && !(block.decl + 1..block.end).any(|l| old.says_something(l) && !is_filling(old.text.code(l).trim()));
        if block.skipped || hollow || holds_no_claim(old, claims) || super::skip::inside(old, block) {
            continue;
        }
        // All that it claimed now stands in other tests.
        let moved = worth > 0
            && claims.iter().all(|i| fate.lost.get(*i) == Some(&false))
            && claims
                .iter()
                .filter_map(|i| fate.kept_as.get(*i).copied().flatten())
                .any(|j| new.claims.get(j).is_some_and(|c| c.block.is_some()) || new.blocks.list.is_empty());
        if moved || spare.renamed(old, index) || spare.replaced(old, index, worth) {
            continue;
        }
        removed.found.push(Weakening { kind: WeakeningKind::TestRemoved, line: old.evidence(block.decl), tests: old.names(Some(index)) });
    }
    removed
}

/// `assert True` and nothing else: the test was a placeholder.
fn holds_no_claim(old: &View<'_>, claims: &[usize]) -> bool {
    !claims.is_empty() && claims.iter().filter_map(|i| old.claims.get(*i)).all(|c| c.kind == ClaimKind::Assertion && c.strength == 0)
}

fn is_filling(code: &str) -> bool {
    matches!(code.trim_end_matches(';'), "pass" | "..." | "return" | "todo!()" | "end") || code.starts_with("print")
}

/// The functions that are no tests, by their names in lower case, with their lines.
fn plain_functions(new: &View<'_>) -> HashMap<String, usize> {
    let tests: HashSet<usize> = new.blocks.list.iter().map(|b| b.decl).collect();
    let mut found = HashMap::new();
    for line in (0..new.text.lines.len()).filter(|l| !tests.contains(l) && !new.text.idle(*l)) {
        let bare = new.text.bare(line);
        let defines = ["def ", "fn ", "func ", "fun ", "void ", "function ", "Task "].iter().any(|d| bare.contains(d));
        // The bracket may lie outside of a replaced piece: `def _test_a`.
        let before = bare.split('(').next().unwrap_or(bare);
        if let Some(name) = words(before).last().filter(|_| defines) {
            found.entry(name.to_ascii_lowercase()).or_insert(line);
        }
    }
    found
}

/// The line of a function that is the removed test without its mark, or under a name that no runner looks for.
fn disabled_as(functions: &HashMap<String, usize>, name: &str) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    if name.is_empty() || !name.bytes().all(super::util::is_word) {
        return None;
    }
    functions.get(&name).or_else(|| DISABLING.iter().find_map(|prefix| functions.get(&format!("{prefix}{name}")))).copied()
}

/// What the added tests have to offer for the removed ones.
struct Spare {
    lines: HashSet<u64>,
    called: HashSet<String>,
    claims: usize,
    tests: usize,
    /// Most of the file is new: then its tests are not compared one by one.
    rewritten: bool,
}

impl Spare {
    fn of(old: &View<'_>, new: &View<'_>, fate: &Fate, added: impl Fn(&str) -> bool, missing: usize) -> Self {
        let lines = new.line_hashes(&added);
        let in_added = |l: &usize| added(new.id(new.blocks.owner.get(*l).copied().flatten()));
        let called = new.called((0..new.text.lines.len()).filter(in_added));
        let strong = |c: &super::claims::Claim| c.strength >= 2 && matches!(c.kind, ClaimKind::Assertion | ClaimKind::Row);
        let claims =
            new.claims.iter().enumerate().filter(|(i, c)| strong(c) && added(new.id(c.block)) && fate.fresh.get(*i) == Some(&true)).count();
        let tests = new.blocks.tests().filter(|(_, b)| added(&b.id)).count();
        let kept = old.blocks.tests().count().saturating_sub(missing);
        Self { lines, called, claims, tests, rewritten: tests >= missing && kept < missing }
    }

    /// Half of its lines stand in an added test.
    fn renamed(&mut self, old: &View<'_>, index: usize) -> bool {
        let Some(block) = old.blocks.list.get(index) else { return false };
        if self.tests == 0 && self.claims == 0 {
            return false;
        }
        let body: Vec<u64> =
            (block.decl + 1..block.end).filter(|l| old.says_something(*l)).map(|l| hash(&old.text.canon_line(l))).collect();
        let there = body.iter().filter(|h| self.lines.contains(h)).count();
        let renamed = !body.is_empty() && there * 2 >= body.len();
        if renamed && self.tests > 0 {
            self.tests -= 1;
        } else if renamed {
            // Several tests became the rows of one.
            self.claims -= 1;
        }
        renamed
    }

    /// Added tests call the same things and claim as much, or the whole file was written anew.
    fn replaced(&mut self, old: &View<'_>, index: usize, worth: usize) -> bool {
        let Some(block) = old.blocks.list.get(index) else { return false };
        let called = old.called(block.decl + 1..block.end);
        let common = called.iter().filter(|c| self.called.contains(*c)).count();
        let related = self.rewritten || common > 0 && common * 2 >= called.len();
        let replaced = related && worth > 0 && self.claims >= worth && self.tests > 0;
        if replaced {
            self.claims -= worth;
        }
        replaced
    }
}
