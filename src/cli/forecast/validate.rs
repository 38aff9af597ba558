//! `forecast --validate`: the forms against recorded calls.

use crate::cli::exit;
use crate::cli::setup::Setup;
use anyhow::Context as _;
use loopmortem::cost::growth::validate;
use loopmortem::input::read_whole;
use loopmortem::report::forecast::{json, validation};
use std::io::Write as _;
use std::path::Path;

pub(super) fn run(file: &Path, as_json: bool, setup: &Setup) -> anyhow::Result<u8> {
    let shown = file.display().to_string();
    let table = read_whole(file).with_context(|| format!("{shown}: cannot be read"))?;
    let runs = validate::read(&shown, table.as_slice())?;
    let found = validate::validate(&runs);
    let out = std::io::stdout().lock();
    if as_json {
        json::write(out, &validation::Document::of(&found))?;
    } else {
        let mut out = out;
        out.write_all(validation::render(&found, setup.look).as_bytes())?;
    }
    Ok(exit::OK)
}
