//! The measured turns of a case in one process as a time series, and functions of several series.

use super::counted;
use derny_estimate::rounds::{self, LEAST_TURNS};
use derny_estimate::turn;
use derny_model::{Case, Phase, ProcessStart, VisitRecord};
use derny_stats::median;
use std::collections::HashMap;

pub(super) struct TurnSeries {
    pub variant: u32,
    /// Number of cases opened earlier in the process.
    pub position: u32,
    /// Logarithm of the process's time per operation, as in the estimate of the case.
    pub location: f64,
    /// Relative excess of the total time of turns over the time they would take at the median of their
    /// processor. Turns with a collection, compilation or preemption do not count. NaN if no other turns are
    /// left.
    pub excess: f64,
    pub middle_s: f64,
    pub at_s: Box<[f64]>,
    /// Logarithm of each turn's time per operation, minus the median of the visit's turns on the same
    /// processor.
    pub residuals: Box<[f64]>,
}

/// Start, log time per operation, processor, and total time and operations of a turn. Totals are 0 if an
/// event was counted.
type Taken = (f64, f64, Option<u32>, (f64, f64));

impl TurnSeries {
    pub(super) fn new(
        variant: u32,
        record: &VisitRecord,
        case: &Case,
        clock_step_ns: u64,
    ) -> Option<TurnSeries> {
        let counted = counted::counted(record, case);
        let measured = record.turns.iter().enumerate().filter(|(_, turn)| turn.phase == Phase::Measured);
        let turns = measured.filter_map(|(at, turn)| {
            let value = turn::value(turn, case.ops, clock_step_ns).filter(|value| *value > 0.0)?;
            let totals = if counted[at] { (0.0, 0.0) } else { turn::totals(turn, case.ops) };
            Some((turn.at_ns as f64 / 1e9, libm::log(value), turn.cpu, totals))
        });
        let turns: Vec<Taken> = turns.collect();
        if turns.is_empty() {
            return None;
        }
        let logs: Vec<f64> = turns.iter().map(|turn| turn.1).collect();
        let processors: Vec<Option<u32>> = turns.iter().map(|turn| turn.2).collect();
        let all = median(&logs);
        let mut centers: HashMap<Option<u32>, f64> = HashMap::new();
        for &processor in &processors {
            centers.entry(processor).or_insert_with(|| {
                let here = turns.iter().filter(|turn| turn.2 == processor).map(|turn| turn.1);
                let here: Vec<f64> = here.collect();
                if here.len() < LEAST_TURNS { all } else { median(&here) }
            });
        }
        let (time, usual) = turns.iter().fold((0.0, 0.0), |sum, (_, _, processor, (time, operations))| {
            (sum.0 + time, sum.1 + operations * libm::exp(centers[processor]))
        });
        let at_s: Box<[f64]> = turns.iter().map(|turn| turn.0).collect();
        Some(TurnSeries {
            variant,
            excess: time / usual - 1.0,
            position: record.visit.position,
            location: rounds::location(&logs, &processors)?,
            middle_s: median(&at_s),
            at_s,
            residuals: turns.iter().map(|turn| turn.1 - centers[&turn.2]).collect(),
        })
    }

    pub(super) fn without_turns(self) -> TurnSeries {
        TurnSeries { at_s: Box::default(), residuals: Box::default(), ..self }
    }
}

pub(super) fn of_case(
    processes: &HashMap<u32, &ProcessStart>,
    visits: &[&VisitRecord],
    case: &Case,
) -> Vec<TurnSeries> {
    let complete = visits.iter().filter(|record| record.complete);
    let series = complete.filter_map(|record| {
        let process = processes.get(&record.visit.process)?;
        TurnSeries::new(process.variant, record, case, process.clock_step_ns)
    });
    series.collect()
}

/// Returns every visit with its location, minus the median of its case and variant. Omits cases and variants
/// with fewer than three visits.
pub(super) fn locations(cases: &[Vec<TurnSeries>]) -> Vec<(&TurnSeries, f64)> {
    let mut points = Vec::new();
    for series in cases {
        let mut variants: Vec<u32> = series.iter().map(|one| one.variant).collect();
        variants.sort_unstable();
        variants.dedup();
        for variant in variants {
            let same = || series.iter().filter(move |one| one.variant == variant);
            if same().count() >= 3 {
                let center = median(&same().map(|one| one.location).collect::<Vec<_>>());
                points.extend(same().map(|one| (one, one.location - center)));
            }
        }
    }
    points
}
