//! Experiments repeated at several levels, such as iterations within processes within builds: what each level adds
//! to the variance, the interval of the mean, and how often to repeat each (Kalibera and Jones, 2013, with
//! the correction of T² that their later report has). All lists start at the lowest level.

use crate::interval::Interval;
use crate::location::mean;
use crate::ratio;
use crate::scale::variance;
use crate::student;

/// What a balanced experiment tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Nested {
    /// The grand mean.
    pub mean: f64,
    /// How often each level was repeated within the next.
    pub repetitions: Vec<usize>,
    /// S²: the variance seen between the means of each level's units, in the squared unit.
    pub seen: Vec<f64>,
    /// T²: what each level adds by itself, free of the levels below; 0 where the estimate is negative.
    pub own: Vec<f64>,
}

impl Nested {
    /// From the values in order, the lowest level running fastest. `None` unless there are as many values as the
    /// product of the repetitions, each at least 2, and none is NaN.
    pub fn of(values: &[f64], repetitions: &[usize]) -> Option<Nested> {
        let wanted: usize = repetitions.iter().product();
        let usable = wanted == values.len() && !repetitions.is_empty() && repetitions.iter().all(|&r| r > 1);
        if !usable || values.iter().any(|x| x.is_nan()) {
            return None;
        }
        let (mut means, mut seen) = (values.to_vec(), Vec::new());
        for &r in repetitions {
            let variances: Vec<f64> = means.chunks(r).map(variance).collect();
            seen.push(mean(&variances));
            means = means.chunks(r).map(mean).collect();
        }
        let own = |level: usize| {
            let below = if level == 0 { 0.0 } else { seen[level - 1] / repetitions[level - 1] as f64 };
            (seen[level] - below).max(0.0)
        };
        let own = (0..seen.len()).map(own).collect();
        Some(Nested { mean: means[0], repetitions: repetitions.to_vec(), seen, own })
    }

    /// The `1 - alpha` interval of the mean: only the highest level's units are independent.
    pub fn interval(&self, alpha: f64) -> Interval {
        let half = self.half(alpha);
        Interval { lo: self.mean - half, hi: self.mean + half }
    }

    /// The `1 - alpha` interval of this mean over another's, by Fieller. `None` where the other may be zero.
    pub fn ratio_interval(&self, base: &Nested, alpha: f64) -> Option<Interval> {
        ratio::of_means((self.mean, self.half(alpha)), (base.mean, base.half(alpha)))
    }

    /// How often to repeat each level but the highest so that a given time tells most, before rounding up:
    /// `sqrt(c_(i+1) / c_i · T_i² / T_(i+1)²)`. `costs` are the times that one more unit of each level
    /// costs by itself, in any one unit. Infinite where the next level adds nothing.
    pub fn optimal_repetitions(&self, costs: &[f64]) -> Vec<f64> {
        let levels = self.own.windows(2).zip(costs.windows(2));
        levels.map(|(own, cost)| (cost[1] / cost[0] * own[0] / own[1]).sqrt()).collect()
    }

    fn half(&self, alpha: f64) -> f64 {
        let top = self.seen.len() - 1;
        let n = self.repetitions[top] as f64;
        student::quantile(1.0 - alpha / 2.0, n - 1.0) * (self.seen[top] / n).sqrt()
    }
}
