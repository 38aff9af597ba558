//! Unified diffs and `apply_patch` envelopes, as two sides of each file that they touch.

use std::collections::HashSet;

use super::lang::Lang;
use super::mask::{GAP, Text};
use super::util::{base_name, evidence};
use super::{Before, Subject, Weakening, WeakeningKind, blocks, examine_from, subject};

/// What happens to a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Update,
    Add,
    Delete,
}

/// One file of a patch.
#[derive(Debug)]
struct Piece {
    path: String,
    /// Where it is moved to.
    to: Option<String>,
    act: Act,
    old: String,
    new: String,
    /// The hunk's heading has been seen, and lines follow.
    open: bool,
}

impl Piece {
    fn new(path: &str, act: Act) -> Self {
        Self { path: path.to_owned(), to: None, act, old: String::new(), new: String::new(), open: false }
    }

    /// A new hunk: what was open in the last one is closed, and the heading names what the hunk is in.
    fn hunk(&mut self, heading: &str) {
        for side in [&mut self.old, &mut self.new] {
            side.push_str(GAP);
            side.push('\n');
            if !heading.trim().is_empty() {
                side.push_str(heading);
                side.push('\n');
            }
        }
        self.open = true;
    }

    fn line(&mut self, line: &str) {
        let mut put = |old: bool, new: bool, text: &str| {
            for (wanted, side) in [(old, &mut self.old), (new, &mut self.new)] {
                if wanted {
                    side.push_str(text);
                    side.push('\n');
                }
            }
        };
        match line.as_bytes().first() {
            Some(b'-') => put(true, false, line.get(1..).unwrap_or("")),
            Some(b'+') => put(false, true, line.get(1..).unwrap_or("")),
            Some(b' ') => put(true, true, line.get(1..).unwrap_or("")),
            Some(b'\\') => {}
            _ => put(true, true, line),
        }
    }
}

/// See [`super::examine_patch`].
pub(super) fn examine(patch: &str) -> Vec<(String, Weakening)> {
    let pieces = if patch.contains("*** Begin Patch") || patch.contains("*** Update File: ") { envelope(patch) } else { unified(patch) };
    let mut found = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        for weakening in of_piece(piece) {
            // What left this file and stands in another one was moved.
            let moved = matches!(weakening.kind, WeakeningKind::TestRemoved | WeakeningKind::AssertionRemoved)
                && !weakening.tests.is_empty()
                && pieces.len() > 1
                && {
                    let elsewhere: HashSet<String> = pieces
                        .iter()
                        .enumerate()
                        .filter(|(j, p)| *j != i && p.act != Act::Delete)
                        .flat_map(|(_, p)| added_tests(p))
                        .collect();
                    weakening.tests.iter().all(|t| elsewhere.contains(t))
                };
            if !moved {
                found.push((piece.path.clone(), weakening));
            }
        }
    }
    found
}

/// The tests that a piece adds.
fn added_tests(piece: &Piece) -> Vec<String> {
    let path = piece.to.as_ref().unwrap_or(&piece.path);
    if !matches!(subject(path), Subject::Test | Subject::Source) {
        return Vec::new();
    }
    let names =
        |text: &str| -> Vec<String> { blocks::find(&Text::new(text, Lang::of(path))).tests().map(|(_, b)| b.name.clone()).collect() };
    let old: HashSet<String> = names(&piece.old).into_iter().collect();
    names(&piece.new).into_iter().filter(|n| !old.contains(n)).collect()
}

fn of_piece(piece: &Piece) -> Vec<Weakening> {
    let whole = |kind, line: String, tests| vec![Weakening { kind, line: evidence(&line), tests }];
    match piece.act {
        Act::Delete => match subject(&piece.path) {
            Subject::Test => {
                let tests: Vec<String> =
                    blocks::find(&Text::new(&piece.old, Lang::of(&piece.path))).tests().map(|(_, b)| b.name.clone()).collect();
                whole(WeakeningKind::TestRemoved, format!("deleted {}", piece.path), tests)
            }
            Subject::CheckScript => whole(WeakeningKind::Narrowed, format!("deleted {}", piece.path), Vec::new()),
            _ => Vec::new(),
        },
        Act::Add => examine_from(&piece.path, Before::New, &piece.new),
        Act::Update => {
            let mut found =
                if piece.old == piece.new { Vec::new() } else { examine_from(&piece.path, Before::Known(&piece.old), &piece.new) };
            let hidden = piece
                .to
                .as_ref()
                .filter(|to| subject(&piece.path) == Subject::Test && subject(to) != Subject::Test && !base_name(to).contains("test"));
            if let Some(to) = hidden {
                found.extend(whole(WeakeningKind::TestRemoved, format!("moved {} to {to}", piece.path), Vec::new()));
            }
            found
        }
    }
}

fn envelope(patch: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for line in patch.lines() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let begun = [("*** Update File: ", Act::Update), ("*** Add File: ", Act::Add), ("*** Delete File: ", Act::Delete)]
            .into_iter()
            .find_map(|(mark, act)| line.strip_prefix(mark).map(|p| (p.trim(), act)));
        if let Some((path, act)) = begun {
            pieces.push(Piece::new(path, act));
        } else if let Some(to) = line.strip_prefix("*** Move to: ") {
            if let Some(p) = pieces.last_mut() {
                p.to = Some(to.trim().to_owned());
            }
        } else if line.starts_with("*** ") {
            // The envelope's end, or the end of a file.
        } else if let Some(piece) = pieces.last_mut() {
            match line.strip_prefix("@@") {
                Some(heading) => piece.hunk(heading_of(heading)),
                None => piece.line(line),
            }
        }
    }
    pieces
}

/// `-1,3 +1,4 @@ def test_x():` names what follows; so does ` def test_x():`.
fn heading_of(rest: &str) -> &str {
    let rest = if rest.trim_start().starts_with('-') { rest.split_once("@@").map_or("", |(_, h)| h) } else { rest };
    rest.strip_prefix(' ').unwrap_or(rest)
}

fn unified(patch: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut from: Option<&str> = None;
    // Lines left in the hunk, so that a removed line `-- x` is not taken for a heading.
    let (mut old_left, mut new_left) = (0_u64, 0_u64);
    for line in patch.lines() {
        if old_left > 0 || new_left > 0 {
            match line.as_bytes().first() {
                Some(b'-') => old_left = old_left.saturating_sub(1),
                Some(b'+') => new_left = new_left.saturating_sub(1),
                Some(b'\\') => {}
                _ => (old_left, new_left) = (old_left.saturating_sub(1), new_left.saturating_sub(1)),
            }
            if let Some(p) = pieces.last_mut() {
                p.line(line);
            }
        } else if let Some(path) = line.strip_prefix("--- ") {
            from = Some(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let (a, b) = (clean(from.take().unwrap_or("")), clean(path));
            let act = if a == "/dev/null" {
                Act::Add
            } else if b == "/dev/null" {
                Act::Delete
            } else {
                Act::Update
            };
            let mut piece = Piece::new(if act == Act::Add { b } else { a }, act);
            piece.to = (act == Act::Update && a != b).then(|| b.to_owned());
            // A rename was announced by its own lines.
            if pieces.last().is_some_and(|p| p.path == piece.path && p.old.is_empty() && p.new.is_empty()) {
                pieces.pop();
            }
            pieces.push(piece);
        } else if let Some(path) = line.strip_prefix("rename from ") {
            pieces.push(Piece::new(path.trim(), Act::Update));
        } else if let Some(path) = line.strip_prefix("rename to ") {
            if let Some(p) = pieces.last_mut() {
                p.to = Some(path.trim().to_owned());
            }
        } else if let Some(rest) = line.strip_prefix("@@") {
            (old_left, new_left) = counts(rest);
            if let Some(p) = pieces.last_mut() {
                p.hunk(heading_of(rest));
            }
        } else if line.starts_with("diff ") {
            from = None;
            if let Some(p) = pieces.last_mut() {
                p.open = false;
            }
        } else if let Some(p) = pieces.last_mut().filter(|p| p.open && line.starts_with(['+', '-', ' '])) {
            // A hunk whose figures are wrong or missing: models write such.
            p.line(line);
        }
    }
    pieces
}

fn clean(path: &str) -> &str {
    let path = path.split('\t').next().unwrap_or(path).trim().trim_matches('"');
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path)
}

/// The line counts of ` -1,3 +1,4 @@`.
fn counts(heading: &str) -> (u64, u64) {
    let mut parts = heading.split_whitespace();
    let mut count = |sign: char| {
        let part = parts.next().and_then(|p| p.strip_prefix(sign))?;
        part.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok())
    };
    let (old, new) = (count('-'), count('+'));
    (old.unwrap_or(0), new.unwrap_or(0))
}
