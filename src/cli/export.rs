//! `export`: the fleet tables as files.

use crate::cli::args::{ExportArgs, ExportFormat};
use crate::cli::exit;
use crate::cli::message::say;
use crate::cli::outputs;
use crate::cli::progress::Progress;
use crate::cli::setup::Setup;
use anyhow::{Context as _, bail};
use loopmortem::analysis;
use loopmortem::fleet::export::{Format, Piece, Writer};
use loopmortem::fleet::tables::{self, TABLES, Table, View};
use loopmortem::settings::suggest;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A table's target: a file under a name of its own until it is whole, or standard output.
struct Target {
    writer: Writer<Box<dyn Write>>,
    file: Option<Unfinished>,
}

pub(crate) fn run(args: &ExportArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let mut setup = Setup::new(&args.read, &args.look, matches, 0)?;
    let tables = wanted(&args.table)?;
    let format = match args.to {
        ExportFormat::Csv => Format::Csv,
        ExportFormat::Ndjson => Format::Ndjson,
        ExportFormat::Parquet => Format::Parquet,
    };
    if !format.is_built_in() {
        bail!(
            "--to parquet wants the feature `fleet`, which this program was built without: build it without \
             --no-default-features, or write csv or ndjson"
        );
    }
    // What cannot be written is better known before the logs are read.
    let paths = paths(&args.out, &tables, format)?;
    let files: Vec<PathBuf> = paths.iter().flatten().flat_map(|path| [path.clone(), unfinished(path)]).collect();
    setup.options.apart = outputs::apart("--out", &args.paths, &files, &[])?;
    let mut targets = Vec::new();
    for (table, path) in tables.iter().copied().zip(paths) {
        targets.push(open(table, path.as_deref(), format)?);
    }
    let progress = Progress::new();
    let mut analysed = false;
    let summary = analysis::examine_each(
        &args.paths,
        &setup.options,
        &|total| progress.tick(total),
        |run| {
            let pieces: Vec<Piece> = {
                let view = View::new(&run);
                tables.iter().map(|table| Piece::of(&view, table, format)).collect()
            };
            (run.report, pieces)
        },
        |report, pieces| {
            analysed |= report.iterations > 0 || report.ending.is_some();
            targets.iter_mut().zip(pieces).try_for_each(|(target, piece)| target.writer.write(piece))
        },
    )?;
    progress.finish();
    for error in &summary.errors {
        say(error);
    }
    for target in targets {
        target.writer.end()?;
        target.file.map_or(Ok(()), Unfinished::finish)?;
    }
    if !analysed {
        say("no runs were found: the tables are empty");
        return Ok(exit::NOTHING);
    }
    Ok(exit::of_all(exit::OK, &summary.totals))
}

fn wanted(names: &[String]) -> anyhow::Result<Vec<&'static Table>> {
    if names.iter().any(|n| n == "all") {
        return Ok(TABLES.iter().collect());
    }
    let mut found: Vec<&'static Table> = Vec::new();
    for name in names {
        let Some(table) = tables::by_name(name) else {
            let near = suggest(name, TABLES.iter().map(|t| t.name)).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
            let all = TABLES.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
            bail!("--table: no table is called `{name}`{near} ({all}, all)");
        };
        if !found.iter().any(|t| t.name == table.name) {
            found.push(table);
        }
    }
    Ok(found)
}

/// Where each table goes; none is standard output.
fn paths(out: &Path, tables: &[&'static Table], format: Format) -> anyhow::Result<Vec<Option<PathBuf>>> {
    let one = tables.len() == 1;
    if out.as_os_str() == "-" {
        if !one {
            bail!("--out -: standard output holds one table; name it with --table");
        }
        return Ok(vec![None]);
    }
    let text = out.to_string_lossy();
    if one && !out.is_dir() && !text.ends_with(['/', std::path::MAIN_SEPARATOR]) {
        return Ok(vec![Some(out.to_owned())]);
    }
    std::fs::create_dir_all(out).with_context(|| format!("--out {text}"))?;
    Ok(tables.iter().map(|t| Some(out.join(format!("{}.{}", t.name, format.ending())))).collect())
}

fn open(table: &'static Table, path: Option<&Path>, format: Format) -> anyhow::Result<Target> {
    let Some(path) = path else {
        let out: Box<dyn Write> = Box::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        return Ok(Target { writer: Writer::begin(out, table, format)?, file: None });
    };
    // A pipe or a device has no name to be given later.
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        let handle = File::options().write(true).open(path).with_context(|| path.display().to_string())?;
        let out: Box<dyn Write> = Box::new(BufWriter::with_capacity(1 << 16, handle));
        return Ok(Target { writer: Writer::begin(out, table, format)?, file: None });
    }
    let (file, handle) = Unfinished::create(path).with_context(|| path.display().to_string())?;
    let out: Box<dyn Write> = Box::new(BufWriter::with_capacity(1 << 16, handle));
    Ok(Target { writer: Writer::begin(out, table, format).with_context(|| path.display().to_string())?, file: Some(file) })
}

/// What a file is called until it is whole.
fn unfinished(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

/// A file that gets its name when it is whole, and goes away when it never is.
struct Unfinished {
    part: PathBuf,
    path: PathBuf,
    done: bool,
}

impl Unfinished {
    fn create(path: &Path) -> io::Result<(Self, File)> {
        let part = unfinished(path);
        outputs::unlink(&part)?;
        let file = File::create(&part)?;
        Ok((Self { part, path: path.to_owned(), done: false }, file))
    }

    fn finish(mut self) -> anyhow::Result<()> {
        std::fs::rename(&self.part, &self.path).with_context(|| self.path.display().to_string())?;
        self.done = true;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.done {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}
