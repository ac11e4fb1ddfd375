//! What stays: baselines, notes, deleting, and pruning old raw data when the file has grown too large.

use crate::codec::blob::{decode, encode};
use crate::error::{ErrorKind, StoreError, Trouble};
use crate::journal::alive::is_running;
use crate::names::find;
use crate::schema::Db;
use crate::seal::any_running;
use derny_model::{RunId, Turn};
use rusqlite::{Connection, params};

/// A name for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// The name.
    pub name: String,
    /// The run.
    pub run: RunId,
}

/// When raw batch times are pruned, and of which runs never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrunePolicy {
    /// Nothing is pruned while the file holds no more bytes than this.
    pub max_bytes: u64,
    /// The newest runs that are never pruned. Baselines and annotated runs never are either.
    pub keep_newest: u32,
}

impl Default for PrunePolicy {
    fn default() -> Self {
        PrunePolicy { max_bytes: 512 << 20, keep_newest: 20 }
    }
}

/// What pruning did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Runs pruned, oldest first.
    pub runs: Vec<RunId>,
    /// Bytes in use before.
    pub bytes_before: u64,
    /// Bytes in use after.
    pub bytes_after: u64,
}

/// Thins the oldest runs that may be, one by one, until the file is small enough. While a run is being recorded, by
/// whatever process, nothing is done: nothing may happen beside a measurement.
pub fn prune(db: &Db, policy: &PrunePolicy) -> Result<PruneReport, StoreError> {
    let bytes_before = db.bytes()?;
    let mut report = PruneReport { runs: Vec::new(), bytes_before, bytes_after: bytes_before };
    if bytes_before <= policy.max_bytes || any_running(db)? {
        return Ok(report);
    }
    for (run, id) in db.read("the runs cannot be read", |conn| old_runs(conn, policy.keep_newest))? {
        db.write("old raw data cannot be pruned", |conn| prune_run(conn, run))?;
        report.runs.push(id);
        report.bytes_after = db.bytes()?;
        if report.bytes_after <= policy.max_bytes {
            break;
        }
    }
    if !report.runs.is_empty() {
        db.shrink()?;
    }
    Ok(report)
}

fn old_runs(conn: &Connection, keep_newest: u32) -> Result<Vec<(i64, RunId)>, Trouble> {
    let mut select = conn.prepare(
        "SELECT run, id FROM runs
         WHERE note IS NULL AND run NOT IN (SELECT run FROM baselines)
           AND run NOT IN (SELECT run FROM runs ORDER BY run DESC LIMIT ?1)
           AND EXISTS (SELECT 1 FROM batches WHERE batches.run = runs.run AND NOT thinned)
         ORDER BY run",
    )?;
    let rows = select.query_map([keep_newest], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn prune_run(conn: &Connection, run: i64) -> Result<(), Trouble> {
    let mut select = conn.prepare("SELECT visit FROM batches WHERE run = ?1 AND NOT thinned")?;
    let visits = select.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<Vec<u32>>>()?;
    for visit in visits {
        let blob: Vec<u8> = conn
            .prepare_cached("SELECT data FROM batches WHERE run = ?1 AND visit = ?2")?
            .query_row(params![run, visit], |row| row.get(0))?;
        let damaged = || Trouble::Damaged(format!("the turns of visit {visit} cannot be read"));
        let mut turns = decode(visit, &blob).ok_or_else(damaged)?;
        turns.iter_mut().for_each(flatten);
        conn.prepare_cached("UPDATE batches SET thinned = 1, data = ?3 WHERE run = ?1 AND visit = ?2")?
            .execute(params![run, visit, encode(&turns)])?;
    }
    Ok(())
}

/// Gives every batch the time (and operations) of the turn's median batch: the lower median of time per operation.
/// The number of batches stays, because counters are totals over the turn; equal times take no bits.
fn flatten(turn: &mut Turn) {
    let mut order: Vec<usize> = (0..turn.times_ns.len()).collect();
    order.sort_by(|&a, &b| {
        let value = |index: usize| turn.times_ns[index] as f64 / turn.operations(index, 1.0);
        value(a).total_cmp(&value(b))
    });
    let Some(&median) = order.get(order.len().saturating_sub(1) / 2) else { return };
    let time_ns = turn.times_ns[median];
    turn.times_ns.fill(time_ns);
    if let Some(ops) = &mut turn.ops
        && let Some(&of_median) = ops.get(median)
    {
        ops.fill(of_median);
    }
}

/// Deletes a run. Refused while it is recorded, and, unless `force`, when a baseline names it.
pub fn delete(db: &Db, name: &str, force: bool) -> Result<RunId, StoreError> {
    let id = db.write("the run cannot be deleted", |conn| {
        let run = find(conn, name)?;
        let id: RunId = conn.query_row("SELECT id FROM runs WHERE run = ?1", [run], |row| row.get(0))?;
        if is_running(&db.dir, &id) {
            return Err(in_use(&id, "it is being recorded", "interrupt that derny first").into());
        }
        let names = names_of(conn, run)?;
        if !names.is_empty() && !force {
            let why = format!("it is the baseline {}", names.join(", "));
            return Err(in_use(&id, &why, "remove the baseline first, or force it").into());
        }
        conn.execute("DELETE FROM baselines WHERE run = ?1", [run])?;
        conn.execute("DELETE FROM runs WHERE run = ?1", [run])?;
        conn.execute(
            "DELETE FROM texts WHERE text NOT IN (SELECT text FROM cases UNION SELECT metrics FROM visits)",
            [],
        )?;
        Ok(id)
    })?;
    let _ = std::fs::remove_file(db.dir.join("running").join(&id)); // left if its engine was killed
    db.shrink()?;
    Ok(id)
}

/// Sets the note of a run; none removes it.
pub fn annotate(db: &Db, name: &str, note: Option<&str>) -> Result<RunId, StoreError> {
    db.write("the run cannot be annotated", |conn| {
        let run = find(conn, name)?;
        Ok(conn.query_row(
            "UPDATE runs SET note = ?2 WHERE run = ?1 RETURNING id",
            params![run, note.filter(|note| !note.is_empty())],
            |row| row.get(0),
        )?)
    })
}

/// Whether a baseline may be called so.
pub fn check_name(name: &str) -> Result<(), StoreError> {
    let reserved = name == "last" || name.starts_with("last~");
    if name.is_empty() || reserved || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(StoreError {
            kind: ErrorKind::BadName,
            what: format!("`{name}` cannot be the name of a baseline"),
            place: "the name".into(),
            why: "a name is a word without blanks, and not `last`".into(),
            remedy: "choose another, for example `main`".into(),
        });
    }
    Ok(())
}

/// Points a name at a run; a name that exists is moved.
pub fn set_baseline(db: &Db, name: &str, run: &str) -> Result<RunId, StoreError> {
    check_name(name)?;
    db.write("the baseline cannot be set", |conn| {
        let key = find(conn, run)?;
        conn.execute("INSERT OR REPLACE INTO baselines(name, run) VALUES(?1, ?2)", params![name, key])?;
        Ok(conn.query_row("SELECT id FROM runs WHERE run = ?1", [key], |row| row.get(0))?)
    })
}

/// All names, in alphabetical order.
pub fn baselines(db: &Db) -> Result<Vec<Baseline>, StoreError> {
    db.read("the baselines cannot be listed", |conn| {
        let mut select =
            conn.prepare_cached("SELECT name, id FROM baselines JOIN runs USING(run) ORDER BY name")?;
        let rows = select.query_map([], |row| Ok(Baseline { name: row.get(0)?, run: row.get(1)? }))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    })
}

/// Removes a name; its run stays. False if there was none.
pub fn remove_baseline(db: &Db, name: &str) -> Result<bool, StoreError> {
    db.write("the baseline cannot be removed", |conn| {
        Ok(conn.execute("DELETE FROM baselines WHERE name = ?1", [name])? > 0)
    })
}

fn names_of(conn: &Connection, run: i64) -> Result<Vec<String>, Trouble> {
    let mut select = conn.prepare_cached("SELECT name FROM baselines WHERE run = ?1 ORDER BY name")?;
    Ok(select.query_map([run], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

fn in_use(id: &str, why: &str, remedy: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::InUse,
        what: format!("run {id} cannot be deleted"),
        place: format!("run {id}"),
        why: why.to_owned(),
        remedy: remedy.to_owned(),
    }
}
