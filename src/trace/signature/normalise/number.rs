//! Numbers: which are places, ports and process ids (taken out), which are codes and parts of names (kept), and which
//! stand free in the message (kept in fine, `#` in coarse).

use super::super::text::{cut, digits_end, has, is_word, run, tail};
use super::ident::is_hash;
use super::{DIGIT, HEX_LOWER, HEX_UPPER, LETTER, Scan, UNDERSCORE};

/// Words before a number that say that it is a place in a file or in a text.
const PLACES: [&[u8]; 12] =
    [b"line", b"lines", b"ln", b"lineno", b"col", b"column", b"columns", b"char", b"position", b"pos", b"offset", b"row"];
/// Words before a number that changes with every run.
const VOLATILE: [&[u8]; 7] = [b"pid", b"ppid", b"tid", b"process", b"thread", b"port", b"ports"];
/// Words before a number that is an error code.
const CODES: [&[u8]; 10] = [b"http", b"status", b"code", b"errno", b"signal", b"exit", b"exitcode", b"sqlstate", b"statuscode", b"oserror"];
/// What follows a status code in a status line.
const REASONS: [&[u8]; 12] = [
    b"Not ",
    b"Internal ",
    b"Too Many",
    b"Service ",
    b"Bad ",
    b"Unauthorized",
    b"Forbidden",
    b"Gateway ",
    b"Conflict",
    b"Gone",
    b"Method ",
    b"Unprocessable",
];
impl<'a> Scan<'a> {
    pub(super) fn number(&mut self) {
        let start = self.i;
        let (end, kinds) = self.word_at(start);
        self.i = end;
        if self.at(start) == b'0' && matches!(self.at(start + 1), b'x' | b'X') {
            self.address(start, end);
            return;
        }
        if kinds & (LETTER | UNDERSCORE) == 0 && end - start >= 7 {
            if self.uuid(start) {
                return;
            }
            let hash = kinds & (HEX_LOWER | HEX_UPPER) != 0 && is_hash(cut(self.src, start, end), kinds);
            if (hash && self.hash_may_stand(start, end)) || (kinds == DIGIT && self.announced_hash(start, end)) {
                self.replace(start, end, b"<hash>");
                return;
            }
        }
        if self.belongs_to_name(start) {
            self.name_end = end;
            return;
        }
        let literal = self.literal_end(start);
        let before = self.word_before(start);
        if let Some(stop) = literal
            && (self.measure(start, stop) || self.context(start, stop, before))
        {
            return;
        }
        if self.time(start, end) {
            return;
        }
        match literal {
            None => self.version(start),
            Some(stop) if is_word(self.at(stop)) => self.suffixed(start, stop),
            Some(stop) => self.plain(start, stop, before),
        }
    }

    /// `0x7ffe12ab`, and `+0x1d` as it stands in traces. Short ones are values.
    fn address(&mut self, start: usize, end: usize) {
        let digits = cut(self.src, start + 2, end);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
            self.name_end = end;
        } else if digits.len() >= 5 || matches!(self.before(start), b'+' | b'@') || self.word_before(start) == b"at" {
            self.replace(start, end, b"<addr>");
        } else if !self.id {
            self.free(start, end);
        }
    }

    /// `utf-8`, `case/3`, `pkg@1`, `test_x[3-foo]`: the number is part of a name.
    fn belongs_to_name(&self, start: usize) -> bool {
        let before = self.before(start);
        let joined = matches!(before, b'-' | b'.' | b'/' | b'\\' | b'@' | b'~' | b'^');
        (joined && start.checked_sub(1) == Some(self.name_end))
            || (self.id && matches!(before, b'[' | b'-' | b'/' | b'.' | b',' | b'#' | b'+'))
    }

    /// End of the numeral at `start`: digits with `_` or `,` between groups, a fraction, an exponent. None for what has
    /// two dots or more: that is a version or an IP address.
    fn literal_end(&self, start: usize) -> Option<usize> {
        let s = self.src;
        let mut end = digits_end(s, start);
        while self.at(end) == b'_' && self.at(end + 1).is_ascii_digit() {
            end = digits_end(s, end + 1);
        }
        // `1,234`, but `[1,234]` and `(5,100)` are lists.
        if end - start <= 3 && !matches!(self.before(start), b'[' | b'(' | b'{' | b',') {
            while self.at(end) == b',' && digits_end(s, end + 1) == end + 4 {
                end += 4;
            }
        }
        if self.at(end) == b'.' && self.at(end + 1).is_ascii_digit() {
            end = digits_end(s, end + 1);
            if self.at(end) == b'.' && self.at(end + 1).is_ascii_digit() {
                return None;
            }
        }
        if matches!(self.at(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.at(end + 1), b'-' | b'+'));
            let exponent = digits_end(s, end + 1 + sign);
            if exponent > end + 1 + sign && !is_word(self.at(exponent)) {
                end = exponent;
            }
        }
        Some(end)
    }

    /// `1.2.3`, `10.0.0.7`: kept, and a `:8080` behind it is a port.
    fn version(&mut self, start: usize) {
        let mut end = digits_end(self.src, start);
        while self.at(end) == b'.' && self.at(end + 1).is_ascii_digit() {
            end = digits_end(self.src, end + 1);
        }
        end = run(self.src, end, is_word);
        self.path = true;
        self.name_end = end;
        self.i = end;
    }

    /// Takes out a number that the word before it calls a place, a process, a port or a seed.
    fn context(&mut self, start: usize, end: usize, before: &[u8]) -> bool {
        let volatile = is_one_of(before, &PLACES) || is_one_of(before, &VOLATILE) || is_seed(before);
        if !volatile || is_word(self.at(end)) {
            return false;
        }
        let mut stop = end;
        while matches!(self.at(stop), b'-' | b':') && self.at(stop + 1).is_ascii_digit() {
            stop = digits_end(self.src, stop + 1);
        }
        self.replace(start, stop, b"#");
        true
    }

    fn plain(&mut self, start: usize, end: usize, before: &[u8]) {
        self.i = end;
        let near = |b: u8| self.before(start) == b;
        let log_tag = near(b'[') && is_word(self.before(start - 1)) && cut(self.src, end, end + 2) == b"]:";
        if log_tag || (near(b'(') && tail(self.src, end).starts_with(b") panicked")) {
            self.replace(start, end, b"#");
            return;
        }
        // `3-foo`, `10.spec.ts`, `2/a1`: it begins a name.
        let joins = matches!(self.at(end), b'-' | b'/' | b'\\' | b'.');
        let names_on = joins && (self.word_at(end + 1).1 & !DIGIT != 0 || self.at(end + 1) == b'<');
        if names_on {
            self.name_end = end;
        } else if !self.is_code(start, end, before) {
            self.free(self.sign(start), end);
        }
    }

    /// `HTTP/1.1 404`, `status code 500`, `[Errno 13]`, `404 Not Found`: a code tells failures apart.
    fn is_code(&self, start: usize, end: usize, before: &[u8]) -> bool {
        if is_one_of(before, &[b"error", b"err"]) {
            // `Error 2` and `HTTP error: 404` are codes, `Error: 5 tests failed` counts.
            let close = start < 2 || is_word(self.at(start - 2));
            let alone = end - start == 3
                && matches!(self.before(start), b' ' | b':')
                && !(self.at(end) == b' ' && self.at(end + 1).is_ascii_lowercase());
            return close || alone;
        }
        let version = matches!(before, [b'0'..=b'9']) && has(cut(self.src, start.saturating_sub(10), start), b"HTTP/");
        if version || is_one_of(before, &CODES) {
            return true;
        }
        let next = tail(self.src, end + 1);
        end - start == 3 && self.at(end) == b' ' && REASONS.iter().any(|r| next.starts_with(r))
    }

    /// Where a number with its sign begins.
    pub(super) fn sign(&self, start: usize) -> usize {
        if start == 0 || !matches!(self.before(start), b'-' | b'+') {
            return start;
        }
        match self.before(start - 1) {
            0 if !self.inside => start - 1,
            b' ' | b'\t' | b'(' | b'[' | b'=' | b',' | b':' | b'<' | b'>' | b'"' | b'\'' | b'`' => start - 1,
            _ => start,
        }
    }

    /// The word before the number at `i`, with at most three separators between: `port: 53412`, `--seed=7`, `line 3`.
    /// A run of blanks is one separator, since it becomes one blank.
    pub(super) fn word_before(&self, i: usize) -> &'a [u8] {
        let near = cut(self.src, self.gone.max(i.saturating_sub(48)), i);
        let blanks = |s: &'a [u8]| cut(s, 0, s.iter().rposition(|b| !matches!(b, b' ' | b'\t')).map_or(0, |p| p + 1));
        let mut head = blanks(near);
        for _ in 0..3 {
            let [rest @ .., b':' | b'=' | b'(' | b'"' | b'\''] = head else {
                break;
            };
            head = blanks(rest);
        }
        if head.len() == near.len() {
            return &[];
        }
        tail(head, head.iter().rposition(|&b| !is_word(b)).map_or(0, |p| p + 1))
    }
}

fn is_one_of(word: &[u8], list: &[&[u8]]) -> bool {
    (2..=10).contains(&word.len()) && list.iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// `seed`, `random_seed`, `PYTHONHASHSEED`.
fn is_seed(word: &[u8]) -> bool {
    word.len() >= 4 && tail(word, word.len() - 4).eq_ignore_ascii_case(b"seed")
}
