//! An iteration as a cell. Its colour never stands alone: green cells are full, red ones lower and with a letter or, where
//! that has no room, a notch at the height of their failure; the others are hollow.

use crate::report::chart::ink::{FAILURES, Ink};
use crate::report::chart::scene::{Anchor, Point, Scene};
use crate::report::chart::spec::Cell;

/// Cells from this width on have a letter.
const LETTERED: f64 = 7.5;

/// The letter of a failure: A to Z, a to z, then `*`. Equal letters are equal failures.
pub(super) fn letter(failure: u32) -> char {
    ('A'..='Z').chain('a'..='z').nth(failure as usize).unwrap_or('*')
}

fn ink(failure: u32) -> Ink {
    FAILURES.get(failure as usize % FAILURES.len()).copied().unwrap_or(Ink::Vermillion)
}

/// A cell in words.
pub(super) fn words(cell: Cell) -> String {
    match cell {
        Cell::Green => "green".to_owned(),
        Cell::Red(k) => format!("red, failure {}", letter(k)),
        Cell::NoVerdict => "no verdict".to_owned(),
        Cell::Unknown => "not judged".to_owned(),
    }
}

/// Draws a red cell whose failure is seen nowhere else: no letter, for there is nothing to compare it with.
pub(super) fn draw_once(scene: &mut Scene, (x, y): Point, (w, h): Point, class: &'static str, tip: String) {
    let gap = if w >= 4.0 { 1.0 } else { 0.0 };
    scene.rect((x, y + h * 0.2), ((w - gap).max(0.5), h * 0.8), Ink::Once, class, tip);
}

/// Draws a cell.
pub(super) fn draw(scene: &mut Scene, (x, y): Point, (w, h): Point, cell: Cell, class: &'static str, tip: String) {
    // One pixel between two cells, where there is room for it.
    let gap = if w >= 4.0 { 1.0 } else { 0.0 };
    let wide = (w - gap).max(0.5);
    let sign = match cell {
        Cell::Green => {
            scene.rect((x, y), (wide, h), Ink::Green, class, tip);
            Some(('✓', Ink::Green.letters(), y))
        }
        Cell::Red(k) => {
            let top = y + h * 0.2;
            scene.rect((x, top), (wide, h * 0.8), ink(k), class, tip);
            if (3.0..LETTERED).contains(&w) {
                let level = f64::from(k % 6) / 6.0;
                scene.rect((x, y + h - 3.0 - (h * 0.8 - 4.0) * level), (wide, 2.0), ink(k).letters(), "notch", String::new());
            }
            Some((letter(k), ink(k).letters(), top))
        }
        Cell::NoVerdict => {
            if w >= 4.0 {
                scene.outline((x + 0.5, y + 0.5), (wide - 1.0, h - 1.0), Ink::Muted, class, tip);
            } else {
                scene.rect((x, y), (wide, h * 0.2), Ink::Muted, class, tip);
            }
            Some(('!', Ink::Text, y))
        }
        Cell::Unknown => {
            scene.rect((x, y + h / 2.0 - 1.0), (wide, 2.0), Ink::Muted, class, tip);
            None
        }
    };
    if let Some((letter, ink, top)) = sign
        && w >= LETTERED
    {
        let size = (h * 0.62).min(w * 0.95).min(11.0);
        let middle = (top + y + h) / 2.0;
        scene.text((x + wide / 2.0, middle + size * 0.36), &letter.to_string(), size, ink, Anchor::Middle);
    }
}
