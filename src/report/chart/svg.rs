//! A scene as SVG: shapes with attributes, nothing else. The same scene gives the same bytes.

use crate::report::chart::Theme;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, Point, Scene, Shape};
use crate::report::chart::spec::Chart;
use crate::report::escape::terminal;
use std::fmt::Write as _;

/// The embedded font first; then what is at least as narrow on most machines.
const FONT: &str = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif";

/// Writes a scene.
pub(super) fn write(scene: &Scene, chart: &Chart, theme: Theme) -> String {
    let mut out = String::with_capacity(256 * scene.shapes.len() + 1024);
    let (w, h) = (number(scene.width), number(scene.height));
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" class="chart" width="{w}" height="{h}" viewBox="0 0 {w} {h}" font-family="{FONT}">"#
    );
    let _ = writeln!(out, "<title>{}</title>\n<desc>{}</desc>", xml(&chart.title), xml(&chart.description));
    if theme != Theme::Page {
        let _ = writeln!(out, r#"<rect width="{w}" height="{h}"{}/>"#, paint("fill", Some(Ink::Paper), theme));
    }
    for shape in &scene.shapes {
        write_shape(shape, theme, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn write_shape(shape: &Shape, theme: Theme, out: &mut String) {
    let _ = match shape {
        Shape::Area { points, fill, line, class, tip } => {
            let style = format!("{}{}", paint("fill", *fill, theme), stroke(*line, theme));
            element(out, "polygon", &format!(r#"class="{class}" points="{}"{style}"#, list(points)), tip)
        }
        Shape::Rect { at, size, fill, line, class, tip } => {
            let place = format!(
                r#"class="{class}" x="{}" y="{}" width="{}" height="{}""#,
                number(at.0),
                number(at.1),
                number(size.0.max(0.0)),
                number(size.1.max(0.0))
            );
            element(out, "rect", &format!("{place}{}{}", paint("fill", *fill, theme), stroke(*line, theme)), tip)
        }
        Shape::Circle { at, r, fill, line, class } => {
            let place = format!(r#"class="{class}" cx="{}" cy="{}" r="{}""#, number(at.0), number(at.1), number(*r));
            element(out, "circle", &format!("{place}{}{}", paint("fill", *fill, theme), stroke(*line, theme)), "")
        }
        Shape::Path { points, ink, width, dash, class } => {
            let dash = dash.map(|(on, off)| format!(r#" stroke-dasharray="{} {}""#, number(on), number(off))).unwrap_or_default();
            let place = format!(r#"class="{class}" points="{}" fill="none"{}"#, list(points), paint("stroke", Some(*ink), theme));
            element(out, "polyline", &format!(r#"{place} stroke-width="{}"{dash}"#, number(*width)), "")
        }
        Shape::Text { at, text, size, ink, anchor } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => r#" text-anchor="middle""#,
                Anchor::End => r#" text-anchor="end""#,
            };
            let place = format!(r#"x="{}" y="{}" font-size="{}"{anchor}"#, number(at.0), number(at.1), number(*size));
            writeln!(out, "<text {place}{}>{}</text>", paint("fill", Some(*ink), theme), xml(text))
        }
    };
}

fn element(out: &mut String, name: &str, attributes: &str, tip: &str) -> std::fmt::Result {
    if tip.is_empty() {
        writeln!(out, "<{name} {attributes}/>")
    } else {
        writeln!(out, "<{name} {attributes}><title>{}</title></{name}>", xml(tip))
    }
}

fn stroke(line: Option<Ink>, theme: Theme) -> String {
    line.map_or_else(String::new, |ink| format!(r#"{} stroke-width="1""#, paint("stroke", Some(ink), theme)))
}

/// A colour as an attribute. In a page, texts and axes have the page's own.
fn paint(what: &str, ink: Option<Ink>, theme: Theme) -> String {
    let Some(ink) = ink else { return format!(r#" {what}="none""#) };
    let ([r, g, b], cover) = ink.rgb(theme);
    let colour = if theme == Theme::Page && ink.is_of_page() { "currentColor".to_owned() } else { format!("#{r:02x}{g:02x}{b:02x}") };
    let cover = if cover < 1.0 { format!(r#" {what}-opacity="{cover:.2}""#) } else { String::new() };
    format!(r#" {what}="{colour}"{cover}"#)
}

/// A tenth of a pixel is finer than anyone sees, and the same digits on every machine.
fn number(n: f64) -> String {
    let text = format!("{n:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn list(points: &[Point]) -> String {
    let mut out = String::with_capacity(points.len() * 12);
    for (k, (x, y)) in points.iter().enumerate() {
        let _ = write!(out, "{}{},{}", if k == 0 { "" } else { " " }, number(*x), number(*y));
    }
    out
}

/// Any text as the content of an element: without what XML 1.0 does not allow at all, and without what it would obey.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in terminal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_fixed_digits() {
        assert_eq!([0.04, -0.04, 1.0, 2.25, 799.96].map(number), ["0", "0", "1", "2.2", "800"]);
    }

    #[test]
    fn texts_are_inert() {
        assert_eq!(xml("<script>&\"'\u{1b}[31mred\u{202e}\u{ffff}\u{0}"), "&lt;script&gt;&amp;&quot;&#39;red\\u{202e}\\u{ffff}\\x00");
    }
}
