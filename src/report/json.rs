//! `triage --json`: one document, a run a line, the same bytes for the same input.

use crate::report::model::Triage;
use serde::Serialize;
use std::io::{self, Write};

/// The document's name and version. Within a major version fields are only added.
pub const SCHEMA: &str = "loopmortem/triage";
/// See [`SCHEMA`].
pub const SCHEMA_VERSION: &str = "1.0";

#[derive(Serialize)]
struct Prices {
    snapshot: Option<&'static str>,
    sha256: Option<&'static str>,
}

/// Writes the document.
///
/// # Errors
/// The writer's.
pub fn write(triage: &Triage, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"schema\":\"{SCHEMA}\",\"schema_version\":\"{SCHEMA_VERSION}\",\"as_of\":\"{}\",\"runs\":[", triage.as_of)?;
    for (k, run) in triage.runs.iter().enumerate() {
        out.write_all(if k == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, run)?;
    }
    out.write_all(b"\n]")?;
    field(out, "common_causes", &triage.common_causes)?;
    field(out, "top_signatures", &triage.top_signatures)?;
    field(out, "totals", &triage.totals)?;
    field(out, "errors", &triage.errors)?;
    // No price list is part of the program yet: all money is the logs' own.
    field(out, "prices", &Prices { snapshot: None, sha256: None })?;
    out.write_all(b"}\n")
}

fn field(out: &mut dyn Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, ",\n\"{name}\":")?;
    serde_json::to_writer(out, value)?;
    Ok(())
}
