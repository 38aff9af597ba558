//! Removes secrets from text before it reaches any output.
//!
//! Logs of coding agents hold whatever the agent saw: environment dumps, `.env` files, request headers. A report is
//! passed around more freely than the log behind it, so every excerpt goes through [`redact`] first.
//!
//! `shapes` is the one table of what a secret looks like; `engine` applies it; `value` finds where the value of
//! an assignment ends; `judge` tells a secret from code, placeholders and prose.

mod engine;
mod escapes;
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
/// What stands behind escapes (`user\u0040example.com`) is looked at as what it means; only where that holds a secret does the
/// text come back with its escapes undone.
///
/// The result is settled: `redact(redact(t)) == redact(t)`. A round may bring together what an earlier one kept apart,
/// so rounds are repeated until one finds nothing; a text that never settles is dropped as a whole. The time is linear
/// in the length of the text, whatever it holds.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut settled = match written(text) {
        Settled::Clean => Cow::Borrowed(text),
        Settled::Cleaned(clean) => Cow::Owned(clean),
        Settled::Never => return Cow::Borrowed(UNSETTLED),
    };
    // An escape may hide the backslash of another: each round undoes one layer, and no text has many.
    let mut meant = escapes::decoded(&settled);
    for _ in 0..ROUNDS {
        let Some(layer) = meant else { return settled };
        match written(&layer) {
            Settled::Clean => meant = escapes::decoded(&layer),
            Settled::Cleaned(clean) => {
                meant = escapes::decoded(&clean);
                settled = Cow::Owned(clean);
            }
            Settled::Never => return Cow::Borrowed(UNSETTLED),
        }
    }
    Cow::Borrowed(UNSETTLED)
}

/// What became of a text.
enum Settled {
    Clean,
    Cleaned(String),
    Never,
}

/// The text as it is written, without secrets.
fn written(text: &str) -> Settled {
    let Some(mut settled) = engine::round(text) else { return Settled::Clean };
    for _ in 1..ROUNDS {
        match engine::round(&settled) {
            Some(next) => settled = next,
            None => return Settled::Cleaned(settled),
        }
    }
    Settled::Never
}
