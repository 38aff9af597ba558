//! Applies the table of shapes: one cheap pass decides which shapes can occur at all, and only those run their pattern.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::Anchored;
use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::DFA;
use regex::Regex;

use super::UNSETTLED;
use super::shapes::{Becomes, SHAPES, Secret, Shape};
use super::value::{self, may_follow_name};

// `seen` keeps one bit a shape.
const _: () = assert!(SHAPES.len() <= 64);

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::new);

struct Engine {
    /// All triggers of all shapes. None only if it could not be built: then every shape runs.
    triggers: Option<(DFA, StateID)>,
    /// The bit of the shape that a trigger belongs to, and whether it is a name, by the trigger's number.
    bits: Vec<(u64, bool)>,
    /// Compiled when a trigger is first seen: most runs need a handful, and compiling all of them would be felt at start.
    patterns: Vec<OnceLock<Option<Regex>>>,
}

impl Engine {
    fn new() -> Self {
        let (words, bits): (Vec<&str>, Vec<_>) = SHAPES
            .iter()
            .enumerate()
            .flat_map(|(row, shape)| {
                let bit = (1 << row, shape.names);
                shape.triggers.iter().map(move |word| (*word, bit))
            })
            .unzip();
        let triggers = DFA::builder().ascii_case_insensitive(true).prefilter(false).build(words).ok();
        let triggers = triggers.and_then(|dfa| dfa.start_state(Anchored::No).ok().map(|start| (dfa, start)));
        Self { triggers, bits, patterns: SHAPES.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The pattern of a row, compiled at its first use.
    fn pattern(&self, row: usize) -> Option<&Regex> {
        let slot = self.patterns.get(row)?;
        slot.get_or_init(|| Regex::new(SHAPES.get(row)?.pattern).ok()).as_ref()
    }

    /// The shapes that may occur in `text`, a bit each.
    fn seen(&self, text: &str) -> u64 {
        let Some((dfa, start)) = &self.triggers else {
            return u64::MAX;
        };
        // Every trigger that ends at a byte is wanted, because one may hide another: `secret_access_key` is a secret, a key
        // and a name of AWS. Walking the automaton here takes half the time of its iterator of overlapping matches.
        let (mut seen, mut state) = (0, *start);
        for (at, byte) in text.bytes().enumerate() {
            state = dfa.next_state(Anchored::No, state, byte);
            if dfa.is_special(state) && dfa.is_match(state) {
                let rest = text.as_bytes().get(at + 1..).unwrap_or_default();
                for index in 0..dfa.match_len(state) {
                    match self.bits.get(dfa.match_pattern(state, index).as_usize()) {
                        Some((bit, names)) if !names || may_follow_name(rest) => seen |= bit,
                        _ => {}
                    }
                }
            }
        }
        seen
    }
}

/// Whether a shape that is not seen would find something: a trigger is missing in its row.
#[cfg(test)]
pub(super) fn unseen(text: &str) -> Option<&'static str> {
    let seen = ENGINE.seen(text);
    let missed = |(row, shape): &(usize, &Shape)| (seen >> row) & 1 == 0 && apply(shape, ENGINE.pattern(*row).unwrap(), text).is_some();
    SHAPES.iter().enumerate().find(missed).map(|(_, shape)| shape.name)
}

/// Removes what the shapes find, one after the other. None when nothing had to be removed.
pub(super) fn round(text: &str) -> Option<String> {
    let engine = &*ENGINE;
    let seen = engine.seen(text);
    if seen == 0 {
        return None;
    }
    let mut cleaned: Option<String> = None;
    for (row, shape) in SHAPES.iter().enumerate() {
        if (seen >> row) & 1 == 0 {
            continue;
        }
        let Some(pattern) = engine.pattern(row) else {
            // Cannot happen, as a test compiles them all; if it does, a secret must not slip through.
            return (text != UNSETTLED).then(|| UNSETTLED.to_owned());
        };
        if let Some(next) = apply(shape, pattern, cleaned.as_deref().unwrap_or(text)) {
            cleaned = Some(next);
        }
    }
    cleaned
}

/// Removes what one shape finds. None when it finds nothing.
fn apply(shape: &Shape, pattern: &Regex, text: &str) -> Option<String> {
    // The answer is nearly always no, and a plain search needs no room for groups.
    if !pattern.is_match(text) {
        return None;
    }
    let mut out = String::new();
    let mut kept = 0; // everything before is in `out`
    let mut at = 0; // where the search goes on: always behind what was looked at, so that the time stays linear
    while let Some(found) = pattern.captures_at(text, at) {
        let end = found.get(0).map_or(text.len(), |whole| whole.end());
        let (secret, next) = match shape.secret {
            Secret::Group(is_secret) => {
                // A match without a group is one that the pattern steps over on purpose.
                let group = found.iter().skip(1).flatten().next();
                (group.filter(|g| is_secret(g.as_str())).map(|g| g.range()), end)
            }
            Secret::Value(is_secret) => {
                let value = value::assigned(text.get(end..).unwrap_or_default());
                let range = end + value.start..end + value.start + value.text.len();
                (is_secret(&value).then_some(range.clone()), range.end.max(end))
            }
        };
        if let Some(range) = secret {
            out.push_str(text.get(kept..range.start).unwrap_or_default());
            match shape.becomes {
                Becomes::Marker => {
                    out.push_str("[redacted:");
                    out.push_str(shape.name);
                    out.push(']');
                }
                Becomes::Text(replacement) => out.push_str(replacement),
            }
            kept = range.end;
        }
        if next <= at {
            break; // no pattern matches nothing, as a test asserts
        }
        at = next;
    }
    if kept == 0 {
        return None;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_every_shape_has_a_trigger() {
        assert!(ENGINE.triggers.is_some());
        for shape in SHAPES {
            assert!(Regex::new(shape.pattern).is_ok(), "{}: {}", shape.name, shape.pattern);
            assert!(!Regex::new(shape.pattern).unwrap().is_match(""), "{}", shape.name);
            assert!(!shape.triggers.is_empty(), "{}", shape.name);
        }
    }

    #[test]
    fn every_pattern_removes_a_group_or_a_value_and_not_both() {
        for shape in SHAPES {
            let groups = Regex::new(shape.pattern).unwrap().captures_len() - 1;
            match shape.secret {
                Secret::Group(_) => assert!(groups > 0, "{}", shape.name),
                Secret::Value(_) => assert_eq!(groups, 0, "{}", shape.name),
            }
        }
    }

    #[test]
    fn only_shapes_with_a_trigger_in_the_text_run() {
        assert_eq!(ENGINE.seen("cargo test --lib finished with 3 failures"), 0);
        let seen = ENGINE.seen("see bob at /HOME/");
        assert_eq!(seen.count_ones(), 1);
        assert_eq!(SHAPES[seen.trailing_zeros() as usize].name, "home");
    }
}
