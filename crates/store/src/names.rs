//! Which run a name means: baselines, ids and their beginnings, `last` and `last~2`; and names for new runs.

use crate::error::{ErrorKind, StoreError, Trouble};
use crate::runs::header;
use crate::schema::Db;
use derny_model::{Case, RunHeader, RunId, RunStatus};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::{HashMap, HashSet};

/// Digits and letters without the easily confused `i l o u`.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// An id that no run and no baseline has: four characters, more when those are crowded.
pub fn new_id(conn: &Connection, seed: u64) -> Result<RunId, Trouble> {
    let mut taken = conn.prepare_cached(
        "SELECT EXISTS(SELECT 1 FROM runs WHERE id = ?1) OR EXISTS(SELECT 1 FROM baselines WHERE name = ?1)",
    )?;
    // Two engines may start with one seed at once; their process ids keep them apart.
    // Not by exclusive or, with which a seed made of time and process id would lose its id again.
    let mut state = seed.wrapping_add(u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for length in (4..).flat_map(|length| [length; 8]) {
        let mut bits = next(&mut state);
        let id: String = (0..length)
            .map(|_| {
                bits = bits.rotate_right(5);
                char::from(ALPHABET[(bits & 31) as usize])
            })
            .collect();
        if !taken.query_row([&id], |row| row.get(0))? {
            return Ok(id);
        }
    }
    unreachable!("lengths have no end")
}

/// The key of the run that `name` means.
pub fn find(conn: &Connection, name: &str) -> Result<i64, Trouble> {
    let one = |sql: &str| conn.prepare_cached(sql)?.query_row([name], |row| row.get::<_, i64>(0)).optional();
    if let Some(run) = one("SELECT run FROM baselines WHERE name = ?1")? {
        return Ok(run);
    }
    if let Some(back) = steps_back(name) {
        let run = conn
            .prepare_cached("SELECT run FROM runs ORDER BY run DESC LIMIT 1 OFFSET ?1")?
            .query_row([back], |row| row.get(0))
            .optional()?;
        return run.ok_or_else(|| unknown(conn, name).into());
    }
    if let Some(run) = one("SELECT run FROM runs WHERE id = ?1")? {
        return Ok(run);
    }
    let mut select =
        conn.prepare_cached("SELECT run, id FROM runs WHERE substr(id, 1, length(?1)) = ?1 LIMIT 5")?;
    let rows = select.query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    match &rows.collect::<rusqlite::Result<Vec<(i64, String)>>>()?[..] {
        [(run, _)] if !name.is_empty() => Ok(*run),
        [] | [_] => Err(unknown(conn, name).into()),
        several => Err(ambiguous(name, several).into()),
    }
}

/// `last` is the newest run, `last~1` the one before.
fn steps_back(name: &str) -> Option<u32> {
    match name.strip_prefix("last")? {
        "" => Some(0),
        steps => steps.strip_prefix('~')?.parse().ok(),
    }
}

/// The newest run before `of` on the same machine that has complete visits of one of `cases`, measured by a harness
/// of the same name; never one that only checked (`--once`).
pub fn last_comparable(
    db: &Db,
    conn: &Connection,
    of: &RunHeader,
    cases: &[Case],
) -> Result<Option<RunId>, Trouble> {
    let wanted: HashSet<_> = cases.iter().map(|case| (&case.id, &case.harness)).collect();
    let mut known: HashMap<i64, bool> = HashMap::new();
    let mut runs = conn.prepare_cached(
        "SELECT run FROM runs WHERE id != ?1 AND run < coalesce((SELECT run FROM runs WHERE id = ?1), 1 << 62)
         ORDER BY run DESC",
    )?;
    for run in runs.query_map([&of.id], |row| row.get(0))? {
        let run: i64 = run?;
        let header = header(db, conn, run)?;
        let same_machine = (&header.machine.host, &header.machine.cpu) == (&of.machine.host, &of.machine.cpu);
        if !same_machine || header.settings.once || header.status == RunStatus::Running {
            continue;
        }
        let mut texts = conn.prepare_cached(
            "SELECT DISTINCT text FROM visits JOIN cases USING(run, number) WHERE run = ?1 AND complete",
        )?;
        for text in texts.query_map([run], |row| row.get(0))? {
            let text = text?;
            let overlaps = match known.get(&text) {
                Some(&overlaps) => overlaps,
                None => {
                    let case = case_of(conn, text)?;
                    *known.entry(text).or_insert(wanted.contains(&(&case.id, &case.harness)))
                }
            };
            if overlaps {
                return Ok(Some(header.id));
            }
        }
    }
    Ok(None)
}

fn case_of(conn: &Connection, text: i64) -> Result<Case, Trouble> {
    let body: String = conn
        .prepare_cached("SELECT body FROM texts WHERE text = ?1")?
        .query_row(params![text], |row| row.get(0))?;
    Ok(serde_json::from_str(&body)?)
}

/// Splitmix64 (Steele, Lea, Flood 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn unknown(conn: &Connection, name: &str) -> StoreError {
    let count = conn.query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, u32>(0)).unwrap_or(0);
    StoreError {
        kind: ErrorKind::Unknown,
        what: format!("there is no run `{name}`"),
        place: "the store".into(),
        why: format!("no baseline has this name, and none of {count} stored runs starts like this"),
        remedy: "see `derny runs` and `derny baseline list`".into(),
    }
}

fn ambiguous(name: &str, several: &[(i64, String)]) -> StoreError {
    let ids: Vec<&str> = several.iter().map(|(_, id)| id.as_str()).collect();
    StoreError {
        kind: ErrorKind::Ambiguous,
        what: format!("`{name}` means several runs"),
        place: "the store".into(),
        why: format!("{} all start like this", ids.join(", ")),
        remedy: "write more characters of the id".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_counts_backwards_and_other_words_are_not_it() {
        assert_eq!(steps_back("last"), Some(0));
        assert_eq!(steps_back("last~12"), Some(12));
        assert_eq!(steps_back("lasting"), None);
        assert_eq!(steps_back("last~"), None);
        assert_eq!(steps_back("k3fz"), None);
    }
}
