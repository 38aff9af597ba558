//! `STATUS.md`: what a loop says to people. It is shown to them, and decides nothing.

use crate::format::{Format, Role, Sniff, whole};
use crate::input::Lines;
use crate::trace::Builder;
use crate::trace::governance::Notes;
use std::io;

pub(super) struct StatusMd;

/// The sections that are read.
const SECTIONS: &[&str] = &["done", "in progress", "next", "never", "blocked", "open"];

impl Format for StatusMd {
    fn id(&self) -> &'static str {
        "status-md"
    }

    fn about(&self) -> &'static str {
        "STATUS.md: sections Done, In progress, Next and Never, for people; never evidence"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        if name.eq_ignore_ascii_case("status.md") { Sniff::Yes } else { Sniff::No }
    }

    fn sniff(&self, _: &[u8]) -> Sniff {
        Sniff::No
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let (bytes, place, count) = whole::document(lines, out)?;
        out.ledger().read += count;
        let mut notes = Notes { source: place.source, ..Notes::default() };
        let mut open = false;
        for (number, line) in (1_u32..).zip(String::from_utf8_lossy(&bytes).lines()) {
            let line = line.trim();
            if let Some(title) = line.strip_prefix('#').map(|t| t.trim_start_matches('#').trim()) {
                open = SECTIONS.iter().any(|s| title.to_lowercase().starts_with(s));
                if open {
                    notes.sections.push((title.to_owned(), Vec::new()));
                }
            } else if open
                && let Some((_, points)) = notes.sections.last_mut()
                && !line.is_empty()
            {
                points.push((line.trim_start_matches(['-', '*', ' ']).to_owned(), number));
            }
        }
        out.notes(notes);
        Ok(())
    }
}
