//! Results by process, for file formats of other tools with a line per process.

use crate::metrics;
use derny_estimate::mean;
use derny_estimate::pair::Replicate;
use derny_model::{Case, Phase, ProcessResult, ProcessStart, Records, VisitRecord};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Returns the complete processes of every case, in catalogue order and by variant. Uses only the default
/// mode.
pub fn process_results(records: &Records) -> Vec<ProcessResult> {
    let starts: HashMap<u32, &ProcessStart> =
        records.processes.iter().map(|start| (start.process, start)).collect();
    let mut visits: BTreeMap<(u32, u32, u32), Vec<&VisitRecord>> = BTreeMap::new();
    for record in records.visits.iter().filter(|record| record.complete && record.visit.mode.is_none()) {
        if let Some(start) = starts.get(&record.visit.process) {
            let place = (record.visit.case, start.variant, start.process);
            visits.entry(place).or_default().push(record);
        }
    }
    let result = |((case, variant, process), visits): ((u32, u32, u32), Vec<&VisitRecord>)| {
        let declared = records.cases.get(case as usize)?;
        let at_hand: Vec<Cow<'_, VisitRecord>> = visits.into_iter().map(VisitRecord::at_hand).collect();
        let visits: Vec<&VisitRecord> = at_hand.iter().map(AsRef::as_ref).collect();
        let (iterations, time_ns, metrics) = of(starts[&process], declared, visits)?;
        Some(ProcessResult { case, variant, process, iterations, time_ns, metrics })
    };
    visits.into_iter().filter_map(result).collect()
}

type Values = (f64, Option<f64>, Vec<(derny_model::Metric, f64)>);

fn of(start: &ProcessStart, case: &Case, visits: Vec<&VisitRecord>) -> Option<Values> {
    let measured = || {
        let turns = visits.iter().flat_map(|record| &record.turns);
        turns.filter(|turn| turn.phase == Phase::Measured)
    };
    measured().next()?;
    // A turn without times reports its own number of iterations.
    let iterations = measured().map(|turn| match (turn.times_ns.is_empty(), &turn.ops) {
        (true, _) => turn.iterations as f64,
        (false, Some(ops)) => ops.iter().sum(),
        (false, None) => turn.iterations as f64 * turn.times_ns.len() as f64,
    });
    let iterations = iterations.sum();
    let replicate = Replicate::of(start, case, visits.iter().copied());
    let total = || {
        let totals = mean::totals(&[&replicate.cost]);
        totals.first().filter(|total| total.1 > 0.0).map(|(ns, operations)| ns / operations)
    };
    // Without times, the location would be that of a metric.
    let timed = measured().any(|turn| !turn.times_ns.is_empty());
    let time_ns = replicate.rounds.location().map(libm::exp).or_else(total).filter(|_| timed);
    let values = metrics::by_process(case, &[visits]).into_iter();
    let metrics = values.filter_map(|(metric, values)| Some((metric, values.first().copied().flatten()?)));
    Some((iterations, time_ns, metrics.collect()))
}
