//! Changes of level in a series with one value per commit, each with its confidence. A change is found as
//! soon as the new level has a few values. Works with outliers, noise that varies along the series,
//! correlated noise, and slow drift.

use crate::changepoint::pelt;
use crate::location::median;
use crate::quantile::sorted;
use crate::student;
use libm::log;
use std::ops::Range;

/// Rules that decide when a difference between neighbouring parts of a series counts as a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRules {
    /// Minimum number of values in a level. The values of a shorter run are outliers.
    pub min_length: usize,
    /// Smallest difference between the medians of two neighbouring levels, in the unit of the values.
    pub min_change: f64,
    /// Smallest standard deviation of the noise, in the unit of the values. It must be positive. Otherwise,
    /// equal values from a coarse clock would make every later difference significant.
    pub min_noise: f64,
    /// Largest p-value of a change, adjusted for the number of places at which it could be.
    pub significance: f64,
    /// Penalty for each change in the segmentation, as a multiple of `ln n` for `n` values. The unit is the
    /// variance of the noise.
    pub penalty: f64,
}

impl Default for LevelRules {
    /// Returns rules for natural logarithms of times. Levels have at least three values and differ by at
    /// least 0.5 %.
    fn default() -> LevelRules {
        LevelRules { min_length: 3, min_change: 0.005, min_noise: 0.001, significance: 0.05, penalty: 3.0 }
    }
}

impl LevelRules {
    /// Returns rules that find more changes, but also more false ones. Use them if another measurement checks
    /// every change before it is reported.
    pub fn sensitive() -> LevelRules {
        LevelRules { min_change: 0.002, significance: 1.0, penalty: 0.7, ..LevelRules::default() }
    }
}

/// A change between two levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelChange {
    /// Index of the first value of the new level.
    pub index: usize,
    /// Median of the new level minus median of the level before.
    pub difference: f64,
    /// Squared ratio of the difference to its standard error. The clearer a change, the higher its score.
    pub score: f64,
    /// 1 minus the adjusted p-value. It usually grows as values of the new level arrive.
    pub confidence: f64,
}

/// Returns the changes of level, in ascending order of their index, or `None` if a value is not finite.
///
/// 1. Estimates the noise around each value from differences between neighbours, which changes of level
///    hardly affect. Correlation between successive values counts as additional noise.
/// 2. Replaces outliers: runs of fewer than `min_length` values that are more than three standard deviations
///    from the median around them.
/// 3. Finds the segmentation with the least squares, weighted by the noise, and a penalty for each change (PELT;
///    Killick, Fearnhead and Eckley, 2012).
/// 4. Removes changes that are not significant, too small, or part of a drift, starting with the weakest.
///
/// Takes O(n²) time at worst: 0.04 s for 10,000 values.
pub fn level_changes(values: &[f64], rules: &LevelRules) -> Option<Vec<LevelChange>> {
    if values.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let min_length = rules.min_length.max(1);
    if values.len() < 2 * min_length {
        return Some(Vec::new());
    }
    let noise = noise(values, rules.min_noise);
    let calm = without_outliers(values, &noise, min_length);
    let inflation = inflation(values).sqrt();
    let fit = Fit::new(&calm, noise.iter().map(|sigma| sigma * inflation));
    let ends: Vec<usize> = (1..=values.len()).collect();
    let penalty = rules.penalty * log(values.len() as f64);
    let found = pelt(|start, end| fit.level(start..end), 0.0, &ends, penalty, min_length);
    Some(prune(values, &fit, found, rules))
}

/// Removes the weakest change that fails a test and judges its neighbours again, until all changes pass.
fn prune(values: &[f64], fit: &Fit, found: Vec<usize>, rules: &LevelRules) -> Vec<LevelChange> {
    let mut edges = vec![0];
    edges.extend(found);
    edges.push(values.len());
    let judged =
        |edges: &[usize], at: usize| judge(values, fit, [edges[at - 1], edges[at], edges[at + 1]], rules);
    let mut changes: Vec<Judged> = (1..edges.len() - 1).map(|at| judged(&edges, at)).collect();
    loop {
        let failed = (0..changes.len()).filter(|&i| !changes[i].passes);
        let Some(weakest) =
            failed.min_by(|&a, &b| changes[a].change.score.total_cmp(&changes[b].change.score))
        else {
            return changes.into_iter().map(|judged| judged.change).collect();
        };
        changes.remove(weakest);
        edges.remove(weakest + 1);
        for neighbour in weakest.saturating_sub(1)..(weakest + 1).min(changes.len()) {
            changes[neighbour] = judged(&edges, neighbour + 1);
        }
    }
}

struct Judged {
    change: LevelChange,
    passes: bool,
}

/// Judges the change at `index` between the levels `start..index` and `index..end`.
fn judge(values: &[f64], fit: &Fit, [start, index, end]: [usize; 3], rules: &LevelRules) -> Judged {
    let steps = fit.level(start..index) + fit.level(index..end);
    let score = (fit.level(start..end) - steps).max(0.0);
    let places = (end - start) as f64;
    let p = (places * 2.0 * student::cdf(-score.sqrt(), places - 2.0)).min(1.0);
    let difference = median(&values[index..end]) - median(&values[start..index]);
    let passes = p <= rules.significance
        && difference.abs() >= rules.min_change
        && (is_level(values, fit, [start, index, end], steps, difference)
            || is_jump(fit, [start, index, end], rules.penalty * log(values.len() as f64)));
    Judged { change: LevelChange { index, difference, score, confidence: 1.0 - p }, passes }
}

/// Returns true if two constant levels describe the values better than a drift. Most of the difference must
/// appear close to the change. Two lines that meet at the change must not fit better, given that they have
/// one parameter more.
fn is_level(values: &[f64], fit: &Fit, [start, index, end]: [usize; 3], steps: f64, difference: f64) -> bool {
    /// Number of values on each side that are close to the change, and the minimum share of the difference
    /// that these must show.
    const NEAR: usize = 30;
    const SHARE: f64 = 0.7;
    let (from, to) = (start.max(index.saturating_sub(NEAR)), end.min(index + NEAR));
    let jump = median(&values[index..to]) - median(&values[from..index]);
    jump / difference >= SHARE && steps < fit.bend(start..end, index) + log((end - start) as f64)
}

/// Returns true if the values jump at the change even if both sides drift: two separate lines fit better than
/// two lines that meet, by more than `price`.
fn is_jump(fit: &Fit, [start, index, end]: [usize; 3], price: f64) -> bool {
    const NEAR: usize = 50;
    let (from, to) = (start.max(index.saturating_sub(NEAR)), end.min(index + NEAR));
    fit.bend(from..to, index) - fit.line(from..index) - fit.line(index..to) > price
}

/// Weighted sums of all values before each position. The least squares of any range follow from them.
struct Fit {
    /// Sums of w, wt, wtt, wx, wtx and wxx, where t is the position.
    sums: Vec<[f64; 6]>,
}

impl Fit {
    fn new(values: &[f64], noise: impl Iterator<Item = f64>) -> Fit {
        let (center, half) = (median(values), 0.5 * values.len() as f64);
        let mut sum = [0.0; 6];
        let mut sums = vec![sum];
        for (i, (x, sigma)) in values.iter().zip(noise).enumerate() {
            let (w, x, t) = (1.0 / (sigma * sigma), x - center, i as f64 - half);
            for (total, term) in sum.iter_mut().zip([w, w * t, w * t * t, w * x, w * t * x, w * x * x]) {
                *total += term;
            }
            sums.push(sum);
        }
        Fit { sums }
    }

    fn between(&self, range: Range<usize>) -> [f64; 6] {
        std::array::from_fn(|i| self.sums[range.end][i] - self.sums[range.start][i])
    }

    /// Returns the weighted sum of squares around the mean of the range.
    fn level(&self, range: Range<usize>) -> f64 {
        let [w, _, _, x, _, xx] = self.between(range);
        squares(w, x, xx)
    }

    /// Returns the weighted sum of squares around two lines that meet just before `index`. They describe a
    /// drift that continues, begins or ends there.
    fn bend(&self, range: Range<usize>, index: usize) -> f64 {
        let (a, b) = (self.seen_from(range.start..index, index), self.seen_from(index..range.end, index));
        // The slopes are eliminated first. What remains is the value at the knot.
        let rest = |[w, t, tt, x, tx, xx]: [f64; 6]| {
            if tt > 0.0 { [w - t * t / tt, x - t * tx / tt, xx - tx * tx / tt] } else { [w, x, xx] }
        };
        let ([w, x, xx], [w_b, x_b, xx_b]) = (rest(a), rest(b));
        squares(w + w_b, x + x_b, xx + xx_b)
    }

    /// Returns the weighted sum of squares around one straight line.
    fn line(&self, range: Range<usize>) -> f64 {
        let [w, t, tt, x, tx, xx] = self.seen_from(range.clone(), range.start);
        let (spread, product) = (tt - t * t / w, tx - t * x / w);
        let level = squares(w, x, xx);
        if spread > 0.0 { (level - product * product / spread).max(0.0) } else { level }
    }

    /// Returns the sums for positions counted from the middle between `index` and the position before it.
    fn seen_from(&self, range: Range<usize>, index: usize) -> [f64; 6] {
        let knot = index as f64 - 0.5 * self.sums.len() as f64;
        let [w, t, tt, x, tx, xx] = self.between(range);
        [w, t - knot * w, tt - 2.0 * knot * t + knot * knot * w, x, tx - knot * x, xx]
    }
}

/// Returns the weighted sum of squares around the mean.
fn squares(w: f64, x: f64, xx: f64) -> f64 {
    if w > 0.0 { (xx - x * x / w).max(0.0) } else { xx.max(0.0) }
}

/// Mean of the smallest 80 % of the absolute differences of two normal values with a standard deviation of 1.
const SMALL_DIFFERENCES: f64 = 0.789_993_656;

/// Returns the standard deviation of the noise around each value, but at least `least`.
fn noise(values: &[f64], least: f64) -> Vec<f64> {
    /// Number of differences on each side of a place from which its noise is estimated.
    const REACH: usize = 30;
    /// Number of values that share an estimate of the noise.
    const HOP: usize = 10;
    let steps: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let mut noise = Vec::with_capacity(values.len());
    for start in (0..values.len()).step_by(HOP) {
        let from = (start + HOP / 2).saturating_sub(REACH).min(steps.len().saturating_sub(2 * REACH));
        let near = sorted(&steps[from..(from + 2 * REACH).min(steps.len())]);
        let kept = &near[..near.len() - near.len() / 5];
        let sigma = kept.iter().sum::<f64>() / kept.len() as f64 / SMALL_DIFFERENCES;
        noise.extend(std::iter::repeat_n(sigma.max(least), HOP.min(values.len() - start)));
    }
    noise
}

/// Returns the factor by which the variance of a long mean exceeds that of independent values with the same
/// differences between neighbours. Assumes a process in which each value keeps the share φ of the last
/// deviation. φ follows from the median differences over one value and over five values.
fn inflation(values: &[f64]) -> f64 {
    const LAG: usize = 5;
    const LEAST: usize = 30;
    /// Maximum share. With greater shares, the series resembles a random walk, in which changes cannot be
    /// distinguished from noise.
    const MOST: f64 = 0.6;
    if values.len() < LEAST {
        return 1.0;
    }
    let typical = |lag: usize| {
        let steps: Vec<f64> = values.windows(lag + 1).map(|part| (part[lag] - part[0]).abs()).collect();
        median(&steps)
    };
    let (near, far) = (typical(1), typical(LAG));
    let wanted = far * far;
    // The squared differences over five values and over one have the ratio (1 - φ⁵) / (1 - φ) = 1 + φ + … +
    // φ⁴, which grows with φ.
    let reached = |phi: f64| (1.0 + phi * (1.0 + phi * (1.0 + phi * (1.0 + phi)))) * near * near;
    let (mut low, mut high) = (0.0, MOST);
    if near == 0.0 || wanted <= reached(low) {
        return 1.0;
    }
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if reached(middle) < wanted { low = middle } else { high = middle }
    }
    (1.0 + low) / ((1.0 - low) * (1.0 - low))
}

/// Replaces each value that is more than three standard deviations from the median of the values around it by
/// this median. A run of at least `min_length` values is a level and stays.
fn without_outliers(values: &[f64], noise: &[f64], min_length: usize) -> Vec<f64> {
    let n = values.len();
    let width = (2 * min_length - 1).min(n);
    let around = |i: usize| i.saturating_sub(min_length - 1).min(n - width);
    let pulled = |(i, (&x, sigma)): (usize, (&f64, &f64))| {
        let center = median(&values[around(i)..around(i) + width]);
        if (x - center).abs() > 3.0 * sigma { center } else { x }
    };
    values.iter().zip(noise).enumerate().map(pulled).collect()
}
