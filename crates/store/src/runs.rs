//! Reads runs: the list of runs, and all records of one run.

use crate::backend::{Rows, RunKey, RunRef, RunSummary, Snapshot, StoredRun};
use crate::codec::blob::{decode, facts};
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use crate::journal::alive::path;
use crate::journal::frames::{self, Frames};
use crate::names::{find, unknown};
use crate::older;
use crate::part;
use crate::recovery::status_of;
use derny_model::{Event, KeptTurns, Records, Turn, TurnFacts, Turns};
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub fn list(conn: &Connection, limit: usize) -> Result<Vec<RunSummary>, StoreError> {
    conn.read("the runs cannot be listed", |rows| {
        rows.newest(limit)?.iter().map(|run| summary_of(&conn.dir, rows, run)).collect()
    })
}

pub fn summary(conn: &Connection, name: &str) -> Result<RunSummary, StoreError> {
    conn.read("the run cannot be read", |rows| summary_of(&conn.dir, rows, &find(rows, name)?))
}

fn summary_of(dir: &Path, rows: &dyn Rows, run: &RunRef) -> Result<RunSummary, Trouble> {
    let mut summary = rows.summary(run.key)?;
    summary.header.status = status_of(dir, rows, summary.header.status, &run.id)?;
    Ok(summary)
}

/// Number of encoded bytes up to which all turns are decoded when a run is loaded. Decoded turns take a few
/// megabytes, or up to sixteen if the times are similar. Larger runs decode turns on demand.
const UNPACKED_BYTES: u64 = 1 << 18;

/// Maximum size of decoded turns in memory, in bytes. Larger runs decode turns on demand.
const HERE_BYTES: usize = 1 << 27;

fn in_memory(turn: &Turn) -> usize {
    let numbers = turn.times_ns.len() + 2 * turn.counters.len() + turn.ops.as_ref().map_or(0, Vec::len);
    size_of::<Turn>() + 8 * numbers
}

pub fn load(conn: &Connection, name: &str) -> Result<Records, StoreError> {
    load_within(conn, name, UNPACKED_BYTES)
}

/// Loads a run. Turns of more than `unpacked` encoded bytes in total stay in the database.
pub fn load_within(conn: &Connection, name: &str, unpacked: u64) -> Result<Records, StoreError> {
    let mut records = read(conn, &|rows| find(rows, name), unpacked)?;
    older::complete(&mut records);
    Ok(records)
}

/// Returns the records of the run with this id exactly as stored, whatever version wrote them. Turns stay in
/// the database.
pub fn as_stored(conn: &Connection, id: &str) -> Result<Records, StoreError> {
    read(conn, &|rows| with_id(rows, id), 0)
}

fn with_id(rows: &dyn Rows, id: &str) -> Result<RunRef, Trouble> {
    rows.with_id(id)?.ok_or_else(|| unknown(rows, id).into())
}

fn read(
    conn: &Connection,
    find: &dyn Fn(&dyn Rows) -> Result<RunRef, Trouble>,
    unpacked: u64,
) -> Result<Records, StoreError> {
    const WHAT: &str = "the run cannot be read";
    let (id, is_large) = conn.read(WHAT, |rows| {
        let run = find(rows)?;
        Ok((run.id, rows.turn_bytes(run.key)? > unpacked))
    })?;
    // Read the journal before the rows. Events that move to the database in between are then read twice, but
    // used once.
    let left = frames::read(&path(&conn.dir, &id));
    let key = |rows: &dyn Rows| with_id(rows, &id).map(|run| run.key);
    let mut stored = if is_large {
        let snapshot = conn.snapshot()?;
        let rows = snapshot.rows();
        let loaded = key(rows).and_then(|run| Ok((run, rows.load(run)?)));
        let (run, mut stored) = loaded.map_err(|trouble| conn.explain(WHAT, trouble))?;
        let trouble = conn.checked.then(|| (conn.place(), OnceLock::new()));
        let kept: Arc<Kept> = Arc::new(Kept { snapshot: Mutex::new(snapshot), run, trouble });
        let mut known = match conn.checked {
            true => kept.known_facts().map_err(|trouble| conn.explain(WHAT, trouble))?,
            false => HashMap::new(),
        };
        for visit in stored.visits.iter_mut().filter(|visit| visit.sealed) {
            let number = visit.record.visit.visit;
            let facts = match known.remove(&number) {
                Some(facts) => facts,
                None => kept.facts(number, conn.checked).map_err(|trouble| conn.explain(WHAT, trouble))?,
            };
            visit.record.turns = Turns::elsewhere(kept.clone(), number, facts);
        }
        stored
    } else {
        let here = conn.read(WHAT, |rows| {
            let run = key(rows)?;
            let mut stored = rows.load(run)?;
            let mut bytes = 0;
            for visit in stored.visits.iter_mut().filter(|visit| visit.sealed) {
                let turns = unpacked_turns(rows, run, visit.record.visit.visit)?;
                bytes += turns.iter().map(in_memory).sum::<usize>();
                visit.record.turns = turns.into();
                if bytes > HERE_BYTES {
                    return Ok(None);
                }
            }
            Ok(Some(stored))
        })?;
        match here {
            Some(stored) => stored,
            None => return read(conn, find, 0),
        }
    };
    let marked = stored.header.status;
    stored.header.status = conn.read(WHAT, |rows| status_of(&conn.dir, rows, marked, &id))?;
    Ok(records(stored, left))
}

fn records(stored: StoredRun, left: Frames) -> Records {
    // Turns that are not sealed are in the journal.
    let sealed = stored.visits.iter().filter(|visit| visit.sealed);
    let sealed: HashSet<u32> = sealed.map(|visit| visit.record.visit.visit).collect();
    let mut records = Records {
        header: stored.header,
        cases: stored.cases,
        ended: stored.ended,
        processes: stored.processes,
        process_ends: stored.process_ends,
        visits: stored.visits.into_iter().map(|visit| visit.record).collect(),
        failures: stored.failures,
        observations: stored.observations,
        looks: stored.looks,
    };
    overlay(&mut records, left, stored.taken, &sealed);
    records.set_aside();
    records
}

fn unpacked_turns(rows: &dyn Rows, run: RunKey, visit: u32) -> Result<Vec<Turn>, Trouble> {
    let bytes = rows.turns(run, visit)?;
    bytes.and_then(|bytes| decode(visit, &bytes)).ok_or_else(|| Trouble::unreadable(visit))
}

/// The turns of a run in a snapshot of the database.
struct Kept {
    snapshot: Mutex<Box<dyn Snapshot>>,
    run: RunKey,
    /// For a file whose turns were not all checked on loading: its path, and the first error that occurs
    /// later.
    trouble: Option<(String, OnceLock<String>)>,
}

impl Kept {
    /// Returns facts about the turns of a visit. Decodes the turns to validate them, unless the checksum of
    /// the file was verified (`checked`).
    fn facts(&self, visit: u32, checked: bool) -> Result<TurnFacts, Trouble> {
        if !checked {
            return Ok(TurnFacts::of(&self.read(visit)?));
        }
        let bytes = self.bytes(visit)?;
        bytes.and_then(|bytes| facts(&bytes)).ok_or_else(|| Trouble::unreadable(visit))
    }

    fn known_facts(&self) -> Result<HashMap<u32, TurnFacts>, Trouble> {
        let snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        part::facts(snapshot.rows())
    }

    fn bytes(&self, visit: u32) -> Result<Option<Vec<u8>>, Trouble> {
        let snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        snapshot.rows().turns(self.run, visit)
    }

    fn read(&self, visit: u32) -> Result<Vec<Turn>, Trouble> {
        let bytes = self.bytes(visit)?;
        bytes.and_then(|bytes| decode(visit, &bytes)).ok_or_else(|| Trouble::unreadable(visit))
    }
}

impl KeptTurns for Kept {
    fn packed(&self, visit: u32) -> Option<Vec<u8>> {
        self.bytes(visit).ok().flatten()
    }

    fn each_packed(&self, visits: RangeInclusive<u32>, take: &mut dyn FnMut(u32, &[u8])) -> bool {
        let snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = visits.clone().count();
        let taken = snapshot.rows().each_turns(self.run, visits, &mut |visit, bytes| {
            left -= 1;
            take(visit, bytes);
            Ok(())
        });
        taken.is_ok() && left == 0
    }

    fn turns(&self, visit: u32) -> Vec<Turn> {
        self.read(visit).unwrap_or_else(|trouble| match &self.trouble {
            Some((place, first)) => {
                first.get_or_init(|| trouble.of("the part cannot be read", place).to_string());
                Vec::new()
            }
            // All turns were read from this snapshot when it was loaded, so only the disk can fail now.
            None => panic!("{}", trouble.of("turns cannot be read again", &format!("visit {visit}"))),
        })
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.as_ref()?.1.get().cloned()
    }
}

/// Adds data that only the journal contains: events after number `taken`, and turns of visits that are not
/// `sealed`.
fn overlay(records: &mut Records, left: Frames, taken: u64, sealed: &HashSet<u32>) {
    let (status, ended_ms) = (records.header.status, records.header.ended_ms);
    for (_, event) in left.events.into_iter().filter(|(number, _)| *number > taken) {
        records.take(event);
    }
    // The database and the lock determine whether a run has ended.
    (records.header.status, records.header.ended_ms) = (status, ended_ms);
    records.process_ends.sort_by_key(|end| end.process);
    records.ended.sort_by_key(|(case, _)| *case);
    for turn in left.turns.into_iter().filter(|turn| !sealed.contains(&turn.visit)) {
        records.take(Event::Turn(turn));
    }
}
