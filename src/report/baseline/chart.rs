//! The comparison as a dumbbell chart's content.

use crate::cost::baseline::Comparison;
use crate::cost::baseline::compare::{Measure, Per, Row, Word};
use crate::report::chart::spec::{Body, Chart, Dumbbell, Pair, Unit};
use std::fmt::Write as _;

/// By hand against the loops, a row a figure. `None` where no figure is known on both sides.
#[must_use]
pub fn dumbbell(comparison: &Comparison) -> Option<Chart> {
    let rows: Vec<&Row> = comparison.rows.iter().filter(|r| r.estimate.is_some()).collect();
    let pairs: Vec<Pair> = rows.iter().filter_map(|r| pair(r)).collect();
    if pairs.is_empty() {
        return None;
    }
    let mut description = String::from("What the loops take against the same work by hand. ");
    for row in rows {
        let Some(e) = row.estimate else { continue };
        let interval = e.interval.filter(|(low, high)| *low > 0.0 && high.is_finite());
        let interval = interval.map(|(low, high)| format!(", 95 % interval {low:.2} to {high:.2}")).unwrap_or_default();
        let _ = write!(description, "{}: {:.2} times{interval}, {}. ", name(row), e.ratio, row.word.text());
    }
    for difference in &comparison.differences {
        let _ = write!(description, "Not comparable: {}. ", crate::report::escape::terminal(&difference.words()));
    }
    Some(Chart {
        id: "baseline".to_owned(),
        title: "Loops against the manual baseline".to_owned(),
        description: description.trim_end().to_owned(),
        body: Body::Dumbbell(Dumbbell { before: "by hand".to_owned(), after: "loops".to_owned(), rows: pairs }),
    })
}

fn pair(row: &Row) -> Option<Pair> {
    let unit = match row.measure {
        Measure::Usd => Unit::Usd,
        Measure::Tokens => Unit::Tokens,
        Measure::Calls | Measure::Iterations => Unit::Count,
        Measure::Time => Unit::Seconds,
    };
    let interval = row.estimate?.interval.filter(|(low, high)| *low > 0.0 && high.is_finite() && row.word != Word::NotComparable);
    Some(Pair { name: name(row), unit, before: row.before?, after: row.after?, interval })
}

/// `money a run`.
#[must_use]
pub(super) fn name(row: &Row) -> String {
    let what = match row.measure {
        Measure::Usd => "money",
        Measure::Tokens => "tokens",
        Measure::Calls => "calls",
        Measure::Iterations => "iterations",
        Measure::Time => "time",
    };
    let article = if row.per == Per::Iteration { "an" } else { "a" };
    format!("{what} {article} {}", row.per.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::baseline::{Run, Side, compare};

    fn side(calls: &[u64]) -> Side {
        let run = |n: &u64| ("t".to_owned(), Run { calls: Some(*n), ..Run::default() });
        Side { runs: calls.iter().map(run).collect(), ..Side::default() }
    }

    #[test]
    fn what_both_sides_know_is_a_row() {
        let chart = dumbbell(&compare(&side(&[4, 6]), &side(&[15]))).unwrap();
        let Body::Dumbbell(body) = chart.body else { panic!("no dumbbell") };
        assert_eq!(body.rows.len(), 1);
        let row = &body.rows[0];
        assert_eq!((row.name.as_str(), row.unit, row.before, row.after), ("calls a run", Unit::Count, 5.0, 15.0));
        assert!(row.interval.is_some_and(|(low, high)| low < 3.0 && high > 3.0));
        assert!(chart.description.contains("calls a run: 3.00 times"), "{}", chart.description);
        assert_eq!(dumbbell(&compare(&side(&[4]), &Side::default())), None);
    }
}
