//! What goes and what stays. Secrets are put together from pieces, so that no scanner takes these files for a leak.

mod escaped;
mod properties;
mod settings;
mod stays;
mod tokens;

use std::borrow::Cow;

use super::redact;

/// `length` characters of the kind that tokens are made of.
pub(super) fn body(length: usize) -> String {
    "k7Qm2Xv9".chars().cycle().take(length).collect()
}

/// Joins pieces of something that looks like a secret.
pub(super) fn join(pieces: &[&str]) -> String {
    pieces.concat()
}

#[track_caller]
pub(super) fn becomes(text: &str, expected: &str) {
    assert_eq!(redact(text), expected, "of {text:?}");
}

#[track_caller]
pub(super) fn stays(text: &str) {
    assert!(matches!(redact(text), Cow::Borrowed(_)), "{text:?} became {:?}", redact(text));
}
