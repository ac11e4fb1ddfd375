//! The tables, how older ones become them, and how a connection is opened. Knows nothing of what the rows mean.

use crate::error::{ErrorKind, StoreError, Trouble};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Step `i` takes a file of schema `i` to schema `i + 1`. Never edit a step that was released: append one.
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
"];

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(5);
/// Blobs are a few kB: in pages of 4 kB or more, most of them would leave much of a page empty.
const PAGE_BYTES: u32 = 1024;
/// Pages of the write-ahead log after which a commit copies them back: 16 MB, so that it happens seldom in a run.
const CHECKPOINT_PAGES: u32 = (16 << 20) / PAGE_BYTES;

/// A connection and the file it is of. All statements go through [`Db::read`] and [`Db::write`].
pub(crate) struct Db {
    conn: Connection,
    /// The directory of the store.
    pub dir: PathBuf,
}

impl Db {
    /// Opens or creates `dir/derny.sqlite` and brings its schema up to date.
    pub fn open(dir: &Path) -> Result<Db, StoreError> {
        let file = dir.join("derny.sqlite");
        let open = || -> Result<Connection, Trouble> {
            let mut conn = Connection::open(&file)?;
            conn.busy_timeout(PATIENCE)?;
            conn.set_prepared_statement_cache_capacity(64);
            prepare(&conn)?;
            migrate(&mut conn, STEPS, &file)?;
            Ok(conn)
        };
        let conn = open().map_err(|trouble| trouble.of("the store cannot be opened", &file))?;
        Ok(Db { conn, dir: dir.to_owned() })
    }

    /// Another connection to the same file.
    pub fn again(&self) -> Result<Db, StoreError> {
        Db::open(&self.dir)
    }

    /// The database's path.
    pub fn file(&self) -> PathBuf {
        self.dir.join("derny.sqlite")
    }

    /// Reads one consistent state. `what` says in an error what could not be done.
    pub fn read<T>(
        &self,
        what: &str,
        read: impl FnOnce(&Connection) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        self.transact(TransactionBehavior::Deferred, read).map_err(|trouble| trouble.of(what, &self.file()))
    }

    /// Does all of `write` or nothing of it; it waits for other writers first, never in the middle.
    pub fn write<T>(
        &self,
        what: &str,
        write: impl FnOnce(&Connection) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        self.transact(TransactionBehavior::Immediate, write).map_err(|trouble| trouble.of(what, &self.file()))
    }

    fn transact<T>(
        &self,
        behavior: TransactionBehavior,
        act: impl FnOnce(&Connection) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let transaction = Transaction::new_unchecked(&self.conn, behavior)?;
        let result = act(&transaction)?; // dropped without a commit, a transaction is rolled back
        transaction.commit()?;
        Ok(result)
    }

    /// Gives freed pages back to the file system.
    pub fn shrink(&self) -> Result<(), StoreError> {
        let shrink = || -> rusqlite::Result<()> {
            let mut statement = self.conn.prepare("PRAGMA incremental_vacuum")?;
            let mut rows = statement.query([])?;
            while rows.next()?.is_some() {}
            self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        };
        shrink().map_err(|error| Trouble::from(error).of("freed space cannot be given back", &self.file()))
    }

    /// Bytes in use, free pages not counted.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        self.read("the store's size cannot be read", |conn| {
            let pragma = |name| conn.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
            Ok(((pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?) as u64)
        })
    }
}

/// Settings of the connection. Where write-ahead logging is impossible (some network file systems), SQLite's
/// rollback journal does: slower, and readers wait for writers, but as safe.
fn prepare(conn: &Connection) -> Result<(), Trouble> {
    conn.pragma_update(None, "page_size", PAGE_BYTES)?;
    conn.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let mut patience = 250; // two processes that create a store at once: this switch does not wait by itself
    loop {
        match conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && patience > 0 => {
                patience -= 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error)
                if matches!(
                    error.sqlite_error_code(),
                    Some(
                        ErrorCode::CannotOpen
                            | ErrorCode::SystemIoFailure
                            | ErrorCode::FileLockingProtocolFailed
                    )
                ) =>
            {
                conn.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
                break;
            }
            result => {
                result?;
                break;
            }
        }
    }
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    Ok(())
}

fn migrate(conn: &mut Connection, steps: &[&str], file: &Path) -> Result<(), Trouble> {
    let version = |conn: &Connection| conn.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0));
    let known = steps.len() as u32;
    if version(conn)? == known {
        return Ok(());
    }
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?; // another process may have been faster
    if found > known {
        return Err(too_new(&transaction, found, known, file).into());
    }
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
        .map_or_else(|_| "a newer derny".into(), |version| format!("derny {version}"));
    StoreError {
        kind: ErrorKind::TooNew,
        what: format!("the store was written by {newer}"),
        place: file.display().to_string(),
        why: format!(
            "its schema is {found}; this is derny {}, which knows {known}",
            env!("CARGO_PKG_VERSION")
        ),
        remedy: format!("use {newer} or later, or choose another store"),
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

    #[test]
    fn a_newer_file_is_refused_and_says_who_wrote_it() {
        let dir = tempfile::tempdir().unwrap();
        drop(Db::open(dir.path()).unwrap());
        let conn = Connection::open(dir.path().join("derny.sqlite")).unwrap();
        conn.execute_batch("PRAGMA user_version = 99; UPDATE meta SET value = '7.3.0'").unwrap();
        let error = Db::open(dir.path()).err().unwrap();
        assert_eq!(error.kind, ErrorKind::TooNew);
        let text = error.to_string();
        assert!(
            text.contains("derny 7.3.0") && text.contains("schema is 99") && text.contains("try"),
            "{text}"
        );
    }
}
