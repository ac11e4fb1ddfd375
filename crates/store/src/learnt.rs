//! What later runs need not find out again: traits of benchmark files, and the cases that files declare.

use crate::error::StoreError;
use crate::schema::Db;
use derny_model::{Case, LearnedFact};
use rusqlite::{OptionalExtension, params};

/// Entries of the index of discovered cases; the oldest go first.
const MAX_DISCOVERED: i64 = 4000;

/// All traits, ordered by file, case and key.
pub fn facts(db: &Db) -> Result<Vec<LearnedFact>, StoreError> {
    db.read("what was learnt cannot be read", |conn| {
        let mut select = conn.prepare_cached(
            "SELECT file_hash, case_name, key, value FROM traits ORDER BY file_hash, case_name, key",
        )?;
        let rows = select.query_map([], |row| {
            Ok(LearnedFact {
                file_hash: row.get(0)?,
                case: row.get(1)?,
                key: row.get(2)?,
                value: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    })
}

/// The cases stored under `key`, a hash of everything that discovery depends on.
pub fn index_get(db: &Db, key: &str) -> Result<Option<Vec<Case>>, StoreError> {
    db.read("the index of cases cannot be read", |conn| {
        let body: Option<String> = conn
            .prepare_cached("SELECT cases FROM discovered WHERE key = ?1")?
            .query_row([key], |row| row.get(0))
            .optional()?;
        Ok(body.map(|body| serde_json::from_str(&body)).transpose()?)
    })
}

/// Stores the cases found under `key` and forgets the oldest entries beyond some thousands.
pub fn index_put(db: &Db, key: &str, cases: &[Case]) -> Result<(), StoreError> {
    db.write("the index of cases cannot be written", |conn| {
        conn.prepare_cached("INSERT OR REPLACE INTO discovered(key, cases) VALUES(?1, ?2)")?
            .execute(params![key, serde_json::to_string(cases)?])?;
        conn.prepare_cached("DELETE FROM discovered WHERE entry <= last_insert_rowid() - ?1")?
            .execute([MAX_DISCOVERED])?;
        Ok(())
    })
}
