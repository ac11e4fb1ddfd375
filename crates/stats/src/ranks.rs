//! Ranks of values, ties sharing the mean of theirs.

/// Twice the mean rank of each value (from 1), so that ties stay whole; in the order of the values.
pub(crate) fn doubled(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        tied.iter().for_each(|&i| ranks[i] = 2 * before + tied.len() + 1);
        before += tied.len();
    }
    ranks
}
