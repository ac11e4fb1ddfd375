//! Copies runs with all their data between stores, whatever their databases are.

use crate::backend::{Rows, RunKey, RunRef};
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use crate::{Store, history, runs, whole};
use derny_model::{Event, LearnedFact, RunHeader, RunId, RunStatus};

/// The result of copying.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Runs that were new to the target.
    pub new: Vec<RunId>,
    /// Runs that were copied again because their copies had fewer records, another status or another note.
    pub completed: Vec<RunId>,
    /// Number of runs that the target already had.
    pub there: usize,
    /// Runs that were not copied because they are being recorded.
    pub under_way: Vec<RunId>,
    /// Runs that were not copied because the target has a different run with the same id.
    pub others: Vec<RunId>,
    /// Baselines that were set.
    pub baselines: Vec<String>,
    /// Baselines that were not changed because they point to other runs in the target.
    pub other_baselines: Vec<String>,
    /// Number of learned facts that were new to the target.
    pub facts: usize,
    /// Number of entries of the history that were new to the target.
    pub history: usize,
}

enum Task {
    Copy,
    Complete,
    Nothing,
    Refuse,
}

/// Copies all runs of `from`, oldest first, and adds them after those in `to`. Each run is copied completely
/// or not at all. `tell` receives the id of each copied run.
pub fn copy(from: &Store, to: &Store, tell: &mut dyn FnMut(&RunId)) -> Result<Copied, StoreError> {
    from.conn.sound()?;
    let _ = from.recover(); // if recovery cannot write, the run counts as in progress
    let mut copied = Copied::default();
    let mut runs = from.conn.read(WHAT, |rows| rows.newest(usize::MAX))?;
    runs.reverse();
    for run in runs {
        let header = from.conn.read(WHAT, |rows| rows.header(run.key))?;
        if header.status == RunStatus::Running {
            copied.under_way.push(run.id);
            continue;
        }
        match task(&from.conn, &to.conn, &run, &header)? {
            Task::Nothing => copied.there += 1,
            Task::Refuse => copied.others.push(run.id),
            task => {
                tell(&run.id);
                copy_run(&from.conn, &to.conn, &run)?;
                if matches!(task, Task::Copy) { &mut copied.new } else { &mut copied.completed }.push(run.id);
            }
        }
    }
    name(&from.conn, &to.conn, &mut copied)?;
    copied.facts = teach(&from.conn, &to.conn)?;
    copied.history = history::copy(&from.conn, &to.conn)?;
    Ok(copied)
}

const WHAT: &str = "the run cannot be copied";

/// The status, record counts and note of a run. They equal those of the copy if the copy is complete.
#[derive(PartialEq)]
struct Extent {
    status: RunStatus,
    processes: u32,
    visits: u32,
    failures: u32,
    note: Option<String>,
}

fn extent(rows: &dyn Rows, run: RunKey) -> Result<Extent, Trouble> {
    let summary = rows.summary(run)?;
    Ok(Extent {
        status: summary.header.status,
        processes: summary.processes,
        visits: summary.visits,
        failures: summary.failures,
        note: summary.header.note,
    })
}

fn task(from: &Connection, to: &Connection, run: &RunRef, header: &RunHeader) -> Result<Task, StoreError> {
    let there = to.read(WHAT, |rows| {
        let Some(there) = rows.with_id(&run.id)? else { return Ok(None) };
        Ok(Some((rows.header(there.key)?, extent(rows, there.key)?)))
    })?;
    let Some((other, there)) = there else { return Ok(Task::Copy) };
    let of = |header: &RunHeader| (header.started_ms, header.seed, header.machine.host.clone());
    if of(header) != of(&other) {
        return Ok(Task::Refuse);
    }
    let here = from.read(WHAT, |rows| extent(rows, run.key))?;
    // A run that was resumed after copying has more records than its copy. A copy that was resumed has more
    // than its original.
    let is_behind = here.visits < there.visits
        || (here.visits == there.visits && here.note.is_none() && there.note.is_some());
    Ok(if here == there || is_behind { Task::Nothing } else { Task::Complete })
}

/// Copies a run in one transaction. Replaces an incomplete copy. Baselines of the target still point to it.
fn copy_run(from: &Connection, to: &Connection, run: &RunRef) -> Result<(), StoreError> {
    let records = runs::as_stored(from, &run.id)?;
    to.write(WHAT, |rows| {
        let mut names = Vec::new();
        if let Some(there) = rows.with_id(&run.id)? {
            names = rows.baselines_of(there.key)?;
            rows.delete(there.key)?;
        }
        let copy = whole::write(rows, &records)?;
        names.iter().try_for_each(|name| rows.set_baseline(name, copy))
    })
}

/// Sets the baselines of copied runs. Does not move a baseline that points to another run in the target.
fn name(from: &Connection, to: &Connection, copied: &mut Copied) -> Result<(), StoreError> {
    for baseline in from.read(WHAT, |rows| rows.baselines())? {
        let set = to.write(WHAT, |rows| {
            let there = rows.with_baseline(&baseline.name)?;
            match (rows.with_id(&baseline.run)?, there) {
                (_, Some(there)) if there.id == baseline.run => Ok(None),
                (Some(run), None) if !copied.others.contains(&run.id) => {
                    rows.set_baseline(&baseline.name, run.key)?;
                    Ok(Some(true))
                }
                _ => Ok(Some(false)),
            }
        })?;
        match set {
            Some(true) => copied.baselines.push(baseline.name),
            Some(false) => copied.other_baselines.push(baseline.name),
            None => {}
        }
    }
    Ok(())
}

fn teach(from: &Connection, to: &Connection) -> Result<usize, StoreError> {
    let facts = from.read("learned facts cannot be read", |rows| rows.learned())?;
    if facts.is_empty() {
        return Ok(0);
    }
    to.write("learned facts cannot be copied", |rows| {
        let Some(run) = rows.newest(1)?.pop() else { return Ok(0) };
        let key = |fact: &LearnedFact| (fact.file_hash.clone(), fact.case.clone(), fact.key.clone());
        let known: Vec<_> = rows.learned()?.iter().map(key).collect();
        let new = facts.iter().filter(|fact| !known.contains(&key(fact))).cloned().map(Event::Learned);
        let new: Vec<Event> = new.collect();
        rows.append(run.key, &new, rows.taken(run.key)?)?;
        Ok(new.len())
    })
}
