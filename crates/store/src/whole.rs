//! A run that is there as a whole, such as one that was merged of parts or that another store has: it becomes rows in one transaction, so
//! that it needs no journal.

use crate::backend::{Rows, RunKey, SealedTurns};
use crate::codec::blob::encode;
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use crate::seal;
use derny_model::{Event, ProcessEnd, ProcessStart, Records, VisitRecord};
use std::collections::HashMap;

/// Visits whose events are made at once.
const GROUP: usize = 1 << 12;

/// Writes a run under the id of its header, which no run has. Turns that another store keeps are copied as they are.
///
/// # Errors
/// The store cannot be written; then nothing of the run is there.
pub fn keep(conn: &Connection, records: &Records) -> Result<(), StoreError> {
    // Its rows refer to each other by numbers that are made here, so that the database need not look.
    conn.check_references(false)?;
    let written = conn.write("the run cannot be kept", |rows| write(rows, records).map(|_| ()));
    written.and(conn.check_references(true))
}

/// The same within a transaction.
pub fn write(rows: &dyn Rows, records: &Records) -> Result<RunKey, Trouble> {
    let run = rows.begin(&records.header, &records.cases)?;
    let mut taken = 0;
    let mut append = |events: Vec<Event>| {
        taken += events.len() as u64;
        rows.append(run, &events, taken)
    };
    let ends: HashMap<u32, &ProcessEnd> = records.process_ends.iter().map(|end| (end.process, end)).collect();
    for some in records.processes.chunks(GROUP) {
        append(some.iter().flat_map(|start| process(start, &ends)).collect())?;
    }
    for some in records.visits.chunks(GROUP) {
        append(some.iter().flat_map(visit).collect())?;
        some.chunks(seal::AT_ONCE).try_for_each(|some| seal(rows, run, some))?;
    }
    append(rest(records))?;
    rows.set_status(run, records.header.status)?;
    Ok(run)
}

/// How a process began, and how it ended.
fn process(start: &ProcessStart, ends: &HashMap<u32, &ProcessEnd>) -> Vec<Event> {
    let end = ends.get(&start.process).map(|end| Event::ProcessEnded((*end).clone()));
    [Event::ProcessStarted(start.clone())].into_iter().chain(end).collect()
}

/// A visit without its turns.
fn visit(record: &VisitRecord) -> Vec<Event> {
    let visit = record.visit.visit;
    let report = record.report.as_deref().cloned();
    let report = report.map(|report| Event::Reported { visit, report });
    let end = record.complete.then_some(Event::VisitEnded { visit });
    [Event::VisitStarted(record.visit.clone())].into_iter().chain(report).chain(end).collect()
}

fn seal(rows: &dyn Rows, run: RunKey, records: &[VisitRecord]) -> Result<(), Trouble> {
    let bytes =
        |record: &VisitRecord| record.turns.packed().unwrap_or_else(|| encode(&record.at_hand().turns));
    let turns = |record: &VisitRecord| SealedTurns { visit: record.visit.visit, bytes: bytes(record) };
    let all: Vec<SealedTurns> = records.iter().map(turns).collect();
    rows.seal(run, &all)?;
    let mut pruned = records.iter().zip(&all).filter(|(record, _)| record.pruned);
    pruned.try_for_each(|(_, turns)| rows.replace_by_pruned(run, turns))
}

/// What is not of one process or visit.
fn rest(records: &Records) -> Vec<Event> {
    let failures = records.failures.iter().cloned().map(Event::Failed);
    let observations = records.observations.iter().cloned().map(Event::Observed);
    let looks = records.looks.iter().cloned().map(Event::Looked);
    let ended = records.ended.iter().map(|(case, reason)| Event::CaseEnded { case: *case, reason: *reason });
    let (ended_ms, status) = (records.header.ended_ms, records.header.status);
    let end = ended_ms.map(|ended_ms| Event::RunEnded { ended_ms, status });
    failures.chain(observations).chain(looks).chain(ended).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
    use crate::{Store, runs};
    use derny_model::{Event, RunStatus};

    #[test]
    fn a_run_that_another_store_has_is_kept_as_it_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("one")).unwrap();
        let mut recorder = store.recorder().unwrap();
        let mut random = Random(1);
        let turns = (0..20).map(|round| Event::Turn(turn(&mut random, 0, round)));
        let events = [start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0)];
        let ends = [Event::VisitEnded { visit: 0 }, process_end(0), end(RunStatus::Failed)];
        events.into_iter().chain(turns).chain(ends).for_each(|event| recorder.on_event(&event).unwrap());
        // With turns at hand, and with turns that stay where they are.
        for (folder, unpacked) in [("here", u64::MAX), ("there", 0)] {
            let records = runs::load_within(&store.conn, "k3fz", unpacked).unwrap();
            assert_eq!(records.visits[0].turns.packed().is_some(), unpacked == 0);
            let other = Store::open(&dir.path().join(folder)).unwrap();
            other.keep(&records).unwrap();
            assert_eq!(other.load("k3fz").unwrap(), records);
            assert!(other.recover().unwrap().is_empty());
            other.delete("k3fz", false).unwrap();
            assert!(other.runs(1).unwrap().is_empty());
        }
    }
}
