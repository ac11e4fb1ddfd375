//! Measured batches by case and variant, for files that have every one of them.

use derny_model::{CaseId, Phase, Records};
use std::collections::HashMap;

/// The metric that stands for a time where a tool stated rates.
const SCORE: &str = "score";

/// What was measured of one variant of a case.
#[derive(Default)]
pub(super) struct Batches {
    /// By process: its turns, each with the times of its batches per operation in ns, or with its score.
    pub processes: Vec<(u32, Vec<Vec<f64>>)>,
}

impl Batches {
    /// All turns in the order of processes.
    pub(super) fn turns(&self) -> impl Iterator<Item = &Vec<f64>> {
        self.processes.iter().flat_map(|(_, turns)| turns)
    }
}

/// By case and variant.
pub(super) type ByCase<'a> = HashMap<(&'a CaseId, &'a str), Batches>;

/// What every variant of every case measured.
pub(super) fn batches(records: &Records) -> ByCase<'_> {
    let name =
        |variant: u32| records.header.variants.get(variant as usize).map_or("", |one| one.name.as_str());
    let variants: HashMap<u32, &str> =
        records.processes.iter().map(|start| (start.process, name(start.variant))).collect();
    let mut all = ByCase::new();
    for record in records.visits.iter().filter(|record| record.complete && record.visit.mode.is_none()) {
        let visit = &record.visit;
        let (Some(case), Some(variant)) =
            (records.cases.get(visit.case as usize), variants.get(&visit.process))
        else {
            continue;
        };
        let score = visit.metrics.iter().position(|metric| metric.name == SCORE);
        let at_hand = record.at_hand();
        let measured = at_hand.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        let turns = measured.map(|turn| {
            let times = turn.times_ns.iter().enumerate();
            let times = times.map(|(batch, time)| *time as f64 / turn.operations(batch, case.ops));
            let times: Vec<f64> = times.filter(|time| time.is_finite()).collect();
            let told = score.and_then(|place| turn.counters.get(place).copied().flatten());
            if times.is_empty() { told.into_iter().collect() } else { times }
        });
        let turns: Vec<Vec<f64>> = turns.filter(|turn| !turn.is_empty()).collect();
        if turns.is_empty() {
            continue;
        }
        let own = all.entry((&case.id, *variant)).or_default();
        match own.processes.iter_mut().rfind(|(process, _)| *process == visit.process) {
            Some((_, known)) => known.extend(turns),
            None => own.processes.push((visit.process, turns)),
        }
    }
    all
}
