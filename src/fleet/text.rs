//! Rows as CSV, NDJSON or a JSON array.

use crate::fleet::cell::Cell;
use serde::ser::{SerializeMap, Serializer as _};
use std::io::{self, Write};

/// Writes a row of a CSV file (RFC 4180, lines end in CR LF). An empty cell is null, `""` is an empty text.
///
/// # Errors
/// The writer's, as in all that follows.
pub fn csv<'a>(out: &mut impl Write, cells: impl Iterator<Item = Cell<'a>>) -> io::Result<()> {
    for (k, cell) in cells.enumerate() {
        if k > 0 {
            out.write_all(b",")?;
        }
        match cell {
            Cell::Null => {}
            Cell::Text(text) => csv_text(out, &text)?,
            Cell::Int(n) => write!(out, "{n}")?,
            Cell::Real(n) => write!(out, "{n}")?,
            Cell::Usd(m) => out.write_all(m.exact().as_bytes())?,
            Cell::Flag(b) => write!(out, "{b}")?,
            Cell::Time(t) => write!(out, "{t}")?,
        }
    }
    out.write_all(b"\r\n")
}

/// The head line of a CSV file.
///
/// # Errors
/// The writer's.
pub fn csv_head<'a>(out: &mut impl Write, names: impl Iterator<Item = &'a str>) -> io::Result<()> {
    csv(out, names.map(Cell::text))
}

fn csv_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let guard = if is_formula(text) { "'" } else { "" };
    let plain = !text.is_empty() && !text.contains([',', '"', '\r', '\n']) && !text.starts_with(' ') && !text.ends_with(' ');
    if plain {
        return write!(out, "{guard}{text}");
    }
    write!(out, "\"{guard}{}\"", text.replace('"', "\"\""))
}

/// Whether a spreadsheet may take a text for a formula, or for one that was guarded before. The guard is an apostrophe; a
/// text that begins with one is guarded too, so that dropping one always gives the text back.
fn is_formula(text: &str) -> bool {
    let formula = |t: &str| t.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    text.starts_with(['\'', '\t', '\r', '\n']) || formula(text.trim_start())
}

/// Writes a row as a JSON object on one line.
///
/// # Errors
/// The writer's.
pub fn ndjson<'a>(out: &mut impl Write, names: impl Iterator<Item = &'a str>, cells: impl Iterator<Item = Cell<'a>>) -> io::Result<()> {
    object(out, names, cells)?;
    out.write_all(b"\n")
}

/// Writes a row as a JSON object.
///
/// # Errors
/// The writer's.
pub fn object<'a>(out: &mut impl Write, names: impl Iterator<Item = &'a str>, cells: impl Iterator<Item = Cell<'a>>) -> io::Result<()> {
    let mut json = serde_json::Serializer::new(out);
    let mut map = json.serialize_map(None)?;
    for (name, cell) in names.zip(cells) {
        match cell {
            Cell::Null => map.serialize_entry(name, &())?,
            Cell::Text(text) => map.serialize_entry(name, &text)?,
            Cell::Int(n) => map.serialize_entry(name, &n)?,
            // JSON has no word for what is no number.
            Cell::Real(n) => map.serialize_entry(name, &Some(n).filter(|n| n.is_finite()))?,
            // The decimal as it stands is a JSON number, with no digit lost.
            Cell::Usd(m) => map.serialize_entry(name, &serde_json::value::RawValue::from_string(m.exact())?)?,
            Cell::Flag(b) => map.serialize_entry(name, &b)?,
            Cell::Time(t) => map.serialize_entry(name, &t)?,
        }
    }
    map.end()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Money, Time};
    use proptest::prelude::*;

    fn line(cells: Vec<Cell<'_>>) -> String {
        let mut out = Vec::new();
        csv(&mut out, cells.into_iter()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn cells_in_csv_by_hand() {
        let cells = vec![
            Cell::text("a,b"),
            Cell::Null,
            Cell::text(""),
            Cell::text("say \"hi\""),
            Cell::Int(-5),
            Cell::Real(0.25),
            Cell::Usd(Money(-1_500_000_000_000)),
            Cell::Flag(true),
            Cell::Time(Time(1_795_939_200_000)),
        ];
        assert_eq!(line(cells), "\"a,b\",,\"\",\"say \"\"hi\"\"\",-5,0.25,-1.5,true,2026-11-29T08:00:00Z\r\n");
    }

    #[test]
    fn no_text_cell_begins_a_formula() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-5", "'-5"),
            ("--- FAIL: TestA", "'--- FAIL: TestA"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("  =1", "\"'  =1\""),
            ("＝1", "'＝1"),
            ("'quoted'", "''quoted'"),
            ("=HYPERLINK(\"http://example.com\",\"x\")", "\"'=HYPERLINK(\"\"http://example.com\"\",\"\"x\"\")\""),
            ("a=1", "a=1"),
        ] {
            assert_eq!(line(vec![Cell::text(text)]), format!("{cell}\r\n"), "{text:?}");
        }
    }

    #[test]
    fn json_keeps_every_digit_and_says_null() {
        let mut out = Vec::new();
        let cells = vec![Cell::Usd(Money(17_474_517_000_001)), Cell::Null, Cell::Real(f64::NAN), Cell::Int(i64::MAX), Cell::text("a\"b")];
        ndjson(&mut out, ["usd", "none", "nan", "int", "t"].into_iter(), cells.into_iter()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "{\"usd\":17.474517000001,\"none\":null,\"nan\":null,\"int\":9223372036854775807,\"t\":\"a\\\"b\"}\n");
    }

    proptest! {
        /// A reader of its own gives back what was written.
        #[test]
        fn csv_reads_back(rows in prop::collection::vec(prop::collection::vec("[=+@',\"\r\n\t a-z\u{ff1d}-]{0,8}|\\PC{0,6}", 3), 1..8)) {
            let mut out = Vec::new();
            for row in &rows {
                csv(&mut out, row.iter().map(|t| Cell::text(t.as_str()))).unwrap();
            }
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&out[..]);
            let read: Vec<Vec<String>> = reader.records().map(|r| r.unwrap().iter().map(|c| {
                assert!(!c.trim_start().starts_with(['=', '+', '-', '@']));
                c.strip_prefix('\'').unwrap_or(c).to_owned()
            }).collect()).collect();
            prop_assert_eq!(read, rows);
        }
    }
}
