//! Puts an output's lines together. Here each line becomes an entry; `follow` joins to it what the lines below say, and
//! `settle` decides in the end which entries are kept and what follows for the whole.

mod follow;
mod settle;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::infra::{self, Infra};
use super::normalise::{hashes, push_id};
use super::runners::{self, Family, Follow, Hit, Kind, Tier};
use super::summary::Summary;
use super::text::{byte, cut, find, has, quoted, tail};
use super::{Failure, MAX_FAILURES, Stage};

/// Longest part of one line that goes into a signature. What is longer is a dump, and its end says nothing.
const MAX_LINE: usize = 8 * 1024;
/// How far below its headline a failure's message may stand.
const REACH: u8 = 12;
const SUITE: &[u8] = b"Test suite failed to run";

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
    guessed: bool,
    entries: Vec<Entry>,
    capped: bool,
    summary: Summary,
    /// The entry that the next lines may belong to, and how.
    open: Option<usize>,
    follow: Follow,
    reach: u8,
    /// Code and symbol of the fault whose file is still to come.
    partial: u64,
    /// The stage of a fault that is one only if its place follows.
    pending: Option<Stage>,
    /// The file above eslint's rows or jest's titles.
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
            guessed: false,
            entries: Vec::new(),
            capped: false,
            summary: Summary::default(),
            open: None,
            follow: Follow::Nothing,
            reach: 0,
            partial: 0,
            pending: None,
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
        if indent == 0 && hit.is_some() {
            // Whatever ends a traceback, its next line is not the end of it.
            self.traceback = self.traceback && self.follow == Follow::Traceback;
        }
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
            self.guessed = true;
            self.add(&Hit::loose(Family::Error, Tier::Loose, t), t, span);
        }
    }

    fn push(&mut self, hit: &Hit, key: u64, span: (u32, u32)) -> Option<usize> {
        if self.entries.len() >= MAX_FAILURES {
            self.capped = true;
            return None;
        }
        // `error: …` is a compiler's only if its place follows.
        let unsure = hit.kind == Kind::Line && hit.follow == Follow::Location;
        self.pending = hit.stage;
        self.entries.push(Entry {
            failure: Failure { key, fine: key, coarse: key, span },
            kind: hit.kind,
            family: hit.family,
            tier: hit.tier,
            rank: hit.rank,
            stage: hit.stage.filter(|_| !unsure),
            notes: 0,
            infra: None,
            neutral: false,
        });
        let at = self.entries.len() - 1;
        // An error line in the middle of a test's message does not end it.
        if hit.tier == Tier::Named || hit.follow != Follow::Nothing {
            self.open = Some(at);
            self.follow = hit.follow;
            self.reach = REACH;
        }
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
                let (fine, coarse) = self.hashes(message);
                self.partial = coarse;
                if let Some(at) = self.push(hit, coarse, span)
                    && let Some(entry) = self.entries.get_mut(at)
                {
                    entry.failure.fine = fine;
                    entry.infra = reported(hit.family, t);
                    entry.neutral = is_neutral(t);
                }
            }
        }
    }

    fn add_test(&mut self, hit: &Hit, id: &[u8], message: &[u8], span: (u32, u32)) {
        self.scratch.clear();
        if id == SUITE {
            // jest gives all suites that cannot be run the same title; the file stands above.
            self.scratch.extend_from_slice(&self.header);
        }
        push_id(id, self.roots, &mut self.scratch);
        if hit.family == Family::Script && hit.rank == 1 {
            self.header.clear();
            self.header.extend_from_slice(&self.scratch);
        }
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
            return self.hashes(message).1;
        }
        let symbol = self.hashes(symbol.unwrap_or_default()).1;
        xxh3_64_with_seed(code, symbol)
    }

    /// Fine and coarse.
    fn hashes(&mut self, text: &[u8]) -> (u64, u64) {
        hashes(text, 0, self.roots, &mut self.scratch)
    }

    /// Takes a line of message into entry `at`.
    fn note(&mut self, at: usize, message: &[u8]) {
        let (fine, coarse) = self.hashes(message);
        if let Some(entry) = self.entries.get_mut(at) {
            let failure = &mut entry.failure;
            failure.fine = xxh3_64_with_seed(&fine.to_le_bytes(), failure.fine);
            failure.coarse = xxh3_64_with_seed(&coarse.to_le_bytes(), failure.coarse);
            entry.notes += 1;
        }
    }
}

/// The failure of the surroundings that a line reports. A title or a panic is in its author's own words, and has to be
/// the report itself.
fn reported(family: Family, t: &[u8]) -> Option<Infra> {
    match family {
        Family::Bare | Family::Tap => infra::find_bare(runners::unmarked(t)),
        Family::Exception => match runners::panicked(t) {
            Some(message) => infra::find_bare(message),
            None => infra::find(t),
        },
        _ => infra::find(t),
    }
}

/// Errors that follow from a fetch that failed.
fn is_neutral(t: &[u8]) -> bool {
    t.len() > 16
        && [
            &b"Could not find a version that satisfies"[..],
            b"No matching distribution found",
            b"failed to get `",
            b"failed to load source",
            b"Could not resolve dependencies",
            b"Could not resolve all",
            b"[setup failed]",
            b"linking with `",
            b"Could not read from remote repository",
        ]
        .iter()
        .any(|w| has(t, w))
}
