//! One side of a write, read once: its lines, tests and claims.

use std::collections::{HashMap, HashSet};

use super::blocks::{self, Blocks};
use super::claims::{self, Claim, ClaimKind};
use super::lang::Lang;
use super::mask::Text;
use super::util::{evidence, hash, words};

/// A text with all that is compared about it.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) text: Text<'a>,
    pub(super) blocks: Blocks,
    pub(super) claims: Vec<Claim>,
}

impl<'a> View<'a> {
    pub(super) fn new(raw: &'a str, lang: Lang) -> Self {
        let text = Text::new(raw, lang);
        let blocks = blocks::find(&text);
        let claims = claims::find(&text, &blocks);
        Self { text, blocks, claims }
    }

    /// The identity of the test with an index; empty outside of tests.
    pub(super) fn id(&self, block: Option<usize>) -> &str {
        block.and_then(|b| self.blocks.list.get(b)).map_or("", |b| b.id.as_str())
    }

    /// The name of the test with an index, where there is one.
    pub(super) fn names(&self, block: Option<usize>) -> Vec<String> {
        block.and_then(|b| self.blocks.list.get(b)).map(|b| b.name.clone()).filter(|n| !n.is_empty()).into_iter().collect()
    }

    /// The identities of all tests and suites.
    pub(super) fn ids(&self) -> HashSet<&str> {
        self.blocks.list.iter().map(|b| b.id.as_str()).collect()
    }

    /// A line as evidence.
    pub(super) fn evidence(&self, line: usize) -> String {
        evidence(self.text.raw(line))
    }

    /// A hash of each test's lines that are no claims, whatever their order. Two tests with the same one do the same
    /// things and differ at most in what they claim.
    pub(super) fn arrangements(&self) -> HashMap<&str, u64> {
        let mut covered = vec![false; self.text.lines.len()];
        for c in self.claims.iter().filter(|c| c.kind != ClaimKind::Helper) {
            covered.iter_mut().take(c.last + 1).skip(c.line).for_each(|l| *l = true);
        }
        for (_, b) in self.blocks.tests() {
            covered.iter_mut().skip(b.decl).take(1).for_each(|l| *l = true);
        }
        let mut sums: HashMap<&str, u64> = HashMap::new();
        for (line, covered) in covered.iter().enumerate() {
            let sum = sums.entry(self.id(self.blocks.owner.get(line).copied().flatten())).or_default();
            if !covered && self.says_something(line) {
                *sum = sum.wrapping_add(hash(&self.text.canon_line(line)));
            }
        }
        sums
    }

    /// Whether a line has more than brackets.
    pub(super) fn says_something(&self, line: usize) -> bool {
        let bare = self.text.bare(line);
        bare.bytes().any(|b| b.is_ascii_alphanumeric() || b >= 0x80) && bare.trim() != "end"
    }

    /// The hashes of the lines of some tests that say something.
    pub(super) fn line_hashes(&self, keep: impl Fn(&str) -> bool) -> HashSet<u64> {
        (0..self.text.lines.len())
            .filter(|l| self.says_something(*l) && keep(self.id(self.blocks.owner.get(*l).copied().flatten())))
            .map(|l| hash(&self.text.canon_line(l)))
            .collect()
    }

    /// The names that some lines call.
    pub(super) fn called(&self, lines: impl Iterator<Item = usize>) -> HashSet<String> {
        let mut names = HashSet::new();
        for line in lines {
            let bare = self.text.bare(line);
            for part in bare.split('(').rev().skip(1) {
                if let Some(name) = words(part).last().filter(|n| part.ends_with(n) && !is_test_word(n)) {
                    names.insert(name.to_owned());
                }
            }
        }
        names
    }
}

/// Words of the test frameworks themselves: that two tests use them says nothing about what they test.
fn is_test_word(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["assert", "expect", "tobe", "toequal", "tohave", "tocontain", "tothrow", "tomatch", "test", "should", "require", "check"]
        .iter()
        .any(|w| lower.starts_with(w))
        || matches!(
            lower.as_str(),
            "it" | "describe"
                | "def"
                | "fn"
                | "func"
                | "function"
                | "if"
                | "for"
                | "while"
                | "eq"
                | "be"
                | "raises"
                | "print"
                | "len"
                | "str"
                | "range"
                | "list"
                | "dict"
                | "set"
                | "int"
                | "errorf"
                | "fatalf"
                | "fatal"
                | "error"
                | "isequalto"
                | "unwrap"
                | "async"
        )
}
