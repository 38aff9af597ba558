//! `schema`: the published JSON Schemas.

use crate::cli::args::SchemaArgs;
use crate::cli::exit;
use anyhow::bail;
use loopmortem::report::schema;
use loopmortem::settings::suggest;
use std::io::Write as _;

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<u8> {
    let mut out = std::io::stdout().lock();
    let Some(name) = &args.name else {
        for s in schema::ALL {
            writeln!(out, "{:<10} {}", s.name, s.about)?;
        }
        return Ok(exit::OK);
    };
    let Some(found) = schema::ALL.iter().find(|s| s.name == name) else {
        let near = suggest(name, schema::ALL.iter().map(|s| s.name)).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
        bail!("no schema is called `{name}`{near}");
    };
    writeln!(out, "{}", schema::bundle(found)?)?;
    Ok(exit::OK)
}
