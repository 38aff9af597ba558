//! A shell command line as a tree: what is run, what is only text, and how the parts are joined.
//!
//! It reads the grammar that agents write (POSIX shell with the common parts of bash), never runs or expands anything,
//! and takes any text: what is broken is read as far as it makes sense.

mod lex;
mod redirect;
mod tree;

pub(super) use lex::{Word, lex};
pub(super) use tree::{Item, Joint, Stage, parse};
