//! Data that later runs reuse: facts about benchmark files, and the cases in the files.

use crate::connection::Connection;
use crate::error::StoreError;
use derny_model::{Case, LearnedFact};

/// Maximum number of entries in the index of discovered cases. The oldest ones are dropped.
const MAX_DISCOVERED: u32 = 4000;

/// Returns all facts, ordered by file, case and key.
pub fn facts(conn: &Connection) -> Result<Vec<LearnedFact>, StoreError> {
    conn.read("learned facts cannot be read", |rows| rows.learned())
}

/// Returns the cases stored under `key`, which is a hash of everything that discovery depends on.
pub fn index_get(conn: &Connection, key: &str) -> Result<Option<Vec<Case>>, StoreError> {
    conn.read("the index of cases cannot be read", |rows| rows.index_get(key))
}

/// Stores the cases found under `key`. Drops the oldest entries beyond [`MAX_DISCOVERED`].
pub fn index_put(conn: &Connection, key: &str, cases: &[Case]) -> Result<(), StoreError> {
    conn.write("the index of cases cannot be written", |rows| rows.index_put(key, cases, MAX_DISCOVERED))
}
