//! Text that is written for people: no check judges it, and changing it changes nothing that one judged.

/// Endings of texts.
const ENDINGS: &[&str] = &["md", "mdx", "markdown", "rst", "adoc", "org", "txt", "log"];
/// Names of texts that have no ending.
const NAMES: &[&str] =
    &["license", "licence", "copying", "notice", "readme", "changelog", "changes", "authors", "contributors", "contributing", "todo"];
/// Beginnings of names that end like a text and are read by programs.
const READ_BY_PROGRAMS: &[&str] = &["requirements", "constraints", "cmakelists", "robots", "meson_options", "runtime", "packages"];
/// Words in the names of folders and files whose texts a test reads.
const TEST_DATA: &[&str] = &["test", "fixture", "golden", "snapshot", "expected", "testdata", "cases"];

/// Whether a file is a text for people: documentation, notes, a plan. Texts among tests may be what the tests compare with.
#[must_use]
pub fn is_prose(path: &str) -> bool {
    let path = path.replace('\\', "/").to_ascii_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let text = match name.rsplit_once('.') {
        Some((_, ending)) => ENDINGS.contains(&ending) && !(ending == "txt" && READ_BY_PROGRAMS.iter().any(|w| name.starts_with(w))),
        None => NAMES.contains(&name),
    };
    let data = |word: &str| TEST_DATA.iter().any(|w| word == *w || word.strip_suffix('s') == Some(w));
    // The name of a whole project may hold such a word.
    let parts = || folder.split('/').map(|p| p.trim_matches('_'));
    text && !parts().any(data) && !(name.ends_with(".txt") && stem.split(['_', '-', '.']).any(data))
}

#[cfg(test)]
mod tests {
    use super::is_prose;

    #[test]
    fn texts_and_what_looks_like_one() {
        for path in [
            "README.md",
            "docs/a/plan.mdx",
            "LICENSE",
            "/w/p/progress.txt",
            "C:\\w\\fix_plan.md",
            ".ralph/run.log",
            "docs/spec.md",
            "/w/test-tool/a.md",
            "docs/history/2024.adoc",
            "CHANGELOG",
        ] {
            assert!(is_prose(path), "{path}");
        }
        for path in [
            "src/a.rs",
            "requirements.txt",
            "requirements-dev.txt",
            "tests/expected.txt",
            "md",
            "CMakeLists.txt",
            "tests/golden/out.txt",
            "expected_output.txt",
            "a/__tests__/b.md",
            "Makefile",
            "",
            "a.yaml",
        ] {
            assert!(!is_prose(path), "{path}");
        }
    }
}
