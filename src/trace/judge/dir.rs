//! Where a command runs, as far as its own text says: paths are put together by their letters, nothing is looked up.

/// No real path is longer; a text that goes on and on must not make every step dearer than the one before.
const MAX_LENGTH: usize = 4096;

/// A directory, relative to where the run started.
#[derive(Clone, Debug, Default)]
pub(super) struct Dir {
    /// The project's root, when the caller knows it; without a slash at its end.
    root: String,
    /// The absolute directory, once the text has named it.
    absolute: Option<String>,
    /// What is shown: `""` is the start.
    shown: String,
}

impl Dir {
    /// `cwd` may lie inside or above `workspace`, or be relative to it; either may be empty when it is not known.
    pub(super) fn start(workspace: &str, cwd: &str) -> Self {
        let root = forward(workspace).trim_end_matches('/').to_owned();
        let mut dir = Dir { absolute: (!root.is_empty()).then(|| root.clone()), root, shown: String::new() };
        let cwd = forward(cwd);
        if is_absolute(&cwd) {
            // A start somewhere else is a start all the same.
            dir.shown = dir.seen_from_root(&cwd).unwrap_or_default();
            dir.absolute = Some(cwd.trim_end_matches('/').to_owned());
        } else {
            dir.enter(&cwd);
        }
        dir
    }

    /// The project's root.
    pub(super) fn root(&self) -> Self {
        Dir { root: self.root.clone(), absolute: (!self.root.is_empty()).then(|| self.root.clone()), shown: String::new() }
    }

    /// The directory itself, relative to the start.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// `cd path`.
    pub(super) fn enter(&mut self, path: &str) {
        let path = forward(path);
        match path.as_str() {
            "" | "." | "./" | "$PWD" | "$(pwd)" => {}
            "$(git rev-parse --show-toplevel)" => {
                self.shown.clear();
                self.absolute = (!self.root.is_empty()).then(|| self.root.clone());
            }
            _ if is_absolute(&path) => {
                let shown = match self.seen_from_root(&path).or_else(|| self.below(&path)) {
                    Some(inside) => inside,
                    // Which part of it is the workspace is unknown: its last name tells it apart from others.
                    None => join("", path.trim_end_matches('/').rsplit('/').next().unwrap_or("")),
                };
                self.shown = shown;
                self.absolute = Some(path.trim_end_matches('/').to_owned());
            }
            _ if self.shown.len() + path.len() > MAX_LENGTH => self.shown.clear(),
            _ => {
                self.shown = join(&self.shown, &path);
                self.absolute = self.absolute.as_deref().map(|base| behind(base, &path));
                if let Some(back) = self.absolute.as_deref().filter(|_| self.shown.starts_with("..")).and_then(|a| self.seen_from_root(a)) {
                    self.shown = back;
                }
            }
        }
    }

    /// `path` as seen from the start; `""` is everything.
    pub(super) fn place(&self, path: &str) -> String {
        let path = forward(path);
        if !is_absolute(&path) {
            let path = path.strip_prefix("$PWD/").unwrap_or(&path);
            // From above the workspace a way may lead back into it.
            let back =
                self.absolute.as_deref().filter(|_| self.shown.starts_with("..")).and_then(|a| self.seen_from_root(&behind(a, path)));
            return back.unwrap_or_else(|| join(&self.shown, path));
        }
        match self.seen_from_root(&path).or_else(|| self.below(&path)) {
            Some(inside) => inside,
            None => join("", &path),
        }
    }

    /// A folder or file below the workspace, or a folder above it.
    fn seen_from_root(&self, path: &str) -> Option<String> {
        if self.root.is_empty() {
            return None;
        }
        if let Some(inside) = rest_below(path, &self.root) {
            return Some(join("", inside));
        }
        let down = rest_below(&self.root, path.trim_end_matches('/'))?;
        let steps = down.split('/').filter(|part| !part.is_empty()).map(|_| "..");
        Some(steps.collect::<Vec<_>>().join("/"))
    }

    /// An absolute path below a directory that the text has entered by its absolute name.
    fn below(&self, path: &str) -> Option<String> {
        let base = self.absolute.as_deref().filter(|base| base.len() > 1)?;
        Some(join(&self.shown, rest_below(path, base)?))
    }
}

fn rest_below<'p>(path: &'p str, base: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(base)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

fn forward(path: &str) -> String {
    path.replace('\\', "/")
}

/// Whether a path does not continue the directory before; `~/x` and `C:/x` do not either.
#[must_use]
pub fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.as_bytes().get(1) == Some(&b':') && path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
}

/// A relative path from an absolute directory.
fn behind(base: &str, path: &str) -> String {
    format!("/{}", join(base.trim_start_matches('/'), path))
}

/// Puts `path` behind `base` and takes out `.`, `..` and doubled slashes.
fn join(base: &str, path: &str) -> String {
    let mut out = base.to_owned();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let start = out.rfind('/').map_or(0, |slash| slash + 1);
                let last = out.get(start..).unwrap_or("");
                if last.is_empty() || last == ".." {
                    push(&mut out, "..");
                } else {
                    out.truncate(start.saturating_sub(1));
                }
            }
            _ => push(&mut out, part),
        }
    }
    out
}

fn push(out: &mut String, part: &str) {
    if !out.is_empty() {
        out.push('/');
    }
    out.push_str(part);
}
