//! What a database must do to keep runs. Another one is another implementation of [`Backend`] and [`Rows`], and
//! nothing else: which run a name means, journals, the bytes of turns, recovery and pruning are decided elsewhere.
//!
//! [`Open`] brings the schema up to date first, so that a store of an earlier version can be used, and
//! refuses one that a newer derny wrote ([`ErrorKind::TooNew`](crate::ErrorKind::TooNew)).

use crate::error::{StoreError, Trouble};
use derny_model::{
    Case, CaseId, Event, Failure, LearnedFact, Look, Observation, ProcessEnd, ProcessStart, RunHeader, RunId,
    RunStatus, StopReason, VisitRecord,
};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::Path;

/// Opens the database of a store in a directory, and creates it if there is none.
pub type Open = fn(&Path) -> Result<Box<dyn Backend>, StoreError>;

/// What is done in one transaction.
pub type Act<'a> = &'a mut dyn FnMut(&dyn Rows) -> Result<(), Trouble>;

/// Takes the turns of a visit.
pub type TakeTurns<'a> = &'a mut dyn FnMut(u32, &[u8]) -> Result<(), Trouble>;

/// Gives the cases of a run with their numbers, in an order that suits the database, and anew each time: a file may have a million,
/// which are made one by one, perhaps on another thread.
pub type Cases<'a> = &'a (dyn Fn() -> Box<dyn Iterator<Item = (u32, Cow<'a, Case>)> + 'a> + Sync);

/// Cases in the order of their names: of a large index one place after the other is then looked at.
pub fn by_name<'a>(cases: &'a [Case]) -> Box<dyn Iterator<Item = (u32, Cow<'a, Case>)> + 'a> {
    let mut all: Vec<(u32, &Case)> = (0..).zip(cases).collect();
    all.sort_by_key(|(_, case)| &case.id);
    Box::new(all.into_iter().map(|(number, case)| (number, Cow::Borrowed(case))))
}

/// A connection to a database of runs. Several processes, and several connections of one, may use a database at once.
pub trait Backend: Send {
    /// The file or the address, for the text of errors.
    fn place(&self) -> String;

    /// Another connection to the same database.
    fn again(&self) -> Result<Box<dyn Backend>, StoreError>;

    /// Calls `act`, which only reads, with one consistent state. Where the database can, it does not wait for writers.
    fn read(&self, act: Act<'_>) -> Result<(), Trouble>;

    /// Calls `act` and keeps all of what it did, or nothing if it fails. What `act` sees is one state, and nobody changes what it
    /// changes before it is kept: a database may let one connection write at a time, or call `act` anew if another one was
    /// faster. This waits for others some seconds at most ([`ErrorKind::Busy`](crate::ErrorKind::Busy)). A connection that broke
    /// is made anew meanwhile, and `act` is kept once.
    fn write(&self, act: Act<'_>) -> Result<(), Trouble>;

    /// One consistent state by a connection of its own, as long as it is held. Where the database can, no writer waits for it.
    fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError>;

    /// Shows to all who use the database that this connection records the run of this id, until [`Backend::release`], or until the
    /// connection is gone. False if another one does. Users of a file share the folder in which a lock says it.
    fn hold(&self, _id: &str) -> Result<bool, Trouble> {
        Ok(true)
    }

    /// Ends [`Backend::hold`].
    fn release(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// All who use the database share the folder in which runs under way have their journals.
    fn shares_folder(&self) -> bool {
        true
    }

    /// Shards that several machines take from the database, where it can say which of them came first.
    fn leases(&self) -> Option<&dyn Leases> {
        None
    }

    /// Bytes in use.
    fn bytes(&self) -> Result<u64, Trouble>;

    /// Gives freed space back to the system.
    fn shrink(&self) -> Result<(), Trouble>;

    /// Writes all that is there to a file of its own, which is not there yet.
    fn write_to(&self, file: &Path) -> Result<(), Trouble>;

    /// Fails if reading all of the database might never end, as of a file that was made for it. Takes as long as reading all of it.
    fn sound(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// Whether this connection holds rows to what they refer to, as it does from the beginning. That costs a look-up for each reference of
    /// each row; without it nothing may be deleted.
    fn check_references(&self, yes: bool) -> Result<(), Trouble>;

    /// The next transaction writes very much: where the database can, and nobody else uses it, that is written once and not to a log first.
    /// As safe as ever, but readers may have to wait.
    fn write_much(&self, _yes: bool) -> Result<(), Trouble> {
        Ok(())
    }
}

/// Shards of plans, each held by one machine for a while, by the database's clock. Every call is a transaction of its own, and may be
/// repeated by the same holder: an answer may have been lost on the way.
pub trait Leases {
    /// Makes it known that a plan has shards 1 to `shards`.
    fn offer(&self, plan: &str, shards: u32) -> Result<(), Trouble>;

    /// Takes a shard that is not measured, and that nobody holds any more, for so many seconds.
    fn take(&self, plan: &str, holder: &str, seconds: u32) -> Result<Taken, Trouble>;

    /// Holds a shard for so many seconds from now. False if it is not `holder`'s any more.
    fn renew(&self, plan: &str, shard: u32, holder: &str, seconds: u32) -> Result<bool, Trouble>;

    /// Keeps what was measured with the shard. False, and nothing is kept, if it is not `holder`'s any more.
    fn finish(&self, plan: &str, shard: u32, holder: &str, part: &[u8]) -> Result<bool, Trouble>;

    /// Lets go of a shard that was not measured.
    fn give_back(&self, plan: &str, shard: u32, holder: &str) -> Result<(), Trouble>;

    /// What was measured of a shard.
    fn part(&self, plan: &str, shard: u32) -> Result<Option<Vec<u8>>, Trouble>;
}

/// What [`Leases::take`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// This shard.
    Shard(u32),
    /// So many that others hold.
    AllHeld(u32),
    /// None: all are measured.
    AllDone,
}

/// A state of a database that stays as it is.
pub trait Snapshot: Send {
    /// Its rows, which are only read.
    fn rows(&self) -> &dyn Rows;
}

/// Rows, within one transaction. The keys that methods take are those of runs that are there.
///
/// A run's status is what was written last. A run whose engine died stays marked as running: whether an engine lives is
/// not for the database to know.
pub trait Rows {
    /// The run with exactly this id.
    fn with_id(&self, id: &str) -> Result<Option<Run>, Trouble>;

    /// The run that the baseline `name` points at.
    fn with_baseline(&self, name: &str) -> Result<Option<Run>, Trouble>;

    /// Runs whose ids start with `beginning`, case-sensitively and in the order of the ids' bytes; at most `limit`.
    fn starting_with(&self, beginning: &str, limit: usize) -> Result<Vec<Run>, Trouble>;

    /// The `limit` newest runs, newest first.
    fn newest(&self, limit: usize) -> Result<Vec<Run>, Trouble>;

    /// Runs that are marked as running, oldest first.
    fn marked_running(&self) -> Result<Vec<Run>, Trouble>;

    /// A connection holds the run of this id ([`Backend::hold`]).
    fn is_held(&self, _id: &str) -> Result<bool, Trouble> {
        Ok(false)
    }

    /// Creates the run of `header`, or continues the one of its id, and marks it as running. Numbers of its events start
    /// anew; a note that it has stays if `header` brings none.
    fn begin(&self, header: &RunHeader, cases: Cases<'_>) -> Result<RunKey, Trouble>;

    /// Adds events of a run, in order; `taken` is the number of the last event of the run that is now held. Turns, logs
    /// and progress are not rows: they are passed over. A fact learnt replaces one of the same file, case and key.
    fn append(&self, run: RunKey, events: &[Event], taken: u64) -> Result<(), Trouble>;

    /// Number of the last event that [`Rows::append`] brought since [`Rows::begin`].
    fn taken(&self, run: RunKey) -> Result<u64, Trouble>;

    /// Marks a run.
    fn set_status(&self, run: RunKey, status: RunStatus) -> Result<(), Trouble>;

    /// Visits of a run whose turns were not sealed.
    fn unsealed(&self, run: RunKey) -> Result<Vec<u32>, Trouble>;

    /// Stores the turns of visits, which have none yet.
    fn seal(&self, run: RunKey, turns: &[SealedTurns]) -> Result<(), Trouble>;

    /// The turns of a visit; none before they are sealed.
    fn turns(&self, run: RunKey, visit: u32) -> Result<Option<Vec<u8>>, Trouble>;

    /// The turns of the visits of a run from one number to another, one after the other, in the order of the visits. Those that were not
    /// sealed are passed over.
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

    /// Bytes of the turns of a run.
    fn turn_bytes(&self, run: RunKey) -> Result<u64, Trouble>;

    /// The turns of a run that were not pruned.
    fn raw_turns(&self, run: RunKey) -> Result<Vec<SealedTurns>, Trouble>;

    /// Replaces the turns of a visit by pruned ones.
    fn replace_by_pruned(&self, run: RunKey, turns: &SealedTurns) -> Result<(), Trouble>;

    /// Runs that may be pruned, oldest first: with turns that were not pruned, without a note, no baseline's, and not
    /// among the `keep_newest` newest.
    fn prunable(&self, keep_newest: u32) -> Result<Vec<Run>, Trouble>;

    /// The header as it is now: status, end, note and the runtimes seen change after the run has started.
    fn header(&self, run: RunKey) -> Result<RunHeader, Trouble>;

    /// One run without its records.
    fn summary(&self, run: RunKey) -> Result<RunSummary, Trouble>;

    /// All rows of a run but turns.
    fn load(&self, run: RunKey) -> Result<StoredRun, Trouble>;

    /// The cases of which a run has complete visits.
    fn measured_cases(&self, run: RunKey) -> Result<Vec<CaseKey>, Trouble>;

    /// The id and the harness of a case.
    fn case(&self, case: CaseKey) -> Result<(CaseId, String), Trouble>;

    /// Deletes a run, with the baselines that point at it.
    fn delete(&self, run: RunKey) -> Result<(), Trouble>;

    /// Sets the note of a run; none removes it.
    fn annotate(&self, run: RunKey, note: Option<&str>) -> Result<(), Trouble>;

    /// The baselines that point at a run, in the order of their names' bytes.
    fn baselines_of(&self, run: RunKey) -> Result<Vec<String>, Trouble>;

    /// All baselines, in the order of their names' bytes.
    fn baselines(&self) -> Result<Vec<Baseline>, Trouble>;

    /// Points a baseline at a run; one that exists is moved.
    fn set_baseline(&self, name: &str, run: RunKey) -> Result<(), Trouble>;

    /// Removes a baseline; its run stays. False if there was none.
    fn remove_baseline(&self, name: &str) -> Result<bool, Trouble>;

    /// The text that is kept under `key`.
    fn text(&self, key: &str) -> Result<Option<String>, Trouble>;

    /// Keeps a text under `key`, in place of the one that was.
    fn set_text(&self, key: &str, text: &str) -> Result<(), Trouble>;

    /// The bytes that are kept under `key` for a part. A database that no part is made of keeps none.
    fn piece(&self, _key: &str) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(None)
    }

    /// Keeps bytes under `key`, where a part can be made of the database.
    fn set_piece(&self, _key: &str, _bytes: &[u8]) -> Result<(), Trouble> {
        Ok(())
    }

    /// All facts learnt, ordered by file, case and key.
    fn learned(&self) -> Result<Vec<LearnedFact>, Trouble>;

    /// The cases stored under `key`.
    fn index_get(&self, key: &str) -> Result<Option<Vec<Case>>, Trouble>;

    /// Stores cases under `key`, and forgets those stored before the last `keep`.
    fn index_put(&self, key: &str, cases: &[Case], keep: u32) -> Result<(), Trouble>;
}

/// The number of a run in its database: later runs have greater ones, and none is used twice.
pub type RunKey = i64;

/// The number of a case in its database. Equal cases of several runs may share one.
pub type CaseKey = i64;

/// A run as its database and as its user call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// For the database.
    pub key: RunKey,
    /// For the user.
    pub id: RunId,
}

/// The turns of a visit, in the form of [`crate::codec::blob`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedTurns {
    /// The visit.
    pub visit: u32,
    /// Its turns.
    pub bytes: Vec<u8>,
}

/// A visit as it is stored.
#[derive(Debug)]
pub struct StoredVisit {
    /// All of it but its turns.
    pub record: VisitRecord,
    /// Its turns are sealed.
    pub sealed: bool,
}

/// A run as it is stored, each list in the order of its numbers or, where it has none, of the events.
#[derive(Debug)]
pub struct StoredRun {
    /// As [`Rows::header`] gives it.
    pub header: RunHeader,
    /// As [`Rows::taken`] gives it.
    pub taken: u64,
    /// All cases.
    pub cases: Vec<Case>,
    /// Why cases ended, by their numbers.
    pub ended: Vec<(u32, StopReason)>,
    /// Processes.
    pub processes: Vec<ProcessStart>,
    /// How they ended.
    pub process_ends: Vec<ProcessEnd>,
    /// Visits.
    pub visits: Vec<StoredVisit>,
    /// Failures.
    pub failures: Vec<Failure>,
    /// Observations.
    pub observations: Vec<Observation>,
    /// Looks.
    pub looks: Vec<Look>,
}

/// One line of `derny runs`.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// Context. The status of a run whose engine died is `Partial`.
    pub header: RunHeader,
    /// Cases of the run.
    pub cases: u32,
    /// Processes started.
    pub processes: u32,
    /// Complete visits.
    pub visits: u32,
    /// Failures.
    pub failures: u32,
    /// Raw data were pruned.
    pub pruned: bool,
    /// Names of this run, in alphabetical order.
    pub baselines: Vec<String>,
}

/// A name for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    /// The name.
    pub name: String,
    /// The run.
    pub run: RunId,
}
