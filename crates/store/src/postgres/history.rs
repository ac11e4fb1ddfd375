//! The queries and updates of the history as SQL statements.

use super::database::{Database, one};
use super::talk::{Done, Statement};
use crate::error::Trouble;
use ring::digest;

pub fn entries(database: &Database) -> Result<Vec<(i64, String)>, Trouble> {
    let found = database.rows("SELECT entry, body FROM history_entries ORDER BY entry", Vec::new())?;
    found.iter().map(|row| Ok((row.int(0)?, row.text(1)?.to_owned()))).collect()
}

pub fn add_entry(database: &Database, key: &str, body: &str) -> Result<i64, Trouble> {
    database.all(vec![("DELETE FROM history_entries WHERE key = $1", vec![key.into()])])?;
    let sql = "INSERT INTO history_entries(key, body) VALUES($1, $2) RETURNING entry";
    one(database, sql, vec![key.into(), body.into()])?.int(0)
}

pub fn series(database: &Database) -> Result<Vec<(i64, String)>, Trouble> {
    let found = database.rows("SELECT series, body FROM history_series ORDER BY series", Vec::new())?;
    found.iter().map(|row| Ok((row.int(0)?, row.text(1)?.to_owned()))).collect()
}

/// Returns the numbers of the series with these bodies. Adds the missing ones.
pub fn numbers(database: &Database, bodies: &[String]) -> Result<Vec<i64>, Trouble> {
    let hash = |body: &String| digest::digest(&digest::SHA256, body.as_bytes()).as_ref().to_vec();
    let add = "INSERT INTO history_series(hash, body) VALUES($1, $2) ON CONFLICT(hash) DO NOTHING";
    let find = "SELECT series FROM history_series WHERE hash = $1";
    let added: Vec<Statement> =
        bodies.iter().map(|body| (add, vec![hash(body).into(), body.as_str().into()])).collect();
    database.all(added)?;
    let found = database.all(bodies.iter().map(|body| (find, vec![hash(body).into()])).collect())?;
    let number = |done: &Done| match done.rows.first() {
        Some(row) => Ok(row.int(0)?),
        None => Err(Trouble::Damaged("a series that was added is missing".to_owned())),
    };
    found.iter().map(number).collect()
}

pub fn points(database: &Database, series: i64) -> Result<Vec<Vec<u8>>, Trouble> {
    let sql = "SELECT data FROM history_points WHERE series = $1 ORDER BY entry";
    let found = database.rows(sql, vec![series.into()])?;
    found.iter().map(|row| row.bytes(0)).collect()
}

pub fn add_points(database: &Database, rows: &[(i64, i64, Vec<u8>)]) -> Result<(), Trouble> {
    let sql = "INSERT INTO history_points(series, entry, data) VALUES($1, $2, $3)";
    let row = |(series, entry, data): &(i64, i64, Vec<u8>)| {
        (sql, vec![(*series).into(), (*entry).into(), data.clone().into()])
    };
    database.all(rows.iter().map(row).collect()).map(|_| ())
}
