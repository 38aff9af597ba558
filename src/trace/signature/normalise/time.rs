//! Dates, clocks and epochs, wherever they stand in a message.

use super::super::text::{byte, cut, digits_end, is_word, letters_end, number, skip_blanks, tail};
use super::Scan;

const MONTHS: [&[u8]; 12] = [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
const WEEKDAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];

impl Scan<'_> {
    /// A time that begins with the digits `start..` of the word `start..end`.
    pub(super) fn time(&mut self, start: usize, end: usize) -> bool {
        let s = self.src;
        let digits = digits_end(s, start) - start;
        let stop = match digits {
            1 | 2 => clock(s, start).or_else(|| day_first(s, start)),
            4 => date(s, start).map(|d| with_clock(s, d)),
            8 if byte(s, start + 8) == b'T' => compact(s, start),
            10 | 13 | 16 | 19 => epoch(s, start, end),
            _ => None,
        };
        if let Some(stop) = stop {
            self.replace_merged(start, stop, b"<time>");
            return true;
        }
        let short = (1..=5).contains(&digits) && byte(s, start + digits) == b':';
        if short && let Some(stop) = self.pair(start, start + digits) {
            self.replace(start, stop, b"#:#");
            return true;
        }
        false
    }

    /// `12:34` as a time of day, and `12:5` where a line and a column stand: at the start of a line or in brackets.
    fn pair(&self, start: usize, colon: usize) -> Option<usize> {
        let end = digits_end(self.src, colon + 1);
        if end == colon + 1 || is_word(self.at(end)) || self.at(end) == b':' {
            return None;
        }
        let small = |from, to, limit| number(self.src, from).is_some_and(|(n, e)| e == to && n < limit);
        let of_day = end - colon == 3 && small(start, colon, 24) && small(colon + 1, end, 60);
        let place = (start == 0 && !self.inside) || self.before(start) == b'(';
        (of_day || place).then_some(end)
    }

    /// `Sat, 29 Nov 2026 08:00:00 GMT`, `Nov 29 08:00:00`, `Sat Nov 29 08:00:00 2026`. A month and a day alone are not
    /// enough: `May 5` may be anything.
    pub(super) fn text_date(&mut self, start: usize) {
        let s = self.src;
        let mut at = start;
        if WEEKDAYS.contains(&cut(s, at, at + 3)) {
            at += 3;
            if byte(s, at) == b',' {
                at += 1;
            }
            at = skip_blanks(s, at);
        }
        let stop = if MONTHS.contains(&cut(s, at, at + 3)) { month_first(s, at) } else { day_first(s, at) };
        if let Some(stop) = stop {
            self.replace_merged(start, stop, b"<time>");
        }
    }
}

fn month_first(s: &[u8], at: usize) -> Option<usize> {
    let day = skip_blanks(s, at + 3);
    let mut end = day_end(s, day)?;
    let known = end;
    if byte(s, end) == b',' {
        end += 1;
    }
    let next = skip_blanks(s, end);
    if let Some(y) = year_end(s, next) {
        return Some(with_clock(s, y));
    }
    let c = clock(s, skip_blanks(s, known))?;
    Some(year_end(s, skip_blanks(s, c)).unwrap_or(c))
}

/// `29 Nov 2026`, `29-Nov-2026`, `29/11/2026`, each with or without a clock.
fn day_first(s: &[u8], at: usize) -> Option<usize> {
    let end = day_end(s, at)?;
    let sep = byte(s, end);
    let year = if sep == b'/' {
        let month = digits_end(s, end + 1);
        (month > end + 1 && month - end <= 3 && byte(s, month) == b'/').then_some(month + 1)?
    } else {
        let named = matches!(sep, b' ' | b'-') && MONTHS.contains(&cut(s, end + 1, end + 4)) && byte(s, end + 4) == sep;
        named.then_some(end + 5)?
    };
    Some(with_clock(s, year_end(s, year)?))
}

fn day_end(s: &[u8], at: usize) -> Option<usize> {
    let (day, end) = number(s, at)?;
    ((1..=31).contains(&day) && end - at <= 2).then_some(end)
}

fn year_end(s: &[u8], at: usize) -> Option<usize> {
    let (year, end) = number(s, at)?;
    (end - at == 4 && (1970..2200).contains(&year) && !is_word(byte(s, end))).then_some(end)
}

/// `2026-11-29`, `2026/11/29`.
fn date(s: &[u8], at: usize) -> Option<usize> {
    let (year, end) = number(s, at)?;
    let sep = byte(s, end);
    if !(1970..2200).contains(&year) || !matches!(sep, b'-' | b'/') {
        return None;
    }
    let (month, end) = number(s, end + 1)?;
    if !(1..=12).contains(&month) || byte(s, end) != sep {
        return None;
    }
    let day = day_end(s, end + 1)?;
    let next = byte(s, day);
    let time_of_day = next == b'T' && byte(s, day + 1).is_ascii_digit();
    let goes_on = is_word(next) || (next == sep && is_word(byte(s, day + 1)));
    (time_of_day || !goes_on).then_some(day)
}

/// The end of a date that a clock may follow.
fn with_clock(s: &[u8], date: usize) -> usize {
    if !matches!(byte(s, date), b'T' | b' ' | b'_' | b',' | b':') {
        return date;
    }
    let at = skip_blanks(s, date + 1);
    clock(s, at).or_else(|| hour_minute(s, at).map(|e| zone(s, e))).unwrap_or(date)
}

/// `20261129T080000Z`
fn compact(s: &[u8], at: usize) -> Option<usize> {
    let (_, end) = number(s, at + 9)?;
    if end - at != 15 {
        return None;
    }
    let end = zone(s, fraction(s, end));
    (!is_word(byte(s, end))).then_some(end)
}

fn hour_minute(s: &[u8], at: usize) -> Option<usize> {
    let (hour, end) = number(s, at)?;
    let (minute, stop) = number(s, end + 1)?;
    (hour < 24 && end - at <= 2 && byte(s, end) == b':' && minute < 60 && stop - end == 3).then_some(stop)
}

/// `08:00:00`, with fraction, half of the day and zone. Seconds must be there: `12:34` alone may be a place.
fn clock(s: &[u8], at: usize) -> Option<usize> {
    let hour = digits_end(s, at);
    if hour == at || hour - at > 2 || byte(s, hour) != b':' {
        return None;
    }
    let minute = digits_end(s, hour + 1);
    if minute - hour != 3 || byte(s, minute) != b':' {
        return None;
    }
    let second = digits_end(s, minute + 1);
    if second - minute != 3 {
        return None;
    }
    let end = zone(s, fraction(s, second));
    (!is_word(byte(s, end))).then_some(end)
}

fn fraction(s: &[u8], at: usize) -> usize {
    let digits = digits_end(s, at + 1);
    // What goes on as a word is no fraction; only the zone may touch it.
    let ends = !is_word(byte(s, digits)) || byte(s, digits) == b'Z';
    if matches!(byte(s, at), b'.' | b',') && digits > at + 1 && ends { digits } else { at }
}

/// `Z`, ` UTC`, `+02:00`, ` +0000`, ` PM`.
fn zone(s: &[u8], at: usize) -> usize {
    let from = if byte(s, at) == b' ' { at + 1 } else { at };
    let word = cut(s, from, letters_end(s, from));
    if matches!(word, b"Z" | b"UTC" | b"GMT" | b"AM" | b"PM" | b"am" | b"pm" | b"CET" | b"CEST" | b"EST" | b"EDT" | b"PST" | b"PDT") {
        let end = from + word.len();
        return if is_word(byte(s, end)) { at } else { end };
    }
    if matches!(byte(s, from), b'+' | b'-') {
        let hours = digits_end(s, from + 1);
        if hours == from + 5 && !is_word(byte(s, hours)) {
            return hours;
        }
        if hours == from + 3 && byte(s, hours) == b':' && digits_end(s, hours + 1) == hours + 3 {
            return hours + 3;
        }
    }
    at
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, in the years 2014 to 2039.
fn epoch(s: &[u8], at: usize, end: usize) -> Option<usize> {
    let (lead, _) = number(cut(s, at, at + 2), 0)?;
    if !(14..=21).contains(&lead) || digits_end(s, at) != end {
        return None;
    }
    let stop = fraction(s, end);
    let next = tail(s, stop);
    (!is_word(byte(next, 0))).then_some(stop)
}
