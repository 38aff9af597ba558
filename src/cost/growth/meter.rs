//! Counts and bills calls, a ramp at a time.

use super::closed;
use super::shape::Caching;
use super::tariff::{Band, Tariff};
use crate::trace::Money;

/// What was counted so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// All input, cached or not.
    pub input: u64,
    /// Of it, read from the cache.
    pub read: u64,
    /// Of it, written to the cache.
    pub write: u64,
    /// Output.
    pub output: u64,
    /// What it costs; `None` as soon as a part has no price.
    pub money: Option<Money>,
}

impl Totals {
    /// Input and output.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// A long-context tier that billed calls of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierUse {
    /// Requests with more context than this are billed by it, whole.
    pub above: u64,
    /// The session's first call that is: from 1, over all iterations, compaction calls counted.
    pub first_call: u64,
    /// Calls billed so.
    pub calls: u64,
}

/// Calls whose contexts rise in even steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ramp {
    /// Context of the first.
    pub(super) first: u64,
    /// What each has more than the one before.
    pub(super) step: u64,
    /// How many.
    pub(super) calls: u64,
    /// What the cache holds of the first one's context.
    pub(super) cached: u64,
    /// Output of each.
    pub(super) output: u64,
    /// How many such ramps there are.
    pub(super) times: u64,
    /// A sub-agent's: its calls have no number in the session.
    pub(super) side: bool,
}

/// The bill of a launch.
pub(super) struct Meter<'t> {
    tariff: &'t Tariff,
    caching: Caching,
    window: Option<u64>,
    calls: u64,
    pub(super) totals: Totals,
    pub(super) tiers: Vec<TierUse>,
    pub(super) compactions: u64,
    pub(super) peak: u64,
    pub(super) beyond_window: Option<u64>,
}

impl<'t> Meter<'t> {
    pub(super) fn new(tariff: &'t Tariff, caching: Caching, window: Option<u64>) -> Self {
        Self {
            tariff,
            caching,
            window,
            calls: 0,
            totals: Totals { input: 0, read: 0, write: 0, output: 0, money: Some(Money::ZERO) },
            tiers: Vec::new(),
            compactions: 0,
            peak: 0,
            beyond_window: None,
        }
    }

    /// Counts a ramp. Each tier bills the calls above its threshold whole, so the ramp is cut where a call crosses one.
    pub(super) fn ramp(&mut self, ramp: Ramp) {
        if ramp.calls == 0 || ramp.times == 0 {
            return;
        }
        if !ramp.side {
            self.window(&ramp);
        }
        let mut rest = ramp;
        for band in &self.tariff.bands {
            let fit = match closed::first_above(rest.first, rest.step, band.up_to) {
                Some(n) => (n - 1).min(rest.calls),
                None => rest.calls,
            };
            if fit == 0 {
                continue;
            }
            let part = Ramp { calls: fit, ..rest };
            let last = rest.first.saturating_add(rest.step.saturating_mul(fit - 1));
            self.totals = bill(self.totals, &part, band, self.caching);
            if let (Some(above), false) = (band.above, ramp.side) {
                tier(&mut self.tiers, above, self.calls + 1, fit);
            }
            if !ramp.side {
                self.calls = self.calls.saturating_add(fit);
                self.peak = self.peak.max(last);
            }
            rest = Ramp { first: last.saturating_add(rest.step), cached: last, calls: rest.calls - fit, ..rest };
            if rest.calls == 0 {
                break;
            }
        }
    }

    fn window(&mut self, ramp: &Ramp) {
        if self.beyond_window.is_none()
            && let Some(n) = self.window.and_then(|w| closed::first_above(ramp.first, ramp.step, w))
            && n <= ramp.calls
        {
            self.beyond_window = Some(self.calls + n);
        }
    }
}

fn tier(tiers: &mut Vec<TierUse>, above: u64, first_call: u64, calls: u64) {
    match tiers.iter_mut().find(|t| t.above == above) {
        Some(known) => known.calls = known.calls.saturating_add(calls),
        None => tiers.push(TierUse { above, first_call, calls }),
    }
}

/// Adds a ramp that lies in one band.
fn bill(mut totals: Totals, ramp: &Ramp, band: &Band, caching: Caching) -> Totals {
    let input = whole(closed::ramp(ramp.first, ramp.step, ramp.calls));
    let read = match caching {
        Caching::None => 0,
        // Each call but the first reads the context of the one before.
        _ => whole(closed::ramp(ramp.first, ramp.step, ramp.calls - 1)).saturating_add(ramp.cached).min(input),
    };
    let write = if caching == Caching::None { 0 } else { input - read };
    let output = ramp.output.saturating_mul(ramp.calls);
    let times = |n: u64| n.saturating_mul(ramp.times);
    totals.input = totals.input.saturating_add(times(input));
    totals.read = totals.read.saturating_add(times(read));
    totals.write = totals.write.saturating_add(times(write));
    totals.output = totals.output.saturating_add(times(output));
    let parts = [(input - read - write, band.input), (read, band.read), (write, band.write), (output, band.output)];
    for (count, price) in parts {
        totals.money = match (totals.money, price) {
            (money, _) if count == 0 => money,
            (Some(money), Some(pico)) => {
                i128::from(times(count)).checked_mul(i128::from(pico)).and_then(|p| money.0.checked_add(p)).map(Money)
            }
            _ => None,
        };
    }
    totals
}

fn whole(n: u128) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
