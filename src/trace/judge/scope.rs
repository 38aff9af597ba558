//! What of the project a judge looks at, in one spelling.
//!
//! A scope is a list of parts with a blank between them: paths first, then what picks among them, each sorted. A part
//! is a path (`web/src`, `tests/a.py::test_b`), a name that is matched (`~login`), a flag that narrows (`-k=slow`), a
//! variant (`+features=tls`), or the words of a configured judge (`=acme verify`). A part with blanks in it stands in single quotes. No part: everything.

use super::args::{Args, Style};
use super::dir::Dir;

/// Longer scopes end in a hash: they are kept for every check of a run.
const MAX_LENGTH: usize = 1000;

/// What a runner takes its bare words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Files and folders.
    Paths,
    /// The same; without one nothing is judged.
    Files,
    /// Files, folders, or words that names are matched with.
    Patterns,
    /// Words that names are matched with.
    Names,
    /// Go packages: without `/...` only the folder itself; without any, the current one.
    Go,
    /// Go packages, where none means all.
    GoAll,
    /// Python's dotted names of modules, classes and tests.
    Dotted,
    /// `//folder:target`.
    Labels,
    /// Source files; without one nothing is compiled.
    Sources,
    /// Nothing that would narrow.
    Ignore,
}

/// A scope under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    paths: Vec<String>,
    marks: Vec<String>,
    /// Everything in the directory is named.
    whole: bool,
    /// Files are named.
    files: bool,
    /// Something picks among what is named.
    picks: bool,
}

impl Scope {
    /// Takes in all that the arguments say.
    pub(super) fn read(&mut self, args: &Args<'_>, words: Words, style: &Style, dir: &Dir) {
        for select in &args.selects {
            self.select(select);
        }
        for variant in &args.variants {
            self.marks.push(format!("+{variant}"));
        }
        for path in &args.paths {
            self.path(path, style.roots, dir);
        }
        for word in &args.words {
            match words {
                Words::Paths | Words::Files => self.path(word, style.roots, dir),
                Words::Patterns if word.contains(['/', '.']) => self.path(word, style.roots, dir),
                Words::Patterns | Words::Names => self.name(word),
                Words::Go | Words::GoAll => self.package(word, dir),
                Words::Dotted => self.dotted(word, style.roots, dir),
                Words::Labels => self.label(word, dir),
                Words::Sources if is_source(word) => self.path(word, style.roots, dir),
                Words::Sources | Words::Ignore => {}
            }
        }
        if words == Words::Go && args.words.is_empty() {
            self.package(".", dir);
        }
    }

    /// A file or folder; a file narrows.
    pub(super) fn path(&mut self, text: &str, roots: &[&str], dir: &Dir) {
        // The id of a test may hold slashes of its own.
        let (file, id) = match text.find("::") {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let file = file.strip_suffix("tsconfig.json").filter(|folder| folder.is_empty() || folder.ends_with('/')).unwrap_or(file);
        let plain = file.trim_start_matches("./").trim_end_matches('/');
        if id.is_empty() && (plain.is_empty() && !file.starts_with('/') || plain == "." || roots.contains(&plain)) {
            self.whole = true;
            return;
        }
        self.files |= !id.is_empty() || is_file(plain);
        let place = format!("{}{id}", dir.place(file));
        if place.is_empty() {
            self.whole = true;
        } else {
            self.paths.push(place);
        }
    }

    /// A name that is matched.
    pub(super) fn name(&mut self, text: &str) {
        self.marks.push(format!("~{text}"));
        self.picks = true;
    }

    /// A script that judges by itself. Its arguments are names: none of them is a path of the project for certain.
    pub(super) fn file(&mut self, path: &str, whole: bool, dir: &Dir) {
        for path in std::mem::take(&mut self.paths) {
            self.name(&path);
        }
        self.whole = false;
        self.picks |= !whole;
        self.files = false;
        self.paths.push(dir.place(path));
    }

    /// Words that tell this judge apart without making it a part of another.
    pub(super) fn title(&mut self, text: &str) {
        self.marks.push(format!("={text}"));
    }

    /// A flag with its value.
    pub(super) fn select(&mut self, text: &str) {
        self.marks.push(if text.starts_with('-') { text.to_owned() } else { format!("-{text}") });
        self.picks = true;
    }

    /// A variant of the same target.
    pub(super) fn variant(&mut self, text: &str) {
        self.marks.push(format!("+{text}"));
    }

    fn package(&mut self, word: &str, dir: &Dir) {
        match word.strip_suffix("...").map(|folder| folder.trim_end_matches('/')) {
            Some("" | ".") => self.whole = true,
            Some(folder) => self.path(folder, &[], dir),
            None if word.ends_with(".go") => self.path(word, &[], dir),
            None => {
                let place = dir.place(word);
                self.paths.push(if place.is_empty() { ".".to_owned() } else { format!("{place}/.") });
            }
        }
    }

    fn dotted(&mut self, word: &str, roots: &[&str], dir: &Dir) {
        if word.contains('/') || word.ends_with(".py") {
            return self.path(word, roots, dir);
        }
        let parts: Vec<&str> = word.split('.').filter(|part| !part.is_empty()).collect();
        let class = parts.iter().position(|part| part.starts_with(|c: char| c.is_uppercase())).unwrap_or(parts.len());
        let (modules, ids) = parts.split_at(class);
        let mut text = modules.join("/");
        let file = modules.last().is_some_and(|last| last.starts_with("test_") || last.ends_with("_test"));
        if !text.is_empty() && (file || !ids.is_empty()) {
            text.push_str(".py");
        }
        for id in ids {
            text.push_str("::");
            text.push_str(id);
        }
        self.path(&text, roots, dir);
    }

    fn label(&mut self, word: &str, dir: &Dir) {
        let inside = word.strip_prefix("//");
        let text = inside.unwrap_or(word);
        let text = text.strip_suffix("...").or_else(|| text.strip_suffix(":all")).map_or(text, |folder| folder.trim_end_matches('/'));
        if text.is_empty() {
            self.whole = true;
            return;
        }
        self.files |= text.contains(':');
        // `//` is the workspace's root, wherever the command runs.
        self.paths.push(if inside.is_some() { text.to_owned() } else { dir.place(text) });
    }

    /// The scope's text, and whether it is only a part of what lies in its directory.
    pub(super) fn finish(mut self, dir: &Dir) -> (String, bool) {
        if self.whole {
            // What else is named lies inside it.
            self.paths.clear();
        }
        if self.paths.is_empty() && !dir.shown().is_empty() {
            self.paths.push(dir.shown().to_owned());
        }
        self.paths.sort_unstable();
        self.paths.dedup();
        self.marks.sort_unstable();
        self.marks.dedup();
        let parts: Vec<String> =
            self.paths.iter().map(|path| part(path, true)).chain(self.marks.iter().map(|mark| part(mark, false))).collect();
        (shorten(parts.join(" ")), self.picks || self.files && !self.whole)
    }
}

/// One part: blanks inside it are single and stand in quotes, and a path never looks like a mark.
fn part(text: &str, path: bool) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace('\'', "\"");
    let text = if path && text.starts_with(['-', '~', '+', '=']) { format!("./{text}") } else { text };
    if text.contains(' ') { format!("'{text}'") } else { text }
}

/// The parts of a finished scope.
pub(super) fn parts(scope: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    scope
        .split(move |c: char| {
            quoted ^= c == '\'';
            c == ' ' && !quoted
        })
        .map(|part| part.trim_matches('\''))
        .filter(|part| !part.is_empty())
}

fn shorten(scope: String) -> String {
    if scope.len() <= MAX_LENGTH {
        return scope;
    }
    let cut = (0..=MAX_LENGTH).rev().find(|at| scope.is_char_boundary(*at)).unwrap_or(0);
    // FNV-1a: short, and the same in every release.
    let hash = scope.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{}…{hash:016x}", scope.get(..cut).unwrap_or("").replace('\'', "\""))
}

/// Files have an extension; a project's own manifest stands for its folder.
fn is_file(path: &str) -> bool {
    const MANIFESTS: &[&str] = &["sln", "slnx", "slnf", "csproj", "fsproj", "vbproj"];
    let base = path.rsplit('/').next().unwrap_or(path);
    let extension = base.trim_start_matches('.').rsplit_once('.').map_or("", |(_, extension)| extension);
    // `a_spec.rb:12` names a line.
    let extension = extension.split(':').next().unwrap_or("");
    if base.starts_with("tsconfig") {
        return false;
    }
    !extension.is_empty() && !MANIFESTS.contains(&extension) || matches!(base, "Dockerfile" | "Containerfile")
}

/// Does a compiler take this word for source or object code?
pub(super) fn is_source(word: &str) -> bool {
    const SOURCES: &[&str] = &[
        "a", "adb", "asm", "c", "C", "cc", "cpp", "cu", "cxx", "d", "f", "f90", "f95", "for", "hs", "java", "kt", "ll", "m", "ml", "mm",
        "nim", "o", "pas", "rs", "s", "S", "scala", "swift", "v", "zig", "lean", "agda", "lagda",
    ];
    word.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && SOURCES.contains(&extension))
}
