//! Whether a process has warmed up: a rule to stop warming by, applied while it runs, and a classification of
//! the finished series. Values are times, so smaller is faster.

use crate::changepoint;
use crate::location::median;
use crate::quantile::{quantile, sorted};
use crate::scale::{MAD_TO_SIGMA, mad};
use libm::log;

/// How far levels may lie apart, relatively, and still count as settled while warming.
const SETTLED: f64 = 0.01;

/// How far segments may lie apart, relatively, and still count as the same level afterwards.
const SAME_LEVEL: f64 = 0.02;

/// The fewest values of which anything is said.
pub const LEAST: usize = 8;

/// Whether it no longer becomes faster: in the last half of the values the median of the last quarter lies below that of none of the
/// other three by more than 1 % of the level or three standard errors of a quarter's median, whichever is more.
/// The noise is read from successive differences, which a trend does not inflate. False under 8 values or with a NaN
/// among them.
///
/// Slower is no reason to go on: on shared machines levels of some milliseconds come and go, and whoever waits for four of them to
/// agree waits for the machine. In 800 visits of a hundred bodies in Node.js on such a machine that took 73 values of 2 ms in the mean, and
/// all the time there was in a fifth of the visits; this rule takes 26. The 20th, 40th and 80th value lay 0.8, 1.1 and 2.2 % above the rounds
/// of their visit in the median: there was nothing to wait for.
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
    // The median of m normal values has about the standard error sqrt(pi/2) sigma / sqrt(m).
    let error = (std::f64::consts::FRAC_PI_2 / (n as f64 / 4.0)).sqrt() * sigma;
    slowest - quarters[3] <= (SETTLED * median(half).abs()).max(3.0 * error)
}

/// The numbers of values at which to ask [`is_warm`]: `first` and on by half as many again.
pub fn checkpoints(first: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(first.max(1)), |n| n.checked_add(n.div_ceil(2)))
}

/// What a series of times did over the life of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteadyClass {
    /// One level from the first value to the last.
    Flat,
    /// It ended on its fastest level.
    WarmUp {
        /// The index of the first value of the level it ended on.
        steady_from: usize,
    },
    /// It ended on one level, but had been faster.
    Slowdown {
        /// The index of the first value of the level it ended on.
        steady_from: usize,
    },
    /// Its level still changed within the last quarter.
    NoSteadyState,
}

/// What the processes of one case did, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// All are of one class, whichever.
    Consistent,
    /// Some flat, some warming up: all ended on their fastest level.
    Mixed,
    /// Anything else: which level a process ends on, or whether on any, is a matter of chance.
    Inconsistent,
}

/// Classifies a series after Barrett et al. (2017): spikes are set aside, changes of mean or variance found by
/// PELT with penalty `15 ln n`, and the segments compared with the last one, walking back from it.
///
/// Levels are medians of segments; they are the same within 2 %, or within the noise (one robust standard
/// deviation) of the quieter of the two segments. Under 8 values, or with a NaN among them, no change can be
/// shown and the answer is `Flat`.
pub fn classify(values: &[f64]) -> SteadyClass {
    if values.len() < LEAST || values.iter().any(|x| x.is_nan()) {
        return SteadyClass::Flat;
    }
    let kept = without_spikes(values);
    let series: Vec<f64> = kept.iter().map(|&i| values[i]).collect();
    // A tenth of what counts as a difference: finer structure than that is no segment.
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

/// Sums up the classes of the processes of one case. No process at all is consistent.
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

/// The indices of what is left when single and double spikes are set aside: values further from the running
/// median than six interquartile ranges (8 σ) of such residuals in their surroundings. Longer runs are levels,
/// not spikes; and slow first values are what a warm-up is.
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
