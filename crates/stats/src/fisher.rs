//! Fisher's exact test of a 2×2 table.

/// Likelihoods within this ratio count as equal, because rounding can separate equal ones.
const ALIKE: f64 = 1.0 + 1e-7;

/// Returns the two-sided p-value of equal proportions in both rows (Fisher, 1935). It is the probability of
/// all tables that are no more likely than this one, given the sums of rows and columns. Returns 1 if a row
/// or column is empty.
pub fn p_value(table: [[u64; 2]; 2]) -> f64 {
    let [[a, b], [c, d]] = table;
    let (row, column, all) = (a + b, a + c, a + b + c + d);
    let (least, most) = ((row + column).saturating_sub(all), row.min(column));
    // The most likely table has weight 1. Each other weight follows from its neighbour's.
    let likeliest = (u128::from(row + 1) * u128::from(column + 1) / u128::from(all + 2)) as u64;
    let rising = |k: u64| {
        (row - k) as f64 * (column - k) as f64 / ((k + 1) as f64 * (all + k + 1 - row - column) as f64)
    };
    let (mut weights, mut seen) = (Vec::new(), 0.0);
    let mut keep = |k: u64, weight: f64| {
        weights.push(weight);
        if k == a {
            seen = weight;
        }
    };
    keep(likeliest, 1.0);
    let mut weight = 1.0;
    for k in likeliest + 1..=most {
        weight *= rising(k - 1);
        keep(k, weight);
    }
    weight = 1.0;
    for k in (least..likeliest).rev() {
        weight /= rising(k);
        keep(k, weight);
    }
    let rarer: f64 = weights.iter().filter(|weight| **weight <= seen * ALIKE).sum();
    (rarer / weights.iter().sum::<f64>()).min(1.0)
}
