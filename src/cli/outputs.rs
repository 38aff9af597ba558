//! Where a command writes: never over a log, and never where it would read its own output.

use anyhow::bail;
use loopmortem::input::{self, Apart};
use std::path::{Path, PathBuf};

/// What is written by a flag: `files`, and pictures in `folders`. What of it lies within the arguments is kept apart from the
/// input, so that a second run reads what the first read.
///
/// # Errors
/// One of the files is a log that is read: input is never written to.
pub(crate) fn apart(flag: &str, arguments: &[PathBuf], files: &[PathBuf], folders: &[&Path]) -> anyhow::Result<Apart> {
    let read: Vec<PathBuf> = arguments.iter().filter_map(|a| a.canonicalize().ok()).collect();
    let mut apart = Apart::new();
    for file in files {
        let there = file.canonicalize().ok().filter(|f| f.is_file());
        if let Some(there) = there.filter(|f| read.iter().any(|r| f.starts_with(r)))
            && (read.contains(&there) || is_log(&there))
        {
            bail!("{flag}: {} is a log that is read; it would be written over", file.display());
        }
        apart.add_file(file);
    }
    folders.iter().for_each(|folder| apart.add_pictures(folder));
    Ok(apart)
}

/// Writes a file under a name of ours within a folder that was named. A link there may have been laid by whoever wrote the logs: it
/// is replaced, and not followed.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    unlink(path)?;
    std::fs::write(path, bytes)
}

/// Removes a link, and only that.
pub(crate) fn unlink(path: &Path) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok_and(|meta| meta.is_symlink()) { std::fs::remove_file(path) } else { Ok(()) }
}

/// Whether there is anything in a file that would be read as a log.
fn is_log(file: &Path) -> bool {
    let some = std::fs::metadata(file).is_ok_and(|meta| meta.len() > 0);
    some && !input::discover(&[file.to_owned()], input::Options::default()).files.is_empty()
}
