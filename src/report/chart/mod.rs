//! Charts: [`spec`] says what is shown, `draw` lays it out as a scene of few kinds of shapes, and two writers make a
//! picture of the scene: [`svg()`] and [`png()`]. What is right in one is right in the other.
//!
//! Line charts take their coordinates, grids and labels from plotters, which draws into the scene like into any other of
//! its back-ends. Its own SVG back-end is not used: it knows whole pixels and fixed colours only, and lets through control
//! characters that make a file unreadable. Strips, bars and timelines are laid out here.
//!
//! A picture needs no style sheet, no script, no font and nothing from elsewhere. Colours are those of Okabe and Ito, and
//! never alone: a letter, a shape, a dash or a height says the same.

mod draw;
mod font;
mod ink;
mod png;
mod recorder;
pub mod runs;
mod scene;
pub mod spec;
mod svg;
#[cfg(test)]
mod tests;
mod thin;
mod units;

use spec::Chart;

/// For whom a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// On white.
    #[default]
    Light,
    /// On black.
    Dark,
    /// For an SVG inside a page: no ground, and texts and axes in the page's own colour (`currentColor`), so that one
    /// picture is right in light and dark. The colours of data can be told from both. As PNG the same as [`Theme::Light`].
    Page,
}

/// How large a picture is, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Pixels from left to right, taken to be between 320 and 4000. The height follows from what is shown.
    pub width: u32,
    /// For whom.
    pub theme: Theme,
}

impl Default for Frame {
    fn default() -> Self {
        Self { width: 800, theme: Theme::Light }
    }
}

impl Frame {
    fn width(self) -> f64 {
        f64::from(self.width.clamp(320, 4000))
    }
}

/// Why a chart could not become a PNG.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The picture could not be drawn.
    #[error("a chart cannot be drawn: {0}")]
    Draw(String),
    /// The picture could not be encoded.
    #[error("a picture cannot be encoded: {0}")]
    Encode(#[from] ::png::EncodingError),
}

/// A chart as SVG: one element without an XML declaration, so that it can stand in a page as well as in a file.
#[must_use]
pub fn svg(chart: &Chart, frame: &Frame) -> String {
    svg::write(&draw::scene(chart, frame.width()), chart, frame.theme)
}

/// A chart as PNG.
///
/// # Errors
/// Where the picture cannot be drawn or encoded.
pub fn png(chart: &Chart, frame: &Frame) -> Result<Vec<u8>, ChartError> {
    png::write(&draw::scene(chart, frame.width()), frame.theme)
}
