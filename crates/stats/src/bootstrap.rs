//! The bootstrap (Efron, 1979), for reproducing the reports of other tools. Do not use it for verdicts. With
//! few processes, its intervals cover too rarely: with 5 values, 81 to 87 % instead of 95 %.

use crate::interval::Interval;
use crate::quantile::{quantile, sorted};
use crate::rng::Rng;

/// Returns each statistic of independent `units`, with its percentile interval at `1 - alpha`. Draws
/// `resamples` samples of the same size with replacement.
///
/// `statistics` must return the same number of values each time, or none. If it returns none for the units
/// themselves, so does this function. A statistic has no interval with fewer than two units, or if at most
/// half of its resamples are finite.
pub fn percentile_intervals<T>(
    units: &[T],
    statistics: impl Fn(&[&T]) -> Vec<f64>,
    resamples: usize,
    alpha: f64,
    rng: &mut Rng,
) -> Vec<(f64, Option<Interval>)> {
    let found = statistics(&units.iter().collect::<Vec<&T>>());
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(resamples); found.len()];
    let draws = if found.is_empty() || units.len() < 2 { 0 } else { resamples };
    for _ in 0..draws {
        let draw = |_| &units[rng.below(units.len() as u64) as usize];
        let picked: Vec<&T> = (0..units.len()).map(draw).collect();
        for (values, value) in drawn.iter_mut().zip(statistics(&picked)) {
            values.extend(Some(value).filter(|value| value.is_finite()));
        }
    }
    let interval = |values: &Vec<f64>| {
        let ordered = sorted(values);
        let end = |p: f64| quantile(&ordered, p);
        (2 * ordered.len() > resamples).then(|| Interval { lo: end(alpha / 2.0), hi: end(1.0 - alpha / 2.0) })
    };
    found.into_iter().zip(drawn.iter().map(interval)).collect()
}
