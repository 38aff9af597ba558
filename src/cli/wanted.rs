//! The one run that a command is about.

use crate::cli::message::say;
use crate::cli::setup::Setup;
use anyhow::bail;
use loopmortem::analysis::{self, Examined};
use std::path::{Path, PathBuf};

/// The run that `wanted` names: a path where no `paths` are given, else an id or a part of one under them. `None`, with the
/// reason said, where there is none.
pub(crate) fn run(wanted: &str, paths: &[PathBuf], setup: &Setup) -> anyhow::Result<Option<Examined>> {
    let is_path = paths.is_empty() && (wanted == "-" || Path::new(wanted).exists());
    let (mut examined, errors) = if is_path {
        analysis::examine_matching(&[PathBuf::from(wanted)], &setup.options, None)
    } else {
        let here = [PathBuf::from(".")];
        analysis::examine_matching(if paths.is_empty() { &here } else { paths }, &setup.options, Some(wanted))
    };
    for error in errors {
        say(&error);
    }
    if examined.len() > 1 {
        let names: Vec<&str> = examined.iter().take(10).map(|e| &*e.report.run).collect();
        bail!("`{wanted}` fits {} runs: {}{}", examined.len(), names.join(", "), if examined.len() > 10 { ", …" } else { "" });
    }
    let one = examined.pop();
    if one.is_none() {
        say(&format!("no run is called `{wanted}`; `loopmortem PATH` lists the runs"));
    }
    Ok(one)
}
