//! Lines of a source over one reused buffer.

use std::io::{self, Read};

/// The longest line that is read; what is longer is counted as lost.
pub const LINE_CAP: usize = 64 << 20;
/// A line of more than this many times the longest is taken to have no end: a file full of nothing, or a hole.
const ENDLESS: usize = 64;
/// What a read asks for.
const CHUNK: usize = 256 << 10;

/// One line, without its end.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The content: no newline, no CR before it, no byte order mark, no NUL at either end.
    pub bytes: &'a [u8],
    /// Line number, from 1.
    pub number: u32,
    /// Offset of the line's first byte in the source.
    pub offset: u64,
    /// Bytes that the line takes in the source, its end included.
    pub taken: u64,
    /// Whether the line has an end. Only the last one may lack it.
    pub ended: bool,
    /// The line was longer than the cap; `bytes` is empty.
    pub too_long: bool,
}

/// Reads lines from memory or from a stream. Holds one line (plus one chunk) at a time.
pub struct Lines<'b> {
    reader: Option<Box<dyn Read + 'b>>,
    buffer: &'b mut Vec<u8>,
    start: usize,
    offset: u64,
    number: u32,
    cap: usize,
}

impl<'b> Lines<'b> {
    /// Over what `buffer` already holds.
    pub fn in_memory(buffer: &'b mut Vec<u8>) -> Self {
        Self { reader: None, buffer, start: 0, offset: 0, number: 0, cap: LINE_CAP }
    }

    /// Over a stream; `buffer` is room to work in, its content is thrown away.
    pub fn streamed(reader: Box<dyn Read + 'b>, buffer: &'b mut Vec<u8>) -> Self {
        buffer.clear();
        Self { reader: Some(reader), buffer, start: 0, offset: 0, number: 0, cap: LINE_CAP }
    }

    /// The first bytes of the source, for sniffing; nothing is consumed.
    ///
    /// # Errors
    /// The stream's.
    pub fn head(&mut self, want: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.start < want && self.fill()? {}
        let end = self.buffer.len().min(self.start + want);
        Ok(&self.buffer[self.start..end])
    }

    /// Everything that is left, for formats that are one document. At most the line cap.
    ///
    /// # Errors
    /// The stream's, or `FileTooLarge` beyond the cap.
    pub fn rest(&mut self) -> io::Result<&[u8]> {
        while self.fill()? {
            if self.buffer.len() > self.cap {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "longer than 64 MiB"));
            }
        }
        let rest = &self.buffer[self.start..];
        self.start = self.buffer.len();
        self.offset += rest.len() as u64;
        Ok(rest)
    }

    /// The next line, or `None` at the end.
    ///
    /// # Errors
    /// The stream's, or `FileTooLarge` for a line that goes on and on.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = self.start;
        let mut dropped = 0_usize;
        let end = loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..]) {
                break Some(searched + at);
            }
            searched = self.buffer.len();
            if searched - self.start > self.cap {
                dropped += searched - self.start;
                if dropped / ENDLESS > self.cap {
                    return Err(io::Error::new(io::ErrorKind::FileTooLarge, "a line has no end"));
                }
                self.buffer.clear();
                (self.start, searched) = (0, 0);
            }
            let before = self.start;
            if !self.fill()? {
                break None;
            }
            searched -= before - self.start; // filling moves the line to the front
        };
        let (stop, ended) = end.map_or((self.buffer.len(), false), |at| (at, true));
        let first = self.start;
        let taken = (dropped + stop - first) as u64 + u64::from(ended);
        if taken == 0 {
            return Ok(None);
        }
        let offset = self.offset;
        self.offset += taken;
        self.number = self.number.saturating_add(1);
        self.start = stop + usize::from(ended);
        let too_long = dropped > 0 || stop - first > self.cap;
        let bytes = if too_long { &[] } else { trim(&self.buffer[first..stop], offset == 0) };
        Ok(Some(Line { bytes, number: self.number, offset, taken, ended, too_long }))
    }

    /// Bytes handed out so far.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.offset
    }

    /// Reads one chunk behind what is there. `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let Some(reader) = self.reader.as_mut() else { return Ok(false) };
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let had = self.buffer.len();
        self.buffer.resize(had + CHUNK, 0);
        let got = loop {
            match reader.read(&mut self.buffer[had..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(had + *got.as_ref().unwrap_or(&0));
        if matches!(got, Ok(0) | Err(_)) {
            self.reader = None;
        }
        got.map(|n| n > 0)
    }
}

fn trim(mut bytes: &[u8], first: bool) -> &[u8] {
    if first {
        bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    }
    bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    while let [0, rest @ ..] = bytes {
        bytes = rest;
    }
    while let [rest @ .., 0] = bytes {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A stream that gives `step` bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(out.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn all(mut lines: Lines<'_>) -> Vec<(Vec<u8>, u32, u64, bool, bool)> {
        let mut out = Vec::new();
        while let Some(l) = lines.next_line().unwrap() {
            out.push((l.bytes.to_vec(), l.number, l.offset, l.ended, l.too_long));
        }
        out
    }

    #[test]
    fn ends_marks_and_nuls() {
        let mut b = b"\xef\xbb\xbfa\r\n\0\0b\0\n\n\0\0\nlast".to_vec();
        let got = all(Lines::in_memory(&mut b));
        let want: Vec<(&[u8], u32, u64, bool, bool)> = vec![
            (b"a", 1, 0, true, false),
            (b"b", 2, 6, true, false),
            (b"", 3, 11, true, false),
            (b"", 4, 12, true, false),
            (b"last", 5, 15, false, false),
        ];
        assert_eq!(got, want.into_iter().map(|(b, n, o, e, t)| (b.to_vec(), n, o, e, t)).collect::<Vec<_>>());
    }

    #[test]
    fn a_line_over_the_cap_is_skipped_and_the_next_one_read() {
        for len in [10, 11, 500] {
            let text = [vec![b'x'; len], b"\nnext\n".to_vec()].concat();
            let mut buffer = Vec::new();
            let mut lines = Lines::streamed(Box::new(Drip(&text, 4)), &mut buffer);
            lines.cap = 10;
            let got = all(lines);
            assert_eq!(got.len(), 2, "{len}");
            assert_eq!((got[0].4, got[1].0.as_slice(), got[1].1, got[1].2), (len > 10, b"next".as_slice(), 2, len as u64 + 1), "{len}");
        }
    }

    #[test]
    fn a_line_without_end_is_given_up() {
        let mut buffer = Vec::new();
        let mut lines = Lines::streamed(Box::new(io::repeat(0)), &mut buffer);
        lines.cap = 1 << 16;
        assert_eq!(lines.next_line().unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    proptest! {
        /// Stream and memory agree, and every byte is accounted for.
        #[test]
        fn any_chunking_gives_the_same_lines(text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(0u8), Just(b'\r'), any::<u8>()], 0..300), step in 1usize..40) {
            let mut memory = text.clone();
            let mut room = Vec::new();
            let a = all(Lines::in_memory(&mut memory));
            let b = all(Lines::streamed(Box::new(Drip(&text, step)), &mut room));
            prop_assert_eq!(&a, &b);
            prop_assert_eq!(a.len(), text.split_inclusive(|b| *b == b'\n').count());
            let mut again = text.clone();
            let mut lines = Lines::in_memory(&mut again);
            let mut taken = 0;
            while let Some(l) = lines.next_line().unwrap() { taken += l.taken; }
            prop_assert_eq!(taken, text.len() as u64);
            prop_assert_eq!(lines.consumed(), text.len() as u64);
        }
    }
}
