//! Where a store is: a folder, or the address of a database on a server. Knows no database.

use crate::postgres;
use crate::{Store, StoreError};
use derny_model::secrets::word_without_secrets;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a store is.
#[derive(Clone)]
pub enum Location {
    /// In this folder.
    Folder(PathBuf),
    /// On a server.
    Database {
        /// Its address, perhaps with a password.
        address: String,
        /// The folder of the project, in which runs under way have their journals.
        folder: PathBuf,
    },
}

impl Location {
    /// What a user calls a store, a folder or an address. `folder` is that of the project.
    pub fn named(name: &Path, folder: &Path) -> Location {
        match name.to_str().filter(|text| postgres::is_address(text)) {
            Some(address) => Location::Database { address: address.to_owned(), folder: folder.to_owned() },
            None => Location::Folder(name.to_owned()),
        }
    }

    /// A folder that was named in a file below `root`.
    pub fn within(self, root: &Path) -> Location {
        match self {
            Location::Folder(folder) => Location::Folder(root.join(folder)),
            on_server => on_server,
        }
    }

    /// Opens the store, and creates it if need be.
    ///
    /// # Errors
    /// Those of [`Store::open`]; a server that cannot be reached, or does not let us in.
    pub fn open(&self) -> Result<Store, StoreError> {
        match self {
            Location::Folder(folder) => Store::open(folder),
            Location::Database { address, folder } => Store::on_server(address, folder),
        }
    }

    /// Opens the store if there is one, for commands that only look: they go on where nothing can be written.
    ///
    /// # Errors
    /// As [`Location::open`].
    pub fn open_to_read(&self) -> Result<Option<Store>, StoreError> {
        match self {
            Location::Folder(folder) => Store::open_to_read(folder),
            Location::Database { address, .. } if postgres::exists(address)? => self.open().map(Some),
            Location::Database { .. } => Ok(None),
        }
    }
}

/// Never with a password.
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
