//! One input of a run, and how to see a line of it again.

use crate::input;
use crate::trace::{Ledger, Place};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// One input of a run.
#[derive(Debug, Clone)]
pub struct Source {
    /// How it is named in reports: relative to the argument, or as given.
    pub shown: Arc<str>,
    /// The format's name.
    pub format: &'static str,
    /// What became of its lines.
    pub ledger: Ledger,
    /// Its content.
    pub text: SourceText,
    /// The second witness of the last event, where the content has none: the file's modification time.
    pub modified: Option<crate::trace::Time>,
    /// What of it counts, where another source of the run tells the same in full.
    pub kept: Option<&'static str>,
}

/// Where a source's text can be had again.
#[derive(Debug, Clone)]
pub enum SourceText {
    /// Small files are kept until their run is done.
    Kept(Arc<Vec<u8>>),
    /// To be opened again.
    File(PathBuf),
    /// Standard input cannot be read twice: the head of each line that made an event, by line number.
    Heads(Arc<Mutex<HashMap<u32, Box<str>>>>),
}

/// What an excerpt looks at.
const WINDOW: usize = 4 << 10;

/// What is looked at to find a failure in a long record.
const RECORD: usize = 1 << 20;

/// From this length on a line's head from standard input may have been cut.
const KEPT_HEAD: usize = 480;

impl Source {
    /// The head of the line at a place, or nothing where it cannot be had any more; and whether it may have been cut, by its
    /// writer's death too.
    #[must_use]
    pub fn line(&self, place: Place) -> (Vec<u8>, bool) {
        self.up_to(place, WINDOW)
    }

    /// The whole record at a place, as far as that is reasonable.
    #[must_use]
    pub fn record(&self, place: Place) -> (Vec<u8>, bool) {
        self.up_to(place, RECORD)
    }

    /// Whether only the lines' heads were kept.
    #[must_use]
    pub fn has_heads_only(&self) -> bool {
        matches!(self.text, SourceText::Heads(_))
    }

    fn up_to(&self, place: Place, window: usize) -> (Vec<u8>, bool) {
        match &self.text {
            SourceText::Kept(bytes) => {
                let start = usize::try_from(place.offset).unwrap_or(usize::MAX).min(bytes.len());
                first_line(bytes.get(start..).unwrap_or_default(), window)
            }
            SourceText::File(path) => first_line(&input::read_at(path, place.offset, window).unwrap_or_default(), window),
            SourceText::Heads(heads) => {
                let heads = heads.lock().unwrap_or_else(PoisonError::into_inner);
                heads.get(&place.line).map_or_else(Default::default, |h| (h.as_bytes().to_vec(), h.len() >= KEPT_HEAD))
            }
        }
    }
}

/// The first line of some bytes, and whether it may have been cut.
pub(crate) fn first_line(bytes: &[u8], window: usize) -> (Vec<u8>, bool) {
    let seen = bytes.get(..window).unwrap_or(bytes);
    match memchr::memchr(b'\n', seen).and_then(|end| seen.get(..end)) {
        Some(line) => (line.to_vec(), false),
        // A last line without an end is whole only if its record is.
        None => (seen.to_vec(), seen.len() == window || !seen.trim_ascii_end().ends_with(b"}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: SourceText, offset: u64) -> (Vec<u8>, bool) {
        let source = Source { shown: "x".into(), format: "loop-log", ledger: Ledger::default(), text, modified: None, kept: None };
        source.line(Place { source: 0, line: 1, offset })
    }

    #[test]
    fn a_line_tells_whether_it_was_cut() {
        let kept = |bytes: &[u8]| SourceText::Kept(Arc::new(bytes.to_vec()));
        assert_eq!(line(kept(b"{\"a\":1}\n{\"b\""), 0), (b"{\"a\":1}".to_vec(), false));
        assert_eq!(line(kept(b"{\"a\":1}\n{\"b\""), 8), (b"{\"b\"".to_vec(), true));
        let long = [b'x'; WINDOW + 10];
        assert_eq!(line(kept(&long), 0), (long[..WINDOW].to_vec(), true));
        let head = |length: usize| SourceText::Heads(Arc::new(Mutex::new(HashMap::from([(1, "x".repeat(length).into())]))));
        assert!(!line(head(479), 0).1 && line(head(480), 0).1);
    }
}
