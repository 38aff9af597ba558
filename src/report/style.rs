//! The few colours of tables. A colour never says what the text does not.

use crate::diagnose::Health;
use anstyle::{AnsiColor, Style};

/// Whether and how text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Colours are written.
    pub on: bool,
}

impl Palette {
    /// `text` in a style.
    #[must_use]
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.on { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A heading.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// Something beside the point.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    /// A text in the colour of a health.
    #[must_use]
    pub fn health(self, health: Health, text: &str) -> String {
        self.paint(Style::new().fg_color(Some(colour(health).into())), text)
    }
}

/// The colour of a health.
#[must_use]
pub fn colour(health: Health) -> AnsiColor {
    match health {
        Health::Failing => AnsiColor::Red,
        Health::Inconclusive => AnsiColor::Yellow,
        Health::Healthy => AnsiColor::Green,
    }
}
