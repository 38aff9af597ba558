//! One input of a run, and how to see a line of it again.

use crate::input;
use crate::trace::{Ledger, Place};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

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
}

/// Where a source's text can be had again.
#[derive(Debug, Clone)]
pub enum SourceText {
    /// Small files are kept until their run is done.
    Kept(Arc<Vec<u8>>),
    /// To be opened again.
    File(PathBuf),
    /// Standard input cannot be read twice: the head of each line that made an event, by line number.
    Heads(HashMap<u32, Box<str>>),
}

/// What an excerpt looks at.
const WINDOW: usize = 4 << 10;

impl Source {
    /// The head of the line at a place, or nothing where it cannot be had any more.
    #[must_use]
    pub fn line(&self, place: Place) -> Vec<u8> {
        match &self.text {
            SourceText::Kept(bytes) => {
                let start = usize::try_from(place.offset).unwrap_or(usize::MAX).min(bytes.len());
                first_line(&bytes[start..]).to_vec()
            }
            SourceText::File(path) => {
                let bytes = input::read_at(path, place.offset, WINDOW).unwrap_or_default();
                first_line(&bytes).to_vec()
            }
            SourceText::Heads(heads) => heads.get(&place.line).map_or_else(Vec::new, |h| h.as_bytes().to_vec()),
        }
    }
}

fn first_line(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len()).min(WINDOW);
    &bytes[..end]
}
