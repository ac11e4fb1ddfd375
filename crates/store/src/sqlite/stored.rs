//! Reads runs: summaries, and all rows of one run.

use crate::backend::{RunKey, RunSummary, StoredRun, StoredVisit};
use crate::error::Trouble;
use crate::short;
use crate::word::from_word;
use derny_json::FromJson;
use derny_model::{Metric, ProcessStart, RunHeader, Visit, VisitRecord, VisitReport, Word};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::sync::Arc;

pub fn summary(conn: &Connection, run: RunKey) -> Result<RunSummary, Trouble> {
    let count = |sql: &str| conn.prepare_cached(sql)?.query_row([run], |row| row.get::<_, u32>(0));
    Ok(RunSummary {
        header: header(conn, run)?,
        cases: count("SELECT count(*) FROM cases WHERE run = ?1")?,
        processes: count("SELECT count(*) FROM processes WHERE run = ?1")?,
        visits: count("SELECT count(*) FROM visits WHERE run = ?1 AND complete")?,
        failures: count("SELECT count(*) FROM failures WHERE run = ?1")?,
        pruned: count("SELECT count(*) FROM batches WHERE run = ?1 AND thinned")? > 0,
        baselines: baselines_of(conn, run)?,
    })
}

pub fn baselines_of(conn: &Connection, run: RunKey) -> Result<Vec<String>, Trouble> {
    let mut names = conn.prepare_cached("SELECT name FROM baselines WHERE run = ?1 ORDER BY name")?;
    Ok(names.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Returns the current header of a run. Status, end, note and runtimes change after the run has started.
pub fn header(conn: &Connection, run: RunKey) -> Result<RunHeader, Trouble> {
    let mut seen = conn.prepare_cached(
        "SELECT started ->> 'language' || ' ' || (started ->> 'runtime') FROM processes WHERE run = ?1
         GROUP BY 1 ORDER BY min(process)",
    )?;
    let seen = seen.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    header_with(conn, run, seen)
}

fn header_with(
    conn: &Connection,
    run: RunKey,
    seen: impl IntoIterator<Item = String>,
) -> Result<RunHeader, Trouble> {
    let mut select = conn.prepare_cached("SELECT header, status, ended_ms, note FROM runs WHERE run = ?1")?;
    let (body, status, ended_ms, note): (String, String, _, _) =
        select.query_row([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let mut header = RunHeader::from_json(&body)?;
    header.status = from_word(&status)?;
    (header.ended_ms, header.note) = (ended_ms, note);
    for runtime in seen {
        if !header.runtimes.contains(&runtime) {
            header.runtimes.push(runtime);
        }
    }
    Ok(header)
}

pub fn load(conn: &Connection, run: RunKey) -> Result<StoredRun, Trouble> {
    let (mut cases, mut ended) = (Vec::new(), Vec::new());
    let mut select = conn.prepare_cached(
        "SELECT number, body, reason FROM cases JOIN texts USING(text) WHERE run = ?1 ORDER BY number",
    )?;
    let mut rows = select.query([run])?;
    while let Some(row) = rows.next()? {
        cases.push(short::read_case(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?)?);
        if let Some(reason) = row.get::<_, Option<String>>(2)? {
            ended.push((row.get(0)?, from_word(&reason)?));
        }
    }
    let processes: Vec<ProcessStart> =
        bodies(conn, "SELECT started FROM processes WHERE run = ?1 ORDER BY process", run)?;
    let mut seen: Vec<String> = Vec::new();
    for ProcessStart { language, runtime, .. } in &processes {
        let is_seen = |known: &String| {
            known.strip_prefix(language.as_str()).and_then(|rest| rest.strip_prefix(' ')) == Some(runtime)
        };
        if !seen.iter().any(is_seen) {
            seen.push(format!("{language} {runtime}"));
        }
    }
    Ok(StoredRun {
        header: header_with(conn, run, seen)?,
        taken: taken(conn, run)?,
        cases,
        ended,
        processes,
        process_ends: bodies(
            conn,
            "SELECT ended FROM processes WHERE run = ?1 AND ended IS NOT NULL ORDER BY process",
            run,
        )?,
        visits: visits(conn, run)?,
        failures: bodies(conn, "SELECT body FROM failures WHERE run = ?1 ORDER BY failure", run)?,
        observations: bodies(conn, "SELECT body FROM observations WHERE run = ?1 ORDER BY observation", run)?,
        looks: bodies(conn, "SELECT body FROM looks WHERE run = ?1 ORDER BY look", run)?,
    })
}

pub fn taken(conn: &Connection, run: RunKey) -> Result<u64, Trouble> {
    let taken: i64 = conn.query_row("SELECT taken FROM runs WHERE run = ?1", [run], |row| row.get(0))?;
    Ok(taken as u64)
}

fn visits(conn: &Connection, run: RunKey) -> Result<Vec<StoredVisit>, Trouble> {
    let mut select = conn.prepare_cached(
        "SELECT visit, process, number, position, open_ns, at_ns, body, complete, mode, thinned, data IS NOT NULL, report,
             (SELECT body FROM texts WHERE text = reported)
         FROM visits
         JOIN texts ON text = metrics LEFT JOIN batches USING(run, visit) WHERE run = ?1 ORDER BY visit",
    )?;
    let mut rows = select.query([run])?;
    let mut visits = Vec::new();
    let (mut metrics, mut reported) = (Known::default(), Known::default());
    while let Some(row) = rows.next()? {
        let visit = Visit {
            visit: row.get(0)?,
            process: row.get(1)?,
            case: row.get(2)?,
            position: row.get(3)?,
            open_ns: row.get::<_, i64>(4)? as u64,
            at_ns: row.get::<_, i64>(5)? as u64,
            metrics: Arc::clone(metrics.of(row.get_ref(6)?.as_str().map_err(rusqlite::Error::from)?)?),
            mode: row.get::<_, Option<String>>(8)?.map(Word::from),
        };
        let record = VisitRecord {
            complete: row.get(7)?,
            pruned: row.get::<_, Option<bool>>(9)?.unwrap_or(false),
            report: match (text(row.get_ref(11)?)?, text(row.get_ref(12)?)?) {
                (Some(body), Some(metrics)) => Some(short::read_report(body, reported.of(metrics)?)?.into()),
                // Earlier versions wrote reports together with their metrics.
                (Some(body), None) => Some(VisitReport::from_json(body)?.into()),
                (None, _) => None,
            },
            ..VisitRecord::new(visit)
        };
        visits.push(StoredVisit { record, sealed: row.get(10)? });
    }
    Ok(visits)
}

/// The metrics that were parsed last. Most visits have the same metrics as the previous one.
#[derive(Default)]
struct Known {
    text: String,
    metrics: Arc<[Metric]>,
}

impl Known {
    fn of(&mut self, text: &str) -> Result<&Arc<[Metric]>, Trouble> {
        if self.text != text {
            self.metrics = Vec::<Metric>::from_json(text)?.into();
            text.clone_into(&mut self.text);
        }
        Ok(&self.metrics)
    }
}

fn text(value: ValueRef<'_>) -> Result<Option<&str>, Trouble> {
    Ok(value.as_str_or_null().map_err(rusqlite::Error::from)?)
}

fn bodies<T: FromJson>(conn: &Connection, sql: &str, run: RunKey) -> Result<Vec<T>, Trouble> {
    let mut select = conn.prepare_cached(sql)?;
    let mut rows = select.query([run])?;
    let mut bodies = Vec::new();
    while let Some(row) = rows.next()? {
        bodies.push(T::from_json(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
    }
    Ok(bodies)
}
