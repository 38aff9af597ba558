//! Numbers: which are places, ports and process ids (taken out), which are codes and parts of names (kept), and which
//! stand free in the message (kept in fine, `#` in coarse).

use super::super::text::{byte, cut, digits_end, has, is_word, letters_end, run, starts_ci, tail};
use super::ident::is_hash;
use super::{DIGIT, HEX_LOWER, HEX_UPPER, LETTER, Level, Scan, UNDERSCORE};

/// Words before a number that say that it is a place in a file or in a text.
const PLACES: [&[u8]; 12] =
    [b"line", b"lines", b"ln", b"lineno", b"col", b"column", b"columns", b"char", b"position", b"pos", b"offset", b"row"];
/// Words before a number that changes with every run.
const VOLATILE: [&[u8]; 7] = [b"pid", b"ppid", b"tid", b"process", b"thread", b"port", b"ports"];
/// Words before a number that is an error code.
const CODES: [&[u8]; 10] = [
    b"http", b"status", b"code", b"errno", b"signal", b"exit", b"exitcode", b"sqlstate", b"statuscode",
    b"oserror",
];
/// What follows a status code in a status line.
const REASONS: [&[u8]; 12] = [
    b"Not ", b"Internal ", b"Too Many", b"Service ", b"Bad ", b"Unauthorized", b"Forbidden", b"Gateway ", b"Conflict", b"Gone",
    b"Method ", b"Unprocessable",
];
/// Endings of a number that are units of measure and no part of a name.
const SUFFIXES: [&[u8]; 9] = [b"px", b"em", b"rem", b"x", b"k", b"K", b"M", b"pt", b"fps"];
const SECONDS: [&[u8]; 17] = [
    b"ns", b"us", b"ms", b"s", b"sec", b"secs", b"second", b"seconds", b"msec", b"msecs", b"millis", b"millisecond",
    b"milliseconds", b"microseconds", b"nanoseconds", b"\xC2\xB5s", b"\xCE\xBCs",
];
const MINUTES_AND_UP: [&[u8]; 12] = [
    b"min", b"mins", b"minute", b"minutes", b"hr", b"hrs", b"hour", b"hours", b"day", b"days", b"weeks", b"week",
];
const SIZES: [&[u8]; 18] = [
    b"B", b"kB", b"KB", b"MB", b"GB", b"TB", b"KiB", b"MiB", b"GiB", b"TiB", b"byte", b"bytes", b"Bytes", b"kb", b"mb", b"gb",
    b"kbytes", b"Mb",
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
        if self.time(start, end) {
            return;
        }
        let Some(end) = self.literal_end(start) else {
            self.version(start);
            return;
        };
        if self.measure(start, end) {
            return;
        }
        if is_word(self.at(end)) {
            self.suffixed(start, end);
            return;
        }
        self.plain(start, end);
    }

    /// `0x7ffe12ab`, and `+0x1d` as it stands in traces. Short ones are values.
    fn address(&mut self, start: usize, end: usize) {
        let digits = cut(self.src, start + 2, end);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
            self.name_end = end;
        } else if digits.len() >= 5 || matches!(self.before(start), b'+' | b'@') || self.word_before(start) == b"at" {
            self.replace(start, end, b"<addr>");
        } else if self.level == Level::Coarse && !self.id {
            self.replace(start, end, b"#");
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

    /// Durations, sizes and percentages.
    fn measure(&mut self, start: usize, end: usize) -> bool {
        if let Some(stop) = duration_end(self.src, start, end) {
            self.replace_merged(self.sign(start), stop, b"<duration>");
            return true;
        }
        if self.level == Level::Result {
            return false;
        }
        let unit = run(self.src, end, |b| b == b' ');
        if unit > end + 1 {
            return false;
        }
        if self.at(unit) == b'%' {
            self.replace(self.sign(start), unit + 1, b"#%");
            return true;
        }
        let stop = letters_end(self.src, unit);
        if stop > unit && !is_word(self.at(stop)) && SIZES.contains(&cut(self.src, unit, stop)) {
            self.replace(start, stop, b"<size>");
            return true;
        }
        false
    }

    /// `12px` is a measure, `3rd` and `4xx` are names.
    fn suffixed(&mut self, start: usize, end: usize) {
        let stop = run(self.src, end, is_word);
        if self.level == Level::Coarse && !self.id && SUFFIXES.contains(&cut(self.src, end, stop)) {
            self.replace(self.sign(start), end, b"#");
        }
        self.i = stop;
        self.name_end = stop;
    }

    fn plain(&mut self, start: usize, end: usize) {
        self.i = end;
        let before = self.word_before(start);
        if is_one_of(before, &PLACES) || is_one_of(before, &VOLATILE) || is_seed(before) {
            let mut stop = end;
            while self.at(stop) == b'-' && self.at(stop + 1).is_ascii_digit() {
                stop = digits_end(self.src, stop + 1);
            }
            self.replace(start, stop, b"#");
            return;
        }
        let near = |b: u8| self.before(start) == b;
        let log_tag = near(b'[') && start >= 2 && is_word(self.at(start - 2)) && cut(self.src, end, end + 2) == b"]:";
        if log_tag || (near(b'(') && tail(self.src, end).starts_with(b") panicked")) {
            self.replace(start, end, b"#");
            return;
        }
        let after = self.at(end);
        let names_on = matches!(after, b'-' | b'/' | b'\\' | b'.') && (self.at(end + 1).is_ascii_alphabetic() || self.at(end + 1) == b'_');
        if names_on {
            self.name_end = end;
        } else if self.level == Level::Coarse && !self.is_code(start, end, before) {
            self.replace(self.sign(start), end, b"#");
        }
    }

    /// `HTTP/1.1 404`, `status code 500`, `[Errno 13]`, `404 Not Found`: a code tells failures apart.
    fn is_code(&self, start: usize, end: usize, before: &[u8]) -> bool {
        if is_one_of(before, &[b"error", b"err"]) {
            // `Error 2` and `HTTP error: 404` are codes, `Error: 5 tests failed` counts.
            let close = start - before.len() < 2 || is_word(self.at(start - 2));
            let alone = end - start == 3 && !(self.at(end) == b' ' && self.at(end + 1).is_ascii_lowercase());
            return close || alone;
        }
        if is_one_of(before, &CODES) || has(cut(self.src, start.saturating_sub(10), start), b"HTTP/") {
            return true;
        }
        let next = tail(self.src, end + 1);
        end - start == 3 && self.at(end) == b' ' && REASONS.iter().any(|r| next.starts_with(r))
    }

    /// Where a number with its sign begins.
    fn sign(&self, start: usize) -> usize {
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
    pub(super) fn word_before(&self, i: usize) -> &'a [u8] {
        let mut end = i;
        while i - end < 3 && matches!(self.before(end), b' ' | b':' | b'=' | b'(' | b'"' | b'\'') {
            end -= 1;
        }
        if end == i {
            return &[];
        }
        let mut start = end;
        while end - start < 24 && is_word(self.before(start)) {
            start -= 1;
        }
        cut(self.src, start, end)
    }
}

fn is_one_of(word: &[u8], list: &[&[u8]]) -> bool {
    (2..=10).contains(&word.len()) && list.iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// `seed`, `random_seed`, `PYTHONHASHSEED`.
fn is_seed(word: &[u8]) -> bool {
    word.len() >= 4 && tail(word, word.len() - 4).eq_ignore_ascii_case(b"seed")
}

/// End of the durations that begin with the number `start..end`: `0.53s`, `12 ms`, `1m 3s`, `2 minutes and 5 seconds`.
/// Single letters other than `s` count only where they touch the number, and `d` only with more behind it.
fn duration_end(s: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut best = None;
    let mut number = (start, end);
    loop {
        let (stop, alone) = unit_end(s, number.1)?;
        if is_word(byte(s, stop)) && !byte(s, stop).is_ascii_digit() {
            return best;
        }
        if alone {
            best = Some(stop);
        }
        let next = next_number(s, stop);
        let Some(next) = next else { return best };
        if unit_end(s, next.1).is_none() {
            return if is_word(byte(s, stop)) { None } else { best };
        }
        number = next;
    }
}

/// End of the unit behind a number, and whether it makes a duration without company.
fn unit_end(s: &[u8], end: usize) -> Option<(usize, bool)> {
    let spaced = usize::from(byte(s, end) == b' ');
    let from = end + spaced;
    let letters = match byte(s, from) {
        0xC2 | 0xCE => letters_end(s, from + 2),
        _ => letters_end(s, from),
    };
    let unit = cut(s, from, letters);
    if unit.is_empty() || unit.len() > 12 || byte(s, letters) == b'_' {
        return None;
    }
    if SECONDS.contains(&unit) || MINUTES_AND_UP.contains(&unit) {
        return Some((letters, true));
    }
    match unit {
        b"m" | b"h" if spaced == 0 => Some((letters, true)),
        b"d" if spaced == 0 => Some((letters, false)),
        _ => None,
    }
}

/// A further number behind a duration's part, at once or after a blank, a comma or `and`.
fn next_number(s: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    if byte(s, at) == b',' {
        at += 1;
    }
    if byte(s, at) == b' ' {
        at += 1;
        if starts_ci(tail(s, at), b"and ") {
            at += 4;
        }
    } else if at != from {
        return None;
    }
    let mut end = digits_end(s, at);
    if end == at {
        return None;
    }
    if byte(s, end) == b'.' && byte(s, end + 1).is_ascii_digit() {
        end = digits_end(s, end + 1);
    }
    Some((at, end))
}
