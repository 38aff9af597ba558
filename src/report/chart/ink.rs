//! Colours by role. Data has the colours of Okabe and Ito ("Color Universal Design", 2008), in an order that begins with
//! those that can be told from white and from black alike.

use crate::report::chart::Theme;

/// A colour by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Letters.
    Text,
    /// Letters of less weight, axes.
    Muted,
    /// Grids.
    Grid,
    /// The ground.
    Paper,
    /// A red cell whose failure nothing else has.
    Once,
    /// Letters on a dark colour.
    White,
    /// Letters on a bright colour.
    Black,
    /// Data.
    Blue,
    /// Data.
    Vermillion,
    /// Data.
    Green,
    /// Data.
    Purple,
    /// Data.
    Orange,
    /// Data.
    Sky,
    /// Data.
    Yellow,
}

/// The colours of series, in their order.
pub(super) const SERIES: [Ink; 6] = [Ink::Blue, Ink::Vermillion, Ink::Green, Ink::Purple, Ink::Orange, Ink::Sky];
/// The colours of failures, in their order. Green is for what passed, and only for that.
pub(super) const FAILURES: [Ink; 6] = [Ink::Vermillion, Ink::Blue, Ink::Orange, Ink::Purple, Ink::Sky, Ink::Yellow];

const ALL: [Ink; 14] = [
    Ink::Text,
    Ink::Muted,
    Ink::Grid,
    Ink::Paper,
    Ink::Once,
    Ink::White,
    Ink::Black,
    Ink::Blue,
    Ink::Vermillion,
    Ink::Green,
    Ink::Purple,
    Ink::Orange,
    Ink::Sky,
    Ink::Yellow,
];

impl Ink {
    /// Red, green, blue, and how much of it covers the ground.
    pub(super) fn rgb(self, theme: Theme) -> ([u8; 3], f64) {
        let dark = theme == Theme::Dark;
        let text = if dark { [0xe8, 0xea, 0xed] } else { [0x1f, 0x23, 0x28] };
        match self {
            Self::Text => (text, 1.0),
            Self::Muted => (text, 0.7),
            Self::Grid => (text, 0.15),
            Self::Paper => (if dark { [0x16, 0x18, 0x1d] } else { [0xff; 3] }, 1.0),
            Self::Once => ([0x8c, 0x8c, 0x8c], 1.0),
            Self::White => ([0xff; 3], 1.0),
            Self::Black => ([0; 3], 1.0),
            Self::Blue => ([0x00, 0x72, 0xb2], 1.0),
            Self::Vermillion => ([0xd5, 0x5e, 0x00], 1.0),
            Self::Green => ([0x00, 0x9e, 0x73], 1.0),
            Self::Purple => ([0xcc, 0x79, 0xa7], 1.0),
            Self::Orange => ([0xe6, 0x9f, 0x00], 1.0),
            Self::Sky => ([0x56, 0xb4, 0xe9], 1.0),
            Self::Yellow => ([0xf0, 0xe4, 0x42], 1.0),
        }
    }

    /// Whether it is the page's own colour where the picture stands in one.
    pub(super) fn is_of_page(self) -> bool {
        matches!(self, Self::Text | Self::Muted | Self::Grid)
    }

    /// Black or white, whatever can be read on it.
    pub(super) fn letters(self) -> Self {
        if matches!(self, Self::Blue) { Self::White } else { Self::Black }
    }

    /// A colour that plotters carries from a style to the scene and that only the scene reads.
    pub(super) fn token(self) -> (u8, u8, u8) {
        let at = ALL.iter().position(|i| *i == self).and_then(|at| u8::try_from(at).ok()).unwrap_or(0);
        (0, 0, at)
    }

    /// The colour behind a token.
    pub(super) fn of_token(rgb: (u8, u8, u8)) -> Self {
        ALL.get(usize::from(rgb.2)).copied().unwrap_or(Self::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(rgb: [u8; 3]) -> f64 {
        let part = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(rgb[0]) + 0.7152 * part(rgb[1]) + 0.0722 * part(rgb[2])
    }

    fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn the_first_colours_of_series_can_be_told_from_both_grounds() {
        for ink in &SERIES[..4] {
            for theme in [Theme::Light, Theme::Dark] {
                let ratio = contrast(ink.rgb(theme).0, Ink::Paper.rgb(theme).0);
                assert!(ratio >= 3.0, "{ink:?} {theme:?}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn letters_can_be_read_on_every_colour() {
        for ink in FAILURES.iter().chain([&Ink::Green]) {
            let ratio = contrast(ink.rgb(Theme::Light).0, ink.letters().rgb(Theme::Light).0);
            assert!(ratio >= 4.5, "{ink:?}: {ratio:.2}");
        }
    }

    #[test]
    fn tokens_come_back() {
        for ink in ALL {
            assert_eq!(Ink::of_token(ink.token()), ink);
        }
    }
}
