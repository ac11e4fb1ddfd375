//! A seeded generator whose stream is the same on every platform: xoshiro256++ seeded by splitmix64 (Blackman
//! and Vigna, 2019). It has no entropy source: for real randomness, pass a random seed.

/// A random generator. Equal seeds always give equal streams, because recorded seeds must reproduce old
/// plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// Returns a generator for a seed. Every seed is valid, including zero.
    pub fn new(seed: u64) -> Rng {
        let mut counter = seed;
        Rng { state: std::array::from_fn(|_| splitmix64(&mut counter)) }
    }

    /// Returns the next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let carry = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= carry;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// Returns a uniform integer in `0..n`, without bias (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "below(0) has no value to return");
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(n);
            if wide as u64 >= threshold {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Returns a uniform number in [0, 1) with 53 random bits.
    pub fn f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Returns a standard normal number (Box and Muller). Always uses two draws, which keeps streams aligned.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.f64())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.f64())
    }

    /// Shuffles the items uniformly (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Returns an independent generator for the part of the work with this label. Advances `self` by exactly
    /// one draw, regardless of how many numbers the part draws.
    pub fn fork(&mut self, label: u64) -> Rng {
        let mut counter = label;
        Rng::new(self.next_u64() ^ splitmix64(&mut counter))
    }
}

fn splitmix64(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *counter;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_equal_the_published_ones() {
        let mut counter = 1_234_567;
        assert_eq!(splitmix64(&mut counter), 6_457_827_717_110_365_317);
        assert_eq!(splitmix64(&mut counter), 3_203_168_211_198_807_973);
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let expected = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!(std::array::from_fn(|_| rng.next_u64()), expected);
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(1);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4) * (f64::from(c) - 1e4) / 1e4).sum();
        assert!(chi2 < 22.46, "chi-squared {chi2} with 6 degrees of freedom has p < .001");
        assert!((0..1000).all(|_| rng.below(u64::MAX / 2 + 2) <= u64::MAX / 2 + 1));
        assert!((0..100).all(|_| rng.below(1) == 0));
    }

    #[test]
    fn normal_has_the_moments_of_a_standard_normal() {
        let mut rng = Rng::new(2);
        let draws: Vec<f64> = (0..40_000).map(|_| rng.normal()).collect();
        let moment = |k: u32| draws.iter().map(|x| (0..k).fold(1.0, |p, _| p * x)).sum::<f64>() / 4e4;
        assert!(moment(1).abs() < 0.02, "{}", moment(1));
        assert!((moment(2) - 1.0).abs() < 0.03, "{}", moment(2));
        assert!(moment(3).abs() < 0.08, "{}", moment(3));
        assert!((moment(4) - 3.0).abs() < 0.25, "{}", moment(4));
    }

    #[test]
    fn shuffle_reaches_every_order_equally_often() {
        let mut rng = Rng::new(3);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            *seen.entry(items).or_insert(0_u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|&n| (850..1150).contains(&n)), "{seen:?}");
    }

    #[test]
    fn forks_differ_by_label_and_do_not_disturb_the_parent() {
        let (mut one, mut two) = (Rng::new(9), Rng::new(9));
        let mut a = one.fork(1);
        let mut b = two.fork(2);
        assert_ne!(a.next_u64(), b.next_u64());
        for _ in 0..10 {
            a.next_u64();
        }
        assert_eq!(one.next_u64(), two.next_u64());
        assert!((0..1000).map(|_| one.f64()).all(|x| (0.0..1.0).contains(&x)));
    }
}
