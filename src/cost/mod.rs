//! What a run cost: prices of models, the price of one call, and sums that say what they could not price.

pub mod baseline;
mod call;
pub mod forecast;
pub mod growth;
pub mod prices;
pub mod proportion;
mod run;
mod sum;

pub use call::{CallCost, cost_of_call, price_call};
pub use prices::{Prices, Rate};
pub use run::{RunCost, of_run};
pub use sum::{Cost, CostSum};
