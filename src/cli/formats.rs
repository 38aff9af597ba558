//! `formats`: what is read.

use crate::cli::args::FormatsArgs;
use crate::cli::exit;
use loopmortem::format::REGISTRY;
use std::io::Write;

pub(crate) fn run(args: &FormatsArgs) -> anyhow::Result<u8> {
    let mut out = std::io::stdout().lock();
    if args.json {
        let rows: Vec<_> = REGISTRY.iter().map(|f| serde_json::json!({ "format": f.id(), "about": f.about() })).collect();
        serde_json::to_writer_pretty(&mut out, &rows)?;
        writeln!(out)?;
    } else {
        for format in REGISTRY {
            writeln!(out, "{:<16} {}", format.id(), format.about())?;
        }
    }
    Ok(exit::OK)
}
