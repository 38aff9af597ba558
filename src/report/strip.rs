//! The course of a run in signs: equal letters are equal failures.

use crate::report::chart::spec::Cell;

/// The letter of a failure, A to Z, a to z, then `*`: beyond 52 failures letters no longer help.
#[must_use]
pub fn letter(index: u32) -> char {
    ('A'..='Z').chain('a'..='z').nth(index as usize).unwrap_or('*')
}

/// The sign of an iteration.
#[must_use]
pub fn sign(cell: Cell) -> char {
    match cell {
        Cell::Green => '✓',
        Cell::Red(index) => letter(index),
        Cell::NoVerdict => '!',
        Cell::Unknown => '·',
    }
}
