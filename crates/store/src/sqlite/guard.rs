//! Every connection to a file, which may have come from anywhere: what it may do, and whether the file has our tables and nothing else.
//! A view in the place of a table is a program of whoever made the file.

use super::schema::reference;
use crate::error::{ErrorKind, StoreError, Trouble};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::collections::BTreeSet;
use std::path::Path;

/// What may stand beside our tables: SQLite counts there what is in them, where a user has asked for that.
const COUNTS: [(&str, &str); 2] = [
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
];

/// Takes from a connection what only a foreign file would make it do.
pub fn restrain(conn: &Connection) -> Result<(), Trouble> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    for never in [
        DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW,
        DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER,
    ] {
        conn.set_db_config(never, false)?;
    }
    // A file that is cut while it is mapped ends the process.
    conn.pragma_update(None, "mmap_size", 0)?;
    Ok(())
}

/// The same of one that only reads a file which nobody of ours has written.
pub fn only_read(conn: &Connection) -> Result<(), Trouble> {
    conn.pragma_update(None, "query_only", true)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

/// Fails unless the file has the tables that these steps make, and nothing else.
pub fn has_our_tables(conn: &Connection, steps: &[&str], file: &Path) -> Result<(), Trouble> {
    let (found, wanted) = (objects(conn)?, reference(steps)?);
    let is_count = |object: &&Object| COUNTS.contains(&(object.name.as_str(), object.sql.as_str()));
    let other = found.difference(&wanted).find(|object| !is_count(object));
    let Some(other) = other.or_else(|| wanted.difference(&found).next()) else { return Ok(()) };
    Err(StoreError {
        kind: ErrorKind::Damaged,
        what: "the file cannot be used".into(),
        place: file.display().to_string(),
        why: format!("its {} `{}` is not as derny makes it", other.kind, other.name),
        remedy: "use a file that only derny has written".into(),
    }
    .into())
}

/// Fails unless all pages of the file hang together, each in one place: else reading it might never end. Takes as long as reading the file.
pub fn hangs_together(conn: &Connection) -> Result<(), Trouble> {
    let found = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))?;
    match found.as_str() {
        "ok" => Ok(()),
        why => Err(Trouble::Damaged(why.lines().next().unwrap_or_default().to_owned())),
    }
}

/// A table, an index or whatever else a file declares.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    kind: String,
    name: String,
    table: String,
    sql: String,
}

/// All that a file declares.
pub fn objects(conn: &Connection) -> Result<BTreeSet<Object>, Trouble> {
    let mut select = conn.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")?;
    let object = |row: &rusqlite::Row<'_>| {
        let sql: String = row.get(3)?;
        // Spaces differ between versions.
        let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Object { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql })
    };
    Ok(select.query_map([], object)?.collect::<rusqlite::Result<_>>()?)
}
