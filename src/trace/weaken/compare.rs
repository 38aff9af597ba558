//! Claims and tests before and after: which ones are gone, and which expectations became others.
//!
//! What reappears anywhere, in whatever order, is not gone. What is left over is excused by claims that demand at
//! least as much: an honest rewrite leaves a test as strict as it was.

use std::collections::{HashMap, HashSet};

use super::claims::{Claim, ClaimKind, root};
use super::removal;
use super::value;
use super::view::View;
use super::{Weakening, WeakeningKind};

/// What became of the claims of both sides.
pub(super) struct Fate {
    /// By the old claims: gone and not yet explained.
    pub(super) lost: Vec<bool>,
    /// By the new claims: new, and not yet used to explain a loss.
    pub(super) fresh: Vec<bool>,
    /// By the old claims: the new one that it reappears as.
    pub(super) kept_as: Vec<Option<usize>>,
}

/// Compares two sides of a write. `skipped` are the tests that the write skips: their loss is reported there.
pub(super) fn compare(old: &View<'_>, new: &View<'_>, skipped: &HashSet<String>) -> Vec<Weakening> {
    let mut fate = Fate { lost: vec![true; old.claims.len()], fresh: vec![true; new.claims.len()], kept_as: vec![None; old.claims.len()] };
    // First within the same test, then anywhere: a claim that moved is still there.
    cancel(old, new, &mut fate, |view, c| format!("{}\u{2}{}", view.id(c.block), c.canon));
    cancel(old, new, &mut fate, |_, c| c.canon.clone());
    let mut found = rewritten(old, new, &mut fate, skipped);
    let removed = removal::removed_tests(old, new, &mut fate, skipped);
    found.extend(removed.found);
    found.extend(lost_claims(old, new, &mut fate, &removed.gone, skipped));
    found
}

/// Strikes out claims with the same key, one against one.
fn cancel(old: &View<'_>, new: &View<'_>, fate: &mut Fate, key: impl Fn(&View<'_>, &Claim) -> String) {
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, c) in new.claims.iter().enumerate().rev().filter(|(i, _)| fate.fresh.get(*i) == Some(&true)) {
        open.entry(key(new, c)).or_default().push(i);
    }
    for (i, c) in old.claims.iter().enumerate() {
        if fate.lost.get(i) != Some(&true) {
            continue;
        }
        if let Some(j) = open.get_mut(&key(old, c)).and_then(Vec::pop) {
            settle(fate, i, j);
        }
    }
}

fn settle(fate: &mut Fate, old: usize, new: usize) {
    if let Some(l) = fate.lost.get_mut(old) {
        *l = false;
    }
    if let Some(k) = fate.kept_as.get_mut(old) {
        *k = Some(new);
    }
    if let Some(f) = fate.fresh.get_mut(new) {
        *f = false;
    }
}

/// Pairs what looks at the same thing in the same test and asks what became of the expectation.
fn rewritten(old: &View<'_>, new: &View<'_>, fate: &mut Fate, skipped: &HashSet<String>) -> Vec<Weakening> {
    let arranged = (old.arrangements(), new.arrangements());
    let mut open: HashMap<(String, String), Vec<usize>> = HashMap::new();
    let place = |view: &View<'_>, c: &Claim| (view.id(c.block).to_owned(), format!("{:?}{}", c.kind == ClaimKind::Expected, c.subject));
    for (i, c) in new.claims.iter().enumerate().filter(|(i, c)| fate.fresh.get(*i) == Some(&true) && c.kind != ClaimKind::Helper) {
        open.entry(place(new, c)).or_default().push(i);
    }
    let mut waiting: HashMap<(String, String), Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (i, c) in old.claims.iter().enumerate().filter(|(i, c)| fate.lost.get(*i) == Some(&true) && c.kind != ClaimKind::Helper) {
        let key = place(old, c);
        if !waiting.contains_key(&key) {
            order.push(key.clone());
        }
        waiting.entry(key).or_default().push(i);
    }
    let mut found = Vec::new();
    for key in order {
        let (Some(before), Some(after)) = (waiting.get(&key), open.get(&key)) else { continue };
        // Several expectations of one name that changed in number: which became which cannot be told.
        let told = before.len() == after.len();
        for (&i, &j) in before.iter().zip(after) {
            let (Some(was), Some(is)) = (old.claims.get(i), new.claims.get(j)) else { continue };
            settle(fate, i, j);
            let id = old.id(was.block);
            if skipped.contains(id) || !told && was.kind == ClaimKind::Expected {
                continue;
            }
            let same_arrangement = arranged.0.get(id) == arranged.1.get(id);
            if weaker(was, is, same_arrangement) {
                let kind = if is.strength == 0 && is.or_true { WeakeningKind::ForcedGreen } else { WeakeningKind::ExpectationRewritten };
                found.push(Weakening { kind, line: new.evidence(is.line), tests: old.names(was.block) });
            }
        }
    }
    found
}

/// Whether a claim about the same thing demands less, or something else of the same thing.
fn weaker(was: &Claim, is: &Claim, same_arrangement: bool) -> bool {
    if is.strength == 0 {
        return was.strength > 0;
    }
    if was.strength == 0 {
        return false;
    }
    // The same name may hold the result of another call by now.
    let same = same_arrangement && was.origin == is.origin;
    if was.matcher == is.matcher && was.negated == is.negated {
        if was.matcher.contains("raise") || was.matcher.contains("throw") || was.matcher.contains("exception") {
            return same && (value::error_changed(&was.expected, &is.expected) || is.expected.is_empty() && !was.expected.is_empty());
        }
        if let Some(looser) = value::looser_bound(&was.matcher, &was.expected, &is.expected) {
            return looser;
        }
        return value::lets_more_pass(&was.expected, &is.expected) || same && value::changed(&was.expected, &is.expected);
    }
    if is.strength < was.strength {
        return was.origin == is.origin;
    }
    let turned = was.matcher == is.matcher && was.negated != is.negated && (was.expected == is.expected || is.negated);
    same && (turned || was.strength == 3 && is.strength == 3 && value::changed(&was.expected, &is.expected))
}

/// The claims that are gone from tests that are still there.
fn lost_claims(old: &View<'_>, new: &View<'_>, fate: &mut Fate, gone: &HashSet<usize>, skipped: &HashSet<String>) -> Vec<Weakening> {
    let mut stock = Stock::of(new, fate);
    let mut found: Vec<Weakening> = Vec::new();
    let mut seen: HashMap<Option<usize>, usize> = HashMap::new();
    let kept: HashSet<(&str, &str)> = new.claims.iter().map(|c| (new.id(c.block), c.canon.as_str())).collect();
    for (i, c) in old.claims.iter().enumerate() {
        let counts = matches!(c.kind, ClaimKind::Assertion | ClaimKind::Row) && c.strength > 0;
        let id = old.id(c.block);
        if !counts || fate.lost.get(i) != Some(&true) || c.block.is_some_and(|b| gone.contains(&b)) || skipped.contains(id) {
            continue;
        }
        // The loss of a bare row is unclear where its table cannot be seen; a repeated claim says nothing twice.
        let unclear = c.kind == ClaimKind::Row && c.block.is_none();
        if unclear || kept.contains(&(id, c.canon.as_str())) || stock.excuses(id, c) {
            continue;
        }
        let kind = if c.kind == ClaimKind::Row { WeakeningKind::TestRemoved } else { WeakeningKind::AssertionRemoved };
        if let std::collections::hash_map::Entry::Vacant(slot) = seen.entry(c.block) {
            slot.insert(found.len());
            found.push(Weakening { kind, line: old.evidence(c.line), tests: old.names(c.block) });
        }
    }
    found
}

/// `expect('k' in x).toBe(false)`: true or false of a comparison is as exact as the comparison.
fn says_exactly(claim: &Claim) -> bool {
    claim.matcher == "true"
        && claim.strength > 0
        && ["==", "\"in ", ".has(", ".includes(", ".contains(", "equal"].iter().any(|w| claim.subject.contains(w))
}

/// New claims that can stand in for lost ones.
struct Stock {
    /// Per test and strength, how many are left; index 0 is unused.
    left: HashMap<String, [usize; 4]>,
    /// Exact claims by the thing that they look at: one of them may stand for many (`r == {…}`).
    exact: HashSet<(String, String)>,
    /// What claims that remain look at, more closely than at its being there.
    looked_at: HashSet<(String, String)>,
    /// Helpers called with a thing.
    helped: HashSet<(String, String)>,
}

impl Stock {
    fn of(new: &View<'_>, fate: &Fate) -> Self {
        let mut stock = Self { left: HashMap::new(), exact: HashSet::new(), looked_at: HashSet::new(), helped: HashSet::new() };
        for (i, c) in new.claims.iter().enumerate() {
            let id = new.id(c.block).to_owned();
            let key = (id.clone(), root(&c.subject).to_owned());
            let fresh = fate.fresh.get(i) == Some(&true);
            match c.kind {
                ClaimKind::Helper if fresh => {
                    stock.helped.insert(key);
                    stock.add(&id, 3);
                }
                ClaimKind::Assertion => {
                    if fresh {
                        stock.add(&id, if says_exactly(c) { 3 } else { c.strength });
                        // `assert_success(r)` is a helper by another name.
                        if c.expected.is_empty() && c.matcher.starts_with("assert") {
                            stock.helped.insert(key.clone());
                        }
                        if c.strength == 3 && c.expected.len() > 12 {
                            stock.exact.insert(key.clone());
                        }
                    }
                    if c.strength >= 2 {
                        stock.looked_at.insert(key);
                    }
                }
                ClaimKind::Row if fresh => stock.add(&id, 3),
                _ => {}
            }
        }
        stock
    }

    fn add(&mut self, id: &str, strength: u8) {
        if let Some(n) = self.left.entry(id.to_owned()).or_default().get_mut(usize::from(strength.min(3))) {
            *n += 1;
        }
    }

    /// Whether something stands in for a lost claim; what is used once is used up.
    fn excuses(&mut self, id: &str, lost: &Claim) -> bool {
        let key = (id.to_owned(), root(&lost.subject).to_owned());
        if self.exact.contains(&key) || self.helped.contains(&key) || lost.strength == 1 && self.looked_at.contains(&key) {
            return true;
        }
        // Claims of a helper that stands outside all tests serve every test.
        for id in [id, ""] {
            let Some(left) = self.left.get_mut(id) else { continue };
            let from = usize::from(lost.strength.max(1));
            if let Some(n) = left.iter_mut().skip(from).find(|n| **n > 0) {
                *n -= 1;
                return true;
            }
        }
        false
    }
}
