//! The database file, its connections and transactions.

use super::schema::{check, update};
use super::{guard, sum, texts};
use crate::backend::{Act, Backend, Rows, Snapshot};
use crate::error::{ErrorKind, StoreError, Trouble};
use crate::private;
use derny_model::Problem;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit for waiting for another writer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Page size in bytes. Blobs have a few kB, and would leave much of a page of 4 kB empty.
const PAGE_BYTES: u32 = 1024;
/// Page size of a part in bytes. A part is written once, and then read sequentially with one system call per
/// page. A part of 500 cases is no larger than with pages of 1 kB.
const PART_PAGE_BYTES: u32 = 8192;
/// Number of pages in the write-ahead log that triggers a checkpoint. 16 MB are rarely reached during a run.
const CHECKPOINT_PAGES: u32 = (16 << 20) / PAGE_BYTES;

/// Size of the page cache in kB, negative as SQLite requires.
const CACHE: i32 = -2000;
/// Size of the page cache in kB for large transactions, whose lookups of texts are spread over a large index.
const MUCH_CACHE: i32 = -32_000;
/// The file is rebuilt if at least one in this many pages is free.
const FREE_PART: i64 = 4;
/// Maximum number of pages that are moved to shrink a file.
const MOVED_PAGES: u32 = 2000;

/// Opens the file of the store in the directory `dir`, and migrates its schema. Creates the file if
/// necessary.
pub fn open(dir: &Path) -> Result<Box<dyn Backend>, StoreError> {
    Ok(Box::new(Sqlite::open(file_in(dir))?))
}

/// Opens the file of a store for reading only, for use on a full disk or in a read-only checkout.
pub fn open_reading(dir: &Path) -> Result<Box<dyn Backend>, StoreError> {
    Ok(Box::new(Sqlite::open_reading(file_in(dir))?))
}

/// Opens a file that [`Backend::write_to`] wrote, at any path. The file must not change while it is open.
pub fn open_part(file: &Path) -> Result<Box<dyn Backend>, StoreError> {
    whole(file)?;
    if !sum::holds(file).unwrap_or(false) {
        return Err(StoreError {
            kind: ErrorKind::Damaged,
            problem: Problem::new("the part cannot be read")
                .place(file.display())
                .why("checksum mismatch: the file changed after it was written")
                .remedy("copy it again, or measure its shard again"),
        });
    }
    let part = Sqlite::open_immutable(file.to_owned())?;
    part.sound().map_err(|trouble| trouble.of("the part cannot be read", &part.place()))?;
    Ok(Box::new(part))
}

/// Fails if the file does not belong to Derny or is truncated.
fn whole(file: &Path) -> Result<(), StoreError> {
    let refused = |kind, why: String, remedy: &str| StoreError {
        kind,
        problem: Problem::new("the part cannot be read").place(file.display()).why(why).remedy(remedy),
    };
    let open = || -> std::io::Result<(u64, [u8; 32])> {
        use std::io::Read;
        let mut head = [0; 32];
        let mut from = std::fs::File::open(file)?;
        let length = from.metadata()?.len();
        let read = from.read(&mut head)?;
        head[read..].fill(0);
        Ok((length, head))
    };
    let (length, head) = open().map_err(|error| {
        refused(ErrorKind::Open, error.to_string(), "give the paths of files that `derny fleet shard` wrote")
    })?;
    const CUT: &str = "copy it again, or measure its shard again";
    if length == 0 {
        return Err(refused(ErrorKind::Damaged, "the file is empty".into(), CUT));
    }
    if !head.starts_with(b"SQLite format 3\0"[..16.min(length as usize)].as_ref()) {
        let what = "it is not a part; `derny fleet shard` writes parts".to_owned();
        return Err(refused(ErrorKind::Unknown, what, "omit it"));
    }
    let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 65_536,
        bytes => bytes,
    };
    let wanted = page * u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    if length < head.len() as u64 || length != wanted {
        return Err(refused(
            ErrorKind::Damaged,
            format!("the file is truncated: {length} of {wanted} bytes"),
            CUT,
        ));
    }
    Ok(())
}

/// Returns true if the directory `dir` has the file of a store.
pub fn exists(dir: &Path) -> bool {
    file_in(dir).exists()
}

fn file_in(dir: &Path) -> PathBuf {
    dir.join("derny.sqlite")
}

impl Snapshot for Sqlite {
    fn rows(&self) -> &dyn Rows {
        &self.conn
    }
}

struct Sqlite {
    conn: Connection,
    file: PathBuf,
    reading: bool,
    /// True if the file is open as immutable. No process writes to it, and SQLite uses neither locks nor
    /// other files.
    immutable: bool,
}

impl Sqlite {
    fn count(&self, what: &str) -> Result<i64, Trouble> {
        Ok(self.conn.query_row(&format!("PRAGMA {what}"), [], |row| row.get(0))?)
    }

    fn open(file: PathBuf) -> Result<Sqlite, StoreError> {
        let open = || -> Result<Connection, Trouble> {
            // Create the file first, with permissions that SQLite's other files inherit. Do not open an
            // existing file, because closing it would drop SQLite's locks.
            private::new_file(&file).map_err(|error| unopened(&error))?;
            let mut conn = Connection::open(&file)?;
            guard::restrain(&conn)?;
            conn.busy_timeout(PATIENCE)?;
            conn.set_prepared_statement_cache_capacity(64);
            prepare(&conn)?;
            update(&mut conn, &file)?;
            Ok(conn)
        };
        match open() {
            Ok(conn) => Ok(Sqlite { conn, file, reading: false, immutable: false }),
            Err(trouble) => Err(trouble.of("the store cannot be opened", &file.display().to_string())),
        }
    }

    fn open_reading(file: PathBuf) -> Result<Sqlite, StoreError> {
        let open = || -> Result<Connection, Trouble> {
            let conn = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            guard::restrain(&conn)?;
            guard::only_read(&conn)?;
            if check(&conn, &file).is_ok() {
                return Ok(conn);
            }
            // In WAL mode, even a reader may have to create the `-shm` file next to the database. If the WAL
            // is empty, the database can be opened as immutable instead.
            let log = file.with_extension("sqlite-wal").metadata().map_or(0, |log| log.len());
            if log > 0 {
                check(&conn, &file)?;
            }
            immutable(&file)
        };
        match open() {
            Ok(conn) => Ok(Sqlite { conn, file, reading: true, immutable: false }),
            Err(trouble) => Err(trouble.of("the store cannot be read", &file.display().to_string())),
        }
    }

    fn open_immutable(file: PathBuf) -> Result<Sqlite, StoreError> {
        match immutable(&file) {
            Ok(conn) => Ok(Sqlite { conn, file, reading: true, immutable: true }),
            Err(trouble) => Err(trouble.of("the part cannot be read", &file.display().to_string())),
        }
    }

    fn another(&self) -> Result<Sqlite, StoreError> {
        let open = match (self.immutable, self.reading) {
            (true, _) => Sqlite::open_immutable,
            (false, true) => Sqlite::open_reading,
            (false, false) => Sqlite::open,
        };
        open(self.file.clone())
    }

    fn transact(&self, behavior: TransactionBehavior, act: Act<'_>) -> Result<(), Trouble> {
        let transaction = Transaction::new_unchecked(&self.conn, behavior)?;
        act(&*transaction)?; // dropped without a commit, a transaction is rolled back
        Ok(transaction.commit()?)
    }
}

impl Backend for Sqlite {
    fn place(&self) -> String {
        self.file.display().to_string()
    }

    fn again(&self) -> Result<Box<dyn Backend>, StoreError> {
        Ok(Box::new(self.another()?))
    }

    fn read(&self, act: Act<'_>) -> Result<(), Trouble> {
        self.transact(TransactionBehavior::Deferred, act)
    }

    fn write(&self, act: Act<'_>) -> Result<(), Trouble> {
        self.transact(TransactionBehavior::Immediate, act)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        let own = self.another()?;
        // A deferred transaction begins with its first read.
        let begun = own.conn.execute_batch("BEGIN; SELECT count(*) FROM meta;");
        match begun {
            Ok(()) => Ok(Box::new(own)),
            Err(error) => Err(Trouble::from(error).of("the store cannot be read", &own.place())),
        }
    }

    /// Returns the size of the used pages in bytes. Free pages are not counted.
    fn bytes(&self) -> Result<u64, Trouble> {
        let _at_once = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)?;
        let used = self.count("page_count")? - self.count("freelist_count")?;
        Ok((used * self.count("page_size")?) as u64)
    }

    /// Shrinks the file. Deletes unused texts first, with reference checks off, because the checks would
    /// search all visits for each text. If much of the file is free, it is rebuilt if possible, because
    /// moving pages one by one would take minutes. Otherwise, some pages are moved, and the other free pages
    /// are reused later.
    fn shrink(&self) -> Result<(), Trouble> {
        self.check_references(false)?;
        let deleted = self.conn.execute(texts::DELETE_UNUSED, []);
        self.check_references(true)?;
        deleted?;
        let is_much = FREE_PART * self.count("freelist_count")? >= self.count("page_count")?;
        if !(is_much && self.conn.execute_batch("VACUUM").is_ok()) {
            let mut statement = self.conn.prepare(&format!("PRAGMA incremental_vacuum({MOVED_PAGES})"))?;
            let mut rows = statement.query([])?;
            while rows.next()?.is_some() {}
        }
        Ok(self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
    }

    fn sound(&self) -> Result<(), Trouble> {
        guard::hangs_together(&self.conn)
    }

    fn check_references(&self, yes: bool) -> Result<(), Trouble> {
        Ok(self.conn.pragma_update(None, "foreign_keys", yes)?)
    }

    /// Turns the write-ahead log off for a very large transaction, and on again afterwards. A log of hundreds
    /// of megabytes would be searched for every page, and copied at the end.
    fn write_much(&self, yes: bool) -> Result<(), Trouble> {
        let mode = if yes { "PRAGMA journal_mode = DELETE" } else { "PRAGMA journal_mode = WAL" };
        self.conn.pragma_update(None, "cache_size", if yes { MUCH_CACHE } else { CACHE })?;
        self.conn.busy_timeout(Duration::ZERO)?;
        let changed = self.conn.query_row(mode, [], |_| Ok(()));
        self.conn.busy_timeout(PATIENCE)?;
        match changed {
            // Keep the mode if other processes use the store, or if the file system does not support a log.
            Err(error)
                if matches!(
                    error.sqlite_error_code(),
                    Some(
                        ErrorCode::DatabaseBusy
                            | ErrorCode::DatabaseLocked
                            | ErrorCode::CannotOpen
                            | ErrorCode::SystemIoFailure
                            | ErrorCode::FileLockingProtocolFailed
                    )
                ) =>
            {
                Ok(())
            }
            changed => Ok(changed?),
        }
    }

    fn write_to(&self, file: &Path) -> Result<(), Trouble> {
        // The page size applies only to the copy. The store itself does not change.
        self.conn.pragma_update(None, "page_size", PART_PAGE_BYTES)?;
        self.conn.execute("VACUUM INTO ?1", [file.display().to_string()])?;
        sum::put(file).map_err(|error| unopened(&error))
    }
}

fn unopened(error: &std::io::Error) -> Trouble {
    Trouble::Database {
        kind: ErrorKind::Open,
        why: error.to_string(),
        remedy: "make the folder writable, or name another".into(),
    }
}

fn immutable(file: &Path) -> Result<Connection, Trouble> {
    let path = file.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)?;
    guard::restrain(&conn)?;
    guard::only_read(&conn)?;
    check(&conn, file)?;
    Ok(conn)
}

/// Configures the connection. If write-ahead logging is impossible, as on some network file systems, SQLite's
/// rollback journal is used. It is slower, and readers wait for writers, but it is equally safe.
fn prepare(conn: &Connection) -> Result<(), Trouble> {
    conn.pragma_update(None, "page_size", PAGE_BYTES)?;
    conn.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    // Another process may be creating the store or writing a very large transaction. This pragma does not
    // wait by itself.
    let mut patience = 1500;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::Connection as Both;
    use crate::scenario::{Random, case, header, process, start, turn, visit};
    use crate::{PrunePolicy, Recorder, Store};
    use derny_model::{Event, Turn};
    use std::sync::{Arc, Mutex};

    /// Connection whose limits can be changed while a recorder uses it.
    struct Shared(Arc<Mutex<Sqlite>>);

    impl Backend for Shared {
        fn place(&self) -> String {
            self.0.lock().unwrap().place()
        }

        fn again(&self) -> Result<Box<dyn Backend>, StoreError> {
            self.0.lock().unwrap().again()
        }

        fn read(&self, act: Act<'_>) -> Result<(), Trouble> {
            self.0.lock().unwrap().read(act)
        }

        fn write(&self, act: Act<'_>) -> Result<(), Trouble> {
            self.0.lock().unwrap().write(act)
        }

        fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
            self.0.lock().unwrap().snapshot()
        }

        fn bytes(&self) -> Result<u64, Trouble> {
            self.0.lock().unwrap().bytes()
        }

        fn shrink(&self) -> Result<(), Trouble> {
            self.0.lock().unwrap().shrink()
        }

        fn check_references(&self, yes: bool) -> Result<(), Trouble> {
            self.0.lock().unwrap().check_references(yes)
        }

        fn write_to(&self, file: &Path) -> Result<(), Trouble> {
            self.0.lock().unwrap().write_to(file)
        }
    }

    #[test]
    fn a_full_disk_loses_nothing_that_was_taken() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let file = Arc::new(Mutex::new(Sqlite::open(file_in(dir.path())).unwrap()));
        let limit = |pages: u32| {
            let sql = format!("PRAGMA max_page_count = {pages}");
            file.lock().unwrap().conn.query_row(&sql, [], |_| Ok(())).unwrap();
        };
        let both = Both::new(Box::new(Shared(file.clone())), dir.path().to_owned());
        let mut recorder = Recorder::new(both, PrunePolicy::default());
        for event in [start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0)] {
            recorder.on_event(&event).unwrap();
        }
        limit(60); // kilobytes
        let mut random = Random(1);
        let told: Vec<Turn> = (0..2000).map(|round| turn(&mut random, 0, round)).collect();
        for turn in &told {
            recorder.on_event(&Event::Turn(turn.clone())).unwrap();
        }
        let full = recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap_err();
        assert_eq!(full.kind, ErrorKind::Full, "{full}");
        assert_eq!(store.load("k3fz").unwrap().visits[0].turns, told, "the journal holds it");
        limit(1_000_000);
        recorder.flush().unwrap();
        let records = store.load("k3fz").unwrap();
        assert!(records.visits[0].complete);
        assert_eq!(records.visits[0].turns, told);
    }

    #[test]
    fn a_newer_file_is_refused_and_says_who_wrote_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = file_in(dir.path());
        drop(Sqlite::open(file.clone()).unwrap());
        let conn = Connection::open(&file).unwrap();
        conn.execute_batch("PRAGMA user_version = 99; UPDATE meta SET value = '7.3.0'").unwrap();
        let error = Sqlite::open(file).err().unwrap();
        assert_eq!(error.kind, ErrorKind::TooNew);
        let text = error.to_string();
        assert!(
            text.contains("Derny 7.3.0") && text.contains("schema is 99") && text.contains("try"),
            "{text}"
        );
    }
}
