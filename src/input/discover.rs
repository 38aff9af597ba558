//! Finding logs: the walk over directories, and which files are worth opening.

use crate::error::ReadError;
use crate::format::{self, Format, Identity, Role, Sniff};
use crate::input::{Apart, Lines, Opened, STDIN, not_regular, open, plain_name};
use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Folders that hold no run of their own and many files.
const SKIPPED: &[&str] = &[".git", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"];

/// How to look.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Read files that were named, and standard input, as this format.
    pub format: Option<&'static dyn Format>,
    /// What is no input although it may lie within.
    pub apart: Option<&'a Apart>,
}

/// A file that holds a log.
#[derive(Clone)]
pub struct Found {
    /// The argument under which it was found. A night can have 100,000 files: they share it.
    pub root: Arc<Path>,
    /// Which argument that is.
    pub argument: u32,
    /// Its path below that argument, with `/`; empty where the argument is the file.
    pub below: Box<str>,
    /// Its format.
    pub format: &'static dyn Format,
    /// The name alone decided the format, so the file belongs to its folder's run.
    pub by_name: bool,
    /// What ties it to other files of an agent.
    pub identity: Option<Box<Identity>>,
    /// The format is a guess: the source cannot be opened twice, so it is looked at while it is read.
    pub guessed: bool,
    /// The path, where its name is no UTF-8.
    pub exact: Option<Box<Path>>,
}

impl Found {
    /// To open it.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        match &self.exact {
            Some(exact) => exact.to_path_buf(),
            None if self.below.is_empty() => self.root.to_path_buf(),
            None => self.root.join(&*self.below),
        }
    }

    /// Its name without the ending of its packing.
    #[must_use]
    pub fn name(&self) -> &str {
        let path = if self.below.is_empty() { &*self.root } else { Path::new(&*self.below) };
        plain_name(path)
    }
}

/// What a look at the arguments found.
#[derive(Default)]
pub struct Discovery {
    /// The logs, in the order of arguments and paths.
    pub files: Vec<Found>,
    /// What could not be looked at.
    pub errors: Vec<ReadError>,
    /// Files that were passed over: nothing in name or content is of a known format.
    pub passed_over: u64,
    /// Arguments that are not there or cannot be read; the reason is among the errors.
    pub unread: u64,
}

impl Discovery {
    /// An argument that cannot be read.
    fn refuse(&mut self, error: ReadError) {
        self.errors.push(error);
        self.unread += 1;
    }
}

/// Looks at every argument: a file, a directory (walked, hidden files too), or `-`.
#[must_use]
pub fn discover(arguments: &[PathBuf], options: Options<'_>) -> Discovery {
    let mut all = Discovery::default();
    let whole: Vec<Option<PathBuf>> = arguments.iter().map(|a| a.canonicalize().ok()).collect();
    for (index, argument) in arguments.iter().enumerate() {
        // An argument inside an earlier or wider one would count its runs twice.
        let covered = whole[index].as_ref().is_some_and(|own| {
            whole
                .iter()
                .enumerate()
                .any(|(k, other)| k != index && other.as_ref().is_some_and(|o| own.starts_with(o) && (own != o || k < index)))
        });
        if covered {
            continue;
        }
        if argument.as_os_str() == STDIN {
            // What stands there is seen when it is read; the commonest format is assumed until then.
            let format = options.format.or_else(|| format::by_id("loop-log"));
            all.files.extend(format.map(|format| Found { guessed: options.format.is_none(), ..lone(argument, index, format) }));
        } else if argument.is_dir() {
            walk(argument, index, options, &mut all);
        } else {
            named(argument, index, options, &mut all);
        }
    }
    all
}

/// A file that the user named is opened whatever it is called.
fn named(path: &Path, argument: usize, options: Options<'_>, all: &mut Discovery) {
    let shown = path.display().to_string();
    let reason = match std::fs::metadata(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return all.refuse(ReadError::Missing { path: shown }),
        Err(e) => Some(e.to_string()),
        Ok(meta) if !meta.is_file() => Some(not_regular(&meta)),
        // Seen now, it is a fault of the argument.
        Ok(_) => std::fs::File::open(path).err().map(|e| e.to_string()),
    };
    if let Some(reason) = reason {
        return all.refuse(ReadError::Io { path: shown, reason });
    }
    let by_name = format::by_name(plain_name(path)).filter(|(_, sniff)| *sniff == Sniff::Yes).map(|(format, _)| format);
    let seen = match options.format.or(by_name) {
        Some(format) => Ok((format, identity(path, format))),
        None => look(path),
    };
    match seen {
        Ok((format, identity)) => all.files.push(Found { identity, ..lone(path, argument, format) }),
        Err(error) => all.errors.push(error),
    }
}

/// The identity of a file whose format is known without a look.
fn identity(path: &Path, format: &'static dyn Format) -> Option<Box<Identity>> {
    if !matches!(format.role(), Role::Transcript | Role::Stream) {
        return None;
    }
    with_head(path, |head| Some(Box::new(Identity { size: size(path), ..format.identity(head) }))).ok().flatten()
}

/// A file that is an argument itself.
fn lone(path: &Path, argument: usize, format: &'static dyn Format) -> Found {
    Found {
        root: path.into(),
        argument: small(argument),
        below: "".into(),
        format,
        by_name: false,
        identity: None,
        guessed: false,
        exact: None,
    }
}

fn small(argument: usize) -> u32 {
    u32::try_from(argument).unwrap_or(u32::MAX)
}

fn walk(root: &Path, argument: usize, options: Options<'_>, all: &mut Discovery) {
    if let Err(e) = std::fs::read_dir(root) {
        return all.refuse(ReadError::Io { path: root.display().to_string(), reason: e.to_string() });
    }
    let shared: Arc<Path> = root.into();
    let whole = root.canonicalize().ok();
    let sure = Mutex::new(Vec::new());
    let unsure = Mutex::new(Vec::new());
    let errors = Mutex::new(Vec::new());
    let passed = std::sync::atomic::AtomicU64::new(0);
    let walker = WalkBuilder::new(root)
        .standard_filters(false)
        .hidden(false)
        .threads(rayon::current_num_threads())
        .filter_entry(|e| e.depth() == 0 || !SKIPPED.iter().any(|s| e.file_name() == *s))
        .build_parallel();
    let push = |list: &Mutex<Vec<Found>>, found| {
        if let Ok(mut list) = list.lock() {
            list.push(found);
        }
    };
    walker.run(|| {
        Box::new(|entry| {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    if let Ok(mut errors) = errors.lock() {
                        errors.push(ReadError::Io { path: root.display().to_string(), reason: error.to_string() });
                    }
                    return WalkState::Continue;
                }
            };
            if apart(&entry, root, whole.as_deref(), options) {
                return WalkState::Continue;
            }
            // A link to a file is read, a link to a folder is not followed: it could lead in a circle.
            let linked = entry.file_type().is_some_and(|t| t.is_symlink());
            let is_file = entry.file_type().is_some_and(|t| t.is_file()) || linked && entry.path().is_file();
            // What a link shows is found where it is, if that is in the tree: `latest` is no second run.
            let twice = || entry.path().canonicalize().is_ok_and(|to| whole.as_ref().is_some_and(|root| to.starts_with(root)));
            if !is_file {
                let kind = entry.file_type().filter(|t| !(t.is_dir() || t.is_symlink()));
                let meta = kind.and_then(|_| entry.path().symlink_metadata().ok());
                if let Some(meta) = meta.filter(|_| format::by_name(plain_name(entry.path())).is_some())
                    && let Ok(mut errors) = errors.lock()
                {
                    errors.push(ReadError::Io { path: entry.path().display().to_string(), reason: not_regular(&meta) });
                }
                return WalkState::Continue;
            }
            if linked && twice() {
                return WalkState::Continue;
            }
            match format::by_name(plain_name(entry.path())) {
                Some((format, sniff)) => {
                    let below = below(root, entry.path());
                    let exact = entry.path().to_str().is_none().then(|| entry.path().into());
                    let found = Found {
                        root: shared.clone(),
                        argument: small(argument),
                        below,
                        format,
                        by_name: sniff == Sniff::Yes,
                        identity: None,
                        guessed: false,
                        exact,
                    };
                    push(if sniff == Sniff::Yes { &sure } else { &unsure }, found);
                }
                None => {
                    passed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            }
            WalkState::Continue
        })
    });
    let unsure = unsure.into_inner().unwrap_or_default();
    let looked: Vec<(Found, Result<Seen, ReadError>)> = unsure
        .into_par_iter()
        .map(|found| {
            let seen = look(&found.path());
            (found, seen)
        })
        .collect();
    let mut files = sure.into_inner().unwrap_or_default();
    for (mut found, seen) in looked {
        match seen {
            Ok((format, identity)) => {
                found.format = format;
                found.identity = identity;
                files.push(found);
            }
            Err(ReadError::UnknownFormat { .. }) => all.passed_over += 1,
            Err(error) => all.errors.push(error),
        }
    }
    all.passed_over += passed.into_inner();
    files.sort_by(|a, b| a.below.cmp(&b.below));
    all.files.extend(files);
    let mut errors = errors.into_inner().unwrap_or_default();
    errors.sort_by_key(ToString::to_string);
    all.errors.extend(errors);
    all.errors.sort_by_key(ToString::to_string);
}

/// Whether an entry is one of the program's own files.
fn apart(entry: &ignore::DirEntry, root: &Path, whole: Option<&Path>, options: Options<'_>) -> bool {
    let Some((apart, whole)) = options.apart.zip(whole) else { return false };
    #[cfg(unix)]
    let inode = entry.ino();
    #[cfg(not(unix))]
    let inode = None;
    entry.path().strip_prefix(root).is_ok_and(|rest| apart.holds(&whole.join(rest), inode))
}

fn below(root: &Path, path: &Path) -> Box<str> {
    let rest = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = rest.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    parts.join("/").into()
}

/// A format with what ties the file to others.
type Seen = (&'static dyn Format, Option<Box<Identity>>);

/// The format by a look at the first bytes.
fn look(path: &Path) -> Result<Seen, ReadError> {
    with_head(path, |head| {
        if let Some((format, _)) = format::by_content(head) {
            let tied = matches!(format.role(), Role::Transcript | Role::Stream);
            return Ok((format, tied.then(|| Box::new(Identity { size: size(path), ..format.identity(head) }))));
        }
        // An agent that was killed before its first word leaves an empty stream.
        if head.is_empty() && plain_name(path).ends_with(".jsonl") {
            return format::by_id("claude-stream-json").map(|f| (f, Some(Box::default()))).ok_or_else(unknown(path, "it is empty"));
        }
        let hint = match head {
            [] => "it is empty",
            _ if head.contains(&0) => "it is binary",
            _ => "no line is a known record",
        };
        Err(unknown(path, hint)())
    })?
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |m| m.len())
}

fn unknown(path: &Path, hint: &'static str) -> impl FnOnce() -> ReadError {
    let path = path.display().to_string();
    move || ReadError::UnknownFormat { path, hint }
}

/// Shows the first bytes of a file.
fn with_head<T>(path: &Path, show: impl FnOnce(&[u8]) -> T) -> Result<T, ReadError> {
    let io = |e: std::io::Error| ReadError::Io { path: path.display().to_string(), reason: e.to_string() };
    let mut buffer = Vec::new();
    let mut lines = match open(path, &mut buffer).map_err(io)?.content {
        Opened::Whole => Lines::in_memory(&mut buffer),
        Opened::Stream(reader) => Lines::streamed(reader, &mut buffer),
    };
    Ok(show(lines.head(format::HEAD).map_err(io)?))
}
