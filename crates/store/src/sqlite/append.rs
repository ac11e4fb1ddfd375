//! Writes events as rows.

use super::many;
use super::texts::{self, intern};
use crate::backend::{Cases, RunKey};
use crate::error::Trouble;
use crate::short;
use crate::word::word;
use derny_json::ToJson;
use derny_model::{Event, LearnedFact, Metric, ProcessEnd, RunHeader, RunStatus, VisitReport};
use rusqlite::types::{Null, ToSqlOutput};
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Number of recent reports to search for the same metrics.
const ALIKE: usize = 8;
/// Number of groups of cases whose JSON is created in advance.
const AHEAD: usize = 16;

/// Writes events of a run as rows. `taken` is the number of the last event.
pub fn append(conn: &Connection, run: RunKey, events: &[Event], taken: u64) -> Result<(), Trouble> {
    let mut started = Started::of(events);
    start_processes(conn, run, events)?;
    start_visits(conn, run, events, &mut started)?;
    for events in events.chunk_by(ends_alike) {
        append_alike(conn, run, events, &mut started)?;
    }
    conn.prepare_cached("UPDATE runs SET taken = ?2 WHERE run = ?1")?.execute(params![run, taken as i64])?;
    Ok(())
}

/// Data shared by the visits of one group. An imported file may have millions of visits, so each avoided
/// statement matters.
struct Started<'a> {
    /// Visits that end in this group, but whose rows are not yet marked as complete.
    ended: HashSet<u32>,
    reports: HashMap<u32, &'a VisitReport>,
    /// Metrics of the previous visit, with the key of their JSON.
    metrics: Option<(Arc<[Metric]>, i64)>,
    /// Metrics of recent reports, with the keys of their JSON, newest last.
    reported: Vec<(Vec<Metric>, i64)>,
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
        Started { ended, reports, metrics: None, reported: Vec::new() }
    }

    fn metrics(&mut self, conn: &Connection, metrics: &Arc<[Metric]>) -> Result<i64, Trouble> {
        match &self.metrics {
            Some((known, text)) if Arc::ptr_eq(known, metrics) => Ok(*text),
            _ => Ok(self.metrics.insert((metrics.clone(), intern(conn, &metrics[..])?)).1),
        }
    }

    fn report(&mut self, conn: &Connection, report: &VisitReport) -> Result<(String, i64), Trouble> {
        let metrics = || report.values.iter().map(|reported| &reported.metric);
        let mut newest = self.reported.iter().rev().take(ALIKE);
        let text = match newest.find(|(known, _)| known.iter().eq(metrics())) {
            Some((_, text)) => *text,
            None => {
                let metrics: Vec<Metric> = metrics().cloned().collect();
                let text = intern(conn, &metrics[..])?;
                self.reported.push((metrics, text));
                text
            }
        };
        Ok((short::report(report)?, text))
    }
}

/// Returns true if both events are ends of cases, for the same reason, and the second case follows the first.
fn ends_alike(one: &Event, next: &Event) -> bool {
    match (one, next) {
        (Event::CaseEnded { case, reason }, Event::CaseEnded { case: next, reason: same }) => {
            case.checked_add(1) == Some(*next) && reason == same
        }
        _ => false,
    }
}

/// Writes one event, or the ends of several cases that [ended alike](ends_alike).
fn append_alike(
    conn: &Connection,
    run: RunKey,
    events: &[Event],
    started: &mut Started<'_>,
) -> Result<(), Trouble> {
    let event = &events[0];
    match event {
        // The rows of these events were already written.
        Event::ProcessStarted(_) | Event::VisitStarted(_) => Ok(()),
        // The row already has the report.
        Event::Reported { visit, .. } if !started.reports.contains_key(visit) => Ok(()),
        Event::Reported { visit, report } => {
            let (report, reported) = started.report(conn, report)?;
            let sql = "UPDATE visits SET report = ?3, reported = ?4 WHERE run = ?1 AND visit = ?2";
            conn.prepare_cached(sql)?.execute(params![run, visit, report, reported])?;
            Ok(())
        }
        // The row was inserted as complete.
        Event::VisitEnded { visit } if !started.ended.contains(visit) => Ok(()),
        Event::VisitEnded { visit } => {
            conn.prepare_cached("UPDATE visits SET complete = 1 WHERE run = ?1 AND visit = ?2")?
                .execute(params![run, visit])?;
            Ok(())
        }
        Event::ProcessEnded(end) => end_process(conn, run, end),
        Event::CaseEnded { case, reason } => {
            let last = case + (events.len() - 1) as u32;
            let sql = "UPDATE cases SET reason = ?4 WHERE run = ?1 AND number BETWEEN ?2 AND ?3";
            conn.prepare_cached(sql)?.execute(params![run, case, last, word(reason)?])?;
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

pub fn begin(conn: &Connection, header: &RunHeader, cases: Cases<'_>) -> Result<RunKey, Trouble> {
    let run: RunKey = conn.query_row(
        "INSERT INTO runs(id, status, ended_ms, note, header) VALUES(?1, ?2, ?3, ?4, ?5)
         ON CONFLICT(id) DO UPDATE SET status = excluded.status, ended_ms = excluded.ended_ms,
             note = coalesce(excluded.note, note), header = excluded.header, taken = 0
         RETURNING run",
        params![header.id, word(&RunStatus::Running)?, header.ended_ms, header.note, header.to_json()?],
        |row| row.get(0),
    )?;
    let mut texts = Vec::new();
    std::thread::scope(|scope| {
        // A second thread creates the JSON of cases while this one writes.
        let (sender, bodies) = sync_channel(AHEAD);
        scope.spawn(move || {
            let mut cases = cases();
            loop {
                let some = cases.by_ref().take(many::AT_ONCE);
                let some = some.map(|(number, case)| Ok((number, short::case(&case)?)));
                let some = some.collect::<Result<(Vec<u32>, Vec<String>), Trouble>>();
                let is_last = some.as_ref().is_ok_and(|(numbers, _)| numbers.is_empty());
                if is_last || sender.send(some).is_err() {
                    break;
                }
            }
        });
        bodies.iter().try_for_each(|some| {
            let (numbers, bodies) = some?;
            texts.extend(numbers.into_iter().zip(texts::numbers(conn, &bodies)?));
            Ok::<(), Trouble>(())
        })
    })?;
    texts.sort_unstable();
    let rows = texts.into_iter().map(|(number, text)| Ok([run.into(), number.into(), text.into()]));
    let conflict = "ON CONFLICT(run, number) DO UPDATE SET text = excluded.text";
    many::insert(conn, ("cases(run, number, text)", conflict), rows)?;
    Ok(run)
}

fn end_process(conn: &Connection, run: RunKey, end: &ProcessEnd) -> Result<(), Trouble> {
    conn.prepare_cached("UPDATE processes SET ended = ?3 WHERE run = ?1 AND process = ?2")?
        .execute(params![run, end.process, end.to_json()?])?;
    Ok(())
}

fn start_processes(conn: &Connection, run: RunKey, events: &[Event]) -> Result<(), Trouble> {
    let rows = events.iter().filter_map(|event| match event {
        Event::ProcessStarted(start) => {
            Some(short::process(start).map(|body| [run.into(), start.process.into(), body.into()]))
        }
        _ => None,
    });
    many::insert(conn, ("processes(run, process, started)", ""), rows).map(|_| ())
}

fn start_visits(
    conn: &Connection,
    run: RunKey,
    events: &[Event],
    started: &mut Started<'_>,
) -> Result<(), Trouble> {
    let columns = "visits(run, visit, process, number, position, open_ns, at_ns, metrics, mode, complete, report, \
         reported)";
    let rows = events.iter().filter_map(|event| match event {
        Event::VisitStarted(visit) => Some(visit),
        _ => None,
    });
    let rows = rows.map(|visit| {
        let report = started.reports.remove(&visit.visit);
        let (report, reported) = report.map(|report| started.report(conn, report)).transpose()?.unzip();
        Ok([
            run.into(),
            visit.visit.into(),
            visit.process.into(),
            visit.case.into(),
            visit.position.into(),
            (visit.open_ns as i64).into(), // SQLite's integers are signed, so keep the bits
            (visit.at_ns as i64).into(),
            started.metrics(conn, &visit.metrics)?.into(),
            optional(visit.mode.as_deref()),
            started.ended.remove(&visit.visit).into(),
            optional(report),
            optional(reported),
        ])
    });
    many::insert(conn, (columns, ""), rows).map(|_| ())
}

fn optional<'a, T: Into<ToSqlOutput<'a>>>(value: Option<T>) -> ToSqlOutput<'a> {
    value.map_or(ToSqlOutput::from(Null), Into::into)
}

fn insert_body(conn: &Connection, sql: &str, run: RunKey, body: &impl ToJson) -> Result<(), Trouble> {
    conn.prepare_cached(sql)?.execute(params![run, body.to_json()?])?;
    Ok(())
}

fn learn(conn: &Connection, learnt: &LearnedFact) -> Result<(), Trouble> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO traits(file_hash, case_name, key, value) VALUES(?1, ?2, ?3, ?4)",
    )?
    .execute(params![learnt.file_hash, learnt.case, learnt.key, learnt.value])?;
    Ok(())
}
