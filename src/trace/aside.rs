//! Changes of files that no check judges: prose, and what a run made itself and clears away when it is done with it.

use super::prose::is_prose;
use super::scratch::changes_only;

/// Whether all that a command line changes is prose, lies in a scratch folder, or is removed and was the run's own: `made`.
pub(super) fn only_aside(command: &str, made: impl Fn(&str) -> bool) -> bool {
    changes_only(command, |place, path, removed| place.is_scratch(path) || is_prose(path) || removed && made(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_changes_aside() {
        let made = |path: &str| path == "trial.py";
        for command in ["rm trial.py", "rm -f trial.py /tmp/x", "echo done >> CHANGELOG.md", "rm notes.txt && ls", "mv a.md docs/a.md"] {
            assert!(only_aside(command, made), "{command}");
        }
        for command in
            ["rm src/a.py", "rm trial.py src/a.py", "mv trial.py src/a.py", "cp a.md src/a.py", "echo 1 > src/a.py", "sed -i s/a/b/ a.md"]
        {
            assert!(!only_aside(command, made), "{command}");
        }
    }
}
