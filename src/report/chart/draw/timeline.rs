//! A run over time: a lane of iterations, one of heartbeats, one for the silences of each stream, one for each kind of mark.

use crate::report::chart::draw::cell;
use crate::report::chart::draw::page::{MARGIN, Page, Swatch};
use crate::report::chart::font;
use crate::report::chart::ink::Ink;
use crate::report::chart::scene::{Anchor, LABEL, SMALL, Shape};
use crate::report::chart::spec::{Cell, Timeline, Unit};
use crate::report::chart::units;
use crate::report::escape::terminal;
use crate::trace::Time;
use chrono::{DateTime, Utc};
use std::collections::HashSet;

/// Lanes of marks at most; the rest shares one.
const MARKS: usize = 9;
/// Lanes of silences at most.
const STREAMS: usize = 4;
const BLOCK: f64 = 26.0;
const LANE: f64 = 22.0;

/// Where times stand.
struct Axis {
    from: i64,
    to: i64,
    left: f64,
    right: f64,
}

impl Axis {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run")]
    fn x(&self, at: Time) -> f64 {
        let part = at.0.saturating_sub(self.from) as f64 / self.to.saturating_sub(self.from).max(1) as f64;
        self.left + part.clamp(0.0, 1.0) * (self.right - self.left)
    }

    fn shows(&self, at: Time) -> bool {
        (self.from..=self.to).contains(&at.0)
    }

    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run")]
    fn seconds(&self) -> f64 {
        self.to.saturating_sub(self.from) as f64 / 1e3
    }
}

/// Draws a timeline.
pub(super) fn draw(timeline: &Timeline, page: &mut Page) {
    if timeline.iterations.is_empty() && timeline.beats.is_empty() && timeline.marks.is_empty() && timeline.gaps.is_empty() {
        page.nothing("no record says when anything happened");
        return;
    }
    let (mut from, mut to) = (timeline.from.0.min(timeline.to.0), timeline.from.0.max(timeline.to.0));
    if to.saturating_sub(from) < 1_000 {
        (from, to) = (from.saturating_sub(30_000), to.saturating_add(30_000));
    }
    page.legend(legend(timeline));
    let (streams, marks) = (grouped(&timeline.gaps, |g| &g.0, STREAMS), grouped(&timeline.marks, |m| &m.0, MARKS));
    let lanes =
        streams.iter().map(|(name, _)| format!("silence: {name}")).chain(marks.iter().map(lane_name)).chain(["iterations".to_owned()]);
    let room = page.scene.width - 2.0 * MARGIN;
    let names = lanes.map(|n| font::width(&terminal(&n), SMALL)).fold(font::width("heartbeat", SMALL), f64::max).min(room * 0.3);
    let axis = Axis { from, to, left: MARGIN + names + 10.0, right: page.right() - 16.0 };
    let (top, behind) = (page.y, page.scene.shapes.len());
    let lane = |page: &mut Page, name: &str, height: f64| {
        let y = page.y + height / 2.0 + 4.0;
        page.scene.text_in((axis.left - 10.0, y), name, SMALL, Ink::Text, Anchor::End, names);
    };
    if !timeline.iterations.is_empty() {
        numbers(timeline, page, &axis);
        lane(page, "iterations", BLOCK);
        iterations(timeline, page, &axis);
        page.y += BLOCK + 8.0;
    }
    if !timeline.beats.is_empty() {
        lane(page, "heartbeat", LANE);
        let mut taken = HashSet::new();
        for beat in timeline.beats.iter().filter(|b| axis.shows(**b)) {
            let x = axis.x(*beat);
            if taken.insert(format!("{x:.0}")) {
                page.scene.line((x, page.y + 4.0), (x, page.y + LANE - 4.0), Ink::Blue, 1.5, None, "beat");
            }
        }
        page.y += LANE;
    }
    for (name, gaps) in &streams {
        lane(page, &format!("silence: {name}"), LANE);
        silences(gaps, page, &axis);
        page.y += LANE;
    }
    for (k, (name, marks)) in marks.iter().enumerate() {
        lane(page, &lane_name(&(name.clone(), marks.clone())), LANE);
        page.scene.line((axis.left, page.y + LANE / 2.0), (axis.right, page.y + LANE / 2.0), Ink::Grid, 1.0, None, "lane");
        let mut taken = HashSet::new();
        for (_, at) in marks.iter().filter(|m| axis.shows(m.1)) {
            let x = axis.x(*at);
            if taken.insert(format!("{x:.0}")) {
                page.scene.sign(k, (x, page.y + LANE / 2.0), 4.5, Ink::Text, "mark");
            }
        }
        page.y += LANE;
    }
    times(page, &axis, top, behind);
}

fn legend(timeline: &Timeline) -> Vec<(Swatch, String)> {
    let has = |wanted: fn(&Cell) -> bool| timeline.iterations.iter().any(|i| wanted(&i.3));
    let cells: [(bool, Cell, &str); 4] = [
        (has(|c| *c == Cell::Green), Cell::Green, "green"),
        (has(|c| matches!(c, Cell::Red(_))), Cell::Red(0), "red: equal letters are equal failures"),
        (has(|c| *c == Cell::NoVerdict), Cell::NoVerdict, "no verdict"),
        (has(|c| *c == Cell::Unknown), Cell::Unknown, "not judged"),
    ];
    let mut entries: Vec<_> = cells.into_iter().filter(|c| c.0).map(|(_, c, name)| (Swatch::Cell(c), name.to_owned())).collect();
    if !timeline.gaps.is_empty() {
        entries.push((Swatch::Hatch(Ink::Vermillion), "silence".to_owned()));
    }
    entries
}

/// By name, in the order of their first; those beyond a few together.
fn grouped<T: Clone>(all: &[T], name: fn(&T) -> &String, most: usize) -> Vec<(String, Vec<T>)> {
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for one in all {
        match groups.iter_mut().find(|(n, _)| n == name(one)) {
            Some(group) => group.1.push(one.clone()),
            None => groups.push((name(one).clone(), vec![one.clone()])),
        }
    }
    if groups.len() > most {
        let rest = groups.split_off(most - 1);
        groups.push(("other".to_owned(), rest.into_iter().flat_map(|g| g.1).collect()));
    }
    groups
}

fn lane_name<T>((name, marks): &(String, Vec<T>)) -> String {
    if marks.len() > 1 { format!("{name} ({})", marks.len()) } else { name.clone() }
}

fn iterations(timeline: &Timeline, page: &mut Page, axis: &Axis) {
    let mut taken = HashSet::new();
    for (number, first, last, c) in &timeline.iterations {
        let (a, b) = (axis.x(*first.min(last)), axis.x(*first.max(last)));
        let width = (b - a).max(1.5);
        // Of those that share a pixel, one of each kind is enough.
        if b - a >= 1.0 || taken.insert((format!("{a:.0}"), cell::words(*c))) {
            let tip = format!("iteration {number}: {}, {}", cell::words(*c), units::span(last.seconds_since(*first)));
            cell::draw(&mut page.scene, (a.min(axis.right - width), page.y), (width, BLOCK), *c, "iteration", tip);
        }
    }
}

/// Numbers of iterations above them, as many as have room.
fn numbers(timeline: &Timeline, page: &mut Page, axis: &Axis) {
    let mut free = f64::NEG_INFINITY;
    for (number, first, last, _) in &timeline.iterations {
        let middle = f64::midpoint(axis.x(*first), axis.x(*last));
        let label = number.to_string();
        let half = font::width(&label, SMALL) / 2.0;
        if middle - half >= free {
            page.scene.text((middle, page.y + 10.0), &label, SMALL, Ink::Muted, Anchor::Middle);
            free = middle + half + 8.0;
        }
    }
    page.y += 14.0;
}

/// Silences with their length, which may reach beyond the picture.
fn silences(gaps: &[(String, Time, Time)], page: &mut Page, axis: &Axis) {
    let mut free = f64::NEG_INFINITY;
    for (k, (_, from, to)) in gaps.iter().enumerate() {
        let next = gaps.get(k + 1).map_or(f64::INFINITY, |g| axis.x(g.1));
        let (a, b) = (axis.x(*from), axis.x(*to));
        let (at, size) = ((a, page.y + 3.0), ((b - a).max(2.0), LANE - 6.0));
        let length = units::span(to.seconds_since(*from));
        page.scene.outline(at, size, Ink::Vermillion, "gap", length.clone());
        let label = if axis.shows(*to) { length } else { format!("{length} →") };
        let wide = font::width(&label, SMALL);
        let inside = size.0 >= wide + 10.0;
        // Beside it where it does not fit into it, on the side that has room.
        let x = if inside {
            a + (size.0 - wide) / 2.0
        } else if b + 5.0 + wide <= axis.right {
            b + 5.0
        } else {
            a - 5.0 - wide
        };
        if x < free || x < axis.left || x + wide > next {
            page.scene.hatch(at, size, Ink::Vermillion);
            continue;
        }
        if inside {
            page.scene.hatch(at, ((x - 4.0 - a).max(0.0), size.1), Ink::Vermillion);
            page.scene.hatch((x + wide + 4.0, at.1), ((a + size.0 - x - wide - 4.0).max(0.0), size.1), Ink::Vermillion);
        } else {
            page.scene.hatch(at, size, Ink::Vermillion);
        }
        page.scene.text((x, page.y + LANE / 2.0 + 4.0), &label, SMALL, Ink::Text, Anchor::Start);
        free = (x + wide).max(b) + 6.0;
    }
}

/// Hours below, with the day where it begins.
fn times(page: &mut Page, axis: &Axis, top: f64, behind: usize) {
    let bottom = page.y + 2.0;
    page.scene.line((axis.left, bottom), (axis.right, bottom), Ink::Muted, 1.0, None, "axis");
    let ticks = units::ticks(Unit::Seconds, 0.0, axis.seconds(), ((axis.right - axis.left) / 86.0).max(1.0));
    #[expect(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
    let step = ((ticks.step * 1e3) as i64).max(1_000);
    let form = if step < 60_000 { "%H:%M:%S" } else { "%H:%M" };
    let local =
        |ms: i64, form: &str| DateTime::<Utc>::from_timestamp_millis(ms).map_or_else(|| ms.to_string(), |t| t.format(form).to_string());
    let mut at = axis.from.div_euclid(step).saturating_mul(step);
    if at < axis.from {
        at = at.saturating_add(step);
    }
    let mut grid = Vec::new();
    let mut day = String::new();
    let mut drawn = 0;
    while at <= axis.to && drawn < 200 {
        let x = axis.x(Time(at));
        grid.push(Shape::Path { points: vec![(x, top), (x, bottom + 4.0)], ink: Ink::Grid, width: 1.0, dash: None, class: "grid" });
        page.scene.text((x, bottom + 16.0), &local(at, form), SMALL, Ink::Muted, Anchor::Middle);
        let today = local(at, "%e %b").trim().to_owned();
        if today != day {
            page.scene.text((x, bottom + 30.0), &today, SMALL, Ink::Muted, Anchor::Middle);
            day = today;
        }
        drawn += 1;
        at = at.saturating_add(step);
    }
    // Behind all that was drawn since.
    page.scene.shapes.splice(behind..behind, grid);
    page.y = bottom + 36.0;
    let whole = |ms: i64| local(ms, "%Y-%m-%d %H:%M:%S");
    page.scene.text_in(
        (page.scene.width / 2.0, page.y + 10.0),
        &format!("{} to {} UTC", whole(axis.from), whole(axis.to)),
        LABEL - 1.0,
        Ink::Muted,
        Anchor::Middle,
        page.right() - MARGIN,
    );
    page.y += 18.0;
}
