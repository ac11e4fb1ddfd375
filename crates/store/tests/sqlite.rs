//! Tests for SQLite files only: files written by earlier versions, and files that are not stores.

use crate::scenario::{Random, case, end, header, process, process_end, reported, start, turn, visit};
use derny_model::{Case, Event, Kind, Metric, Records, RunStatus, Visit, VisitReport};
use derny_store::{ErrorKind, Store};
use std::path::Path;

/// The JSON of a metric's kind. Early versions did not write it, because metrics had no kinds.
const KIND: &str = r#""kind":"total","#;

fn metric(unit: &str) -> Metric {
    let Event::VisitStarted(Visit { metrics, .. }) = visit(0, 0, 0) else { unreachable!() };
    Metric { name: unit.to_owned(), unit: unit.to_owned(), ..metrics[0].clone() }
}

fn units() -> Vec<Metric> {
    ["ns", "MB/process", "count"].map(metric).to_vec()
}

fn begun(id: &str) -> Vec<Event> {
    let Event::VisitStarted(first) = visit(0, 0, 0) else { unreachable!() };
    let cases = [Case { metrics: units(), ..case("a") }];
    let started = Event::VisitStarted(Visit { metrics: units().into(), ..first });
    vec![start(header(id), &cases), process(0), started, Event::Turn(turn(&mut Random(1), 0, 0))]
}

/// Removes all kinds from the journals in `dir`, keeping the lengths of frames. Returns the number removed.
fn age_journals(dir: &Path) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            count += age_journals(&entry);
            continue;
        }
        if entry.file_name().unwrap().to_str().unwrap().starts_with("derny.sqlite") {
            continue;
        }
        let mut bytes = std::fs::read(&entry).unwrap();
        let places = (0..bytes.len().saturating_sub(KIND.len()))
            .filter(|at| bytes[*at..].starts_with(KIND.as_bytes()))
            .collect::<Vec<usize>>();
        count += places.len();
        for at in places {
            bytes[at..at + KIND.len()].fill(b' ');
        }
        std::fs::write(&entry, bytes).unwrap();
    }
    count
}

fn assert_decided(records: &Records) {
    let kinds = |metrics: &[Metric]| metrics.iter().map(|metric| metric.kind).collect::<Vec<_>>();
    let wanted = [Kind::Total, Kind::Reported, Kind::Total];
    assert_eq!(kinds(&records.visits[0].visit.metrics), wanted);
    assert_eq!(kinds(&records.cases[0].metrics), wanted);
}

#[test]
fn metrics_of_before_there_were_kinds_keep_their_meaning() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.index_put("key", &[]).unwrap();
    let mut recorder = store.recorder().unwrap();
    let rest = [Event::VisitEnded { visit: 0 }, process_end(0), end(RunStatus::Complete)];
    begun("k3fz").iter().chain(&rest).for_each(|event| recorder.on_event(event).unwrap());
    drop((recorder, store));
    let old = rusqlite::Connection::open(dir.path().join("derny.sqlite")).unwrap();
    let changed = old.execute("UPDATE texts SET body = replace(body, ?1, '')", [KIND]).unwrap();
    assert!(changed >= 2, "a case and a list of metrics");
    let back = "ALTER TABLE visits DROP COLUMN report; ALTER TABLE visits DROP COLUMN reported; DROP TABLE looks; DROP TABLE pieces; \
                DROP TABLE history_entries; DROP TABLE history_series; DROP TABLE history_points; PRAGMA user_version = 3";
    old.execute_batch(back).unwrap();
    drop(old);

    let store = Store::open(dir.path()).unwrap();
    assert_decided(&store.load("k3fz").unwrap());
    assert_eq!(store.index_get("key").unwrap(), None, "lists of cases without kinds are asked for again");
}

#[test]
fn so_do_those_in_the_journal_of_a_run_that_is_under_way() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut recorder = store.recorder().unwrap();
    begun("k3fz").iter().for_each(|event| recorder.on_event(event).unwrap());
    assert_eq!(age_journals(dir.path()), 3);
    let old = rusqlite::Connection::open(dir.path().join("derny.sqlite")).unwrap();
    old.execute("UPDATE texts SET body = replace(body, ?1, '')", [KIND]).unwrap();
    assert_decided(&store.load("k3fz").unwrap());
}

#[test]
fn a_report_that_was_written_with_its_metrics_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let values = vec![reported("mean", 7.5), reported("median", 7.0)];
    let report = VisitReport { operations: 3.0, values, texts: Vec::new() };
    let mut recorder = store.recorder().unwrap();
    let rest = [Event::Reported { visit: 0, report: report.clone() }, Event::VisitEnded { visit: 0 }];
    begun("k3fz").iter().chain(&rest).for_each(|event| recorder.on_event(event).unwrap());
    let before = store.load("k3fz").unwrap();
    assert_eq!(before.visits[0].report.as_deref(), Some(&report));
    let old = rusqlite::Connection::open(dir.path().join("derny.sqlite")).unwrap();
    let whole = serde_json::to_string(&report).unwrap();
    old.execute("UPDATE visits SET report = ?1, reported = NULL", [whole]).unwrap();
    assert_eq!(store.load("k3fz").unwrap(), before);
}

#[test]
fn a_run_that_is_deleted_leaves_no_text() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    for id in ["k3fz", "m2aa"] {
        let mut recorder = store.recorder().unwrap();
        let report = VisitReport { operations: 3.0, values: vec![reported(id, 7.5)], texts: Vec::new() };
        let rest = [Event::Reported { visit: 0, report }, Event::VisitEnded { visit: 0 }, process_end(0)];
        begun(id).iter().chain(&rest).for_each(|event| recorder.on_event(event).unwrap());
        recorder.on_event(&end(RunStatus::Complete)).unwrap();
    }
    let file = rusqlite::Connection::open(dir.path().join("derny.sqlite")).unwrap();
    let texts = || file.query_row("SELECT count(*) FROM texts", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(texts(), 4, "a case, its metrics, and two of reports");
    let other = store.load("m2aa").unwrap();
    store.delete("k3fz", false).unwrap();
    assert_eq!((texts(), store.load("m2aa").unwrap()), (3, other));
    store.delete("m2aa", false).unwrap();
    assert_eq!(texts(), 0);
}

#[test]
fn looking_creates_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".derny");
    assert!(Store::open_existing(&path).unwrap().is_none() && !path.exists());
    drop(Store::open(&path).unwrap());
    assert!(Store::open_existing(&path).unwrap().is_some());
}

#[test]
fn a_store_that_cannot_be_made_says_where_and_what_to_try() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let error = Store::open(&dir.path().join("file/.derny")).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Open);
    std::fs::write(
        dir.path().join("derny.sqlite"),
        "not a database, but long enough to be looked at".repeat(99),
    )
    .unwrap();
    let error = Store::open(dir.path()).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Damaged);
    for part in ["where", "derny.sqlite", "why", "not a database", "try"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}
