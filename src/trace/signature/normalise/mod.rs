//! Takes out of a line what changes from run to run, in one pass and without regular expressions: a whole output may be
//! megabytes, and a million short details are read in a second.
//!
//! The scanner walks over words and marks. Each place where something changeable can begin has one handler, which either
//! puts a placeholder in its stead or leaves it alone; what is left alone is copied in long stretches. A placeholder
//! (`<time>`, `#`) is itself left alone by every handler, so normalising twice changes nothing.

mod ident;
mod measure;
mod number;
mod path;
mod place;
mod time;

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

pub(super) use measure::is_duration;

use super::text::{byte, cut, digits_end, is_wide, run, starts_ci, tail, wide_len};

/// How much of a line is taken out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// What differs between two runs of the same thing: times, addresses, paths, ids. Counts, percentages and sizes
    /// stay, so that progress shows.
    Result,
    /// Also `[n/m]`, percentages and sizes. Each free-standing number stands between two marks, so that the coarse form
    /// can be had from this one without another pass: see `hashes`.
    Fine,
    /// Also free-standing numbers.
    Coarse,
}

const OPEN: u8 = 1;
const CLOSE: u8 = 2;

/// Fine and coarse hash of a text, from one pass. `scratch` is overwritten.
pub(super) fn hashes(text: &[u8], seed: u64, roots: &[&str], scratch: &mut Vec<u8>) -> (u64, u64) {
    scratch.clear();
    // Room for a few placeholders that are longer than what they replace.
    scratch.reserve(text.len() + 32);
    normalise(text, 0..0, Level::Fine, roots, scratch);
    let fine = xxh3_64_with_seed(scratch, seed);
    (fine, if to_coarse(scratch) { xxh3_64_with_seed(scratch, seed) } else { fine })
}

/// Turns a fine text into the coarse one. False where it has no free-standing number, and so is both.
fn to_coarse(text: &mut Vec<u8>) -> bool {
    let Some(first) = text.iter().position(|&b| b == OPEN) else {
        return false;
    };
    let (mut number, mut to) = (false, first);
    for from in first..text.len() {
        let b = match byte(text, from) {
            OPEN => {
                number = true;
                b'#'
            }
            CLOSE => {
                number = false;
                continue;
            }
            _ if number => continue,
            b => b,
        };
        if let Some(slot) = text.get_mut(to) {
            *slot = b;
            to += 1;
        }
    }
    text.truncate(to);
    true
}

/// Normalises `src` into `out`, but copies the range `keep` (a test id, a title) as it is, save for a workspace root at
/// its start.
pub(super) fn normalise(src: &[u8], keep: Range<usize>, level: Level, roots: &[&str], out: &mut Vec<u8>) {
    if keep.is_empty() {
        Scan::new(src, level, roots, out).run();
        return;
    }
    Scan::new(cut(src, 0, keep.start), level, roots, out).run();
    let id = cut(src, keep.start, keep.end);
    path::push_id(id, roots, out);
    let mut rest = Scan::new(tail(src, keep.end), level, roots, out);
    // `auth.py` may be the kept part and `:12` follow it.
    rest.path = id.contains(&b'.') || id.contains(&b'/');
    rest.file = rest.path;
    rest.inside = true;
    rest.run();
}

/// An id as it is hashed: verbatim, without the workspace root and without a line number after a file name.
pub(super) fn push_id(id: &[u8], roots: &[&str], out: &mut Vec<u8>) {
    path::push_id(id, roots, out);
}

const DIGIT: u8 = 1;
const HEX_LOWER: u8 = 2;
const HEX_UPPER: u8 = 4;
const LETTER: u8 = 8;
const UNDERSCORE: u8 = 16;
const SPACE: u8 = 32;
const MARK: u8 = 64;
const BREAK: u8 = 128;
const WORD: u8 = DIGIT | HEX_LOWER | HEX_UPPER | LETTER | UNDERSCORE;

/// What a byte is: one bit each, so that a word's kinds can be gathered by OR.
const KIND: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'f' => HEX_LOWER,
            b'A'..=b'F' => HEX_UPPER,
            b'g'..=b'z' | b'G'..=b'Z' => LETTER,
            b'_' => UNDERSCORE,
            b' ' | b'\t' | 0x0B | 0x0C => SPACE,
            b'/' | b'\\' | b':' | b'(' | b'[' | b'.' | b'%' | b'=' | b'$' => MARK,
            b'"' | b'\'' | b'`' | b')' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b';' | b'|' => BREAK,
            // Punctuation beyond ASCII; see `text::is_wide`.
            0xC2 | 0xE2 | 0xF0..=0xFF => BREAK,
            0x80..=0xFF => LETTER,
            _ => 0,
        };
        b += 1;
    }
    table
};

#[inline]
fn kind(b: u8) -> u8 {
    KIND.get(usize::from(b)).copied().unwrap_or(0)
}

struct Scan<'a> {
    src: &'a [u8],
    out: &'a mut Vec<u8>,
    level: Level,
    roots: &'a [&'a str],
    /// Where the scanner stands.
    i: usize,
    /// Start of what has been passed over and not yet copied.
    from: usize,
    /// The stretch since the last blank, quote or bracket looks like a path or a host: a `:12` after it is a place.
    path: bool,
    /// It ends in the extension of a source file: a `(12,5)` after it is a place.
    file: bool,
    /// It looks like a test id: its numbers are part of the name.
    id: bool,
    /// Up to here a path has been looked at, so that no byte is looked at again.
    path_end: usize,
    /// Where the last word with letters, or a number that belongs to one, ended: in `RUSTSEC-2024-0001` the numbers
    /// belong to the name.
    name_end: usize,
    /// Up to here the source has been replaced.
    gone: usize,
    /// This piece goes on where a kept range ended; its start is no boundary.
    inside: bool,
}

impl<'a> Scan<'a> {
    fn new(src: &'a [u8], level: Level, roots: &'a [&'a str], out: &'a mut Vec<u8>) -> Self {
        Self {
            src,
            out,
            level,
            roots,
            i: 0,
            from: 0,
            path: false,
            file: false,
            id: false,
            path_end: 0,
            name_end: usize::MAX,
            gone: 0,
            inside: false,
        }
    }

    fn run(mut self) {
        while let Some(&b) = self.src.get(self.i) {
            let k = kind(b);
            if k & DIGIT != 0 {
                self.number();
            } else if k & WORD != 0 {
                self.word();
            } else if k & SPACE != 0 {
                self.space();
            } else if k & MARK != 0 {
                self.mark(b);
            } else if k & BREAK != 0 {
                self.fresh();
                // A placeholder for a path is one.
                self.path = b == b'>' && cut(self.src, 0, self.i).ends_with(b"<tmp");
                self.i += if is_wide(b) { wide_len(b) } else { 1 };
            } else if b == OPEN || b == CLOSE {
                // Nobody but the scanner may set marks.
                self.replace(self.i, self.i + 1, b"");
            } else {
                self.i += 1;
            }
        }
        self.i = self.src.len();
        self.flush(self.i);
    }

    #[inline]
    fn at(&self, i: usize) -> u8 {
        byte(self.src, i)
    }

    /// The byte before `i` in what comes out, 0 at the start.
    #[inline]
    fn before(&self, i: usize) -> u8 {
        match i {
            0 => 0,
            _ if i == self.from => self.out.last().copied().unwrap_or(0),
            _ => self.at(i - 1),
        }
    }

    #[inline]
    fn fresh(&mut self) {
        self.path = false;
        self.file = false;
        self.id = false;
    }

    /// Copies what is pending up to `to`.
    fn flush(&mut self, to: usize) {
        let pending = cut(self.src, self.from, to);
        self.out.extend_from_slice(pending);
    }

    /// Puts `with` in the place of `start..end` and goes on behind it.
    fn replace(&mut self, start: usize, end: usize, with: &[u8]) {
        self.flush(start);
        self.out.extend_from_slice(with);
        self.go_on(end);
        if with.ends_with(b">") {
            self.fresh();
        }
    }

    /// Goes on at `at`; what stood before is no longer there for those who look back.
    fn go_on(&mut self, at: usize) {
        self.from = at;
        self.i = at;
        self.gone = at;
        self.name_end = usize::MAX;
    }

    /// A number that stands free at `start..end`.
    fn free(&mut self, start: usize, end: usize) {
        match self.level {
            Level::Coarse => self.replace(start, end, b"#"),
            Level::Fine => {
                self.flush(start);
                self.out.push(OPEN);
                self.out.extend_from_slice(cut(self.src, start, end));
                self.out.push(CLOSE);
                self.go_on(end);
            }
            Level::Result => {}
        }
    }

    /// Like `replace`, but a run of the same placeholder with blanks between becomes one: `<time> <time>`.
    fn replace_merged(&mut self, start: usize, end: usize, with: &[u8]) {
        self.flush(start);
        let joint = self.out.iter().rev().take(3).take_while(|b| matches!(b, b' ' | b',')).count();
        let body = self.out.len() - joint;
        if joint == 0 || !cut(self.out, 0, body).ends_with(with) {
            self.out.extend_from_slice(with);
        } else {
            self.out.truncate(body);
        }
        self.go_on(end);
        self.fresh();
    }

    /// Blanks are one blank in a signature: columns are padded by the width of their numbers.
    fn space(&mut self) {
        self.fresh();
        let start = self.i;
        self.i += 1;
        if self.level == Level::Result {
            return;
        }
        let end = run(self.src, self.i, |b| kind(b) & SPACE != 0);
        if end > self.i || self.at(start) != b' ' {
            self.flush(start);
            self.out.push(b' ');
            self.from = end;
            self.i = end;
        }
    }

    /// End of the word at `start`, and the kinds of its bytes.
    #[inline]
    fn word_at(&self, start: usize) -> (usize, u8) {
        let mut kinds = 0;
        let mut end = start;
        while let Some(&b) = self.src.get(end) {
            let k = kind(b) & WORD;
            if k == 0 {
                break;
            }
            kinds |= k;
            end += 1;
        }
        (end, kinds)
    }

    fn word(&mut self) {
        let start = self.i;
        let (end, kinds) = self.word_at(start);
        if !self.path && (starts_ci(tail(self.src, start), b"test") && !self.id) {
            self.id = true;
        }
        self.i = end;
        let len = end - start;
        if len == 1 {
            if self.at(end) == b':' && matches!(self.at(end + 1), b'\\' | b'/') {
                self.windows_path(start);
            }
        } else if len == 3 && kinds & DIGIT == 0 {
            // Before hashes: `Dec` and `Feb` are hex letters.
            if self.at(start).is_ascii_uppercase() {
                self.text_date(start);
            }
        } else if kinds & (LETTER | UNDERSCORE) == 0 {
            self.hexlike(start, end, kinds);
        } else if kinds & UNDERSCORE != 0 && (kinds & DIGIT != 0 || self.at(end) == b'-' || self.at(start) == b't') {
            self.underscored(start, end);
        } else if kinds & DIGIT != 0 {
            if self.at(start) == b'L' && self.before(start) == b'#' && digits_end(self.src, start + 1) == end {
                self.replace(start + 1, end, b"#");
            }
        } else if len == 8 && self.at(end) == b'-' {
            self.hyphen_id(start, end);
        }
        if self.from <= start {
            self.name_end = end;
        }
    }

    fn mark(&mut self, b: u8) {
        match b {
            b'/' => self.slash(),
            b'\\' => {
                self.path = true;
                self.i += 1;
            }
            b'.' => {
                self.dot();
                self.i += 1;
            }
            b':' => self.colon(),
            b'(' => self.paren(),
            b'[' => self.bracket(),
            b'%' | b'$' => self.variable(),
            b'=' => self.equals(),
            _ => self.i += 1,
        }
    }
}
