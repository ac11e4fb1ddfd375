//! A store as its parts use it: the database, and the directory in which runs under way have their journals.

use crate::backend::{Backend, Leases, Rows, Snapshot};
use crate::error::{StoreError, Trouble};
use std::path::PathBuf;

/// A connection to the database of a store. Errors say what could not be done, and where.
pub struct Connection {
    backend: Box<dyn Backend>,
    /// The directory of the store.
    pub dir: PathBuf,
    /// All of the database is as it was written: its bytes were summed up.
    pub checked: bool,
}

impl Connection {
    /// Of a store in `dir` whose rows are in `backend`.
    pub fn new(backend: Box<dyn Backend>, dir: PathBuf) -> Connection {
        Connection { backend, dir, checked: false }
    }

    /// The same with its journals in `dir`.
    pub fn within(self, dir: PathBuf) -> Connection {
        Connection { dir, ..self }
    }

    /// Another connection to the same store.
    pub fn again(&self) -> Result<Connection, StoreError> {
        Ok(Connection { backend: self.backend.again()?, dir: self.dir.clone(), checked: self.checked })
    }

    /// Reads one consistent state. `what` says in an error what could not be done.
    pub fn read<T>(
        &self,
        what: &str,
        read: impl Fn(&dyn Rows) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let mut found = None;
        let done = self.backend.read(&mut |rows| {
            found = Some(read(rows)?);
            Ok(())
        });
        self.end(what, done, found)
    }

    /// One consistent state, as long as it is held.
    pub fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.backend.snapshot()
    }

    /// Does all of `write` or nothing of it, while nobody else changes what it changes.
    pub fn write<T>(
        &self,
        what: &str,
        write: impl Fn(&dyn Rows) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let mut found = None;
        let done = self.backend.write(&mut |rows| {
            found = Some(write(rows)?);
            Ok(())
        });
        self.end(what, done, found)
    }

    fn end<T>(&self, what: &str, done: Result<(), Trouble>, found: Option<T>) -> Result<T, StoreError> {
        done.map_err(|trouble| self.explain(what, trouble))?;
        Ok(found.expect("a transaction that ended well has acted"))
    }

    /// Gives freed space back to the system.
    pub fn shrink(&self) -> Result<(), StoreError> {
        let done = self.backend.shrink();
        done.map_err(|trouble| self.explain("freed space cannot be given back", trouble))
    }

    /// Writes all that is there to a file of its own.
    pub fn write_to(&self, file: &std::path::Path) -> Result<(), StoreError> {
        let done = self.backend.write_to(file);
        done.map_err(|trouble| trouble.of("the part cannot be written", &file.display().to_string()))
    }

    /// Fails if reading all of it might never end ([`Backend::sound`]).
    pub fn sound(&self) -> Result<(), StoreError> {
        self.backend.sound().map_err(|trouble| self.explain("the store cannot be read", trouble))
    }

    /// Whether rows are held to what they refer to ([`Backend::check_references`]).
    pub fn check_references(&self, yes: bool) -> Result<(), StoreError> {
        let done = self.backend.check_references(yes);
        done.map_err(|trouble| self.explain("the store cannot be set up", trouble))
    }

    /// Shows that a run is being recorded ([`Backend::hold`]).
    pub fn hold(&self, id: &str) -> Result<bool, StoreError> {
        self.backend.hold(id).map_err(|trouble| self.explain("the run cannot be recorded", trouble))
    }

    /// Shows that it is not any more.
    pub fn release(&self) -> Result<(), StoreError> {
        self.backend.release().map_err(|trouble| self.explain("the run cannot be ended", trouble))
    }

    /// Shards that several machines take, where the database has them.
    pub fn leases(&self) -> Option<&dyn Leases> {
        self.backend.leases()
    }

    /// Where the database is, for the text of errors.
    pub fn place(&self) -> String {
        self.backend.place()
    }

    /// All who use the store share its folder.
    pub fn shares_folder(&self) -> bool {
        self.backend.shares_folder()
    }

    /// Whether the next transaction writes very much ([`Backend::write_much`]).
    pub fn write_much(&self, yes: bool) -> Result<(), StoreError> {
        let done = self.backend.write_much(yes);
        done.map_err(|trouble| self.explain("the store cannot be set up", trouble))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let found = self.backend.bytes();
        found.map_err(|trouble| self.explain("the store's size cannot be read", trouble))
    }

    /// The error of a step that failed, now that it is known what was being done.
    pub fn explain(&self, what: &str, trouble: Trouble) -> StoreError {
        trouble.of(what, &self.backend.place())
    }
}
