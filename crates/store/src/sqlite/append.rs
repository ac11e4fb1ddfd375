//! Events as rows.

use super::texts::intern;
use crate::backend::{Cases, RunKey};
use crate::error::Trouble;
use crate::short;
use crate::word::word;
use derny_model::{
    Event, LearnedFact, Metric, ProcessEnd, ProcessStart, RunHeader, RunStatus, Visit, VisitReport,
};
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Writes events of a run, of which the last has the number `taken`.
pub fn append(conn: &Connection, run: RunKey, events: &[Event], taken: u64) -> Result<(), Trouble> {
    let mut started = Started::of(events);
    for event in events {
        append_one(conn, run, event, &mut started)?;
    }
    conn.prepare_cached("UPDATE runs SET taken = ?2 WHERE run = ?1")?.execute(params![run, taken as i64])?;
    Ok(())
}

/// What several visits of one group have in common: a file has millions of them, and each statement counts.
struct Started<'a> {
    /// Visits that end in this group, and whose rows do not say so yet.
    ended: HashSet<u32>,
    /// The reports of visits that their rows do not have yet.
    reports: HashMap<u32, &'a VisitReport>,
    /// The metrics of the visit before, and their text.
    metrics: Option<(Arc<[Metric]>, i64)>,
}

impl<'a> Started<'a> {
    fn of(events: &'a [Event]) -> Started<'a> {
        let (mut ended, mut reports) = (HashSet::new(), HashMap::new());
        for event in events {
            match event {
                Event::VisitEnded { visit } => _ = ended.insert(*visit),
                Event::Reported { visit, report } => _ = reports.insert(*visit, report),
                _ => {}
            }
        }
        Started { ended, reports, metrics: None }
    }

    fn metrics(&mut self, conn: &Connection, metrics: &Arc<[Metric]>) -> Result<i64, Trouble> {
        match &self.metrics {
            Some((known, text)) if Arc::ptr_eq(known, metrics) => Ok(*text),
            _ => Ok(self.metrics.insert((metrics.clone(), intern(conn, metrics)?)).1),
        }
    }
}

fn append_one(
    conn: &Connection,
    run: RunKey,
    event: &Event,
    started: &mut Started<'_>,
) -> Result<(), Trouble> {
    match event {
        Event::ProcessStarted(process) => start_process(conn, run, process),
        Event::VisitStarted(visit) => start_visit(conn, run, visit, started),
        // Its row says so already.
        Event::Reported { visit, .. } if !started.reports.contains_key(visit) => Ok(()),
        Event::Reported { visit, report } => {
            conn.prepare_cached("UPDATE visits SET report = ?3 WHERE run = ?1 AND visit = ?2")?
                .execute(params![run, visit, serde_json::to_string(report)?])?;
            Ok(())
        }
        // Its row says so already.
        Event::VisitEnded { visit } if !started.ended.contains(visit) => Ok(()),
        Event::VisitEnded { visit } => {
            conn.prepare_cached("UPDATE visits SET complete = 1 WHERE run = ?1 AND visit = ?2")?
                .execute(params![run, visit])?;
            Ok(())
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
        Event::Looked(look) => insert_body(conn, "INSERT INTO looks(run, body) VALUES(?1, ?2)", run, look),
        Event::Learned(learnt) => learn(conn, learnt),
        Event::RunEnded { ended_ms, status } => {
            conn.prepare_cached("UPDATE runs SET status = ?2, ended_ms = ?3 WHERE run = ?1")?
                .execute(params![run, word(status)?, ended_ms])?;
            Ok(())
        }
        Event::RunStarted { .. } | Event::Turn(_) | Event::Log { .. } | Event::Progress(_) => Ok(()),
    }
}

/// Creates a run, or continues one; returns its key.
pub fn begin(conn: &Connection, header: &RunHeader, cases: Cases<'_>) -> Result<RunKey, Trouble> {
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
    let mut texts = Vec::new();
    for (number, case) in cases() {
        texts.push((number, intern(conn, &*case)?));
    }
    texts.sort_unstable();
    for (number, text) in texts {
        insert.execute(params![run, number, text])?;
    }
    Ok(run)
}

fn start_process(conn: &Connection, run: RunKey, process: &ProcessStart) -> Result<(), Trouble> {
    conn.prepare_cached("INSERT INTO processes(run, process, started) VALUES(?1, ?2, ?3)")?
        .execute(params![run, process.process, short::process(process)?])?;
    Ok(())
}

fn end_process(conn: &Connection, run: RunKey, end: &ProcessEnd) -> Result<(), Trouble> {
    conn.prepare_cached("UPDATE processes SET ended = ?3 WHERE run = ?1 AND process = ?2")?
        .execute(params![run, end.process, serde_json::to_string(end)?])?;
    Ok(())
}

fn start_visit(
    conn: &Connection,
    run: RunKey,
    visit: &Visit,
    started: &mut Started<'_>,
) -> Result<(), Trouble> {
    let ends = started.ended.remove(&visit.visit);
    let report = started.reports.remove(&visit.visit).map(serde_json::to_string).transpose()?;
    conn.prepare_cached(
        "INSERT INTO visits(run, visit, process, number, position, open_ns, at_ns, metrics, mode, complete, report)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        run,
        visit.visit,
        visit.process,
        visit.case,
        visit.position,
        visit.open_ns as i64, // SQLite's integers are signed: the same bits
        visit.at_ns as i64,
        started.metrics(conn, &visit.metrics)?,
        visit.mode.as_deref(),
        ends,
        report
    ])?;
    Ok(())
}

fn insert_body(
    conn: &Connection,
    sql: &str,
    run: RunKey,
    body: &impl serde::Serialize,
) -> Result<(), Trouble> {
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
