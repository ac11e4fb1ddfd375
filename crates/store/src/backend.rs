//! The interface of a database of runs. Another database needs only other implementations of [`Backend`] and
//! [`Rows`]. Names of runs, journals, the encoding of turns, recovery and pruning are implemented elsewhere.
//!
//! [`Open`] first migrates the schema, so that stores of earlier versions can be used. It fails if a newer
//! derny wrote the store ([`ErrorKind::TooNew`](crate::ErrorKind::TooNew)).

use crate::error::{StoreError, Trouble};
use derny_model::{
    Case, CaseId, Event, Failure, LearnedFact, Look, Observation, ProcessEnd, ProcessStart, RunHeader, RunId,
    RunStatus, StopReason, VisitRecord,
};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::Path;

/// Opens the database of a store in a directory. Creates it if necessary.
pub type Open = fn(&Path) -> Result<Box<dyn Backend>, StoreError>;

pub type Act<'a> = &'a mut dyn FnMut(&dyn Rows) -> Result<(), Trouble>;

/// Receives the number and the encoded turns of each visit.
pub type TakeTurns<'a> = &'a mut dyn FnMut(u32, &[u8]) -> Result<(), Trouble>;

/// Returns the cases of a run with their numbers, in an order that suits the database. Each call starts from
/// the beginning. A file may have a million cases, so they are created one at a time, possibly on another
/// thread.
pub type Cases<'a> = &'a (dyn Fn() -> Box<dyn Iterator<Item = (u32, Cow<'a, Case>)> + 'a> + Sync);

/// Returns the cases with their numbers, sorted by id. Inserting rows in the order of the index is faster if
/// there are many.
pub fn by_name<'a>(cases: &'a [Case]) -> Box<dyn Iterator<Item = (u32, Cow<'a, Case>)> + 'a> {
    let mut all: Vec<(u32, &Case)> = (0..).zip(cases).collect();
    all.sort_by_key(|(_, case)| &case.id);
    Box::new(all.into_iter().map(|(number, case)| (number, Cow::Borrowed(case))))
}

/// A connection to a database of runs. Several processes may use a database at the same time, and so may
/// several connections of one process.
pub trait Backend: Send {
    /// Returns the file or the address, for error messages.
    fn place(&self) -> String;

    fn again(&self) -> Result<Box<dyn Backend>, StoreError>;

    /// Runs `act`, which only reads, on a consistent snapshot. Readers do not wait for writers if the
    /// database supports that.
    fn read(&self, act: Act<'_>) -> Result<(), Trouble>;

    /// Runs `act` in a transaction. Either all of its changes are kept or, if it fails, none. `act` sees a
    /// consistent snapshot, and no other connection changes the same rows before the commit. A database may
    /// allow only one writer at a time, or call `act` again after a conflict. Waits a few seconds for other
    /// writers, then fails with [`ErrorKind::Busy`](crate::ErrorKind::Busy). Reconnects if the connection
    /// breaks, and commits `act` only once.
    fn write(&self, act: Act<'_>) -> Result<(), Trouble>;

    /// Opens a read-only snapshot on a separate connection. Writers do not wait for it if the database
    /// supports that.
    fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError>;

    /// Marks the run with this id as being recorded by this connection, until [`Backend::release`] or until
    /// the connection closes. Returns false if another connection is recording it. File databases do not need
    /// this, because their users share a folder and lock a file there.
    fn hold(&self, _id: &str) -> Result<bool, Trouble> {
        Ok(true)
    }

    fn release(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// Returns true if all users of the database share the folder that contains the journals of runs in
    /// progress.
    fn shares_folder(&self) -> bool {
        true
    }

    /// Returns the queue from which several machines take shards, if the database supports one.
    fn leases(&self) -> Option<&dyn Leases> {
        None
    }

    fn bytes(&self) -> Result<u64, Trouble>;

    /// Returns freed space to the system.
    fn shrink(&self) -> Result<(), Trouble>;

    /// Writes the whole database to a new file, which must not exist.
    fn write_to(&self, file: &Path) -> Result<(), Trouble>;

    /// Fails if reading the whole database might not terminate, as in a maliciously crafted file. Takes as
    /// long as reading the whole database.
    fn sound(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// Turns foreign key checks on or off. They are initially on, and cost a lookup for each reference in
    /// each row. Nothing may be deleted while they are off.
    fn check_references(&self, yes: bool) -> Result<(), Trouble>;

    /// Announces a very large transaction if `yes` is true, and its end otherwise. A database without other
    /// users may then skip its log and write the data once. That is equally safe, but readers may have to
    /// wait.
    fn write_much(&self, _yes: bool) -> Result<(), Trouble> {
        Ok(())
    }
}

/// A queue of the shards of plans. Each shard is leased to one machine for a limited time, by the clock of
/// the database. Every call is a separate transaction. A holder may repeat a call, because the answer may
/// have been lost.
pub trait Leases {
    fn offer(&self, plan: &str, shards: u32) -> Result<(), Trouble>;

    /// Leases a shard to `holder` for `seconds`. Chooses one that is neither measured nor leased to another
    /// machine.
    fn take(&self, plan: &str, holder: &str, seconds: u32) -> Result<Taken, Trouble>;

    /// Extends the lease of a shard to `seconds` from now. Returns false if `holder` has lost the lease.
    fn renew(&self, plan: &str, shard: u32, holder: &str, seconds: u32) -> Result<bool, Trouble>;

    /// Stores the measurements of a shard. Returns false, and stores nothing, if `holder` has lost the lease.
    fn finish(&self, plan: &str, shard: u32, holder: &str, part: &[u8]) -> Result<bool, Trouble>;

    fn give_back(&self, plan: &str, shard: u32, holder: &str) -> Result<(), Trouble>;

    /// Returns the measurements of a shard, or `None` if none are stored.
    fn part(&self, plan: &str, shard: u32) -> Result<Option<Vec<u8>>, Trouble>;
}

/// The result of [`Leases::take`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The shard that was taken.
    Shard(u32),
    /// Other machines have leased all remaining shards. Contains the number of these shards.
    AllHeld(u32),
    /// All shards are measured.
    AllDone,
}

/// An immutable state of a database.
pub trait Snapshot: Send {
    fn rows(&self) -> &dyn Rows;
}

/// The rows of a database within one transaction. Methods that take the key of a run require that the run
/// exists.
///
/// The database does not detect whether an engine is alive. A run whose engine died is still marked as
/// running.
pub trait Rows {
    fn with_id(&self, id: &str) -> Result<Option<RunRef>, Trouble>;

    /// Returns the run to which the baseline `name` points.
    fn with_baseline(&self, name: &str) -> Result<Option<RunRef>, Trouble>;

    /// Returns at most `limit` runs whose ids start with `beginning`, in byte order of the ids. The
    /// comparison is case-sensitive.
    fn starting_with(&self, beginning: &str, limit: usize) -> Result<Vec<RunRef>, Trouble>;

    fn newest(&self, limit: usize) -> Result<Vec<RunRef>, Trouble>;

    fn marked_running(&self) -> Result<Vec<RunRef>, Trouble>;

    /// Returns true if a connection is recording the run with this id ([`Backend::hold`]).
    fn is_held(&self, _id: &str) -> Result<bool, Trouble> {
        Ok(false)
    }

    /// Creates the run of `header`, or continues the run with the same id, and marks it as running. Event
    /// numbers start again. If `header` has no note, an existing one is kept.
    fn begin(&self, header: &RunHeader, cases: Cases<'_>) -> Result<RunKey, Trouble>;

    /// Adds events of a run, in order, and stores `taken` as the number of its last event. Skips turns, logs
    /// and progress, which are not stored as rows. A learned fact replaces one with the same file, case and
    /// key.
    fn append(&self, run: RunKey, events: &[Event], taken: u64) -> Result<(), Trouble>;

    /// Returns the number of the last event that [`Rows::append`] stored since [`Rows::begin`].
    fn taken(&self, run: RunKey) -> Result<u64, Trouble>;

    fn set_status(&self, run: RunKey, status: RunStatus) -> Result<(), Trouble>;

    /// Returns the visits of a run whose turns are not sealed.
    fn unsealed(&self, run: RunKey) -> Result<Vec<u32>, Trouble>;

    /// Stores the turns of visits that have none yet.
    fn seal(&self, run: RunKey, turns: &[SealedTurns]) -> Result<(), Trouble>;

    fn turns(&self, run: RunKey, visit: u32) -> Result<Option<Vec<u8>>, Trouble>;

    /// Passes the turns of a range of visits to `take`, in visit order. Unsealed visits are skipped.
    fn each_turns(
        &self,
        run: RunKey,
        visits: RangeInclusive<u32>,
        take: TakeTurns<'_>,
    ) -> Result<(), Trouble> {
        for visit in visits {
            if let Some(bytes) = self.turns(run, visit)? {
                take(visit, &bytes)?;
            }
        }
        Ok(())
    }

    fn turn_bytes(&self, run: RunKey) -> Result<u64, Trouble>;

    /// Returns the turns of a run that are not pruned.
    fn raw_turns(&self, run: RunKey) -> Result<Vec<SealedTurns>, Trouble>;

    /// Replaces the turns of a visit with pruned ones.
    fn replace_by_pruned(&self, run: RunKey, turns: &SealedTurns) -> Result<(), Trouble>;

    /// Returns the runs that may be pruned, oldest first. They have turns that are not pruned, have neither a
    /// note nor a baseline, and are not among the `keep_newest` newest.
    fn prunable(&self, keep_newest: u32) -> Result<Vec<RunRef>, Trouble>;

    /// Returns the current header of a run. Status, end, note and runtimes change after the run has started.
    fn header(&self, run: RunKey) -> Result<RunHeader, Trouble>;

    fn summary(&self, run: RunKey) -> Result<RunSummary, Trouble>;

    fn load(&self, run: RunKey) -> Result<StoredRun, Trouble>;

    /// Returns the cases that have complete visits in a run.
    fn measured_cases(&self, run: RunKey) -> Result<Vec<CaseKey>, Trouble>;

    fn case(&self, case: CaseKey) -> Result<(CaseId, String), Trouble>;

    /// Deletes a run and the baselines that point at it.
    fn delete(&self, run: RunKey) -> Result<(), Trouble>;

    fn annotate(&self, run: RunKey, note: Option<&str>) -> Result<(), Trouble>;

    /// Returns the baselines that point at a run, in byte order of their names.
    fn baselines_of(&self, run: RunKey) -> Result<Vec<String>, Trouble>;

    /// Returns all baselines, in byte order of their names.
    fn baselines(&self) -> Result<Vec<Baseline>, Trouble>;

    /// Points a baseline at a run. Moves the baseline if it exists.
    fn set_baseline(&self, name: &str, run: RunKey) -> Result<(), Trouble>;

    /// Removes a baseline, but not its run. Returns false if the baseline did not exist.
    fn remove_baseline(&self, name: &str) -> Result<bool, Trouble>;

    fn text(&self, key: &str) -> Result<Option<String>, Trouble>;

    fn set_text(&self, key: &str, text: &str) -> Result<(), Trouble>;

    /// Returns the bytes that a part stores under `key`, or `None`. A database that cannot be written as a
    /// part stores none.
    fn piece(&self, _key: &str) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(None)
    }

    /// Stores bytes under `key`. Does nothing if the database cannot be written as a part.
    fn set_piece(&self, _key: &str, _bytes: &[u8]) -> Result<(), Trouble> {
        Ok(())
    }

    /// Returns the numbers and bodies of all entries of the history, in the order in which they were added.
    fn history_entries(&self) -> Result<Vec<(i64, String)>, Trouble>;

    /// Adds an entry of the history. Replaces one with the same key, and keeps the points of the replaced
    /// entry.
    fn add_history_entry(&self, key: &str, body: &str) -> Result<i64, Trouble>;

    /// Removes the entries of the history whose keys start with `beginning`. Keeps their points, which then
    /// refer to missing entries.
    fn remove_history_entries(&self, beginning: &str) -> Result<(), Trouble>;

    /// Returns the numbers and bodies of all series of the history.
    fn history_series(&self) -> Result<Vec<(i64, String)>, Trouble>;

    /// Returns the numbers of the series with these bodies. Adds the missing ones.
    fn history_numbers(&self, bodies: &[String]) -> Result<Vec<i64>, Trouble>;

    /// Returns the packed points of a series, in the order in which they were added.
    fn history_points(&self, series: i64) -> Result<Vec<Vec<u8>>, Trouble>;

    /// Adds points. Each row consists of the number of a series, the number of the first entry, and the
    /// packed points.
    fn add_history_points(&self, rows: &[(i64, i64, Vec<u8>)]) -> Result<(), Trouble>;

    /// Returns all learned facts, ordered by file, case and key.
    fn learned(&self) -> Result<Vec<LearnedFact>, Trouble>;

    fn index_get(&self, key: &str) -> Result<Option<Vec<Case>>, Trouble>;

    /// Stores cases under `key`, and drops all but the `keep` newest entries.
    fn index_put(&self, key: &str, cases: &[Case], keep: u32) -> Result<(), Trouble>;
}

pub type RunKey = i64;

/// The key of a case in its database. Equal cases of several runs may share one.
pub type CaseKey = i64;

/// The key and the id of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRef {
    /// Key of the run in the database.
    pub key: RunKey,
    pub id: RunId,
}

/// The turns of a visit, in the encoding of [`crate::codec::blob`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedTurns {
    /// Number of the visit.
    pub visit: u32,
    pub bytes: Vec<u8>,
}

/// A visit as stored.
#[derive(Debug)]
pub struct StoredVisit {
    pub record: VisitRecord,
    pub sealed: bool,
}

/// A run as stored. Lists of numbered items are sorted by number, and all other lists are in the order of the
/// events.
#[derive(Debug)]
pub struct StoredRun {
    pub header: RunHeader,
    /// Number of the last stored event, as [`Rows::taken`] returns it.
    pub taken: u64,
    pub cases: Vec<Case>,
    /// Index of each case that has ended, with the reason.
    pub ended: Vec<(u32, StopReason)>,
    pub processes: Vec<ProcessStart>,
    pub process_ends: Vec<ProcessEnd>,
    pub visits: Vec<StoredVisit>,
    pub failures: Vec<Failure>,
    pub observations: Vec<Observation>,
    /// Interim analyses of the cases, in the order in which they were made.
    pub looks: Vec<Look>,
}

/// The summary of a run, as in a line of `derny runs`.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// Header of the run. If its engine died, the status is `Partial`.
    pub header: RunHeader,
    /// Number of cases.
    pub cases: u32,
    /// Number of processes started.
    pub processes: u32,
    /// Number of complete visits.
    pub visits: u32,
    /// Number of failures.
    pub failures: u32,
    /// True if raw data were pruned.
    pub pruned: bool,
    /// Names of the baselines that point to this run, in alphabetical order.
    pub baselines: Vec<String>,
}

/// A baseline, which is a name for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// Name of the baseline.
    pub name: String,
    /// Id of the run that the baseline points to.
    pub run: RunId,
}
