//! What one run cost: computed where the model has a price, else as the log says.

use super::{CallCost, Cost, CostSum, Prices, Rate, price_call};
use crate::trace::{Money, Name, Trace};
use std::collections::HashMap;

/// A run's cost, with where it comes from.
#[derive(Debug, Clone, Default)]
pub struct RunCost {
    /// The sum, and what could not be priced.
    pub sum: CostSum,
    /// The log's own sum.
    pub reported: Option<Money>,
    /// The log's own sum of the calls that were computed too, with the computed sum: what can be compared.
    pub both: Option<(Money, Money)>,
    /// Calls whose cost was computed.
    pub computed: u32,
    /// Calls whose cost is the log's own.
    pub taken: u32,
}

impl RunCost {
    /// Where the sum comes from; `None` where there is none.
    #[must_use]
    pub fn source(&self) -> Option<&'static str> {
        match (self.computed > 0, self.taken > 0) {
            _ if self.sum.status() == Cost::Unknown => None,
            (true, true) => Some("mixed"),
            (true, false) => Some("computed"),
            (false, _) => Some("reported"),
        }
    }
}

/// Prices every booking of a trace in place and sums up. Model names are looked up once.
pub fn of_run(trace: &mut Trace, prices: &Prices) -> RunCost {
    let mut rates: HashMap<Name, Option<&Rate>> = HashMap::new();
    let mut cost = RunCost::default();
    for booking in &mut trace.bookings {
        let tokens = booking.tokens.total().unwrap_or(0);
        // A logged 0 beside tokens is a writer that does not know.
        let reported = booking.reported.filter(|m| m.0 > 0 || tokens == 0);
        if booking.tokens.is_unknown() && reported.is_none() {
            continue;
        }
        let rate =
            booking.model.and_then(|name| *rates.entry(name).or_insert_with(|| prices.find(trace.names.text(name)).ok().map(|m| m.rate)));
        // A back-end that counts nothing says nothing about its cost.
        if rate.is_none() && tokens == 0 && reported.is_none() {
            continue;
        }
        let call = price_call(rate, &booking.tokens, booking.web_searches);
        cost.reported = add(cost.reported, reported);
        let whole = call.money.is_some() && call.unpriced_tokens == 0 && call.unpriced_searches == 0 && !call.incomplete && rate.is_some();
        match (call.money, reported) {
            (Some(money), _) if whole => {
                cost.computed += 1;
                booking.spent = Some(money);
                if let Some(reported) = reported {
                    let (a, b) = cost.both.unwrap_or_default();
                    cost.both = Some((a + reported, b + money));
                }
                cost.sum.add(&call, None);
            }
            (_, Some(money)) => {
                cost.taken += 1;
                booking.spent = Some(money);
                cost.sum.add(&CallCost { money: Some(money), ..CallCost::default() }, None);
            }
            (money, None) => {
                booking.spent = money.filter(|m| m.0 > 0);
                cost.computed += u32::from(booking.spent.is_some());
                cost.sum.add(&call, booking.model.map(|m| trace.names.text(m)));
            }
        }
    }
    let newest = trace.bookings.iter().rev().filter(|b| !b.side).find_map(|b| b.model);
    trace.window = newest.and_then(|m| prices.find(trace.names.text(m)).ok().and_then(|m| m.context_window)).or(trace.window);
    // A runner's own total holds what its calls' figures would.
    cost.reported = add(cost.reported, trace.stated);
    if let (Some(stated), Cost::Unknown) = (trace.stated, cost.sum.status()) {
        cost.taken += 1;
        cost.sum = CostSum { known: Some(stated), ..CostSum::default() };
    }
    cost
}

fn add(a: Option<Money>, b: Option<Money>) -> Option<Money> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}
