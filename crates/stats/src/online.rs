//! Levels for a sequence of tests whose number is not known in advance.
//!
//! Uses LORD++ (Ramdas, Yang, Wainwright and Jordan, 2017). For independent tests, it keeps the
//! false-discovery rate at or below `rate` at every moment. A discovery raises the level of later tests, so a
//! sequence with many discoveries never runs out.

/// Exponent by which the shares of later tests decrease.
const DECAY: f64 = 1.3;
/// Added to the position of a test, so that the first tests do not get most of the error.
const DELAY: f64 = 9.0;
/// Sum over all j ≥ 1 of (j + [`DELAY`]) to the power of −[`DECAY`], which is the Hurwitz zeta function
/// ζ(1.3, 10).
const SUM: f64 = 1.696_225_8;
/// Share of the rate that is available before the first discovery.
const INITIAL: f64 = 0.8;

/// Returns the level of test `number`, counted from 1. `discoveries` contains the numbers of earlier tests
/// that were discoveries, in ascending order.
pub fn level(rate: f64, number: usize, discoveries: &[usize]) -> f64 {
    let initial = INITIAL * rate;
    let earned = discoveries.iter().enumerate().filter(|(_, at)| **at < number).map(|(place, at)| {
        let earning = if place == 0 { rate - initial } else { rate };
        earning * share(number - at)
    });
    initial * share(number) + earned.sum::<f64>()
}

fn share(distance: usize) -> f64 {
    libm::pow(distance as f64 + DELAY, -DECAY) / SUM
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_shares_sum_to_one() {
        let part: f64 = (1..=100_000).map(share).sum();
        // The rest of the sum is close to its integral.
        let rest = libm::pow(100_000.5 + DELAY, 1.0 - DECAY) / (DECAY - 1.0) / SUM;
        assert!((part + rest - 1.0).abs() < 1e-6, "{}", part + rest);
    }

    #[test]
    fn without_discoveries_all_levels_sum_to_less_than_the_rate() {
        let sum: f64 = (1..=1000).map(|number| level(0.05, number, &[])).sum();
        assert!(sum < 0.04, "{sum}");
        assert!(level(0.05, 1, &[]) > level(0.05, 100, &[]));
    }

    #[test]
    fn a_discovery_raises_later_levels_only() {
        assert!(level(0.05, 11, &[10]) > level(0.05, 11, &[]));
        assert!((level(0.05, 10, &[10]) - level(0.05, 10, &[])).abs() < 1e-15);
        assert!(level(0.05, 12, &[5, 11]) > level(0.05, 12, &[5]));
    }

    /// Simulates sequences of 100 tests, some of which have an effect. Returns the mean share of false
    /// discoveries, and their mean number.
    fn simulated(effects: f64, seed: u64) -> (f64, f64) {
        let mut rng = Rng::new(seed);
        let (mut shares, mut falses) = (0.0, 0.0);
        const SEQUENCES: usize = 2000;
        for _ in 0..SEQUENCES {
            let (mut found, mut wrong): (Vec<usize>, u32) = (Vec::new(), 0);
            for number in 1..=100 {
                let is_real = rng.f64() < effects;
                // A real effect has p-values that are the fourth power of uniform ones.
                let p = if is_real { libm::pow(rng.f64(), 4.0) } else { rng.f64() };
                if p <= level(0.05, number, &found) {
                    found.push(number);
                    wrong += u32::from(!is_real);
                }
            }
            shares += f64::from(wrong) / found.len().max(1) as f64;
            falses += f64::from(wrong);
        }
        (shares / SEQUENCES as f64, falses / SEQUENCES as f64)
    }

    #[test]
    fn the_false_discovery_rate_is_kept() {
        let (share, falses) = simulated(0.0, 1);
        assert!(share <= 0.055 && falses <= 0.06, "{share} {falses}");
        let (share, _) = simulated(0.3, 2);
        assert!(share <= 0.055, "{share}");
    }
}
