//! Interned names: a trace says `Bash` ten thousand times and stores it once.

use std::collections::HashMap;

/// A name in a [`Names`] table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

impl Name {
    /// No name: its text is empty.
    pub const NONE: Self = Self(u32::MAX);
}

/// The names of one run.
#[derive(Debug, Default, Clone)]
pub struct Names {
    by_text: HashMap<Box<str>, Name>,
    texts: Vec<Box<str>>,
}

impl Names {
    /// The name for a text, made if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.by_text.get(text) {
            return *name;
        }
        // More than four billion distinct names do not fit a trace's memory first.
        let name = Name(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        self.texts.push(text.into());
        self.by_text.insert(text.into(), name);
        name
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> &str {
        self.texts.get(name.0 as usize).map_or("", AsRef::as_ref)
    }
}
