//! Recovers runs whose engine died.

use crate::backend::{Rows, RunKey, RunRef};
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use crate::journal::alive::{is_running, path};
use crate::journal::frames::{self, Frames};
use crate::journal::open::Open;
use crate::seal::{append, seal_open};
use derny_model::{Event, RunId, RunStatus};
use std::path::Path;

/// Returns true if the run is being recorded, on this machine or another.
pub fn is_recorded(dir: &Path, rows: &dyn Rows, id: &str) -> Result<bool, Trouble> {
    Ok(is_running(dir, id) || rows.is_held(id)?)
}

/// Returns the status to display. A run that is marked as running but not being recorded is partial.
pub fn status_of(dir: &Path, rows: &dyn Rows, marked: RunStatus, id: &str) -> Result<RunStatus, Trouble> {
    Ok(match marked {
        RunStatus::Running if !is_recorded(dir, rows, id)? => RunStatus::Partial,
        status => status,
    })
}

pub fn any_running(conn: &Connection) -> Result<bool, StoreError> {
    conn.read("the runs cannot be read", |rows| {
        for run in rows.marked_running()? {
            if is_recorded(&conn.dir, rows, &run.id)? {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Writes the journal of a dead engine to the database, and seals its visits.
pub fn replay(rows: &dyn Rows, run: RunKey, left: &Frames) -> Result<(), Trouble> {
    let taken = rows.taken(run)?;
    let newer = left.events.iter().filter(|(number, _)| *number > taken);
    let events: Vec<Event> = newer.map(|(_, event)| event.clone()).collect();
    let mut open = Open::default();
    for turn in &left.turns {
        let mut packed = Vec::new();
        frames::pack(&mut packed, turn);
        open.push(turn.visit, &packed);
    }
    append(rows, run, &events, &open, taken)?;
    seal_open(rows, run, &open)
}

/// Marks runs whose engine died as partial, and seals their visits. Returns their ids, oldest first. Each
/// machine recovers the runs whose journals are in its own folder.
pub fn recover(conn: &Connection) -> Result<Vec<RunId>, StoreError> {
    let dead = |rows: &dyn Rows| -> Result<Vec<RunRef>, Trouble> {
        let mut dead = Vec::new();
        for run in rows.marked_running()? {
            let is_here = conn.shares_folder() || path(&conn.dir, &run.id).exists();
            if is_here && !is_recorded(&conn.dir, rows, &run.id)? {
                dead.push(run);
            }
        }
        Ok(dead)
    };
    if conn.read("the runs cannot be read", dead)?.is_empty() {
        return Ok(Vec::new()); // usually no run is dead, and no lock is needed
    }
    let recovered = conn.write("interrupted runs cannot be recovered", |rows| {
        let runs = dead(rows)?;
        for run in &runs {
            replay(rows, run.key, &frames::read(&path(&conn.dir, &run.id)))?;
            rows.set_status(run.key, RunStatus::Partial)?;
        }
        Ok(runs.into_iter().map(|run| run.id).collect::<Vec<RunId>>())
    })?;
    for id in &recovered {
        let _ = std::fs::remove_file(path(&conn.dir, id));
    }
    Ok(recovered)
}
