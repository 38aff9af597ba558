//! Bars from the largest to the smallest, and beside them how much of the whole they are together.

use crate::report::chart::draw::page::{MARGIN, Page};
use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, LABEL, Point, SMALL, Shape};
use crate::report::chart::spec::Pareto;
use crate::report::chart::units;
use crate::report::escape::terminal;

/// Bars that are drawn; the rest is one.
const BARS: usize = 20;
const ROW: f64 = 28.0;

/// Draws a Pareto chart.
pub(super) fn draw(pareto: &Pareto, page: &mut Page) {
    let fit = |v: f64| v.is_finite() && v >= 0.0;
    let bad = pareto.bars.iter().filter(|b| !fit(b.1)).count();
    if bad > 0 {
        page.note(format!("Not shown, because no sizes: {bad} of the values."));
    }
    let mut bars: Vec<(String, f64, u32)> = pareto.bars.iter().filter(|b| fit(b.1)).cloned().collect();
    bars.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f64 = bars.iter().map(|b| b.1).sum();
    if total <= 0.0 || !total.is_finite() {
        page.nothing("nothing was wasted, as far as is known");
        return;
    }
    if bars.len() > BARS {
        let rest = bars.split_off(BARS - 1);
        let (sum, runs) = rest.iter().fold((0.0, 0), |(s, n), b| (s + b.1, n + b.2));
        bars.push((format!("{} others", rest.len()), sum, runs));
    }
    let room = page.scene.width - 2.0 * MARGIN;
    let words = |(_, v, runs): &(String, f64, u32)| {
        let runs = if *runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
        format!("{} · {runs}", units::value(pareto.unit, *v))
    };
    let names = bars.iter().map(|b| font::width(&terminal(&b.0), LABEL)).fold(0.0, f64::max).min(room * 0.3);
    let values = bars.iter().map(|b| font::width(&words(b), SMALL)).fold(0.0, f64::max);
    let shares = (room * 0.24).max(90.0);
    let left = MARGIN + names + 10.0;
    let longest = (room - names - 10.0 - values - 8.0 - shares - 24.0).max(20.0);
    let (share_left, share_right) = (page.right() - shares + 16.0, page.right() - 16.0);
    let top = page.y + 20.0;
    page.scene.text_in(((share_left + share_right) / 2.0, page.y + 2.0), "cumulated share", SMALL, Ink::Muted, Anchor::Middle, shares);
    let bottom = top + ROW * f64::from(u32::try_from(bars.len()).unwrap_or(0));
    for (part, label) in [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")] {
        let x = share_left + part * (share_right - share_left);
        page.scene.line((x, top), (x, bottom), Ink::Grid, 1.0, None, "grid");
        if part != 0.5 || shares > 150.0 {
            page.scene.text((x, top - 4.0), label, SMALL, Ink::Muted, Anchor::Middle);
        }
    }
    // Not the first where the others together are more.
    let largest = bars.iter().map(|b| b.1).fold(0.0, f64::max);
    let mut sum = 0.0;
    let mut curve: Vec<Point> = Vec::new();
    for (k, bar) in bars.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most 20 rows")]
        let y = top + ROW * k as f64;
        let length = bar.1 / largest * longest;
        page.scene.text_in((left - 10.0, y + 18.0), &bar.0, LABEL, Ink::Text, Anchor::End, names);
        page.scene.rect((left, y + 5.0), (length.max(1.0), ROW - 10.0), Ink::Vermillion, "bar", format!("{}: {}", bar.0, words(bar)));
        page.scene.text((left + length + 8.0, y + 18.0), &words(bar), SMALL, Ink::Text, Anchor::Start);
        sum += bar.1;
        curve.push((share_left + (sum / total).min(1.0) * (share_right - share_left), y + ROW / 2.0));
    }
    page.scene.line((left, top), (left, bottom), Ink::Muted, 1.0, None, "axis");
    page.scene.shapes.push(Shape::Path { points: curve.clone(), ink: Ink::Blue, width: 2.0, dash: Some((7.0, 4.0)), class: "share" });
    for at in curve {
        page.scene.sign(0, at, 3.5, Ink::Blue, "share-sign");
    }
    page.y = bottom + 6.0;
}
