//! Tokens of one model call or of many, normalised over vendors.

use serde::Serialize;

/// Token counts by billing class. `None` is "the log does not say", which is not zero.
///
/// Vendors differ: Claude's input excludes the cache, OpenAI's and Gemini's includes it; readers normalise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tokens {
    /// Input that no cache served.
    pub input_uncached: Option<u64>,
    /// Input read from a cache.
    pub cache_read: Option<u64>,
    /// Input written to a cache for five minutes; also writes whose class is not logged.
    pub cache_write_5m: Option<u64>,
    /// Input written to a cache for an hour.
    pub cache_write_1h: Option<u64>,
    /// Output, reasoning included.
    pub output: Option<u64>,
    /// The reasoning part of the output.
    pub reasoning: Option<u64>,
}

/// The sum of two counts, unknown only where both are.
fn plus(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}

impl Tokens {
    /// Adds another count, class by class.
    pub fn add(&mut self, other: &Self) {
        self.input_uncached = plus(self.input_uncached, other.input_uncached);
        self.cache_read = plus(self.cache_read, other.cache_read);
        self.cache_write_5m = plus(self.cache_write_5m, other.cache_write_5m);
        self.cache_write_1h = plus(self.cache_write_1h, other.cache_write_1h);
        self.output = plus(self.output, other.output);
        self.reasoning = plus(self.reasoning, other.reasoning);
    }

    /// What a model call's record really counts: a call reads something, so a record of nothing but zeros is a writer that
    /// does not know.
    #[must_use]
    pub fn counted(self) -> Self {
        if self.context() == Some(0) && self.output.unwrap_or(0) == 0 { Self::default() } else { self }
    }

    /// Takes the larger figure of each class. Cache writes are compared as one sum: a record that does not split them says
    /// the same of them again.
    pub fn raise(&mut self, other: &Self) {
        self.input_uncached = self.input_uncached.max(other.input_uncached);
        self.cache_read = self.cache_read.max(other.cache_read);
        let written = |t: &Self| plus(t.cache_write_5m, t.cache_write_1h);
        let all = written(self).max(written(other));
        self.cache_write_1h = self.cache_write_1h.max(other.cache_write_1h);
        self.cache_write_5m = all.map(|all| all.saturating_sub(self.cache_write_1h.unwrap_or(0)));
        self.output = self.output.max(other.output);
        self.reasoning = self.reasoning.max(other.reasoning);
    }

    /// Input of all classes: what the model had to read.
    #[must_use]
    pub fn context(&self) -> Option<u64> {
        [self.cache_read, self.cache_write_5m, self.cache_write_1h].into_iter().fold(self.input_uncached, plus)
    }

    /// Input and output together; reasoning is inside output.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        plus(self.context(), self.output)
    }

    /// Whether nothing at all is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_not_zero() {
        let mut t = Tokens::default();
        assert_eq!((t.total(), t.is_unknown()), (None, true));
        t.add(&Tokens { input_uncached: Some(5), output: Some(2), ..Tokens::default() });
        t.add(&Tokens { cache_read: Some(10), reasoning: Some(1), ..Tokens::default() });
        assert_eq!((t.context(), t.total(), t.cache_write_1h), (Some(15), Some(17), None));
    }

    #[test]
    fn a_write_that_is_told_with_and_without_its_class_is_one() {
        let split = Tokens { cache_write_5m: Some(0), cache_write_1h: Some(900), output: Some(2), ..Tokens::default() };
        let whole = Tokens { cache_write_5m: Some(900), cache_write_1h: Some(0), output: Some(70), ..Tokens::default() };
        for (mut a, b) in [(split, whole), (whole, split)] {
            a.raise(&b);
            assert_eq!((a.cache_write_5m, a.cache_write_1h, a.output), (Some(0), Some(900), Some(70)));
        }
        let mut none = Tokens { cache_read: Some(4), ..Tokens::default() };
        none.raise(&Tokens { cache_read: Some(5), ..Tokens::default() });
        assert_eq!((none.cache_read, none.cache_write_5m, none.context()), (Some(5), None, Some(5)));
    }
}
