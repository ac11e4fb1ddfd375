//! A connection to a store: the database, and the directory with the journals of runs in progress.

use crate::backend::{Backend, Leases, Rows, Snapshot};
use crate::error::{StoreError, Trouble};
use std::path::PathBuf;

/// A connection to the database of a store. Its errors include the failed operation and the location.
pub struct Connection {
    backend: Box<dyn Backend>,
    pub dir: PathBuf,
    /// True if the checksum of the whole database was verified.
    pub checked: bool,
}

impl Connection {
    pub fn new(backend: Box<dyn Backend>, dir: PathBuf) -> Connection {
        Connection { backend, dir, checked: false }
    }

    pub fn within(self, dir: PathBuf) -> Connection {
        Connection { dir, ..self }
    }

    pub fn again(&self) -> Result<Connection, StoreError> {
        Ok(Connection { backend: self.backend.again()?, dir: self.dir.clone(), checked: self.checked })
    }

    /// Runs `read` on one consistent snapshot. `what` describes the operation in an error message.
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

    pub fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.backend.snapshot()
    }

    /// Runs `write` in a transaction: either all of its changes are kept, or none.
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

    pub fn shrink(&self) -> Result<(), StoreError> {
        let done = self.backend.shrink();
        done.map_err(|trouble| self.explain("freed space cannot be returned to the system", trouble))
    }

    pub fn write_to(&self, file: &std::path::Path) -> Result<(), StoreError> {
        let done = self.backend.write_to(file);
        done.map_err(|trouble| trouble.of("the part cannot be written", &file.display().to_string()))
    }

    /// Fails if reading the whole database might not terminate ([`Backend::sound`]).
    pub fn sound(&self) -> Result<(), StoreError> {
        self.backend.sound().map_err(|trouble| self.explain("the store cannot be read", trouble))
    }

    /// Turns foreign key checks on or off ([`Backend::check_references`]).
    pub fn check_references(&self, yes: bool) -> Result<(), StoreError> {
        let done = self.backend.check_references(yes);
        done.map_err(|trouble| self.explain("the store cannot be set up", trouble))
    }

    /// Announces that this connection is recording a run ([`Backend::hold`]).
    pub fn hold(&self, id: &str) -> Result<bool, StoreError> {
        self.backend.hold(id).map_err(|trouble| self.explain("the run cannot be recorded", trouble))
    }

    /// Announces that this connection no longer records a run ([`Backend::release`]).
    pub fn release(&self) -> Result<(), StoreError> {
        self.backend.release().map_err(|trouble| self.explain("the run cannot be ended", trouble))
    }

    pub fn leases(&self) -> Option<&dyn Leases> {
        self.backend.leases()
    }

    pub fn place(&self) -> String {
        self.backend.place()
    }

    pub fn shares_folder(&self) -> bool {
        self.backend.shares_folder()
    }

    /// Announces a very large transaction, or its end ([`Backend::write_much`]).
    pub fn write_much(&self, yes: bool) -> Result<(), StoreError> {
        let done = self.backend.write_much(yes);
        let what = if yes {
            "the store cannot be prepared for a large transaction"
        } else {
            "the store cannot return to small transactions"
        };
        done.map_err(|trouble| self.explain(what, trouble))
    }

    pub fn bytes(&self) -> Result<u64, StoreError> {
        let found = self.backend.bytes();
        found.map_err(|trouble| self.explain("the store's size cannot be read", trouble))
    }

    /// Adds the failed operation and its location to an error.
    pub fn explain(&self, what: &str, trouble: Trouble) -> StoreError {
        trouble.of(what, &self.backend.place())
    }
}
