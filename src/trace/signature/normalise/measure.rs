//! Numbers with a unit: durations, sizes, percentages.

use super::super::text::{byte, cut, digits_end, is_word, letters_end, run, skip_blanks, starts_ci, tail};
use super::{Level, Scan};

/// Endings of a number that are units of measure and no part of a name.
const SUFFIXES: [&[u8]; 9] = [b"px", b"em", b"rem", b"x", b"k", b"K", b"M", b"pt", b"fps"];
const SECONDS: [&[u8]; 17] = [
    b"ns",
    b"us",
    b"ms",
    b"s",
    b"sec",
    b"secs",
    b"second",
    b"seconds",
    b"msec",
    b"msecs",
    b"millis",
    b"millisecond",
    b"milliseconds",
    b"microseconds",
    b"nanoseconds",
    b"\xC2\xB5s",
    b"\xCE\xBCs",
];
const MINUTES_AND_UP: [&[u8]; 12] =
    [b"min", b"mins", b"minute", b"minutes", b"hr", b"hrs", b"hour", b"hours", b"day", b"days", b"weeks", b"week"];
const SIZES: [&[u8]; 18] = [
    b"B", b"kB", b"KB", b"MB", b"GB", b"TB", b"KiB", b"MiB", b"GiB", b"TiB", b"byte", b"bytes", b"Bytes", b"kb", b"mb", b"gb", b"kbytes",
    b"Mb",
];

impl Scan<'_> {
    /// Durations, sizes and percentages.
    pub(super) fn measure(&mut self, start: usize, end: usize) -> bool {
        if let Some(stop) = duration_end(self.src, start, end) {
            self.replace_merged(self.sign(start), stop, b"<duration>");
            return true;
        }
        if self.level == Level::Result {
            return false;
        }
        let unit = skip_blanks(self.src, end);
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
    pub(super) fn suffixed(&mut self, start: usize, end: usize) {
        let stop = run(self.src, end, is_word);
        if !self.id && SUFFIXES.contains(&cut(self.src, end, stop)) {
            self.free(self.sign(start), end);
        }
        self.i = stop;
        self.name_end = stop;
    }
}

/// Is `s` a duration and nothing else?
pub(in super::super) fn is_duration(s: &[u8]) -> bool {
    let digits = run(s, 0, |b| b.is_ascii_digit() || b == b'.');
    byte(s, 0).is_ascii_digit() && duration_end(s, 0, digits) == Some(s.len())
}

/// End of the durations that begin with the number `start..end`: `0.53s`, `12 ms`, `1m 3s`, `2 minutes and 5 seconds`.
/// Single letters other than `s` count only where they touch the number, and `d` only with more behind it.
fn duration_end(s: &[u8], start: usize, end: usize) -> Option<usize> {
    /// Days to nanoseconds is the longest there is; a limit keeps a line of nothing but `1d 1d 1d` from being read
    /// again at each of them.
    const PARTS: usize = 7;
    let mut best = None;
    let mut number = (start, end);
    for _ in 0..PARTS {
        let Some((stop, alone)) = unit_end(s, number.1) else {
            return best;
        };
        let glued = is_word(byte(s, stop));
        if alone && !glued {
            best = Some(stop);
        }
        match next_number(s, stop) {
            Some(next) => number = next,
            None => return best,
        }
    }
    best
}

/// End of the unit behind a number, and whether it makes a duration without company.
fn unit_end(s: &[u8], end: usize) -> Option<(usize, bool)> {
    let from = skip_blanks(s, end);
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
        b"m" | b"h" if from == end => Some((letters, true)),
        b"d" if from == end => Some((letters, false)),
        _ => None,
    }
}

/// A further number behind a duration's part, at once or after a blank, a comma or `and`.
fn next_number(s: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    if byte(s, at) == b',' {
        at += 1;
    }
    if byte(s, at) == b' ' || byte(s, at) == b'\t' {
        at = skip_blanks(s, at);
        if starts_ci(tail(s, at), b"and ") {
            at = skip_blanks(s, at + 4);
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
