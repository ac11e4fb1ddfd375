//! What a side measured of one case, by process: what pairs and intervals are made of.

use crate::metrics;
use crate::turn;
use derny_model::{Case, Metric, Phase, ProcessStart, Records, Turn, VisitRecord, may_collect_untold};
use std::collections::{BTreeMap, HashMap};

/// One process of one case.
#[derive(Debug, Clone)]
pub(crate) struct Replicate<'a> {
    /// Its launch.
    pub start: &'a ProcessStart,
    /// Logarithms of the values of its measured turns, by visit and round.
    pub rounds: BTreeMap<(u32, u32), f64>,
    /// By how much a step of the clock may move each of them alike ([`turn::resolution`]).
    pub resolution: f64,
    /// Processor time, all timed time (ns) and operations over all measured turns, rejected ones too.
    pub cost: Cost,
}

/// What a process spent in all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Processor time in ns; none where one of the turns does not know it.
    pub cpu_ns: Option<f64>,
    /// Timed time in ns.
    pub wall_ns: f64,
    /// Operations.
    pub operations: f64,
}

/// A side's measurements of a case.
pub(crate) struct Measured<'a> {
    /// Complete processes, in the order of their numbers.
    pub replicates: Vec<Replicate<'a>>,
    /// Every metric by process, parallel to `replicates`.
    pub metrics: Vec<(Metric, Vec<Option<f64>>)>,
    /// A collector ran in some turn, or nobody could tell.
    pub collected: bool,
}

/// The visits of one run by case and variant, complete ones only.
pub(crate) struct Index<'a> {
    processes: HashMap<u32, &'a ProcessStart>,
    /// Parallel to the records' cases.
    visits: Vec<Vec<&'a VisitRecord>>,
}

impl<'a> Index<'a> {
    pub(crate) fn new(records: &'a Records) -> Index<'a> {
        let mut visits = vec![Vec::new(); records.cases.len()];
        for record in records.visits.iter().filter(|record| record.complete) {
            if let Some(list) = visits.get_mut(record.visit.case as usize) {
                list.push(record);
            }
        }
        let processes = records.processes.iter().map(|process| (process.process, process)).collect();
        Index { processes, visits }
    }

    /// What `variant` measured of the case that is number `index` of the records.
    pub(crate) fn measured(&self, index: usize, case: &Case, variant: u32) -> Measured<'a> {
        let mut by_process: BTreeMap<u32, (&ProcessStart, Vec<&VisitRecord>)> = BTreeMap::new();
        for record in &self.visits[index] {
            let Some(start) = self.processes.get(&record.visit.process) else { continue };
            let measured = record.turns.iter().any(|turn| turn.phase == Phase::Measured);
            if start.variant == variant && measured && !is_other(record) {
                by_process.entry(start.process).or_insert_with(|| (start, Vec::new())).1.push(record);
            }
        }
        // What other ways of measuring show goes into the metrics, and nowhere else.
        let with_modes = |process: &u32, visits: &Vec<&'a VisitRecord>| {
            let of_it = |record: &&&VisitRecord| record.visit.process == *process && is_other(record);
            visits.iter().chain(self.visits[index].iter().filter(of_it)).copied().collect()
        };
        let visits: Vec<Vec<&VisitRecord>> =
            by_process.iter().map(|(process, (_, visits))| with_modes(process, visits)).collect();
        let replicates = by_process.values().map(|(start, visits)| replicate(start, case, visits)).collect();
        let collected = by_process.values().any(|(start, visits)| collected(start, visits));
        Measured { replicates, metrics: metrics::by_process(case, &visits), collected }
    }
}

fn is_other(record: &VisitRecord) -> bool {
    record.visit.mode.is_some()
}

fn replicate<'a>(start: &'a ProcessStart, case: &Case, visits: &[&VisitRecord]) -> Replicate<'a> {
    let mut rounds = BTreeMap::new();
    let mut cost = Cost { cpu_ns: Some(0.0), ..Cost::default() };
    let turns = visits.iter().flat_map(|visit| &visit.turns);
    let resolution =
        turn::resolution(turns.filter(|turn| turn.phase == Phase::Measured), start.clock_step_ns);
    for (ordinal, record) in visits.iter().enumerate() {
        let cpu = record.visit.metrics.iter().position(|m| m.name == "cpu" && m.unit == "ns");
        for turn in &record.turns {
            match turn.phase {
                Phase::Measured => {
                    let value = turn::value(turn, case.ops, start.clock_step_ns);
                    if let Some(value) = value.filter(|value| *value > 0.0) {
                        rounds.insert((ordinal as u32, turn.round), libm::log(value));
                    }
                    cost.add(turn, case.ops, cpu);
                }
                Phase::Rejected => cost.add(turn, case.ops, cpu),
                _ => {}
            }
        }
    }
    Replicate { start, rounds, resolution, cost }
}

impl Cost {
    fn add(&mut self, turn: &Turn, ops: f64, cpu: Option<usize>) {
        if turn.times_ns.is_empty() {
            return;
        }
        let (time, operations) = turn::totals(turn, ops);
        self.wall_ns += time;
        self.operations += operations;
        let spent = cpu.and_then(|position| turn.counters.get(position).copied().flatten());
        self.cpu_ns = self.cpu_ns.zip(spent).map(|(sum, spent)| sum + spent);
    }

    /// Time per operation, `None` where it is not positive.
    pub(crate) fn per_operation(&self, cpu: bool) -> Option<f64> {
        let spent = if cpu { self.cpu_ns? } else { self.wall_ns };
        Some(spent / self.operations).filter(|value| value.is_finite() && *value > 0.0)
    }
}

/// Whether a collector ran in any turn of these visits; also where a language has one and its harness does not tell.
fn collected(start: &ProcessStart, visits: &[&VisitRecord]) -> bool {
    if visits.iter().any(|record| may_collect_untold(&record.visit.metrics, &start.language)) {
        return true;
    }
    visits.iter().any(|record| {
        let counters =
            record.visit.metrics.iter().enumerate().filter(|(_, metric)| metric.counts_collections());
        let positions: Vec<usize> = counters.map(|(position, _)| position).collect();
        let turns = record.turns.iter();
        let timed = turns.filter(|turn| matches!(turn.phase, Phase::Measured | Phase::Rejected));
        timed
            .flat_map(|turn| positions.iter().filter_map(|at| turn.counters.get(*at).copied().flatten()))
            .any(|count| count > 0.0)
    })
}
