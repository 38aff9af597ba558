//! The generator of the draws. Ours, so that a seed gives the same draws in every release and on every machine.

/// `SplitMix64` (Steele, Lea, Flood 2014): one addition and three shifts a number, equidistributed over 64 bits.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `n`, which is above 0: the high half of a product, whose bias is below n / 2^64.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.next()) * (n as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// In [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference values of the published generator for the seed 1234567.
    #[test]
    fn the_published_sequence() {
        let mut r = Random::new(1_234_567);
        assert_eq!([r.next(), r.next(), r.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        let mut r = Random::new(9);
        assert!((0..1_000).all(|_| r.below(7) < 7 && (0.0..1.0).contains(&r.unit())));
    }
}
