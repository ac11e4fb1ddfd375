//! A turn: the request to a harness, and a summary of the answer.

use derny_estimate::{reject, turn};
use derny_model::{Case, Metric, Phase, Turn};
use derny_stats::Rng;
use std::time::Duration;

/// Maximum number of batches in a turn.
pub(super) const MOST_BATCHES: f64 = 4096.0;
/// Range of the random length of turns, as a multiple of the planned length.
const LENGTHS: std::ops::Range<f64> = 0.5..1.5;

/// A request for one turn.
#[derive(Debug, Clone, Copy)]
pub struct TurnRequest {
    /// Purpose of the turn.
    pub phase: Phase,
    /// Iterations per batch.
    pub iterations: u64,
    /// Maximum number of batches.
    pub batches: u32,
    /// Time in ns after which no further batch begins.
    pub within_ns: u64,
    /// Duration in ns of the untimed batches before the turn. 0 for none.
    pub lead_ns: u64,
    pub processor: Option<u32>,
    /// Time limit for the harness's answer, if it differs from that of the case.
    pub timeout: Option<Duration>,
    /// True to reject a measured turn with an effect that `reject` names.
    pub reject: bool,
}

impl TurnRequest {
    /// Returns a request without special conditions: any processor, no lead, never rejected.
    pub fn plain(phase: Phase, iterations: u64, batches: u32, within_ns: u64) -> TurnRequest {
        TurnRequest {
            phase,
            iterations,
            batches,
            within_ns,
            lead_ns: 0,
            processor: None,
            timeout: None,
            reject: false,
        }
    }

    /// Gives the turn a random length. Turns of equal length can synchronise with the garbage
    /// collector, which then never runs in the untimed lead of a turn. The lead fills the heap too, so
    /// the mean time would include more collections than the program has.
    ///
    /// Example: a body collects every 8,776 operations. With a lead of an eighth of a turn, there was
    /// one collection per 7,540 timed operations.
    pub fn of_any_length(self, rng: &mut Rng) -> TurnRequest {
        let share = LENGTHS.start + (LENGTHS.end - LENGTHS.start) * rng.f64();
        let batches = (f64::from(self.batches) * share).ceil().clamp(1.0, MOST_BATCHES) as u32;
        TurnRequest { batches, within_ns: (self.within_ns as f64 * share) as u64, ..self }
    }
}

/// A summary of one turn.
#[derive(Debug, Clone, Default)]
pub struct TurnSummary {
    /// Typical time per operation in ns, or the value of the first metric if there are no times. `None`
    /// if neither exists.
    pub worth: Option<f64>,
    /// Value of each part of a warm-up turn, in the unit of `worth`. Empty for other turns.
    pub parts: Vec<f64>,
    /// Mean of the first tenth of a warm-up turn's batches, relative to the median of the other
    /// batches. `None` if there are few batches.
    pub start: Option<f64>,
    /// Typical time of a batch, in ns.
    pub batch_ns: f64,
    /// Wall time that another batch would take, in ns. Includes the untimed work of a self-timed body.
    pub cost_ns: f64,
    /// Untimed wall time of a batch in ns: its set-up, and its part of the exchange with the harness.
    pub aside_ns: f64,
    /// Number of operations of the first batch of a self-timed body.
    pub ops: Option<f64>,
    /// True if the harness reported that code was compiled or classes were loaded during the turn.
    pub unquiet: bool,
    /// True if the runtime has not yet fully compiled the body.
    pub pending: bool,
    /// Sum of the times of the batches, in ns.
    pub timed_ns: f64,
    pub operations: f64,
    /// Number of pages that the process touched for the first time.
    pub touched: f64,
    /// CPU time of the entire turn in ns, if it was reported.
    pub cpu_ns: Option<f64>,
    /// Number of bytes allocated, if they are counted exactly.
    pub allocated: Option<f64>,
    /// Number of collections, if they are counted.
    pub collections: Option<f64>,
    /// Time spent in collections in ns, if known.
    pub collecting_ns: Option<f64>,
}

/// Summarises a turn of `case`. `metrics` describes the counters of the turn.
pub(crate) fn summarise(turn: &Turn, case: &Case, metrics: &[Metric], clock_step_ns: u64) -> TurnSummary {
    let worth = turn::worth(turn, case, metrics, clock_step_ns);
    let value = worth.unwrap_or(f64::NAN);
    let has_times = !turn.times_ns.is_empty();
    let parts = match turn.phase {
        Phase::WarmUp if has_times => turn::parts(turn, case.ops, clock_step_ns),
        Phase::WarmUp => vec![value],
        _ => Vec::new(),
    };
    let batch_ns = match turn.ops {
        None if has_times => value * turn.operations(0, case.ops),
        _ => median_ns(&turn.times_ns).unwrap_or(turn.wall_ns) as f64,
    };
    TurnSummary {
        worth,
        parts,
        start: (turn.phase == Phase::WarmUp).then(|| start(&turn.times_ns)).flatten(),
        batch_ns,
        cost_ns: if turn.ops.is_some() {
            turn.wall_ns as f64 / turn.times_ns.len().max(1) as f64
        } else {
            batch_ns
        },
        aside_ns: match turn.times_ns.len() {
            0 => 0.0,
            batches => turn.wall_ns.saturating_sub(turn.times_ns.iter().sum()) as f64 / batches as f64,
        },
        ops: turn.ops.as_ref().and_then(|ops| ops.first().copied()),
        unquiet: false,
        timed_ns: turn.times_ns.iter().sum::<u64>() as f64,
        operations: turn.all_operations(case.ops),
        ..TurnSummary::default()
    }
}

impl TurnSummary {
    /// Returns the wall time of a batch in ns, including untimed work.
    pub fn whole_ns(&self) -> f64 {
        self.batch_ns + self.aside_ns
    }

    /// Limits the untimed time per batch. All batches but the last ended within `within_ns`, including
    /// their untimed work. Any longer time was spent waiting for a processor or for the exchange.
    pub fn bound_aside(&mut self, turn: &Turn, within_ns: u64) {
        if let Some((_, others)) = turn.times_ns.split_last()
            && !others.is_empty()
        {
            let left_ns = within_ns.saturating_sub(others.iter().sum());
            self.aside_ns = self.aside_ns.min(left_ns as f64 / others.len() as f64);
        }
    }

    /// Copies the counters that show whether the process has come to rest. `metrics` describes them.
    pub(crate) fn observe(&mut self, metrics: &[Metric], counters: &[Option<f64>]) {
        let place = |name: &str| metrics.iter().position(|metric| metric.name == name);
        let value = |name: &str| counters.get(place(name)?).copied().flatten();
        self.unquiet = reject::hit(&["compile", "classload"], metrics, counters);
        self.touched = value("touched").unwrap_or(0.0);
        self.cpu_ns = value("cpu").or_else(|| value("cpu_process"));
        let is_exact = place("allocated").is_some_and(|at| metrics[at].exact);
        self.allocated = value("allocated").filter(|_| is_exact);
        self.collections = value("gc");
        self.collecting_ns = value("gc_time");
    }
}

/// Minimum number of batches in the first tenth of a turn.
const TENTH: usize = 3;

fn start(times_ns: &[u64]) -> Option<f64> {
    let (first, others) = times_ns.split_at(times_ns.len() / 10);
    let others_ns = median_ns(others).filter(|ns| *ns > 0 && first.len() >= TENTH)?;
    Some(first.iter().sum::<u64>() as f64 / first.len() as f64 / others_ns as f64)
}

fn median_ns(times_ns: &[u64]) -> Option<u64> {
    let mut times = times_ns.to_vec();
    let middle = times.len() / 2;
    (!times.is_empty()).then(|| *times.select_nth_unstable(middle).1)
}

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn a_turn_begins_with_its_first_tenth() {
        let times = |first: u64, others: u64| [vec![first; 4], vec![others; 36]].concat();
        assert_eq!(start(&times(200, 200)), Some(1.0));
        assert_eq!(start(&times(300, 200)), Some(1.5));
        assert_eq!(start(&[100; 29]), None, "two batches do not tell");
        assert_eq!(start(&times(1, 0)), None);
        assert_eq!(start(&[]), None);
    }
}
