//! Converts errors of a connection to errors of the store, for one address.

use super::address::Address;
use super::fault::{PgError, PgErrorKind};
use crate::error::{ErrorKind, Trouble};
use tokio_postgres::Error;

impl PgError {
    pub fn of(error: &Error, address: &Address) -> PgError {
        let mut fault = PgError::said(error);
        if fault.kind == PgErrorKind::ConnectionLost && fault.code.is_empty() {
            fault.why = format!("no server answers at {}: {}", address.place(), fault.why);
        }
        fault
    }

    pub fn at(self, address: &Address) -> Trouble {
        let (user, database) = (address.user(), address.database());
        let (kind, remedy) = match &*self.code {
            _ if self.remedy.is_some() => (ErrorKind::Open, self.remedy.clone().unwrap_or_default()),
            "3D000" => {
                (ErrorKind::Open, format!("create it with `createdb {database}`, or name another database"))
            }
            "28P01" => (
                ErrorKind::Open,
                "set PGPASSWORD, or add a line to ~/.pgpass; do not put the password on the command line"
                    .into(),
            ),
            "28000" => (
                ErrorKind::Open,
                format!("check that the server allows {user} to log in (pg_hba.conf, roles)"),
            ),
            "42501" => (
                ErrorKind::Open,
                format!(
                    "ask the owner of the database to run: GRANT CREATE ON DATABASE {database} TO {user}"
                ),
            ),
            "25006" => (ErrorKind::Open, "use a server that accepts writes; this one is a replica".into()),
            "53300" => (ErrorKind::Busy, "try again later, or raise max_connections".into()),
            "40001" | "40P01" | "55P03" => (
                ErrorKind::Busy,
                "wait for the other process that writes to this store, or use another store".into(),
            ),
            "53100" => {
                (ErrorKind::Full, "free some space on the server; what was recorded before is kept".into())
            }
            "53200" => {
                (ErrorKind::Full, "free some memory on the server; what was recorded before is kept".into())
            }
            _ if self.kind == PgErrorKind::ConnectionLost => {
                (ErrorKind::Open, "start the server, or check where it listens".into())
            }
            _ => (ErrorKind::Database, "see the server's log".into()),
        };
        Trouble::Database { kind, why: self.why, remedy }
    }
}
