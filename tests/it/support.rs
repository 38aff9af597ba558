//! Running the program from outside.

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The program, with an environment that does not reach into the tests.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopmortem"));
    let ours = ["LOOPMORTEM_TZ", "LOOPMORTEM_COLOR", "LOOPMORTEM_CONFIG", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"];
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "SOURCE_DATE_EPOCH"].into_iter().chain(ours) {
        command.env_remove(name);
    }
    command
}

/// The fixtures' folder.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// `triage --json` of a path.
pub(crate) fn triage(path: &Path, as_of: &str, more: &[&str]) -> Value {
    let output = program().args(["triage", "--json", "--as-of", as_of]).args(more).arg(path).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{}: {e}: {}", path.display(), String::from_utf8_lossy(&output.stderr)))
}
