//! Waste by mode, the largest first: in money where money is known, in hours, and in tokens where no money is known.

use crate::report::chart::runs::counted;
use crate::report::chart::spec::{Body, Chart, Pareto, Unit};
use crate::report::chart::units::value;
use crate::report::model::RunReport;
use crate::trace::Money;
use std::collections::BTreeMap;

/// Sums by mode; made to be fed run by run.
#[derive(Debug, Clone, Default)]
pub struct Waste {
    modes: BTreeMap<&'static str, Mode>,
    runs: usize,
    unknown: usize,
    money: usize,
}

#[derive(Debug, Clone, Default)]
struct Mode {
    usd: (Money, u32),
    tokens: (u64, u32),
    seconds: (f64, u32),
}

impl Waste {
    /// Adds a run.
    pub fn add(&mut self, run: &RunReport) {
        let w = &run.waste;
        self.runs += 1;
        if w.usd.is_none() && w.tokens.is_none() && w.seconds.is_none() {
            self.unknown += 1;
        }
        self.money += usize::from(w.usd.is_some());
        let mode = self.modes.entry(run.mode.map_or("no mode", |m| m.id())).or_default();
        if let Some(usd) = w.usd.filter(|m| m.0 > 0) {
            mode.usd = (mode.usd.0 + usd, mode.usd.1 + 1);
        }
        if let Some(tokens) = w.tokens.filter(|n| *n > 0) {
            mode.tokens = (mode.tokens.0.saturating_add(tokens), mode.tokens.1 + 1);
        }
        if let Some(seconds) = w.seconds.filter(|s| *s > 0.0) {
            mode.seconds = (mode.seconds.0 + seconds, mode.seconds.1 + 1);
        }
    }

    /// The charts that these sums allow: money, else tokens; and hours.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        let money = self.chart("waste-money", "money", Unit::Usd, |m| (m.usd.0.to_f64(), m.usd.1));
        #[expect(clippy::cast_precision_loss, reason = "a length in a picture")]
        let tokens = || self.chart("waste-tokens", "tokens", Unit::Tokens, |m| (m.tokens.0 as f64, m.tokens.1));
        let time = self.chart("waste-time", "time", Unit::Seconds, |m| m.seconds);
        [money.or_else(tokens), time].into_iter().flatten().collect()
    }

    fn chart(&self, id: &str, what: &str, unit: Unit, part: impl Fn(&Mode) -> (f64, u32)) -> Option<Chart> {
        let mut bars: Vec<(String, f64, u32)> = self
            .modes
            .iter()
            .map(|(name, mode)| (*name, part(mode)))
            .filter(|(_, (sum, _))| *sum > 0.0)
            .map(|(name, (sum, runs))| (name.to_owned(), sum, runs))
            .collect();
        bars.sort_by(|a, b| b.1.total_cmp(&a.1));
        let total: f64 = bars.iter().map(|b| b.1).sum();
        let (first, _, _) = bars.first()?;
        let list: Vec<String> = bars
            .iter()
            .map(|(name, sum, runs)| {
                format!("{name} {} ({:.0} %, {})", value(unit, *sum), sum / total * 100.0, counted(*runs as usize, "run"))
            })
            .collect();
        let also = match unit {
            Unit::Seconds => " Dead time counts: hours in which a run that had died lay unnoticed.".to_owned(),
            Unit::Usd => format!(" Money is known for {} of them.", self.money),
            _ => String::new(),
        };
        let unknown = if self.unknown == 0 { String::new() } else { format!(" For {} nothing is known.", counted(self.unknown, "run")) };
        Some(Chart {
            id: id.to_owned(),
            title: format!("Wasted {what} by mode"),
            description: format!(
                "Wasted {what} of {} by mode, {} in all, most of it by {first}: {}.{also}{unknown}",
                counted(self.runs, "run"),
                value(unit, total),
                list.join(", ")
            ),
            body: Body::Pareto(Pareto { unit, bars }),
        })
    }
}

/// Waste by mode over these runs: a chart a measure.
#[must_use]
pub fn pareto(runs: &[RunReport]) -> Vec<Chart> {
    let mut waste = Waste::default();
    runs.iter().for_each(|run| waste.add(run));
    waste.charts()
}
