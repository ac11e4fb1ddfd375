//! What can go wrong with a store, in four parts: what, where, why, what to try.

/// The kind of trouble, for those who act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The directory or the file cannot be opened or created.
    Open,
    /// A newer derny wrote the file.
    TooNew,
    /// Another process kept the file locked for too long.
    Busy,
    /// No room on the disk. What was written stays.
    Full,
    /// The database refused for another reason.
    Database,
    /// Stored bytes cannot be what was written.
    Damaged,
    /// No run or baseline has this name.
    Unknown,
    /// Several runs start like this.
    Ambiguous,
    /// The run is being recorded, or a baseline names it.
    InUse,
    /// Not a usable name.
    BadName,
}

/// An error of the store. Its text has four lines; the parts are open to those who lay them out themselves.
#[derive(Debug, thiserror::Error)]
#[error("{what}\n  where  {place}\n  why    {why}\n  try    {remedy}")]
pub struct StoreError {
    /// For those who act on it.
    pub kind: ErrorKind,
    /// What could not be done.
    pub what: String,
    /// The file, the run.
    pub place: String,
    /// The cause.
    pub why: String,
    /// What to try.
    pub remedy: String,
}

/// Why a step inside the store failed, before it is known what was being done where.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The database could not do it.
    Database {
        /// For those who act on it.
        kind: ErrorKind,
        /// The cause.
        why: String,
        /// What to try.
        remedy: String,
    },
    /// Stored bytes cannot be what was written.
    Damaged(String),
    /// An error that is complete.
    Told(StoreError),
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Trouble::Damaged(error.to_string())
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Told(error)
    }
}

impl Trouble {
    /// The turns of a visit are not those that were written.
    pub(crate) fn unreadable(visit: u32) -> Trouble {
        Trouble::Damaged(format!("the turns of visit {visit} cannot be read"))
    }

    /// The error, now that what was being done and where is known.
    pub(crate) fn of(self, what: &str, place: &str) -> StoreError {
        let (kind, why, remedy) = match self {
            Trouble::Told(error) => return error,
            Trouble::Damaged(why) => {
                (ErrorKind::Damaged, why, "delete the run with `derny runs delete`".into())
            }
            Trouble::Database { kind, why, remedy } => (kind, why, remedy),
        };
        StoreError { kind, what: what.to_owned(), place: place.to_owned(), why, remedy }
    }
}
