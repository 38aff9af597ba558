//! What all charts have: a title above, a legend, and notes below. It grows from top to bottom.

use crate::report::chart::draw::cell;
use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, Dash, LABEL, SMALL, Scene, TITLE};
use crate::report::chart::spec::Cell;

/// Pixels that stay free at the edges.
pub(super) const MARGIN: f64 = 14.0;
/// Pixels of a line of notes or of the legend.
const LINE: f64 = 18.0;

/// What stands before an entry of the legend.
pub(super) enum Swatch {
    /// A curve: colour, width, dashes, sign.
    Curve(Ink, Dash, Option<usize>),
    /// A sign.
    Sign(usize, Ink),
    /// A cell.
    Cell(Cell),
    /// A red cell of a failure that is seen once.
    Once,
    /// A hatched area.
    Hatch(Ink),
}

/// A picture that is being laid out.
pub(super) struct Page {
    /// The picture.
    pub(super) scene: Scene,
    /// What is above this is taken.
    pub(super) y: f64,
    notes: Vec<String>,
}

impl Page {
    /// With a title.
    pub(super) fn new(title: &str, width: f64) -> Self {
        let mut scene = Scene { width, ..Scene::default() };
        scene.text_in((MARGIN, 25.0), title, TITLE, Ink::Text, Anchor::Start, width - 2.0 * MARGIN);
        Self { scene, y: 36.0, notes: Vec::new() }
    }

    /// The right edge of what can be drawn on.
    pub(super) fn right(&self) -> f64 {
        self.scene.width - MARGIN
    }

    /// Says something below the picture.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Says in place of the picture why there is none.
    pub(super) fn nothing(&mut self, why: &str) {
        let (width, y) = (self.scene.width - 2.0 * MARGIN, self.y);
        self.scene.outline((MARGIN, y), (width, 80.0), Ink::Grid, "nothing", String::new());
        self.scene.text_in((self.scene.width / 2.0, y + 44.0), why, LABEL, Ink::Muted, Anchor::Middle, width - 20.0);
        self.y += 90.0;
    }

    /// Entries side by side, in as many lines as they need.
    pub(super) fn legend(&mut self, entries: Vec<(Swatch, String)>) {
        const SWATCH: f64 = 34.0;
        let (left, right) = (MARGIN, self.right());
        let mut x = left;
        let any = !entries.is_empty();
        for (swatch, name) in entries {
            let name = crate::report::escape::terminal(&name).into_owned();
            let wide = SWATCH + font::width(&name, SMALL) + 18.0;
            if x > left && x + wide - 18.0 > right {
                x = left;
                self.y += LINE;
            }
            let middle = self.y + LINE / 2.0;
            match swatch {
                Swatch::Curve(ink, dash, sign) => {
                    self.scene.line((x, middle), (x + 26.0, middle), ink, 2.0, dash, "key");
                    if let Some(sign) = sign {
                        self.scene.sign(sign, (x + 13.0, middle), 3.5, ink, "key");
                    }
                }
                Swatch::Sign(sign, ink) => self.scene.sign(sign, (x + 20.0, middle), 4.5, ink, "key"),
                Swatch::Cell(c) => cell::draw(&mut self.scene, (x + 8.0, middle - 7.5), (18.0, 15.0), c, "key", String::new()),
                Swatch::Once => cell::draw_once(&mut self.scene, (x + 8.0, middle - 7.5), (18.0, 15.0), "key", String::new()),
                Swatch::Hatch(ink) => {
                    self.scene.outline((x, middle - 6.0), (26.0, 12.0), ink, "key", String::new());
                    self.scene.hatch((x, middle - 6.0), (26.0, 12.0), ink);
                }
            }
            self.scene.text_in((x + SWATCH, middle + 4.0), &name, SMALL, Ink::Text, Anchor::Start, right - x - SWATCH);
            x += wide;
        }
        if any {
            self.y += LINE + 4.0;
        }
    }

    /// With its notes.
    pub(super) fn finish(mut self) -> Scene {
        let most = self.scene.width - 2.0 * MARGIN;
        for note in std::mem::take(&mut self.notes) {
            for line in wrapped(&note, most) {
                self.scene.text_in((MARGIN, self.y + 13.0), &line, SMALL, Ink::Muted, Anchor::Start, most);
                self.y += LINE - 2.0;
            }
        }
        self.scene.height = (self.y + 10.0).ceil();
        self.scene
    }
}

/// A text in lines of at most so many pixels.
fn wrapped(text: &str, most: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        if let Some(line) = lines.last_mut() {
            if line.is_empty() {
                line.push_str(word);
                continue;
            }
            if font::width(line, SMALL) + font::width(" ", SMALL) + font::width(word, SMALL) <= most {
                line.push(' ');
                line.push_str(word);
                continue;
            }
        }
        lines.push(word.to_owned());
    }
    lines
}
