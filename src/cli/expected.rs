//! `--expect`: runs that should be there.

use anyhow::{Context as _, bail};
use loopmortem::input::read_text;
use loopmortem::report::model::NeverStarted;
use std::path::Path;

/// What was expected.
pub(crate) enum Expected {
    /// So many.
    Number(u64),
    /// These.
    Named(Vec<String>),
}

impl Expected {
    /// A number, or a file: a name a line, `#` begins a comment; or a JSON list of names.
    pub(crate) fn read(what: &str) -> anyhow::Result<Self> {
        if let Ok(number) = what.trim().parse() {
            return Ok(Self::Number(number));
        }
        let text = read_text(Path::new(what)).with_context(|| format!("--expect: {what} is no number, and cannot be read as a file"))?;
        let names: Vec<String> = match serde_json::from_str(&text) {
            Ok(names) => names,
            Err(_) => {
                text.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty()).map(ToOwned::to_owned).collect()
            }
        };
        if names.is_empty() {
            bail!("--expect: {what} names no run");
        }
        Ok(Self::Named(names))
    }

    /// What is missing, given the ids of what is there. A name fits an id, its last part, or its part before `#`.
    pub(crate) fn missing(&self, there: &[Box<str>]) -> NeverStarted {
        let found = there.len() as u64;
        match self {
            Self::Number(expected) => NeverStarted { expected: *expected, found: found.min(*expected), missing: Vec::new() },
            Self::Named(names) => {
                let fits = |name: &str, id: &str| {
                    let stem = id.split('#').next().unwrap_or(id);
                    id == name || stem == name || stem.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'))
                };
                let missing: Vec<Box<str>> =
                    names.iter().filter(|n| !there.iter().any(|id| fits(n, id))).map(|n| n.as_str().into()).collect();
                NeverStarted { expected: names.len() as u64, found: (names.len() - missing.len()) as u64, missing }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        let there: Vec<Box<str>> = ["night/billing", "api#1", "api#2"].map(Into::into).to_vec();
        let named = Expected::Named(["billing", "api", "docs"].map(ToOwned::to_owned).to_vec()).missing(&there);
        assert_eq!((named.expected, named.found, named.missing.as_slice()), (3, 2, &["docs".into()][..]));
        let number = Expected::Number(5).missing(&there);
        assert_eq!((number.expected, number.found), (5, 3));
    }
}
