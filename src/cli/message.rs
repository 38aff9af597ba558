//! Messages on stderr. Names of files, arguments and a parser's words are hostile there as in any output, and a stderr that
//! cannot be written to is no reason to fail.

use loopmortem::error::SettingsError;
use loopmortem::report::escape::terminal;
use loopmortem::report::model::Totals;
use loopmortem::report::words::count;
use std::io::Write as _;
use std::path::PathBuf;

/// Says something on one line.
pub(crate) fn say(text: &str) {
    line(&format!("loopmortem: {}", terminal(text)));
}

/// Says why the program ends.
pub(crate) fn fail(error: &anyhow::Error) {
    match error.downcast_ref::<SettingsError>() {
        // The parser draws the place over several lines.
        Some(SettingsError::File { path, reason }) => {
            line(&format!("loopmortem: {}: {}", terminal(&path.to_string_lossy()), each_line(reason)));
        }
        _ => say(&format!("{error:#}")),
    }
}

/// Help, the version, or what is wrong with the arguments.
pub(crate) fn usage(error: &clap::Error) {
    let hostile = std::env::args_os().any(|a| *a.to_string_lossy() != *terminal(&a.to_string_lossy()));
    if error.use_stderr() && hostile {
        // Arguments are repeated as they are: without styles, what controls can be told from ours.
        let text = error.render().to_string();
        line(each_line(&text).trim_end());
    } else {
        let _ = error.print();
    }
}

fn each_line(text: &str) -> String {
    text.split('\n').map(terminal).collect::<Vec<_>>().join("\n")
}

fn line(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Why nothing could be analysed, where nothing was wrong with any file.
pub(crate) fn nothing(paths: &[PathBuf], totals: &Totals) -> String {
    let looked: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    let looked = looked.join(", ");
    match (totals.runs, totals.files_passed_over) {
        (0, 0) => format!("no logs under {looked}: there are no files"),
        (0, n) => {
            let files = count(n, "file is", "files are");
            format!("no logs under {looked}: {files} of no format that is read; `loopmortem formats` lists what is")
        }
        (n, _) => format!("nothing to analyse under {looked}: {} without a record", count(n, "log is", "logs are")),
    }
}
