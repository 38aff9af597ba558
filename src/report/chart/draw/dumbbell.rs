//! Before and after, a row each, as the ratio of the two on a common scale: twice as much is as far to the right as half
//! is to the left.

use crate::report::chart::draw::page::{MARGIN, Page, Swatch};
use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, LABEL, SMALL, Scene, Shape};
use crate::report::chart::spec::{Dumbbell, Pair};
use crate::report::chart::units;
use crate::report::escape::terminal;

/// Rows that are drawn.
const ROWS: usize = 60;
const ROW: f64 = 28.0;
/// Ratios beyond this stand at the edge.
const MOST: f64 = 1024.0;

/// The ratio, where there is one.
fn ratio(pair: &Pair) -> Option<f64> {
    let fit = |v: f64| v.is_finite() && v > 0.0;
    let ratio = pair.after / pair.before;
    (fit(pair.before) && fit(pair.after) && fit(ratio)).then_some(ratio)
}

fn interval(pair: &Pair) -> Option<(f64, f64)> {
    pair.interval.filter(|(low, high)| *low > 0.0 && high.is_finite() && low <= high)
}

/// Draws a dumbbell.
pub(super) fn draw(dumbbell: &Dumbbell, page: &mut Page) {
    if dumbbell.rows.is_empty() {
        page.nothing("nothing to compare");
        return;
    }
    let rows = dumbbell.rows.get(..ROWS).unwrap_or(&dumbbell.rows);
    let bounds = rows.iter().filter_map(ratio).chain(rows.iter().filter_map(interval).flat_map(|(a, b)| [a, b]));
    let far = bounds.map(|r| r.log2().abs()).fold(1.0, f64::max).min(MOST.log2()).ceil();
    let mut entries =
        vec![(Swatch::Sign(0, Ink::Blue), dumbbell.before.clone()), (Swatch::Sign(3, Ink::Vermillion), dumbbell.after.clone())];
    if rows.iter().any(|r| interval(r).is_some()) {
        entries.push((Swatch::Curve(Ink::Text, None, None), "interval of the ratio".to_owned()));
    }
    page.legend(entries);
    let room = page.scene.width - 2.0 * MARGIN;
    let names = rows.iter().map(|r| font::width(&terminal(&r.name), LABEL)).fold(0.0, f64::max).min(room * 0.28);
    let values = rows.iter().map(|r| font::width(&words(r), SMALL)).fold(0.0, f64::max).min(room * 0.38);
    let (left, right) = (MARGIN + names + 26.0, page.right() - values - 26.0);
    let x = |ratio: f64| left + (ratio.log2().clamp(-far, far) + far) / (2.0 * far) * (right - left);
    let top = page.y + 18.0;
    let bottom = top + ROW * f64::from(u32::try_from(rows.len()).unwrap_or(0));
    scale(&mut page.scene, far, &x, (top, bottom), right - left);
    for (k, pair) in rows.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most 60 rows")]
        let y = top + ROW * (k as f64 + 0.5);
        page.scene.text_in((MARGIN + names, y + 4.0), &pair.name, LABEL, Ink::Text, Anchor::End, names);
        page.scene.text_in((page.right() - values, y + 4.0), &words(pair), SMALL, Ink::Text, Anchor::Start, values);
        let Some(ratio) = ratio(pair) else { continue };
        page.scene.line((x(1.0), y), (x(ratio), y), Ink::Muted, 3.0, None, "bell");
        if let Some((low, high)) = interval(pair) {
            page.scene.line((x(low), y), (x(high), y), Ink::Text, 1.2, None, "interval");
            for end in [low, high] {
                page.scene.line((x(end), y - 5.0), (x(end), y + 5.0), Ink::Text, 1.2, None, "interval-end");
            }
        }
        page.scene.shapes.push(Shape::Circle { at: (x(1.0), y), r: 5.0, fill: Some(Ink::Blue), line: None, class: "before" });
        page.scene.sign(3, (x(ratio), y), 5.0, Ink::Vermillion, "after");
    }
    page.y = bottom + 6.0;
    if dumbbell.rows.len() > rows.len() {
        page.note(format!("{} more rows are not shown.", dumbbell.rows.len() - rows.len()));
    }
}

/// `$1.20 → $3.84 (3.20×)`
fn words(pair: &Pair) -> String {
    let (before, after) = (units::value(pair.unit, pair.before), units::value(pair.unit, pair.after));
    match ratio(pair) {
        Some(r) => format!("{before} → {after} ({r:.2}×)"),
        None => format!("{before} → {after} (no ratio)"),
    }
}

fn scale(scene: &mut Scene, far: f64, x: &dyn Fn(f64) -> f64, (top, bottom): (f64, f64), width: f64) {
    let every = (2.0 * far * 44.0 / width).ceil().max(1.0);
    let mut power = -(far / every).floor() * every;
    while power <= far {
        let at = x(power.exp2());
        let label = if power < 0.0 { format!("1/{:.0}×", (-power).exp2()) } else { format!("{:.0}×", power.exp2()) };
        let ink = if power == 0.0 { Ink::Muted } else { Ink::Grid };
        scene.line((at, top), (at, bottom), ink, 1.0, None, "grid");
        scene.text((at, top - 5.0), &label, SMALL, Ink::Muted, Anchor::Middle);
        power += every;
    }
}
