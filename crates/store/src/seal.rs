//! From chunks to one blob per visit, and what is done about runs whose engine died.

use crate::alive::is_running;
use crate::blob::{encode, read_chunk};
use crate::error::{StoreError, Trouble};
use crate::runs::status_of;
use crate::schema::Db;
use crate::words::word;
use derny_model::{RunId, RunStatus, Turn};
use rusqlite::{Connection, params};

/// The turns of a visit that is not sealed: its chunks, then `tail`, which is not written yet.
pub fn chunked_turns(conn: &Connection, run: i64, visit: u32, tail: &[u8]) -> Result<Vec<Turn>, Trouble> {
    let mut turns = Vec::new();
    let damaged = || Trouble::Damaged(format!("a chunk of visit {visit} cannot be read"));
    let mut select =
        conn.prepare_cached("SELECT data FROM chunks WHERE run = ?1 AND visit = ?2 ORDER BY chunk")?;
    let mut rows = select.query(params![run, visit])?;
    while let Some(row) = rows.next()? {
        read_chunk(visit, row.get_ref(0)?.as_blob().map_err(|_| damaged())?, &mut turns)
            .ok_or_else(damaged)?;
    }
    read_chunk(visit, tail, &mut turns).ok_or_else(damaged)?;
    Ok(turns)
}

/// Replaces the chunks of a visit, and `tail`, by one blob.
pub fn seal_visit(conn: &Connection, run: i64, visit: u32, tail: &[u8]) -> Result<(), Trouble> {
    let turns = chunked_turns(conn, run, visit, tail)?;
    conn.prepare_cached("INSERT INTO batches(run, visit, data) VALUES(?1, ?2, ?3)")?.execute(params![
        run,
        visit,
        encode(&turns)
    ])?;
    conn.prepare_cached("DELETE FROM chunks WHERE run = ?1 AND visit = ?2")?.execute(params![run, visit])?;
    Ok(())
}

/// Seals every visit of a run that was not; they stay incomplete. `open` holds turns that are not written yet.
pub fn seal_open(conn: &Connection, run: i64, open: &[(u32, Vec<u8>)]) -> Result<(), Trouble> {
    let mut select = conn.prepare_cached(
        "SELECT visit FROM visits WHERE run = ?1 AND visit NOT IN (SELECT visit FROM batches WHERE run = ?1)",
    )?;
    let visits = select.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<Vec<u32>>>()?;
    for visit in visits {
        let tail = open.iter().find(|(number, _)| *number == visit).map_or(&[][..], |(_, chunk)| chunk);
        seal_visit(conn, run, visit, tail)?;
    }
    Ok(())
}

/// Marks the runs whose engine died as partial and seals their visits. Returns their ids, oldest first.
pub fn recover(db: &Db) -> Result<Vec<RunId>, StoreError> {
    let dead = |conn: &Connection| -> Result<Vec<(i64, RunId)>, Trouble> {
        Ok(marked_running(conn)?.into_iter().filter(|(_, id)| !is_running(&db.dir, id)).collect())
    };
    if db.read("the runs cannot be read", dead)?.is_empty() {
        return Ok(Vec::new()); // the usual case writes nothing, and waits for nobody
    }
    db.write("dead runs cannot be recovered", |conn| {
        let runs = dead(conn)?;
        for (run, _) in &runs {
            seal_open(conn, *run, &[])?;
            conn.execute(
                "UPDATE runs SET status = ?2 WHERE run = ?1",
                params![run, word(&RunStatus::Partial)?],
            )?;
        }
        Ok(runs.into_iter().map(|(_, id)| id).collect())
    })
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
