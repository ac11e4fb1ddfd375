//! Inserts many rows with one statement, because the statement is most of the cost of a small row.

use crate::error::Trouble;
use rusqlite::Connection;
use rusqlite::types::ToSqlOutput;

/// Number of rows per statement. Remaining rows are inserted one by one, so only two statements need to be
/// prepared.
pub const AT_ONCE: usize = 64;

/// Inserts rows into `place`, which is a table with its columns. `conflict` is the conflict clause. Returns
/// the number of inserted rows.
pub fn insert<'a, const COLUMNS: usize>(
    conn: &Connection,
    (place, conflict): (&str, &str),
    rows: impl IntoIterator<Item = Result<[ToSqlOutput<'a>; COLUMNS], Trouble>>,
) -> Result<usize, Trouble> {
    let (mut rows, mut inserted) = (rows.into_iter(), 0);
    loop {
        let some = rows.by_ref().take(AT_ONCE).collect::<Result<Vec<_>, Trouble>>()?;
        let is_last = some.len() < AT_ONCE;
        let count = if is_last { 1 } else { AT_ONCE };
        let row = format!("({})", ["?"; COLUMNS].join(","));
        let sql = format!("INSERT INTO {place} VALUES {} {conflict}", vec![row; count].join(","));
        let mut some = some.into_iter().peekable();
        while some.peek().is_some() {
            let mut statement = conn.prepare_cached(&sql)?;
            for (index, value) in (1..).zip(some.by_ref().take(count).flatten()) {
                statement.raw_bind_parameter(index, value)?;
            }
            inserted += statement.raw_execute()?;
        }
        if is_last {
            return Ok(inserted);
        }
    }
}
