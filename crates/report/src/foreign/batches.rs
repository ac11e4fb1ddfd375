//! The measured batches by case and variant, for formats that contain every batch.

use derny_model::{CaseId, Phase, Records};
use std::collections::HashMap;

/// Metric to use instead of a time if a tool reported rates.
const SCORE: &str = "score";

pub(super) struct Turn {
    /// Time per operation of each batch in ns, or the score.
    pub times: Vec<f64>,
    /// Peak memory of the process, in bytes.
    pub peak: Option<f64>,
    /// Exit status of a command.
    pub status: Option<f64>,
}

#[derive(Default)]
pub(super) struct Batches {
    /// Process numbers, each with its turns.
    pub processes: Vec<(u32, Vec<Turn>)>,
}

impl Batches {
    pub(super) fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.processes.iter().flat_map(|(_, turns)| turns)
    }
}

pub(super) type ByCase<'a> = HashMap<(&'a CaseId, &'a str), Batches>;

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
        let place = |name: &str| visit.metrics.iter().position(|metric| metric.name == name);
        let [score, peak, status] = [SCORE, "peak", "exit_code"].map(place);
        let at_hand = record.at_hand();
        let measured = at_hand.turns.iter().filter(|turn| turn.phase == Phase::Measured);
        let turns = measured.map(|turn| {
            let times = turn.times_ns.iter().enumerate();
            let times = times.map(|(batch, time)| *time as f64 / turn.operations(batch, case.ops));
            let times: Vec<f64> = times.filter(|time| time.is_finite()).collect();
            let counter = |place: Option<usize>| turn.counters.get(place?).copied().flatten();
            let times = if times.is_empty() { counter(score).into_iter().collect() } else { times };
            Turn { times, peak: counter(peak), status: counter(status) }
        });
        let turns: Vec<Turn> = turns.filter(|turn| !turn.times.is_empty()).collect();
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
