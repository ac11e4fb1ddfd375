//! The store: runs, baselines, and what was learnt, in a directory of the project.
//!
//! This crate knows databases and the compact form of raw batch times. It must not know how measurements are
//! made, what they mean, or how they are shown: it takes events and gives records. Words are those of `derny-model`.
//!
//! A database is a `Backend`: one file in the directory (`sqlite`), or a schema on a server (`postgres`). Callers name none: they
//! have a [`Location`].
//!
//! Every event of a run under way is appended to the run's journal at once, so that an engine that is killed loses
//! nothing; the database follows in groups. The turns of a visit that has ended are one blob.

mod backend;
mod codec;
mod connection;
mod copy;
mod error;
mod groups;
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
use derny_model::{Case, CaseId, LearnedFact, Records, RunHeader, RunId};
use std::io::Write;
use std::path::Path;

/// A project's store. Several processes may use one at once.
///
/// Wherever a run is asked for by name, a baseline's name, an id, an unambiguous beginning of one, `last` and
/// `last~N` will do. Every method fails with a [`StoreError`] in four parts if the file cannot be read or written.
pub struct Store {
    conn: Connection,
    policy: PrunePolicy,
}

impl Store {
    /// Opens the store in the directory `dir` (`.derny`), creating it, with a `.gitignore` in it, if need be.
    ///
    /// # Errors
    /// The directory cannot be written, or a newer derny wrote the file.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        Store::over(dir, sqlite::open)
    }

    /// Opens the store in the directory `dir` whose database `open` opens.
    fn over(dir: &Path, open: Open) -> Result<Store, StoreError> {
        create(dir)?;
        Ok(Store { conn: Connection::new(open(dir)?, dir.to_owned()), policy: PrunePolicy::default() })
    }

    /// Opens the store at an address. Its runs under way have their journals in `folder`, apart from those of other stores, however the
    /// address is written.
    fn on_server(address: &str, folder: &Path) -> Result<Store, StoreError> {
        let backend = postgres::open(address)?;
        let conn = Connection::new(backend, folder.to_owned());
        let name = conn.read("the store cannot be opened", |rows| rows.text("name"))?;
        create(folder)?;
        let dir = folder.join("stores").join(name.unwrap_or_default());
        create(&dir)?;
        Ok(Store { conn: conn.within(dir), policy: PrunePolicy::default() })
    }

    /// Opens the store if there is one, and creates nothing: for commands that only look.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_existing(dir: &Path) -> Result<Option<Store>, StoreError> {
        if sqlite::exists(dir) { Store::open(dir).map(Some) } else { Ok(None) }
    }

    /// Opens the store if there is one, for commands that only look: they go on where nothing can be written.
    ///
    /// # Errors
    /// As [`Store::open`], if the file can neither be opened nor be read.
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

    /// Opens a part that [`Store::into_part`] has written.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] where it is not as it was written, and those of [`Store::open_to_read`].
    pub fn open_part(file: &Path) -> Result<Store, StoreError> {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let mut conn = Connection::new(sqlite::open_part(file)?, folder);
        conn.checked = true;
        Ok(Store { conn, policy: PrunePolicy::default() })
    }

    /// Sets when recorders prune old raw data at the end of their run.
    pub fn set_thin_policy(&mut self, policy: PrunePolicy) {
        self.policy = policy;
    }

    /// A consumer of events, with a connection of its own: it may go to another thread.
    pub fn recorder(&self) -> Result<Recorder, StoreError> {
        Ok(Recorder::new(self.conn.again()?, self.policy.clone()))
    }

    /// The same of a file that holds much, by the only connection that there is: where nobody else uses the store, all is written once,
    /// and not to a log first. Ends this store, which may be opened again.
    pub fn into_recorder(self) -> Result<Recorder, StoreError> {
        let mut recorder = Recorder::new(self.conn, self.policy);
        recorder.write_much()?;
        Ok(recorder)
    }

    /// Keeps a run that is there as a whole, under the id of its header, which no run of the store has.
    ///
    /// # Errors
    /// The store cannot be written; then nothing of the run is there.
    pub fn keep(&self, records: &Records) -> Result<(), StoreError> {
        whole::keep(&self.conn, records)?;
        keep::prune(&self.conn, &self.policy).map(|_| ())
    }

    /// A short id that no run has.
    pub fn new_run_id(&self, seed: u64) -> Result<RunId, StoreError> {
        self.conn.read("a name for the run cannot be chosen", |rows| names::new_id(rows, seed))
    }

    /// The newest `limit` runs, newest first.
    pub fn runs(&self, limit: usize) -> Result<Vec<RunSummary>, StoreError> {
        runs::list(&self.conn, limit)
    }

    /// One run without its records.
    pub fn summary(&self, run: &str) -> Result<RunSummary, StoreError> {
        runs::summary(&self.conn, run)
    }

    /// All that a run recorded so far, also while it is recorded.
    pub fn load(&self, run: &str) -> Result<Records, StoreError> {
        runs::load(&self.conn, run)
    }

    /// The id of the run that `name` means.
    pub fn resolve(&self, name: &str) -> Result<RunId, StoreError> {
        self.summary(name).map(|summary| summary.header.id)
    }

    /// The newest run that has measurements; none where no run has. `last` is the newest run, measured or not. Both pass over runs that
    /// were imported, where there are others.
    pub fn last_measured(&self) -> Result<Option<RunId>, StoreError> {
        self.conn.read("the runs cannot be read", |rows| names::last_measured(rows))
    }

    /// Names of the cases that the newest `runs` runs have measured by one of these harnesses, each once.
    pub fn measured_names(&self, runs: usize, harnesses: &[&str]) -> Result<Vec<CaseId>, StoreError> {
        self.conn.read("the runs cannot be read", |rows| names::measured_names(rows, runs, harnesses))
    }

    /// The run that was made of what has this hash ([`derny_model::Imported::hash`], [`derny_model::Parts::hash`]), if it is still there.
    pub fn made_of(&self, hash: &str) -> Result<Option<RunId>, StoreError> {
        self.conn.read("the runs cannot be read", |rows| names::made_of(rows, hash))
    }

    /// The newest run before `of` on the same host and processor with complete visits of one of `cases` by a harness
    /// of the same name.
    pub fn last_comparable(&self, of: &RunHeader, cases: &[Case]) -> Result<Option<RunId>, StoreError> {
        self.conn
            .read("the runs cannot be read", |rows| names::last_comparable(&self.conn.dir, rows, of, cases))
    }

    /// Marks runs whose engine died as partial and packs what they left. Returns their ids, oldest first.
    pub fn recover(&self) -> Result<Vec<RunId>, StoreError> {
        recovery::recover(&self.conn)
    }

    /// Deletes a run and returns its id.
    ///
    /// # Errors
    /// [`ErrorKind::InUse`] while it is recorded, and, unless `force`, if a baseline names it.
    pub fn delete(&self, run: &str, force: bool) -> Result<RunId, StoreError> {
        keep::delete(&self.conn, run, force)
    }

    /// Sets or removes the note of a run and returns its id. A run with a note is never pruned.
    pub fn annotate(&self, run: &str, note: Option<&str>) -> Result<RunId, StoreError> {
        keep::annotate(&self.conn, run, note)
    }

    /// Points the baseline `name` at a run and returns the run's id. A baseline that exists is moved.
    pub fn set_baseline(&self, name: &str, run: &str) -> Result<RunId, StoreError> {
        keep::set_baseline(&self.conn, name, run)
    }

    /// Fails if no baseline may be called so: for those who set it only after long work.
    pub fn check_baseline_name(name: &str) -> Result<(), StoreError> {
        keep::check_name(name)
    }

    /// All baselines, in alphabetical order.
    pub fn baselines(&self) -> Result<Vec<Baseline>, StoreError> {
        keep::baselines(&self.conn)
    }

    /// Removes a baseline's name; the run stays. False if there was no such name.
    pub fn remove_baseline(&self, name: &str) -> Result<bool, StoreError> {
        keep::remove_baseline(&self.conn, name)
    }

    /// Copies all runs into `to`, with their turns, baselines, notes and what was learnt. May be repeated. `tell` hears of each run that
    /// is copied.
    ///
    /// # Errors
    /// One of the stores cannot be read or written; runs that were copied before stay.
    pub fn copy(&self, to: &Store, tell: &mut dyn FnMut(&RunId)) -> Result<Copied, StoreError> {
        copy::copy(self, to, tell)
    }

    /// Reduces old raw data to each turn's median batch, as far as `policy` asks.
    pub fn prune(&self, policy: &PrunePolicy) -> Result<PruneReport, StoreError> {
        keep::prune(&self.conn, policy)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        self.conn.bytes()
    }

    /// What runs learnt about benchmark files (`Event::Learned`).
    pub fn learned(&self) -> Result<Vec<LearnedFact>, StoreError> {
        learnt::facts(&self.conn)
    }

    /// The cases that discovery found under `key`.
    pub fn index_get(&self, key: &str) -> Result<Option<Vec<Case>>, StoreError> {
        learnt::index_get(&self.conn, key)
    }

    /// Remembers the cases that discovery found under `key`.
    pub fn index_put(&self, key: &str, cases: &[Case]) -> Result<(), StoreError> {
        learnt::index_put(&self.conn, key, cases)
    }
}

/// Makes the folder of a store.
fn create(dir: &Path) -> Result<(), StoreError> {
    let ignore = dir.join(".gitignore");
    let created = private::store(dir)
        .and_then(|()| if ignore.exists() { Ok(()) } else { private::file(&ignore)?.write_all(b"*\n") });
    created.map_err(|error| StoreError {
        kind: ErrorKind::Open,
        what: "the store cannot be created".into(),
        place: dir.display().to_string(),
        why: error.to_string(),
        remedy: "make the directory writable, or choose another store".into(),
    })
}
