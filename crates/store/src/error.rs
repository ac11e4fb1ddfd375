//! What can go wrong with a store, in four parts: what, where, why, what to try.

use std::path::Path;

/// The kind of trouble, for those who act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The directory or the file cannot be opened or created.
    Open,
    /// A newer derny wrote the file.
    TooNew,
    /// Another process kept the file locked for too long.
    Busy,
    /// No room on the disk. What was written stays.
    Full,
    /// SQLite refused for another reason.
    Database,
    /// Stored bytes cannot be what was written.
    Damaged,
    /// No run or baseline has this name.
    Unknown,
    /// Several runs start like this.
    Ambiguous,
    /// The run is being recorded, or a baseline names it.
    InUse,
    /// Not a usable name.
    BadName,
}

/// An error of the store. Its text has four lines; the parts are open to those who lay them out themselves.
#[derive(Debug, thiserror::Error)]
#[error("{what}\n  where  {place}\n  why    {why}\n  try    {remedy}")]
pub struct StoreError {
    /// For those who act on it.
    pub kind: ErrorKind,
    /// What could not be done.
    pub what: String,
    /// The file, the run.
    pub place: String,
    /// The cause.
    pub why: String,
    /// What to try.
    pub remedy: String,
}

/// Why a step inside the store failed, before it is known what was being done where.
#[derive(Debug)]
pub(crate) enum Trouble {
    Sql(rusqlite::Error),
    Told(StoreError),
    Damaged(String),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Trouble::Sql(error)
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Trouble::Damaged(error.to_string())
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Told(error)
    }
}

impl Trouble {
    /// The error, now that what was being done and where is known.
    pub(crate) fn of(self, what: &str, place: &Path) -> StoreError {
        let (kind, why, remedy) = match self {
            Trouble::Told(error) => return error,
            Trouble::Damaged(why) => {
                (ErrorKind::Damaged, why, "delete the run with `derny runs delete`".into())
            }
            Trouble::Sql(error) => explain(&error),
        };
        StoreError { kind, what: what.to_owned(), place: place.display().to_string(), why, remedy }
    }
}

fn explain(error: &rusqlite::Error) -> (ErrorKind, String, String) {
    use rusqlite::ErrorCode as Code;
    let (kind, remedy) = match error.sqlite_error_code() {
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            (ErrorKind::Busy, "wait for the other process that writes to this store, or use another store")
        }
        Some(Code::DiskFull) => (ErrorKind::Full, "free some space; what was recorded before is kept"),
        Some(Code::NotADatabase | Code::DatabaseCorrupt) => {
            (ErrorKind::Damaged, "move the file away; derny makes a new one")
        }
        Some(Code::CannotOpen | Code::PermissionDenied | Code::ReadOnly) => {
            (ErrorKind::Open, "make the directory writable, or choose another store")
        }
        _ => (ErrorKind::Database, "check the disk and the directory's permissions"),
    };
    (kind, error.to_string(), remedy.to_owned())
}
