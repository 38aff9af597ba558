//! Where the tests of a text begin and end.
//!
//! Ends are found by indentation in all languages: code that tools and models write is indented, and unlike brackets
//! indentation survives fragments that begin or end in the middle of a test.

use super::declare::{self, Declared};
use super::lang::Lang;
use super::mask::Text;
use super::util::balance;

/// A test, or a suite that holds tests.
#[derive(Debug)]
pub(super) struct Block {
    /// Its own name.
    pub(super) name: String,
    /// Its name after those of the suites around it.
    pub(super) id: String,
    pub(super) suite: bool,
    /// The first line of its decorators.
    pub(super) head: usize,
    /// The line that declares it.
    pub(super) decl: usize,
    /// The line behind its last one.
    pub(super) end: usize,
    /// Its declaration says that it is skipped.
    pub(super) skipped: bool,
    /// Its declaration says that only it is run.
    pub(super) only: bool,
}

/// All tests of a text.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) list: Vec<Block>,
    /// For each line the innermost test, by its place in `list`.
    pub(super) owner: Vec<Option<usize>>,
}

impl Blocks {
    /// The tests, without the suites.
    pub(super) fn tests(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.list.iter().enumerate().filter(|(_, b)| !b.suite)
    }

    /// The test around a line.
    pub(super) fn around(&self, line: usize) -> Option<&Block> {
        self.owner.get(line).copied().flatten().and_then(|i| self.list.get(i))
    }
}

/// What is open at a line.
struct Open {
    block: usize,
    indent: usize,
    /// Its `{` has been seen on a line of its own.
    braced: bool,
}

/// Finds the tests of a text.
pub(super) fn find(text: &Text<'_>) -> Blocks {
    let mut found = Blocks { list: Vec::new(), owner: vec![None; text.lines.len()] };
    let mut stack: Vec<Open> = Vec::new();
    let mut head: Option<usize> = None;
    let mut head_depth = 0;
    for i in 0..text.lines.len() {
        if text.idle(i) {
            set_owner(&mut found, &stack, i);
            continue;
        }
        let Some(line) = text.lines.get(i) else { continue };
        let bare = text.bare(i);
        let declared = declare::declared(text, i, head.unwrap_or(i));
        if head_depth > 0 && declared.is_none() {
            head_depth += balance(bare);
            continue;
        }
        head_depth = 0;
        let closed_here = close(text, i, line.indent, &mut stack, &mut found);
        if let Some(Declared { name, suite, skipped, only }) = declared {
            open(
                &mut found,
                &mut stack,
                Block { id: String::new(), name, suite, head: head.unwrap_or(i), decl: i, end: text.lines.len(), skipped, only },
                line.indent,
            );
            head = None;
        } else if declare::decorates(text.lang, bare) {
            head.get_or_insert(i);
            head_depth = balance(bare).max(0);
        } else {
            head = None;
        }
        if closed_here {
            continue;
        }
        set_owner(&mut found, &stack, i);
    }
    found
}

fn set_owner(found: &mut Blocks, stack: &[Open], line: usize) {
    let owner = stack.iter().rev().map(|o| o.block).find(|b| found.list.get(*b).is_some_and(|b| !b.suite));
    if let Some(slot) = found.owner.get_mut(line) {
        *slot = owner;
    }
}

fn open(found: &mut Blocks, stack: &mut Vec<Open>, mut block: Block, indent: usize) {
    let suites = stack.iter().filter_map(|o| found.list.get(o.block)).filter(|b| b.suite);
    block.id = suites.map(|b| b.name.as_str()).chain([block.name.as_str()]).collect::<Vec<_>>().join("::");
    let index = found.list.len();
    if !block.suite {
        for slot in found.owner.iter_mut().take(block.decl).skip(block.head) {
            *slot = Some(index);
        }
    }
    stack.push(Open { block: index, indent, braced: false });
    found.list.push(block);
}

/// Ends the blocks that a line ends. True where the line is the last one of a block.
fn close(text: &Text<'_>, i: usize, indent: usize, stack: &mut Vec<Open>, found: &mut Blocks) -> bool {
    let bare = text.bare(i).trim();
    let closer = bare.starts_with([')', ']', '}']) || matches!(text.lang, Lang::Ruby) && super::util::words(bare).next() == Some("end");
    while let Some(top) = stack.last_mut().filter(|top| indent <= top.indent) {
        if bare.starts_with('{') && !top.braced {
            top.braced = true;
            return false;
        }
        let carries_on = closer && (text.lang == Lang::Python || text.lang != Lang::Ruby && balance(bare) >= 0);
        if carries_on || text.lang == Lang::C && bare.starts_with('#') {
            return false;
        }
        let last = closer && indent == top.indent;
        let block = top.block;
        if last {
            set_owner(found, stack, i);
        }
        if let Some(b) = found.list.get_mut(block) {
            b.end = if last { i + 1 } else { i };
        }
        stack.pop();
        if last {
            return true;
        }
    }
    false
}
