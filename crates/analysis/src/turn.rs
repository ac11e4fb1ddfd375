//! One turn: some batches back to back, summarised by one value.

use derny_model::{Turn, WARM_UP_PARTS};
use derny_stats::location::{part_locations, turn_location};

/// Time per operation in ns of every batch that did any work, in time order.
pub(crate) fn values(turn: &Turn, ops_per_iteration: f64) -> impl Iterator<Item = f64> {
    turn.times_ns
        .iter()
        .enumerate()
        .map(move |(index, time)| *time as f64 / turn.operations(index, ops_per_iteration))
        .filter(|value| value.is_finite())
}

/// The turn's value from its batches, as [`location`] makes it.
pub(crate) fn value(turn: &Turn, ops_per_iteration: f64, clock_step_ns: u64) -> Option<f64> {
    // There are millions of turns: one allocation for each.
    let mut of_batches = Vec::with_capacity(turn.times_ns.len());
    of_batches.extend(values(turn, ops_per_iteration));
    location(turn, &of_batches, clock_step_ns)
}

/// The turn's value: the median of its batch values, or their midmean where `clock_step_ns` is more than 0.02 %
/// of a batch. None for a turn without times.
pub(crate) fn location(turn: &Turn, values: &[f64], clock_step_ns: u64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some(turn_location(values, mean_batch_ns(turn), clock_step_ns))
}

fn mean_batch_ns(turn: &Turn) -> f64 {
    turn.times_ns.iter().sum::<u64>() as f64 / turn.times_ns.len() as f64
}

/// By how much half a step of the clock may have moved the median batch of `turns`, in shares: the error of rounding, which
/// all batches of the same length share. 0 without times.
pub(crate) fn resolution<'a>(turns: impl Iterator<Item = &'a Turn>, clock_step_ns: u64) -> f64 {
    let sums = turns.fold((0, 0), |(ns, batches), turn| {
        (ns + turn.times_ns.iter().sum::<u64>(), batches + turn.times_ns.len())
    });
    if sums.0 == 0 { 0.0 } else { 0.5 * clock_step_ns as f64 * sums.1 as f64 / sums.0 as f64 }
}

/// The values of a warm-up turn's parts.
pub(crate) fn parts(turn: &Turn, ops_per_iteration: f64, clock_step_ns: u64) -> Vec<f64> {
    let of_batches: Vec<f64> = values(turn, ops_per_iteration).collect();
    part_locations(&of_batches, mean_batch_ns(turn), clock_step_ns, WARM_UP_PARTS)
}

/// All time and all operations of a turn.
pub(crate) fn totals(turn: &Turn, ops_per_iteration: f64) -> (f64, f64) {
    let time = turn.times_ns.iter().sum::<u64>() as f64;
    (time, turn.all_operations(ops_per_iteration))
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::Phase;

    fn turn(times_ns: &[u64], iterations: u64, ops: Option<Vec<f64>>) -> Turn {
        Turn {
            visit: 0,
            phase: Phase::Measured,
            round: 0,
            iterations,
            times_ns: times_ns.to_vec(),
            ops,
            counters: Vec::new(),
            cpu: None,
            at_ns: 0,
            wall_ns: 0,
            hash: None,
        }
    }

    #[test]
    fn batches_are_divided_by_their_operations() {
        let looped = turn(&[1000, 2000], 10, None);
        assert_eq!(values(&looped, 4.0).collect::<Vec<_>>(), [25.0, 50.0]);
        let own = turn(&[1000, 2000, 5], 0, Some(vec![0.5, 4.0, 0.0]));
        assert_eq!(
            values(&own, 1.0).collect::<Vec<_>>(),
            [2000.0, 500.0],
            "a batch without work has no value"
        );
        assert_eq!(totals(&own, 1.0), (3005.0, 4.5));
    }

    #[test]
    fn half_a_step_of_the_clock_is_a_share_of_the_mean_batch() {
        let turns = [turn(&[10_000, 10_000], 1, None), turn(&[40_000], 1, None), turn(&[], 1, None)];
        assert_eq!(resolution(turns.iter(), 40), 0.001);
        assert_eq!(resolution(turns[2..].iter(), 40), 0.0);
    }

    #[test]
    fn the_clock_step_chooses_between_median_and_midmean() {
        let times = [10_000, 10_000, 10_000, 10_100, 10_100, 10_100, 10_100, 90_000];
        let turn = turn(&times, 1, None);
        let values: Vec<f64> = values(&turn, 1.0).collect();
        assert_eq!(location(&turn, &values, 1), Some(10_100.0));
        assert_eq!(location(&turn, &values, 100), Some(10_075.0));
    }
}
