//! What every store must do, whatever its database. To hold a second one to it, add a row to [`KINDS`].
//!
//! `transactions` asks the database itself, through the trait; all others ask a store over it.

mod copy;
mod crash;
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

/// A kind of store.
pub struct Kind {
    /// The database's name.
    pub name: &'static str,
    open: Open,
    /// Who writes waits for all others who do.
    pub one_writes: bool,
    /// Where its server is, for a process that a test starts.
    server: Option<fn() -> String>,
}

const KINDS: &[Kind] = &[
    Kind { name: "sqlite", open: sqlite::open, one_writes: true, server: None },
    Kind { name: "postgresql", open: on_server, one_writes: false, server: Some(folder) },
];

/// The folder of the server's socket.
fn folder() -> String {
    std::env::var(FOLDER).unwrap_or_else(|_| Server::of_all().folder().to_owned())
}

/// The schema that belongs to the store in `dir`.
fn on_server(dir: &Path) -> Result<Box<dyn Backend>, StoreError> {
    let mut hash = DefaultHasher::new();
    dir.hash(&mut hash);
    postgres::open(&address(&folder(), &format!("s{:x}", hash.finish())))
}

impl Kind {
    /// The store of this kind in `dir`.
    pub fn store(&self, dir: &Path) -> Store {
        Store::over(dir, self.open).unwrap()
    }

    /// A store in a directory of its own.
    pub fn fresh(&self) -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = self.store(dir.path());
        (dir, store)
    }

    /// What a process that a test starts must know of the server.
    pub fn env(&self) -> Option<(&'static str, String)> {
        self.server.map(|folder| (FOLDER, folder()))
    }

    /// The database of a store in `dir`.
    pub fn backend(&self, dir: &Path) -> Box<dyn Backend> {
        (self.open)(dir).unwrap()
    }
}

/// The kind of this name.
pub fn kind_of(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == name).unwrap()
}

/// Runs a test with every kind of store. If it fails, standard error names the kind.
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
