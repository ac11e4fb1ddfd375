//! Change points of a series: optimal segmentation by PELT (Killick, Fearnhead and Eckley, 2012), with normal
//! segments that differ in mean or variance.

use libm::log;

/// In a longer series, changes are first sought on an even grid of at most this many positions, and then at
/// all positions near those found. PELT prunes nothing while nothing changes, so its time would otherwise
/// grow with the square of the length.
const GRID: usize = 600;

/// Returns the positions at which to split the values into normal segments of at least `min_length` values.
/// The split minimises `Σ length · ln(variance + variance_floor) + penalty · changes`. A position is the
/// first index of a new segment. Positions are in ascending order and exclude 0.
///
/// The floor, in the squared unit of the values, keeps runs of equal values (a coarse clock) from becoming
/// separate segments. It must be positive if such runs can occur. Values must be finite. Up to 600 values,
/// the result is the global optimum. For longer series, it is the optimum near the changes found on a
/// grid.
pub fn mean_variance(values: &[f64], penalty: f64, min_length: usize, variance_floor: f64) -> Vec<usize> {
    let cost = NormalCost::new(values, variance_floor);
    let (length, min_length) = (values.len(), min_length.max(1));
    let stride = length.div_ceil(GRID).max(1);
    let grid: Vec<usize> = (stride..length).step_by(stride).chain([length]).collect();
    let changes = pelt(|start, end| cost.of(start, end), &grid, penalty, min_length);
    if stride == 1 {
        return changes;
    }
    let mut near: Vec<usize> = changes.iter().flat_map(|c| c - stride + 1..c + stride).collect();
    near.retain(|&position| position < length);
    near.dedup_by(|next, previous| next <= previous);
    near.push(length);
    pelt(|start, end| cost.of(start, end), &near, penalty, min_length)
}

struct NormalCost {
    /// Sums of the centred values and of their squares, up to each position.
    sums: Vec<(f64, f64)>,
    floor: f64,
}

impl NormalCost {
    fn new(values: &[f64], floor: f64) -> NormalCost {
        let center = crate::location::median(values);
        let mut sums = Vec::with_capacity(values.len() + 1);
        let (mut sum, mut squares) = (0.0, 0.0);
        sums.push((sum, squares));
        for x in values {
            let x = x - center;
            sum += x;
            squares += x * x;
            sums.push((sum, squares));
        }
        NormalCost { sums, floor }
    }

    fn of(&self, start: usize, end: usize) -> f64 {
        let n = (end - start) as f64;
        let mean = (self.sums[end].0 - self.sums[start].0) / n;
        let variance = (self.sums[end].1 - self.sums[start].1) / n - mean * mean;
        n * log(variance.max(0.0) + self.floor)
    }
}

struct Candidate {
    position: usize,
    total: f64,
    /// Smallest end at which this candidate can no longer be optimal.
    useless_from: usize,
}

/// Returns the optimal changes among `ends`, which are ascending. The last end is the length of the series.
/// `cost(start, end)` is that of a segment; to split a segment must never cost more.
pub(crate) fn pelt(
    cost: impl Fn(usize, usize) -> f64,
    ends: &[usize],
    penalty: f64,
    min_length: usize,
) -> Vec<usize> {
    let Some(&length) = ends.last() else { return Vec::new() };
    let mut best_before = vec![0; length + 1];
    let mut waiting = vec![(0, -penalty)];
    let mut candidates: Vec<Candidate> = Vec::new();
    for &end in ends {
        // A position becomes a candidate once a whole segment fits after it.
        while let Some(&(position, total)) = waiting.first().filter(|(p, _)| p + min_length <= end) {
            candidates.push(Candidate { position, total, useless_from: usize::MAX });
            waiting.remove(0);
        }
        candidates.retain(|candidate| candidate.useless_from > end);
        let totals: Vec<f64> = candidates.iter().map(|c| c.total + cost(c.position, end)).collect();
        let Some(best) = (0..totals.len()).min_by(|&a, &b| totals[a].total_cmp(&totals[b])) else { continue };
        // A candidate that loses by more than the penalty also loses to a change here.
        for (candidate, total) in candidates.iter_mut().zip(&totals) {
            if *total > totals[best] + penalty {
                candidate.useless_from = candidate.useless_from.min(end + min_length);
            }
        }
        best_before[end] = candidates[best].position;
        waiting.push((end, totals[best] + penalty));
    }
    let mut changes = Vec::new();
    let mut at = best_before[length];
    while at > 0 {
        changes.push(at);
        at = best_before[at];
    }
    changes.reverse();
    changes
}
