//! What the program itself writes lies apart: it is no input, even inside a folder that is read. A second run would else
//! read the output of the first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files that are not read and not counted.
#[derive(Debug, Clone, Default)]
pub struct Apart {
    files: BTreeSet<PathBuf>,
    pictures: BTreeSet<PathBuf>,
    stdout: Option<Stdout>,
}

impl Apart {
    /// Nothing but the file that standard output goes to, if it goes to one.
    #[must_use]
    pub fn new() -> Self {
        Self { stdout: Stdout::find(), ..Self::default() }
    }

    /// A file that will be written. It need not be there yet, its folder must.
    pub fn add_file(&mut self, path: &Path) {
        self.files.extend(whole(path));
    }

    /// A folder for SVG and PNG.
    pub fn add_pictures(&mut self, folder: &Path) {
        self.pictures.extend(whole(folder));
    }

    /// Whether a file lies apart. `path` has no links and no `..` in it; `inode` is known on Unix.
    pub(super) fn holds(&self, path: &Path, inode: Option<u64>) -> bool {
        let picture = || {
            let ending = path.extension().is_some_and(|e| e == "svg" || e == "png");
            ending && path.parent().is_some_and(|folder| self.pictures.contains(folder))
        };
        self.files.contains(path) || (!self.pictures.is_empty() && picture()) || self.stdout.as_ref().is_some_and(|s| s.is(path, inode))
    }
}

/// The path without links; its last part need not exist.
fn whole(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    })
}

/// The file behind `> runs/out.jsonl`: it is there, and empty, before the program begins.
#[derive(Debug, Clone, Copy)]
struct Stdout {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
}

impl Stdout {
    #[cfg(unix)]
    fn find() -> Option<Self> {
        use std::os::fd::AsFd as _;
        use std::os::unix::fs::MetadataExt as _;
        let file = std::fs::File::from(std::io::stdout().as_fd().try_clone_to_owned().ok()?);
        let meta = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Self { device: meta.dev(), inode: meta.ino() })
    }

    #[cfg(unix)]
    fn is(self, path: &Path, inode: Option<u64>) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        inode.is_none_or(|i| i == self.inode)
            && std::fs::metadata(path).is_ok_and(|meta| meta.dev() == self.device && meta.ino() == self.inode)
    }

    #[cfg(not(unix))]
    fn find() -> Option<Self> {
        None
    }

    #[cfg(not(unix))]
    fn is(self, _: &Path, _: Option<u64>) -> bool {
        false
    }
}
