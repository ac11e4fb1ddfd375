//! Data that later runs reuse: facts about benchmark files, the cases in them, and texts of other crates.

use crate::connection::Connection;
use crate::error::StoreError;
use derny_model::{Case, LearnedFact};

/// Maximum number of entries in the index of discovered cases. The oldest ones are dropped.
const MAX_DISCOVERED: u32 = 4000;

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

/// Prefix of the keys of texts from other crates, which separates them from the store's own.
const TEXT: &str = "text:";

pub fn text(conn: &Connection, key: &str) -> Result<Option<String>, StoreError> {
    conn.read("the text cannot be read", |rows| rows.text(&format!("{TEXT}{key}")))
}

/// Replaces the text stored under `key` with the one that `change` returns for it, in one transaction.
pub fn change_text(
    conn: &Connection,
    key: &str,
    change: impl Fn(Option<&str>) -> String,
) -> Result<(), StoreError> {
    let key = format!("{TEXT}{key}");
    conn.write("the text cannot be written", |rows| {
        let text = change(rows.text(&key)?.as_deref());
        rows.set_text(&key, &text)
    })
}
