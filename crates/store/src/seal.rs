//! One blob per visit, and what is done about runs whose engine died.

use crate::codec::blob::encode;
use crate::error::{StoreError, Trouble};
use crate::journal::alive::{is_running, path};
use crate::journal::frames::{self, Frames};
use crate::journal::open::Open;
use crate::rows::write_group;
use crate::runs::status_of;
use crate::schema::Db;
use crate::words::word;
use derny_model::{Event, RunId, RunStatus, Turn};
use rusqlite::{Connection, params};

/// Writes the turns of a visit as one blob.
pub fn seal_visit(conn: &Connection, run: i64, visit: u32, turns: &[Turn]) -> Result<(), Trouble> {
    conn.prepare_cached("INSERT INTO batches(run, visit, data) VALUES(?1, ?2, ?3)")?.execute(params![
        run,
        visit,
        encode(turns)
    ])?;
    Ok(())
}

/// Seals every visit of a run that was not; they stay incomplete. `open` holds their turns.
pub fn seal_open(conn: &Connection, run: i64, open: &Open) -> Result<(), Trouble> {
    let mut select = conn.prepare_cached(
        "SELECT visit FROM visits WHERE run = ?1 AND visit NOT IN (SELECT visit FROM batches WHERE run = ?1)",
    )?;
    let visits = select.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<Vec<u32>>>()?;
    for visit in visits {
        seal_visit(conn, run, visit, &open.turns(visit))?;
    }
    Ok(())
}

/// Brings what a dead engine left in its journal into the tables.
pub fn replay(conn: &Connection, run: i64, frames: Frames) -> Result<(), Trouble> {
    let taken: i64 = conn.query_row("SELECT taken FROM runs WHERE run = ?1", [run], |row| row.get(0))?;
    let newer = frames.events.into_iter().filter(|(number, _)| *number as i64 > taken);
    let events: Vec<Event> = newer.map(|(_, event)| event).collect();
    let mut open = Open::default();
    for turn in frames.turns {
        let mut packed = Vec::new();
        frames::pack(&mut packed, &turn);
        open.push(turn.visit, &packed);
    }
    write_group(conn, run, &events, &open, taken as u64)?;
    seal_open(conn, run, &open)
}

/// Marks the runs whose engine died as partial and seals their visits. Returns their ids, oldest first.
pub fn recover(db: &Db) -> Result<Vec<RunId>, StoreError> {
    let dead = |conn: &Connection| -> Result<Vec<(i64, RunId)>, Trouble> {
        Ok(marked_running(conn)?.into_iter().filter(|(_, id)| !is_running(&db.dir, id)).collect())
    };
    if db.read("the runs cannot be read", dead)?.is_empty() {
        return Ok(Vec::new()); // the usual case writes nothing, and waits for nobody
    }
    let recovered: Vec<RunId> = db.write("dead runs cannot be recovered", |conn| {
        let runs = dead(conn)?;
        for (run, id) in &runs {
            replay(conn, *run, frames::read(&path(&db.dir, id)))?;
            conn.execute(
                "UPDATE runs SET status = ?2 WHERE run = ?1",
                params![run, word(&RunStatus::Partial)?],
            )?;
        }
        Ok(runs.into_iter().map(|(_, id)| id).collect())
    })?;
    for id in &recovered {
        let _ = std::fs::remove_file(path(&db.dir, id));
    }
    Ok(recovered)
}

/// Some run is being recorded, by whatever process.
pub fn any_running(db: &Db) -> Result<bool, StoreError> {
    let marked = db.read("the runs cannot be read", marked_running)?;
    Ok(marked.iter().any(|(_, id)| status_of(db, RunStatus::Running, id) == RunStatus::Running))
}

fn marked_running(conn: &Connection) -> Result<Vec<(i64, RunId)>, Trouble> {
    let mut select = conn.prepare_cached("SELECT run, id FROM runs WHERE status = ?1 ORDER BY run")?;
    let rows = select.query_map([word(&RunStatus::Running)?], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
