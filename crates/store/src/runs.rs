//! Reading runs back: the list, and all records of one.

use crate::backend::{Rows, Run, RunSummary, StoredRun, StoredVisit};
use crate::codec::blob::decode;
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use crate::journal::alive::path;
use crate::journal::frames::{self, Frames};
use crate::names::{find, unknown};
use crate::older;
use crate::recovery::status_of;
use derny_model::{Event, Records, VisitRecord};
use std::collections::HashSet;
use std::path::Path;

/// The newest `limit` runs, newest first.
pub fn list(conn: &Connection, limit: usize) -> Result<Vec<RunSummary>, StoreError> {
    conn.read("the runs cannot be listed", |rows| {
        rows.newest(limit)?.iter().map(|run| summary_of(&conn.dir, rows, run)).collect()
    })
}

/// The line of one run.
pub fn summary(conn: &Connection, name: &str) -> Result<RunSummary, StoreError> {
    conn.read("the run cannot be read", |rows| summary_of(&conn.dir, rows, &find(rows, name)?))
}

fn summary_of(dir: &Path, rows: &dyn Rows, run: &Run) -> Result<RunSummary, Trouble> {
    let mut summary = rows.summary(run.key)?;
    summary.header.status = status_of(dir, summary.header.status, &run.id);
    Ok(summary)
}

/// All that a run recorded so far.
pub fn load(conn: &Connection, name: &str) -> Result<Records, StoreError> {
    const WHAT: &str = "the run cannot be read";
    let id = conn.read(WHAT, |rows| find(rows, name))?.id;
    // Before the rows: what is moved from the journal to them meanwhile is then seen twice, and taken once.
    let left = frames::read(&path(&conn.dir, &id));
    let mut stored = conn.read(WHAT, |rows| {
        let run = rows.with_id(&id)?.ok_or_else(|| unknown(rows, name))?;
        rows.load(run.key)
    })?;
    stored.header.status = status_of(&conn.dir, stored.header.status, &id);
    records(stored, left).map_err(|trouble| conn.explain(WHAT, trouble))
}

fn records(stored: StoredRun, left: Frames) -> Result<Records, Trouble> {
    let sealed = stored.visits.iter().filter(|visit| visit.turns.is_some());
    let sealed: HashSet<u32> = sealed.map(|visit| visit.visit.visit).collect();
    let mut records = Records {
        header: stored.header,
        cases: stored.cases,
        ended: stored.ended,
        processes: stored.processes,
        process_ends: stored.process_ends,
        visits: stored.visits.into_iter().map(with_turns).collect::<Result<_, _>>()?,
        failures: stored.failures,
        observations: stored.observations,
        looks: stored.looks,
    };
    overlay(&mut records, left, stored.taken, &sealed);
    older::complete(&mut records);
    Ok(records)
}

fn with_turns(stored: StoredVisit) -> Result<VisitRecord, Trouble> {
    let StoredVisit { visit, complete, pruned, turns, report } = stored;
    let turns = match turns {
        None => Vec::new(), // if there are any, they are in the journal
        Some(bytes) => decode(visit.visit, &bytes).ok_or_else(|| Trouble::unreadable(visit.visit))?,
    };
    Ok(VisitRecord { visit, complete, pruned, turns, report })
}

/// Adds what the journal of a run holds beyond its rows: events after number `taken`, and turns of visits that are not
/// `sealed`.
fn overlay(records: &mut Records, left: Frames, taken: u64, sealed: &HashSet<u32>) {
    let (status, ended_ms) = (records.header.status, records.header.ended_ms);
    for (_, event) in left.events.into_iter().filter(|(number, _)| *number > taken) {
        records.take(event);
    }
    // Whether a run is over is for the database and its engine to say.
    (records.header.status, records.header.ended_ms) = (status, ended_ms);
    records.process_ends.sort_by_key(|end| end.process);
    records.ended.sort_by_key(|(case, _)| *case);
    for turn in left.turns.into_iter().filter(|turn| !sealed.contains(&turn.visit)) {
        records.take(Event::Turn(turn));
    }
}
