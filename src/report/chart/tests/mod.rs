//! Charts as data, drawn: places worked out by hand, texts that do not touch, hostile input, pictures decoded again.

mod hostile;
mod layout;
mod picture;
mod place;

use crate::report::chart::spec::{
    Axis, Barcode, Body, Cell, Chart, Dumbbell, Event, Level, Lines, Pair, Pareto, Series, Stroke, Timeline, Unit,
};
use crate::trace::Time;

pub(super) fn chart(id: &str, body: Body) -> Chart {
    Chart { id: id.to_owned(), title: format!("Sample: {id}"), description: "A sample.".to_owned(), body }
}

pub(super) fn series(name: &str, stroke: Stroke, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.to_owned(), stroke, points }
}

pub(super) fn lines(x: Unit, y: Unit, series: Vec<Series>) -> Lines {
    let axis = |label: &str, unit| Axis { label: label.to_owned(), unit };
    Lines { x: axis("call", x), y: axis("what it counts", y), series, levels: Vec::new(), events: Vec::new() }
}

/// Milliseconds that seconds after the first of January 2026 are.
pub(super) fn at(seconds: i64) -> Time {
    Time(1_767_225_600_000 + seconds * 1_000)
}

fn cells(text: &str) -> Vec<Cell> {
    text.chars()
        .map(|c| match c {
            '+' => Cell::Green,
            '!' => Cell::NoVerdict,
            '.' => Cell::Unknown,
            c => Cell::Red(u32::from(c) - u32::from('A')),
        })
        .collect()
}

fn night() -> Timeline {
    let row = |k: u32, c| (k, at(i64::from(k) * 600), at(i64::from(k) * 600 + 590), c);
    Timeline {
        from: at(0),
        to: at(7_200),
        iterations: cells("AAB!.C+").into_iter().zip(0..).map(|(c, k)| row(k, c)).collect(),
        beats: (0..60).map(|k| at(k * 60)).collect(),
        gaps: vec![
            ("heartbeat".to_owned(), at(3_600), at(5_400)),
            ("heartbeat".to_owned(), at(5_460), at(5_700)),
            ("run, until noticed".to_owned(), at(6_000), at(90_000)),
        ],
        marks: ["compaction", "compaction", "retry", "API error", "sub-agent starts", "end: stuck"]
            .iter()
            .zip(0..)
            .map(|(name, k)| ((*name).to_owned(), at(k * 700)))
            .collect(),
    }
}

fn pair(name: &str, unit: Unit, before: f64, after: f64, interval: Option<(f64, f64)>) -> Pair {
    Pair { name: name.to_owned(), unit, before, after, interval }
}

/// Charts of every kind: usual, empty, huge, broken.
pub(super) fn gallery() -> Vec<Chart> {
    let curve = |n: u32, f: fn(f64) -> f64| (0..n).map(|k| (f64::from(k), f(f64::from(k)))).collect::<Vec<_>>();
    let long = "a-name-of-a-run-that-goes-on-and-on/and-on-in-a-second-folder/".repeat(4);
    let mut spend = lines(
        Unit::Count,
        Unit::Usd,
        vec![
            series("spent", Stroke::Solid, curve(60, |k| 0.01 * k + 0.0006 * k * k)),
            series("fitted", Stroke::Dashed, curve(60, |k| 0.012 * k + 0.00055 * k * k)),
            series("stateless", Stroke::Solid, curve(60, |k| 0.02 * k)),
        ],
    );
    spend.levels = [("cap (costUsd)", 1.5), ("soft cap", 1.46), ("ceiling", 90.0)].map(|(n, y)| Level { name: n.to_owned(), y }).to_vec();
    spend.events =
        [("compaction", 20.5), ("compaction", 40.5), ("cap (modelTurns)", 30.0)].map(|(n, x)| Event { name: n.to_owned(), x }).to_vec();
    let mut many =
        lines(Unit::Count, Unit::Tokens, (0..9).map(|k| series(&format!("{long}{k}"), Stroke::Solid, curve(40, |k| 3e5 * k))).collect());
    many.levels = (0..12).map(|k| Level { name: format!("{long}{k}"), y: 9e6 + f64::from(k) }).collect();
    many.events = (0..200).map(|k| Event { name: format!("kind {}", k % 7), x: f64::from(k) / 5.0 }).collect();
    let mut noise = curve(100_000, |k| 5e4 + 4e4 * (k / 9_000.0).sin() + (k * 7.0) % 900.0);
    noise[33_333].1 = 2e5;
    let broken = vec![(f64::NAN, 1.0), (1.0, f64::INFINITY), (2.0, 5.0), (3.0, f64::NEG_INFINITY), (4.0, 8.0)];
    let hours = vec![(0.0, 1.0), (4_000.0, 0.7), (9_000.0, 0.7), (22_000.0, 0.2)];
    let one = |points: Vec<(f64, f64)>| lines(Unit::Count, Unit::Usd, vec![series("only", Stroke::Solid, points)]);
    let barcode = |rows: Vec<(&str, &str, Vec<Cell>)>| Barcode {
        rows: rows.into_iter().map(|(a, b, c)| (a.to_owned(), b.to_owned(), c)).collect(),
        failures: ["FAILED tests/a.py::one", "error[E0308]: mismatched types", "", &long].map(ToOwned::to_owned).to_vec(),
    };
    let wide = (0..5_000).map(|k| Cell::Red(k / 7 % 60)).collect();
    vec![
        chart("spend", Body::Lines(spend)),
        chart("many", Body::Lines(many)),
        chart("noise", Body::Lines(lines(Unit::Count, Unit::Tokens, vec![series("context", Stroke::Solid, noise)]))),
        chart("broken", Body::Lines(one(broken))),
        chart("survival", Body::Lines(lines(Unit::Seconds, Unit::Share, vec![series("not yet green", Stroke::Steps, hours)]))),
        chart(
            "points",
            Body::Lines(lines(Unit::Count, Unit::Ratio, vec![series("ratio", Stroke::Points, curve(30, |k| (k * 7.0) % 5.0))])),
        ),
        chart("single", Body::Lines(one(vec![(7.0, 0.42)]))),
        chart("equal", Body::Lines(one(vec![(1.0, 3.0), (2.0, 3.0), (3.0, 3.0)]))),
        chart("zero", Body::Lines(one(vec![(1.0, 0.0), (2.0, 0.0)]))),
        chart("negative", Body::Lines(one(vec![(1.0, -4.0), (2.0, 3.0)]))),
        chart("vast", Body::Lines(one(vec![(-1e300, 1e300), (1e300, -1e300), (0.0, 1e-300)]))),
        chart("tiny", Body::Lines(one(vec![(1.0, 1e-9), (2.0, 3e-9)]))),
        chart("empty", Body::Lines(one(Vec::new()))),
        chart("night", Body::Timeline(night())),
        chart(
            "instant",
            Body::Timeline(Timeline {
                from: at(5),
                to: at(5),
                iterations: Vec::new(),
                beats: vec![at(5)],
                gaps: Vec::new(),
                marks: Vec::new(),
            }),
        ),
        chart(
            "crowd",
            Body::Timeline(Timeline {
                from: at(0),
                to: at(400_000),
                iterations: (0..100_000).map(|k| (k, at(i64::from(k) * 4), at(i64::from(k) * 4 + 3), Cell::Red(k / 9_000))).collect(),
                beats: (0..100_000).map(|k| at(k * 4)).collect(),
                gaps: (0..300).map(|k| (long.clone(), at(k * 1_000), at(k * 1_000 + 900))).collect(),
                marks: (0..5_000).map(|k| (format!("{long}{}", k % 20), at(k * 60))).collect(),
            }),
        ),
        chart(
            "silent",
            Body::Timeline(Timeline {
                from: at(9),
                to: at(0),
                iterations: Vec::new(),
                beats: Vec::new(),
                gaps: Vec::new(),
                marks: Vec::new(),
            }),
        ),
        chart(
            "barcode",
            Body::Barcode(barcode(vec![
                ("one", "succeeded", cells("AAB+")),
                (&long, &long, cells("ABABAB!..CD")),
                ("none", "running", vec![]),
            ])),
        ),
        chart("stripes", Body::Barcode(barcode(vec![("long", "limit_hit, stuck", wide), ("short", "died", cells("AA+"))]))),
        chart("rows", Body::Barcode(barcode((0..200).map(|_| ("run", "ended", cells("AB+"))).collect()))),
        chart("no-cells", Body::Barcode(barcode(Vec::new()))),
        chart(
            "pareto",
            Body::Pareto(Pareto {
                unit: Unit::Usd,
                bars: [("stuck", 8.0, 4), ("runaway", 4.0, 1), ("no mode", 2.0, 9), (&*long, 2.0, 1)]
                    .map(|(n, v, r)| (n.to_owned(), v, r))
                    .to_vec(),
            }),
        ),
        chart(
            "bars",
            Body::Pareto(Pareto { unit: Unit::Seconds, bars: (1..60).map(|k| (format!("mode {k}"), f64::from(k) * 977.0, k)).collect() }),
        ),
        chart("no-bars", Body::Pareto(Pareto { unit: Unit::Tokens, bars: vec![("x".to_owned(), f64::NAN, 1), ("y".to_owned(), 0.0, 1)] })),
        chart(
            "dumbbell",
            Body::Dumbbell(Dumbbell {
                before: "manual baseline".to_owned(),
                after: "loop".to_owned(),
                rows: vec![
                    pair("cost", Unit::Usd, 1.0, 4.0, Some((2.1, 7.5))),
                    pair("tokens", Unit::Tokens, 800_000.0, 400_000.0, None),
                    pair("wall time", Unit::Seconds, 600.0, 660.0, Some((0.9, 1.3))),
                    pair("greens", Unit::Count, 0.0, 3.0, None),
                    pair(&long, Unit::Count, 3.0, f64::NAN, Some((f64::NAN, 1.0))),
                ],
            }),
        ),
        chart("no-rows", Body::Dumbbell(Dumbbell { before: String::new(), after: String::new(), rows: Vec::new() })),
    ]
}
