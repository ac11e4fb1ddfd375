//! Restrictions on every connection. A file may come from an untrusted source, so it may contain only Derny's
//! tables. If it contained a view instead of a table, for example, reading the view would run its author's
//! code.

use crate::error::{ErrorKind, StoreError, Trouble};
use derny_model::Problem;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::collections::BTreeSet;
use std::path::Path;

/// Tables with statistics that `ANALYZE` creates. They are allowed in addition to Derny's tables.
const COUNTS: [(&str, &str); 2] = [
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
];

pub fn restrain(conn: &Connection) -> Result<(), Trouble> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    for never in [
        DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW,
        DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER,
    ] {
        conn.set_db_config(never, false)?;
    }
    // Do not map the file. If it were truncated while it is mapped, this process would be killed.
    conn.pragma_update(None, "mmap_size", 0)?;
    Ok(())
}

/// Adds restrictions for a connection that only reads an untrusted file.
pub fn only_read(conn: &Connection) -> Result<(), Trouble> {
    conn.pragma_update(None, "query_only", true)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

/// Fails unless the schema of the file is the one that `steps` create. Also accepts the tables that `ANALYZE`
/// creates.
pub fn has_our_tables(conn: &Connection, steps: &[&str], file: &Path) -> Result<(), Trouble> {
    let (found, wanted) = (objects(conn)?, reference(steps)?);
    let is_count = |object: &&Object| COUNTS.contains(&(object.name.as_str(), object.sql.as_str()));
    let other = found.difference(&wanted).find(|object| !is_count(object));
    let Some(other) = other.or_else(|| wanted.difference(&found).next()) else { return Ok(()) };
    Err(StoreError {
        kind: ErrorKind::Damaged,
        problem: Problem::new("the file cannot be used")
            .place(file.display())
            .why(format_args!("{} `{}` differs from Derny's schema", other.kind, other.name))
            .remedy("use a file that Derny wrote"),
    }
    .into())
}

/// Fails unless the pages of the file form valid trees. Otherwise, reading the file might not terminate.
/// Takes as long as reading the file.
pub fn hangs_together(conn: &Connection) -> Result<(), Trouble> {
    let found = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))?;
    match found.as_str() {
        "ok" => Ok(()),
        why => Err(Trouble::Damaged(why.lines().next().unwrap_or_default().to_owned())),
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    kind: String,
    name: String,
    table: String,
    sql: String,
}

pub fn objects(conn: &Connection) -> Result<BTreeSet<Object>, Trouble> {
    let mut select = conn.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")?;
    let object = |row: &rusqlite::Row<'_>| {
        let sql: String = row.get(3)?;
        // Ignore differences in whitespace, which do not change the schema.
        let sql = sql.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Object { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql })
    };
    Ok(select.query_map([], object)?.collect::<rusqlite::Result<_>>()?)
}

pub fn reference(steps: &[&str]) -> Result<BTreeSet<Object>, Trouble> {
    let conn = Connection::open_in_memory()?;
    steps.iter().try_for_each(|step| conn.execute_batch(step))?;
    objects(&conn)
}
