//! Classifies SQLite's errors.

use crate::error::{ErrorKind, Trouble};
use rusqlite::ErrorCode as Code;

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        let (kind, remedy) = match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => (
                ErrorKind::Busy,
                "wait for the other process that writes to this store, or use another store",
            ),
            Some(Code::DiskFull) => (ErrorKind::Full, "free some space; what was recorded before is kept"),
            Some(Code::NotADatabase | Code::DatabaseCorrupt) => {
                (ErrorKind::Damaged, "move the file away; Derny creates a new one")
            }
            Some(Code::CannotOpen | Code::PermissionDenied | Code::ReadOnly) => {
                (ErrorKind::Open, "make the folder writable, or choose another store")
            }
            _ => (ErrorKind::Database, "check the disk and the folder's permissions"),
        };
        Trouble::Database { kind, why: error.to_string(), remedy: remedy.to_owned() }
    }
}
