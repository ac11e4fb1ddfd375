//! The table `texts`. Knows not what the texts are about.

use crate::error::Trouble;
use crate::short;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;

/// The number of a text that many rows share (cases and metrics hardly change from run to run).
pub fn intern(conn: &Connection, value: &impl Serialize) -> Result<i64, Trouble> {
    let body = short::json(value)?;
    let known = conn
        .prepare_cached("SELECT text FROM texts WHERE body = ?1")?
        .query_row([&body], |row| row.get(0))
        .optional()?;
    if let Some(text) = known {
        return Ok(text);
    }
    conn.prepare_cached("INSERT INTO texts(body) VALUES(?1)")?.execute([&body])?;
    Ok(conn.last_insert_rowid())
}
