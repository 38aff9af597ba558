//! The text that an iteration's failure has in the log.

use super::dice::Dice;
use super::knobs::Knobs;
use super::plan::{Colour, Step};
use super::volatile;

/// One check's output as the loop saw it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// What a call of the agent is told: the first failing line.
    pub first: String,
    /// What the check's own record holds.
    pub full: String,
    /// A loop's own signature: equal for equal failures.
    pub signature: Option<String>,
}

/// Prints what the check of this iteration said; empty if green.
pub(super) fn show(step: &Step, knobs: &Knobs, dice: &mut Dice) -> Shown {
    match &step.colour {
        Colour::Red(failure) if step.set.is_empty() => {
            let text = decorate(failure.print(dice), knobs, dice);
            Shown { first: text.clone(), full: text, signature: Some(fingerprint(&failure.key)) }
        }
        Colour::Red(_) => {
            let lines: Vec<String> = step.set.iter().map(|failure| failure.print_first_line(dice)).collect();
            let keys: Vec<&str> = step.set.iter().map(|failure| failure.key.as_str()).collect();
            Shown {
                first: lines.first().cloned().unwrap_or_default(),
                full: lines.join("\n"),
                signature: Some(fingerprint(&keys.join("\n"))),
            }
        }
        Colour::Outage(_, template) => {
            let text = volatile::fill(template, dice);
            Shown { first: text.clone(), full: text, signature: None }
        }
        Colour::Green => Shown::default(),
    }
}

/// What a terminal adds to a line.
fn decorate(text: String, knobs: &Knobs, dice: &mut Dice) -> String {
    let text = if knobs.colours && dice.chance(0.6) { format!("\u{1b}[31m{text}\u{1b}[0m") } else { text };
    let text = if knobs.clock_prefix { volatile::fill("[«clock»] ", dice) + &text } else { text };
    if knobs.progress_line && dice.chance(0.6) { volatile::fill("running «pct»\r", dice) + &text } else { text }
}

/// Sixteen hexadecimal digits of a text (FNV-1a).
pub(super) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
