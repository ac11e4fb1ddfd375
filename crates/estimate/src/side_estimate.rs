//! A variant's own value. Its form depends only on the number of processes, never on their spread. Six or
//! more processes have an interval. An interval from fewer would not be reliable at 95 %, so the value is the
//! median with the range.

use crate::level::{ENOUGH, Levels};
use derny_model::{Estimate, Interval};
use derny_stats::location;

/// The value of a variant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideEstimate {
    /// The value. It has an interval from [`ENOUGH`] processes on.
    pub estimate: Estimate,
    /// Smallest and largest process value. Present if there are at least two processes, but too few for an
    /// interval.
    pub range: Option<Interval>,
}

impl SideEstimate {
    /// Creates a value without interval or range.
    pub fn point(value: f64) -> SideEstimate {
        SideEstimate { estimate: Estimate { value, interval: None }, range: None }
    }

    /// Computes the variant's value from the values of its processes.
    pub fn of(values: &[f64], levels: &Levels) -> SideEstimate {
        match values.len() < ENOUGH {
            true => SideEstimate { range: range(values), ..SideEstimate::point(location::median(values)) },
            false => SideEstimate { estimate: levels.robust(values), range: None },
        }
    }

    /// Computes the variant's value from the logarithms of its processes' values. `resolution` is the
    /// possible effect of the clock's step, as a share.
    pub fn of_logs(logs: &[f64], resolution: f64, levels: &Levels) -> SideEstimate {
        match logs.len() < ENOUGH {
            true => SideEstimate::of(logs, levels).map(libm::exp),
            false => SideEstimate { estimate: levels.robust_log(logs, resolution), range: None },
        }
    }

    /// Computes the ratio of totals over all processes, each with a pair of totals. Returns `None` if the
    /// ratio is not finite.
    pub fn of_totals(totals: &[(f64, f64)], levels: &Levels) -> Option<SideEstimate> {
        let estimate = levels.ratio(totals)?;
        if totals.len() >= ENOUGH {
            return Some(SideEstimate { estimate, range: None });
        }
        let ratios: Vec<f64> = totals.iter().map(|(above, below)| above / below).collect();
        Some(SideEstimate { range: range(&ratios), ..SideEstimate::point(estimate.value) })
    }

    /// Applies a monotone function to the value, its interval and its range.
    pub fn map(self, to: impl Fn(f64) -> f64) -> SideEstimate {
        let ends = |i: Interval| {
            let (a, b) = (to(i.lo), to(i.hi));
            Interval { lo: a.min(b), hi: a.max(b) }
        };
        let Estimate { value, interval } = self.estimate;
        SideEstimate {
            estimate: Estimate { value: to(value), interval: interval.map(ends) },
            range: self.range.map(ends),
        }
    }
}

fn range(values: &[f64]) -> Option<Interval> {
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (values.len() > 1 && lo.is_finite() && hi.is_finite()).then_some(Interval { lo, hi })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_decides_between_range_and_interval() {
        let levels = Levels::at(40, 0.95);
        let of = |values: &[f64]| SideEstimate::of(values, &levels);
        assert_eq!(of(&[7.0]), SideEstimate::point(7.0));
        let few = of(&[10.0, 10.1, 10.0, 10.1, 13.0]);
        assert_eq!((few.estimate.value, few.estimate.interval), (10.1, None));
        assert_eq!(few.range, Some(Interval { lo: 10.0, hi: 13.0 }));
        let enough = of(&[1.0, 9.0, 400.0, 2.0, 5.0, 80.0]);
        assert!(enough.estimate.interval.is_some() && enough.range.is_none());
    }

    #[test]
    fn logarithms_and_totals_have_the_range_of_processes_too() {
        let levels = Levels::at(40, 0.95);
        let logs = [8.0f64, 2.0, 4.0].map(libm::log);
        let own = SideEstimate::of_logs(&logs, 0.0, &levels);
        let range = own.range.unwrap();
        assert!((own.estimate.value - 4.0).abs() < 1e-12 && own.estimate.interval.is_none());
        assert!((range.lo - 2.0).abs() < 1e-12 && (range.hi - 8.0).abs() < 1e-12);
        let totals = SideEstimate::of_totals(&[(10.0, 1.0), (60.0, 3.0)], &levels).unwrap();
        assert_eq!((totals.estimate.value, totals.range), (17.5, Some(Interval { lo: 10.0, hi: 20.0 })));
        let falling = totals.map(|x| 1.0 / x);
        assert_eq!(falling.range, Some(Interval { lo: 0.05, hi: 0.1 }));
        assert_eq!(SideEstimate::of_totals(&[(1.0, 0.0)], &levels), None);
    }
}
