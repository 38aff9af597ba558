//! A scene as PNG. Shapes are drawn three times as large by plotters' bitmap back-end and scaled down, which makes smooth
//! edges; letters are set at their final size.

use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, Dash, Point, Scene, Shape};
use crate::report::chart::{ChartError, Theme, font};
use ab_glyph::{Font as _, PxScale, ScaleFont as _, point};
use plotters::backend::BitMapBackend;
use plotters::style::{Color as _, RGBAColor};
use plotters_backend::{DrawingBackend, DrawingErrorKind};

/// How many times as large shapes are drawn: less where a picture is so large that nobody sees its edges.
fn fineness(scene: &Scene) -> u32 {
    if scene.width * scene.height > 3e6 { 2 } else { 3 }
}

/// Pictures are not higher than this.
const MOST_HEIGHT: f64 = 8_000.0;

/// Writes a scene.
pub(super) fn write(scene: &Scene, theme: Theme) -> Result<Vec<u8>, ChartError> {
    let (width, height) = (pixels(scene.width), pixels(scene.height.min(MOST_HEIGHT)));
    let mut picture = shapes(scene, theme, width, height)?;
    for shape in &scene.shapes {
        if let Shape::Text { at, text, size, ink, anchor } = shape {
            letters(&mut picture, (width, height), *at, text, *size, ink.rgb(theme), *anchor);
        }
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&picture)?;
    Ok(out)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn pixels(n: f64) -> u32 {
    n.ceil().max(1.0) as u32
}

fn shapes(scene: &Scene, theme: Theme, width: u32, height: u32) -> Result<Vec<u8>, ChartError> {
    let fine = fineness(scene);
    let (w, h) = (width * fine, height * fine);
    let paper = Ink::Paper.rgb(theme).0;
    let row: Vec<u8> = paper.repeat(w as usize);
    let mut large = row.repeat(h as usize);
    {
        let mut canvas = Canvas { back: BitMapBackend::with_buffer(&mut large, (w, h)), scale: f64::from(fine), theme };
        for shape in &scene.shapes {
            canvas.draw(shape).map_err(|e| ChartError::Draw(e.to_string()))?;
        }
        canvas.back.present().map_err(|e| ChartError::Draw(e.to_string()))?;
    }
    Ok(smaller(&large, w as usize, fine as usize))
}

/// Each pixel is the mean of those that it replaces.
fn smaller(large: &[u8], width: usize, fine: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(large.len() / (fine * fine));
    let mut sums = vec![[0_u32; 3]; width / fine];
    let area = u32::try_from(fine * fine).unwrap_or(1);
    for rows in large.chunks_exact(width * 3 * fine) {
        sums.fill([0; 3]);
        for row in rows.chunks_exact(width * 3) {
            for (sum, part) in sums.iter_mut().zip(row.chunks_exact(3 * fine)) {
                for pixel in part.chunks_exact(3) {
                    for (s, p) in sum.iter_mut().zip(pixel) {
                        *s += u32::from(*p);
                    }
                }
            }
        }
        out.extend(sums.iter().flatten().map(|s| u8::try_from((s + area / 2) / area).unwrap_or(u8::MAX)));
    }
    out
}

struct Canvas<'a> {
    back: BitMapBackend<'a>,
    scale: f64,
    theme: Theme,
}

type Drawn<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> Canvas<'a> {
    fn draw(&mut self, shape: &Shape) -> Drawn<'a> {
        match shape {
            Shape::Rect { at, size, fill, line, .. } => {
                let (a, b) = (*at, (at.0 + size.0, at.1 + size.1));
                self.area(&[a, (b.0, a.1), b, (a.0, b.1)], *fill, *line)
            }
            Shape::Area { points, fill, line, .. } => self.area(points, *fill, *line),
            Shape::Circle { at, r, fill, line, .. } => {
                let round: Vec<Point> = (0..40)
                    .map(|k| f64::from(k) / 40.0 * std::f64::consts::TAU)
                    .map(|turn| (at.0 + r * turn.cos(), at.1 + r * turn.sin()))
                    .collect();
                self.area(&round, *fill, *line)
            }
            Shape::Path { points, ink, width, dash, .. } => self.path(points, *ink, *width, *dash),
            Shape::Text { .. } => Ok(()),
        }
    }

    fn area(&mut self, points: &[Point], fill: Option<Ink>, line: Option<Ink>) -> Drawn<'a> {
        if let Some(ink) = fill {
            let colour = self.colour(ink);
            match points {
                // plotters fills rectangles to the pixel, other areas by their edges.
                [a, b, c, d] if a.1 == b.1 && b.0 == c.0 && c.1 == d.1 && d.0 == a.0 => {
                    let (low, high) = (self.at(*a), self.at(*c));
                    if high.0 > low.0 && high.1 > low.1 {
                        self.back.draw_rect(low, (high.0 - 1, high.1 - 1), &colour.filled(), true)?;
                    }
                }
                _ => self.back.fill_polygon(points.iter().map(|p| self.at(*p)).collect::<Vec<_>>(), &colour)?,
            }
        }
        if let Some(ink) = line {
            let closed: Vec<Point> = points.iter().chain(points.first()).copied().collect();
            self.path(&closed, ink, 1.0, None)?;
        }
        Ok(())
    }

    fn path(&mut self, points: &[Point], ink: Ink, width: f64, dash: Dash) -> Drawn<'a> {
        let style = self.colour(ink).stroke_width(pixels((width * self.scale).round()));
        for part in dashes(points, dash) {
            let mut at: Vec<(i32, i32)> = part.iter().map(|p| self.at(*p)).collect();
            // Points on top of each other have no direction, and plotters asks for one.
            at.dedup();
            if at.len() == 2 {
                self.back.draw_path(at, &style)?;
                continue;
            }
            // One by one: the corners that plotters makes of sharp turns reach far beyond the turn.
            let round = i32::try_from(style.stroke_width / 2).unwrap_or(0);
            for pair in at.windows(2) {
                self.back.draw_path(pair.iter().copied(), &style)?;
                if round > 1 && ink.rgb(self.theme).1 >= 1.0 {
                    self.back.draw_circle(pair[1], round.unsigned_abs(), &self.colour(ink).filled(), true)?;
                }
            }
        }
        Ok(())
    }

    fn colour(&self, ink: Ink) -> RGBAColor {
        let ([r, g, b], cover) = ink.rgb(self.theme);
        RGBAColor(r, g, b, cover)
    }

    #[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
    fn at(&self, (x, y): Point) -> (i32, i32) {
        // Far outside nothing is seen; without the bound, lines there would be followed pixel by pixel.
        let to = |n: f64| (n * self.scale).round().clamp(-20_000.0, 40_000.0) as i32;
        (to(x), to(y))
    }
}

/// The parts of a line that are drawn.
fn dashes(points: &[Point], dash: Dash) -> Vec<Vec<Point>> {
    let Some((on, off)) = dash.filter(|(on, off)| *on > 0.0 && *off > 0.0) else { return vec![points.to_vec()] };
    let mut parts = Vec::new();
    let mut current: Vec<Point> = points.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, on);
    for pair in points.windows(2) {
        let [mut from, to] = *pair else { continue };
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length.is_nan() || length <= left {
                left -= length.max(0.0);
                if drawing {
                    current.push(to);
                }
                break;
            }
            from = (from.0 + (to.0 - from.0) * left / length, from.1 + (to.1 - from.1) * left / length);
            if drawing {
                current.push(from);
                parts.push(std::mem::take(&mut current));
            } else {
                current = vec![from];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
    }
    if drawing {
        parts.push(current);
    }
    parts
}

/// Sets a text. plotters' own way drops the space beside each letter, which makes small texts uneven.
fn letters(
    picture: &mut [u8],
    (width, height): (u32, u32),
    at: Point,
    text: &str,
    size: f64,
    (rgb, cover): ([u8; 3], f64),
    anchor: Anchor,
) {
    let Some(font) = font::font() else { return };
    let shift = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => font::width(text, size) / 2.0,
        Anchor::End => font::width(text, size),
    };
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a picture")]
    let (mut x, y, size) = ((at.0 - shift) as f32, at.1 as f32, size as f32);
    // The font's scale counts from its highest to its lowest letter, ours counts ems.
    let scale = PxScale::from(size * font.height_unscaled() / font.units_per_em().unwrap_or(2048.0));
    for c in text.chars() {
        let id = font.glyph_id(c);
        if let Some(outline) = font.outline_glyph(id.with_scale_and_position(scale, point(x, y))) {
            let bounds = outline.px_bounds();
            outline.draw(|dx, dy, part| {
                #[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
                let (px, py) = (bounds.min.x as i64 + i64::from(dx), bounds.min.y as i64 + i64::from(dy));
                if (0..i64::from(width)).contains(&px) && (0..i64::from(height)).contains(&py) {
                    let first = usize::try_from((py * i64::from(width) + px) * 3).unwrap_or(usize::MAX);
                    if let Some(pixel) = first.checked_add(3).and_then(|end| picture.get_mut(first..end)) {
                        blend(pixel, rgb, f64::from(part) * cover);
                    }
                }
            });
        }
        x += font.as_scaled(scale).h_advance(id);
    }
}

fn blend(pixel: &mut [u8], rgb: [u8; 3], cover: f64) {
    for (p, c) in pixel.iter_mut().zip(rgb) {
        let mixed = f64::from(*p) + (f64::from(c) - f64::from(*p)) * cover.clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
        let byte = mixed.round() as u8;
        *p = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_as_long_as_asked() {
        // 25 pixels around a corner, 10 on and 5 off: 0 to 10 and 15 to 25.
        let parts = dashes(&[(0.0, 0.0), (20.0, 0.0), (20.0, 5.0)], Some((10.0, 5.0)));
        assert_eq!(parts, [vec![(0.0, 0.0), (10.0, 0.0)], vec![(15.0, 0.0), (20.0, 0.0), (20.0, 5.0)]]);
    }

    #[test]
    fn nine_pixels_become_their_mean() {
        let mut large = vec![0_u8; 27];
        large[..3].copy_from_slice(&[90, 9, 255]);
        assert_eq!(smaller(&large, 3, 3), [10, 1, 28]);
    }
}
