//! From lines to the text of records: shared by rollouts and streams.

use crate::format::json;
pub(super) use crate::format::lines::Was;
use crate::input::Lines;
use crate::trace::{Builder, Place};
use serde_json::value::RawValue;
use std::io;

/// Hands the text of every record to `take`, in the order of the file.
pub(super) fn each(
    lines: &mut Lines<'_>,
    out: &mut Builder,
    shell: bool,
    mut take: impl FnMut(&str, Place, &mut Builder) -> Was,
) -> io::Result<()> {
    crate::format::lines::each(lines, out, shell, |line, place, out| records(line, place, out, &mut take))
}

/// Reads the records of a line; two may stand on one. `false`, with nothing taken, where the line is not JSON objects.
fn records(line: &[u8], place: Place, out: &mut Builder, take: &mut impl FnMut(&str, Place, &mut Builder) -> Was) -> bool {
    let object = |value: &RawValue| value.get().starts_with('{') && readable(value.get());
    let mut values = json::values::<&RawValue>(line);
    let Some(Ok(first)) = values.next() else { return false };
    let Ok(more) = values.collect::<Result<Vec<_>, _>>() else { return false };
    if !object(first) || !more.iter().all(|v| object(v)) {
        return false;
    }
    for record in std::iter::once(first).chain(more) {
        take(record.get(), place, out).count(out);
    }
    true
}

/// A raw value is only known to be well-formed; halves of surrogate pairs in its strings fail when a part is read. Such a
/// line is to be mended first.
fn readable(text: &str) -> bool {
    let lone = |at: usize| {
        let unit = |s: &str| s.strip_prefix("\\u").and_then(|s| s.get(..4)).and_then(|h| u16::from_str_radix(h, 16).ok());
        let before = text[..at].bytes().rev().take_while(|b| *b == b'\\').count();
        match text.get(at..).and_then(unit) {
            _ if before % 2 == 1 => false,
            Some(0xD800..=0xDBFF) => !matches!(text.get(at + 6..).and_then(unit), Some(0xDC00..=0xDFFF)),
            Some(0xDC00..=0xDFFF) => !matches!(at.checked_sub(6).and_then(|b| text.get(b..at)).and_then(unit), Some(0xD800..=0xDBFF)),
            _ => false,
        }
    };
    // Nearly no line has such an escape at all.
    !["\\ud", "\\uD"].iter().any(|escape| text.match_indices(escape).any(|(at, _)| lone(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], shell: bool) -> (Vec<String>, crate::trace::Ledger) {
        let (mut out, mut buffer, mut got) = (Builder::new(), bytes.to_vec(), Vec::new());
        let mut lines = Lines::in_memory(&mut buffer);
        each(&mut lines, &mut out, shell, |record, _, _| {
            got.push(record.to_owned());
            Was::Known
        })
        .unwrap();
        let ledger = out.ledger().clone();
        assert_eq!(ledger.lines, ledger.read + ledger.blank + ledger.salvaged + ledger.lost);
        (got, ledger)
    }

    #[test]
    fn every_line_ends_in_one_class() {
        let (got, ledger) = read(b"{\"a\":1}{\"a\":2}\n\n[1]\nnoise\n{\"a\":\"\\ud83d\"}\n{\"a\":\"\xff\"}\n{\"a\":", false);
        assert_eq!(got, ["{\"a\":1}", "{\"a\":2}", "{\"a\":\"\\ufffd\"}", "{\"a\":\"\u{fffd}\"}"]);
        assert_eq!((ledger.lines, ledger.read, ledger.blank, ledger.salvaged, ledger.lost), (7, 1, 1, 2, 3));
        assert!(ledger.torn_tail);
    }

    #[test]
    fn text_of_the_shell_is_read_and_unknown() {
        let (got, ledger) = read(b"--- round 1\n{\"a\":1}\nwarning: x", true);
        assert_eq!((got.len(), ledger.read, ledger.unknown, ledger.lost), (1, 3, 2, 0));
    }

    #[test]
    fn escaped_backslashes_and_whole_pairs_are_readable() {
        assert!(readable(r#"{"a":"\ud83d\ude00 \\ud83d"}"#));
        assert!(!readable(r#"{"a":"\\\ud83d"}"#));
        assert!(!readable(r#"{"a":"\ude00"}"#));
    }
}
