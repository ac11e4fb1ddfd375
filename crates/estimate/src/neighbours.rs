//! Checks whether a case takes a different time in processes that measured other cases first.

use derny_stats::location::mean;
use derny_stats::student;

/// Minimum number of processes that measured other cases first. With fewer, their spread is too uncertain.
const LEAST: usize = 3;

/// Returns true if a case's log times differ between two groups of processes. In the group `first`, the case
/// came first. In `beside`, the processes had measured other cases before. The difference must exceed
/// `least`, and also the limit of chance at probability `error`. Uses the pooled t-test, which is a
/// prediction interval if a group has a single value.
pub fn differ(first: &[f64], beside: &[f64], error: f64, least: f64) -> bool {
    if first.is_empty() || beside.len() < LEAST {
        return false;
    }
    let squares = |values: &[f64]| {
        let centre = mean(values);
        values.iter().map(|value| (value - centre).powi(2)).sum::<f64>()
    };
    let (m, n) = (first.len() as f64, beside.len() as f64);
    let freedom = m + n - 2.0;
    let spread = ((squares(first) + squares(beside)) / freedom * (1.0 / m + 1.0 / n)).sqrt();
    let most = student::quantile(1.0 - error / 2.0, freedom) * spread;
    (mean(first) - mean(beside)).abs() > most.max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_stats::Rng;

    const CASES: usize = 30;
    const LEAST: f64 = 0.01;

    /// Returns the share of suites of 30 cases in which some case differs, and the share of all cases. Each
    /// case has eight processes with a spread of 1 %. In `first` of them it comes first and is slower by
    /// `change`.
    fn shares(first: usize, change: f64) -> (f64, f64) {
        let mut rng = Rng::new(7);
        let (mut suites, mut cases) = (0, 0);
        for _ in 0..300 {
            let differing = (0..CASES).filter(|_| {
                let mut draw = |count: usize, centre: f64| -> Vec<f64> {
                    (0..count).map(|_| centre + 0.01 * rng.normal()).collect()
                };
                let (first, beside) = (draw(first, change), draw(8 - first, 0.0));
                differ(&first, &beside, 0.05 / CASES as f64, LEAST)
            });
            let count = differing.count();
            suites += usize::from(count > 0);
            cases += count;
        }
        (suites as f64 / 300.0, cases as f64 / (300 * CASES) as f64)
    }

    #[test]
    fn few_suites_without_a_difference_show_one() {
        for first in [1, 4] {
            let (suites, _) = shares(first, 0.0);
            assert!(suites <= 0.05 + 0.025, "{suites}");
        }
    }

    #[test]
    fn most_differences_of_ten_spreads_are_found() {
        let (_, cases) = shares(1, 0.1);
        assert!(cases > 0.9, "{cases}");
        let (_, cases) = shares(4, 0.1);
        assert!(cases > 0.99, "{cases}");
    }

    #[test]
    fn what_is_smaller_than_the_least_is_none() {
        let beside = [0.0, 1e-6, -1e-6, 0.0, 1e-6];
        assert!(!differ(&[0.009], &beside, 0.001, 0.01));
        assert!(differ(&[0.011], &beside, 0.001, 0.01));
        assert!(!differ(&[], &beside, 0.001, 0.01));
        assert!(!differ(&[1.0], &beside[..2], 0.001, 0.01));
    }
}
