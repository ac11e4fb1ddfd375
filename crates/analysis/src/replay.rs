//! The event stream of a run (`--format ndjson`) back into the records that a store would have kept.

use derny_model::{Event, Records, RunStatus, Turn, VisitRecord};
use std::collections::HashMap;

/// Records from events in their order; none if no run starts among them. A stream that breaks off is a partial run.
/// Of several runs in one stream the last counts.
pub fn replay(events: impl IntoIterator<Item = Event>) -> Option<Records> {
    let mut records: Option<Records> = None;
    let mut places: HashMap<u32, usize> = HashMap::new();
    for event in events {
        if let Event::RunStarted { run, cases, .. } = event {
            let mut header = *run;
            header.status = RunStatus::Partial;
            places.clear();
            records = Some(Records {
                header,
                cases,
                ended: Vec::new(),
                processes: Vec::new(),
                process_ends: Vec::new(),
                visits: Vec::new(),
                failures: Vec::new(),
                observations: Vec::new(),
            });
        } else if let Some(records) = &mut records {
            take(records, &mut places, event);
        }
    }
    records
}

fn take(records: &mut Records, places: &mut HashMap<u32, usize>, event: Event) {
    match event {
        Event::ProcessStarted(start) => {
            let runtime = format!("{} {}", start.language, start.runtime);
            if !records.header.runtimes.contains(&runtime) {
                records.header.runtimes.push(runtime);
            }
            records.processes.push(start);
        }
        Event::ProcessEnded(end) => records.process_ends.push(end),
        Event::VisitStarted(visit) => {
            places.insert(visit.visit, records.visits.len());
            records.visits.push(VisitRecord { visit, complete: false, pruned: false, turns: Vec::new() });
        }
        Event::Turn(turn) => add_turn(records, places, turn),
        Event::VisitEnded { visit } => {
            if let Some(place) = places.get(&visit) {
                records.visits[*place].complete = true;
            }
        }
        Event::CaseEnded { case, reason } => records.ended.push((case, reason)),
        Event::Failed(failure) => records.failures.push(failure),
        Event::Observed(observation) => records.observations.push(observation),
        Event::RunEnded { ended_ms, status } => {
            (records.header.ended_ms, records.header.status) = (Some(ended_ms), status);
        }
        Event::RunStarted { .. } | Event::Log { .. } | Event::Learned(_) | Event::Progress { .. } => {}
    }
}

fn add_turn(records: &mut Records, places: &HashMap<u32, usize>, turn: Turn) {
    if let Some(place) = places.get(&turn.visit) {
        records.visits[*place].turns.push(turn);
    }
}
