//! Takes out of a line what changes from run to run, in one pass and without regular expressions: a whole output may be
//! megabytes, and a million short details are read in a second.
//!
//! The scanner walks over words and marks. Each place where something changeable can begin has one handler, which either
//! puts a placeholder in its stead or leaves it alone; what is left alone is copied in long stretches. A placeholder
//! (`<time>`, `#`) is itself left alone by every handler, so normalising twice changes nothing.

mod ident;
mod number;
mod path;
mod time;

use std::ops::Range;

use super::text::{byte, cut, digits_end, is_wide, is_word, run, starts_ci, tail, wide_len};

/// How much of a line is taken out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// What differs between two runs of the same thing: times, addresses, paths, ids. Counts, percentages and sizes
    /// stay, so that progress shows.
    Result,
    /// Also `[n/m]`, percentages and sizes.
    Fine,
    /// Also free-standing numbers.
    Coarse,
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
                self.i += if is_wide(b) { wide_len(b) } else { 1 };
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

    /// The byte before `i`, 0 at the start.
    #[inline]
    fn before(&self, i: usize) -> u8 {
        i.checked_sub(1).map_or(0, |p| self.at(p))
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
    }

    fn go_on(&mut self, at: usize) {
        self.from = at;
        self.i = at;
        self.name_end = usize::MAX;
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
            self.replace(start, end, b" ");
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
        self.name_end = end;
        let len = end - start;
        if len == 1 {
            if self.at(end) == b':' && matches!(self.at(end + 1), b'\\' | b'/') {
                self.windows_path(start);
            }
        } else if kinds & (LETTER | UNDERSCORE) == 0 {
            self.hexlike(start, end, kinds);
        } else if kinds & UNDERSCORE != 0 && (kinds & DIGIT != 0 || self.at(end) == b'-') {
            self.underscored(start, end);
        } else if kinds & DIGIT != 0 {
            if self.at(start) == b'L' && self.before(start) == b'#' && digits_end(self.src, start + 1) == end {
                self.replace(start + 1, end, b"#");
            }
        } else if len == 8 && self.at(end) == b'-' {
            self.hyphen_id(start, end);
        } else if len == 3 && self.at(start).is_ascii_uppercase() {
            self.text_date(start);
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

    /// `auth.py`, `example.com`, `a.b`: a place may follow.
    fn dot(&mut self) {
        if is_word(self.before(self.i)) && self.at(self.i + 1).is_ascii_alphabetic() {
            self.path = true;
            let ext = run(self.src, self.i + 1, |b| b.is_ascii_alphanumeric());
            self.file = ext - self.i <= 8 && path::is_source_extension(cut(self.src, self.i + 1, ext));
        }
    }

    /// `file.py:12`, `file.py:12:5`, `host.name:8080`, `localhost:3000`.
    fn colon(&mut self) {
        let at = self.i;
        let placed = self.path
            || cut(self.src, at.saturating_sub(9), at).eq_ignore_ascii_case(b"localhost")
            || (self.before(at) == b']' && self.ipv6_before(at));
        if self.at(at + 1) == b':' {
            self.id = self.id || is_word(self.before(at));
            self.i += 2;
            return;
        }
        if placed && self.at(at + 1) == b'[' && self.at(at + 2).is_ascii_digit() {
            // Maven: `A.java:[12,5]`.
            let end = run(self.src, at + 2, |b| b.is_ascii_digit() || b == b',');
            if self.at(end) == b']' {
                self.replace(at + 2, end, b"#");
                return;
            }
        }
        let mut end = at;
        if placed {
            while self.at(end) == b':' && self.at(end + 1).is_ascii_digit() {
                let digits = digits_end(self.src, end + 1);
                if is_word(self.at(digits)) {
                    break;
                }
                end = digits;
            }
            while end > at && matches!(self.at(end), b'-' | b'.' | b',') && self.at(end + 1).is_ascii_digit() {
                end = digits_end(self.src, end + 1);
            }
        }
        if end > at {
            self.replace(at + 1, end, b"#");
        } else {
            self.i += 1;
        }
    }

    /// `[::1]:8080`
    fn ipv6_before(&self, at: usize) -> bool {
        let head = cut(self.src, at.saturating_sub(42), at - 1);
        let open = head.iter().rposition(|&b| b == b'[').map_or(head.len(), |p| p + 1);
        let inside = tail(head, open);
        inside.contains(&b':') && inside.iter().all(|&b| b == b':' || b.is_ascii_hexdigit())
    }

    /// `file.ts(12,5)`, `file.cs(12)`.
    fn paren(&mut self) {
        let open = self.i;
        let place = self.file && self.at(open + 1).is_ascii_digit();
        self.fresh();
        self.i += 1;
        if place {
            let end = run(self.src, open + 1, |b| b.is_ascii_digit() || matches!(b, b',' | b':' | b'-'));
            if self.at(end) == b')' {
                self.replace(open + 1, end, b"#");
            }
        }
    }

    /// `[3/12]` is progress; it goes where progress is not asked for.
    fn bracket(&mut self) {
        let open = self.i;
        let in_id = self.id;
        if !in_id {
            self.fresh();
        }
        self.i += 1;
        if self.level == Level::Result || in_id {
            return;
        }
        let blank = |s: &Self, i| run(s.src, i, |b| b == b' ');
        let first = blank(self, open + 1);
        let mid = digits_end(self.src, first);
        let slash = blank(self, mid);
        if mid > first && cut(self.src, slash, slash + 2) == b"%]" {
            self.replace(open, slash + 2, b"[#%]");
            return;
        }
        if mid == first || self.at(slash) != b'/' {
            return;
        }
        let second = blank(self, slash + 1);
        let end = digits_end(self.src, second);
        let close = blank(self, end);
        if end > second && self.at(close) == b']' {
            self.replace(open, close + 1, b"[#/#]");
        }
    }

    /// `==12345==`, as memory checkers begin their lines.
    fn equals(&mut self) {
        self.fresh();
        let at = self.i;
        self.i += 1;
        if self.at(at + 1) == b'=' && self.before(at) != b'=' {
            let end = digits_end(self.src, at + 2);
            if end > at + 2 && self.at(end) == b'=' && self.at(end + 1) == b'=' {
                self.replace(at + 2, end, b"#");
                self.i += 2;
            }
        }
    }
}
