//! Curves over a common x. Scales and grid are plotters'.

use crate::report::chart::draw::page::{MARGIN, Page, Swatch};
use crate::report::chart::font;
use crate::report::chart::ink::{Ink, SERIES};
use crate::report::chart::recorder::{Curve, Recorder, coarse, fine, length};
use crate::report::chart::scene::{Anchor, Dash, Point, SMALL, Scene};
use crate::report::chart::spec::{Event, Lines, Series, Stroke, Unit};
use crate::report::chart::thin::{clean, thin};
use crate::report::chart::units::{self, Ticks};
use plotters::chart::ChartBuilder;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::drawing::IntoDrawingArea as _;
use plotters::style::{Color as _, IntoFont as _, IntoTextStyle as _, RGBColor};

/// Signs of a curve at most.
const SIGNS: usize = 9;
/// Kinds of events that have their own sign.
const KINDS: usize = 4;
/// Levels that are named in the picture.
const NAMED: usize = 6;
/// With more events only their signs are drawn, without lines through the picture.
const LINED: usize = 60;
/// A level that is more than this many times above the data would press it flat: it is only named.
const FAR: f64 = 3.0;

/// Draws curves.
pub(super) fn draw(lines: &Lines, page: &mut Page) {
    let mut dropped = 0;
    let data: Vec<(usize, &Series, Vec<Point>)> = lines
        .series
        .iter()
        .enumerate()
        .map(|(k, series)| {
            let (points, bad) = clean(&series.points);
            dropped += bad;
            (k, series, points)
        })
        .filter(|(_, _, points)| !points.is_empty())
        .collect();
    if dropped > 0 {
        page.note(format!("Not shown, because not finite: {dropped} of the values."));
    }
    let all = || data.iter().flat_map(|(_, _, points)| points.iter());
    let events: Vec<&Event> = lines.events.iter().filter(|e| e.x.is_finite()).collect();
    if data.is_empty() {
        page.nothing("no values to show");
        return;
    }
    let (x0, x1) = padded(all().map(|p| p.0).chain(events.iter().map(|e| e.x)));
    let top = all().map(|p| p.1).fold(0.0, f64::max);
    let bottom = all().map(|p| p.1).fold(0.0, f64::min);
    let far = |y: f64| top > 0.0 && y > FAR * top || y < bottom;
    let levels: Vec<_> = lines.levels.iter().filter(|l| l.y.is_finite() && !far(l.y)).collect();
    for level in lines.levels.iter().filter(|l| l.y.is_finite() && far(l.y)) {
        page.note(format!("{} ({}) lies far above and is not drawn.", level.name, units::value(lines.y.unit, level.y)));
    }
    let most = levels.iter().map(|l| l.y).fold(top, f64::max);
    let high = if most > bottom { most + (most - bottom) * 0.06 } else { bottom + 1.0 };

    if levels.len() > NAMED {
        page.note(format!("{} levels are drawn without their names.", levels.len() - NAMED));
    }
    let kinds = kinds(&events);
    page.legend(entries(&data, &kinds));
    page.scene.text_in((MARGIN, page.y + 11.0), &lines.y.label, SMALL, Ink::Muted, Anchor::Start, page.right() - MARGIN);
    let width = page.scene.width;
    let plot_height = (width * 0.36).clamp(200.0, 460.0);
    let yt = units::ticks(lines.y.unit, bottom, high, plot_height / 48.0);
    let label = yt.at.iter().map(|t| font::width(&units::tick(lines.y.unit, *t, yt.step), SMALL)).fold(0.0, f64::max);
    let axis = label.min(width / 3.0) + 12.0;
    let xt = x_ticks(lines.x.unit, x0, x1, width - 2.0 * MARGIN - axis);
    let frame = Frame { at: (MARGIN, page.y + 16.0), size: (width - 2.0 * MARGIN - 16.0, plot_height + 24.0), axis };
    let curves: Vec<Curve> = data.iter().flat_map(|(k, series, points)| curve(*k, series, points, width)).collect();
    let wanted: Vec<Point> = levels.iter().map(|l| (x0, l.y)).chain(events.iter().map(|e| (e.x, high))).collect();
    page.scene.height = frame.at.1 + frame.size.1 + 10.0;
    let scales = (Scale { low: x0, high: x1, ticks: xt, unit: lines.x.unit }, Scale { low: bottom, high, ticks: yt, unit: lines.y.unit });
    let signs: Vec<Vec<Point>> = data.iter().map(|(_, series, points)| signs(series, points)).collect();
    let Ok((at, signs)) = plot(&mut page.scene, &frame, &scales, &curves, &wanted, &signs) else {
        page.nothing("these values cannot be drawn");
        return;
    };
    for ((k, _, _), places) in data.iter().zip(signs) {
        places.into_iter().for_each(|place| page.scene.sign(*k, place, 3.5, ink(*k), "sign"));
    }
    let (left, right) = (frame.at.0 + frame.axis, frame.at.0 + frame.size.0);
    let names: Vec<String> = levels.iter().map(|l| format!("{}: {}", l.name, units::value(lines.y.unit, l.y))).collect();
    draw_levels(&mut page.scene, &names, at.get(..levels.len()).unwrap_or_default(), (left, right));
    let floor = frame.at.1 + plot_height;
    for (event, place) in events.iter().zip(at.get(levels.len()..).unwrap_or_default()) {
        let kind = kinds.iter().position(|(name, _)| *name == event.name).unwrap_or(KINDS).min(KINDS);
        if events.len() <= LINED {
            page.scene.line((place.0, frame.at.1 + 8.0), (place.0, floor), Ink::Muted, 1.0, Some((1.0, 3.0)), "event");
        }
        page.scene.sign(kind + 2, (place.0, frame.at.1 + 4.0), 4.0, Ink::Text, "event-sign");
    }
    page.y = frame.at.1 + frame.size.1;
    page.scene.text_in(((left + right) / 2.0, page.y + 12.0), &lines.x.label, SMALL, Ink::Muted, Anchor::Middle, right - left);
    page.y += 22.0;
}

fn ink(k: usize) -> Ink {
    SERIES.get(k % SERIES.len()).copied().unwrap_or(Ink::Blue)
}

fn dash(stroke: Stroke) -> Dash {
    match stroke {
        Stroke::Dashed => Some((7.0, 4.0)),
        Stroke::Dotted => Some((2.0, 3.0)),
        Stroke::Solid | Stroke::Steps | Stroke::Points => None,
    }
}

/// A range that has a width, also around a single value.
fn padded(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if high > low { (low, high) } else { (low - 0.5_f64.max(low.abs() * 1e-6), low + 0.5_f64.max(low.abs() * 1e-6)) }
}

/// As many ticks as have room for their labels.
fn x_ticks(unit: Unit, low: f64, high: f64, width: f64) -> Ticks {
    let mut most: f64 = 14.0;
    loop {
        let ticks = units::ticks(unit, low, high, most);
        let widest = ticks.at.iter().map(|t| font::width(&units::tick(unit, *t, ticks.step), SMALL)).fold(0.0, f64::max);
        let apart = ticks.step / (high - low) * width;
        if most <= 1.0 || widest + 14.0 <= apart {
            return ticks;
        }
        most -= 1.0;
    }
}

/// The kinds of events with how many there are; beyond a few they are one.
fn kinds(events: &[&Event]) -> Vec<(String, usize)> {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for event in events {
        match kinds.iter_mut().find(|(name, _)| *name == event.name) {
            Some(kind) => kind.1 += 1,
            None => kinds.push((event.name.clone(), 1)),
        }
    }
    if kinds.len() > KINDS {
        let rest = kinds.split_off(KINDS).iter().map(|k| k.1).sum();
        kinds.push(("other marks".to_owned(), rest));
    }
    kinds
}

fn entries(data: &[(usize, &Series, Vec<Point>)], kinds: &[(String, usize)]) -> Vec<(Swatch, String)> {
    let curves = data.iter().map(|(k, series, points)| {
        let sign = (!signs(series, points).is_empty()).then_some(*k);
        let swatch =
            if series.stroke == Stroke::Points { Swatch::Sign(*k, ink(*k)) } else { Swatch::Curve(ink(*k), dash(series.stroke), sign) };
        (swatch, series.name.clone())
    });
    let events = kinds.iter().enumerate().map(|(k, (name, n))| {
        let name = if *n > 1 { format!("{name} ({n})") } else { name.clone() };
        (Swatch::Sign(k + 2, Ink::Text), name)
    });
    curves.chain(events).collect()
}

/// A curve with few enough points; stairs have their corners.
fn curve(k: usize, series: &Series, points: &[Point], width: f64) -> Option<Curve> {
    if series.stroke == Stroke::Points {
        return None;
    }
    let mut points = thin(points.to_vec(), width);
    if series.stroke == Stroke::Steps {
        points = points
            .iter()
            .zip(points.iter().skip(1).map(Some).chain([None]))
            .flat_map(|(p, next)| [Some(*p), next.map(|n| (n.0, p.1))])
            .flatten()
            .collect();
    }
    Some(Curve { points, ink: ink(k), width: 2.0, dash: dash(series.stroke), class: "series" })
}

/// Where a curve has its sign: everywhere if it is only points or a single one, else here and there, so that two
/// curves can be told apart without their colours.
fn signs(series: &Series, points: &[Point]) -> Vec<Point> {
    match series.stroke {
        Stroke::Points => thin(points.to_vec(), 400.0),
        _ if points.len() == 1 => points.to_vec(),
        Stroke::Dashed | Stroke::Dotted => Vec::new(),
        Stroke::Solid | Stroke::Steps => {
            let every = points.len().div_ceil(SIGNS).max(1);
            points.iter().step_by(every).chain(points.last().filter(|_| !(points.len() - 1).is_multiple_of(every))).copied().collect()
        }
    }
}

struct Frame {
    at: Point,
    size: Point,
    axis: f64,
}

/// A scale for plotters, with ticks of ours: its own know neither hours nor cents.
#[derive(Clone)]
struct Scale {
    low: f64,
    high: f64,
    ticks: Ticks,
    unit: Unit,
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = (value - self.low) / (self.high - self.low);
        (f64::from(from) + part.clamp(-1.0, 2.0) * (f64::from(to) - f64::from(from))).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.at.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

impl Scale {
    fn label(&self, value: f64) -> String {
        units::tick(self.unit, value, self.ticks.step)
    }
}

type Placed = (Vec<Point>, Vec<Vec<Point>>);

/// Lets plotters draw scales and curves, and asks it where some points are.
fn plot(
    scene: &mut Scene,
    frame: &Frame,
    (x, y): &(Scale, Scale),
    curves: &[Curve],
    wanted: &[Point],
    signs: &[Vec<Point>],
) -> Result<Placed, Box<dyn std::error::Error>> {
    let token = |ink: Ink| {
        let (r, g, b) = ink.token();
        RGBColor(r, g, b)
    };
    let letters = ("sans-serif", SMALL * crate::report::chart::recorder::FINE).into_font().color(&token(Ink::Muted));
    let root = Recorder::new(scene).into_drawing_area();
    let area = root.shrink((fine(frame.at.0), fine(frame.at.1)), (length(frame.size.0), length(frame.size.1)));
    let mut chart = ChartBuilder::on(&area)
        .x_label_area_size(length(24.0))
        .y_label_area_size(length(frame.axis))
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .axis_style(token(Ink::Muted).stroke_width(1))
        .bold_line_style(token(Ink::Grid).stroke_width(1))
        .disable_x_mesh()
        .x_labels(x.ticks.at.len())
        .y_labels(y.ticks.at.len())
        .set_all_tick_mark_size(fine(4.0))
        .label_style(letters.into_text_style(&area))
        .x_label_formatter(&|v| x.label(*v))
        .y_label_formatter(&|v| y.label(*v))
        .draw()?;
    for curve in curves {
        chart.plotting_area().draw(curve)?;
    }
    let place = |p: &Point| coarse(chart.backend_coord(p));
    Ok((wanted.iter().map(place).collect(), signs.iter().map(|s| s.iter().map(place).collect()).collect()))
}

/// Levels with their names at the left, where curves that begin at 0 leave room: above their line, or where another
/// line or name stands there, below it or further down.
fn draw_levels(scene: &mut Scene, names: &[String], at: &[Point], (left, right): (f64, f64)) {
    let mut order: Vec<(&String, f64)> = names.iter().zip(at.iter().map(|p| p.1)).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut named: Vec<f64> = Vec::new();
    for (k, (name, y)) in order.iter().enumerate() {
        scene.line((left, *y), (right, *y), Ink::Text, 1.2, Some((9.0, 3.0)), "level");
        let free = |base: &f64| {
            let lines = order.iter().all(|(_, line)| *line < base - SMALL + 1.0 || *line > base + 2.0);
            lines && named.iter().all(|other| (other - base).abs() > SMALL + 1.0)
        };
        let places = [y - 4.0, y + SMALL + 2.0].into_iter().chain((2..6).map(|row| y + f64::from(row) * (SMALL + 3.0)));
        if let Some(base) = places.into_iter().find(free).filter(|_| k < NAMED) {
            scene.text_in((left + 8.0, base), name, SMALL, Ink::Text, Anchor::Start, right - left - 16.0);
            named.push(base);
        }
    }
}
