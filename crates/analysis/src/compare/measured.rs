//! What a side measured of one case, by process: what pairs and intervals are made of.

use crate::metrics;
use derny_estimate::pair::Replicate;
use derny_model::{Case, Metric, Phase, ProcessStart, Records, VisitRecord};
use std::collections::{BTreeMap, HashMap};

/// A side's measurements of a case.
pub(crate) struct Measured {
    /// Complete processes, in the order of their numbers.
    pub replicates: Vec<Replicate>,
    /// Every metric by process, parallel to `replicates`.
    pub metrics: Vec<(Metric, Vec<Option<f64>>)>,
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
    pub(crate) fn measured(&self, index: usize, case: &Case, variant: u32) -> Measured {
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
        let replicate = |(start, visits): &(&ProcessStart, Vec<&VisitRecord>)| {
            Replicate::of(start, case, visits.iter().copied())
        };
        let replicates: Vec<Replicate> = by_process.values().map(replicate).collect();
        Measured { replicates, metrics: metrics::by_process(case, &visits) }
    }
}

fn is_other(record: &VisitRecord) -> bool {
    record.visit.mode.is_some()
}
