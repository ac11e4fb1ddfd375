//! Reading runs back: the list, and all records of one.

use crate::codec::blob::decode;
use crate::error::{StoreError, Trouble};
use crate::journal::alive::{is_running, path};
use crate::journal::frames::{self, Frames};
use crate::older;
use crate::schema::Db;
use crate::words::from_word;
use derny_model::{Case, Event, Records, RunHeader, RunStatus, Visit, VisitRecord};
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::DeserializeOwned;
use std::collections::HashSet;

/// One line of `derny runs`.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// Context. The status of a run whose engine died is `Partial`.
    pub header: RunHeader,
    /// Cases of the run.
    pub cases: u32,
    /// Processes started.
    pub processes: u32,
    /// Complete visits.
    pub visits: u32,
    /// Failures.
    pub failures: u32,
    /// Raw data were pruned.
    pub pruned: bool,
    /// Names of this run, in alphabetical order.
    pub baselines: Vec<String>,
}

/// The newest `limit` runs, newest first.
pub fn list(db: &Db, limit: usize) -> Result<Vec<RunSummary>, StoreError> {
    db.read("the runs cannot be listed", |conn| {
        let mut select = conn.prepare_cached("SELECT run FROM runs ORDER BY run DESC LIMIT ?1")?;
        let runs = select.query_map([limit.min(i64::MAX as usize) as i64], |row| row.get(0))?;
        runs.map(|run| summary(db, conn, run?)).collect()
    })
}

/// The line of one run.
pub fn summary(db: &Db, conn: &Connection, run: i64) -> Result<RunSummary, Trouble> {
    let count = |sql: &str| conn.prepare_cached(sql)?.query_row([run], |row| row.get::<_, u32>(0));
    let mut names = conn.prepare_cached("SELECT name FROM baselines WHERE run = ?1 ORDER BY name")?;
    let baselines = names.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(RunSummary {
        header: header(db, conn, run)?,
        cases: count("SELECT count(*) FROM cases WHERE run = ?1")?,
        processes: count("SELECT count(*) FROM processes WHERE run = ?1")?,
        visits: count("SELECT count(*) FROM visits WHERE run = ?1 AND complete")?,
        failures: count("SELECT count(*) FROM failures WHERE run = ?1")?,
        pruned: count("SELECT count(*) FROM batches WHERE run = ?1 AND thinned")? > 0,
        baselines,
    })
}

/// The header as it is now: status, end, note and the runtimes seen change after the run has started.
pub fn header(db: &Db, conn: &Connection, run: i64) -> Result<RunHeader, Trouble> {
    let mut select = conn.prepare_cached("SELECT header, status, ended_ms, note FROM runs WHERE run = ?1")?;
    let (body, status, ended_ms, note): (String, String, _, _) =
        select.query_row([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let mut header: RunHeader = serde_json::from_str(&body)?;
    header.status = status_of(db, from_word(&status)?, &header.id);
    (header.ended_ms, header.note) = (ended_ms, note);
    let mut seen = conn.prepare_cached(
        "SELECT started ->> 'language' || ' ' || (started ->> 'runtime') FROM processes WHERE run = ?1
         GROUP BY 1 ORDER BY min(process)",
    )?;
    for runtime in seen.query_map([run], |row| row.get(0))? {
        let runtime: String = runtime?;
        if !header.runtimes.contains(&runtime) {
            header.runtimes.push(runtime);
        }
    }
    Ok(header)
}

/// The status to show: a run that is marked as running but is not recorded by anybody ended with its engine.
pub fn status_of(db: &Db, marked: RunStatus, id: &str) -> RunStatus {
    match marked {
        RunStatus::Running if !is_running(&db.dir, id) => RunStatus::Partial,
        status => status,
    }
}

/// All that a run recorded so far.
pub fn load(db: &Db, conn: &Connection, run: i64) -> Result<Records, Trouble> {
    let id: String = conn.query_row("SELECT id FROM runs WHERE run = ?1", [run], |row| row.get(0))?;
    // Before the rows: what is moved from the journal to them meanwhile is then seen twice, and taken once.
    let frames = frames::read(&path(&db.dir, &id));
    let header = header(db, conn, run)?;
    let (mut cases, mut ended) = (Vec::new(), Vec::new());
    let mut select = conn.prepare_cached(
        "SELECT number, body, reason FROM cases JOIN texts USING(text) WHERE run = ?1 ORDER BY number",
    )?;
    let mut rows = select.query([run])?;
    while let Some(row) = rows.next()? {
        cases.push(serde_json::from_str::<Case>(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?)?);
        if let Some(reason) = row.get::<_, Option<String>>(2)? {
            ended.push((row.get(0)?, from_word(&reason)?));
        }
    }
    let mut records = Records {
        header,
        cases,
        ended,
        processes: bodies(conn, "SELECT started FROM processes WHERE run = ?1 ORDER BY process", run)?,
        process_ends: bodies(
            conn,
            "SELECT ended FROM processes WHERE run = ?1 AND ended IS NOT NULL ORDER BY process",
            run,
        )?,
        visits: visits(conn, run)?,
        failures: bodies(conn, "SELECT body FROM failures WHERE run = ?1 ORDER BY failure", run)?,
        observations: bodies(conn, "SELECT body FROM observations WHERE run = ?1 ORDER BY observation", run)?,
    };
    overlay(conn, run, &mut records, frames)?;
    older::complete(&mut records);
    Ok(records)
}

/// Adds what the journal of a run holds beyond its rows.
fn overlay(conn: &Connection, run: i64, records: &mut Records, frames: Frames) -> Result<(), Trouble> {
    let taken: i64 = conn.query_row("SELECT taken FROM runs WHERE run = ?1", [run], |row| row.get(0))?;
    let mut sealed = conn.prepare_cached("SELECT visit FROM batches WHERE run = ?1")?;
    let sealed = sealed.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<HashSet<u32>>>()?;
    for (_, event) in frames.events.into_iter().filter(|(number, _)| *number as i64 > taken) {
        match event {
            Event::ProcessStarted(process) => {
                let runtime = format!("{} {}", process.language, process.runtime);
                if !records.header.runtimes.contains(&runtime) {
                    records.header.runtimes.push(runtime);
                }
                records.processes.push(process);
            }
            Event::ProcessEnded(end) => records.process_ends.push(end),
            Event::VisitStarted(visit) => {
                records.visits.push(VisitRecord { visit, complete: false, pruned: false, turns: Vec::new() });
            }
            Event::VisitEnded { visit } => {
                records.visits.iter_mut().filter(|record| record.visit.visit == visit).for_each(|record| {
                    record.complete = true;
                });
            }
            Event::CaseEnded { case, reason } => records.ended.push((case, reason)),
            Event::Failed(failure) => records.failures.push(failure),
            Event::Observed(seen) => records.observations.push(seen),
            _ => {}
        }
    }
    records.process_ends.sort_by_key(|end| end.process);
    records.ended.sort_by_key(|(case, _)| *case);
    for turn in frames.turns.into_iter().filter(|turn| !sealed.contains(&turn.visit)) {
        if let Some(record) = records.visits.iter_mut().rfind(|record| record.visit.visit == turn.visit) {
            record.turns.push(turn);
        }
    }
    Ok(())
}

fn visits(conn: &Connection, run: i64) -> Result<Vec<VisitRecord>, Trouble> {
    let mut select = conn.prepare_cached(
        "SELECT visit, process, number, position, open_ns, at_ns, body, complete, mode FROM visits
         JOIN texts ON text = metrics WHERE run = ?1 ORDER BY visit",
    )?;
    let mut rows = select.query([run])?;
    let mut visits = Vec::new();
    while let Some(row) = rows.next()? {
        let visit = Visit {
            visit: row.get(0)?,
            process: row.get(1)?,
            case: row.get(2)?,
            position: row.get(3)?,
            open_ns: row.get::<_, i64>(4)? as u64,
            at_ns: row.get::<_, i64>(5)? as u64,
            metrics: serde_json::from_str(row.get_ref(6)?.as_str().map_err(rusqlite::Error::from)?)?,
            mode: row.get(8)?,
        };
        visits.push(with_turns(conn, run, visit, row.get(7)?)?);
    }
    Ok(visits)
}

fn with_turns(conn: &Connection, run: i64, visit: Visit, complete: bool) -> Result<VisitRecord, Trouble> {
    let sealed: Option<(bool, Vec<u8>)> = conn
        .prepare_cached("SELECT thinned, data FROM batches WHERE run = ?1 AND visit = ?2")?
        .query_row(params![run, visit.visit], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (pruned, turns) = match sealed {
        None => (false, Vec::new()), // if there are any, they are in the journal
        Some((pruned, blob)) => {
            let turns = decode(visit.visit, &blob);
            let damaged = || Trouble::Damaged(format!("the turns of visit {} cannot be read", visit.visit));
            (pruned, turns.ok_or_else(damaged)?)
        }
    };
    Ok(VisitRecord { visit, complete, pruned, turns })
}

fn bodies<T: DeserializeOwned>(conn: &Connection, sql: &str, run: i64) -> Result<Vec<T>, Trouble> {
    let mut select = conn.prepare_cached(sql)?;
    let mut rows = select.query([run])?;
    let mut bodies = Vec::new();
    while let Some(row) = rows.next()? {
        bodies.push(serde_json::from_str(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
    }
    Ok(bodies)
}
