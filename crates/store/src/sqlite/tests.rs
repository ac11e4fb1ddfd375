//! Tests with malicious files. Each file is rejected, or read in time proportional to its size.

use super::{open_part, sum};
use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
use crate::{ErrorKind, Store};
use derny_model::{Event, RunStatus};
use flate2::{Compression, write::DeflateEncoder};
use rusqlite::Connection;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

fn store(dir: &Path, visits: u32) -> Store {
    let store = Store::open(dir).unwrap();
    let mut recorder = store.recorder().unwrap();
    let mut random = Random(1);
    recorder.on_event(&start(header("k3fz"), &[case("a")])).unwrap();
    recorder.on_event(&process(0)).unwrap();
    for number in 0..visits {
        recorder.on_event(&visit(number, 0, 0)).unwrap();
        (0..3).for_each(|round| recorder.on_event(&Event::Turn(turn(&mut random, number, round))).unwrap());
        recorder.on_event(&Event::VisitEnded { visit: number }).unwrap();
    }
    recorder.on_event(&process_end(0)).unwrap();
    recorder.on_event(&end(RunStatus::Complete)).unwrap();
    store
}

/// Creates a part, changes it with `change`, and writes the matching checksum.
fn forged(dir: &Path, visits: u32, change: impl FnOnce(&Connection)) -> PathBuf {
    let file = dir.join("1.derny");
    store(&dir.join("run"), visits).into_part(&file).unwrap();
    let conn = Connection::open(&file).unwrap();
    change(&conn);
    // Update the length of the file, which the header contains.
    conn.execute_batch("VACUUM").unwrap();
    drop(conn);
    sum::put(&file).unwrap();
    file
}

fn refused(change: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = forged(dir.path(), 1, |conn| conn.execute_batch(change).unwrap());
    let error = Store::open_part(&file).err().unwrap_or_else(|| panic!("{change}: taken"));
    assert_eq!(error.kind, ErrorKind::Damaged, "{change}: {error}");
    assert!(error.problem.place.ends_with("1.derny"), "{error}");
    error.to_string()
}

const ENDLESS: &str = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)";

#[test]
fn a_part_has_our_tables_and_nothing_else() {
    let endless = format!(
        "PRAGMA foreign_keys = OFF; DROP TABLE looks;
         CREATE VIEW looks AS {ENDLESS} SELECT x AS look, 1 AS run, '{{}}' AS body FROM n"
    );
    let error = refused(&endless);
    assert!(error.contains("view `looks` differs from Derny's schema"), "{error}");
    for (change, name) in [
        ("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM texts; END", "trigger `t`"),
        ("CREATE VIEW v AS SELECT 1", "view `v`"),
        ("CREATE TABLE more(x)", "table `more`"),
        // The bundled SQLite has no such module, but a file of another SQLite may refer to it.
        (
            "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'f', 'f', 0, 'CREATE VIRTUAL TABLE f USING fts5(x)')",
            "table `f`",
        ),
        ("CREATE INDEX i ON runs(abs(run))", "index `i`"),
        ("ALTER TABLE runs ADD COLUMN more INTEGER AS (abs(run))", "table `runs`"),
        ("ALTER TABLE runs ADD COLUMN more", "table `runs`"),
        ("ALTER TABLE pieces RENAME TO other", "other"),
        ("DROP INDEX looks_of_run", "index `looks_of_run`"),
        ("DROP TABLE looks; CREATE TABLE looks(look INTEGER PRIMARY KEY, run, body)", "table `looks`"),
    ] {
        let error = refused(change);
        assert!(error.contains(name), "{change}: {error}");
    }
}

/// A store that is not a part is also refused if its schema differs, both to write and only to read.
#[test]
fn so_has_any_store() {
    for version in [7, 4, 0u32] {
        let dir = tempfile::tempdir().unwrap();
        drop(store(dir.path(), 1));
        let conn = Connection::open(dir.path().join("derny.sqlite")).unwrap();
        let change = format!(
            "PRAGMA user_version = {version}; DROP TABLE discovered;
             CREATE VIEW discovered AS {ENDLESS} SELECT x AS entry, 'k' AS key, '[]' AS cases FROM n;
             CREATE TRIGGER t INSTEAD OF DELETE ON discovered BEGIN SELECT 1; END"
        );
        conn.execute_batch(&change).unwrap();
        drop(conn);
        let error = Store::open(dir.path()).err().unwrap();
        assert_eq!(error.kind, ErrorKind::Damaged, "{version}: {error}");
        let error = Store::open_to_read(dir.path()).err().unwrap().to_string();
        let is_old = error.contains("was written by an earlier version of Derny");
        assert!(is_old || error.contains("differs from Derny's schema"), "{version}: {error}");
    }
    // A user may have run `ANALYZE`.
    let dir = tempfile::tempdir().unwrap();
    drop(store(dir.path(), 1));
    Connection::open(dir.path().join("derny.sqlite")).unwrap().execute_batch("ANALYZE").unwrap();
    Store::open(dir.path()).unwrap();
}

/// Pages that refer to each other make a table of a few kilobytes endless.
#[test]
fn pages_that_lead_in_circles_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let file = forged(dir.path(), 400, |_| {});
    let conn = Connection::open(&file).unwrap();
    let number = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    let root = number("SELECT rootpage FROM sqlite_schema WHERE name = 'batches'");
    let page = number("PRAGMA page_size");
    drop(conn);
    let at = u64::from((root - 1) * page);
    let mut bytes = std::fs::read(&file).unwrap();
    assert_eq!(bytes[at as usize], 5, "its root leads to others");
    let mut write = std::fs::File::options().write(true).open(&file).unwrap();
    write.seek(SeekFrom::Start(at + 8)).unwrap();
    write.write_all(&root.to_be_bytes()).unwrap();
    sum::put(&file).unwrap();
    let error = Store::open_part(&file).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Damaged, "{error}");
    // Test the same with a child that two pages share.
    let (first, second) = (at as usize + 12, at as usize + 14);
    let cell = |at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    let (one, other) = (at as usize + cell(first), at as usize + cell(second));
    bytes.copy_within(one..one + 4, other);
    std::fs::write(&file, bytes).unwrap();
    sum::put(&file).unwrap();
    assert_eq!(Store::open_part(&file).err().unwrap().kind, ErrorKind::Damaged);
}

#[test]
fn copying_looks_at_pages_first() {
    let dir = tempfile::tempdir().unwrap();
    drop(store(&dir.path().join("from"), 400));
    let file = dir.path().join("from/derny.sqlite");
    let conn = Connection::open(&file).unwrap();
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let number = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    let root = number("SELECT rootpage FROM sqlite_schema WHERE name = 'batches'");
    let page = number("PRAGMA page_size");
    drop(conn);
    let mut write = std::fs::File::options().write(true).open(&file).unwrap();
    write.seek(SeekFrom::Start(u64::from((root - 1) * page) + 8)).unwrap();
    write.write_all(&root.to_be_bytes()).unwrap();
    drop(write);
    let (from, to) =
        (Store::open(&dir.path().join("from")).unwrap(), Store::open(&dir.path().join("to")).unwrap());
    let error = from.copy(&to, &mut |_| {}).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Damaged, "{error}");
    assert!(to.runs(1).unwrap().is_empty());
}

fn zeros(count: usize) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; count]).unwrap();
    let deflated = encoder.finish().unwrap();
    let mut blob = vec![2];
    crate::codec::varint::put(&mut blob, deflated.len() as u64);
    blob.extend(deflated);
    blob
}

/// The error names the part if its turns expand to too much.
#[test]
fn turns_that_become_too_many_are_refused() {
    for (visits, blob) in
        [(1, zeros(1 << 26)), (3, zeros(5 << 20)), (2, vec![1, 1, 3, 0, 0, 0, 0, 0, 0, 255, 255])]
    {
        let dir = tempfile::tempdir().unwrap();
        let file = forged(dir.path(), visits, |conn| {
            conn.execute("UPDATE batches SET data = ?1", [blob]).unwrap();
        });
        let error = Store::open_part(&file).unwrap().load("last").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Damaged);
        assert!(error.to_string().contains("the turns of visit 0 cannot be read"), "{error}");
        assert!(error.problem.place.ends_with("1.derny"), "{error}");
    }
}

/// The turns of a part that contains facts about them are read on demand.
#[test]
fn turns_that_are_read_late_are_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    let file = forged(dir.path(), 300, |conn| {
        let large = vec![9u8; 2000];
        conn.execute("UPDATE batches SET data = ?1 WHERE visit > 0", [large]).unwrap();
    });
    let records = Store::open_part(&file).unwrap().load("last").unwrap();
    assert_eq!(records.trouble(), None);
    assert!(records.visits[5].turns.to_vec().is_empty());
    let trouble = records.trouble().unwrap();
    assert!(
        trouble.contains("1.derny") && trouble.contains("the turns of visit 5 cannot be read"),
        "{trouble}"
    );
}

#[test]
fn a_part_is_only_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = forged(dir.path(), 1, |_| {});
    let part = open_part(&file).unwrap();
    assert!(part.write(&mut |rows| rows.set_text("key", "text")).is_err());
}
