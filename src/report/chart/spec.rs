//! What a chart shows, before anything is drawn. Both back-ends (SVG and PNG) and the words for readers without
//! pictures are made from it. Texts are shown as they stand: whoever fills a chart in makes them harmless first.

use crate::trace::Time;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Its name in file names and anchors: lower case, digits and dashes.
    pub id: String,
    /// What it shows, in a line.
    pub title: String,
    /// What it says, in words: the text alternative.
    pub description: String,
    /// The data.
    pub body: Body,
}

/// The kinds of charts.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Curves over a common x.
    Lines(Lines),
    /// A run over time.
    Timeline(Timeline),
    /// A row a run, a cell an iteration.
    Barcode(Barcode),
    /// Bars from the largest to the smallest, with their cumulated share.
    Pareto(Pareto),
    /// Two values a row, before and after.
    Dumbbell(Dumbbell),
}

/// What an axis counts; decides how its ticks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// US dollars.
    Usd,
    /// Tokens.
    Tokens,
    /// Seconds.
    Seconds,
    /// A share between 0 and 1.
    Share,
    /// A ratio.
    Ratio,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it is called.
    pub label: String,
    /// What it counts.
    pub unit: Unit,
}

/// Curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis; it begins at 0.
    pub y: Axis,
    /// The curves, in the order of the legend.
    pub series: Vec<Series>,
    /// Horizontal lines: caps, ceilings, windows.
    pub levels: Vec<Level>,
    /// Points in x at which something happened.
    pub events: Vec<Event>,
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub stroke: Stroke,
    /// Its points, by x.
    pub points: Vec<(f64, f64)>,
}

/// How a curve is drawn: the encoding beside its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// A line.
    Solid,
    /// Long dashes: fitted or expected, not measured.
    Dashed,
    /// Dots.
    Dotted,
    /// Stairs: a value that holds until the next point.
    Steps,
    /// No line, only points: values that do not follow from one another.
    Points,
}

/// A horizontal line with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Where.
    pub y: f64,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What.
    pub name: String,
    /// Where.
    pub x: f64,
}

/// The colour of a cell, with the failure that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// The check passed.
    Green,
    /// It failed with the failure of this index: equal numbers are equal failures.
    Red(u32),
    /// It could not judge.
    NoVerdict,
    /// Nothing judged.
    Unknown,
}

/// A run over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Where the picture begins.
    pub from: Time,
    /// Where it ends.
    pub to: Time,
    /// Iterations: number, first and last record, colour.
    pub iterations: Vec<(u32, Time, Time, Cell)>,
    /// Heartbeats.
    pub beats: Vec<Time>,
    /// Silences: of which stream, from, to.
    pub gaps: Vec<(String, Time, Time)>,
    /// Marks: name and time.
    pub marks: Vec<(String, Time)>,
}

/// Many runs side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Barcode {
    /// Run, what became of it, and its iterations.
    pub rows: Vec<(String, String, Vec<Cell>)>,
    /// The failures by index, for the legend.
    pub failures: Vec<String>,
}

/// Bars by size.
#[derive(Debug, Clone, PartialEq)]
pub struct Pareto {
    /// What the bars count.
    pub unit: Unit,
    /// Name, value, and how many runs stand behind it; largest first.
    pub bars: Vec<(String, f64, u32)>,
}

/// Before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Dumbbell {
    /// What the first value of a row is.
    pub before: String,
    /// What the second is.
    pub after: String,
    /// The rows. Each has its own scale: the picture shows the ratio.
    pub rows: Vec<Pair>,
}

/// A row of a dumbbell.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// What is compared.
    pub name: String,
    /// What it counts.
    pub unit: Unit,
    /// The value before.
    pub before: f64,
    /// The value after.
    pub after: f64,
    /// The interval of the ratio after/before, where there is one.
    pub interval: Option<(f64, f64)>,
}
