//! The documentation of the tables, from the table of columns.

use super::TABLES;
use std::fmt::Write as _;

const HEAD: &str = "\
# Tables

Made from the table of columns by a test (`REGENERATE_DOCS=1 cargo test --no-default-features --test it tables`).

`loopmortem query` asks these tables with SQL, `loopmortem export` writes them as CSV, NDJSON or Parquet, and
`loopmortem query --tables` prints this list. Names and meanings are stable: within a major version columns are only added.

- **Null is \"not known\"**, never zero. `SUM` and `AVG` leave nulls out: look at `cost_status` before you trust a sum.
- **Money** stands twice. `…_usd` is for reading: a double in Parquet and SQL, the exact decimal in CSV and NDJSON. `…_pico_usd`
  is the same in 1e-12 dollars as a 64-bit integer: exact, and what sums belong on (`SUM(cost_pico_usd) / 1e12`). It is null
  beyond 9.2 million dollars.
- **Times** are instants in UTC with milliseconds: `TIMESTAMP WITH TIME ZONE` in Parquet, RFC 3339 in CSV and NDJSON.
- **Text** stands on one line, without secrets and control characters. `run` is the id that `triage --json` shows; one that
  held a secret ends in `~` and eight digits of its hash, so that two ids never become one.
- **Rows** stand in the order of run ids, and within a run in the order of its log. The same input gives the same bytes, whatever
  the number of threads.
- **CSV** follows RFC 4180: UTF-8, a head line, commas, lines end in CR LF. An empty cell is null, `\"\"` is an empty text. A
  spreadsheet runs what looks like a formula, so a text that begins with `=`, `+`, `-`, `@` (or their full-width forms, also after
  blanks), a tab, a CR, a line feed or an apostrophe gets an apostrophe in front: drop one leading apostrophe to get the text back.
  Numbers and times are never touched.
- **NDJSON** has one object a line with all columns in order.
- **Parquet** is compressed with Zstandard and has a row group for every 65,536 rows. pandas turns integers with nulls into
  floats; `pd.read_parquet(file, dtype_backend=\"pyarrow\")` keeps them exact.
- **SQL** is that of polars: joins, common table expressions, window functions, `QUANTILE_DISC`, `DATE_PART`, `STRFTIME`. `SUM` over
  nothing but nulls is null. Where a question leaves the order open, rows keep the order of runs: groups stand where their first
  row does. Instants are compared with `'2026-11-29'` or `TIMESTAMP '2026-11-29 06:00:00'`, in UTC.
";

/// `docs/tables.md`.
#[must_use]
pub fn markdown() -> String {
    let mut out = HEAD.to_owned();
    for table in &TABLES {
        let _ =
            write!(out, "\n## {}\n\nRows: {}.\n\n| column | type | unit | what it says |\n|---|---|---|---|\n", table.name, table.about);
        for c in table.columns {
            let _ = writeln!(out, "| `{}` | {} | {} | {} |", c.name, c.ty.word(), c.unit, c.about);
        }
    }
    out
}
