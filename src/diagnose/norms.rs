//! What a run is held against: the same task by hand, and the same loop's green runs.

/// The mean of the manual runs of a run's task.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Norm {
    /// US dollars.
    pub usd: Option<f64>,
    /// Tokens.
    pub tokens: Option<f64>,
    /// Model calls.
    pub calls: Option<f64>,
}

/// The green runs of the same loop, where enough are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Peers {
    /// How many.
    pub runs: u32,
    /// The median of their cost, where enough of them know it.
    pub usd: Option<f64>,
    /// The median of their tokens.
    pub tokens: Option<f64>,
    /// The 95th percentile of their iterations.
    pub iterations_p95: u32,
}

/// Everything that is known beside the run itself.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Norms {
    /// The manual baseline.
    pub baseline: Option<Norm>,
    /// The same loop's green runs.
    pub peers: Option<Peers>,
}

/// A ratio as reports state it: six digits, so that rounding decides nothing and every machine says the same.
#[must_use]
pub fn rounded(ratio: f64) -> f64 {
    format!("{ratio:.5e}").parse().unwrap_or(ratio)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn six_digits() {
        assert_eq!([rounded(2.999_999_999_9), rounded(0.000_123_456_789), rounded(1_234_567.0)], [3.0, 0.000_123_457, 1_234_570.0]);
    }
}
