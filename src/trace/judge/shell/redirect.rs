//! Redirections: what they name is no argument, and what they feed may be a script.

use std::borrow::Cow;

use super::lex::{Lexer, Pending, Token, Word};

impl<'a> Lexer<'a> {
    /// At `<` or `>`. Files are dropped; here-documents and here-strings become [`Token::Stdin`].
    pub(super) fn redirect(&mut self, out: &mut Vec<Token<'a>>, pending: &mut Vec<Pending>) {
        let rest = self.rest();
        if rest.starts_with("<<<") {
            self.at += 3;
            self.blanks();
            if let Some(word) = self.operand() {
                out.push(Token::Stdin(word.text));
            }
        } else if rest.starts_with("<<") {
            self.at += 2;
            let tabs = self.peek(0) == Some(b'-');
            self.at += usize::from(tabs);
            self.blanks();
            if let Some(word) = self.operand() {
                pending.push(Pending { token: out.len(), end: word.text.into_owned(), tabs });
                out.push(Token::Stdin(Cow::Borrowed("")));
            }
        } else if rest.starts_with("<(") || rest.starts_with(">(") {
            let start = self.at;
            let mut inner = Vec::new();
            self.substitution(2, &mut inner);
            let text = self.text.get(start..self.at).unwrap_or("");
            out.push(Token::Word(Word { text: Cow::Borrowed(text), quoted: true, inner }));
        } else {
            self.at += 1;
            while matches!(self.peek(0), Some(b'<' | b'>' | b'|' | b'&')) {
                self.at += 1;
            }
            self.blanks();
            let _file = self.operand();
        }
    }

    /// The word that a redirection names, if there is one before the line or the command ends.
    fn operand(&mut self) -> Option<Word<'a>> {
        match self.peek(0) {
            None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') => None,
            Some(_) => self.word(),
        }
    }
}
