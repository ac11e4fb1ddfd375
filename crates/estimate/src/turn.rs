//! A turn: consecutive batches, summarised by one value.

use derny_model::{Case, Metric, Turn, WARM_UP_PARTS};
use derny_stats::location::{part_locations, turn_location};

/// Returns the time per operation in ns of every batch with operations, in chronological order.
pub fn values(turn: &Turn, ops_per_iteration: f64) -> impl Iterator<Item = f64> {
    turn.times_ns
        .iter()
        .enumerate()
        .map(move |(index, time)| *time as f64 / turn.operations(index, ops_per_iteration))
        .filter(|value| value.is_finite())
}

/// Returns the value of the turn, computed from its batches by [`location`].
pub fn value(turn: &Turn, ops_per_iteration: f64, clock_step_ns: u64) -> Option<f64> {
    // There are millions of turns, so allocate only once per turn.
    let mut of_batches = Vec::with_capacity(turn.times_ns.len());
    of_batches.extend(values(turn, ops_per_iteration));
    location(turn, &of_batches, clock_step_ns)
}

/// Returns the value of the turn: the median of its batches. If `clock_step_ns` exceeds 0.02 % of a batch,
/// uses their midmean instead. Returns `None` for a turn without times.
pub fn location(turn: &Turn, values: &[f64], clock_step_ns: u64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some(turn_location(values, mean_batch_ns(turn), clock_step_ns))
}

fn mean_batch_ns(turn: &Turn) -> f64 {
    turn.times_ns.iter().sum::<u64>() as f64 / turn.times_ns.len() as f64
}

/// Returns the value that the stopping rule uses: the turn's [`value`]. A turn without times has the value of
/// the case's first metric instead ([`reading`]).
pub fn worth(turn: &Turn, case: &Case, metrics: &[Metric], clock_step_ns: u64) -> Option<f64> {
    value(turn, case.ops, clock_step_ns).or_else(|| reading(turn, case, metrics))
}

/// Returns the value of a turn without times: that of its case's first metric. `metrics` describes the turn's
/// counters. Values that are not positive have no logarithm, so the smallest positive number replaces them.
/// Returns `None` if the metric was not read, or if the turn has times.
pub fn reading(turn: &Turn, case: &Case, metrics: &[Metric]) -> Option<f64> {
    let own = case.metrics.first().filter(|_| turn.times_ns.is_empty())?;
    let at = metrics.iter().position(|metric| metric.name == own.name)?;
    Some(turn.counters.get(at).copied().flatten()?.max(f64::MIN_POSITIVE))
}

/// Returns the possible effect of half a clock step on the median batch, as a share. `timed_ns` is the total
/// time of all batches. Batches of equal length share this rounding error. Returns 0 without times.
pub fn rounding(timed_ns: u64, batches: usize, clock_step_ns: u64) -> f64 {
    if timed_ns == 0 { 0.0 } else { 0.5 * clock_step_ns as f64 * batches as f64 / timed_ns as f64 }
}

/// Returns the value of each part of a warm-up turn.
pub fn parts(turn: &Turn, ops_per_iteration: f64, clock_step_ns: u64) -> Vec<f64> {
    let of_batches: Vec<f64> = values(turn, ops_per_iteration).collect();
    part_locations(&of_batches, mean_batch_ns(turn), clock_step_ns, WARM_UP_PARTS)
}

/// Returns the total time and operations of a turn.
pub fn totals(turn: &Turn, ops_per_iteration: f64) -> (f64, f64) {
    let time = turn.times_ns.iter().sum::<u64>() as f64;
    (time, turn.all_operations(ops_per_iteration))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use derny_model::Phase;

    pub(crate) fn turn() -> Turn {
        Turn {
            visit: 0,
            phase: Phase::Measured,
            round: 0,
            iterations: 1,
            times_ns: Vec::new(),
            ops: None,
            counters: Vec::new(),
            cpu: None,
            at_ns: 0,
            wall_ns: 0,
            hash: None,
            thread: None,
            reported: Vec::new(),
            outside: None,
        }
    }

    fn timed(times_ns: &[u64], iterations: u64, ops: Option<Vec<f64>>) -> Turn {
        Turn { times_ns: times_ns.to_vec(), iterations, ops, ..turn() }
    }

    #[test]
    fn batches_are_divided_by_their_operations() {
        let looped = timed(&[1000, 2000], 10, None);
        assert_eq!(values(&looped, 4.0).collect::<Vec<_>>(), [25.0, 50.0]);
        let own = timed(&[1000, 2000, 5], 0, Some(vec![0.5, 4.0, 0.0]));
        assert_eq!(
            values(&own, 1.0).collect::<Vec<_>>(),
            [2000.0, 500.0],
            "a batch without work has no value"
        );
        assert_eq!(totals(&own, 1.0), (3005.0, 4.5));
    }

    #[test]
    fn half_a_step_of_the_clock_is_a_share_of_the_mean_batch() {
        assert_eq!(rounding(60_000, 3, 40), 0.001);
        assert_eq!(rounding(0, 0, 40), 0.0);
    }

    #[test]
    fn a_body_without_times_is_known_by_its_own_metric() {
        let metric = |name: &str| Metric {
            name: name.into(),
            unit: "B".into(),
            kind: derny_model::Kind::Level,
            direction: derny_model::Direction::Less,
            exact: false,
        };
        let metrics = [metric("gc"), metric("size"), metric("faults")];
        let id = derny_model::CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() };
        let of = |own: &[&str]| Case {
            metrics: own.iter().map(|name| metric(name)).collect(),
            ..Case::new(id.clone())
        };
        let turn = Turn { counters: vec![Some(0.0), Some(131.0), None], ..turn() };
        assert_eq!(worth(&turn, &of(&["size", "gc"]), &metrics, 1), Some(131.0));
        assert_eq!(worth(&turn, &of(&["gc"]), &metrics, 1), Some(f64::MIN_POSITIVE));
        assert_eq!(worth(&turn, &of(&["faults"]), &metrics, 1), None);
        assert_eq!(worth(&turn, &of(&[]), &metrics, 1), None);
        let timed = Turn { times_ns: vec![0], ..turn };
        assert_eq!(worth(&timed, &of(&["size"]), &metrics, 1), Some(0.0), "a turn of 0 ns has a time");
    }

    #[test]
    fn the_clock_step_chooses_between_median_and_midmean() {
        let times = [10_000, 10_000, 10_000, 10_100, 10_100, 10_100, 10_100, 90_000];
        let turn = timed(&times, 1, None);
        let values: Vec<f64> = values(&turn, 1.0).collect();
        assert_eq!(location(&turn, &values, 1), Some(10_100.0));
        assert_eq!(location(&turn, &values, 100), Some(10_075.0));
    }
}
