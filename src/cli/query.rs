//! `query`: SQL over the fleet tables.

use crate::cli::args::QueryArgs;
use crate::cli::exit;
use loopmortem::fleet::tables::TABLES;
use std::fmt::Write as _;
use std::io::Write as _;

pub(crate) fn run(args: &QueryArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    if args.tables {
        std::io::stdout().lock().write_all(tables().as_bytes())?;
        return Ok(exit::OK);
    }
    ask(args, matches)
}

/// The tables with their columns.
fn tables() -> String {
    let mut out = String::new();
    for table in &TABLES {
        let _ = writeln!(out, "{}: {}", table.name, table.about);
        for c in table.columns {
            let unit = if c.unit.is_empty() { String::new() } else { format!(" [{}]", c.unit) };
            let _ = writeln!(out, "  {:<20} {:<8} {}{unit}", c.name, c.ty.word(), c.about);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len() + 1);
    out
}

#[cfg(not(feature = "fleet"))]
fn ask(_: &QueryArgs, _: &clap::ArgMatches) -> anyhow::Result<u8> {
    anyhow::bail!(
        "query wants the feature `fleet`, which this program was built without: build it without --no-default-features; \
         `export --to csv` and `--group-by` are there all the same"
    )
}

#[cfg(feature = "fleet")]
use asking::ask;

#[cfg(feature = "fleet")]
mod asking {
    use crate::cli::args::{AnswerFormat, QueryArgs};
    use crate::cli::exit;
    use crate::cli::message::say;
    use crate::cli::progress::Progress;
    use crate::cli::setup::Setup;
    use loopmortem::analysis;
    use loopmortem::fleet::cell::Cell;
    use loopmortem::fleet::sql::{Answer, Database};
    use loopmortem::fleet::tables::{Batch, Table, View};
    use loopmortem::fleet::text;
    use loopmortem::report::grid;
    use loopmortem::report::table::Look;
    use std::io::{self, BufWriter, Write};
    use std::path::PathBuf;

    pub(super) fn ask(args: &QueryArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
        let setup = Setup::new(&args.read, &args.look, matches, args.rows)?;
        quietly();
        let mut database = Database::new(args.sql.as_deref().unwrap_or_default())?;
        let tables: Vec<&'static Table> = database.tables().collect();
        let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
        let progress = Progress::new();
        let mut analysed = false;
        let summary = analysis::examine_each(
            &paths,
            &setup.options,
            &|total| progress.tick(total),
            |run| {
                let rows: Vec<Batch> = {
                    let view = View::new(&run);
                    tables.iter().map(|table| Batch::of(table, &view)).collect()
                };
                (run.report, rows)
            },
            |report, rows| {
                analysed |= report.iterations > 0 || report.ending.is_some();
                database.add(rows)
            },
        )?;
        progress.finish();
        for error in &summary.errors {
            say(error);
        }
        let answer = database.answer()?;
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&answer, args.format, setup.look, &mut out)?;
        out.flush()?;
        if !analysed && !tables.is_empty() {
            let looked: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
            say(&format!("no runs under {}", looked.join(", ")));
            return Ok(exit::NOTHING);
        }
        Ok(exit::of_all(exit::OK, &summary.totals))
    }

    /// A part of polars that was left out of the build says so by a panic; it is caught and told as an error.
    fn quietly() {
        std::panic::set_hook(Box::new(|_| {}));
    }

    fn write(answer: &Answer, format: AnswerFormat, look: Look, out: &mut impl Write) -> io::Result<()> {
        match format {
            AnswerFormat::Table => out.write_all(table(answer, look).as_bytes()),
            AnswerFormat::Csv => {
                text::csv_head(out, answer.names())?;
                (0..answer.rows()).try_for_each(|row| text::csv(out, answer.row(row)))
            }
            AnswerFormat::Ndjson => (0..answer.rows()).try_for_each(|row| text::ndjson(out, answer.names(), answer.row(row))),
            AnswerFormat::Json => {
                for row in 0..answer.rows() {
                    out.write_all(if row == 0 { b"[\n" } else { b",\n" })?;
                    text::object(out, answer.names(), answer.row(row))?;
                }
                out.write_all(if answer.rows() == 0 { b"[]\n" } else { b"\n]\n" })
            }
        }
    }

    fn table(answer: &Answer, look: Look) -> String {
        let cells: Vec<Vec<Cell<'_>>> = (0..answer.rows().min(look.rows)).map(|row| answer.row(row).collect()).collect();
        let is_number = |k: usize| {
            let mut values = cells.iter().filter_map(|row| row.get(k)).filter(|c| **c != Cell::Null).peekable();
            values.peek().is_some() && values.all(|c| matches!(c, Cell::Int(_) | Cell::Real(_)))
        };
        let heads: Vec<(&str, bool)> = answer.names().enumerate().map(|(k, name)| (name, is_number(k))).collect();
        let rows: Vec<Vec<String>> = cells.iter().map(|row| row.iter().map(|c| grid::shown(c, look)).collect()).collect();
        let mut out = grid::answer(&heads, &rows, look);
        let hidden = answer.rows() - rows.len();
        if hidden > 0 {
            out.push_str(&look.palette.dim(&format!("… and {hidden} more rows (--rows N shows more)")));
            out.push('\n');
        }
        out
    }
}
