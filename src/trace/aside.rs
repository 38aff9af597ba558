//! Changes of files that no check judges: prose, and what a run made itself and clears away when it is done with it.

use super::scratch::changes_only;

/// Endings of files that hold prose.
const PROSE: &[&str] = &["md", "mdx", "markdown", "rst", "adoc", "txt"];
/// Prose without an ending, by convention.
const NAMES: &[&str] =
    &["license", "licence", "copying", "notice", "authors", "contributors", "changelog", "changes", "readme", "codeowners"];
/// Files of these endings that tools read.
const READ_BY_TOOLS: &[&str] = &["requirements", "constraints", "cmakelists"];
/// Folders in which a text may be what a check compares with.
const JUDGED: &[&str] = &["fixtures", "golden", "goldens", "snapshots", "__snapshots__", "spec", "test", "testdata", "tests"];

/// Whether a file holds prose, by its name. What lies among the tests is no prose: a check may compare with it.
pub(super) fn is_prose(path: &str) -> bool {
    let mut parts = path.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or(path).to_ascii_lowercase();
    if parts.any(|folder| JUDGED.contains(&folder.to_ascii_lowercase().as_str())) {
        return false;
    }
    match name.rsplit_once('.') {
        Some((stem, ending)) => PROSE.contains(&ending) && !READ_BY_TOOLS.iter().any(|word| stem.starts_with(word)),
        None => NAMES.contains(&name.as_str()),
    }
}

/// Whether all that a command line changes is prose, lies in a scratch folder, or is removed and was the run's own: `made`.
pub(super) fn only_aside(command: &str, made: impl Fn(&str) -> bool) -> bool {
    changes_only(command, |place, path, removed| place.is_scratch(path) || is_prose(path) || removed && made(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_by_its_name() {
        for path in ["README.md", "/w/p/docs/guide.mdx", "LICENSE", "CHANGELOG", "notes.txt", "C:\\w\\a.rst", "docs/history/2024.adoc"] {
            assert!(is_prose(path), "{path}");
        }
        for path in ["src/a.rs", "requirements.txt", "requirements-dev.txt", "CMakeLists.txt", "tests/expected.txt", "Makefile", "", "md"] {
            assert!(!is_prose(path), "{path}");
        }
    }

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
