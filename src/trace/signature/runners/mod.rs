//! Which runner a line comes from, and what it says failed. One line at a time: what hangs together over several lines
//! (a panic and its message) is the collector's business.

mod bare;
mod compilers;
mod errors;
mod javascript;
mod jvm;
mod others;
mod python;
mod rust_go;

use std::ops::Range;

use super::Stage;
use super::normalise::is_duration;
use super::text::{byte, find, first_token, has, range_of, tail};

pub(super) use bare::unmarked;
pub(super) use compilers::{file_header, place};
pub(super) use errors::{is_exception, never};
pub(super) use javascript::title_end;
pub(super) use others::numbered;
pub(super) use rust_go::panicked;

/// The runner that a line comes from. A summary and the lines it sums up meet by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Pytest,
    Unittest,
    Cargo,
    Rustc,
    Go,
    Script,
    Tap,
    Tsc,
    Lint,
    Compiler,
    Jvm,
    Dotnet,
    Native,
    Ruby,
    Php,
    Bare,
    Exception,
    Error,
}

impl Family {
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// How much a line says. Only the best that an output has is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Tier {
    /// Says only that something inside failed: `make: *** [test] Error 2`.
    Wrapper,
    /// An error without a name that can be followed.
    Loose,
    /// A test, or a fault at a place in a file.
    Named,
}

/// What sort of thing failed, which decides what its identity is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Its id.
    Test,
    /// File, code and symbol.
    Fault,
    /// The line itself.
    Line,
}

/// A line that names a failure. Ranges are within the trimmed line.
pub(super) struct Hit {
    pub kind: Kind,
    pub family: Family,
    pub tier: Tier,
    /// Within a family only the highest rank is kept: a summary line before a progress line.
    pub rank: u8,
    pub stage: Option<Stage>,
    /// The test's id, or the file of a fault; empty where there is neither.
    pub id: Range<usize>,
    /// Error code or lint rule.
    pub code: Range<usize>,
    /// What the runner says about it.
    pub message: Range<usize>,
    /// What belongs to it in the lines that follow.
    pub follow: Follow,
}

/// Which of the following lines belong to a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Follow {
    Nothing,
    /// The first line that is not blank, then lines such as `Expected: 200`.
    NextLine,
    /// pytest's first `E   …` line.
    MarkedE,
    /// The last line of the traceback.
    Traceback,
    /// `x_test.go:12: got 3`
    GoLog,
    /// rustc's `--> file:line:column`
    Location,
    /// A title that goes on over lines until one ends in a colon.
    Title,
    /// minitest: the test's id stands on the next line.
    IdOnNext,
}

impl Hit {
    fn new(kind: Kind, family: Family, tier: Tier, rank: u8) -> Self {
        Self { kind, family, tier, rank, stage: None, id: 0..0, code: 0..0, message: 0..0, follow: Follow::Nothing }
    }

    /// A test by its id.
    pub(super) fn test(family: Family, rank: u8, line: &[u8], id: &[u8]) -> Self {
        let stage = if of_integration(id) { Stage::Integration } else { Stage::Unit };
        Self { id: range_of(line, id), stage: Some(stage), ..Self::new(Kind::Test, family, Tier::Named, rank) }
    }

    /// A fault at a place: file, code (may be empty), message.
    fn fault(family: Family, stage: Stage, line: &[u8], file: &[u8], code: &[u8], message: &[u8]) -> Self {
        Self {
            id: range_of(line, file),
            code: range_of(line, code),
            message: range_of(line, message),
            stage: Some(stage),
            ..Self::new(Kind::Fault, family, Tier::Named, 1)
        }
    }

    /// A line that is the failure itself.
    pub(super) fn loose(family: Family, tier: Tier, line: &[u8]) -> Self {
        Self { message: 0..line.len(), ..Self::new(Kind::Line, family, tier, 1) }
    }

    fn message(mut self, line: &[u8], message: &[u8]) -> Self {
        self.message = range_of(line, message);
        self
    }

    fn follow(mut self, follow: Follow) -> Self {
        self.follow = follow;
        self
    }

    fn stage(mut self, stage: Stage) -> Self {
        self.stage = Some(stage);
        self
    }
}

/// What `t`, a trimmed line that stood `indent` columns in, says failed. Whole titles count as names when the line is
/// one of many; a line by itself may be anything, and there only what looks like a name is one.
pub(super) fn claim(t: &[u8], indent: usize, alone: bool) -> Option<Hit> {
    let hit = match byte(t, 0) {
        b'F' => python::failed(t).or_else(|| rust_go::fail(t)).or_else(|| javascript::fail(t)),
        b'E' => python::error(t, indent),
        b'_' => python::header(t),
        b't' => rust_go::test_line(t).or_else(|| rust_go::panic(t)),
        b'-' => rust_go::dashes(t, indent),
        b'n' => others::tap(t, alone).or_else(|| errors::npm(t)),
        b'(' => javascript::bun(t),
        b'[' => jvm::maven(t).or_else(|| others::bracketed(t)).or_else(|| javascript::playwright(t)),
        b'e' => compilers::rustc(t).or_else(|| compilers::tagged(t)),
        b'g' | b'm' if errors::make(t) => Some(Hit::loose(Family::Error, Tier::Wrapper, t)),
        b'r' => others::rspec(t),
        b'0'..=b'9' => others::digits(t, alone),
        0xC2..=0xF4 => javascript::tick(t, alone),
        _ => None,
    };
    hit.or_else(|| others::suffixed(t, indent)).or_else(|| compilers::placed(t)).or_else(|| bare::fail(t)).or_else(|| errors::error_line(t))
}

/// A line drawn to set things off: `----`, `====`, `⎯⎯⎯⎯`.
pub(super) fn rule(t: &[u8]) -> bool {
    t.iter().all(|b| !b.is_ascii_alphanumeric())
}

/// Does a test's path say that it needs more than the unit?
fn of_integration(id: &[u8]) -> bool {
    id.iter().enumerate().any(|(at, b)| {
        let word: &[u8] = match b {
            b'i' => b"integration",
            b'e' => b"e2e",
            b'a' => b"acceptance",
            b'p' => b"playwright",
            b'c' => b"cypress",
            _ => return false,
        };
        tail(id, at).starts_with(word)
    })
}

/// A message that says that the text could not even be read.
fn is_syntax(message: &[u8]) -> bool {
    [&b"SyntaxError"[..], b"syntax error", b"IndentationError", b"TabError", b"Parsing error", b"Parse error", b"ParseError", b"[syntax]"]
        .iter()
        .any(|w| has(message, w))
}

/// `message` without what stands between it and an id: `- `, `: `, and without a lone duration.
fn after_id(rest: &[u8]) -> &[u8] {
    let mut rest = rest.trim_ascii();
    while let [b'-' | b':' | b',', more @ ..] = rest {
        // The sign of a number is no separator.
        if byte(more, 0).is_ascii_digit() {
            break;
        }
        rest = more.trim_ascii_start();
    }
    if is_duration_tag(rest) { &[] } else { rest }
}

/// `(0.00s)`, `[< 12 ms]`, `[ 33%]`, `12ms`.
fn is_duration_tag(s: &[u8]) -> bool {
    let body = s.trim_ascii();
    let body = match body {
        [b'(', inner @ .., b')'] | [b'[', inner @ .., b']'] => inner.trim_ascii(),
        _ => body,
    };
    let body = body.strip_prefix(b"<").unwrap_or(body).trim_ascii();
    let percent = body.strip_suffix(b"%").is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit));
    percent || is_duration(body)
}

/// A number of test titles end in the time they took; it is no part of the title.
fn without_duration(title: &[u8]) -> &[u8] {
    let title = title.trim_ascii();
    let cut_at = |at: usize| title.get(..at).unwrap_or_default().trim_ascii_end();
    if let Some(at) = title.iter().rposition(|&b| b == b'(' || b == b'[')
        && is_duration_tag(tail(title, at))
    {
        return cut_at(at);
    }
    if let Some(at) = title.iter().rposition(|&b| b == b' ')
        && byte(title, at + 1).is_ascii_digit()
        && is_duration_tag(tail(title, at))
        && title.last() == Some(&b's')
    {
        return cut_at(at);
    }
    title
}

/// A dotted or joined identifier: `pkg.Class`, `a::b`, `x-y_z`.
fn is_identifier(s: &[u8]) -> bool {
    !s.is_empty() && s.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'$' | b'-' | b'#' | b'/'))
}

/// The first token if it is followed by `mark`.
fn token_before<'a>(t: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    let (token, rest) = first_token(t);
    (rest.starts_with(mark) && !token.is_empty()).then_some(token)
}

/// The part of `s` before `mark`.
fn before<'a>(s: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    s.get(..find(s, mark)?)
}
