//! Cuts a command line into words and operators. Every byte is looked at once, except inside nested substitutions,
//! whose depth is bounded.

use std::borrow::Cow;

use memchr::memchr;

/// `$(…)` nested deeper than this is read as plain characters.
const MAX_DEPTH: u8 = 16;

/// One word, without its quotes.
#[derive(Debug)]
pub(in crate::trace::judge) struct Word<'a> {
    /// The text; an expansion stands in it as it was written.
    pub(in crate::trace::judge) text: Cow<'a, str>,
    /// Some of it was quoted: then it is no keyword.
    pub(in crate::trace::judge) quoted: bool,
    /// The commands of its substitutions: `$(…)`, backticks, `<(…)`.
    pub(in crate::trace::judge) inner: Vec<Vec<Token<'a>>>,
}

/// A piece of a command line.
#[derive(Debug)]
pub(in crate::trace::judge) enum Token<'a> {
    /// A word.
    Word(Word<'a>),
    /// What a here-document or here-string feeds to the command that it belongs to.
    Stdin(Cow<'a, str>),
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
    /// `;` or a line's end.
    Seq,
    /// `&`
    Background,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// All tokens of `text`.
pub(in crate::trace::judge) fn lex(text: &str) -> Vec<Token<'_>> {
    Lexer { text, at: 0, depth: 0 }.run(false)
}

/// Where a here-document's body has to go once its line has ended.
pub(super) struct Pending {
    pub(super) token: usize,
    pub(super) end: String,
    pub(super) tabs: bool,
}

pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: u8,
}

impl<'a> Lexer<'a> {
    pub(super) fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at.saturating_add(ahead)).copied()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or("")
    }

    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(0), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// With `inside`, up to the `)` that ends a substitution.
    fn run(&mut self, inside: bool) -> Vec<Token<'a>> {
        let mut out = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        let mut open = 0usize;
        while let Some(byte) = self.peek(0) {
            let two = self.peek(1);
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    out.push(Token::Seq);
                    for one in pending.drain(..) {
                        let body = self.here_document(&one.end, one.tabs);
                        if let Some(slot) = out.get_mut(one.token) {
                            *slot = Token::Stdin(Cow::Borrowed(body));
                        }
                    }
                }
                b'#' => self.at += memchr(b'\n', self.rest().as_bytes()).unwrap_or(self.rest().len()),
                b';' => {
                    while self.peek(0) == Some(b';') {
                        self.at += 1;
                    }
                    out.push(Token::Seq);
                }
                b'&' if two == Some(b'&') => self.operator(2, Token::And, &mut out),
                b'&' if two == Some(b'>') => {
                    self.at += 1;
                    self.redirect(&mut out, &mut pending);
                }
                b'&' => self.operator(1, Token::Background, &mut out),
                b'|' if two == Some(b'|') => self.operator(2, Token::Or, &mut out),
                b'|' if two == Some(b'&') => self.operator(2, Token::Pipe, &mut out),
                b'|' => self.operator(1, Token::Pipe, &mut out),
                b'(' => {
                    open += 1;
                    self.operator(1, Token::Open, &mut out);
                }
                b')' if inside && open == 0 => {
                    self.at += 1;
                    break;
                }
                b')' => {
                    open = open.saturating_sub(1);
                    self.operator(1, Token::Close, &mut out);
                }
                b'<' | b'>' => self.redirect(&mut out, &mut pending),
                _ => {
                    if let Some(word) = self.word() {
                        let number = !word.quoted && word.text.bytes().all(|b| b.is_ascii_digit());
                        // `2>`: the number names a stream and is no argument.
                        if !(number && matches!(self.peek(0), Some(b'<' | b'>'))) {
                            out.push(Token::Word(word));
                        }
                    }
                }
            }
        }
        out
    }

    fn operator(&mut self, length: usize, token: Token<'a>, out: &mut Vec<Token<'a>>) {
        self.at += length;
        out.push(token);
    }

    /// The body of a here-document that begins here; without its end line it is all that is left.
    fn here_document(&mut self, end: &str, tabs: bool) -> &'a str {
        let start = self.at;
        while self.at < self.text.len() {
            let rest = self.rest();
            let length = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let line = rest.get(..length).unwrap_or("").trim_end_matches('\r');
            let line = if tabs { line.trim_start_matches('\t') } else { line };
            if line == end {
                let body = self.since(start);
                // The newline stays: it separates what follows.
                self.at += length;
                return body;
            }
            self.at = (self.at + length + 1).min(self.text.len());
        }
        self.since(start)
    }

    /// The word that begins here; `None` when there is nothing but a joined line.
    pub(super) fn word(&mut self) -> Option<Word<'a>> {
        let start = self.at;
        let plain = self.rest().bytes().take_while(|b| !ends_word(*b) && !is_special(*b)).count();
        self.at += plain;
        if self.peek(0).is_none_or(ends_word) {
            return Some(Word { text: Cow::Borrowed(self.since(start)), quoted: false, inner: Vec::new() });
        }
        let mut text = self.since(start).to_owned();
        let mut quoted = false;
        let mut inner = Vec::new();
        while let Some(byte) = self.peek(0) {
            match byte {
                _ if ends_word(byte) => break,
                b'\\' => self.escape(&mut text, &mut quoted),
                b'\'' => {
                    quoted = true;
                    self.at += 1;
                    self.single(&mut text);
                }
                b'"' => {
                    quoted = true;
                    self.at += 1;
                    self.double(&mut text, &mut inner);
                }
                b'$' if self.peek(1) == Some(b'\'') => {
                    quoted = true;
                    self.at += 2;
                    self.dollar_single(&mut text);
                }
                b'$' | b'`' => self.expansion(&mut text, &mut inner),
                _ => {
                    let from = self.at;
                    self.at += self.rest().bytes().take_while(|b| !ends_word(*b) && !is_special(*b)).count();
                    text.push_str(self.since(from));
                }
            }
        }
        (quoted || !text.is_empty()).then_some(Word { text: Cow::Owned(text), quoted, inner })
    }

    /// A backslash outside quotes: it joins two lines, or makes the next character a plain one.
    fn escape(&mut self, text: &mut String, quoted: &mut bool) {
        self.at += 1;
        let rest = self.rest();
        if let Some(joined) = ["\n", "\r\n"].into_iter().find(|end| rest.starts_with(end)) {
            self.at += joined.len();
        } else if let Some(next) = rest.chars().next() {
            *quoted = true;
            if next.is_ascii_alphanumeric() && !text.is_empty() {
                // No shell needs a letter escaped; this is a path of Windows: `tests\\test_a.py`.
                text.push('/');
            }
            text.push(next);
            self.at += next.len_utf8();
        }
    }

    fn single(&mut self, text: &mut String) {
        let rest = self.rest();
        let length = memchr(b'\'', rest.as_bytes()).unwrap_or(rest.len());
        text.push_str(rest.get(..length).unwrap_or(""));
        self.at = (self.at + length + 1).min(self.text.len());
    }

    /// `$'…'`, where a backslash can hide a quote.
    fn dollar_single(&mut self, text: &mut String) {
        let mut chars = self.rest().chars();
        while let Some(next) = chars.next() {
            self.at += next.len_utf8();
            match next {
                '\'' => return,
                '\\' => {
                    if let Some(after) = chars.next() {
                        self.at += after.len_utf8();
                        text.push(if after == 'n' { '\n' } else { after });
                    }
                }
                _ => text.push(next),
            }
        }
    }

    fn double(&mut self, text: &mut String, inner: &mut Vec<Vec<Token<'a>>>) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' => {
                    self.at += 1;
                    match self.peek(0) {
                        Some(b'\n') => self.at += 1,
                        Some(next @ (b'$' | b'`' | b'"' | b'\\')) => {
                            text.push(char::from(next));
                            self.at += 1;
                        }
                        _ => text.push('\\'),
                    }
                }
                b'$' | b'`' => self.expansion(text, inner),
                _ => {
                    let from = self.at;
                    self.at += self.rest().bytes().take_while(|b| !matches!(b, b'"' | b'\\' | b'$' | b'`')).count();
                    text.push_str(self.since(from));
                }
            }
        }
    }

    /// `$…` or a backtick: copied as written; the commands in it are kept apart.
    pub(super) fn expansion(&mut self, text: &mut String, inner: &mut Vec<Vec<Token<'a>>>) {
        let start = self.at;
        match (self.peek(0), self.peek(1)) {
            (Some(b'$'), Some(b'(')) if self.peek(2) == Some(b'(') => self.balanced(1, b'(', b')'),
            (Some(b'$'), Some(b'(')) => self.substitution(2, inner),
            (Some(b'$'), Some(b'{')) => self.balanced(1, b'{', b'}'),
            (Some(b'`'), _) => self.backticks(inner),
            _ => self.at += 1,
        }
        text.push_str(self.since(start));
    }

    /// The commands up to the closing parenthesis, after an opening of `skip` bytes.
    pub(super) fn substitution(&mut self, skip: usize, inner: &mut Vec<Vec<Token<'a>>>) {
        self.at += skip;
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            inner.push(self.run(true));
            self.depth -= 1;
        }
    }

    fn balanced(&mut self, skip: usize, open: u8, close: u8) {
        self.at += skip;
        let mut depth = 0usize;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == open {
                depth += 1;
            } else if byte == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return;
                }
            }
        }
    }

    fn backticks(&mut self, inner: &mut Vec<Vec<Token<'a>>>) {
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            if byte == b'`' {
                break;
            }
            self.at = (self.at + if byte == b'\\' { 2 } else { 1 }).min(self.text.len());
        }
        let commands = self.since(start);
        self.at = (self.at + 1).min(self.text.len());
        if self.depth < MAX_DEPTH {
            inner.push(Lexer { text: commands, at: 0, depth: self.depth + 1 }.run(false));
        }
    }
}

fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'\\' | b'\'' | b'"' | b'$' | b'`')
}
