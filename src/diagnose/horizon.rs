//! How long a run may be silent before it counts as dead.

use crate::settings::Thresholds;
use crate::trace::rows::{Beat, StepKind};
use crate::trace::{Time, Trace, span};

/// The horizon of a run, with where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Horizon {
    /// Silence from here on is suspect, in seconds.
    pub suspect_s: f64,
    /// Silence beyond this is a death, in seconds.
    pub verdict_s: f64,
    /// In words.
    pub basis: String,
    /// The threshold that decided.
    pub threshold: &'static str,
}

impl Horizon {
    /// From the rhythm of beats, else of iterations, else without one.
    #[must_use]
    pub fn of(trace: &Trace, limits: &Thresholds) -> Self {
        let beats: Vec<Time> = trace.beats.iter().filter_map(|b: &Beat| b.at).collect();
        let starts: Vec<Time> = iteration_starts(trace);
        let rhythm = [(beats, "beats"), (starts, "iterations")]
            .into_iter()
            .filter_map(|(times, of)| median_interval(&times, limits.death_intervals as usize).map(|m| (m, of)))
            .next();
        let mut horizon = match rhythm {
            Some((median, of)) => {
                let scaled = median * limits.death_factor;
                let (verdict_s, threshold) =
                    if scaled >= limits.death_floor_s { (scaled, "death_factor") } else { (limits.death_floor_s, "death_floor_s") };
                let basis = format!(
                    "{} x the median interval of {} between {of}, at least {}",
                    limits.death_factor,
                    span(median),
                    span(limits.death_floor_s)
                );
                Self { suspect_s: verdict_s, verdict_s, basis, threshold }
            }
            None => Self {
                suspect_s: limits.death_suspect_s.min(limits.death_verdict_s),
                verdict_s: limits.death_verdict_s,
                basis: format!("fewer than {} intervals are known", limits.death_intervals),
                threshold: "death_verdict_s",
            },
        };
        if let Some(timeout) = trace.tool_timeout_s {
            let least = timeout * limits.death_timeout_factor;
            if least > horizon.verdict_s {
                horizon.verdict_s = least;
                horizon.basis = format!("{} x a declared tool timeout of {}", limits.death_timeout_factor, span(timeout));
                horizon.threshold = "death_timeout_factor";
            }
            horizon.suspect_s = horizon.suspect_s.max(least);
        }
        horizon
    }
}

/// When each iteration began: its `iter_start`, else its first record.
fn iteration_starts(trace: &Trace) -> Vec<Time> {
    let mut starts: Vec<Time> = trace.steps.iter().filter(|s| s.kind == StepKind::IterStart).filter_map(|s| s.at).collect();
    if starts.is_empty() {
        starts = trace.iterations.iter().filter_map(|i| i.start).collect();
    }
    starts.sort_unstable();
    starts
}

/// The median of the intervals in seconds, where there are at least `least`.
fn median_interval(times: &[Time], least: usize) -> Option<f64> {
    let mut gaps: Vec<i64> = times.windows(2).map(|w| w[1].0 - w[0].0).collect();
    if gaps.len() < least || gaps.is_empty() {
        return None;
    }
    gaps.sort_unstable();
    let middle = gaps.len() / 2;
    let doubled = if gaps.len() % 2 == 1 { 2 * gaps[middle] } else { gaps[middle - 1] + gaps[middle] };
    #[expect(clippy::cast_precision_loss, reason = "an interval in ms is far below 2^52")]
    Some(doubled as f64 / 2_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let at = |s: &[i64]| s.iter().map(|s| Time(s * 1000)).collect::<Vec<_>>();
        assert_eq!(median_interval(&at(&[0, 10, 30, 60]), 3), Some(20.0));
        assert_eq!(median_interval(&at(&[0, 10, 30, 60, 100]), 3), Some(25.0));
        assert_eq!(median_interval(&at(&[0, 10, 30]), 3), None);
    }
}
