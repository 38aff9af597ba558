//! What changes each time the same failure is printed.
//!
//! Templates name such a part as `«kind»`; [`fill`] draws a new value for each.
//! Only parts that the rules for signatures take out (times, places, ids) or
//! turn into `#` (numbers in a message) may be written so.

use super::civil;
use super::dice::Dice;

/// Replaces every `«kind»` of the template.
pub(super) fn fill(template: &str, dice: &mut Dice) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('«') {
        out.push_str(before);
        match after.split_once('»') {
            Some((kind, tail)) => {
                out.push_str(&value(kind, dice));
                rest = tail;
            }
            None => rest = after,
        }
    }
    out.push_str(rest);
    out
}

fn value(kind: &str, dice: &mut Dice) -> String {
    match kind {
        "line" => dice.between(3, 1400).to_string(),
        "col" => dice.between(1, 96).to_string(),
        "n" => dice.between(1, 9000).to_string(),
        // Same shape each time: digits, a dot, digits.
        "f" => format!("{:.4}", dice.real(0.0, 90.0)),
        "dur" => format!("{:.2}", dice.log_real(0.01, 40.0)),
        "ms" => dice.between(6, 4800).to_string(),
        "uuid" => uuid(dice),
        "tmp0" => format!("/tmp/pytest-of-ci/pytest-{}", dice.between(0, 400)),
        "tmp1" => format!("/tmp/tmp{}", dice.hex(8)),
        "tmp2" => format!("/var/folders/zz/{}/T/run-{}", dice.hex(12), dice.hex(6)),
        "tmp3" => format!("/tmp/.tmp{}", dice.hex(6)),
        "addr" => format!("0x7f{}", dice.hex(10)),
        "port" => dice.between(32768, 60999).to_string(),
        "pct" => format!("{}%", dice.between(1, 99)),
        "wide_pct" => format!("{:>3}%", dice.between(1, 100)),
        "pid" => dice.between(900, 65000).to_string(),
        "seed" => dice.span(100_000, 4_000_000_000).to_string(),
        "time" => civil::rfc3339(dice.span(1_790_000_000, 1_795_000_000) * 1000, 0, 0),
        "clock" => format!("{:02}:{:02}:{:02}", dice.between(0, 23), dice.between(0, 59), dice.between(0, 59)),
        "hash" => dice.hex(40),
        other => other.to_owned(),
    }
}

/// A random UUID of version 4.
pub(super) fn uuid(dice: &mut Dice) -> String {
    format!("{}-{}-4{}-{}-{}", dice.hex(8), dice.hex(4), dice.hex(3), dice.hex(4), dice.hex(12))
}
