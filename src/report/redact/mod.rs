//! Removes secrets from text before it reaches any output.
//!
//! Logs of coding agents hold whatever the agent saw: environment dumps, `.env` files, request headers. A report is
//! passed around more freely than the log behind it, so every excerpt goes through [`redact`] first.
//!
//! `shapes` is the one table of what a secret looks like; `engine` applies it; `value` finds where the value of
//! an assignment ends; `judge` tells a secret from code, placeholders and prose.

mod engine;
mod judge;
mod pieces;
mod shapes;
mod value;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

/// What is left of a text whose secrets cannot be told apart from the rest (see [`redact`]).
const UNSETTLED: &str = "[redacted:text]";

/// Rounds until a text must be settled. One round removes everything from ordinary text and a second finds nothing
/// more; only text that is made to nest secrets in secrets needs a third.
const ROUNDS: usize = 12;

/// Replaces every secret in `text` by `[redacted:NAME]`, e-mail addresses by `[email]` and home directories by `~`.
///
/// Text without secrets comes back borrowed, and costs one pass over its bytes. What surrounds a secret stays: the
/// name of a setting, the host of a URL, the rest of the line. A secret whose tail was cut off by an excerpt's window
/// is removed too, as soon as about eight characters of it are there.
///
/// The result is settled: `redact(redact(t)) == redact(t)`. A round may bring together what an earlier one kept apart,
/// so rounds are repeated until one finds nothing; a text that never settles is dropped as a whole. The time is linear
/// in the length of the text, whatever it holds.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let Some(mut settled) = engine::round(text) else {
        return Cow::Borrowed(text);
    };
    for _ in 1..ROUNDS {
        match engine::round(&settled) {
            Some(next) => settled = next,
            None => return Cow::Owned(settled),
        }
    }
    Cow::Owned(UNSETTLED.to_owned())
}
