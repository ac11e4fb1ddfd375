//! Ranks the cases of a run by time, relative to the fastest. Cases are measured in separate processes, so
//! their times are independent.

use derny_model::{Estimate, Interval};
use derny_stats::normal_quantile;

/// An entry of the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedTime {
    /// Index of the time.
    pub index: usize,
    /// Time relative to the fastest. It has an interval if both times have one.
    pub times: Estimate,
    /// True if the interval shows that the case is slower than the fastest.
    pub slower: bool,
}

/// Returns the times in ascending order, each relative to the first. `confidence` is the level of the times'
/// own intervals. The interval of a ratio combines both intervals in quadrature on the log scale (Zou and
/// Donner, 2008).
///
/// The data determine the fastest case, so any two cases might be compared. Intervals are therefore
/// widened by Bonferroni's correction for all pairs.
pub fn rank(times: &[Estimate], confidence: f64) -> Vec<RankedTime> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].value.total_cmp(&times[b].value));
    let Some(&first) = order.first() else { return Vec::new() };
    let pairs = times.len() * (times.len() - 1) / 2;
    let wider = widening(pairs.max(1), confidence);
    let place = |&index: &usize| {
        let value = times[index].value / times[first].value;
        let interval = if index == first { None } else { ratio(&times[index], &times[first], wider) };
        RankedTime {
            index,
            times: Estimate { value, interval },
            slower: interval.is_some_and(|of| of.lo > 1.0),
        }
    };
    order.iter().map(place).collect()
}

fn widening(pairs: usize, confidence: f64) -> f64 {
    let alpha = 1.0 - confidence;
    let quantile = |alpha: f64| normal_quantile(1.0 - alpha / 2.0);
    quantile(alpha / pairs as f64) / quantile(alpha)
}

fn ratio(time: &Estimate, base: &Estimate, wider: f64) -> Option<Interval> {
    let (own, others) = (time.interval?, base.interval?);
    let distance = |a: f64, b: f64| libm::log(a / b);
    let log = distance(time.value, base.value);
    let down = libm::hypot(distance(time.value, own.lo), distance(others.hi, base.value));
    let up = libm::hypot(distance(own.hi, time.value), distance(base.value, others.lo));
    let interval = Interval { lo: libm::exp(log - wider * down), hi: libm::exp(log + wider * up) };
    (interval.lo.is_finite() && interval.hi.is_finite()).then_some(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(value: f64, share: f64) -> Estimate {
        let interval = Interval { lo: value / (1.0 + share), hi: value * (1.0 + share) };
        Estimate { value, interval: Some(interval) }
    }

    #[test]
    fn the_fastest_is_first_and_ratios_join_both_intervals() {
        let places = rank(&[time(20.0, 0.03), time(10.0, 0.04)], 0.95);
        assert_eq!(places.iter().map(|place| place.index).collect::<Vec<_>>(), [1, 0]);
        assert_eq!((places[0].times.value, places[0].slower), (1.0, false));
        let interval = places[1].times.interval.unwrap();
        let half = libm::hypot(libm::log(1.03), libm::log(1.04));
        assert!((interval.hi / (2.0 * libm::exp(half)) - 1.0).abs() < 1e-12, "{interval:?}");
        assert!((interval.lo / (2.0 * libm::exp(-half)) - 1.0).abs() < 1e-12, "{interval:?}");
        assert!(places[1].slower);
    }

    #[test]
    fn more_cases_make_wider_intervals() {
        let [two, four] = [2, 4].map(|count| {
            let times: Vec<Estimate> = (0..count).map(|k| time(10.0 + f64::from(k), 0.05)).collect();
            rank(&times, 0.95)[1].times.interval.unwrap()
        });
        let ratio = libm::log(four.hi / 1.1) / libm::log(two.hi / 1.1);
        assert!((ratio - 2.638 / 1.960).abs() < 1e-3, "{ratio}");
    }

    #[test]
    fn without_an_interval_nothing_is_told_apart() {
        let places = rank(&[time(10.0, 0.01), Estimate { value: 30.0, interval: None }], 0.95);
        assert_eq!(places[1].times, Estimate { value: 3.0, interval: None });
        assert!(!places[1].slower && rank(&[], 0.95).is_empty());
    }
}
