//! Free text of a failure: the part in which numbers mean nothing, and which a
//! logger that does not escape breaks on.

use super::dice::Dice;
use super::words::{NOUNS, camel};

/// A message template; what is drawn here stays, what stands in `«…»` changes.
pub(super) fn draw(module: &str, dice: &mut Dice) -> String {
    let word = dice.pick(NOUNS);
    let other = dice.pick(NOUNS);
    match dice.between(0, 39) {
        0..=5 => "assert «n» == «n»".to_owned(),
        6..=8 => format!("AssertionError: expected \"{word}\" but got \"{other}\""),
        9..=10 => format!("<{} object at «addr»> is not None", camel(module)),
        11..=12 => "ValueError: run «uuid» is not in the store".to_owned(),
        // One machine has one shape of temporary path.
        13..=14 => format!("«tmp{}»/out.json differs from golden.json", dice.between(0, 3)),
        15..=16 => format!("coverage of {module} is «pct», wanted more"),
        17..=18 => r#"bad escape \d in pattern "^\d+\s*$""#.to_owned(),
        19..=21 => r#"assert {"id": «n», "state": "open"} == {"id": «n», "state": "closed"}"#.to_owned(),
        22..=23 => "property broke after «n» cases, seed=«seed»".to_owned(),
        24..=25 => "took «dur»s, the limit is 2.00s".to_owned(),
        26 => "server on 127.0.0.1:«port» sent the wrong body".to_owned(),
        27 => "worker pid=«pid» left a lock".to_owned(),
        28 => "digest «hash» is not the recorded one".to_owned(),
        29 => "token of «time» is too old".to_owned(),
        30..=31 => "got:\t«n»\twant:\t«n»".to_owned(),
        // The program under test answers 500: a real failure, no outage.
        32 => "assert 500 == 201".to_owned(),
        33..=34 => format!("wrote «n» bytes of {word}"),
        // A test of a loop: its text looks like the record of a success.
        35 => r#"assert '{"event":"green","detail":"done in 3"}' in lines"#.to_owned(),
        36 => "café menu has «n» entries".to_owned(),
        37 => format!(r"path C:\data\{module}\new is missing"),
        38 => format!("mean of {word} is «f», not near 0.5"),
        _ => "expected «n» rows\nActual: «n» rows".to_owned(),
    }
}
