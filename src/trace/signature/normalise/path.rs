//! Workspace roots, temporary and home directories.

use super::super::text::{byte, cut, digits_end, find, has, is_word, run, starts_ci, tail};
use super::ident::{changes, is_hash};
use super::{DIGIT, HEX_LOWER, HEX_UPPER, Scan};

const TEMPORARY: [&[u8]; 8] = [
    b"/tmp/",
    b"/private/tmp/",
    b"/var/tmp/",
    b"/var/folders/",
    b"/private/var/folders/",
    b"/dev/shm/",
    b"/private/var/tmp/",
    b"/run/user/",
];

/// Extensions after which `(12,5)` is a place and not a call.
const SOURCE: [&[u8]; 44] = [
    b"ts", b"tsx", b"js", b"jsx", b"mjs", b"cjs", b"mts", b"cts", b"cs", b"vb", b"fs", b"fsx", b"py", b"pyi", b"rs", b"go", b"java", b"kt",
    b"kts", b"c", b"h", b"cc", b"cpp", b"cxx", b"hpp", b"hh", b"swift", b"rb", b"php", b"vue", b"svelte", b"scala", b"m", b"mm", b"ex",
    b"exs", b"dart", b"lua", b"pl", b"sh", b"zig", b"pas", b"sql", b"csproj",
];

pub(super) fn is_source_extension(ext: &[u8]) -> bool {
    SOURCE.contains(&ext)
}

/// Characters that a path written in running text goes on with. None of them is a boundary before a path, so that no
/// stretch is looked at twice.
fn is_path(b: u8) -> bool {
    is_word(b) || b >= 0x80 || matches!(b, b'/' | b'\\' | b'.' | b'-' | b'+' | b'@' | b'~' | b'#' | b'%' | b'$' | b'&' | b'!')
}

fn is_separator(b: u8) -> bool {
    b == b'/' || b == b'\\'
}

/// Length of the workspace root at the start of `s`, with the separators behind it; 0 without one. The longest wins.
fn root_len(s: &[u8], roots: &[&str]) -> usize {
    let mut best = 0;
    for root in roots {
        let root = root.as_bytes().trim_ascii();
        let bare = root.iter().rposition(|&b| !is_separator(b)).map_or(0, |p| p + 1);
        let root = cut(root, 0, bare);
        if root.len() < 2 || !s.starts_with(root) {
            continue;
        }
        let next = byte(s, root.len());
        if is_separator(next) {
            best = best.max(run(s, root.len(), is_separator));
        } else if !is_path(next) && root.len() > best {
            best = root.len();
        }
    }
    best
}

/// Copies an id as it is, but without a root at its start and without the place that some runners put into a title
/// (`login.spec.ts:3:5 › login`): both move while the test stays the same.
pub(super) fn push_id(id: &[u8], roots: &[&str], out: &mut Vec<u8>) {
    let id = tail(id, root_len(id, roots));
    if !has(id, "›".as_bytes()) {
        out.extend_from_slice(id);
        return;
    }
    let mut from = 0;
    let mut i = 0;
    while i < id.len() {
        let end = digits_end(id, i + 1);
        if byte(id, i) == b':' && end > i + 1 && extension_before(id, i) && !is_word(byte(id, end)) {
            out.extend_from_slice(cut(id, from, i));
            i = end;
            if byte(id, i) == b':' && byte(id, i + 1).is_ascii_digit() {
                i = digits_end(id, i + 1);
            }
            from = i;
        } else {
            i += 1;
        }
    }
    out.extend_from_slice(tail(id, from));
}

fn extension_before(s: &[u8], end: usize) -> bool {
    let near = cut(s, end.saturating_sub(6), end);
    near.iter().rposition(|&b| b == b'.').is_some_and(|dot| is_source_extension(tail(near, dot + 1)))
}

impl Scan<'_> {
    /// Does a path begin here? Not in the middle of one, and not in `a/b`.
    fn boundary(&self, i: usize) -> bool {
        match i {
            0 => !self.inside,
            _ => matches!(
                self.before(i),
                b' ' | b'\t' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'{' | b'<' | b'>' | b'=' | b':' | b',' | b';' | b'|'
            ),
        }
    }

    pub(super) fn slash(&mut self) {
        let mut start = self.i;
        let fresh = start >= self.path_end && self.boundary(start);
        self.path = true;
        self.i += 1;
        if !fresh {
            return;
        }
        if cut(self.src, start, start + 3) == b"///" {
            // file:///w/p
            start += 2;
        }
        self.directory(start, start);
    }

    /// `C:\work\a.ts`; the scanner stands behind the drive letter.
    pub(super) fn windows_path(&mut self, start: usize) {
        if start >= self.path_end && (start == 0 || self.boundary(start)) {
            self.path = true;
            self.i = start + 2;
            self.directory(start, start + 2);
        }
    }

    /// Looks at the path that begins at `start`; its separators begin at `body`.
    fn directory(&mut self, start: usize, body: usize) {
        let root = root_len(tail(self.src, start), self.roots);
        if root > 0 {
            self.path_end = start + root;
            let whole = !is_separator(self.before(start + root));
            self.replace(start, start + root, if whole { b"." } else { b"" });
            return;
        }
        let mut end = run(self.src, body, is_path);
        while end > body && matches!(self.before(end), b'.' | b'!') {
            end -= 1;
        }
        self.path_end = end;
        let path = cut(self.src, start, end);
        if is_temporary(path) {
            self.flush(start);
            self.out.extend_from_slice(b"<tmp>");
            self.go_on(lasting_name(path).map_or(end, |n| start + n));
            self.fresh();
            self.path = true;
        } else if let Some(n) = home_len(path) {
            self.replace(start, start + n, b"~");
        }
    }

    /// `%TEMP%\x`, `$TMPDIR/x`, `${TMPDIR}/x`.
    pub(super) fn variable(&mut self) {
        let start = self.i;
        self.i += 1;
        let rest = tail(self.src, start);
        let name = [&b"%temp%"[..], b"%tmp%", b"$tmpdir", b"${tmpdir}", b"$env:temp"].into_iter().find(|n| starts_ci(rest, n));
        let Some(name) = name else { return };
        let body = start + name.len();
        if !is_separator(self.at(body)) {
            return;
        }
        let end = run(self.src, body, is_path);
        self.path_end = end;
        self.flush(start);
        self.out.extend_from_slice(b"<tmp>");
        self.go_on(lasting_name(cut(self.src, start, end)).map_or(end, |n| start + n));
        self.fresh();
        self.path = true;
    }
}

fn is_temporary(path: &[u8]) -> bool {
    if TEMPORARY.iter().any(|t| path.starts_with(t) && path.len() > t.len()) || has(path, b"/pytest-of-") {
        return true;
    }
    // `\AppData\Local\Temp\`, its separators doubled where the text was quoted.
    find(path, b"AppData").is_some_and(|at| {
        let local = run(path, at + 7, is_separator);
        let temp = run(path, local + 5, is_separator);
        starts_ci(tail(path, local), b"local") && starts_ci(tail(path, temp), b"temp")
    })
}

/// Start, with its separator, of a last part that is a file's name and not drawn by lot: `/report.xml`.
fn lasting_name(path: &[u8]) -> Option<usize> {
    let slash = path.iter().rposition(|&b| is_separator(b))?;
    let name = tail(path, slash + 1);
    let dot = name.iter().rposition(|&b| b == b'.')?;
    let (stem, ext) = (cut(name, 0, dot), tail(name, dot + 1));
    let plain = (1..=6).contains(&ext.len()) && ext.iter().all(u8::is_ascii_alphabetic);
    let mut kinds = 0;
    for &b in stem {
        kinds |= super::kind(b);
    }
    let hexlike = kinds & !(DIGIT | HEX_LOWER | HEX_UPPER) == 0 && is_hash(stem, kinds);
    let random = stem.is_empty()
        || starts_ci(stem, b"tmp")
        || starts_ci(stem, b"temp")
        || hexlike
        || changes(stem) >= 3
        || stem.iter().filter(|b| b.is_ascii_digit()).count() >= 6;
    (plain && !random && slash > 4).then_some(slash)
}

/// Length of `/home/name`, `/Users/name` or `C:\Users\name`: whose home it is does not matter.
fn home_len(path: &[u8]) -> Option<usize> {
    if path.starts_with(b"/root/") {
        return Some(5);
    }
    let at = if path.starts_with(b"/home/") {
        6
    } else if path.starts_with(b"/Users/") {
        7
    } else if byte(path, 1) == b':' && starts_ci(tail(path, run(path, 2, is_separator)), b"users") {
        run(path, run(path, 2, is_separator) + 5, is_separator)
    } else {
        return None;
    };
    let end = run(path, at, |b| !is_separator(b));
    (end > at && end < path.len()).then_some(end)
}
