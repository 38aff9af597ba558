//! The one run that a command is about.

use crate::cli::message::say;
use crate::cli::setup::Setup;
use anyhow::bail;
use loopmortem::analysis::{self, Examined, Matching};
use loopmortem::input::fitting;
use std::path::{Path, PathBuf};

/// Names that a message lists at most.
const LISTED: usize = 10;

/// The run that `wanted` names: a path where no `paths` are given, else an id or whole words of one under them. `None`, with the
/// reason said, where there is none.
pub(crate) fn run(wanted: &str, paths: &[PathBuf], setup: &Setup) -> anyhow::Result<Option<Examined>> {
    let is_path = paths.is_empty() && (wanted == "-" || Path::new(wanted).exists());
    let Matching { mut examined, errors, candidates } = if is_path {
        analysis::examine_matching(&[PathBuf::from(wanted)], &setup.options, None)
    } else {
        let here = [PathBuf::from(".")];
        analysis::examine_matching(if paths.is_empty() { &here } else { paths }, &setup.options, Some(wanted))
    };
    for error in errors {
        say(&error);
    }
    if examined.len() > 1 {
        let names: Vec<&str> = examined.iter().map(|e| &*e.report.run).collect();
        bail!("`{wanted}` holds {} runs: {}; name one of them", names.len(), list(&names));
    }
    let names: Vec<&str> = candidates.iter().map(|c| &**c).collect();
    let one = examined.pop();
    let fits = !fitting(wanted, names.iter().copied()).0.is_empty();
    match (&one, fits) {
        (Some(_), _) => {}
        (None, true) => bail!("`{wanted}` fits {} runs: {}; name one of them", names.len(), list(&names)),
        (None, false) if is_path => say(&format!("{wanted} holds no run; `loopmortem formats` lists what is read")),
        (None, false) if names.is_empty() => say(&format!("no run is called `{wanted}`; `loopmortem PATH` lists the runs")),
        (None, false) => say(&format!("no run is called `{wanted}`; these hold it within a word: {}", list(&names))),
    }
    Ok(one)
}

fn list(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().take(LISTED).copied().collect();
    let more = if names.len() > LISTED { format!(" and {} more", names.len() - LISTED) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
