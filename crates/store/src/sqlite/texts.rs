//! Small values as text columns, and the table `texts`. Knows not what the texts are about.

use crate::error::Trouble;
use rusqlite::{Connection, OptionalExtension};
use serde::{Serialize, de::DeserializeOwned};

/// The name of a field-less variant, as serde spells it.
pub fn word(value: &impl Serialize) -> Result<String, Trouble> {
    Ok(serde_json::to_string(value)?.trim_matches('"').to_owned())
}

/// The variant with this name.
pub fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, Trouble> {
    Ok(serde_json::from_value(serde_json::Value::String(word.to_owned()))?)
}

/// The number of a text that many rows share (cases and metrics hardly change from run to run).
pub fn intern(conn: &Connection, value: &impl Serialize) -> Result<i64, Trouble> {
    let body = serde_json::to_string(value)?;
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
