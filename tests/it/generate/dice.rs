//! The one source of chance: everything a case holds follows from its seed.

/// A seeded generator with the few draws that the rest needs.
pub(crate) struct Dice {
    rng: fastrand::Rng,
}

impl Dice {
    /// Equal seeds give equal sequences, on every machine.
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed) }
    }

    /// True with probability `p`.
    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.rng.f64() < p
    }

    /// A whole number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        self.rng.usize(low..=high.max(low))
    }

    /// As [`Dice::between`], for times.
    pub(crate) fn span(&mut self, low: i64, high: i64) -> i64 {
        self.rng.i64(low..=high.max(low))
    }

    /// A real number from `low` up to `high`.
    pub(crate) fn real(&mut self, low: f64, high: f64) -> f64 {
        low + self.rng.f64() * (high - low)
    }

    /// A number whose logarithm is even between the two: small ones are as
    /// common as large ones, as waits and file sizes are.
    pub(crate) fn log_real(&mut self, low: f64, high: f64) -> f64 {
        self.real(low.ln(), high.ln()).exp()
    }

    /// One of the items; the slice must not be empty.
    pub(crate) fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.rng.usize(..items.len())]
    }

    /// One of the items, copied; the slice must not be empty.
    pub(crate) fn pick_copy<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.usize(..items.len())]
    }

    /// Puts the items in a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.rng.shuffle(items);
    }

    /// `n` hexadecimal digits.
    pub(crate) fn hex(&mut self, n: usize) -> String {
        const DIGITS: &[u8] = b"0123456789abcdef";
        (0..n).map(|_| char::from(DIGITS[self.rng.usize(..DIGITS.len())])).collect()
    }
}
