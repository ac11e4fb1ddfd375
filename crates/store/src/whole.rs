//! Stores a complete run, such as a merged or copied one, in one transaction and without a journal.

use crate::backend::{Rows, RunKey, SealedTurns, by_name};
use crate::codec::blob::encode;
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use crate::seal;
use derny_model::{Event, ProcessEnd, ProcessStart, Records, VisitRecord};
use std::collections::HashMap;
use std::sync::Arc;

/// Number of visits whose events are created at once.
const GROUP: usize = 1 << 12;
/// Number of visits from which a run counts as large. Such a run has tens of megabytes.
const MUCH: usize = 1 << 14;

/// Stores a run under the id in its header. No other run may have this id. Encoded turns of another store are
/// copied unchanged.
///
/// # Errors
///
/// Fails if the store cannot be written. Nothing of the run is stored then.
pub fn keep(conn: &Connection, records: &Records) -> Result<(), StoreError> {
    // References between rows use numbers that are assigned here, so the database need not check them.
    conn.check_references(false)?;
    let is_much = records.visits.len() >= MUCH;
    if is_much {
        conn.write_much(true)?;
    }
    let written = conn.write("the run cannot be stored", |rows| write(rows, records).map(|_| ()));
    let as_before = if is_much { conn.write_much(false) } else { Ok(()) };
    written.and(as_before).and(conn.check_references(true))
}

pub fn write(rows: &dyn Rows, records: &Records) -> Result<RunKey, Trouble> {
    let run = rows.begin(&records.header, &|| by_name(&records.cases))?;
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
        some.chunk_by(is_next).try_for_each(|some| seal_all(rows, run, some))?;
    }
    append(rest(records))?;
    rows.set_status(run, records.header.status)?;
    Ok(run)
}

fn process(start: &ProcessStart, ends: &HashMap<u32, &ProcessEnd>) -> Vec<Event> {
    let end = ends.get(&start.process).map(|end| Event::ProcessEnded((*end).clone()));
    [Event::ProcessStarted(start.clone())].into_iter().chain(end).collect()
}

fn visit(record: &VisitRecord) -> Vec<Event> {
    let visit = record.visit.visit;
    let report = record.report.as_deref().cloned();
    let report = report.map(|report| Event::Reported { visit, report });
    let end = record.complete.then_some(Event::VisitEnded { visit });
    [Event::VisitStarted(record.visit.clone())].into_iter().chain(report).chain(end).collect()
}

/// Returns true if the turns of two visits are stored consecutively in the same store.
fn is_next(one: &VisitRecord, next: &VisitRecord) -> bool {
    let (Some((one, at)), Some((other, next_at))) = (one.turns.kept(), next.turns.kept()) else {
        return false;
    };
    Arc::ptr_eq(one, other) && next_at == at + 1
}

/// Seals visits whose turns are stored consecutively. Copies the turns in one pass, without a lookup for
/// each.
fn seal_all(rows: &dyn Rows, run: RunKey, some: &[VisitRecord]) -> Result<(), Trouble> {
    let (Some((kept, first)), false) = (some[0].turns.kept(), some.iter().any(|record| record.pruned)) else {
        return some.chunks(seal::AT_ONCE).try_for_each(|some| seal(rows, run, some));
    };
    let (mut taken, mut done, mut held) = (0, Ok(()), Vec::new());
    kept.each_packed(first..=first.saturating_add(some.len() as u32 - 1), &mut |visit, bytes| {
        let at = (visit - first) as usize;
        if done.is_ok() && at == taken {
            held.push(SealedTurns { visit: some[at].visit.visit, bytes: bytes.to_vec() });
            taken += 1;
            if held.len() == seal::AT_ONCE {
                done = rows.seal(run, &held);
                held.clear();
            }
        }
    });
    done?;
    rows.seal(run, &held)?;
    some[taken..].chunks(seal::AT_ONCE).try_for_each(|some| seal(rows, run, some))
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
        // Test with turns in memory, and with turns that stay in the database.
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
