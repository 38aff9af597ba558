//! `check --json`.

use crate::fleet::policy::{Judged, Policy, State};
use crate::report::escape::visible;
use crate::report::json::field;
use crate::report::model::Summary;
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The document's name and version. Within a major version fields are only added.
pub const SCHEMA: &str = "loopmortem/check";
/// See [`SCHEMA`].
pub const SCHEMA_VERSION: &str = "1.0";

/// Writes the document.
///
/// # Errors
/// The writer's.
pub fn write(policy: &Policy, judged: &Judged, summary: &Summary, left_out: u64, mut out: impl Write) -> io::Result<()> {
    let t = &summary.totals;
    write!(out, "{{\"schema\":\"{SCHEMA}\",\"schema_version\":\"{SCHEMA_VERSION}\",\"as_of\":\"{}\"", summary.as_of)?;
    field(&mut out, "policy", &visible(&policy.path))?;
    field(&mut out, "min_confidence", &policy.min_confidence)?;
    field(&mut out, "passed", &(judged.state == State::Pass))?;
    let rules: Vec<Json> = judged
        .outcomes
        .iter()
        .map(|o| {
            let runs: Vec<Json> = o
                .runs
                .iter()
                .map(|r| {
                    json!({
                        "run": visible(&r.run), "state": r.state, "what": r.what,
                        "path": r.place.as_ref().map(|(path, _)| visible(path)), "line": r.place.as_ref().map(|(_, line)| line),
                    })
                })
                .collect();
            json!({"rule": o.rule, "limit": o.limit, "measured": o.measured, "state": o.state, "runs": runs})
        })
        .collect();
    field(&mut out, "rules", &rules)?;
    field(&mut out, "runs", &t.runs)?;
    field(&mut out, "runs_left_out", &left_out)?;
    field(&mut out, "totals", t)?;
    field(&mut out, "errors", &summary.errors.iter().map(|e| visible(e)).collect::<Vec<_>>())?;
    field(&mut out, "prices", &summary.prices)?;
    out.write_all(b"}\n")?;
    out.flush()
}
