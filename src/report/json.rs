//! `triage --json`: one document, a run a line, the same bytes for the same input.

use crate::fleet::groups::Group;
use crate::report::escape::visible;
use crate::report::model::{RunReport, Summary};
use crate::trace::Time;
use serde::Serialize;
use std::io::{self, Write};

/// The document's name and version. Within a major version fields are only added.
pub const SCHEMA: &str = "loopmortem/triage";
/// See [`SCHEMA`].
pub const SCHEMA_VERSION: &str = "1.0";

/// Writes the document piece by piece, so that no run has to be kept.
pub struct Writer<W: Write> {
    out: W,
    runs: u64,
}

impl<W: Write> Writer<W> {
    /// Begins the document.
    ///
    /// # Errors
    /// The writer's, as in all that follows.
    pub fn begin(mut out: W, as_of: Time) -> io::Result<Self> {
        write!(out, "{{\"schema\":\"{SCHEMA}\",\"schema_version\":\"{SCHEMA_VERSION}\",\"as_of\":\"{as_of}\",\"runs\":[")?;
        Ok(Self { out, runs: 0 })
    }

    /// Writes a run.
    ///
    /// # Errors
    /// The writer's.
    pub fn run(&mut self, run: &RunReport) -> io::Result<()> {
        self.out.write_all(if self.runs == 0 { b"\n" } else { b",\n" })?;
        self.runs += 1;
        Ok(serde_json::to_writer(&mut self.out, run)?)
    }

    /// Ends the document. `groups` are there only where they were asked for.
    ///
    /// # Errors
    /// The writer's.
    pub fn end(mut self, summary: &Summary, groups: Option<&[Group]>) -> io::Result<()> {
        let out = &mut self.out;
        out.write_all(b"\n]")?;
        field(out, "common_causes", &summary.common_causes)?;
        field(out, "restarted_after_done", &summary.restarted_after_done)?;
        field(out, "never_started", &summary.never_started)?;
        field(out, "top_signatures", &summary.top_signatures)?;
        if let Some(groups) = groups {
            field(out, "groups", &groups)?;
        }
        field(out, "totals", &summary.totals)?;
        field(out, "errors", &summary.errors.iter().map(|e| visible(e)).collect::<Vec<_>>())?;
        field(out, "prices", &summary.prices)?;
        out.write_all(b"}\n")?;
        out.flush()
    }
}

pub(super) fn field(out: &mut impl Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, ",\n\"{name}\":")?;
    serde_json::to_writer(out, value)?;
    Ok(())
}
