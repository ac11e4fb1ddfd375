//! One process of a simulated pair, with its turns.

use derny_estimate::cost::Cost;
use derny_estimate::pair::Replicate;
use derny_estimate::turn;
use derny_model::{Case, CaseId, Collector, Direction, Kind, Metric, Phase, Turn};

const COUNTERS: [&str; 3] = ["gc", "preempted", "compiled"];

/// A process with its turns.
#[derive(Debug, Clone)]
pub struct Process {
    /// Position among the launches of its pair, from 0.
    pub place: u32,
    /// Collector, as declared by the harness.
    pub collector: Collector,
    /// Turns in time order.
    pub turns: Vec<Turn>,
}

/// The values of a turn.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Time of each batch in ns.
    pub times_ns: Vec<f64>,
    /// Operations per batch.
    pub operations: u64,
    /// Number of collections.
    pub collections: u32,
    /// True if the process was preempted.
    pub preempted: bool,
    /// True if code was compiled.
    pub compiled: bool,
}

impl Process {
    /// Creates a process without turns.
    #[must_use]
    pub fn new(place: u32, collector: Collector) -> Self {
        Self { place, collector, turns: Vec::new() }
    }

    /// Adds a turn.
    pub fn add(&mut self, phase: Phase, round: u32, shown: &Shown) {
        let counted = self.collector == Collector::Counted;
        let times_ns: Vec<u64> = shown.times_ns.iter().map(|ns| ns.round() as u64).collect();
        let flag = |flag: bool| Some(f64::from(u8::from(flag)));
        self.turns.push(Turn {
            visit: 0,
            phase,
            round,
            iterations: shown.operations,
            wall_ns: times_ns.iter().sum(),
            times_ns,
            ops: None,
            counters: vec![
                counted.then(|| f64::from(shown.collections)),
                flag(shown.preempted),
                flag(shown.compiled),
            ],
            cpu: None,
            at_ns: 0,
            hash: None,
            thread: None,
            reported: Vec::new(),
            outside: None,
        });
    }

    /// Returns the summary of the process that the rules judge.
    #[must_use]
    pub fn replicate(&self, block: u32) -> Replicate {
        let (case, metrics) = (case(), metrics());
        let cost = Cost::new(Some(self.collector));
        let mut replicate =
            Replicate { block, place: self.place, clock_step_ns: 1, cost, ..Replicate::default() };
        for one in &self.turns {
            replicate.rounds.add(0, one, &metrics, turn::worth(one, &case, &metrics, 1));
            replicate.cost.add(one, &metrics, case.ops);
        }
        replicate
    }

    /// Returns the time in ns and the operations of the measured turns.
    #[must_use]
    pub fn measured(&self) -> (f64, f64) {
        let measured = self.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        measured.map(|one| turn::totals(one, 1.0)).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }
}

/// Returns the case of all simulated processes.
#[must_use]
pub fn case() -> Case {
    Case::new(CaseId { suite: "simulated".into(), benchmark: "body".into(), params: Vec::new() })
}

fn metrics() -> Vec<Metric> {
    let metric = |name: &str| Metric {
        name: name.into(),
        unit: "count".into(),
        kind: Kind::Total,
        direction: Direction::Less,
        exact: false,
    };
    COUNTERS.map(metric).into()
}
