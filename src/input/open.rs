//! Opening a source: plain, `.gz`, `.zst` or standard input; small plain files come whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Plain files up to this size are read whole and kept until their run is diagnosed, so that excerpts cost no second read.
pub const SMALL: u64 = 256 << 10;

/// Packed sources up to this unpacked size are kept as well.
const UNPACKED: u64 = 8 << 20;

/// What is read from a source whose end cannot be seen: standard input, and the inside of a packed file.
const ENDLESS: u64 = 1 << 30;

/// A packed file that unpacks to more than this many times its size, and to more than [`ENDLESS`], is made to do harm: logs
/// shrink to a tenth, very repetitive ones to a hundredth.
const SWELLS: u64 = 200;

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

/// What a path is that is no regular file.
pub(crate) fn not_regular(meta: &std::fs::Metadata) -> String {
    let kind = meta.file_type();
    #[cfg(unix)]
    let what = {
        use std::os::unix::fs::FileTypeExt as _;
        match () {
            () if kind.is_fifo() => "it is a pipe",
            () if kind.is_socket() => "it is a socket",
            () if kind.is_dir() => "it is a folder",
            () => "it is a device",
        }
    };
    #[cfg(not(unix))]
    let what = if kind.is_dir() { "it is a folder" } else { "it is a device" };
    format!("{what}, and only regular files are read (- is standard input)")
}

/// A source that may have no end: beyond what is `left` it fails, and says `what` is wrong.
struct Bounded {
    inner: Box<dyn Read + Send>,
    left: u64,
    what: &'static str,
}

impl Read for Bounded {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            // Its end may be just here.
            return match self.inner.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, self.what)),
            };
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        let got = self.inner.read(out.get_mut(..most).unwrap_or_default())?;
        self.left -= got as u64;
        Ok(got)
    }
}

/// All of a file that is no log: a configuration, a policy, a report. It may be a pipe, as `<(…)` makes one, but not endless.
///
/// # Errors
/// The system's, and `FileTooLarge` beyond 256 MiB.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    const MOST: u64 = 256 << 20;
    let mut all = Vec::new();
    Bounded { inner: Box::new(File::open(path)?), left: MOST, what: "it is longer than 256 MiB" }.read_to_end(&mut all)?;
    Ok(all)
}

/// The same as text.
///
/// # Errors
/// Those of [`read_whole`], and `InvalidData` for what is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_whole(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8 text"))
}

/// Opens `path`; a small plain file is read into `buffer`. A plain file is read to the length that it has now: a log
/// that grows meanwhile neither blocks nor changes the result.
///
/// # Errors
/// The system's, a compressed file's broken header, and a pipe, a socket or a device: those may have no end.
pub fn open(path: &Path, buffer: &mut Vec<u8>) -> io::Result<Source> {
    buffer.clear();
    if path.as_os_str() == STDIN {
        let bounded =
            Bounded { inner: Box::new(io::stdin()), left: ENDLESS, what: "standard input is read up to 1 GiB; put the log into a file" };
        return Ok(Source { content: Opened::Stream(Box::new(bounded)), modified: None });
    }
    // Asked before it is opened: opening a pipe waits for its writer.
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, not_regular(&meta)));
    }
    let file = File::open(path)?;
    let meta = file.metadata()?;
    let swollen = |inner: Box<dyn Read + Send>| -> Box<dyn Read + Send> {
        let left = ENDLESS.max(meta.len().saturating_mul(SWELLS));
        Box::new(Bounded { inner, left, what: "it unpacks to more than 1 GiB and 200 times its size" })
    };
    let content = match compression(path) {
        Some(Compression::Gzip) => unpacked(swollen(Box::new(flate2::read::MultiGzDecoder::new(io::BufReader::new(file)))), buffer)?,
        Some(Compression::Zstd) => unpacked(swollen(Box::new(zstd::stream::read::Decoder::new(file)?)), buffer)?,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_source_ends_where_it_ends_and_fails_behind_its_bound() {
        let read = |length: u64, left: u64| {
            let mut all = Vec::new();
            let mut bounded = Bounded { inner: Box::new(io::repeat(b'x').take(length)), left, what: "too long" };
            bounded.read_to_end(&mut all).map(|_| all.len() as u64).map_err(|e| e.to_string())
        };
        assert_eq!([read(0, 10), read(9, 10), read(10, 10)], [Ok(0), Ok(9), Ok(10)]);
        assert_eq!(read(11, 10), Err("too long".to_owned()));
        assert_eq!(read(0, 0), Ok(0));
    }
}
