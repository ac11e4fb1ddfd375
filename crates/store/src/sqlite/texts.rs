//! The table `texts`, which contains JSON that many rows share.

use super::many;
use crate::error::Trouble;
use crate::short;
use derny_json::ToJson;
use rusqlite::{Connection, OptionalExtension};

pub const DELETE_UNUSED: &str = "DELETE FROM texts WHERE text NOT IN (
    SELECT text FROM cases UNION SELECT metrics FROM visits
    UNION SELECT reported FROM visits WHERE reported IS NOT NULL)";

/// Inserts the JSON of a case or of metrics unless it exists, and returns its key. The JSON rarely changes
/// between runs, so many rows share it.
pub fn intern(conn: &Connection, value: &(impl ToJson + ?Sized)) -> Result<i64, Trouble> {
    number(conn, &short::json(value)?)
}

/// Returns the keys of texts. Optimised for texts that are mostly new.
pub fn numbers(conn: &Connection, bodies: &[String]) -> Result<Vec<i64>, Trouble> {
    let free = "SELECT coalesce(max(text), 0) + 1 FROM texts";
    let free: i64 = conn.prepare_cached(free)?.query_row([], |row| row.get(0))?;
    let rows = (free..).zip(bodies).map(|(text, body)| Ok([text.into(), body.as_str().into()]));
    if many::insert(conn, ("texts(text, body)", "ON CONFLICT DO NOTHING"), rows)? == bodies.len() {
        return Ok((free..).take(bodies.len()).collect());
    }
    bodies.iter().map(|body| number(conn, body)).collect()
}

fn number(conn: &Connection, body: &str) -> Result<i64, Trouble> {
    let known = conn
        .prepare_cached("SELECT text FROM texts WHERE body = ?1")?
        .query_row([body], |row| row.get(0))
        .optional()?;
    if let Some(text) = known {
        return Ok(text);
    }
    conn.prepare_cached("INSERT INTO texts(body) VALUES(?1)")?.execute([body])?;
    Ok(conn.last_insert_rowid())
}
