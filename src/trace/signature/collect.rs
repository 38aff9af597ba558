//! Puts an output's lines together: what hangs together over several lines, which of two witnesses of the same failure
//! is kept, and what follows for the whole.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::infra::{self, Infra};
use super::normalise::{Level, normalise, push_id};
use super::runners::{self, Family, Follow, Hit, Kind, Tier};
use super::summary::Summary;
use super::text::{byte, cut, find, has, quoted, starts_ci, tail};
use super::{Failure, MAX_FAILURES, Reading, Stage};

/// Longest part of one line that goes into a signature. What is longer is a dump, and its end says nothing.
const MAX_LINE: usize = 8 * 1024;
/// How far below its headline a failure's message may stand.
const REACH: u8 = 12;
/// How many lines of message one failure takes in.
const MAX_NOTES: u8 = 4;
/// How long a title of several lines may be.
const MAX_TITLE: usize = 1024;

/// Labels of the lines that go with a message.
const LABELS: [&[u8]; 9] =
    [b"expected", b"received", b"actual", b"got:", b"left:", b"right:", b"error:", b"message:", b"+ received"];

struct Entry {
    failure: Failure,
    kind: Kind,
    family: Family,
    tier: Tier,
    rank: u8,
    stage: Option<Stage>,
    notes: u8,
    infra: Option<Infra>,
    /// Follows from a fetch that failed earlier, and says nothing by itself: pip's `Could not find a version`.
    neutral: bool,
}

/// Which runner's numbered list of failures is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Outside,
    Mocha,
    Ruby,
    Php,
}

pub(super) struct Collector<'a> {
    roots: &'a [&'a str],
    /// The text is this one line.
    alone: bool,
    entries: Vec<Entry>,
    capped: bool,
    summary: Summary,
    /// The entry that the next lines may belong to, and how.
    open: Option<usize>,
    follow: Follow,
    reach: u8,
    /// Code and symbol of the fault whose file is still to come.
    partial: u64,
    /// The file above eslint's rows.
    header: Vec<u8>,
    /// A title that goes over several lines.
    title: Vec<u8>,
    title_span: (u32, u32),
    block: Block,
    cargo_list: bool,
    traceback: bool,
    diff: bool,
    scratch: Vec<u8>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(roots: &'a [&'a str], alone: bool) -> Self {
        Self {
            roots,
            alone,
            entries: Vec::new(),
            capped: false,
            summary: Summary::default(),
            open: None,
            follow: Follow::Nothing,
            reach: 0,
            partial: 0,
            header: Vec::new(),
            title: Vec::new(),
            title_span: (0, 0),
            block: Block::Outside,
            cargo_list: false,
            traceback: false,
            diff: false,
            scratch: Vec::new(),
        }
    }

    /// Reads one clean line that stands at `span` in the raw text.
    pub(super) fn line(&mut self, line: &[u8], span: (u32, u32)) {
        let t = line.trim_ascii();
        if t.is_empty() {
            return;
        }
        let t = cut(t, 0, t.len().min(MAX_LINE));
        let indent = line.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if self.in_diff(line) {
            return;
        }
        self.summary.line(t, indent);
        if self.in_block(t, indent, span) {
            return;
        }
        let hit = runners::claim(t, indent, self.alone);
        match hit {
            Some(hit) if hit.tier == Tier::Named => self.add(&hit, t, span),
            _ if self.belongs(t, indent) => {}
            Some(hit) => self.add(&hit, t, span),
            None if self.alone => self.add_alone(t, span),
            None => self.remember(t, indent, span),
        }
    }

    /// Inside the hunk of a diff nothing is a failure.
    fn in_diff(&mut self, line: &[u8]) -> bool {
        if line.starts_with(b"@@ -") {
            self.diff = !self.alone;
            return self.diff;
        }
        self.diff = self.diff && matches!(byte(line, 0), b' ' | b'+' | b'-' | b'\\');
        self.diff
    }

    /// A line by itself that no runner claims is itself the failure, unless it says that nothing failed.
    fn add_alone(&mut self, t: &[u8], span: (u32, u32)) {
        if !runners::never(t) {
            self.add(&Hit::loose(Family::Error, Tier::Loose, t), t, span);
        }
    }

    fn push(&mut self, hit: &Hit, key: u64, span: (u32, u32)) -> Option<usize> {
        if self.entries.len() >= MAX_FAILURES {
            self.capped = true;
            return None;
        }
        self.entries.push(Entry {
            failure: Failure { key, fine: key, coarse: key, span },
            kind: hit.kind,
            family: hit.family,
            tier: hit.tier,
            rank: hit.rank,
            stage: hit.stage,
            notes: 0,
            infra: None,
            neutral: false,
        });
        let at = self.entries.len() - 1;
        self.open = Some(at);
        self.follow = hit.follow;
        self.reach = REACH;
        Some(at)
    }

    fn add(&mut self, hit: &Hit, t: &[u8], span: (u32, u32)) {
        let message = cut(t, hit.message.start, hit.message.end);
        let id = cut(t, hit.id.start, hit.id.end);
        match hit.kind {
            Kind::Test => self.add_test(hit, id, message, span),
            Kind::Fault => {
                self.scratch.clear();
                if id.is_empty() && hit.family == Family::Lint {
                    self.scratch.extend_from_slice(&self.header);
                } else {
                    push_id(id, self.roots, &mut self.scratch);
                }
                let file = std::mem::take(&mut self.scratch);
                self.partial = self.identity(cut(t, hit.code.start, hit.code.end), message);
                let key = xxh3_64_with_seed(&file, self.partial);
                self.scratch = file;
                if let Some(at) = self.push(hit, key, span) {
                    self.note(at, message);
                }
            }
            Kind::Line => {
                let coarse = self.hash(message, Level::Coarse);
                let fine = self.hash(message, Level::Fine);
                self.partial = coarse;
                if let Some(at) = self.push(hit, coarse, span)
                    && let Some(entry) = self.entries.get_mut(at)
                {
                    entry.failure.fine = fine;
                    entry.infra = infra::find(t);
                    entry.neutral = is_neutral(t);
                }
            }
        }
    }

    fn add_test(&mut self, hit: &Hit, id: &[u8], message: &[u8], span: (u32, u32)) {
        self.scratch.clear();
        push_id(id, self.roots, &mut self.scratch);
        // The seed keeps a test apart from a file of the same name.
        let key = xxh3_64_with_seed(&self.scratch, 1);
        if let Some(at) = self.push(hit, key, span)
            && !message.is_empty()
        {
            self.note(at, message);
        }
    }

    /// Code and symbol of a fault; where it has neither, its coarse message.
    fn identity(&mut self, code: &[u8], message: &[u8]) -> u64 {
        let symbol = quoted(message).map(|r| cut(message, r.start, r.end)).or_else(|| find(message, b": ").map(|at| tail(message, at + 2)));
        if code.is_empty() && symbol.is_none() {
            return self.hash(message, Level::Coarse);
        }
        let symbol = self.hash(symbol.unwrap_or_default(), Level::Coarse);
        xxh3_64_with_seed(code, symbol)
    }

    fn hash(&mut self, text: &[u8], level: Level) -> u64 {
        self.scratch.clear();
        normalise(text, 0..0, level, self.roots, &mut self.scratch);
        xxh3_64(&self.scratch)
    }

    /// Takes a line of message into entry `at`.
    fn note(&mut self, at: usize, message: &[u8]) {
        let (fine, coarse) = (self.hash(message, Level::Fine), self.hash(message, Level::Coarse));
        if let Some(entry) = self.entries.get_mut(at) {
            let failure = &mut entry.failure;
            failure.fine = xxh3_64_with_seed(&fine.to_le_bytes(), failure.fine);
            failure.coarse = xxh3_64_with_seed(&coarse.to_le_bytes(), failure.coarse);
            entry.notes += 1;
        }
    }

    /// Lists and titles that go over several lines.
    fn in_block(&mut self, t: &[u8], indent: usize, span: (u32, u32)) -> bool {
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
        let Some(title) = runners::numbered(t) else { return false };
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
    fn belongs(&mut self, t: &[u8], indent: usize) -> bool {
        let Some(at) = self.open.filter(|_| self.follow != Follow::Nothing) else { return false };
        match self.follow {
            Follow::MarkedE => {
                // pytest shows the source in between, which may be long.
                let Some(message) = t.strip_prefix(b"E  ").filter(|_| indent == 0) else { return false };
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
        let wanted = if notes == 0 { !only_a_label && !runners::rule(t) } else { labelled && notes < MAX_NOTES };
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
        let Some(place) = t.strip_prefix(b"--> ").and_then(runners::place) else { return };
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
        }
    }

    /// Lines that are no failure but say where the next one is.
    fn remember(&mut self, t: &[u8], indent: usize, span: (u32, u32)) {
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

    /// What the whole output says.
    pub(super) fn finish(mut self, text: &[u8]) -> Reading {
        self.summary.finish();
        let (red, green) = (self.summary.red, self.summary.green & !self.summary.red);
        // A runner that says it is green has printed no failure of its own: what looks like one was a test's output.
        self.entries.retain(|e| green & e.family.bit() == 0);
        let top = self.entries.iter().map(|e| e.tier).max();
        if top != Some(Tier::Named) && green != 0 && red == 0 {
            self.entries.clear();
        }
        keep_best(&mut self.entries);
        let named = top == Some(Tier::Named) && !self.entries.is_empty();
        let tests_red = red & !(Family::Error.bit() | Family::Rustc.bit() | Family::Go.bit()) != 0;
        let infrastructure = if named || tests_red || green != 0 { None } else { self.surroundings(text) };
        let verdict = if infrastructure.is_some() {
            None
        } else if red != 0 || named {
            Some(false)
        } else {
            (green != 0).then_some(true)
        };
        Reading {
            stage: self.entries.iter().filter_map(|e| e.stage).min(),
            failures: self.entries.into_iter().map(|e| e.failure).collect(),
            failed: self.summary.failed,
            passed: self.summary.passed,
            infrastructure,
            verdict,
            capped: self.capped,
        }
    }

    /// Which failure of the surroundings explains an output without any named failure.
    fn surroundings(&self, text: &[u8]) -> Option<Infra> {
        let asserted = |f: Family| matches!(f, Family::Pytest | Family::Unittest);
        if self.entries.iter().any(|e| asserted(e.family)) {
            return None;
        }
        let found = self.entries.iter().rev().find_map(|e| e.infra);
        // The last exception is what ended the program; earlier lines are its log.
        if let Some(last) = self.entries.iter().rev().find(|e| e.family == Family::Exception) {
            return last.infra;
        }
        if found.is_some() || self.alone {
            return found;
        }
        let decided = self.entries.iter().any(|e| e.tier == Tier::Loose && !e.neutral);
        if decided { None } else { super::last_lines(text).find_map(|line| infra_of(line)) }
    }
}

fn infra_of(line: &[u8]) -> Option<Infra> {
    let mut buf = Vec::new();
    let t = super::text::clean(line, &mut buf).trim_ascii();
    let json_error = byte(t, 0) == b'{' && has(t, b"\"error\"");
    if super::text::is_diff_or_code(t) && !json_error { None } else { infra::find(t) }
}

/// Errors that follow from a fetch that failed.
fn is_neutral(t: &[u8]) -> bool {
    [&b"Could not find a version that satisfies"[..], b"No matching distribution found", b"failed to get `", b"failed to load source", b"Could not resolve dependencies", b"Could not resolve all", b"[setup failed]", b"linking with `"]
        .iter()
        .any(|w| has(t, w))
}

/// Keeps the highest tier, of each family the highest rank, and each failure once.
fn keep_best(entries: &mut Vec<Entry>) {
    if entries.len() < 2 {
        return;
    }
    let top = entries.iter().map(|e| e.tier).max();
    entries.retain(|e| Some(e.tier) == top);
    let mut ranks = [0u8; 32];
    for e in entries.iter() {
        if let Some(rank) = ranks.get_mut(e.family as usize) {
            *rank = (*rank).max(e.rank);
        }
    }
    entries.retain(|e| ranks.get(e.family as usize) == Some(&e.rank));
    // The same test seen twice is one failure, with the words of the one that says more. Two faults may share a key and
    // differ in what they say.
    let detail = |e: &Entry| if e.kind == Kind::Test { 0 } else { e.failure.fine };
    entries.sort_by_key(|e| (e.failure.key, detail(e), u8::MAX - e.notes, e.failure.span));
    entries.dedup_by_key(|e| (e.failure.key, detail(e)));
    entries.sort_by_key(|e| e.failure.span);
}
