//! Warm-up: a rule that ends it while the process runs, and a classification of the finished series. Values
//! are times, so smaller is faster.

use crate::changepoint;
use crate::location::median;
use crate::quantile::{quantile, sorted};
use crate::scale::{MAD_TO_SIGMA, mad};
use libm::log;

/// During warm-up, levels that differ by at most this share count as settled.
const SETTLED: f64 = 0.01;

/// In a finished series, segments that differ by at most this share have the same level.
const SAME_LEVEL: f64 = 0.02;

/// Minimum number of values for a judgement.
pub const LEAST: usize = 8;

/// Returns true if the process no longer gets faster. Divides the last half of the values into quarters, and
/// compares the median of the last quarter with the others. None of them may exceed it by more than a limit.
/// The limit is the larger of 1 % of the level and three standard errors of a quarter's median. Successive
/// differences estimate the noise, because a trend does not inflate them. Returns false for fewer than 8
/// values, or if one is NaN.
///
/// A process that gets slower does not prolong the warm-up. On shared machines, levels often change after
/// some milliseconds, and a rule that requires all four quarters to agree would wait for the machine to
/// settle. In 800 visits of Node.js bodies, such a rule needed 73 values of 2 ms on average, and this one 26.
/// The later values were no closer to the rounds of their visit, so waiting gained nothing.
pub fn is_warm(values: &[f64]) -> bool {
    if values.len() < LEAST || values.iter().any(|x| x.is_nan()) {
        return false;
    }
    let half = &values[values.len() / 2..];
    let n = half.len();
    let quarters: [f64; 4] = std::array::from_fn(|i| median(&half[i * n / 4..(i + 1) * n / 4]));
    let slowest = quarters.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let steps: Vec<f64> = half.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let sigma = MAD_TO_SIGMA * median(&steps) / std::f64::consts::SQRT_2;
    // The median of m normal values has a standard error of about sqrt(pi/2) sigma / sqrt(m).
    let error = (std::f64::consts::FRAC_PI_2 / (n as f64 / 4.0)).sqrt() * sigma;
    slowest - quarters[3] <= (SETTLED * median(half).abs()).max(3.0 * error)
}

/// Returns the numbers of values at which to call [`is_warm`]. Each is 1.5 times the previous one.
pub fn checkpoints(first: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(first.max(1)), |n| n.checked_add(n.div_ceil(2)))
}

/// The development of a process's times over its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteadyClass {
    /// The times stay on one level.
    Flat,
    /// The series ends on its fastest level.
    WarmUp {
        /// The index of the first value of the final level.
        steady_from: usize,
    },
    /// The series ends on one level, but was faster before.
    Slowdown {
        /// The index of the first value of the final level.
        steady_from: usize,
    },
    /// The level still changes within the last quarter.
    NoSteadyState,
}

/// The agreement between the classes of a case's processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// All processes have the same class.
    Consistent,
    /// Some processes are flat and some warmed up. All ended on their fastest level.
    Mixed,
    /// Any other mixture. Chance decides on which level a process ends, or whether it settles at all.
    Inconsistent,
}

/// Classifies a series after Barrett et al. (2017). Removes spikes, finds changes of mean or variance by PELT
/// with penalty `15 ln n`, and compares the segments with the last one, from last to first.
///
/// The level of a segment is its median. Two levels are the same within 2 %, or within the noise (one robust
/// standard deviation) of the quieter segment. With fewer than 8 values, or if one is NaN, no change can be
/// shown and the result is `Flat`.
pub fn classify(values: &[f64]) -> SteadyClass {
    if values.len() < LEAST || values.iter().any(|x| x.is_nan()) {
        return SteadyClass::Flat;
    }
    let kept = without_spikes(values);
    let series: Vec<f64> = kept.iter().map(|&i| values[i]).collect();
    // A tenth of the smallest difference that matters. Smaller differences do not separate segments.
    let grain = 0.1 * SAME_LEVEL * median(&series).abs();
    let floor = (grain * grain).max(f64::MIN_POSITIVE);
    let changes = changepoint::mean_variance(&series, 15.0 * log(series.len() as f64), 2, floor);
    let starts: Vec<usize> = std::iter::once(0).chain(changes).collect();
    let ends = starts[1..].iter().copied().chain([series.len()]);
    let levels: Vec<Level> =
        starts.iter().zip(ends).map(|(&start, end)| Level::of(&series[start..end])).collect();
    let last = &levels[levels.len() - 1];
    let Some(different) = levels.iter().rposition(|level| !level.same(last)) else {
        return SteadyClass::Flat;
    };
    let steady_from = kept[starts[different + 1]];
    if steady_from > values.len() - values.len() / 4 {
        return SteadyClass::NoSteadyState;
    }
    let was_faster = levels[..=different].iter().any(|level| level.center < last.center && !level.same(last));
    if was_faster { SteadyClass::Slowdown { steady_from } } else { SteadyClass::WarmUp { steady_from } }
}

/// Returns the combined class of the processes of one case. An empty slice is consistent.
pub fn consistency(classes: &[SteadyClass]) -> Consistency {
    use SteadyClass::{Flat, WarmUp};
    let kind = std::mem::discriminant;
    if classes.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1])) {
        Consistency::Consistent
    } else if classes.iter().all(|class| matches!(class, Flat | WarmUp { .. })) {
        Consistency::Mixed
    } else {
        Consistency::Inconsistent
    }
}

struct Level {
    center: f64,
    noise: f64,
}

impl Level {
    fn of(segment: &[f64]) -> Level {
        Level { center: median(segment), noise: MAD_TO_SIGMA * mad(segment) }
    }

    fn same(&self, other: &Level) -> bool {
        let allowed = (SAME_LEVEL * other.center.abs()).max(self.noise.min(other.noise));
        (self.center - other.center).abs() <= allowed
    }
}

/// Returns the indices that remain after removing spikes of one or two values. A spike is farther from the
/// running median than six interquartile ranges (8 σ) of the nearby residuals plus 2 % of the median. Longer
/// runs are levels, not spikes. A spike at the start is kept, because it is the warm-up.
fn without_spikes(values: &[f64]) -> Vec<usize> {
    const REACH: usize = 5;
    const SURROUNDINGS: usize = 100;
    const HOP: usize = 25;
    let n = values.len();
    let around = |i: usize, reach: usize| {
        let from = i.saturating_sub(reach).min(n.saturating_sub(2 * reach + 1));
        from..(from + 2 * reach + 1).min(n)
    };
    let local: Vec<f64> = (0..n).map(|i| median(&values[around(i, REACH)])).collect();
    let residuals: Vec<f64> = values.iter().zip(&local).map(|(x, center)| x - center).collect();
    let mut spike = vec![false; n];
    for start in (0..n).step_by(HOP) {
        let window = sorted(&residuals[around(start + HOP / 2, SURROUNDINGS)]);
        let spread = quantile(&window, 0.75) - quantile(&window, 0.25);
        for i in start..(start + HOP).min(n) {
            spike[i] = residuals[i].abs() > 6.0 * spread + SAME_LEVEL * local[i].abs();
        }
    }
    let mut kept = Vec::with_capacity(n);
    let mut start = 0;
    for run in spike.chunk_by(|a, b| a == b) {
        if !run[0] || run.len() > 2 || start == 0 {
            kept.extend(start..start + run.len());
        }
        start += run.len();
    }
    kept
}
