//! The test of Brunner and Munzel (2000): whether values of one sample tend to be larger than those of another,
//! without supposing that the two differ by a shift only.

use crate::contrast::Contrast;
use crate::quantile::clean;
use crate::ranks::doubled;

/// The estimate is `P(X < Y) + P(X = Y) / 2 - 1/2`: 0 where neither tends to be larger, 1/2 where all of `y` lie
/// above all of `x`. `None` for samples under two values, with a NaN, or where no error can be estimated (as where
/// they do not overlap).
pub fn brunner_munzel(x: &[f64], y: &[f64]) -> Option<Contrast> {
    clean(x).and(clean(y)).filter(|_| x.len() > 1 && y.len() > 1)?;
    let (n, m) = (x.len() as f64, y.len() as f64);
    let joint = doubled(&[x, y].concat());
    let (mean_x, square_x) = placements(&joint[..x.len()], &doubled(x));
    let (mean_y, square_y) = placements(&joint[x.len()..], &doubled(y));
    let effect = (mean_y - mean_x + (m - n) / 2.0) / (n + m);
    let parts = [(square_x / (n * m * m), n - 1.0), (square_y / (m * n * n), m - 1.0)];
    let found = Contrast::of_independent(effect, parts);
    (found.standard_error > 0.0).then_some(found)
}

/// The mean and variance of how many values of the other sample lie below each value.
fn placements(joint: &[usize], own: &[usize]) -> (f64, f64) {
    let below: Vec<f64> = joint.iter().zip(own).map(|(all, own)| (all - own) as f64 / 2.0).collect();
    (crate::location::mean(&below), crate::scale::variance(&below))
}
