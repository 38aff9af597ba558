//! From paths to lines: find the files, group them into runs, open them, read them line by line.

mod apart;
mod discover;
mod fitting;
mod group;
mod lines;
mod named;
mod open;
mod sessions;

pub use apart::Apart;
pub use discover::{Discovery, Found, Options, discover};
pub use fitting::fitting;
pub use group::{Group, group};
pub use lines::{LINE_CAP, Line, Lines};
pub(crate) use open::not_regular;
pub use open::{Compression, Opened, SMALL, STDIN, compression, open, plain_name, read_text, read_whole};

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Up to `len` bytes of a source from a byte offset of its decompressed content.
///
/// # Errors
/// The system's.
pub fn read_at(path: &Path, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    if compression(path).is_none() {
        let mut file = std::fs::File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.take(len as u64).read_to_end(&mut out)?;
        return Ok(out);
    }
    let mut buffer = Vec::new();
    if let Opened::Stream(mut reader) = open(path, &mut buffer)?.content {
        io::copy(&mut reader.by_ref().take(offset), &mut io::sink())?;
        reader.take(len as u64).read_to_end(&mut out)?;
    }
    Ok(out)
}
