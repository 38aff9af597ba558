//! Many runs side by side: a row a run, a cell an iteration.

use crate::report::chart::draw::cell;
use crate::report::chart::draw::page::{MARGIN, Page, Swatch};
use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, LABEL, SMALL};
use crate::report::chart::spec::{Barcode, Cell, Unit};
use crate::report::chart::units;
use crate::report::escape::terminal;
use std::collections::BTreeMap;

/// Rows that are drawn; the rest is said.
const ROWS: usize = 80;
/// Failures that the legend names.
const NAMED: usize = 10;
const ROW: f64 = 20.0;
const WIDEST: f64 = 18.0;
/// Narrower stripes cannot be seen.
const NARROWEST: f64 = 2.0;

/// Draws a barcode.
pub(super) fn draw(barcode: &Barcode, page: &mut Page) {
    let most = barcode.rows.iter().map(|(_, _, cells)| cells.len()).max().unwrap_or(0);
    if most == 0 {
        page.nothing("no iterations to show");
        return;
    }
    let counts = counts(barcode);
    let once = |c: Cell| matches!(c, Cell::Red(k) if counts.get(&k) == Some(&1));
    let seen = |wanted: fn(&Cell) -> bool| barcode.rows.iter().any(|(_, _, cells)| cells.iter().any(wanted));
    let kinds = [
        (seen(|c| *c == Cell::Green), Swatch::Cell(Cell::Green), "green"),
        (counts.values().any(|n| *n > 1), Swatch::Cell(Cell::Red(0)), "red: equal letters are equal failures"),
        (counts.values().any(|n| *n == 1), Swatch::Once, "red: a failure seen once"),
        (seen(|c| *c == Cell::NoVerdict), Swatch::Cell(Cell::NoVerdict), "no verdict"),
        (seen(|c| *c == Cell::Unknown), Swatch::Cell(Cell::Unknown), "not judged"),
    ];
    page.legend(kinds.into_iter().filter(|(is, _, _)| *is).map(|(_, swatch, name)| (swatch, name.to_owned())).collect());

    let rows = barcode.rows.get(..ROWS).unwrap_or(&barcode.rows);
    let widest =
        |texts: &mut dyn Iterator<Item = &String>, most: f64| texts.map(|t| font::width(&terminal(t), LABEL)).fold(0.0, f64::max).min(most);
    let room = page.scene.width - 2.0 * MARGIN;
    let names = widest(&mut rows.iter().map(|r| &r.0), room * 0.27);
    let ends = widest(&mut rows.iter().map(|r| &r.1), room * 0.24);
    let left = MARGIN + names + 10.0;
    let zone = room - names - ends - 20.0;
    #[expect(clippy::cast_precision_loss, reason = "a number of iterations")]
    let count = most as f64;
    let together = (count * NARROWEST / zone).ceil().max(1.0);
    let width = (zone / (count / together).ceil()).min(WIDEST);
    if together > 1.0 {
        page.note(format!("A stripe is {together:.0} iterations and shows the failure that most of them have."));
    }
    scale(page, left, width / together, count);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1, at most the number of cells")]
    let together = together as usize;
    for (name, end, cells) in rows {
        let y = page.y;
        page.scene.text_in((left - 10.0, y + 14.0), name, LABEL, Ink::Text, Anchor::End, names);
        let mut x = left;
        for (k, part) in cells.chunks(together).enumerate() {
            let c = common(part);
            let (at, size, number) = ((x, y + 2.0), (width, ROW - 4.0), k * together + 1);
            if once(c) {
                cell::draw_once(&mut page.scene, at, size, "cell", format!("iteration {number}: red, a failure seen once"));
            } else {
                cell::draw(&mut page.scene, at, size, c, "cell", format!("iteration {number}: {}", cell::words(c)));
            }
            x += width;
        }
        page.scene.text_in((page.right() - ends, y + 14.0), end, LABEL, Ink::Muted, Anchor::Start, ends);
        page.y += ROW;
    }
    if barcode.rows.len() > rows.len() {
        page.note(format!("{} more runs are not shown.", barcode.rows.len() - rows.len()));
    }
    page.y += 8.0;
    failures(barcode, counts, page);
}

/// How many iterations have each failure.
fn counts(barcode: &Barcode) -> BTreeMap<u32, usize> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for c in barcode.rows.iter().flat_map(|r| &r.2) {
        if let Cell::Red(k) = c {
            *counts.entry(*k).or_default() += 1;
        }
    }
    counts
}

/// Numbers of iterations above the cells.
fn scale(page: &mut Page, left: f64, width: f64, count: f64) {
    if font::width("iteration", SMALL) <= left - MARGIN - 10.0 {
        page.scene.text((left - 10.0, page.y + 12.0), "iteration", SMALL, Ink::Muted, Anchor::End);
    }
    let most = (count * width / 46.0).max(1.0);
    for n in units::ticks(Unit::Count, 0.0, count, most).at {
        let n = n.max(1.0);
        let x = left + (n - 0.5) * width;
        page.scene.text((x, page.y + 12.0), &format!("{n:.0}"), SMALL, Ink::Muted, Anchor::Middle);
    }
    page.y += 18.0;
}

/// What a stripe of several iterations shows: the most frequent failure, else what there is.
fn common(cells: &[Cell]) -> Cell {
    if let [one] = cells {
        return *one;
    }
    let mut reds: BTreeMap<u32, u32> = BTreeMap::new();
    for c in cells {
        if let Cell::Red(k) = c {
            *reds.entry(*k).or_default() += 1;
        }
    }
    let red = reds.into_iter().max_by_key(|(k, n)| (*n, std::cmp::Reverse(*k))).map(|(k, _)| Cell::Red(k));
    let has = |wanted: Cell| cells.contains(&wanted).then_some(wanted);
    red.or_else(|| has(Cell::NoVerdict)).or_else(|| has(Cell::Green)).unwrap_or(Cell::Unknown)
}

/// The failures that are seen more than once, with their texts.
fn failures(barcode: &Barcode, counts: BTreeMap<u32, usize>, page: &mut Page) {
    let once = counts.values().filter(|n| **n == 1).count();
    let mut order: Vec<(u32, usize)> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
    order.sort_by_key(|(k, n)| (std::cmp::Reverse(*n), *k));
    for (k, n) in order.iter().take(NAMED) {
        let (x, y) = (MARGIN, page.y);
        cell::draw(&mut page.scene, (x, y + 1.0), (18.0, 15.0), Cell::Red(*k), "key", String::new());
        page.scene.text((x + 58.0, y + 13.0), &format!("{n}×"), SMALL, Ink::Muted, Anchor::End);
        let name = barcode.failures.get(*k as usize).filter(|n| !n.is_empty()).map_or("a failure without a text", |n| n);
        page.scene.text_in((x + 66.0, y + 13.0), name, SMALL, Ink::Text, Anchor::Start, page.right() - x - 66.0);
        page.y += 18.0;
    }
    if order.len() > NAMED {
        page.note(format!("{} more failures are not named.", order.len() - NAMED));
    }
    if once > 0 {
        page.note(format!("{once} failures are seen once."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stripe_shows_its_most_frequent_failure() {
        assert_eq!(common(&[Cell::Red(3), Cell::Green, Cell::Red(1), Cell::Red(3)]), Cell::Red(3));
        assert_eq!(common(&[Cell::Red(3), Cell::Red(1)]), Cell::Red(1));
        assert_eq!(common(&[Cell::Unknown, Cell::Green]), Cell::Green);
        assert_eq!(common(&[Cell::Unknown, Cell::Unknown]), Cell::Unknown);
    }
}
