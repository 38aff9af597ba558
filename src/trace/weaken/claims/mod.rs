//! What a test claims: its assertions, taken apart into what is looked at, how, and what is expected.

mod arguments;
mod calls;
mod chains;
mod expression;
mod lines;
mod rate;
mod rows;

use std::collections::HashMap;

use super::blocks::Blocks;
use super::lang::Lang;
use super::mask::Text;
use super::util::{hash, words};

/// What a claim is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClaimKind {
    /// An assertion.
    Assertion,
    /// A row of a parametrised test: inputs and what is expected of them.
    Row,
    /// A name that says that it is the expected value: `want := 3`. No assertion by itself.
    Expected,
    /// A call of a helper that checks something. It can stand in for assertions, but its loss proves nothing.
    Helper,
}

/// One claim.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) kind: ClaimKind,
    /// What is looked at, in canonical spelling.
    pub(super) subject: String,
    /// Where the subject's value comes from: two claims with the same subject and origin look at the same thing.
    pub(super) origin: u64,
    /// How it is compared, in lower case without underscores.
    pub(super) matcher: String,
    pub(super) negated: bool,
    pub(super) expected: String,
    /// 0 holds always, 1 that something is there, 2 that it is roughly so, 3 that it is exactly so.
    pub(super) strength: u8,
    /// The claim without its message.
    pub(super) canon: String,
    pub(super) line: usize,
    pub(super) last: usize,
    /// The test around it.
    pub(super) block: Option<usize>,
    /// It ends in `or True`.
    pub(super) or_true: bool,
}

/// How something is compared, from a matcher's name or an operator.
#[derive(Debug, Clone, Default)]
pub(super) struct Claimed {
    pub(super) kind: Option<ClaimKind>,
    pub(super) subject: String,
    pub(super) matcher: String,
    pub(super) expected: String,
    pub(super) negated: bool,
    pub(super) strength: u8,
    pub(super) or_true: bool,
    /// Lines that it takes.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// All claims of a text, in order.
pub(super) fn find(text: &Text<'_>, blocks: &Blocks) -> Vec<Claim> {
    let mut found = Vec::new();
    let mut origins = Origins::default();
    let mut next = 0;
    for line in 0..text.lines.len() {
        if line < next || text.idle(line) {
            continue;
        }
        let block = blocks.owner.get(line).copied().flatten();
        origins.enter(block);
        let mut here = lines::claims(text, line);
        if here.is_empty() {
            here = rows::claims(text, line, blocks);
        }
        if here.is_empty() {
            here = calls::claims(text, line);
        }
        next = here.iter().map(|c| c.last + 1).max().unwrap_or(0);
        if here.is_empty() {
            origins.note(text, line);
        }
        for claimed in here {
            let origin = origins.of(&claimed.subject);
            found.push(finish(claimed, origin, block));
        }
    }
    found
}

fn finish(c: Claimed, origin: u64, block: Option<usize>) -> Claim {
    let kind = c.kind.unwrap_or(ClaimKind::Assertion);
    let (matcher, expected, negated, mut strength) = rate::normal(c.matcher, c.expected, c.negated, c.strength);
    let same = !c.subject.is_empty() && c.subject == expected;
    let constant = super::value::is_bare_literal(&c.subject) && (expected.is_empty() || super::value::is_bare_literal(&expected));
    if kind == ClaimKind::Assertion && (c.or_true || same || constant) {
        strength = 0;
    }
    let canon = format!("{}\u{1}{matcher}\u{1}{negated}\u{1}{expected}", c.subject);
    Claim {
        kind,
        subject: c.subject,
        origin,
        matcher,
        negated,
        expected,
        strength,
        canon,
        line: c.first,
        last: c.last,
        block,
        or_true: c.or_true,
    }
}

/// See [`Claim::strength`], for a matcher by its name.
pub(super) fn strength(name: &str) -> u8 {
    rate::strength(&name.to_ascii_lowercase().replace('_', ""))
}

/// The name at a subject's beginning: `user` of `user.name()`.
pub(super) fn root(subject: &str) -> &str {
    // `len(x)`, `str(x)` and the like look at x.
    let mut rest = subject;
    for wrapper in [
        "len(", "str(", "repr(", "list(", "sorted(", "set(", "dict(", "type(", "int(", "bool(", "await ", "&", "*", "this.", "self.",
        "$this->", "raises:", "count(",
    ] {
        rest = rest.strip_prefix(wrapper).unwrap_or(rest);
    }
    words(rest).next().unwrap_or("")
}

/// Where local variables got their values from, within one test.
#[derive(Default)]
struct Origins {
    block: Option<usize>,
    known: HashMap<String, u64>,
}

impl Origins {
    fn enter(&mut self, block: Option<usize>) {
        if block != self.block {
            self.block = block;
            self.known.clear();
        }
    }

    /// The origin of all names in an expression.
    fn of(&self, expression: &str) -> u64 {
        words(expression).filter_map(|w| self.known.get(w)).fold(0, |sum: u64, h| sum.wrapping_mul(31).wrapping_add(*h))
    }

    /// Notes an assignment.
    fn note(&mut self, text: &Text<'_>, line: usize) {
        let bare = text.bare(line);
        let Some(at) = assignment(bare) else { return };
        let Some(start) = text.lines.get(line).map(|l| l.start) else { return };
        let Some(end) = text.lines.get(line).map(|l| l.end) else { return };
        let value = text.canon(start + at.1, end);
        let origin = hash(&value).wrapping_add(self.of(&value).rotate_left(7));
        let left = bare.get(..at.0).unwrap_or("");
        let typed = matches!(text.lang, Lang::Jvm | Lang::CSharp | Lang::C | Lang::Rust | Lang::Js | Lang::Python);
        let left = if typed { left.split(':').next().unwrap_or(left) } else { left };
        for name in words(left) {
            self.known.insert(name.to_owned(), origin);
        }
    }
}

/// The offsets of an assignment's operator and of its value.
pub(super) fn assignment(bare: &str) -> Option<(usize, usize)> {
    let bytes = bare.as_bytes();
    let mut depth = 0_i32;
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'=' if depth == 0 => {
                let before = i.checked_sub(1).and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
                let after = bytes.get(i + 1).copied().unwrap_or(b' ');
                if matches!(after, b'=' | b'>' | b'~')
                    || matches!(before, b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'|' | b'&' | b'%' | b'^')
                {
                    return None;
                }
                return Some((if before == b':' { i - 1 } else { i }, i + 1));
            }
            _ => {}
        }
    }
    None
}
