//! The two-sample test of Kolmogorov (1933) and Smirnov (1939): whether two samples come from one distribution,
//! in any respect. Both functions want finite values; NaN for an empty sample or a NaN.

use crate::quantile::clean;

/// The largest distance of the two empirical distribution functions.
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    let (Some(x), Some(y)) = (clean(x), clean(y)) else { return f64::NAN };
    let (largest, _) = walk(&x, &y);
    largest as f64 / (x.len() * y.len()) as f64
}

/// The exact two-sided p-value, given which values are tied, in O(nm): the share of the orders of the two samples
/// whose distance is as large (the paths of Hodges, 1958, counted from the rare ones so that small values keep
/// their precision).
pub fn p_value(x: &[f64], y: &[f64]) -> f64 {
    let (Some(x), Some(y)) = (clean(x), clean(y)) else { return f64::NAN };
    let (n, m) = (x.len(), y.len());
    let (largest, seen) = walk(&x, &y);
    let reached = |i: usize, j: usize| seen[i + j] && (i * m).abs_diff(j * n) >= largest;
    // The chance that a path that ends here, all being equally likely, has reached the distance.
    let mut row: Vec<f64> = vec![0.0; m + 1];
    for i in 0..=n {
        for j in 0..=m {
            let before = (if i > 0 { i as f64 * row[j] } else { 0.0 })
                + (if j > 0 { j as f64 * row[j - 1] } else { 0.0 });
            row[j] = if reached(i, j) { 1.0 } else { before / ((i + j).max(1) as f64) };
        }
    }
    row[m]
}

/// The largest `|i m - j n|` after the first `i` of sorted `x` and `j` of sorted `y`, taken where no tie is open,
/// and after how many values of both none is.
fn walk(x: &[f64], y: &[f64]) -> (usize, Vec<bool>) {
    let (n, m) = (x.len(), y.len());
    let mut closed = vec![false; n + m + 1];
    let (mut i, mut j, mut largest) = (0, 0, 0);
    while i < n || j < m {
        let value = match (x.get(i), y.get(j)) {
            (Some(&a), Some(&b)) => a.min(b),
            (a, b) => *a.or(b).unwrap_or(&f64::NAN),
        };
        i += x[i..].iter().take_while(|&&a| a == value).count();
        j += y[j..].iter().take_while(|&&b| b == value).count();
        closed[i + j] = true;
        largest = largest.max((i * m).abs_diff(j * n));
    }
    (largest, closed)
}
