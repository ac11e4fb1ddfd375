//! Repeated p-values: the p-value at a look of a group-sequential plan, adjusted for all looks. Cases that
//! stopped at different looks can then belong to one family (Jennison and Turnbull, 1984).

use crate::looks::Looks;
use crate::special::normal_quantile;
use libm::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// Number of steps between the first and the last plan in the table. The errors of the plans range from 1
/// down to 1e-13, in equal steps of the normal deviate.
const STEPS: usize = 60;
const STEP: f64 = 0.125;

/// Boundaries of many plans, from which repeated p-values are computed.
#[derive(Clone, Debug)]
pub struct RepeatedP {
    counts: Vec<usize>,
    /// For each look, its boundaries in all plans, in ascending order.
    boundaries: Vec<Vec<f64>>,
}

impl RepeatedP {
    /// Computes the table for the plan `looks`. Takes milliseconds, so do it once per plan.
    pub fn new(looks: &Looks) -> RepeatedP {
        let mut boundaries = vec![Vec::with_capacity(STEPS + 1); looks.counts.len()];
        for step in 0..=STEPS {
            let alpha = erfc(step as f64 * STEP * FRAC_1_SQRT_2);
            for (look, z) in boundaries.iter_mut().zip(looks.boundaries(alpha)) {
                look.push(z);
            }
        }
        RepeatedP { counts: looks.counts.clone(), boundaries }
    }

    /// Returns the repeated p-value for the two-sided p-value `p` of a test at `n` replicates. It is the
    /// smallest error for which a complete plan would have rejected at this look. Returns `None` if the plan
    /// has no look there. The relative accuracy is 1e-5 between 1e-13 and 0.5, and 1 % above.
    ///
    /// For a case that stopped at `n`, this is its p-value in a family of cases. The smallest value over the
    /// looks so far is a valid p-value too.
    pub fn at(&self, n: usize, p: f64) -> Option<f64> {
        let look = self.counts.iter().position(|&count| count == n)?;
        let z = -normal_quantile(p / 2.0);
        Some(erfc(inverse(&self.boundaries[look], z) * FRAC_1_SQRT_2).max(p))
    }
}

/// Returns the normal deviate of the error of the plan whose boundary is `z`. Interpolates with the
/// polynomial through the six nearest plans. Beyond the last plan, the result increases by as much as `z`.
/// Before the first, it is 0.
fn inverse(boundaries: &[f64], z: f64) -> f64 {
    let last = boundaries.len() - 1;
    if z <= boundaries[0] {
        return 0.0;
    }
    if z >= boundaries[last] {
        return last as f64 * STEP + z - boundaries[last];
    }
    let right = boundaries.partition_point(|&b| b <= z);
    let first = right.saturating_sub(3).min(last - 5);
    let near = &boundaries[first..first + 6];
    let weight = |i: usize| {
        let others = (0..6).filter(|&j| j != i);
        others.map(|j| (z - near[j]) / (near[i] - near[j])).product::<f64>()
    };
    (0..6).map(|i| (first + i) as f64 * STEP * weight(i)).sum()
}
