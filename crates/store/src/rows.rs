//! Events as rows. Knows the tables; not when a group is due.

use crate::error::Trouble;
use crate::journal::frames::Frames;
use crate::journal::open::Open;
use crate::seal::{replay, seal_open, seal_visit};
use crate::words::{intern, word};
use derny_model::{Case, Event, LearnedFact, ProcessEnd, ProcessStart, RunHeader, RunStatus, Visit};
use rusqlite::{Connection, OptionalExtension, params};

/// Writes events; a visit that ended takes its turns from `open`. `taken` is the journal's number of the last of them.
pub fn write_group(
    conn: &Connection,
    run: i64,
    events: &[Event],
    open: &Open,
    taken: u64,
) -> Result<(), Trouble> {
    for event in events {
        write_event(conn, run, event, open)?;
    }
    conn.prepare_cached("UPDATE runs SET taken = ?2 WHERE run = ?1")?.execute(params![run, taken as i64])?;
    Ok(())
}

fn write_event(conn: &Connection, run: i64, event: &Event, open: &Open) -> Result<(), Trouble> {
    match event {
        Event::ProcessStarted(process) => start_process(conn, run, process),
        Event::VisitStarted(visit) => start_visit(conn, run, visit),
        Event::VisitEnded { visit } => {
            conn.prepare_cached("UPDATE visits SET complete = 1 WHERE run = ?1 AND visit = ?2")?
                .execute(params![run, visit])?;
            seal_visit(conn, run, *visit, &open.turns(*visit))
        }
        Event::ProcessEnded(end) => end_process(conn, run, end),
        Event::CaseEnded { case, reason } => {
            conn.prepare_cached("UPDATE cases SET reason = ?3 WHERE run = ?1 AND number = ?2")?
                .execute(params![run, case, word(reason)?])?;
            Ok(())
        }
        Event::Failed(failure) => {
            insert_body(conn, "INSERT INTO failures(run, body) VALUES(?1, ?2)", run, failure)
        }
        Event::Observed(seen) => {
            insert_body(conn, "INSERT INTO observations(run, body) VALUES(?1, ?2)", run, seen)
        }
        Event::Learned(learnt) => learn(conn, learnt),
        Event::RunEnded { ended_ms, status } => {
            seal_open(conn, run, open)?;
            conn.prepare_cached("UPDATE runs SET status = ?2, ended_ms = ?3 WHERE run = ?1")?
                .execute(params![run, word(status)?, ended_ms])?;
            Ok(())
        }
        Event::RunStarted { .. } | Event::Turn(_) | Event::Log { .. } | Event::Progress { .. } => Ok(()),
    }
}

/// Creates a run, or continues one, of which a killed engine may have `left` a journal; returns its key. Numbers in the
/// journal start anew.
pub fn start_run(
    conn: &Connection,
    header: &RunHeader,
    cases: &[Case],
    left: Frames,
) -> Result<i64, Trouble> {
    let before = conn
        .query_row("SELECT run FROM runs WHERE id = ?1", [&header.id], |row| row.get::<_, i64>(0))
        .optional()?;
    if let Some(run) = before {
        replay(conn, run, left)?;
    }
    let run = conn.query_row(
        "INSERT INTO runs(id, status, ended_ms, note, header) VALUES(?1, ?2, ?3, ?4, ?5)
         ON CONFLICT(id) DO UPDATE SET status = excluded.status, ended_ms = excluded.ended_ms,
             note = coalesce(excluded.note, note), header = excluded.header, taken = 0
         RETURNING run",
        params![
            header.id,
            word(&RunStatus::Running)?,
            header.ended_ms,
            header.note,
            serde_json::to_string(header)?
        ],
        |row| row.get(0),
    )?;
    let mut insert = conn.prepare_cached(
        "INSERT INTO cases(run, number, text) VALUES(?1, ?2, ?3)
         ON CONFLICT(run, number) DO UPDATE SET text = excluded.text",
    )?;
    for (number, case) in cases.iter().enumerate() {
        insert.execute(params![run, number as i64, intern(conn, case)?])?;
    }
    Ok(run)
}

fn start_process(conn: &Connection, run: i64, process: &ProcessStart) -> Result<(), Trouble> {
    conn.prepare_cached("INSERT INTO processes(run, process, started) VALUES(?1, ?2, ?3)")?
        .execute(params![run, process.process, serde_json::to_string(process)?])?;
    Ok(())
}

fn end_process(conn: &Connection, run: i64, end: &ProcessEnd) -> Result<(), Trouble> {
    conn.prepare_cached("UPDATE processes SET ended = ?3 WHERE run = ?1 AND process = ?2")?
        .execute(params![run, end.process, serde_json::to_string(end)?])?;
    Ok(())
}

fn start_visit(conn: &Connection, run: i64, visit: &Visit) -> Result<(), Trouble> {
    conn.prepare_cached(
        "INSERT INTO visits(run, visit, process, number, position, open_ns, at_ns, metrics, mode)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        run,
        visit.visit,
        visit.process,
        visit.case,
        visit.position,
        visit.open_ns as i64, // SQLite's integers are signed: the same bits
        visit.at_ns as i64,
        intern(conn, &visit.metrics)?,
        visit.mode
    ])?;
    Ok(())
}

fn insert_body(conn: &Connection, sql: &str, run: i64, body: &impl serde::Serialize) -> Result<(), Trouble> {
    conn.prepare_cached(sql)?.execute(params![run, serde_json::to_string(body)?])?;
    Ok(())
}

fn learn(conn: &Connection, learnt: &LearnedFact) -> Result<(), Trouble> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO traits(file_hash, case_name, key, value) VALUES(?1, ?2, ?3, ?4)",
    )?
    .execute(params![learnt.file_hash, learnt.case, learnt.key, learnt.value])?;
    Ok(())
}
