//! plotters draws into a scene. Its coordinates are whole numbers, so it works on a ground ten times as large.

use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, Dash, Point, Scene, Shape};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use std::convert::Infallible;

/// Steps of plotters in a pixel.
pub(super) const FINE: f64 = 10.0;

/// A back-end of plotters that writes into a scene.
pub(super) struct Recorder<'a> {
    scene: &'a mut Scene,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl<'a> Recorder<'a> {
    /// Writes behind what the scene has.
    pub(super) fn new(scene: &'a mut Scene) -> Self {
        Self { scene }
    }
}

/// Pixels in plotters' steps.
#[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
pub(super) fn fine(pixels: f64) -> i32 {
    (pixels * FINE).round() as i32
}

/// The same for lengths.
pub(super) fn length(pixels: f64) -> u32 {
    u32::try_from(fine(pixels)).unwrap_or(0)
}

/// plotters' steps in pixels.
pub(super) fn coarse((x, y): BackendCoord) -> Point {
    (f64::from(x) / FINE, f64::from(y) / FINE)
}

impl DrawingBackend for Recorder<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (length(self.scene.width), length(self.scene.height))
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        let ink = Ink::of_token(style.color().rgb);
        let class = if ink == Ink::Grid { "grid" } else { "axis" };
        let points = path.into_iter().map(coarse).collect();
        self.scene.shapes.push(Shape::Path { points, ink, width: 1.0, dash: None, class });
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let size = style.size() / FINE;
        let (x, y) = coarse(at);
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        // Digits and capitals are about three quarters of an em high.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.75,
            VPos::Center => 0.36,
            VPos::Bottom => 0.0,
        };
        self.scene.text((x, y + down * size), text, size, Ink::of_token(style.color().rgb), anchor);
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((length(font::width(text, style.size() / FINE)), length(style.size() / FINE)))
    }
}

/// A curve as an element of plotters: its own would lose the dashes and draw each as a line.
pub(super) struct Curve {
    /// In the units of the scales.
    pub(super) points: Vec<Point>,
    /// Its colour.
    pub(super) ink: Ink,
    /// Pixels.
    pub(super) width: f64,
    /// Its dashes.
    pub(super) dash: Dash,
    /// What it stands for.
    pub(super) class: &'static str,
}

impl<'a> PointCollection<'a, Point> for &'a Curve {
    type Point = &'a Point;
    type IntoIter = std::slice::Iter<'a, Point>;

    fn point_iter(self) -> Self::IntoIter {
        self.points.iter()
    }
}

impl Drawable<Recorder<'_>> for Curve {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, at: I, backend: &mut Recorder<'_>, _: (u32, u32)) -> Drawn {
        let points = at.map(coarse).collect();
        backend.scene.shapes.push(Shape::Path { points, ink: self.ink, width: self.width, dash: self.dash, class: self.class });
        Ok(())
    }
}
