//! Completes records of earlier versions when they are read. This includes records from journals.

use derny_model::{Collector, Kind, LEAST_ROUNDS, Metric, Records, VisitRecord};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Completes records that were stored, or read from the file of an event stream.
pub fn complete(records: &mut Records) {
    let of_cases = records.cases.iter_mut().map(|case| &mut case.metrics);
    of_cases.flatten().for_each(decide_kind);
    for record in records.visits.iter_mut().filter(|record| record.visit.metrics.iter().any(is_undecided)) {
        Arc::make_mut(&mut record.visit.metrics).iter_mut().for_each(decide_kind);
    }
    for process in records.processes.iter_mut().filter(|process| process.collector.is_none()) {
        let visits = || records.visits.iter().filter(|record| record.visit.process == process.process);
        let counts = |metrics: &[Metric]| metrics.iter().any(Metric::counts_collections);
        process.collector = Some(match () {
            () if UNCOLLECTED.contains(&process.language.as_str()) => Collector::None,
            () if visits().all(|record| counts(&record.visit.metrics)) => Collector::Counted,
            () => Collector::Untold,
        });
    }
    uncount_cut_visits(records);
}

/// Marks visits that the end of the run cut short as incomplete, together with all other visits of their
/// blocks. Earlier versions counted them as complete. The cold first call of such a visit then became a
/// process value, even if the other processes of the case had warmed up.
fn uncount_cut_visits(records: &mut Records) {
    let are_few = records.header.settings.rounds.is_some_and(|rounds| rounds < LEAST_ROUNDS);
    let blocks: HashMap<u32, u32> =
        records.processes.iter().map(|process| (process.process, process.block)).collect();
    let block = |record: &VisitRecord| (record.visit.case, blocks.get(&record.visit.process).copied());
    let counts = |record: &&VisitRecord| record.complete && record.visit.mode.is_none();
    let is_warmed = |record: &VisitRecord| record.turns.facts().warm_up > 0;
    let is_full = |record: &VisitRecord| are_few || record.turns.facts().measured >= LEAST_ROUNDS;
    // Maps each case with a warm-up to true if one of its processes has enough rounds. Skips cases whose
    // bodies can run only a limited number of batches, because these may have fewer rounds.
    let mut warmed: HashMap<u32, bool> = HashMap::new();
    let wears_out =
        |case: u32| records.cases.get(case as usize).is_some_and(|case| case.max_batches.is_some());
    for record in records.visits.iter().filter(counts) {
        let case = record.visit.case;
        if is_warmed(record) && !wears_out(case) {
            *warmed.entry(case).or_default() |= is_full(record);
        }
    }
    let is_cut = |record: &&VisitRecord| {
        let rounds_matter = warmed.get(&record.visit.case);
        rounds_matter.is_some_and(|matter| !is_warmed(record) || (*matter && !is_full(record)))
    };
    let cut: HashSet<_> = records.visits.iter().filter(counts).filter(is_cut).map(block).collect();
    for record in records.visits.iter_mut().filter(|record| record.visit.mode.is_none()) {
        record.complete &= !cut.contains(&block(record));
    }
}

/// Languages whose programs were assumed to have no garbage collector before harnesses declared it.
const UNCOLLECTED: [&str; 7] = ["rust", "c", "c++", "cpp", "zig", "fortran", "ada"];

fn is_undecided(metric: &Metric) -> bool {
    metric.kind == Kind::Reported && !metric.unit.contains('/')
}

/// Sets the kind of a metric that was stored before metrics had kinds. Metrics whose unit is a quotient were
/// shown as reported, and all others were totals.
fn decide_kind(metric: &mut Metric) {
    if is_undecided(metric) {
        metric.kind = Kind::Total;
    }
}
