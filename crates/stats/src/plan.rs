//! Allocation of measuring time: the variances between and within processes, and the numbers of rounds and
//! processes that follow from them (Kalibera and Jones, 2013).

use crate::location::mean;
use crate::scale::{MAD_TO_SIGMA, mad, variance};

/// Variance components of a two-level experiment, in the squared unit of the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Variance of single values within a process (σ_w²).
    pub within: f64,
    /// Variance of the true process means (σ_p²), without the contribution of the values within processes.
    /// Never negative.
    pub between: f64,
}

/// Returns the components by analysis of variance of the values of each process. Groups may differ in size.
/// Empty groups are ignored. `within` is 0 if no group has two values, and `between` is 0 with fewer than two
/// groups.
pub fn variance_components(groups: &[Vec<f64>]) -> Components {
    let groups: Vec<&Vec<f64>> = groups.iter().filter(|group| !group.is_empty()).collect();
    let sizes: Vec<f64> = groups.iter().map(|group| group.len() as f64).collect();
    let total: f64 = sizes.iter().sum();
    let count = groups.len() as f64;
    let spread: f64 = groups
        .iter()
        .filter(|group| group.len() > 1)
        .map(|group| variance(group) * (group.len() - 1) as f64)
        .sum();
    let within = if total > count { spread / (total - count) } else { 0.0 };
    if groups.len() < 2 {
        return Components { within, between: 0.0 };
    }
    let means: Vec<f64> = groups.iter().map(|group| mean(group)).collect();
    let grand = means.iter().zip(&sizes).map(|(m, n)| m * n).sum::<f64>() / total;
    let square =
        means.iter().zip(&sizes).map(|(m, n)| n * (m - grand) * (m - grand)).sum::<f64>() / (count - 1.0);
    let typical_size = (total - sizes.iter().map(|n| n * n).sum::<f64>() / total) / (count - 1.0);
    Components { within, between: ((square - within) / typical_size).max(0.0) }
}

/// Returns the number of rounds per process that yields the most information in a given time, before
/// rounding: `sqrt(launch_cost / round_cost · σ_w² / σ_p²)`. Both costs have the same unit, and the cost of a
/// launch includes the warm-up. Infinite if processes do not differ.
pub fn optimal_rounds(launch_cost: f64, round_cost: f64, components: Components) -> f64 {
    (launch_cost / round_cost * components.within / components.between).sqrt()
}

/// Returns [`optimal_rounds`], rounded up and limited to between 4 and 64. Returns 64 if processes do not
/// differ.
pub fn rounds_per_process(launch_cost: f64, round_cost: f64, components: Components) -> usize {
    let rounds = optimal_rounds(launch_cost, round_cost, components);
    if components.between <= 0.0 || rounds.is_nan() { 64 } else { rounds.ceil().clamp(4.0, 64.0) as usize }
}

/// Returns the number of rounds, at most `most`, after which the standard error of a pair's log-ratio is half
/// of `margin`. Estimates the spread from `ratios`, the log-ratios of its rounds so far.
///
/// This is an internal pilot. The spread says nothing about the direction of a change, so intervals from
/// these pairs stay valid (Wittes and Brittain, 1990).
pub fn rounds_by_pilot(ratios: &[f64], margin: f64, most: u32) -> u32 {
    let wanted = 2.0 * MAD_TO_SIGMA * mad(ratios) / margin;
    (wanted * wanted).ceil().min(most.into()) as u32
}
