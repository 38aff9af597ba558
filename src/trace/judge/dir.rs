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
    /// `cwd` may lie inside `workspace`; either may be empty when it is not known.
    pub(super) fn start(workspace: &str, cwd: &str) -> Self {
        let root = forward(workspace).trim_end_matches('/').to_owned();
        let mut dir = Dir { absolute: (!root.is_empty()).then(|| root.clone()), root, shown: String::new() };
        if !cwd.is_empty() {
            // A start outside the workspace is a start all the same.
            let shown = dir.under_root(&forward(cwd)).unwrap_or_default();
            dir.absolute = Some(forward(cwd).trim_end_matches('/').to_owned());
            dir.shown = shown;
        }
        dir
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
                let shown = match self.under_root(&path).or_else(|| self.below(&path)) {
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
                self.absolute = self.absolute.as_deref().map(|base| format!("/{}", join(base.trim_start_matches('/'), &path)));
            }
        }
    }

    /// `path` as seen from the start; `""` is everything.
    pub(super) fn place(&self, path: &str) -> String {
        let path = forward(path);
        if !is_absolute(&path) {
            return join(&self.shown, path.strip_prefix("$PWD/").unwrap_or(&path));
        }
        match self.under_root(&path).or_else(|| self.below(&path)) {
            Some(inside) => inside,
            None => join("", &path),
        }
    }

    fn under_root(&self, path: &str) -> Option<String> {
        if self.root.is_empty() {
            return None;
        }
        Some(join("", rest_below(path, &self.root)?))
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

/// Also `~/x` and `C:/x`: they do not continue the directory before.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.as_bytes().get(1) == Some(&b':') && path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
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
