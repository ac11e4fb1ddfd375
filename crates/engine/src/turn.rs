//! One turn: what is asked, what was told, and whether it counts.

use derny_model::{Metric, Phase, Turn, WARM_UP_PARTS, may_collect_untold};
use derny_stats::location::{part_locations, turn_location};
use std::time::Duration;

/// What one turn is asked to do.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    /// What for.
    pub phase: Phase,
    /// Iterations per batch.
    pub iterations: u64,
    /// Batches at most.
    pub batches: u32,
    /// The turn ends after the batch in which this time has passed.
    pub within_ns: u64,
    /// Batches of the same kind run for so long before it, untimed; 0 for none.
    pub lead_ns: u64,
    /// Processor to be on.
    pub processor: Option<u32>,
    /// Time to wait.
    pub timeout: Duration,
    /// A measured turn that is hit by what `--reject` names does not count.
    pub reject: bool,
}

impl Ask {
    /// A turn that is taken as it comes: on any processor, without a lead, and never rejected.
    pub fn plain(phase: Phase, iterations: u64, batches: u32, within_ns: u64, timeout: Duration) -> Ask {
        Ask { phase, iterations, batches, within_ns, lead_ns: 0, processor: None, timeout, reject: false }
    }
}

/// What one turn told.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// Typical ns per operation (or value of the first metric, where there are no times).
    pub value: f64,
    /// The same of each part of a warm-up turn; none of another.
    pub parts: Vec<f64>,
    /// Typical ns per batch.
    pub batch_ns: f64,
    /// Wall time that one more batch costs: for a body that times itself, with what it does beside.
    pub cost_ns: f64,
    /// Operations of the first batch of a self-timed body.
    pub ops: Option<f64>,
    /// Code was compiled or classes were loaded meanwhile, as far as anybody tells.
    pub unquiet: bool,
    /// The runtime has yet to compile the body as well as it can.
    pub pending: bool,
    /// Sum of its times in ns.
    pub timed_ns: f64,
    /// Its operations.
    pub operations: f64,
    /// Pages that the process touched for the first time.
    pub touched: f64,
    /// Collections; 0 where they are not counted.
    pub collections: f64,
    /// Time in them in ns, where that is told.
    pub collecting_ns: Option<f64>,
}

/// What a turn told, in short; its value is the one that analysis takes, or stopping would be decided by other numbers
/// than the verdict. `declared` counters of the harness come before the case's own.
pub(crate) fn told(turn: &Turn, ops_per_iteration: f64, declared: usize, clock_step_ns: u64) -> Told {
    let mut values = Vec::with_capacity(turn.times_ns.len());
    let of_batch = |(i, ns): (usize, &u64)| *ns as f64 / turn.operations(i, ops_per_iteration);
    values.extend(turn.times_ns.iter().enumerate().map(of_batch).filter(|value| value.is_finite()));
    let mean_ns = turn.times_ns.iter().sum::<u64>() as f64 / turn.times_ns.len().max(1) as f64;
    let value = if values.is_empty() {
        turn.counters.get(declared).copied().flatten().unwrap_or(f64::NAN)
    } else {
        turn_location(&values, mean_ns, clock_step_ns)
    };
    let parts = match turn.phase {
        Phase::WarmUp if values.is_empty() => vec![value],
        Phase::WarmUp => part_locations(&values, mean_ns, clock_step_ns, WARM_UP_PARTS),
        _ => Vec::new(),
    };
    let batch_ns = match turn.ops {
        None if !values.is_empty() => value * turn.operations(0, ops_per_iteration),
        _ => median_ns(&turn.times_ns).unwrap_or(turn.wall_ns) as f64,
    };
    Told {
        value,
        parts,
        batch_ns,
        cost_ns: if turn.ops.is_some() {
            turn.wall_ns as f64 / turn.times_ns.len().max(1) as f64
        } else {
            batch_ns
        },
        ops: turn.ops.as_ref().and_then(|ops| ops.first().copied()),
        unquiet: false,
        timed_ns: turn.times_ns.iter().sum::<u64>() as f64,
        operations: turn.all_operations(ops_per_iteration),
        ..Told::default()
    }
}

impl Told {
    /// Adds what the counters of the turn, those of `metrics`, say of rest.
    pub(crate) fn observe(&mut self, metrics: &[Metric], counters: &[Option<f64>]) {
        let value = |name: &str| {
            let at = metrics.iter().position(|metric| metric.name == name)?;
            counters.get(at).copied().flatten()
        };
        self.unquiet = rejected(&["compiled", "classes"], metrics, counters);
        self.touched = value("touched").unwrap_or(0.0);
        self.collections = value("gc").unwrap_or(0.0);
        self.collecting_ns = value("gc_time");
    }
}

fn median_ns(times_ns: &[u64]) -> Option<u64> {
    let mut times = times_ns.to_vec();
    let middle = times.len() / 2;
    (!times.is_empty()).then(|| *times.select_nth_unstable(middle).1)
}

/// What the measured turns of a visit took in all, rejected ones too: amortised time is made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Processor time in ns; none where one of the turns does not know it.
    pub cpu_ns: Option<f64>,
    /// Timed time in ns.
    pub wall_ns: f64,
    /// Operations.
    pub operations: f64,
    /// A collector ran in one of them, or nobody could tell.
    pub collected: bool,
}

impl Cost {
    /// Nothing yet, of turns that declare `metrics`, by a harness in `language`.
    pub fn new(metrics: &[Metric], language: &str) -> Cost {
        let collected = may_collect_untold(metrics, language);
        Cost { cpu_ns: Some(0.0), wall_ns: 0.0, operations: 0.0, collected }
    }

    /// Adds a turn whose counters are those of `metrics`; one of another phase, or without times, is nothing.
    pub fn add(&mut self, turn: &Turn, metrics: &[Metric], ops_per_iteration: f64) {
        if !matches!(turn.phase, Phase::Measured | Phase::Rejected) || turn.times_ns.is_empty() {
            return;
        }
        self.wall_ns += turn.times_ns.iter().sum::<u64>() as f64;
        self.operations += turn.all_operations(ops_per_iteration);
        let mut cpu_ns = None;
        for (metric, value) in metrics.iter().zip(&turn.counters) {
            if metric.name == "cpu" && metric.unit == "ns" {
                cpu_ns = *value;
            }
            self.collected |= metric.counts_collections() && value.is_some_and(|count| count > 0.0);
        }
        self.cpu_ns = self.cpu_ns.zip(cpu_ns).map(|(sum, cpu)| sum + cpu);
    }
}

/// Whether a turn was hit by a cause that is to be rejected. A cause is a metric's name; `compile` and `classload` are
/// the words people know for `compiled` and `classes`.
pub(crate) fn rejected(causes: &[impl AsRef<str>], metrics: &[Metric], counters: &[Option<f64>]) -> bool {
    causes.iter().any(|cause| {
        let name = match cause.as_ref() {
            "compile" => "compiled",
            "classload" => "classes",
            other => other,
        };
        metrics
            .iter()
            .zip(counters)
            .any(|(metric, value)| metric.name == name && value.is_some_and(|v| v > 0.0))
    })
}
