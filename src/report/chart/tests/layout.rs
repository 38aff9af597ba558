//! What holds for every picture: nothing leaves it, and no text touches another.

use crate::report::chart::draw::scene;
use crate::report::chart::font;
use crate::report::chart::scene::{Anchor, Point, Scene, Shape};
use crate::report::chart::tests::gallery;

const WIDTHS: [f64; 3] = [320.0, 480.0, 800.0];

struct Text<'a> {
    text: &'a str,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

fn texts(scene: &Scene) -> Vec<Text<'_>> {
    scene
        .shapes
        .iter()
        .filter_map(|shape| {
            let Shape::Text { at, text, size, anchor, .. } = shape else { return None };
            let width = font::width(text, *size);
            let left = match anchor {
                Anchor::Start => at.0,
                Anchor::Middle => at.0 - width / 2.0,
                Anchor::End => at.0 - width,
            };
            // What digits and capitals cover, without what hangs below the line.
            Some(Text { text, left, right: left + width, top: at.1 - 0.73 * size, bottom: at.1 })
        })
        .collect()
}

fn points(shape: &Shape) -> Vec<Point> {
    match shape {
        Shape::Area { points, .. } | Shape::Path { points, .. } => points.clone(),
        Shape::Rect { at, size, .. } => vec![*at, (at.0 + size.0, at.1 + size.1)],
        Shape::Circle { at, r, .. } => vec![(at.0 - r, at.1 - r), (at.0 + r, at.1 + r)],
        Shape::Text { .. } => Vec::new(),
    }
}

#[test]
fn nothing_leaves_the_picture() {
    for width in WIDTHS {
        for chart in gallery() {
            let scene = scene(&chart, width);
            for text in texts(&scene) {
                let inside = text.left >= 0.0 && text.right <= scene.width && text.top >= 0.0 && text.bottom <= scene.height;
                assert!(
                    inside,
                    "{} at {width}: `{}` {:.1} to {:.1}, {:.1} to {:.1}",
                    chart.id, text.text, text.left, text.right, text.top, text.bottom
                );
            }
            for shape in &scene.shapes {
                for (x, y) in points(shape) {
                    let inside = (-0.1..=scene.width + 0.1).contains(&x) && (-0.1..=scene.height + 0.1).contains(&y);
                    assert!(inside, "{} at {width}: ({x}, {y}) of {shape:?}", chart.id);
                }
            }
        }
    }
}

#[test]
fn no_text_touches_another() {
    for width in WIDTHS {
        for chart in gallery() {
            let scene = scene(&chart, width);
            let mut texts = texts(&scene);
            texts.sort_by(|a, b| a.left.total_cmp(&b.left));
            for (k, a) in texts.iter().enumerate() {
                for b in texts[k + 1..].iter().take_while(|b| b.left < a.right) {
                    let apart = a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
                    assert!(apart, "{} at {width}: `{}` and `{}`", chart.id, a.text, b.text);
                }
            }
        }
    }
}

#[test]
fn huge_data_stays_small() {
    for chart in gallery() {
        let shapes = scene(&chart, 800.0).shapes;
        let points: usize = shapes.iter().map(|s| points(s).len()).sum();
        assert!(shapes.len() < 16_000 && points < 60_000, "{}: {} shapes, {points} points", chart.id, shapes.len());
    }
}
