//! What a stateless loop hands to an iteration: `.loop_context.md`, and copies of it with the iteration in the name.

use crate::format::{Format, Role, Sniff, has_ending, whole};
use crate::input::Lines;
use crate::trace::governance::ContextFile;
use crate::trace::{Builder, Place};
use std::io;

pub(super) struct LoopContext;

/// What the writer puts beside a file that it had no room for.
const SKIPPED: &[u8] = b"(skipped, context budget exceeded)";

impl Format for LoopContext {
    fn id(&self) -> &'static str {
        "loop-context"
    }

    fn about(&self) -> &'static str {
        "*loop_context*.md: State, Current failure, Relevant files; read for its size and the files it had no room for"
    }

    fn role(&self) -> Role {
        Role::Companion
    }

    fn by_name(&self, name: &str) -> Sniff {
        let lower = name.to_ascii_lowercase();
        let named = lower.contains("loop_context") || lower.contains("loop-context");
        if named && has_ending(name, &["md", "txt"]) { Sniff::Yes } else { Sniff::No }
    }

    fn name_word(&self) -> Option<&'static str> {
        Some("loop_context")
    }

    fn sniff(&self, head: &[u8]) -> Sniff {
        if memchr::memmem::find(head, SKIPPED).is_some() { Sniff::Maybe } else { Sniff::No }
    }

    fn decode(&self, lines: &mut Lines<'_>, out: &mut Builder) -> io::Result<()> {
        let (bytes, place, count) = whole::document(lines, out)?;
        out.ledger().read += count;
        let name = out.source().map(|s| s.shown.to_string()).unwrap_or_default();
        let name = name.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
        let skipped: Vec<usize> = memchr::memmem::find_iter(&bytes, SKIPPED).collect();
        let at = skipped.first().map_or(place, |at| {
            let start = memchr::memrchr(b'\n', &bytes[..*at]).map_or(0, |n| n + 1);
            let line = u32::try_from(memchr::memchr_iter(b'\n', &bytes[..start]).count() + 1).unwrap_or(u32::MAX);
            Place { line, offset: start as u64, ..place }
        });
        out.context_file(ContextFile {
            number: whole::number_in(&name),
            characters: String::from_utf8_lossy(&bytes).chars().count() as u64,
            skipped: u32::try_from(skipped.len()).unwrap_or(u32::MAX),
            place: at,
        });
        Ok(())
    }
}
