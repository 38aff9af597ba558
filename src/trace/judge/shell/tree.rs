//! Tokens as lists, pipelines and groups.

use super::lex::{Token, Word};

/// Groups nested deeper than this are not read.
const MAX_DEPTH: u8 = 48;

/// How a pipeline is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace::judge) enum Joint {
    /// It follows, whatever became of the one before.
    Seq,
    /// Only after success.
    And,
    /// Only after failure.
    Or,
}

/// One pipeline of a list.
#[derive(Debug)]
pub(in crate::trace::judge) struct Item<'t, 'a> {
    pub(in crate::trace::judge) joint: Joint,
    /// `!` turns its status round.
    pub(in crate::trace::judge) negated: bool,
    /// `&`: nobody waits for it.
    pub(in crate::trace::judge) background: bool,
    pub(in crate::trace::judge) stages: Vec<Stage<'t, 'a>>,
}

/// One command of a pipeline.
#[derive(Debug)]
pub(in crate::trace::judge) enum Stage<'t, 'a> {
    /// Words, and what is fed to them from the text itself.
    Simple { words: Vec<&'t Word<'a>>, stdin: Option<&'t str> },
    /// `(…)`, `{ …; }`, and the parts of `if`, `for`, `while`, `case`.
    Group {
        list: Vec<Item<'t, 'a>>,
        /// Changes of directory and options end with it.
        subshell: bool,
        /// Its parts may run once, often or never.
        conditional: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Text,
    Parenthesis,
    Brace,
    Keyword,
}

/// The whole of `tokens` as one list.
pub(in crate::trace::judge) fn parse<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<Item<'t, 'a>> {
    Parser { tokens, at: 0, depth: 0 }.list(End::Text)
}

struct Parser<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    depth: u8,
}

impl<'t, 'a> Parser<'t, 'a> {
    fn peek(&self) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at)
    }

    /// The next token, if it is an unquoted word: it may be a keyword.
    fn keyword(&self) -> Option<&'t str> {
        match self.peek() {
            Some(Token::Word(word)) if !word.quoted => Some(&word.text),
            _ => None,
        }
    }

    fn list(&mut self, end: End) -> Vec<Item<'t, 'a>> {
        let mut items: Vec<Item<'t, 'a>> = Vec::new();
        let mut joint = Joint::Seq;
        let mut chain = 0;
        while let Some(token) = self.peek() {
            match token {
                Token::Seq => {
                    // A line may end after `&&`.
                    if !matches!(self.at.checked_sub(1).and_then(|i| self.tokens.get(i)), Some(Token::And | Token::Or | Token::Seq)) {
                        joint = Joint::Seq;
                        chain = items.len();
                    }
                    self.at += 1;
                }
                Token::Background => {
                    for item in items.iter_mut().skip(chain) {
                        item.background = true;
                    }
                    (joint, chain) = (Joint::Seq, items.len());
                    self.at += 1;
                }
                Token::And | Token::Or => {
                    joint = if matches!(token, Token::And) { Joint::And } else { Joint::Or };
                    self.at += 1;
                }
                Token::Close => {
                    self.at += 1;
                    if end == End::Parenthesis {
                        break;
                    }
                    (joint, chain) = (Joint::Seq, items.len());
                }
                Token::Pipe | Token::Stdin(_) => self.at += 1,
                Token::Open | Token::Word(_) => match self.keyword() {
                    Some("}") => {
                        self.at += 1;
                        if end == End::Brace {
                            break;
                        }
                    }
                    Some("fi" | "done" | "esac") => {
                        self.at += 1;
                        if end == End::Keyword {
                            break;
                        }
                    }
                    Some("then" | "else" | "elif" | "do") => {
                        self.at += 1;
                        (joint, chain) = (Joint::Seq, items.len());
                    }
                    _ => {
                        items.push(self.pipeline(joint));
                        joint = Joint::Seq;
                    }
                },
            }
        }
        items
    }

    fn pipeline(&mut self, joint: Joint) -> Item<'t, 'a> {
        let mut negated = false;
        while self.keyword() == Some("!") {
            self.at += 1;
            negated = !negated;
        }
        let mut stages = vec![self.stage()];
        while matches!(self.peek(), Some(Token::Pipe)) {
            self.at += 1;
            while matches!(self.peek(), Some(Token::Seq)) {
                self.at += 1;
            }
            stages.push(self.stage());
        }
        Item { joint, negated, background: false, stages }
    }

    fn stage(&mut self) -> Stage<'t, 'a> {
        if self.depth >= MAX_DEPTH {
            self.at += 1;
            return Stage::Simple { words: Vec::new(), stdin: None };
        }
        if matches!(self.peek(), Some(Token::Open)) {
            self.at += 1;
            return self.group(End::Parenthesis);
        }
        match self.keyword() {
            Some("{") => {
                self.at += 1;
                self.group(End::Brace)
            }
            Some("if" | "while" | "until") => {
                self.at += 1;
                self.group(End::Keyword)
            }
            Some("for" | "select" | "case") => {
                self.head();
                self.group(End::Keyword)
            }
            _ => self.simple(),
        }
    }

    /// `for x in a b`, `case $x in`: words that are not run.
    fn head(&mut self) {
        let case = self.keyword() == Some("case");
        while let Some(token) = self.peek() {
            let last = match token {
                Token::Seq => true,
                Token::Word(word) => !word.quoted && word.text == if case { "in" } else { "do" },
                _ => false,
            };
            self.at += 1;
            if last {
                return;
            }
        }
    }

    fn group(&mut self, end: End) -> Stage<'t, 'a> {
        self.depth += 1;
        let list = self.list(end);
        self.depth -= 1;
        // What is fed to a whole group is left out; nobody writes a script that way.
        while matches!(self.peek(), Some(Token::Stdin(_))) {
            self.at += 1;
        }
        Stage::Group { list, subshell: end == End::Parenthesis, conditional: end == End::Keyword }
    }

    fn simple(&mut self) -> Stage<'t, 'a> {
        let mut words: Vec<&'t Word<'a>> = Vec::new();
        let mut stdin = None;
        while let Some(token) = self.peek() {
            match token {
                Token::Word(word) => words.push(word),
                Token::Stdin(text) => stdin = Some(text.as_ref()),
                Token::Open => match words.last() {
                    // `list=(a b)`: its elements are not run.
                    Some(word) if word.text.ends_with('=') => self.array(),
                    // `name() {`: the body follows as a group of its own.
                    Some(_) if matches!(self.tokens.get(self.at + 1), Some(Token::Close)) => {
                        words.clear();
                        self.at += 1;
                    }
                    _ => break,
                },
                _ => break,
            }
            self.at += 1;
            if words.is_empty() && stdin.is_none() {
                break;
            }
        }
        Stage::Simple { words, stdin }
    }

    /// Goes to the parenthesis that closes an array.
    fn array(&mut self) {
        while let Some(token) = self.peek() {
            if matches!(token, Token::Close) {
                return;
            }
            self.at += 1;
        }
    }
}
