//! Lines whose `detail` was put into the JSON without escaping: quotes, backslashes, tabs, even raw newlines.
//!
//! The keys are known, so the detail is what stands between `"detail":"` and the end of the record. Where fields follow
//! it, its end is the first place from which the rest reads as known fields.

use super::record::{Record, is_key};
use crate::format::json;

/// How many places are tried as the end of a detail.
const TRIES: usize = 64;
/// How far a detail may run on over lines before it is given up.
const MOST: usize = 1 << 20;

/// A record that is not valid JSON.
pub(super) struct Pending {
    /// The record so far; embedded newlines are kept.
    pub(super) raw: Vec<u8>,
    /// First line.
    pub(super) number: u32,
    /// Its offset.
    pub(super) offset: u64,
    /// Lines so far.
    pub(super) lines: u64,
    /// Bytes so far.
    pub(super) taken: u64,
    /// The last line has an end.
    pub(super) ended: bool,
}

/// Whether a line begins a record: an object whose first key is one of ours.
pub(super) fn begins_record(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"{") else { return false };
    key_at(rest.trim_ascii_start()).is_some()
}

/// Where a whole record begins that was appended to a torn one. It has to reach to the end of the line: an object that a
/// detail quotes is followed by the detail's own end.
pub(super) fn glued_at(line: &[u8]) -> Option<usize> {
    memchr::memmem::rfind_iter(line, b"{\"").take(4).filter(|at| *at > 0).find(|at| {
        let rest = &line[*at..];
        let mut values = json::values::<Record<'_>>(rest);
        let whole = matches!(values.next(), Some(Ok(r)) if r.is_event() && (r.ts.is_some() || r.iter.is_some()));
        whole && begins_record(rest) && rest[values.byte_offset()..].iter().all(u8::is_ascii_whitespace)
    })
}

/// The known key at the start of `bytes`, with what follows its colon.
fn key_at(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\"")?;
    let end = memchr::memchr(b'"', rest)?;
    let key = std::str::from_utf8(&rest[..end]).ok()?;
    let value = rest[end + 1..].trim_ascii_start().strip_prefix(b":")?;
    is_key(key).then(|| (key, value.trim_ascii_start()))
}

impl Pending {
    /// Opens a record. `None` where the line does not begin one.
    pub(super) fn begin(line: &[u8], number: u32, offset: u64, taken: u64, ended: bool) -> Option<Self> {
        begins_record(line).then(|| Self { raw: line.trim_ascii().to_vec(), number, offset, lines: 1, taken, ended })
    }

    /// Takes a further line into the detail. `false` where it cannot belong to it: the record names no detail, or has
    /// run on too long.
    pub(super) fn append(&mut self, line: &[u8], taken: u64, ended: bool) -> bool {
        if self.raw.len() + line.len() > MOST || detail_start(&self.raw).is_none() {
            return false;
        }
        self.raw.push(b'\n');
        self.raw.extend_from_slice(line);
        self.lines += 1;
        self.taken += taken;
        self.ended = ended;
        true
    }

    /// Whether the record's end was seen.
    pub(super) fn closed(&self) -> bool {
        self.raw.trim_ascii_end().ends_with(b"}")
    }

    /// Hands the recovered record to `use_it`. `None` where nothing can be recovered.
    pub(super) fn read<T>(&self, use_it: impl FnOnce(Record<'_>) -> Option<T>) -> Option<T> {
        let text = String::from_utf8_lossy(&self.raw);
        match detail_start(text.as_bytes()) {
            Some(start) => {
                let (detail, rest) = split_detail(&text[start..]);
                // The fields before and behind the detail, without it, are valid JSON.
                let before = text[..start].rfind("\"detail\"").map_or("", |at| text[..at].trim_end().trim_end_matches(','));
                let head = format!("{before}{}{}}}", if before.trim_end().ends_with('{') || rest.is_empty() { "" } else { "," }, rest);
                let mut record: Record<'_> = json::values(head.as_bytes()).next()?.ok()?;
                record.detail = Some(detail.into());
                use_it(record)
            }
            // Torn before its detail: the fields that are complete.
            None => {
                let cut = text.rfind(',')?;
                let head = format!("{}}}", &text[..cut]);
                use_it(json::values(head.as_bytes()).next()?.ok()?)
            }
        }
    }
}

/// Where the text of `"detail":"` begins.
fn detail_start(raw: &[u8]) -> Option<usize> {
    let at = memchr::memmem::find(raw, b"\"detail\"")? + b"\"detail\"".len();
    let colon = at + raw[at..].iter().position(|b| !b.is_ascii_whitespace())?;
    if raw.get(colon) != Some(&b':') {
        return None;
    }
    let quote = colon + 1 + raw[colon + 1..].iter().position(|b| !b.is_ascii_whitespace())?;
    (raw.get(quote) == Some(&b'"')).then_some(quote + 1)
}

/// The detail, and the fields behind it (without the closing brace). `text` begins with the detail's first character.
fn split_detail(text: &str) -> (&str, &str) {
    let trimmed = text.trim_end();
    // Fields behind: the first `",` from which everything up to the end reads as known fields.
    // Few places are tried: a line that holds thousands of them is text, not fields.
    let tries = text.match_indices("\",").filter(|(at, _)| key_at(text[at + 2..].trim_start().as_bytes()).is_some());
    for (at, _) in tries.take(TRIES) {
        let rest = text[at + 2..].trim_end();
        if key_at(rest.trim_start().as_bytes()).is_none() {
            continue;
        }
        let whole = format!("{{{rest}");
        let mut values = json::values::<Record<'_>>(whole.as_bytes());
        if matches!(values.next(), Some(Ok(_))) && values.next().is_none() {
            return (&text[..at], rest.strip_suffix('}').unwrap_or(rest));
        }
    }
    match trimmed.strip_suffix('}').map(str::trim_end).and_then(|t| t.strip_suffix('"')) {
        Some(detail) => (detail, ""),
        // torn: all there is
        None => (trimmed, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(lines: &[&str]) -> Option<(Option<u32>, String)> {
        let mut pending = Pending::begin(lines[0].as_bytes(), 1, 0, 0, true)?;
        for line in &lines[1..] {
            assert!(pending.append(line.as_bytes(), 0, true));
        }
        pending.read(|r| Some((r.iter, r.detail.unwrap_or_default().into_owned())))
    }

    #[test]
    fn details_come_back_as_they_were_written() {
        let line = |d: &str| format!(r#"{{"ts":1764460800,"iter":3,"event":"agent_call","detail":"{d}"}}"#);
        for d in [
            r#"FAIL "login › ok""#,
            r"C:\work\auth.spec.ts",
            "tab\there",
            r#"ends in a quote ""#,
            r#"{"a":"b"}"#,
            r#"he said "x", "y""#,
            r#""}"#,
            "",
        ] {
            assert_eq!(detail(&[&line(d)]), Some((Some(3), d.to_owned())), "{d}");
        }
    }

    #[test]
    fn a_raw_newline_goes_on_with_the_next_line() {
        let got = detail(&[r#"{"ts":1,"iter":2,"event":"agent_call","detail":"first "a""#, "  second", r#"last"}"#]);
        assert_eq!(got, Some((Some(2), "first \"a\"\n  second\nlast".to_owned())));
    }

    #[test]
    fn fields_behind_the_detail_are_kept() {
        let pending =
            Pending::begin(br#"{"iter":2,"event":"agent_call","detail":"a "b", "c":"d" e","tokens_in":90,"model":"m"}"#, 1, 0, 0, true)
                .unwrap();
        let got = pending.read(|r| Some((r.detail.clone().unwrap_or_default().into_owned(), r.tokens_in.count(), r.iter)));
        assert_eq!(got, Some((r#"a "b", "c":"d" e"#.to_owned(), Some(90), Some(2))));
        let got = detail(&[r#"{"detail":"x "y"","iter":4,"event":"stuck"}"#]);
        assert_eq!(got, Some((Some(4), r#"x "y""#.to_owned())));
    }

    #[test]
    fn torn_records_give_what_is_complete() {
        assert_eq!(
            detail(&[r#"{"ts":1,"iter":7,"event":"agent_call","detail":"FAIL test_x rai"#]),
            Some((Some(7), "FAIL test_x rai".to_owned()))
        );
        assert_eq!(detail(&[r#"{"ts":1,"iter":7,"event":"iter_st"#]), Some((Some(7), String::new())));
        assert_eq!(detail(&[r#"{"ts":17644"#]), None);
        assert!(Pending::begin(b"not json", 1, 0, 0, true).is_none());
    }
}
