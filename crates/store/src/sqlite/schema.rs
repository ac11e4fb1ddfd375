//! The tables and their migrations, independent of the meaning of the rows.

use super::guard;
use crate::error::{ErrorKind, StoreError, Trouble};
use derny_model::{Problem, problem};
use rusqlite::{Connection, TransactionBehavior};
use std::cmp::Ordering;
use std::path::Path;

/// The migrations. Step `i` takes a file from schema `i` to schema `i + 1`. Never edit a released step.
/// Append a new one.
const STEPS: &[&str] = &["
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE runs(
        run INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status TEXT NOT NULL,
        ended_ms INTEGER, note TEXT, header TEXT NOT NULL);
    CREATE TABLE texts(text INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE);
    CREATE TABLE cases(
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,
        text INTEGER NOT NULL REFERENCES texts, reason TEXT,
        PRIMARY KEY(run, number)) WITHOUT ROWID;
    CREATE TABLE processes(
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, process INTEGER NOT NULL,
        started TEXT NOT NULL, ended TEXT,
        PRIMARY KEY(run, process)) WITHOUT ROWID;
    CREATE TABLE visits(
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, visit INTEGER NOT NULL,
        process INTEGER NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL,
        open_ns INTEGER NOT NULL, at_ns INTEGER NOT NULL,
        metrics INTEGER NOT NULL REFERENCES texts, complete INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY(run, visit)) WITHOUT ROWID;
    CREATE TABLE chunks(
        chunk INTEGER PRIMARY KEY, run INTEGER NOT NULL, visit INTEGER NOT NULL, data BLOB NOT NULL,
        FOREIGN KEY(run, visit) REFERENCES visits ON DELETE CASCADE);
    CREATE INDEX chunks_of_visit ON chunks(run, visit);
    CREATE TABLE batches(
        run INTEGER NOT NULL, visit INTEGER NOT NULL, thinned INTEGER NOT NULL DEFAULT 0, data BLOB NOT NULL,
        PRIMARY KEY(run, visit),
        FOREIGN KEY(run, visit) REFERENCES visits ON DELETE CASCADE);
    CREATE TABLE failures(
        failure INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, body TEXT NOT NULL);
    CREATE INDEX failures_of_run ON failures(run);
    CREATE TABLE observations(
        observation INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        body TEXT NOT NULL);
    CREATE INDEX observations_of_run ON observations(run);
    CREATE TABLE baselines(name TEXT PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs) WITHOUT ROWID;
    CREATE INDEX baselines_of_run ON baselines(run);
    CREATE TABLE traits(
        file_hash TEXT NOT NULL, case_name TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY(file_hash, case_name, key)) WITHOUT ROWID;
    CREATE TABLE discovered(
        entry INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, cases TEXT NOT NULL);
", "
    DROP TABLE chunks;
    ALTER TABLE runs ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;
", "
    ALTER TABLE visits ADD COLUMN mode TEXT;
", "
    -- Lists of cases, asked for before metrics had kinds: they are asked for again.
    DELETE FROM discovered;
", "
    ALTER TABLE visits ADD COLUMN report TEXT;
    CREATE TABLE looks(
        look INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, body TEXT NOT NULL);
    CREATE INDEX looks_of_run ON looks(run);
", "
    -- What belongs to a part. Not in `meta`: a search there reads all of each row that it comes by, and these have tens of kilobytes.
    CREATE TABLE pieces(piece INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body BLOB NOT NULL);
", "
    -- The text of the metrics of a report, where that has only values. Cases lack what most have none of, which earlier versions ask for.
    ALTER TABLE visits ADD COLUMN reported INTEGER;
", "
    -- Figures of all runs, and of imported ones. A row of points has those of one series that were added at once.
    CREATE TABLE history_entries(
        entry INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
    CREATE TABLE history_series(series INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE);
    CREATE TABLE history_points(
        series INTEGER NOT NULL, entry INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY(series, entry)) WITHOUT ROWID;
"];

/// Migrates a file to the current schema in one transaction.
pub fn update(conn: &mut Connection, file: &Path) -> Result<(), Trouble> {
    migrate(conn, STEPS, file)
}

/// Fails unless the schema is current, because an older one cannot be migrated in a read-only location.
pub fn check(conn: &Connection, file: &Path) -> Result<(), Trouble> {
    let found = conn.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0))?;
    let known = STEPS.len() as u32;
    match found.cmp(&known) {
        Ordering::Equal => guard::has_our_tables(conn, STEPS, file),
        Ordering::Greater => Err(too_new(conn, found, known, file).into()),
        Ordering::Less => Err(StoreError {
            kind: ErrorKind::Open,
            problem: Problem::new(
                "the store was written by an earlier version of Derny and cannot be \
                upgraded",
            )
            .place(file.display())
            .why(format_args!("its schema is {found} instead of {known}, and the location is read-only"))
            .remedy("copy the store to a writable folder and select it with --store"),
        }
        .into()),
    }
}

fn migrate(conn: &mut Connection, steps: &[&str], file: &Path) -> Result<(), Trouble> {
    let version = |conn: &Connection| conn.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0));
    let known = steps.len() as u32;
    if version(conn)? == known {
        return guard::has_our_tables(conn, steps, file);
    }
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?; // another process may have been faster
    if found > known {
        return Err(too_new(&transaction, found, known, file).into());
    }
    guard::has_our_tables(&transaction, &steps[..found as usize], file)?;
    for step in &steps[found as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    transaction
        .execute("INSERT OR REPLACE INTO meta VALUES('written_by', ?1)", [env!("CARGO_PKG_VERSION")])?;
    transaction.commit()?;
    Ok(())
}

fn too_new(conn: &Connection, found: u32, known: u32, file: &Path) -> StoreError {
    let newer = conn
        .query_row("SELECT value FROM meta WHERE key = 'written_by'", [], |row| row.get::<_, String>(0))
        .map_or_else(|_| "a newer version of Derny".into(), |version| format!("Derny {version}"));
    StoreError {
        kind: ErrorKind::TooNew,
        problem: problem!("the store was written by {newer}")
            .place(file.display())
            .why(format_args!("its schema is {found}; Derny {} supports {known}", env!("CARGO_PKG_VERSION")))
            .remedy(format_args!("use {newer} or later, or choose another store")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_file_is_brought_up_to_date_with_its_rows_kept() {
        let mut conn = Connection::open_in_memory().unwrap();
        let first = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT); CREATE TABLE t(a); INSERT INTO t VALUES(7);";
        let file = Path::new("x");
        migrate(&mut conn, &[first], file).unwrap();
        let steps = [first, "ALTER TABLE t ADD COLUMN b DEFAULT 1;", "UPDATE t SET b = a + b;"];
        migrate(&mut conn, &steps, file).unwrap();
        migrate(&mut conn, &steps, file).unwrap();
        let row = conn.query_row("SELECT b FROM t", [], |row| row.get::<_, i64>(0)).unwrap();
        let version = conn.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!((row, version), (8, 3));
    }

    #[test]
    fn a_failing_step_leaves_the_old_schema() {
        let mut conn = Connection::open_in_memory().unwrap();
        let first = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);";
        migrate(&mut conn, &[first], Path::new("x")).unwrap();
        assert!(migrate(&mut conn, &[first, "CREATE TABLE u(a); nonsense"], Path::new("x")).is_err());
        let version = conn.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0)).unwrap();
        let tables = conn
            .query_row("SELECT count(*) FROM sqlite_master WHERE name = 'u'", [], |row| row.get::<_, i64>(0));
        assert_eq!((version, tables.unwrap()), (1, 0));
    }
}
