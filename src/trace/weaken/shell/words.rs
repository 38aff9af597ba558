//! Shell text as simple commands: words without their quotes, where the output goes, and what joins them.

use crate::trace::weaken::util::cut;

/// What stands between two commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::trace::weaken) enum Joint {
    /// The text's beginning or end, or a line's.
    #[default]
    Line,
    And,
    Or,
    Semicolon,
    Pipe,
    Background,
}

/// Where a command's output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::trace::weaken) struct Redirect {
    pub(in crate::trace::weaken) append: bool,
    pub(in crate::trace::weaken) path: String,
}

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::trace::weaken) struct Simple {
    pub(in crate::trace::weaken) words: Vec<String>,
    /// As it was written.
    pub(in crate::trace::weaken) text: String,
    pub(in crate::trace::weaken) before: Joint,
    pub(in crate::trace::weaken) after: Joint,
    pub(in crate::trace::weaken) redirects: Vec<Redirect>,
    /// The text of its here-document.
    pub(in crate::trace::weaken) document: Option<String>,
}

/// Words that open or close a construct and are no part of a command.
const KEYWORDS: &[&str] = &["then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "done", "fi", "time", "esac"];
/// Programs that run the rest of their words.
const RUNNERS: &[&str] =
    &["sudo", "env", "nohup", "exec", "command", "npx", "bunx", "nice", "cross-env", "xvfb-run", "stdbuf", "ionice", "time"];
/// Programs whose second word runs the rest.
const RUNNER_PAIRS: &[(&str, &[&str])] = &[
    ("uv", &["run"]),
    ("uvx", &[]),
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("rye", &["run"]),
    ("bundle", &["exec"]),
    ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx"]),
    ("npm", &["exec"]),
    ("bun", &["x"]),
    ("mise", &["exec"]),
    ("direnv", &["exec"]),
];

impl Simple {
    /// The words from the program on: without assignments, keywords and programs that only run others.
    pub(in crate::trace::weaken) fn program(&self) -> &[String] {
        let mut words = self.words.as_slice();
        for _ in 0..12 {
            let Some(first) = words.first().map(String::as_str) else { break };
            let skip = if KEYWORDS.contains(&first) || is_assignment(first) {
                1
            } else if RUNNERS.contains(&first) {
                1 + words.iter().skip(1).take_while(|w| w.starts_with('-') || is_assignment(w)).count()
            } else if first == "timeout" || first == "gtimeout" {
                // Flags, then the duration.
                2 + words.iter().skip(1).take_while(|w| w.starts_with('-')).count()
            } else if matches!(first, "python" | "python3" | "py") && words.get(1).is_some_and(|w| w == "-m") {
                2
            } else if matches!(first, "coverage") && words.get(1).is_some_and(|w| w == "run") {
                2 + words.iter().skip(2).take_while(|w| w.starts_with('-')).count()
            } else if RUNNER_PAIRS.iter().any(|(p, seconds)| *p == first && words.get(1).is_some_and(|w| seconds.contains(&w.as_str()))) {
                2 + words.iter().skip(2).take_while(|w| w.starts_with("--")).count()
            } else {
                break;
            };
            words = words.get(skip..).unwrap_or_default();
        }
        words
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Takes shell text apart. Whatever cannot be understood ends up as words; nothing fails.
pub(in crate::trace::weaken) fn commands(text: &str) -> Vec<Simple> {
    let mut reader = Reader {
        text,
        at: 0,
        found: Vec::new(),
        current: Simple::default(),
        word: String::new(),
        in_word: false,
        from: 0,
        pending: Vec::new(),
        target: None,
    };
    reader.run();
    reader.found
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    found: Vec<Simple>,
    current: Simple,
    word: String,
    in_word: bool,
    from: usize,
    /// Here-documents to be read at the line's end: the command's place and the delimiter.
    pending: Vec<(usize, String)>,
    /// The next word is a redirection's target: append or not; `None` inside means that it does not matter.
    target: Option<Option<bool>>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        while let Some(c) = self.text.get(self.at..).and_then(|r| r.chars().next()) {
            match c {
                '\\' => {
                    self.at += 1;
                    if let Some(next) = self.text.get(self.at..).and_then(|r| r.chars().next()) {
                        if next != '\n' {
                            self.word.push(next);
                            self.in_word = true;
                        }
                        self.at += next.len_utf8();
                    }
                }
                '\'' => self.quoted('\''),
                '"' => self.quoted('"'),
                '`' => self.nested('`'),
                '$' if self.peek(1) == b'(' => self.substitution(),
                '#' if !self.in_word => {
                    self.at +=
                        memchr::memchr(b'\n', cut(self.text, self.at, self.text.len()).as_bytes()).unwrap_or(self.text.len() - self.at);
                }
                ' ' | '\t' | '\r' => {
                    self.end_word();
                    self.at += 1;
                }
                '\n' => {
                    self.joint(Joint::Line, 1);
                    self.documents();
                }
                ';' => self.joint(Joint::Semicolon, if self.peek(1) == b';' { 2 } else { 1 }),
                '&' if self.peek(1) == b'&' => self.joint(Joint::And, 2),
                '&' if self.peek(1) == b'>' => {
                    self.end_word();
                    self.at += 1;
                    self.redirect(true);
                }
                '&' => self.joint(Joint::Background, 1),
                '|' if self.peek(1) == b'|' => self.joint(Joint::Or, 2),
                '|' => self.joint(Joint::Pipe, if self.peek(1) == b'&' { 2 } else { 1 }),
                '(' | ')' if !self.in_word => self.joint(Joint::Semicolon, 1),
                '>' => {
                    // `2>file` is what it says on the side.
                    let number = self.in_word && self.word.bytes().all(|b| b.is_ascii_digit());
                    let output = !number || self.word == "1";
                    if number {
                        self.word.clear();
                        self.in_word = false;
                    }
                    self.end_word();
                    self.redirect(output);
                }
                '<' => self.input(),
                c => {
                    self.word.push(c);
                    self.in_word = true;
                    self.at += c.len_utf8();
                }
            }
        }
        self.joint(Joint::Line, 0);
        self.documents();
    }

    fn quoted(&mut self, quote: char) {
        self.in_word = true;
        self.at += 1;
        while let Some(c) = self.text.get(self.at..).and_then(|r| r.chars().next()) {
            self.at += c.len_utf8();
            if c == quote {
                return;
            }
            if c == '\\' && quote == '"' {
                match self.text.get(self.at..).and_then(|r| r.chars().next()) {
                    Some(next @ ('"' | '\\' | '$' | '`')) => {
                        self.word.push(next);
                        self.at += 1;
                        continue;
                    }
                    Some('\n') => {
                        self.at += 1;
                        continue;
                    }
                    _ => {}
                }
            }
            self.word.push(c);
        }
    }

    fn nested(&mut self, end: char) {
        self.in_word = true;
        let from = self.at;
        self.at += 1;
        let rest = cut(self.text, self.at, self.text.len());
        self.at += rest.find(end).map_or(rest.len(), |i| i + 1);
        self.word.push_str(cut(self.text, from, self.at));
    }

    fn substitution(&mut self) {
        self.in_word = true;
        let (from, mut depth) = (self.at, 0);
        self.at += 1;
        while self.at < self.text.len() {
            match self.peek(0) {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        // A here-document inside is read as words, which is all that is needed of it.
        self.word.push_str(cut(self.text, from, self.at));
    }

    fn end_word(&mut self) {
        if !self.in_word {
            return;
        }
        let word = std::mem::take(&mut self.word);
        self.in_word = false;
        match self.target.take() {
            Some(Some(append)) => self.current.redirects.push(Redirect { append, path: word }),
            Some(None) => {}
            None => self.current.words.push(word),
        }
    }

    fn joint(&mut self, joint: Joint, width: usize) {
        self.end_word();
        self.target = None;
        let to = self.at.min(self.text.len());
        self.at += width;
        if self.current.words.is_empty() && self.current.redirects.is_empty() {
            self.from = self.at;
            return;
        }
        let mut done = std::mem::take(&mut self.current);
        done.text = cut(self.text, self.from, to).trim().to_owned();
        done.after = joint;
        self.found.push(done);
        self.current.before = joint;
        self.from = self.at;
    }

    fn redirect(&mut self, output: bool) {
        self.at += 1;
        let append = self.peek(0) == b'>';
        if append || self.peek(0) == b'|' {
            self.at += 1;
        }
        if self.peek(0) == b'&' {
            self.at += 1;
            self.target = Some(None);
        } else {
            self.target = Some(output.then_some(append));
        }
    }

    fn input(&mut self) {
        self.end_word();
        self.at += 1;
        if self.peek(0) != b'<' {
            if self.peek(0) == b'(' {
                self.at += 1;
            }
            self.target = Some(None);
            return;
        }
        self.at += 1;
        if self.peek(0) == b'<' {
            self.at += 1;
            return;
        }
        if self.peek(0) == b'-' {
            self.at += 1;
        }
        let rest = cut(self.text, self.at, self.text.len());
        let rest = rest.get(..rest.find('\n').unwrap_or(rest.len())).unwrap_or(rest);
        let lead = rest.len() - rest.trim_start().len();
        let len =
            rest.trim_start().bytes().take_while(|b| !b.is_ascii_whitespace() && !matches!(b, b';' | b'|' | b'&' | b'>' | b')')).count();
        let delimiter = cut(rest, lead, lead + len).replace(['\'', '"', '\\'], "");
        self.at += lead + len;
        if !delimiter.is_empty() {
            self.pending.push((self.found.len(), delimiter));
        }
    }

    /// Reads the here-documents that begin after this line.
    fn documents(&mut self) {
        for (command, delimiter) in std::mem::take(&mut self.pending) {
            let from = self.at.min(self.text.len());
            let mut end = self.text.len();
            let mut next = self.text.len();
            let mut at = from;
            for line in cut(self.text, from, self.text.len()).split_inclusive('\n') {
                if line.trim() == delimiter {
                    (end, next) = (at, at + line.len());
                    break;
                }
                at += line.len();
            }
            if let Some(c) = self.found.get_mut(command) {
                c.document = Some(cut(self.text, from, end).to_owned());
            }
            self.at = next;
            self.from = next;
        }
    }
}
