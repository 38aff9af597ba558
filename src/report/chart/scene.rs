//! A picture as a list of shapes, in pixels from the upper left corner. Everything that is drawn goes through here, so that
//! SVG and PNG show the same.

use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::escape::terminal;

/// A point.
pub(super) type Point = (f64, f64);

/// The sizes of letters: title, labels, letters in cells and on scales.
pub(super) const TITLE: f64 = 15.0;
/// Labels.
pub(super) const LABEL: f64 = 12.0;
/// Scales and notes.
pub(super) const SMALL: f64 = 11.0;

/// Dashes and the gaps between them.
pub(super) type Dash = Option<(f64, f64)>;

/// Where a text stands beside its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A shape. `class` says what it stands for: pages can style it, tests can count it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// A filled area, with a border where `line` says so.
    Area { points: Vec<Point>, fill: Option<Ink>, line: Option<Ink>, class: &'static str, tip: String },
    /// A rectangle.
    Rect { at: Point, size: Point, fill: Option<Ink>, line: Option<Ink>, class: &'static str, tip: String },
    /// A circle.
    Circle { at: Point, r: f64, fill: Option<Ink>, line: Option<Ink>, class: &'static str },
    /// A line.
    Path { points: Vec<Point>, ink: Ink, width: f64, dash: Dash, class: &'static str },
    /// A text on its base line.
    Text { at: Point, text: String, size: f64, ink: Ink, anchor: Anchor },
}

/// The picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    /// Pixels from left to right.
    pub(super) width: f64,
    /// Pixels from top to bottom.
    pub(super) height: f64,
    /// What is drawn, from back to front.
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    /// A text in one line. It never does anything but stand there: escape sequences go, what is invisible or turns the
    /// direction of text becomes visible.
    pub(super) fn text(&mut self, at: Point, text: &str, size: f64, ink: Ink, anchor: Anchor) {
        self.text_in(at, text, size, ink, anchor, f64::INFINITY);
    }

    /// The same in at most so many pixels; says how many it took.
    pub(super) fn text_in(&mut self, at: Point, text: &str, size: f64, ink: Ink, anchor: Anchor, most: f64) -> f64 {
        let text = terminal(text);
        let text = font::fit(&text, size, most);
        let width = font::width(&text, size);
        self.shapes.push(Shape::Text { at, text: text.into_owned(), size, ink, anchor });
        width
    }

    pub(super) fn rect(&mut self, at: Point, size: Point, fill: Ink, class: &'static str, tip: String) {
        self.shapes.push(Shape::Rect { at, size, fill: Some(fill), line: None, class, tip });
    }

    pub(super) fn outline(&mut self, at: Point, size: Point, line: Ink, class: &'static str, tip: String) {
        self.shapes.push(Shape::Rect { at, size, fill: None, line: Some(line), class, tip });
    }

    pub(super) fn line(&mut self, from: Point, to: Point, ink: Ink, width: f64, dash: Dash, class: &'static str) {
        self.shapes.push(Shape::Path { points: vec![from, to], ink, width, dash, class });
    }

    /// Slanted lines over a rectangle: a second sign beside its colour.
    pub(super) fn hatch(&mut self, (x, y): Point, (w, h): Point, ink: Ink) {
        const EVERY: f64 = 7.0;
        let mut start = x - h + EVERY;
        while start < x + w {
            // From the lower left upwards to the right, cut off at the sides.
            let (mut a, mut b) = ((start, y + h), (start + h, y));
            if a.0 < x {
                a = (x, y + h - (x - start));
            }
            if b.0 > x + w {
                b = (x + w, y + (start + h - x - w));
            }
            self.line(a, b, ink, 1.0, None, "hatch");
            start += EVERY;
        }
    }

    /// One of few signs that can be told apart without colour, about `2 * r` pixels large.
    pub(super) fn sign(&mut self, kind: usize, (x, y): Point, r: f64, ink: Ink, class: &'static str) {
        let area = |points: Vec<Point>| Shape::Area { points, fill: Some(ink), line: None, class, tip: String::new() };
        let shape = match kind % 5 {
            0 => Shape::Circle { at: (x, y), r, fill: Some(ink), line: None, class },
            1 => area(vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]),
            2 => area(vec![(x, y - 1.2 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)]),
            3 => area(vec![(x, y - 1.4 * r), (x + 1.4 * r, y), (x, y + 1.4 * r), (x - 1.4 * r, y)]),
            _ => area(vec![(x - 1.2 * r, y - r), (x + 1.2 * r, y - r), (x, y + 1.2 * r)]),
        };
        self.shapes.push(shape);
    }
}
