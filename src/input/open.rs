//! Opening a source: plain, `.gz`, `.zst` or standard input; small plain files come whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Plain files up to this size are read whole and kept until their run is diagnosed, so that excerpts cost no second read.
pub const SMALL: u64 = 256 << 10;

/// Packed sources up to this unpacked size are kept as well.
const UNPACKED: u64 = 8 << 20;

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
        Some(Compression::Gzip) => unpacked(Box::new(flate2::read::MultiGzDecoder::new(io::BufReader::new(file))), buffer)?,
        Some(Compression::Zstd) => unpacked(Box::new(zstd::stream::read::Decoder::new(file)?), buffer)?,
        // Pipes and devices have no length to trust.
        None if !meta.is_file() => Opened::Stream(Box::new(file)),
        None if meta.len() <= SMALL => {
            whole(&file, usize::try_from(meta.len()).unwrap_or_default(), buffer)?;
            Opened::Whole
        }
        None => Opened::Stream(Box::new(file.take(meta.len()))),
    };
    Ok(Source { content, modified: meta.modified().ok() })
}

/// Reads up to `length` bytes. The length is known, so this is one call to the system where `read_to_end` makes several
/// and grows the buffer between them: a night can have 100,000 small files.
fn whole(mut file: &File, length: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.resize(length, 0);
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    buffer.truncate(filled);
    Ok(())
}

/// A packed source that is small when unpacked is kept: to show a line of it again it would be unpacked from its start.
fn unpacked(mut reader: Box<dyn Read + Send>, buffer: &mut Vec<u8>) -> io::Result<Opened> {
    match reader.by_ref().take(UNPACKED).read_to_end(buffer) {
        Ok(n) if (n as u64) < UNPACKED => Ok(Opened::Whole),
        // Too large, or broken: what was read comes first, the rest or the fault after it.
        result => {
            let head = io::Cursor::new(std::mem::take(buffer));
            let fault: Box<dyn Read + Send> = match result {
                Ok(_) => reader,
                Err(e) => Box::new(Fault(Some(e))),
            };
            Ok(Opened::Stream(Box::new(head.chain(fault))))
        }
    }
}

/// Gives an error that has happened already.
struct Fault(Option<io::Error>);

impl Read for Fault {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
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
