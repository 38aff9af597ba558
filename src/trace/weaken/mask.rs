//! A text with its comments and strings told apart from its code.
//!
//! Two copies of equal length are made: `code` has blanks for comments, `bare` has in addition a filler for what stands
//! inside strings. So a bracket found in `bare` is a real bracket, and the same offset in `code` still has the text.
//! The text may be a fragment that begins in the middle of anything: strings that may not run over lines end with
//! their line, so that one stray quote costs one line.

use super::lang::{Hash, Lang, Syntax};
use super::util::{cut, is_word};

/// Stands in `bare` for every byte inside a string.
pub(super) const FILLER: u8 = 1;
/// Begins a line that parts two pieces of a patch: whatever was open before it is closed.
pub(super) const GAP: &str = "\u{2}";

/// A longer one is taken for a division.
const LONGEST_REGEX: usize = 500;

/// One line, by offsets into all three copies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Columns before its first character; a tab counts four.
    pub(super) indent: usize,
    /// It begins inside a string or a comment.
    pub(super) inside: bool,
}

/// A text, cut into lines.
#[derive(Debug)]
pub(super) struct Text<'a> {
    pub(super) raw: &'a str,
    pub(super) code: String,
    pub(super) bare: String,
    pub(super) lines: Vec<Line>,
    pub(super) lang: Lang,
}

impl<'a> Text<'a> {
    pub(super) fn new(raw: &'a str, lang: Lang) -> Self {
        let mut lexer = Lexer {
            raw: raw.as_bytes(),
            code: raw.as_bytes().to_vec(),
            bare: raw.as_bytes().to_vec(),
            inside: Vec::new(),
            at: 0,
            syntax: lang.syntax(),
            lang,
        };
        lexer.run();
        let mut inside = lexer.inside.into_iter().peekable();
        let (mut lines, mut start) = (Vec::new(), 0);
        for piece in raw.split_inclusive('\n') {
            let body = piece.trim_end_matches(['\n', '\r']);
            let indent = body.bytes().take_while(|b| matches!(b, b' ' | b'\t')).map(|b| if b == b'\t' { 4 } else { 1 }).sum();
            let mut within = false;
            while let Some(at) = inside.next_if(|at| *at <= start) {
                within |= at == start;
            }
            lines.push(Line { start, end: start + body.len(), indent, inside: within });
            start += piece.len();
        }
        // Only whole characters are replaced, each by as many ASCII bytes, so both are valid.
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_default();
        Text { raw, code: text(lexer.code), bare: text(lexer.bare), lines, lang }
    }

    fn part<'t>(&self, of: &'t str, line: usize) -> &'t str {
        self.lines.get(line).map_or("", |l| cut(of, l.start, l.end))
    }

    /// A line as it was written.
    pub(super) fn raw(&self, line: usize) -> &'a str {
        self.part(self.raw, line)
    }

    /// A line without its comment.
    pub(super) fn code(&self, line: usize) -> &str {
        self.part(&self.code, line)
    }

    /// A line without its comment and without what its strings say.
    pub(super) fn bare(&self, line: usize) -> &str {
        self.part(&self.bare, line)
    }

    /// Whether a line has no code, or begins inside a string.
    pub(super) fn idle(&self, line: usize) -> bool {
        self.lines.get(line).is_none_or(|l| l.inside) || self.bare(line).trim().is_empty()
    }

    /// The line that an offset lies in.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.lines.partition_point(|l| l.start <= offset).saturating_sub(1)
    }

    /// A stretch in one spelling: without layout, with one kind of quotes and without commas before a closing bracket.
    pub(super) fn canon(&self, from: usize, to: usize) -> String {
        canon(cut(&self.code, from, to), cut(&self.bare, from, to))
    }

    /// A line in one spelling.
    pub(super) fn canon_line(&self, line: usize) -> String {
        canon(self.code(line), self.bare(line))
    }
}

/// See [`Text::canon`].
pub(super) fn canon(code: &str, bare: &str) -> String {
    let mut out: Vec<u8> = Vec::with_capacity(code.len());
    let mut blank = false;
    for (&c, &b) in code.as_bytes().iter().zip(bare.as_bytes()) {
        if b == FILLER {
            // A quote inside the text must not look like its end.
            out.push(if matches!(c, b'"' | b'`') { b'\'' } else { c });
        } else if c.is_ascii_whitespace() {
            blank = true;
            continue;
        } else {
            if blank && is_word(c) && out.last().is_some_and(|l| is_word(*l)) {
                out.push(b' ');
            }
            if matches!(c, b')' | b']' | b'}') && out.last() == Some(&b',') {
                out.pop();
            }
            out.push(if matches!(c, b'\'' | b'`') { b'"' } else { c });
        }
        blank = false;
    }
    while matches!(out.last(), Some(b';' | b',')) {
        out.pop();
    }
    String::from_utf8_lossy(&out).into_owned()
}

struct Lexer<'a> {
    raw: &'a [u8],
    code: Vec<u8>,
    bare: Vec<u8>,
    /// Offsets of lines that begin inside something.
    inside: Vec<usize>,
    at: usize,
    syntax: Syntax,
    lang: Lang,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.raw.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn before(&self) -> u8 {
        self.at.checked_sub(1).and_then(|i| self.raw.get(i)).copied().unwrap_or(b'\n')
    }

    fn run(&mut self) {
        let s = self.syntax;
        while self.at < self.raw.len() {
            let b = self.byte(0);
            match b {
                b'#' if self.hash_opens() => self.comment_line(),
                b'/' if s.slashes && self.byte(1) == b'/' => self.comment_line(),
                b'/' if s.block && self.byte(1) == b'*' => self.comment_block(),
                b'/' if s.regex && self.regex_may_begin() => self.regex(),
                b'r' if s.rust && !is_word(self.before()) && self.raw_string() => {}
                b'"' if s.rust => self.long(b"\"", 1, true),
                b'"' | b'\'' if s.triple && (b == b'"' || s.single) && self.byte(1) == b && self.byte(2) == b => {
                    self.long(&[b, b, b], 3, true)
                }
                b'"' => self.short(b),
                b'\'' if s.single => self.short(b),
                b'\'' => self.character(),
                b'`' if s.backtick => self.long(b"`", 1, self.lang == Lang::Js),
                _ => self.at += 1,
            }
        }
    }

    fn hash_opens(&self) -> bool {
        match self.syntax.hash {
            Hash::Never => false,
            Hash::Anywhere => true,
            Hash::AfterBlank => self.before().is_ascii_whitespace() && !(self.lang == Lang::Php && self.byte(1) == b'['),
        }
    }

    fn blank(&mut self, from: usize, to: usize) {
        for i in from..to.min(self.raw.len()) {
            for copy in [&mut self.code, &mut self.bare] {
                if let Some(b) = copy.get_mut(i).filter(|b| **b != b'\n') {
                    *b = b' ';
                }
            }
        }
    }

    fn fill(&mut self, from: usize, to: usize) {
        for i in from..to.min(self.raw.len()) {
            if let Some(b) = self.bare.get_mut(i).filter(|b| **b != b'\n') {
                *b = FILLER;
            }
        }
    }

    fn comment_line(&mut self) {
        let end = memchr::memchr(b'\n', self.raw.get(self.at..).unwrap_or_default()).map_or(self.raw.len(), |i| self.at + i);
        self.blank(self.at, end);
        self.at = end;
    }

    fn comment_block(&mut self) {
        let end = self.until(self.at + 2, b"*/", false);
        self.blank(self.at, end);
        self.at = end;
    }

    /// The offset behind the next `end`; notes the lines that begin before it, and stops at a gap.
    fn until(&mut self, from: usize, end: &[u8], escapes: bool) -> usize {
        let mut i = from;
        while let Some(rest) = self.raw.get(i..).filter(|r| !r.is_empty()) {
            if rest.starts_with(end) {
                return i + end.len();
            }
            if rest.starts_with(b"\n") {
                if rest.get(1) == Some(&2) {
                    return i;
                }
                self.inside.push(i + 1);
            }
            i += if escapes && rest.starts_with(b"\\") && rest.get(1) != Some(&b'\n') { 2 } else { 1 };
        }
        self.raw.len()
    }

    fn long(&mut self, end: &[u8], open: usize, escapes: bool) {
        let from = self.at + open;
        let to = self.until(from, end, escapes);
        let closed = to.saturating_sub(end.len()).max(from);
        let text_end = if self.raw.get(closed..to) == Some(end) { closed } else { to };
        self.fill(from, text_end);
        self.at = to;
    }

    fn short(&mut self, quote: u8) {
        let from = self.at + 1;
        let mut i = from;
        while let Some(&b) = self.raw.get(i) {
            match b {
                b'\n' => break,
                b'\\' if self.raw.get(i + 1) != Some(&b'\n') => i += 2,
                _ if b == quote => break,
                _ => i += 1,
            }
        }
        let end = i.min(self.raw.len());
        self.fill(from, end);
        self.at = if self.raw.get(end) == Some(&quote) { end + 1 } else { end };
    }

    /// `'x'` or `'\n'`, but not the `'a` of a lifetime.
    fn character(&mut self) {
        let from = self.at + 1;
        let reach = if self.byte(1) == b'\\' { 10 } else { 5 };
        let skip = if self.byte(1) == b'\\' { 2 } else { 1 };
        let end = (from + skip..from + reach).find(|i| self.raw.get(*i) == Some(&b'\''));
        let whole = end.filter(|e| {
            self.byte(1) == b'\\'
                || self.raw.get(from..*e).and_then(|b| std::str::from_utf8(b).ok()).is_some_and(|c| c.chars().count() == 1)
        });
        match whole {
            Some(end) if !self.raw.get(from..end).unwrap_or_default().contains(&b'\n') => {
                self.fill(from, end);
                self.at = end + 1;
            }
            _ => self.at += 1,
        }
    }

    fn raw_string(&mut self) -> bool {
        let hashes = self.raw.get(self.at + 1..).unwrap_or_default().iter().take(16).take_while(|b| **b == b'#').count();
        if self.byte(1 + hashes) != b'"' {
            return false;
        }
        let mut end = vec![b'"'];
        end.resize(1 + hashes, b'#');
        self.long(&end, 2 + hashes, false);
        true
    }

    /// A slash after an operator or an opening bracket begins a regular expression, after a value it divides.
    fn regex_may_begin(&self) -> bool {
        let before = self.raw.get(..self.at).unwrap_or_default().iter().rev().take(64).find(|b| !matches!(b, b' ' | b'\t'));
        before.is_none_or(|b| b"(,=:[!&|?{};\n".contains(b))
    }

    fn regex(&mut self) {
        let (mut i, mut class) = (self.at + 1, false);
        while let Some(&b) = self.raw.get(i).filter(|_| i < self.at + LONGEST_REGEX) {
            match b {
                b'\n' => break,
                b'\\' => i += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    self.fill(self.at + 1, i);
                    self.at = i + 1;
                    return;
                }
                _ => {}
            }
            i += 1;
        }
        self.at += 1;
    }
}
