//! Shell commands that wipe work.

use super::scratch::{self, Place, simple};

/// What a command would wipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Danger {
    /// `git reset --hard`
    Reset,
    /// `git checkout` or `git restore` over files
    Checkout,
    /// `git clean -f`
    Clean,
    /// `git push --force`
    ForcePush,
    /// `rm -rf` of work: sources, the repository, everything in a folder
    Remove,
    /// `rm -rf` of something of which the log does not tell what it held
    Clear,
    /// `npm publish` and its like
    Publish,
}

impl Danger {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Reset => "git reset --hard throws uncommitted work away",
            Self::Checkout => "a checkout overwrites uncommitted work",
            Self::Clean => "git clean removes files that git does not know",
            Self::ForcePush => "a forced push overwrites shared history",
            Self::Remove => "rm -rf removes files for good",
            Self::Clear => "rm -rf removes a folder for good, and the log does not tell what it held",
            Self::Publish => "publishing cannot be taken back",
        }
    }

    /// Words of a task that ask for it.
    #[must_use]
    pub fn asked_by(self) -> &'static [&'static str] {
        match self {
            Self::Reset => &["reset", "discard", "throw away", "start over", "revert"],
            Self::Checkout => &["checkout", "restore", "revert", "discard", "undo", "throw away"],
            Self::Clean => &["clean", "untracked", "remove", "delete"],
            Self::ForcePush => &["force", "overwrite the branch", "rewrite history"],
            Self::Publish => &["publish", "release", "ship", "registry"],
            Self::Remove | Self::Clear => &["remove", "delete", "rm -rf", "wipe", "clean up", "get rid of"],
        }
    }
}

/// Folders whose removal loses nothing that cannot be made again.
const DISPOSABLE: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    "target",
    "out",
    "__pycache__",
    ".pytest_cache",
    ".cache",
    "coverage",
    "venv",
    ".venv",
    ".next",
    ".tox",
    "tmp",
    "temp",
    ".mypy_cache",
    ".ruff_cache",
    "htmlcov",
];

/// Folders that hold what people wrote, by the conventions of most projects.
const WORK: &[&str] = &[
    ".git",
    "cmd",
    "components",
    "crates",
    "docs",
    "include",
    "internal",
    "lib",
    "migrations",
    "modules",
    "packages",
    "pkg",
    "source",
    "spec",
    "src",
    "test",
    "tests",
];

/// Whether a target is work by its name: everything in a folder, a folder of sources or one inside it, or a source file.
fn is_work(target: &str) -> bool {
    let target = target.trim_start_matches("./").trim_end_matches('/');
    matches!(target, "" | "*" | "." | ".." | "~" | "~/*" | "/*")
        || target.split(['/', '\\']).any(|part| part == ".." || WORK.contains(&part))
}

/// The first thing of a command line that wipes work.
#[must_use]
pub fn of_command(command: &str) -> Option<Danger> {
    if !["git", "rm ", "publish", "upload"].iter().any(|w| command.contains(w)) {
        return None;
    }
    let published = || (super::external::of_command(command) == Some(super::external::External::Publish)).then_some(Danger::Publish);
    let mut place = Place::default();
    segments(command).iter().find_map(|words| of_words(words, &mut place)).or_else(published)
}

fn of_words(words: &[String], place: &mut Place) -> Option<Danger> {
    let (program, rest) = simple(words)?;
    place.follow(program, &rest);
    match program {
        "git" => of_git(&rest),
        "rm" => {
            let flags: String = rest.iter().filter(|w| w.starts_with('-')).copied().collect();
            let forced = flags.contains('r') || flags.contains('R');
            let lost = || rest.iter().filter(|w| forced && !w.starts_with('-')).filter(|t| !disposable(t) && !place.is_scratch(t));
            if lost().any(|t| is_work(t)) { Some(Danger::Remove) } else { lost().next().map(|_| Danger::Clear) }
        }
        _ => None,
    }
}

fn of_git(rest: &[&str]) -> Option<Danger> {
    let at = rest.iter().position(|w| ["reset", "clean", "push", "checkout", "restore"].contains(w))?;
    let has = |flag: &str| rest.contains(&flag);
    match rest[at] {
        "reset" if has("--hard") => Some(Danger::Reset),
        "clean" => {
            let short = |c: char| rest.iter().any(|w| w.starts_with('-') && !w.starts_with("--") && w.contains(c));
            ((short('f') || has("--force")) && !short('n') && !has("--dry-run")).then_some(Danger::Clean)
        }
        "push" if has("--force") || has("-f") => Some(Danger::ForcePush),
        "checkout" if has("--") || has(".") => Some(Danger::Checkout),
        "restore" if !has("--staged") => Some(Danger::Checkout),
        _ => None,
    }
}

fn disposable(target: &str) -> bool {
    let target = target.trim_end_matches('/');
    scratch::is_scratch(target)
        || target.split('/').any(|part| DISPOSABLE.contains(&part))
        || target.ends_with(".pyc")
        || target.ends_with(".egg-info")
}

/// The simple commands of a line, as words; quotes are honoured, what they hold is one word.
pub(super) fn segments(command: &str) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut word = String::new();
    let mut quote = None;
    let mut quoted = false;
    let flush = |word: &mut String, quoted: &mut bool, all: &mut Vec<Vec<String>>| {
        if (!word.is_empty() || *quoted)
            && let Some(last) = all.last_mut()
        {
            last.push(std::mem::take(word));
        }
        *quoted = false;
    };
    for c in command.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                quoted = true;
            }
            (None, '&' | '|' | ';' | '\n' | '(' | ')') => {
                flush(&mut word, &mut quoted, &mut all);
                if all.last().is_some_and(|s| !s.is_empty()) {
                    all.push(Vec::new());
                }
            }
            (None, c) if c.is_whitespace() => flush(&mut word, &mut quoted, &mut all),
            (None, c) => word.push(c),
        }
    }
    flush(&mut word, &mut quoted, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wipes_and_what_only_says_so() {
        for (command, danger) in [
            ("git reset --hard HEAD~1", Danger::Reset),
            ("cd /w && git status; git -C x reset --hard", Danger::Reset),
            ("git checkout -- src/a.py", Danger::Checkout),
            ("git clean -fd", Danger::Clean),
            ("git push origin main --force", Danger::ForcePush),
            ("ls && rm -rf src/parser", Danger::Remove),
            ("npm test && npm publish", Danger::Publish),
            ("cd /tmp/x && cd /w/p && rm -rf src", Danger::Remove),
            ("cd /tmp/x && rm -rf ../../w/p", Danger::Remove),
            ("rm -rf src 2>&1", Danger::Remove),
            ("rm -rf ./*", Danger::Remove),
            ("rm -rf .git && git init", Danger::Remove),
            ("rm -rf /w/p/packages/core", Danger::Remove),
            ("rm -rf results/*", Danger::Clear),
            ("rm -rf results src", Danger::Remove),
            ("rm -r /w/p/out-3/trial", Danger::Clear),
        ] {
            assert_eq!(of_command(command), Some(danger), "{command}");
        }
        for command in [
            "grep -r 'git reset --hard' .",
            "echo \"rm -rf src\"",
            "rm -rf node_modules dist",
            "rm -rf /tmp/x",
            "git checkout main",
            "git push --force-with-lease",
            "git clean -nfd",
            "git restore --staged a",
            "rm a.txt",
            "rm -rf .venv/bin/ 2>&1; echo $?",
            "rm -rf dist 2>/dev/null",
            "rm -rf build > /dev/null 2>&1 || true",
            "cd /tmp && rm -rf trial && mkdir trial",
        ] {
            assert_eq!(of_command(command), None, "{command}");
        }
    }
}
