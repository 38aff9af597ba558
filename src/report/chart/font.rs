//! The letters: a subset of DejaVu Sans (Latin, and the signs that test runners print), part of the program so that a
//! picture has letters on a machine without fonts. What it lacks is drawn as a box.

use ab_glyph::{Font, FontRef};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Made by `src/report/chart/font/subset.sh`; its licence lies beside it.
static BYTES: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");

/// The font.
pub(super) fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(BYTES).ok()).as_ref()
}

/// How wide a text is, in pixels. Browsers mostly use narrower letters, so that what fits here fits there.
pub(super) fn width(text: &str, size: f64) -> f64 {
    // What the font lacks may be a wide sign of another script where the reader's machine has it.
    const WIDE: f64 = 1.0;
    let Some(font) = font() else { return text.chars().map(|_| WIDE * size).sum() };
    let em = f64::from(font.units_per_em().unwrap_or(2048.0));
    text.chars()
        .map(|c| match font.glyph_id(c) {
            id if id.0 == 0 => WIDE * size,
            id => f64::from(font.h_advance_unscaled(id)) / em * size,
        })
        .sum()
}

/// A text that is no wider than `most` pixels: cut, with `…` at its end, where it is.
pub(super) fn fit(text: &str, size: f64, most: f64) -> Cow<'_, str> {
    if width(text, size) <= most {
        return Cow::Borrowed(text);
    }
    let mut left = most - width("…", size);
    let mut end = 0;
    let mut buffer = [0; 4];
    for (at, c) in text.char_indices() {
        left -= width(c.encode_utf8(&mut buffer), size);
        if left < 0.0 {
            break;
        }
        end = at + c.len_utf8();
    }
    let kept = text.get(..end).unwrap_or_default().trim_end();
    Cow::Owned(format!("{kept}…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subset_has_what_charts_write() {
        let font = font().expect("the font can be read");
        for c in "ABCxyz019 $%×…–✓✕✗→⏎≤≥≈·äéßłžŒ€".chars() {
            assert_ne!(font.glyph_id(c).0, 0, "{c}");
        }
    }

    #[test]
    fn widths_are_those_of_the_font() {
        // DejaVu Sans: digits are 1303 of 2048 units wide, an `i` 569.
        assert!((width("12", 20.48) - 26.06).abs() < 1e-3);
        assert!((width("i", 2048.0) - 569.0).abs() < 1e-3);
    }

    #[test]
    fn long_texts_are_cut_and_stay_within() {
        let long = "a-very-long-name-of-a-run-that-nobody-can-read-in-one-go";
        for most in [20.0, 80.0, 200.0] {
            let cut = fit(long, 11.0, most);
            assert!(cut.ends_with('…') && width(&cut, 11.0) <= most, "{cut}");
        }
        assert_eq!(fit("short", 11.0, 200.0), "short");
        assert_eq!(fit("日本語のテスト", 10.0, 45.0), "日本語…");
        assert_eq!(fit("abc", 11.0, 0.0), "…");
    }
}
