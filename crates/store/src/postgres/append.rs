//! Writes events as rows, several statements at once.

use super::database::{Database, one};
use super::talk::Statement;
use super::value::Value;
use crate::backend::{Cases, RunKey};
use crate::error::Trouble;
use crate::short;
use crate::word::word;
use derny_json::ToJson;
use derny_model::{Event, Metric, RunHeader, RunStatus, Visit};
use ring::digest;
use std::collections::HashSet;
use std::sync::Arc;

/// Approximate size of a row in bytes, excluding its texts.
const ROW_BYTES: usize = 60;
/// Number of statements for cases that are sent at once.
const AT_ONCE: usize = 1 << 14;

/// Writes events of a run as rows. `taken` is the number of the last event.
pub fn append(database: &Database, run: RunKey, events: &[Event], taken: u64) -> Result<(), Trouble> {
    let ended = events.iter().filter_map(|event| match event {
        Event::VisitEnded { visit } => Some(*visit),
        _ => None,
    });
    let mut writing = Writing { run, ended: ended.collect(), ..Writing::default() };
    for event in events {
        writing.event(event)?;
    }
    writing.add("UPDATE runs SET taken = $2 WHERE run = $1", vec![run.into(), (taken as i64).into()]);
    writing.send(database)
}

pub fn begin(database: &Database, header: &RunHeader, cases: Cases<'_>) -> Result<RunKey, Trouble> {
    let sql = "INSERT INTO runs(id, status, ended_ms, note, header) VALUES($1, $2, $3, $4, $5)
         ON CONFLICT(id) DO UPDATE SET status = excluded.status, ended_ms = excluded.ended_ms,
             note = coalesce(excluded.note, runs.note), header = excluded.header, taken = 0
         RETURNING run";
    let values = vec![
        header.id.as_str().into(),
        word(&RunStatus::Running)?.into(),
        header.ended_ms.into(),
        header.note.as_deref().into(),
        header.to_json()?.into(),
    ];
    let run = one(database, sql, values)?.int(0)?;
    let mut writing = Writing { run, ..Writing::default() };
    for (number, case) in cases() {
        if writing.statements.len() >= AT_ONCE {
            std::mem::replace(&mut writing, Writing { run, ..Writing::default() }).send(database)?;
        }
        let hash = writing.share(&*case)?;
        let sql = "INSERT INTO cases(run, number, text) SELECT $1, $2, text FROM texts WHERE hash = $3
             ON CONFLICT(run, number) DO UPDATE SET text = excluded.text";
        writing.add(sql, vec![run.into(), i64::from(number).into(), hash.into()]);
    }
    writing.send(database)?;
    Ok(run)
}

/// Statements that have not been sent yet.
#[derive(Default)]
struct Writing {
    run: RunKey,
    statements: Vec<Statement>,
    /// Size of the new rows in bytes.
    bytes: usize,
    /// Visits that end in this group and whose rows are not yet marked as complete.
    ended: HashSet<u32>,
    /// Metrics of the previous visit, with the hash of their JSON. An imported file may have millions of
    /// visits with the same metrics.
    metrics: Option<(Arc<[Metric]>, Vec<u8>)>,
}

impl Writing {
    fn add(&mut self, sql: &'static str, values: Vec<Value>) {
        if sql.starts_with("INSERT") {
            self.bytes += ROW_BYTES + values.iter().map(Value::len).sum::<usize>();
        }
        self.statements.push((sql, values));
    }

    fn send(mut self, database: &Database) -> Result<(), Trouble> {
        let sql = "UPDATE runs SET bytes = bytes + $2 WHERE run = $1";
        self.statements.push((sql, vec![self.run.into(), (self.bytes as i64).into()]));
        database.all(self.statements).map(|_| ())
    }

    fn share(&mut self, value: &(impl ToJson + ?Sized)) -> Result<Vec<u8>, Trouble> {
        let body = short::json(value)?;
        let hash = digest::digest(&digest::SHA256, body.as_bytes()).as_ref().to_vec();
        let sql = "INSERT INTO texts(hash, body) VALUES($1, $2) ON CONFLICT(hash) DO NOTHING";
        self.statements.push((sql, vec![hash.clone().into(), body.into()]));
        Ok(hash)
    }

    fn metrics(&mut self, metrics: &Arc<[Metric]>) -> Result<Vec<u8>, Trouble> {
        match &self.metrics {
            Some((known, hash)) if Arc::ptr_eq(known, metrics) => Ok(hash.clone()),
            _ => {
                let hash = self.share(&metrics[..])?;
                self.metrics = Some((metrics.clone(), hash.clone()));
                Ok(hash)
            }
        }
    }

    fn event(&mut self, event: &Event) -> Result<(), Trouble> {
        let run = Value::from(self.run);
        match event {
            Event::ProcessStarted(process) => self.add(
                "INSERT INTO processes(run, process, started) VALUES($1, $2, $3)",
                vec![run, process.process.into(), short::process(process)?.into()],
            ),
            Event::VisitStarted(visit) => self.visit(visit)?,
            Event::Reported { visit, report } => self.add(
                "UPDATE visits SET report = $3 WHERE run = $1 AND visit = $2",
                vec![run, (*visit).into(), report.to_json()?.into()],
            ),
            // The row was inserted as complete.
            Event::VisitEnded { visit } if !self.ended.contains(visit) => {}
            Event::VisitEnded { visit } => self.add(
                "UPDATE visits SET complete = true WHERE run = $1 AND visit = $2",
                vec![run, (*visit).into()],
            ),
            Event::ProcessEnded(end) => self.add(
                "UPDATE processes SET ended = $3 WHERE run = $1 AND process = $2",
                vec![run, end.process.into(), end.to_json()?.into()],
            ),
            Event::CaseEnded { case, reason } => self.add(
                "UPDATE cases SET reason = $3 WHERE run = $1 AND number = $2",
                vec![run, (*case).into(), word(reason)?.into()],
            ),
            Event::Failed(failure) => self.body("INSERT INTO failures(run, body) VALUES($1, $2)", failure)?,
            Event::Observed(seen) => self.body("INSERT INTO observations(run, body) VALUES($1, $2)", seen)?,
            Event::Looked(look) => self.body("INSERT INTO looks(run, body) VALUES($1, $2)", look)?,
            Event::Learned(learnt) => self.add(
                "INSERT INTO traits(file_hash, case_name, key, value) VALUES($1, $2, $3, $4)
                 ON CONFLICT(file_hash, case_name, key) DO UPDATE SET value = excluded.value",
                [&learnt.file_hash, &learnt.case, &learnt.key, &learnt.value]
                    .map(|text| Value::from(text.as_str()))
                    .into(),
            ),
            Event::RunEnded { ended_ms, status } => self.add(
                "UPDATE runs SET status = $2, ended_ms = $3 WHERE run = $1",
                vec![run, word(status)?.into(), (*ended_ms).into()],
            ),
            Event::RunStarted { .. } | Event::Turn(_) | Event::Log { .. } | Event::Progress(_) => {}
        }
        Ok(())
    }

    fn visit(&mut self, visit: &Visit) -> Result<(), Trouble> {
        let ends = self.ended.remove(&visit.visit);
        let metrics = self.metrics(&visit.metrics)?;
        let sql = "INSERT INTO visits(run, visit, process, number, position, open_ns, at_ns, metrics, mode, complete)
             SELECT $1, $2, $3, $4, $5, $6, $7, text, $8, $9 FROM texts WHERE hash = $10";
        let values = vec![
            self.run.into(),
            visit.visit.into(),
            visit.process.into(),
            visit.case.into(),
            visit.position.into(),
            (visit.open_ns as i64).into(), // PostgreSQL's integers are signed, so keep the bits
            (visit.at_ns as i64).into(),
            visit.mode.as_deref().into(),
            ends.into(),
            metrics.into(),
        ];
        self.add(sql, values);
        Ok(())
    }

    fn body(&mut self, sql: &'static str, body: &impl ToJson) -> Result<(), Trouble> {
        let values = vec![self.run.into(), body.to_json()?.into()];
        self.add(sql, values);
        Ok(())
    }
}
