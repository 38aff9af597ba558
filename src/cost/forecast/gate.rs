//! Whether a forecast stays within a budget. What is not known never does.

use crate::trace::Money;

/// The answer of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It stays within the budget.
    Within,
    /// It does not.
    Beyond,
    /// It cannot be told, which is no pass.
    Unknown,
}

impl Verdict {
    /// Its word in JSON.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::Beyond => "beyond",
            Self::Unknown => "unknown",
        }
    }
}

/// A budget and what it was held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// The budget.
    pub budget: Money,
    /// The forecast figure; `None` where it is not known.
    pub figure: Option<Money>,
    /// Which figure, or why there is none.
    pub what: String,
}

impl Gate {
    /// Whether it passes.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.figure {
            Some(money) if money <= self.budget => Verdict::Within,
            Some(_) => Verdict::Beyond,
            None => Verdict::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_no_pass() {
        let gate =
            |figure: Option<u32>| Gate { budget: Money::dollars(5), figure: figure.map(Money::dollars), what: String::new() }.verdict();
        assert_eq!([gate(Some(5)), gate(Some(6)), gate(None)], [Verdict::Within, Verdict::Beyond, Verdict::Unknown]);
    }
}
