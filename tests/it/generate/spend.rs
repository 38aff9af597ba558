//! What an iteration costs, in a way that every reader computes alike.

use super::dice::Dice;

/// Model, USD per million input tokens, USD per million output tokens.
const PRICED: &[(&str, f64, f64)] = &[("claude-sonnet-4-5", 3.0, 15.0), ("claude-haiku-4-5", 1.0, 5.0), ("gpt-5-codex", 1.25, 10.0)];

/// A model that stands in no price list.
const UNPRICED: (&str, f64, f64) = ("acme-coder-2", 2.0, 8.0);

/// Input tokens of one call stay below this: from 200,000 on some models bill
/// the whole request at a higher rate.
const MOST_INPUT: f64 = 110_000.0;

/// One call of the model.
pub(super) struct ModelCall {
    pub model: &'static str,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// The price of those tokens.
    pub usd: f64,
}

/// The model of one run.
#[derive(Clone, Copy)]
pub(super) struct Tariff {
    model: &'static str,
    input: f64,
    output: f64,
}

impl Tariff {
    pub(super) fn draw(priced: bool, dice: &mut Dice) -> Self {
        let (model, input, output) = if priced { dice.pick_copy(PRICED) } else { UNPRICED };
        Self { model, input, output }
    }

    /// Calls that cost about `usd` together.
    pub(super) fn calls(&self, usd: f64, dice: &mut Dice) -> Vec<ModelCall> {
        // Nine tenths for what is read, one for what is written.
        let input = usd * 0.9 * 1e6 / self.input;
        let output = usd * 0.1 * 1e6 / self.output;
        let n = (input / MOST_INPUT).ceil().max(1.0);
        (0..n as usize)
            .map(|_| {
                let tokens_in = (input / n * dice.real(0.97, 1.03)).max(50.0) as u64;
                let tokens_out = (output / n * dice.real(0.97, 1.03)).max(5.0) as u64;
                ModelCall {
                    model: self.model,
                    tokens_in,
                    tokens_out,
                    usd: (tokens_in as f64 * self.input + tokens_out as f64 * self.output) / 1e6,
                }
            })
            .collect()
    }
}

/// Parts of `total`, none more than about twice another.
pub(super) fn shares(total: f64, n: usize, dice: &mut Dice) -> Vec<f64> {
    let weights: Vec<f64> = (0..n).map(|_| dice.real(0.7, 1.3)).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| total * weight / sum).collect()
}
