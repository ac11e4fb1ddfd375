//! Joins several runs of the same sides into one run with more blocks.

use derny_model::{CaseId, Records, Visit, VisitRecord};
use std::collections::HashMap;

/// Appends later runs to the first. The header remains that of the first run, but the end and the status are
/// those of the last one. Renumbers processes, blocks and visits, so that each block remains one set of
/// alternating processes. Drops cases that the first run lacks, and runs with different variants. Returns
/// `None` without runs.
pub fn join(runs: impl IntoIterator<Item = Records>) -> Option<Records> {
    let mut runs = runs.into_iter();
    let mut all = runs.next()?;
    for run in runs.filter(|run| run.header.variants == all.header.variants).collect::<Vec<_>>() {
        append(&mut all, run, None);
    }
    Some(all)
}

/// Appends the measurements of `run` to `all`. `all` keeps its cases and its header, except for the end and
/// the status of the run. `machine` is the index of the machine that measured `run`, if there are several.
/// Returns the offset added to process numbers.
pub fn append(all: &mut Records, run: Records, machine: Option<u32>) -> u32 {
    let after = |numbers: &mut dyn Iterator<Item = u32>| numbers.max().map_or(0, |last| last + 1);
    let process = after(&mut all.processes.iter().map(|start| start.process));
    let block = after(&mut all.processes.iter().map(|start| start.block));
    let wave = after(&mut all.processes.iter().filter_map(|start| start.wave));
    let visit = after(&mut all.visits.iter().map(|record| record.visit.visit));
    let places: HashMap<CaseId, u32> =
        (0..).zip(&all.cases).map(|(at, case)| (case.id.clone(), at)).collect();
    let place = |case: u32| places.get(&run.cases.get(case as usize)?.id).copied();
    all.ended.extend(run.ended.iter().filter_map(|(case, reason)| Some((place(*case)?, *reason))));
    all.failures.extend(run.failures.into_iter().filter_map(|mut failure| {
        failure.case = match failure.case {
            Some(case) => Some(place(case)?),
            None => None,
        };
        Some(failure)
    }));
    all.visits.extend(run.visits.into_iter().filter_map(|record| {
        let number = record.visit.visit + visit;
        let moved = Visit {
            visit: number,
            process: record.visit.process + process,
            case: place(record.visit.case)?,
            ..record.visit
        };
        let mut turns = record.turns;
        turns.renumber(number);
        Some(VisitRecord { visit: moved, turns, ..record })
    }));
    all.processes.extend(run.processes.into_iter().map(|mut start| {
        start.process += process;
        start.block += block;
        start.wave = start.wave.map(|number| number + wave);
        start.machine = machine.or(start.machine);
        start
    }));
    all.process_ends.extend(run.process_ends.into_iter().map(|mut end| {
        end.process += process;
        end
    }));
    all.observations.extend(run.observations);
    (all.header.ended_ms, all.header.status) = (run.header.ended_ms, run.header.status);
    process
}
