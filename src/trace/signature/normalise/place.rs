//! Marks behind which a place may stand: `auth.py:12:5`, `a.ts(12,5)`, `[3/12]`, `==812==`.

use super::super::text::{cut, digits_end, is_word, run, tail};
use super::{Level, Scan, path};

impl Scan<'_> {
    /// `auth.py`, `example.com`, `a.b`: a place may follow.
    pub(super) fn dot(&mut self) {
        if is_word(self.before(self.i)) && self.at(self.i + 1).is_ascii_alphabetic() {
            self.path = true;
            let ext = run(self.src, self.i + 1, |b| b.is_ascii_alphanumeric());
            self.file = ext - self.i <= 8 && path::is_source_extension(cut(self.src, self.i + 1, ext));
        }
    }

    /// `file.py:12`, `file.py:12:5`, `host.name:8080`, `localhost:3000`.
    pub(super) fn colon(&mut self) {
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
    pub(super) fn paren(&mut self) {
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
    pub(super) fn bracket(&mut self) {
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
    pub(super) fn equals(&mut self) {
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
