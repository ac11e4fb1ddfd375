//! Retention: baselines, notes, deletion, and pruning of old raw data when the store grows too large.

use crate::backend::{Baseline, Rows, RunKey, RunRef, SealedTurns};
use crate::codec::blob::{decode, encode};
use crate::connection::Connection;
use crate::error::{ErrorKind, StoreError, Trouble};
use crate::history;
use crate::journal::alive::path;
use crate::names::find;
use crate::recovery::{any_running, is_recorded};
use derny_model::{RunId, Turn, problem};

/// The conditions for pruning raw batch times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrunePolicy {
    /// Size in bytes up to which nothing is pruned.
    pub max_bytes: u64,
    /// Number of the newest runs that are never pruned. Runs with a baseline or a note are never pruned
    /// either.
    pub keep_newest: u32,
}

impl Default for PrunePolicy {
    fn default() -> Self {
        PrunePolicy { max_bytes: 512 << 20, keep_newest: 20 }
    }
}

/// The result of pruning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Pruned runs, oldest first.
    pub runs: Vec<RunId>,
    /// Size of the database in bytes before pruning.
    pub bytes_before: u64,
    /// Size of the database in bytes after pruning.
    pub bytes_after: u64,
}

/// Prunes the oldest eligible runs one by one, until the store is small enough. Does nothing while any
/// process is recording a run, because that would disturb the measurement.
pub fn prune(conn: &Connection, policy: &PrunePolicy) -> Result<PruneReport, StoreError> {
    let bytes_before = conn.bytes()?;
    let mut report = PruneReport { runs: Vec::new(), bytes_before, bytes_after: bytes_before };
    if bytes_before <= policy.max_bytes || any_running(conn)? {
        return Ok(report);
    }
    for RunRef { key, id } in
        conn.read("the runs cannot be read", |rows| rows.prunable(policy.keep_newest))?
    {
        conn.write("old raw data cannot be pruned", |rows| prune_run(rows, key))?;
        report.runs.push(id);
        report.bytes_after = conn.bytes()?;
        if report.bytes_after <= policy.max_bytes {
            break;
        }
    }
    if !report.runs.is_empty() {
        conn.shrink()?;
    }
    Ok(report)
}

fn prune_run(rows: &dyn Rows, run: RunKey) -> Result<(), Trouble> {
    for SealedTurns { visit, bytes } in rows.raw_turns(run)? {
        let mut turns = decode(visit, &bytes).ok_or_else(|| Trouble::unreadable(visit))?;
        turns.iter_mut().for_each(flatten);
        rows.replace_by_pruned(run, &SealedTurns { visit, bytes: encode(&turns) })?;
    }
    Ok(())
}

/// Sets the time and the operations of every batch to those of the turn's median batch: the lower median by
/// time per operation. Keeps the number of batches, because counters are totals over the turn. Equal times
/// take no space.
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

/// Deletes a run. Fails while the run is being recorded and, unless `force` is true, if it has a baseline.
pub fn delete(conn: &Connection, name: &str, force: bool) -> Result<RunId, StoreError> {
    let id = conn.write("the run cannot be deleted", |rows| {
        let RunRef { key, id } = find(rows, name)?;
        if is_recorded(&conn.dir, rows, &id)? {
            return Err(in_use(&id, "it is being recorded", "stop that process first").into());
        }
        let names = rows.baselines_of(key)?;
        if !names.is_empty() && !force {
            let why = format!("it is the baseline {}", names.join(", "));
            return Err(in_use(&id, &why, "remove the baseline first, or use --force").into());
        }
        rows.delete(key)?;
        rows.remove_history_entries(&history::of_run(&id))?;
        Ok(id)
    })?;
    let _ = std::fs::remove_file(path(&conn.dir, &id)); // a killed engine leaves this file
    conn.shrink()?;
    Ok(id)
}

pub fn annotate(conn: &Connection, name: &str, note: Option<&str>) -> Result<RunId, StoreError> {
    conn.write("the run cannot be annotated", |rows| {
        let RunRef { key, id } = find(rows, name)?;
        rows.annotate(key, note.filter(|note| !note.is_empty()))?;
        Ok(id)
    })
}

/// Fails if a baseline cannot have this name.
pub fn check_name(name: &str) -> Result<(), StoreError> {
    let reserved = name == "last" || name.starts_with("last~");
    if name.is_empty() || reserved || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(StoreError {
            kind: ErrorKind::BadName,
            problem: problem!("`{name}` cannot be the name of a baseline")
                .place("the name")
                .why("names cannot contain whitespace; `last` is reserved")
                .remedy("choose another, for example `main`"),
        });
    }
    Ok(())
}

/// Points a baseline at a run. Moves the baseline if it exists.
pub fn set_baseline(conn: &Connection, name: &str, run: &str) -> Result<RunId, StoreError> {
    check_name(name)?;
    conn.write("the baseline cannot be set", |rows| {
        let RunRef { key, id } = find(rows, run)?;
        rows.set_baseline(name, key)?;
        Ok(id)
    })
}

pub fn baselines(conn: &Connection) -> Result<Vec<Baseline>, StoreError> {
    conn.read("the baselines cannot be listed", |rows| rows.baselines())
}

/// Removes a baseline, but not its run. Returns false if the baseline did not exist.
pub fn remove_baseline(conn: &Connection, name: &str) -> Result<bool, StoreError> {
    conn.write("the baseline cannot be removed", |rows| rows.remove_baseline(name))
}

fn in_use(id: &str, why: &str, remedy: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::InUse,
        problem: problem!("run {id} cannot be deleted")
            .place(format_args!("run {id}"))
            .why(why)
            .remedy(remedy),
    }
}
