//! What belongs to a failure over several lines: its message below it, a title broken at its suites, the file on the next
//! line.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::super::normalise::push_id;
use super::super::runners::{self, Family, Follow, Hit, Kind, Tier};
use super::super::text::{byte, cut, find, has, starts_ci};
use super::{Block, Collector};

/// How many lines of message one failure takes in.
const MAX_NOTES: u8 = 4;
/// How long a title of several lines may be.
const MAX_TITLE: usize = 1024;

/// Labels of the lines that go with a message.
const LABELS: [&[u8]; 9] = [b"expected", b"received", b"actual", b"got:", b"left:", b"right:", b"error:", b"message:", b"+ received"];

impl Collector<'_> {
    /// Lists and titles that go over several lines.
    pub(super) fn in_block(&mut self, t: &[u8], indent: usize, span: (u32, u32)) -> bool {
        if self.alone {
            return false;
        }
        match self.follow {
            Follow::Title => return self.title_line(t, span.1),
            Follow::IdOnNext => {
                let end = find(t, b" [").unwrap_or(t.len());
                let id = cut(t, 0, end);
                let id = id.strip_suffix(b":").unwrap_or(id);
                self.follow = Follow::Nothing;
                let hit = Hit { follow: Follow::NextLine, ..Hit::test(Family::Ruby, 2, t, id) };
                self.add_test(&hit, id, &[], span);
                return true;
            }
            _ => {}
        }
        if self.cargo_list {
            let named = indent == 4 && (!t.contains(&b' ') || has(t, b" (line "));
            if named && !t.ends_with(b":") {
                let end = find(t, b" (line ").unwrap_or(t.len());
                self.add(&Hit::test(Family::Cargo, 1, t, cut(t, 0, end)), t, span);
                return true;
            }
            self.cargo_list = !t.starts_with(b"test result");
        }
        if t == b"failures:" {
            self.cargo_list = true;
        } else if t == b"Failures:" {
            self.block = Block::Ruby;
        } else if (t.starts_with(b"There was ") || t.starts_with(b"There were ")) && t.ends_with(b":") {
            self.block = Block::Php;
        } else if byte(t, 0).is_ascii_digit() && t.ends_with(b" failing") {
            self.block = Block::Mocha;
        }
        byte(t, 0).is_ascii_digit() && self.numbered(t, span)
    }

    /// `1) title` inside a list of failures.
    fn numbered(&mut self, t: &[u8], span: (u32, u32)) -> bool {
        let Some(title) = runners::numbered(t) else {
            return false;
        };
        if title == b"Failure:" || title == b"Error:" {
            self.follow = Follow::IdOnNext;
            return true;
        }
        let (family, rank) = match self.block {
            Block::Outside => return false,
            Block::Mocha => {
                self.title.clear();
                self.title_span = span;
                self.follow = Follow::Title;
                return self.title_line(title, span.1);
            }
            Block::Ruby => (Family::Ruby, 2),
            Block::Php => (Family::Php, 2),
        };
        let hit = Hit { follow: Follow::NextLine, ..Hit::test(family, rank, title, title) };
        self.add_test(&hit, title, &[], span);
        true
    }

    /// mocha breaks a title at its suites; the last part ends in a colon.
    fn title_line(&mut self, t: &[u8], end: u32) -> bool {
        if !self.title.is_empty() {
            self.title.extend_from_slice(" › ".as_bytes());
        }
        self.title.extend_from_slice(t.strip_suffix(b":").unwrap_or(t));
        self.title_span.1 = end;
        if t.ends_with(b":") || self.title.len() > MAX_TITLE {
            let title = std::mem::take(&mut self.title);
            let hit = Hit { follow: Follow::NextLine, ..Hit::test(Family::Script, 3, &title, &title) };
            self.add_test(&hit, &title, &[], self.title_span);
            self.title = title;
            self.title.clear();
        }
        true
    }

    /// Does the line say more about the failure above it?
    pub(super) fn belongs(&mut self, t: &[u8], indent: usize) -> bool {
        let Some(at) = self.open.filter(|_| self.follow != Follow::Nothing) else {
            return false;
        };
        match self.follow {
            Follow::MarkedE => {
                // pytest shows the source in between, which may be long.
                let Some(message) = t.strip_prefix(b"E  ").filter(|_| indent == 0) else {
                    return false;
                };
                self.note(at, message.trim_ascii());
                self.follow = Follow::Nothing;
                return true;
            }
            Follow::Traceback => {
                if t.starts_with(b"Traceback (") {
                    self.traceback = true;
                } else if indent == 0 && (self.traceback || runners::is_exception(t)) && !t.starts_with(b"---") {
                    self.traceback = false;
                    self.note(at, t);
                    self.follow = Follow::Nothing;
                    return true;
                }
                return false;
            }
            _ => {}
        }
        if self.reach == 0 {
            self.follow = Follow::Nothing;
            return false;
        }
        self.reach -= 1;
        match self.follow {
            Follow::Location => {
                self.located(at, t);
                false
            }
            Follow::GoLog => self.go_log(at, t, indent),
            _ => self.next_line(at, t),
        }
    }

    fn next_line(&mut self, at: usize, t: &[u8]) -> bool {
        let notes = self.entries.get(at).map_or(0, |e| e.notes);
        let only_a_label = t.len() < 24 && t.ends_with(b":");
        let labelled = LABELS.iter().any(|l| starts_ci(t, l));
        if notes == 0 && (only_a_label || runners::rule(t)) {
            return true;
        }
        let wanted = notes == 0 || (labelled && notes < MAX_NOTES);
        if wanted {
            self.note(at, t);
        }
        wanted
    }

    fn go_log(&mut self, at: usize, t: &[u8], indent: usize) -> bool {
        let logged = runners::place(t).filter(|p| indent > 0 && p.file.ends_with(b".go")).map(|p| p.rest);
        let message = logged.or_else(|| (t.starts_with(b"panic: ") || LABELS.iter().any(|l| starts_ci(t, l))).then_some(t));
        let Some(message) = message else { return false };
        if !message.is_empty() && self.entries.get(at).is_some_and(|e| e.notes < MAX_NOTES) {
            self.note(at, message);
        }
        true
    }

    /// rustc says on the next line where the fault is.
    fn located(&mut self, at: usize, t: &[u8]) {
        let Some(place) = t.strip_prefix(b"--> ").and_then(runners::place) else {
            return;
        };
        self.follow = Follow::Nothing;
        self.scratch.clear();
        push_id(place.file, self.roots, &mut self.scratch);
        let file = xxh3_64(&self.scratch);
        let key = xxh3_64_with_seed(&self.scratch, self.partial);
        if let Some(entry) = self.entries.get_mut(at) {
            entry.failure.key = key;
            entry.failure.fine = xxh3_64_with_seed(&file.to_le_bytes(), entry.failure.fine);
            entry.failure.coarse = xxh3_64_with_seed(&file.to_le_bytes(), entry.failure.coarse);
            // A bare `error: …` with a place is a fault like any other.
            entry.tier = Tier::Named;
            entry.kind = Kind::Fault;
            entry.family = Family::Rustc;
            entry.stage = self.pending;
        }
    }

    /// Lines that are no failure but say where the next one is.
    pub(super) fn remember(&mut self, t: &[u8], indent: usize, span: (u32, u32)) {
        if indent == 0 && runners::file_header(t) {
            self.header.clear();
            push_id(t, self.roots, &mut self.header);
        } else if t.starts_with(b"Traceback (") {
            self.traceback = true;
        } else if self.traceback && indent == 0 {
            // An exception whose name does not end in Error.
            self.traceback = false;
            self.add(&Hit::loose(Family::Exception, Tier::Loose, t), t, span);
        }
    }
}
