//! Reads runs: summaries, and all rows of one run.

use super::database::{Database, one};
use crate::backend::{RunKey, RunSummary, StoredRun, StoredVisit};
use crate::error::Trouble;
use crate::word::from_word;
use derny_json::FromJson;
use derny_model::{Case, Metric, RunHeader, Visit, VisitRecord, VisitReport, Word};
use std::sync::Arc;

pub fn summary(database: &Database, run: RunKey) -> Result<RunSummary, Trouble> {
    let sql = "SELECT (SELECT count(*) FROM cases WHERE run = $1), (SELECT count(*) FROM processes WHERE run = $1),
         (SELECT count(*) FROM visits WHERE run = $1 AND complete), (SELECT count(*) FROM failures WHERE run = $1),
         EXISTS(SELECT 1 FROM batches WHERE run = $1 AND thinned)";
    let row = one(database, sql, vec![run.into()])?;
    Ok(RunSummary {
        header: header(database, run)?,
        cases: row.number(0)?,
        processes: row.number(1)?,
        visits: row.number(2)?,
        failures: row.number(3)?,
        pruned: row.bool(4)?,
        baselines: baselines_of(database, run)?,
    })
}

pub fn baselines_of(database: &Database, run: RunKey) -> Result<Vec<String>, Trouble> {
    let found = database.rows("SELECT name FROM baselines WHERE run = $1 ORDER BY name", vec![run.into()])?;
    found.iter().map(|row| row.text(0).map(str::to_owned)).collect()
}

/// Returns the current header of a run. Status, end, note and runtimes change after the run has started.
pub fn header(database: &Database, run: RunKey) -> Result<RunHeader, Trouble> {
    let row =
        one(database, "SELECT header, status, ended_ms, note FROM runs WHERE run = $1", vec![run.into()])?;
    let mut header = RunHeader::from_json(row.text(0)?)?;
    header.status = from_word(row.text(1)?)?;
    (header.ended_ms, header.note) = (row.maybe_int(2)?, row.maybe_text(3)?.map(str::to_owned));
    let sql =
        "SELECT (started::json ->> 'language') || ' ' || (started::json ->> 'runtime') AS seen FROM processes
         WHERE run = $1 GROUP BY seen ORDER BY min(process)";
    for seen in database.rows(sql, vec![run.into()])? {
        let runtime = seen.text(0)?.to_owned();
        if !header.runtimes.contains(&runtime) {
            header.runtimes.push(runtime);
        }
    }
    Ok(header)
}

pub fn load(database: &Database, run: RunKey) -> Result<StoredRun, Trouble> {
    let (mut cases, mut ended) = (Vec::new(), Vec::new());
    let sql = "SELECT number, body, reason FROM cases JOIN texts USING(text) WHERE run = $1 ORDER BY number";
    for row in database.rows(sql, vec![run.into()])? {
        cases.push(Case::from_json(row.text(1)?)?);
        if let Some(reason) = row.maybe_text(2)? {
            ended.push((row.number(0)?, from_word(reason)?));
        }
    }
    Ok(StoredRun {
        header: header(database, run)?,
        taken: taken(database, run)?,
        cases,
        ended,
        processes: bodies(database, "SELECT started FROM processes WHERE run = $1 ORDER BY process", run)?,
        process_ends: bodies(
            database,
            "SELECT ended FROM processes WHERE run = $1 AND ended IS NOT NULL ORDER BY process",
            run,
        )?,
        visits: visits(database, run)?,
        failures: bodies(database, "SELECT body FROM failures WHERE run = $1 ORDER BY failure", run)?,
        observations: bodies(
            database,
            "SELECT body FROM observations WHERE run = $1 ORDER BY observation",
            run,
        )?,
        looks: bodies(database, "SELECT body FROM looks WHERE run = $1 ORDER BY look", run)?,
    })
}

/// Returns the number of the last event stored as rows.
pub fn taken(database: &Database, run: RunKey) -> Result<u64, Trouble> {
    Ok(one(database, "SELECT taken FROM runs WHERE run = $1", vec![run.into()])?.int(0)? as u64)
}

fn visits(database: &Database, run: RunKey) -> Result<Vec<StoredVisit>, Trouble> {
    let sql = "SELECT visit, process, number, position, open_ns, at_ns, metrics, complete, mode,
             thinned, data IS NOT NULL, report
         FROM visits LEFT JOIN batches USING(run, visit) WHERE run = $1 ORDER BY visit";
    let mut visits = Vec::new();
    // Most visits have the same metrics as the previous one.
    let mut known: Option<(i64, Arc<[Metric]>)> = None;
    for row in database.rows(sql, vec![run.into()])? {
        let text = row.int(6)?;
        let metrics = match &known {
            Some((number, metrics)) if *number == text => Arc::clone(metrics),
            _ => {
                let body = one(database, "SELECT body FROM texts WHERE text = $1", vec![text.into()])?;
                let metrics: Arc<[Metric]> = Vec::<Metric>::from_json(body.text(0)?)?.into();
                known.insert((text, metrics)).1.clone()
            }
        };
        let visit = Visit {
            visit: row.number(0)?,
            process: row.number(1)?,
            case: row.number(2)?,
            position: row.number(3)?,
            open_ns: row.int(4)? as u64,
            at_ns: row.int(5)? as u64,
            metrics,
            mode: row.maybe_text(8)?.map(Word::from),
        };
        let record = VisitRecord {
            complete: row.bool(7)?,
            pruned: row.bool(9)?,
            report: row.maybe_text(11)?.map(VisitReport::from_json).transpose()?.map(Box::new),
            ..VisitRecord::new(visit)
        };
        visits.push(StoredVisit { record, sealed: row.bool(10)? });
    }
    Ok(visits)
}

fn bodies<T: FromJson>(database: &Database, sql: &'static str, run: RunKey) -> Result<Vec<T>, Trouble> {
    let found = database.rows(sql, vec![run.into()])?;
    found.iter().map(|row| Ok(T::from_json(row.text(0)?)?)).collect()
}
