//! Change points of a series: optimal segmentation by PELT (Killick, Fearnhead and Eckley, 2012), with normal
//! segments that differ in mean or variance.

use libm::log;
use std::collections::VecDeque;

/// Maximum number of positions in the first search. In a longer series, changes are first sought on an even
/// grid of positions, and then at all positions near those found. Where nothing changes, PELT prunes no
/// positions, so the time for a full search would grow with the square of the length.
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
    let least = log(variance_floor);
    let changes = pelt(|start, end| cost.of(start, end), least, &grid, penalty, min_length);
    if stride == 1 {
        return changes;
    }
    let mut near: Vec<usize> = changes.iter().flat_map(|c| c - stride + 1..c + stride).collect();
    near.retain(|&position| position < length);
    near.dedup_by(|next, previous| next <= previous);
    near.push(length);
    pelt(|start, end| cost.of(start, end), least, &near, penalty, min_length)
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

/// Returns the optimal changes among the positions `ends`, which are ascending. The last one is the length of
/// the series. `cost(start, end)` is the cost of a segment of at least `min_length` values, and each change
/// costs `penalty` in addition. Without the penalty, splitting a segment must never cost more.
///
/// `least` is a lower bound for the cost of one value. The closer this bound, the fewer costs are computed.
pub(crate) fn pelt(
    cost: impl Fn(usize, usize) -> f64,
    least: f64,
    ends: &[usize],
    penalty: f64,
    min_length: usize,
) -> Vec<usize> {
    let Some(&length) = ends.last() else { return Vec::new() };
    let mut best_before = vec![0; length + 1];
    let mut waiting = VecDeque::from([(0, -penalty)]);
    let mut candidates = Candidates::new(cost, least);
    for &end in ends {
        // A position becomes a candidate once a whole segment fits after it.
        while let Some((position, total)) = waiting.pop_front() {
            if position + min_length > end {
                waiting.push_front((position, total));
                break;
            }
            candidates.add(position, total, end);
        }
        let Some((position, total)) = candidates.best(end) else { continue };
        // A candidate whose total exceeds the best by more than the penalty is also worse than a change here.
        candidates.discard(total + penalty, end + min_length);
        best_before[end] = position;
        waiting.push_back((end, total + penalty));
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

/// The positions at which the last segment may start.
struct Candidates<F> {
    cost: F,
    least: f64,
    /// Candidates in ascending order of position.
    all: Vec<Candidate>,
    /// Indices of the candidates whose total was computed at the last end, with these totals.
    computed: Vec<(usize, f64)>,
    /// Best position at the last end.
    last: usize,
    /// Smallest `useless_from` of all candidates.
    next_useless: usize,
}

struct Candidate {
    position: usize,
    /// Cost of the best segmentation up to the position.
    before: f64,
    /// The total when it was last computed, minus the least possible cost of all values before that end. This
    /// difference cannot decrease, so it yields a lower bound for later totals.
    known: f64,
    /// Smallest end at which this candidate can no longer be optimal.
    useless_from: usize,
}

impl<F: Fn(usize, usize) -> f64> Candidates<F> {
    fn new(cost: F, least: f64) -> Candidates<F> {
        let (all, computed) = (Vec::new(), Vec::new());
        Candidates { cost, least, all, computed, last: 0, next_useless: usize::MAX }
    }

    fn add(&mut self, position: usize, before: f64, end: usize) {
        let known = before + (self.cost)(position, end) - self.least * end as f64;
        self.all.push(Candidate { position, before, known, useless_from: usize::MAX });
    }

    /// Returns the position with the smallest total at `end` (the first of equal ones) and this total. First
    /// computes the total of the position that was best at the last end, and then only totals that may be
    /// smaller.
    fn best(&mut self, end: usize) -> Option<(usize, f64)> {
        if self.next_useless <= end {
            self.all.retain(|own| own.useless_from > end);
            self.next_useless = self.all.iter().map(|own| own.useless_from).min().unwrap_or(usize::MAX);
        }
        self.computed.clear();
        let last = self.all.binary_search_by_key(&self.last, |own| own.position).unwrap_or(0);
        let mut best = (last, self.compute(last, end)?);
        let least = self.least * end as f64;
        let mut from = 0;
        while let Some(skipped) = self.all[from..].iter().position(|own| own.known <= best.1 - least) {
            let i = from + skipped;
            let total = self.compute(i, end)?;
            if total < best.1 || (total == best.1 && i < best.0) {
                best = (i, total);
            }
            from = i + 1;
        }
        self.last = self.all[best.0].position;
        Some((self.last, best.1))
    }

    /// Computes the total of candidate `i`. Returns `None` if there is no such candidate.
    fn compute(&mut self, i: usize, end: usize) -> Option<f64> {
        let own = self.all.get_mut(i)?;
        let total = own.before + (self.cost)(own.position, end);
        own.known = total - self.least * end as f64;
        self.computed.push((i, total));
        Some(total)
    }

    /// Marks the candidates whose total exceeds `limit`, to be discarded once the end reaches `useless_from`.
    /// Tests only totals that were computed at this end. The others were tested at an earlier one.
    fn discard(&mut self, limit: f64, useless_from: usize) {
        for &(i, total) in &self.computed {
            if total > limit {
                let own = &mut self.all[i];
                own.useless_from = own.useless_from.min(useless_from);
                self.next_useless = self.next_useless.min(useless_from);
            }
        }
    }
}
