//! The store: runs, baselines and learned facts, in a directory of the project or on a database server.
//!
//! 1. `recorder` appends every event of a run to its `journal` at once, so a killed engine loses nothing.
//! 2. `groups` collects events, and `seal` turns them into rows. `codec` packs the turns of a visit.
//! 3. `backend` is the interface of a database. `sqlite` uses a file, `postgres` a schema on a server.
//! 4. `recovery` moves the journal of a run whose engine died into the database.
//! 5. `names` resolves the name of a run, and `runs` reads rows and journal as records.
//! 6. `older` completes records of earlier versions.
//! 7. `history` keeps figures of all runs, by series.
//! 8. `keep` manages baselines and notes, deletes runs, and prunes old raw data.
//!
//! The crate handles databases and the compact encoding of raw batch times. It must not depend on how
//! measurements are made, interpreted or displayed. Callers open a [`Location`] and do not depend on a
//! database.

mod backend;
mod codec;
mod connection;
mod copy;
mod error;
mod groups;
mod history;
mod journal;
mod keep;
mod learnt;
mod location;
mod names;
mod older;
mod part;
mod postgres;
mod private;
mod queue;
mod recorder;
mod recovery;
mod runs;
mod seal;
mod short;
mod sqlite;
mod whole;
mod word;

#[cfg(test)]
#[path = "../tests/conformance/mod.rs"]
mod conformance;
#[cfg(test)]
#[path = "../tests/scenario/mod.rs"]
mod scenario;

pub use backend::{Baseline, Cases, RunSummary, Taken};
pub use copy::Copied;
pub use error::{ErrorKind, StoreError};
pub use keep::{PrunePolicy, PruneReport};
pub use location::Location;
pub use older::complete;
pub use private::folder;
pub use queue::Queue;
pub use recorder::Recorder;

use backend::Open;
use connection::Connection;
use derny_model::{
    Case, CaseId, HistoryEntry, HistorySeries, HistoryValue, LearnedFact, Problem, Records, RunHeader, RunId,
};
use std::io::Write;
use std::path::Path;

/// The store of a project. Several processes may use it at the same time.
///
/// A run is named by a baseline, an id, an unambiguous prefix of an id, `last` or `last~N`. Every method
/// fails with a [`StoreError`] if the database cannot be read or written.
pub struct Store {
    conn: Connection,
    policy: PrunePolicy,
}

impl Store {
    /// Opens the store in the directory `dir` (`.derny`). Creates it if necessary, with a `.gitignore` in it.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be written, or if a newer derny wrote the file.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        Store::over(dir, sqlite::open)
    }

    fn over(dir: &Path, open: Open) -> Result<Store, StoreError> {
        create(dir)?;
        Ok(Store { conn: Connection::new(open(dir)?, dir.to_owned()), policy: PrunePolicy::default() })
    }

    /// Opens the store at an address. Its journals are in a subfolder of `folder` that is unique to the
    /// store. All spellings of the address have the same subfolder.
    fn on_server(address: &str, folder: &Path) -> Result<Store, StoreError> {
        let backend = postgres::open(address)?;
        let conn = Connection::new(backend, folder.to_owned());
        let name = conn.read("the store cannot be opened", |rows| rows.text("name"))?;
        create(folder)?;
        let dir = folder.join("stores").join(name.unwrap_or_default());
        create(&dir)?;
        Ok(Store { conn: conn.within(dir), policy: PrunePolicy::default() })
    }

    /// Opens the store if it exists. Creates nothing, for commands that only read.
    ///
    /// # Errors
    ///
    /// Fails like [`Store::open`].
    pub fn open_existing(dir: &Path) -> Result<Option<Store>, StoreError> {
        if sqlite::exists(dir) { Store::open(dir).map(Some) } else { Ok(None) }
    }

    /// Opens the store if it exists, for commands that only read. Works in read-only locations too.
    ///
    /// # Errors
    ///
    /// Fails like [`Store::open`], if the file can neither be opened nor read.
    pub fn open_to_read(dir: &Path) -> Result<Option<Store>, StoreError> {
        match Store::open_existing(dir) {
            Err(error) if error.kind != ErrorKind::TooNew => {
                let backend = sqlite::open_reading(dir)?;
                let conn = Connection::new(backend, dir.to_owned());
                Ok(Some(Store { conn, policy: PrunePolicy::default() }))
            }
            opened => opened,
        }
    }

    /// Opens a part that [`Store::into_part`] wrote.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Damaged`] if the checksum does not match, or like [`Store::open_to_read`].
    pub fn open_part(file: &Path) -> Result<Store, StoreError> {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let mut conn = Connection::new(sqlite::open_part(file)?, folder);
        conn.checked = true;
        Ok(Store { conn, policy: PrunePolicy::default() })
    }

    /// Sets when recorders prune old raw data at the end of a run.
    pub fn set_thin_policy(&mut self, policy: PrunePolicy) {
        self.policy = policy;
    }

    /// Creates a recorder, which receives events on a separate connection and may move to another thread.
    pub fn recorder(&self) -> Result<Recorder, StoreError> {
        Ok(Recorder::new(self.conn.again()?, self.policy.clone()))
    }

    /// Turns the store into the recorder of a large file, on its only connection. If the store has no other
    /// users, data are written only once, without a log. The store may be opened again afterwards.
    pub fn into_recorder(self) -> Result<Recorder, StoreError> {
        let mut recorder = Recorder::new(self.conn, self.policy);
        recorder.write_much()?;
        Ok(recorder)
    }

    /// Stores a complete run under the id in its header. No other run may have this id.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be written. Nothing of the run is stored then.
    pub fn keep(&self, records: &Records) -> Result<(), StoreError> {
        whole::keep(&self.conn, records)?;
        keep::prune(&self.conn, &self.policy).map(|_| ())
    }

    /// Returns a short id that no run has.
    pub fn new_run_id(&self, seed: u64) -> Result<RunId, StoreError> {
        self.conn.read("a name for the run cannot be chosen", |rows| names::new_id(rows, seed))
    }

    /// Returns the `limit` newest runs, newest first.
    pub fn runs(&self, limit: usize) -> Result<Vec<RunSummary>, StoreError> {
        runs::list(&self.conn, limit)
    }

    /// Returns one run without its records.
    pub fn summary(&self, run: &str) -> Result<RunSummary, StoreError> {
        runs::summary(&self.conn, run)
    }

    /// Returns everything that a run has recorded so far, even while it is being recorded.
    pub fn load(&self, run: &str) -> Result<Records, StoreError> {
        runs::load(&self.conn, run)
    }

    /// Returns the id of the run that `name` means.
    pub fn resolve(&self, name: &str) -> Result<RunId, StoreError> {
        self.summary(name).map(|summary| summary.header.id)
    }

    /// Returns the newest run that has measurements, if there is one. In contrast, `last` is the newest run,
    /// measured or not. Both skip imported runs if there are others.
    pub fn last_measured(&self) -> Result<Option<RunId>, StoreError> {
        self.conn.read("the runs cannot be read", |rows| names::last_measured(rows))
    }

    /// Returns the names of the cases that the `runs` newest runs measured, without duplicates. If
    /// `harnesses` is not empty, returns only the cases of these harnesses.
    pub fn measured_names(&self, runs: usize, harnesses: &[&str]) -> Result<Vec<CaseId>, StoreError> {
        self.conn.read("the runs cannot be read", |rows| names::measured_names(rows, runs, harnesses))
    }

    /// Returns the run that was made from an input with this hash ([`derny_model::Imported::hash`],
    /// [`derny_model::Parts::hash`]), if it still exists.
    pub fn made_of(&self, hash: &str) -> Result<Option<RunId>, StoreError> {
        self.conn.read("the runs cannot be read", |rows| names::made_of(rows, hash))
    }

    /// Returns the newest run before `of`, on the same host and processor, that has complete visits of one of
    /// `cases` by a harness of the same name.
    pub fn last_comparable(&self, of: &RunHeader, cases: &[Case]) -> Result<Option<RunId>, StoreError> {
        self.conn
            .read("the runs cannot be read", |rows| names::last_comparable(&self.conn.dir, rows, of, cases))
    }

    /// Marks runs whose engine died as partial and stores their journals. Returns their ids, oldest first.
    pub fn recover(&self) -> Result<Vec<RunId>, StoreError> {
        recovery::recover(&self.conn)
    }

    /// Deletes a run and returns its id.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::InUse`] while the run is being recorded and, unless `force` is true, if it has
    /// a baseline.
    pub fn delete(&self, run: &str, force: bool) -> Result<RunId, StoreError> {
        keep::delete(&self.conn, run, force)
    }

    /// Sets or removes the note of a run and returns the run's id. A run with a note is never pruned.
    pub fn annotate(&self, run: &str, note: Option<&str>) -> Result<RunId, StoreError> {
        keep::annotate(&self.conn, run, note)
    }

    /// Points the baseline `name` at a run, and returns the run's id. Moves the baseline if it exists.
    pub fn set_baseline(&self, name: &str, run: &str) -> Result<RunId, StoreError> {
        keep::set_baseline(&self.conn, name, run)
    }

    /// Fails if a baseline cannot have this name. Lets callers check the name before they start a long
    /// operation.
    pub fn check_baseline_name(name: &str) -> Result<(), StoreError> {
        keep::check_name(name)
    }

    /// Returns all baselines, in alphabetical order.
    pub fn baselines(&self) -> Result<Vec<Baseline>, StoreError> {
        keep::baselines(&self.conn)
    }

    /// Removes a baseline, but not its run. Returns false if the baseline did not exist.
    pub fn remove_baseline(&self, name: &str) -> Result<bool, StoreError> {
        keep::remove_baseline(&self.conn, name)
    }

    /// Copies all runs into `to`, with their turns, baselines, notes and learned facts. May be repeated.
    /// `tell` receives the id of each copied run.
    ///
    /// # Errors
    ///
    /// Fails if one of the stores cannot be read or written. Runs that were already copied are kept.
    pub fn copy(&self, to: &Store, tell: &mut dyn FnMut(&RunId)) -> Result<Copied, StoreError> {
        copy::copy(self, to, tell)
    }

    /// Reduces old raw data to each turn's median batch, according to `policy`.
    pub fn prune(&self, policy: &PrunePolicy) -> Result<PruneReport, StoreError> {
        keep::prune(&self.conn, policy)
    }

    /// Returns the size of the database in bytes.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        self.conn.bytes()
    }

    /// Returns the text that another crate stored under `key`.
    pub fn text(&self, key: &str) -> Result<Option<String>, StoreError> {
        learnt::text(&self.conn, key)
    }

    /// Replaces the text stored under `key` with the result of `change`. No other process can change the text
    /// in the meantime. `change` may be called again after a conflict.
    pub fn change_text(&self, key: &str, change: impl Fn(Option<&str>) -> String) -> Result<(), StoreError> {
        learnt::change_text(&self.conn, key, change)
    }

    /// Adds entries to the history, with their points, in one transaction. An entry replaces one with the
    /// same key.
    pub fn add_history(
        &self,
        all: &[(&HistoryEntry, &[(HistorySeries, HistoryValue)])],
    ) -> Result<(), StoreError> {
        history::add(&self.conn, all)
    }

    /// Returns all entries of the history with their numbers, in the order in which they were added.
    pub fn history_entries(&self) -> Result<Vec<(i64, HistoryEntry)>, StoreError> {
        history::entries(&self.conn)
    }

    /// Removes the entries of the history whose keys start with `beginning`.
    pub fn remove_history(&self, beginning: &str) -> Result<(), StoreError> {
        self.conn.write("the history cannot be written", |rows| rows.remove_history_entries(beginning))
    }

    /// Returns all series of the history with their numbers.
    pub fn history_series(&self) -> Result<Vec<(i64, HistorySeries)>, StoreError> {
        history::series(&self.conn)
    }

    /// Returns the points of a series, each with the number of its entry. Includes the points of entries that
    /// were replaced or removed.
    pub fn history_points(&self, series: i64) -> Result<Vec<(i64, HistoryValue)>, StoreError> {
        history::points(&self.conn, series)
    }

    /// Returns the learned facts about benchmark files (`Event::Learned`).
    pub fn learned(&self) -> Result<Vec<LearnedFact>, StoreError> {
        learnt::facts(&self.conn)
    }

    /// Returns the cases that discovery found under `key`.
    pub fn index_get(&self, key: &str) -> Result<Option<Vec<Case>>, StoreError> {
        learnt::index_get(&self.conn, key)
    }

    /// Stores the cases that discovery found under `key`.
    pub fn index_put(&self, key: &str, cases: &[Case]) -> Result<(), StoreError> {
        learnt::index_put(&self.conn, key, cases)
    }
}

fn create(dir: &Path) -> Result<(), StoreError> {
    let ignore = dir.join(".gitignore");
    let created = private::store(dir)
        .and_then(|()| if ignore.exists() { Ok(()) } else { private::file(&ignore)?.write_all(b"*\n") });
    created.map_err(|error| StoreError {
        kind: ErrorKind::Open,
        problem: Problem::new("the store cannot be created").place(dir.display()).why(error).remedy(
            match dir.is_file() {
                true => "name a folder: this is a file",
                false => "make the folder writable, or choose another store",
            },
        ),
    })
}
