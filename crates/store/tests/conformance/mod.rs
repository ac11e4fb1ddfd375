//! Conformance tests of all kinds of stores. To test another database, add a row to [`KINDS`].
//!
//! `transactions` tests the database through the trait. All other modules test a store that uses the
//! database.

mod copy;
mod crash;
mod history;
mod keep;
mod records;
mod transactions;

use crate::backend::{Backend, Open};
use crate::error::StoreError;
use crate::{Store, postgres, sqlite};
use derny_testkit::postgres::{FOLDER, Server, address};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

pub struct Kind {
    pub name: &'static str,
    open: Open,
    /// True if only one connection can write at a time.
    pub one_writes: bool,
    /// Address of the server, for a process that a test starts.
    server: Option<fn() -> String>,
}

const KINDS: &[Kind] = &[
    Kind { name: "sqlite", open: sqlite::open, one_writes: true, server: None },
    Kind { name: "postgresql", open: on_server, one_writes: false, server: Some(folder) },
];

fn folder() -> String {
    std::env::var(FOLDER).unwrap_or_else(|_| Server::of_all().folder().to_owned())
}

/// Opens the database schema that belongs to the store in `dir`.
fn on_server(dir: &Path) -> Result<Box<dyn Backend>, StoreError> {
    let mut hash = DefaultHasher::new();
    dir.hash(&mut hash);
    postgres::open(&address(&folder(), &format!("s{:x}", hash.finish())))
}

impl Kind {
    pub fn store(&self, dir: &Path) -> Store {
        Store::over(dir, self.open).unwrap()
    }

    /// Returns a store in a new directory.
    pub fn fresh(&self) -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = self.store(dir.path());
        (dir, store)
    }

    /// Returns the environment variable with the server's address, for a process that a test starts.
    pub fn env(&self) -> Option<(&'static str, String)> {
        self.server.map(|folder| (FOLDER, folder()))
    }

    /// Returns the database of a store in `dir`.
    pub fn backend(&self, dir: &Path) -> Box<dyn Backend> {
        (self.open)(dir).unwrap()
    }
}

pub fn kind_of(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == name).unwrap()
}

/// Runs a test with every kind of store. A failure prints the kind.
pub fn each(test: impl Fn(&Kind)) {
    struct Named(&'static str);
    impl Drop for Named {
        fn drop(&mut self) {
            if std::thread::panicking() {
                let _ = writeln!(std::io::stderr(), "with {}", self.0);
            }
        }
    }
    for kind in KINDS {
        let _named = Named(kind.name);
        test(kind);
    }
}
