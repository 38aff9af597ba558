//! Opening a source: plain, `.gz`, `.zst` or standard input; small plain files come whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Plain files up to this size are read whole and kept until their run is diagnosed, so that excerpts cost no second read.
pub const SMALL: u64 = 256 << 10;

/// An opened source, with the file's modification time where it has one.
pub struct Source {
    /// Its content.
    pub content: Opened,
    /// When it was last written.
    pub modified: Option<std::time::SystemTime>,
}

/// The content of an opened source.
pub enum Opened {
    /// All of it is in the buffer.
    Whole,
    /// To be streamed. Its size is known for plain files.
    Stream(Box<dyn Read + Send>),
}

/// The path that stands for standard input.
pub const STDIN: &str = "-";

/// Opens `path`; a small plain file is read into `buffer`. A plain file is read to the length that it has now: a log
/// that grows meanwhile neither blocks nor changes the result.
///
/// # Errors
/// The system's, and a compressed file's broken header.
pub fn open(path: &Path, buffer: &mut Vec<u8>) -> io::Result<Source> {
    buffer.clear();
    if path.as_os_str() == STDIN {
        return Ok(Source { content: Opened::Stream(Box::new(io::stdin())), modified: None });
    }
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    let content = match compression(path) {
        Some(Compression::Gzip) => Opened::Stream(Box::new(flate2::read::MultiGzDecoder::new(io::BufReader::new(file)))),
        Some(Compression::Zstd) => Opened::Stream(Box::new(zstd::stream::read::Decoder::new(file)?)),
        // Pipes and devices have no length to trust.
        None if !meta.is_file() => Opened::Stream(Box::new(file)),
        None if meta.len() <= SMALL => {
            file.take(meta.len()).read_to_end(buffer)?;
            Opened::Whole
        }
        None => Opened::Stream(Box::new(file.take(meta.len()))),
    };
    Ok(Source { content, modified: meta.modified().ok() })
}

/// How a file is packed, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

/// By the name's ending.
#[must_use]
pub fn compression(path: &Path) -> Option<Compression> {
    let ending = path.extension()?.to_str()?;
    match ending.to_ascii_lowercase().as_str() {
        "gz" => Some(Compression::Gzip),
        "zst" => Some(Compression::Zstd),
        _ => None,
    }
}

/// A file's name without the ending of its packing: what the name-based rules look at.
#[must_use]
pub fn plain_name(path: &Path) -> &str {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    match compression(path) {
        Some(_) => name.rsplit_once('.').map_or(name, |(stem, _)| stem),
        None => name,
    }
}
