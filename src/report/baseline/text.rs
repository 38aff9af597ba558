//! The comparison as a table for people.

use super::chart::name;
use crate::cost::baseline::compare::{Measure, Per, Row, Word};
use crate::cost::baseline::ratio::{Method, RESAMPLES, SEED};
use crate::cost::baseline::{Comparison, ErrorKind};
use crate::diagnose::norms::rounded;
use crate::report::escape::terminal;
use crate::report::style::Palette;
use crate::report::table::thousands;
use crate::trace::{Money, span};
use std::fmt::Write as _;

/// A comparison with what is said about its two sides.
pub struct Compared<'a> {
    /// The comparison.
    pub comparison: &'a Comparison,
    /// The baseline's file.
    pub file: &'a str,
    /// Runs by hand, and runs of loops that were compared.
    pub runs: (usize, usize),
    /// Runs of loops whose task the baseline does not know.
    pub left_out: usize,
    /// No run names its task: all were taken for the baseline's only one.
    pub assumed: bool,
    /// From this ratio on a figure is an anomaly.
    pub anomaly: f64,
    /// Figures that cannot be compared are shown one by one.
    pub verbose: bool,
    /// The largest ratio that is allowed, and of which figures a run.
    pub gate: Option<(f64, &'a [Measure])>,
}

impl Compared<'_> {
    /// The figures that the gate fires on.
    pub fn fired(&self) -> impl Iterator<Item = &Row> {
        self.gate.into_iter().flat_map(|(most, measures)| self.gated(measures).filter(move |r| r.exceeds(most)))
    }

    /// The figures that the gate cannot judge, having no interval or nothing to compare with.
    pub fn unjudged(&self) -> impl Iterator<Item = &Row> {
        let cannot = |r: &&Row| r.word == Word::NotComparable || r.estimate.and_then(|e| e.interval).is_none();
        self.gate.into_iter().flat_map(move |(_, measures)| self.gated(measures).filter(cannot))
    }

    /// The figures a run that are far above the baseline.
    pub fn anomalies(&self) -> impl Iterator<Item = &Row> {
        self.gated(&[Measure::Usd, Measure::Tokens, Measure::Calls])
            .filter(|r| r.estimate.is_some_and(|e| rounded(e.ratio) >= self.anomaly))
    }

    fn gated<'b>(&'b self, measures: &'b [Measure]) -> impl Iterator<Item = &'b Row> {
        self.comparison.rows.iter().filter(move |r| r.per == Per::Run && measures.contains(&r.measure))
    }
}

/// Renders it.
#[must_use]
pub fn table(c: &Compared<'_>, palette: Palette) -> String {
    let mut out = String::new();
    head(c, palette, &mut out);
    let comparable = c.comparison.rows.iter().any(|r| !matches!(r.word, Word::NotComparable | Word::Unknown));
    let tells = |r: &&Row| c.verbose || comparable && r.word != Word::NotComparable;
    let shown: Vec<&Row> = c.comparison.rows.iter().filter(tells).collect();
    let cells: Vec<[String; 6]> = shown.iter().map(|r| cells(r)).collect();
    let titles = ["", "by hand", "loops", "ratio", "95 % interval", ""];
    let width = |k: usize| cells.iter().map(|row| row[k].chars().count()).chain([titles[k].len()]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let line = |row: &[&str]| {
        let mut line = String::new();
        for (k, text) in row.iter().enumerate() {
            let pad = " ".repeat(widths[k].saturating_sub(text.chars().count()));
            // Names and words to the left, figures to the right.
            let cell = if matches!(k, 0 | 5) { format!("{text}{pad}") } else { format!("{pad}{text}") };
            line.push_str(&cell);
            line.push_str("  ");
        }
        line.trim_end().to_owned()
    };
    if !cells.is_empty() {
        let _ = writeln!(out, "{}", palette.bold(&line(&titles)));
    }
    for row in &cells {
        let _ = writeln!(out, "{}", line(&row.each_ref().map(String::as_str)));
    }
    hidden(c, &mut out);
    foot(c, palette, &mut out);
    out
}

/// What was left out of the table, in a line.
fn hidden(c: &Compared<'_>, out: &mut String) {
    if c.verbose {
        return;
    }
    let apart = c.comparison.rows.iter().filter(|r| r.word == Word::NotComparable).count();
    if apart > 0 {
        let why: Vec<String> = c.comparison.differences.iter().map(|d| terminal(&d.words()).into_owned()).collect();
        let figures = if apart == 1 { "1 figure".to_owned() } else { format!("{apart} figures") };
        let _ = writeln!(out, "{figures} not comparable: {}; --verbose shows them", why.join("; "));
    }
}

fn head(c: &Compared<'_>, palette: Palette, out: &mut String) {
    let runs = |n: usize| if n == 1 { "1 run".to_owned() } else { format!("{n} runs") };
    let _ = writeln!(
        out,
        "{}: {} of loops against {} by hand ({})",
        palette.bold("baseline"),
        runs(c.runs.1),
        runs(c.runs.0),
        terminal(c.file)
    );
    if c.assumed {
        let task = c.comparison.tasks.first().map_or("its task", String::as_str);
        let _ = writeln!(out, "no run names a task of the baseline: all are taken for {}", terminal(task));
    }
    if c.left_out > 0 {
        let _ = writeln!(out, "{} name none of the baseline's tasks and are left out", runs(c.left_out));
    }
    if !c.comparison.left_out.is_empty() {
        let names: Vec<_> = c.comparison.left_out.iter().take(5).map(|t| terminal(t)).collect();
        let more = if c.comparison.left_out.len() > 5 { ", …" } else { "" };
        let _ = writeln!(out, "on one side only, and left out: {}{more}", names.join(", "));
    }
    if c.verbose {
        for difference in &c.comparison.differences {
            let _ = writeln!(out, "not comparable: {}", terminal(&difference.words()));
        }
    }
}

fn cells(row: &Row) -> [String; 6] {
    let figure = |v: Option<f64>| v.map_or_else(|| "-".to_owned(), |v| shown(row.measure, v));
    let ratio = row.estimate.map_or_else(|| "-".to_owned(), |e| format!("{:.2}x", e.ratio));
    let interval = row.estimate.and_then(|e| e.interval).map_or_else(
        || "-".to_owned(),
        |(low, high)| {
            let high = if high.is_finite() { format!("{high:.2}") } else { "?".to_owned() };
            let low = if low > 0.0 { format!("{low:.2}") } else { "?".to_owned() };
            format!("{low} to {high}")
        },
    );
    [name(row), figure(row.before), figure(row.after), ratio, interval, row.word.text().to_owned()]
}

fn shown(measure: Measure, v: f64) -> String {
    match measure {
        Measure::Usd => Money::from_f64(v).map_or_else(|| "-".to_owned(), Money::short),
        Measure::Time => span(v),
        _ if v < 100.0 => format!("{v:.1}"),
        _ => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate; it is above 0")]
            let whole = v.round() as u64;
            thousands(whole)
        }
    }
}

fn foot(c: &Compared<'_>, palette: Palette, out: &mut String) {
    let methods: Vec<Method> = c.comparison.rows.iter().filter_map(|r| r.estimate).map(|e| e.method).collect();
    let pairs = c.comparison.rows.iter().filter_map(|r| r.pairs).max();
    let over = pairs.map_or_else(|| "over runs".to_owned(), |n| format!("over {n} tasks in pairs"));
    let how = if methods.contains(&Method::Bootstrap) {
        format!("intervals {over}: bootstrap, {RESAMPLES} resamples, seed {SEED}")
    } else if methods.contains(&Method::StudentT) {
        format!("intervals {over}: Student's t on the log ratio, for fewer than 10 runs or tasks a side")
    } else if methods.contains(&Method::Normal) {
        format!("intervals {over}: the normal distribution on the log ratio")
    } else {
        "one run a side: a ratio and no interval, so no change is clear".to_owned()
    };
    let time = if c.comparison.active { "time without pauses" } else { "time from the first record to the last" };
    let none = !c.verbose && c.comparison.rows.iter().all(|r| matches!(r.word, Word::NotComparable | Word::Unknown));
    if none {
        compared_kinds(c, out);
        return gate(c, palette, out);
    }
    let _ = writeln!(out, "{}", palette.dim(&format!("{how}; {time}")));
    let run_rows = || c.comparison.rows.iter().filter(|r| r.per == Per::Run && r.pairs.is_none());
    let partly: Vec<String> =
        run_rows().filter(|r| r.runs.1 < c.runs.1).map(|r| format!("{} ({} of {})", name(r), r.runs.1, c.runs.1)).collect();
    if !partly.is_empty() && c.comparison.left_out.is_empty() {
        let _ = writeln!(out, "{}", palette.dim(&format!("not known for all loops: {}", partly.join(", "))));
    }
    let anomalies: Vec<String> = c.anomalies().map(name).collect();
    if !anomalies.is_empty() {
        let _ = writeln!(out, "{}: {}: {} times the baseline or more", palette.bold("anomaly"), anomalies.join(", "), c.anomaly);
    }
    compared_kinds(c, out);
    gate(c, palette, out);
}

/// Which failures only one side has.
fn compared_kinds(c: &Compared<'_>, out: &mut String) {
    match &c.comparison.errors {
        None => {
            let _ = writeln!(out, "kinds of failures: a side does not tell");
        }
        Some(errors) => {
            let _ = writeln!(out, "kinds of failures: {} on both sides", errors.common);
            kinds("new in the loops", &errors.new, out);
            kinds("gone", &errors.gone, out);
        }
    }
}

/// What a gate says.
fn gate(c: &Compared<'_>, palette: Palette, out: &mut String) {
    if let Some((most, _)) = c.gate {
        for row in c.fired() {
            let low = row.estimate.and_then(|e| e.interval).map_or(0.0, |(low, _)| low);
            let _ = writeln!(out, "{}: {} takes at least {low:.2} times the baseline, {most} is allowed", palette.bold("gate"), name(row));
        }
        let unjudged: Vec<String> = c.unjudged().map(name).collect();
        if !unjudged.is_empty() {
            let _ = writeln!(out, "{}: not judged, without a comparable interval: {}", palette.bold("gate"), unjudged.join(", "));
        }
    }
}

fn kinds(what: &str, list: &[ErrorKind], out: &mut String) {
    for kind in list.iter().take(5) {
        let _ = writeln!(out, "  {what}: {:>4}x {}", kind.count, terminal(&kind.signature));
    }
    if list.len() > 5 {
        let _ = writeln!(out, "  {what}: and {} more", list.len() - 5);
    }
}
