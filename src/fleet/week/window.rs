//! Which runs belong to a report: `--since 7d`, counted back from the observation time.

use crate::report::model::RunReport;
use crate::trace::Time;
use chrono::NaiveDate;
use std::str::FromStr;

/// Where a report begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// So many milliseconds before the observation time.
    Ago(i64),
    /// At a time.
    At(Time),
}

impl FromStr for Since {
    type Err = String;

    /// Reads `7d`, `36h`, `2026-11-22` (midnight UTC) or a time as logs write it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Ok(ago) = humantime::parse_duration(text) {
            return i64::try_from(ago.as_millis()).map(Self::Ago).map_err(|_| format!("`{text}` is too long"));
        }
        let midnight = |d: NaiveDate| d.and_hms_opt(0, 0, 0).map(|t| Time(t.and_utc().timestamp_millis()));
        NaiveDate::parse_from_str(text, "%Y-%m-%d")
            .ok()
            .and_then(midnight)
            .or_else(|| Time::parse(text))
            .map(Self::At)
            .ok_or_else(|| format!("`{text}` is no span and no time; write 7d, 36h or 2026-11-22"))
    }
}

/// The stretch of time of a report, and what lies outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Runs whose last record is older are left out.
    pub from: Time,
    /// The observation time: runs that began later are left out.
    pub to: Time,
    /// The ids of the runs that were left out.
    pub left_out: Vec<Box<str>>,
    /// Runs without any time: they are in, because unknown is not old.
    pub undated: u64,
}

impl Window {
    /// Nothing left out yet.
    #[must_use]
    pub fn new(since: Since, as_of: Time) -> Self {
        let from = match since {
            Since::Ago(ms) => Time(as_of.0.saturating_sub(ms)),
            Since::At(time) => time,
        };
        Self { from, to: as_of, left_out: Vec::new(), undated: 0 }
    }

    /// Whether a run belongs to it: it ended (or, without an end, began) after the window's start, and began before its end.
    #[must_use]
    pub fn holds(&self, run: &RunReport) -> bool {
        let (first, last) = (run.started.or(run.ended), run.ended.or(run.started));
        first.is_none_or(|t| t <= self.to) && last.is_none_or(|t| t >= self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_times_are_read() {
        assert_eq!("7d".parse(), Ok(Since::Ago(7 * 86_400_000)));
        assert_eq!("36h".parse(), Ok(Since::Ago(36 * 3_600_000)));
        assert_eq!("2026-11-22".parse(), Ok(Since::At(Time(1_795_305_600_000))));
        assert_eq!("2026-11-22T00:00:00Z".parse(), Ok(Since::At(Time(1_795_305_600_000))));
        assert!("last week".parse::<Since>().unwrap_err().contains("write 7d"));
        assert_eq!(Window::new(Since::Ago(7 * 86_400_000), Time(1_795_910_400_000)).from, Time(1_795_305_600_000));
    }
}
