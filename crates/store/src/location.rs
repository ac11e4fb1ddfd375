//! The location of a store: a folder, or the address of a database server.

use crate::postgres;
use crate::{Store, StoreError};
use derny_model::secrets::word_without_secrets;
use std::fmt;
use std::path::{Path, PathBuf};

/// The location of a store.
#[derive(Clone)]
pub enum Location {
    /// The store is in this folder.
    Folder(PathBuf),
    /// The store is in a database on a server.
    Database {
        /// Address, which may contain a password.
        address: String,
        /// Folder of the project, for the journals of runs in progress.
        folder: PathBuf,
    },
}

impl Location {
    /// Parses a folder or an address. `folder` is the folder of the project.
    pub fn named(name: &Path, folder: &Path) -> Location {
        match name.to_str().filter(|text| postgres::is_address(text)) {
            Some(address) => Location::Database { address: address.to_owned(), folder: folder.to_owned() },
            None => Location::Folder(name.to_owned()),
        }
    }

    /// Resolves a relative folder against `root`.
    pub fn within(self, root: &Path) -> Location {
        match self {
            Location::Folder(folder) => Location::Folder(root.join(folder)),
            on_server => on_server,
        }
    }

    /// Opens the store. Creates it if necessary.
    ///
    /// # Errors
    ///
    /// Fails like [`Store::open`], or if the server cannot be reached or denies access.
    pub fn open(&self) -> Result<Store, StoreError> {
        match self {
            Location::Folder(folder) => Store::open(folder),
            Location::Database { address, folder } => Store::on_server(address, folder),
        }
    }

    /// Opens the store if it exists, for commands that only read. Works in read-only locations too.
    ///
    /// # Errors
    ///
    /// Fails like [`Location::open`].
    pub fn open_to_read(&self) -> Result<Option<Store>, StoreError> {
        match self {
            Location::Folder(folder) => Store::open_to_read(folder),
            Location::Database { address, .. } if postgres::exists(address)? => self.open().map(Some),
            Location::Database { .. } => Ok(None),
        }
    }
}

/// Formats the location without its password.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Folder(folder) => folder.display().fmt(f),
            Location::Database { address, .. } => f.write_str(&word_without_secrets(address)),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
